/**
 * A world at war: battles with boarders in lawless systems, miners in the belts and traders at the
 * capitals, all at the same time. All commands are drawn from the seed, the tick and the world, so
 * that a world develops in the same way however it is run. Ships, marines and credits are written
 * into the world between ticks.
 */
import { assert } from '../../core/assert.ts'
import { itemIndex } from '../../core/catalog/index.ts'
import type { BatchRun, Engine } from '../../core/engine.ts'
import { namedContainer } from '../../core/goods.ts'
import { stateHash } from '../../core/hash.ts'
import { captureWorld, createImageMemory } from '../../core/image.ts'
import { namedAccount, post } from '../../core/ledger.ts'
import { pendingOf } from '../../core/pending.ts'
import type { WorldImage } from '../../core/ports.ts'
import { createRegistry } from '../../core/registry.ts'
import { runSteps } from '../../core/steps.ts'
import { runImmediates, tickSteps } from '../../core/tick.ts'
import type { Eid, JournalInput, World } from '../../core/types.ts'
import { finishUnstored } from '../../core/wire/describe.ts'
import { loadWorld, newWorld, openEngine } from '../../engine/start.ts'
import { walletOf } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { boardingNotes } from '../../systems/boarding/model.ts'
import { battles, participantOf, participantsOf } from '../../systems/combat/model.ts'
import { Participant, RING_OUTER } from '../../systems/combat/state.ts'
import { npcsOf } from '../../systems/npc/model.ts'
import { Npc } from '../../systems/npc/state.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { activeShip, cargoUnits, freeSpace, loadCargo } from '../../systems/ship/model.ts'
import { Ship } from '../../systems/ship/state.ts'
import { poiOf, systemOf } from '../../systems/travel/location-model.ts'
import { poisOf } from '../../systems/travel/model.ts'
import { placeInSpace } from '../../systems/travel/rules.ts'
import { POI_TYPES, Poi, StarSystem } from '../../systems/travel/state.ts'
import { arm, emptyHold } from './arming.ts'
import { copyImage } from './storage.ts'
import {
  frontOf,
  isWarrior,
  orderOf,
  presenceChanges,
  type Role,
  roleOf,
  SUPPLIES,
  type Warrior,
  type Wish,
  wishOf,
} from './war-wishes.ts'

const TICK_MS = 10_000
const WALL_START_MS = 1_800_000_000_000
/** Capacity in entities for each player: ships, drones, wrecks and more. */
const ENTITIES_A_PLAYER = 100
const ENTITIES_MIN = 10_000
const PLAYERS = 60
/** Players in each lawless system that is fought over. */
const PLAYERS_A_FRONT = 15
const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']
const PURSE_CREDITS = 50_000
const ARMED = [itemIndex('pulse_laser_ii')]
/** Modules of boarders, who capture ships instead of shooting. */
const BOARDERS = [itemIndex('marine_barracks')]
/** Modules of salvagers. */
const TUGS = [itemIndex('tow_rig_basic')]

const registry = createRegistry(DOMAINS)

/* A world */

const entitiesFor = (players: number): number => Math.max(ENTITIES_MIN, players * ENTITIES_A_PLAYER)

function playersOf(world: World): Warrior[] {
  const { alive, seq } = world.read(Player)
  const players: Warrior[] = []
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1) players.push({ player, number: seq[player] })
  }
  return players.sort((a, b) => a.number - b.number)
}

/** Returns the lawless systems of the war, lowest row first. */
function frontsOf(world: World): Eid[] {
  const wanted = Math.ceil(world.countOf(Player) / PLAYERS_A_FRONT)
  const { alive, police } = world.read(StarSystem)
  const systems: Eid[] = []
  for (let row = 1; row <= world.highOf(StarSystem) && systems.length < wanted; row++) {
    if (alive[row] === 1 && police[row] === 0) systems.push(row)
  }
  assert(systems.length === wanted, 'there are too few lawless systems')
  return systems
}

function registerPlayers(engine: Engine, players: number): void {
  for (let i = 0; i < players; i++) {
    const params = { username: `Warrior ${i}`, empire: EMPIRES[i % EMPIRES.length] }
    const input = {
      ref: 1,
      player: 0,
      command: 'internal:register',
      params,
      framing: 'ws1' as const,
    }
    const [answer] = runImmediates(engine, [input], WALL_START_MS).answers
    assert(answer.outcome.ok, `cannot register: ${JSON.stringify(answer.outcome)}`)
    const { player } = answer.outcome.result as { player: number }
    const bound = { ...input, command: 'internal:bind', params: { player, channel: 'ws' } }
    runImmediates(engine, [bound], WALL_START_MS)
  }
}

const images = new Map<string, WorldImage>()

/** Resolves with the image of a new world with all players; each is made once in a process. */
async function genesis(seed: number, players: number): Promise<WorldImage> {
  const key = `${seed} ${players}`
  const made = images.get(key)
  if (made) return made
  const world = newWorld({ registry, seed, tickMs: TICK_MS, maxEntities: entitiesFor(players) })
  registerPlayers(await openEngine(world, registry), players)
  const image = imageOf(world)
  images.set(key, image)
  return image
}

const imageOf = (world: World): WorldImage => copyImage(captureWorld(world, createImageMemory()))

/* Written into the world: ships, people, goods, credits */

const FITS: Partial<Record<Role, readonly number[]>> = { boarder: BOARDERS, salvager: TUGS }

function equip(world: World, player: Eid, number: number, front: Eid): void {
  const role = roleOf(number)
  const ship = arm(world, player, { modules: FITS[role] ?? ARMED, isBoarder: role === 'boarder' })
  for (const item of ['iron_ore', ...SUPPLIES]) {
    loadCargo(world, ship, namedContainer('supply'), itemIndex(item), 2)
  }
  const [poi] = poisOf(world, front)
  if (poiOf(world, player) !== poi) placeInSpace(world, ship, poi)
}

/** Returns a belt of a system that the player's starter ship can mine. */
function beltOf(world: World, system: Eid): Eid {
  const { type, hidden, depositCount } = world.read(Poi)
  const belt = POI_TYPES.indexOf('asteroid_belt')
  const found = poisOf(world, system).find(
    (poi) => type[poi] === belt && hidden[poi] === 0 && depositCount[poi] > 0,
  )
  assert(found, 'a capital has no belt')
  return found
}

/** Gives a player who is not in battle the ship, place, goods and credits that their role needs. */
function outfit(world: World, player: Eid, number: number, fronts: readonly Eid[]): void {
  const role = roleOf(number)
  const ship = activeShip(world, player)
  if (participantOf(world, ship) !== 0) return
  if (isWarrior(number) || role === 'salvager') {
    equip(world, player, number, frontOf(number, fronts))
  } else if (role === 'miner') {
    const belt = beltOf(world, systemOf(world, player))
    if (poiOf(world, player) !== belt) placeInSpace(world, ship, belt)
    if (freeSpace(world, ship) < 5) emptyHold(world, ship)
  } else {
    const item = itemIndex('iron_ore')
    if (cargoUnits(world, ship, item) < 5 && freeSpace(world, ship) > 10) {
      loadCargo(world, ship, namedContainer('supply'), item, 5)
    }
    const wallet = walletOf(world, player)
    post(world, namedAccount('starting_grant'), wallet, world.tick === 0 ? PURSE_CREDITS : 0)
  }
}

/**
 * Gives players what they need before a tick, and puts those who have just joined a battle next to
 * the enemy.
 */
function supplyPlayers(world: World, fronts: readonly Eid[]): void {
  for (const { player, number } of playersOf(world)) outfit(world, player, number, fronts)
  const { ship: hullOf } = world.read(Npc)
  for (const npc of fronts.flatMap((front) => npcsOf(world, front))) {
    const { marinesFit, marinesInjured, marineCap } = world.write(Ship)
    const ship = hullOf[npc]
    marinesFit[ship] = Math.max(marinesFit[ship], marineCap[ship] - marinesInjured[ship])
  }
  const { ring, joinTick } = world.write(Participant)
  for (const battle of battles(world)) {
    for (const row of participantsOf(world, battle)) {
      if (joinTick[row] === world.tick && ring[row] === RING_OUTER) ring[row] = 0
    }
  }
}

/* Running */

/** Counts by name: of events, boardings by outcome, and mutations that succeeded. */
export type Tally = Map<string, number>

export interface War {
  readonly world: World
  readonly tally: Tally
  tick(): Promise<void>
  image(): WorldImage
  hash(): string
  close(): Promise<void>
}

interface WarOptions {
  readonly seed: number
  readonly workers?: number
  /** Number of players in a new world. */
  readonly players?: number
  /** Image to start from; without one, the world is new. */
  readonly from?: WorldImage
  /** Ticks between full checks of all invariants. */
  readonly checkEvery?: number
  /** Returns a function that is called between the steps of each tick. */
  readonly onlookers?: (world: World) => () => void
}

export async function openWar(options: WarOptions): Promise<War> {
  const players = options.players ?? PLAYERS
  const image = options.from ?? (await genesis(options.seed, players))
  const maxEntities = entitiesFor(players)
  const world = loadWorld({ registry, tickMs: TICK_MS, maxEntities }, image)
  const engine = await openEngine(world, registry, {
    workers: options.workers ?? 0,
    threadFile: new URL('../../kernel-thread.js', import.meta.url).href,
    breakEvenNs: 0,
    checkEvery: options.checkEvery ?? 10,
  })
  const fronts = frontsOf(world)
  const tally: Tally = new Map()
  const between = options.onlookers?.(world)
  return {
    world,
    tally,
    async tick() {
      runWarTick(engine, fronts, tally, between)
      await engine.section.settled()
    },
    image: () => imageOf(world),
    hash: () => stateHash(world),
    close: () => engine.section.close(),
  }
}

const count = (tally: Tally, name: string): void => {
  tally.set(name, (tally.get(name) ?? 0) + 1)
}

/** Returns the wish if it would be accepted now: no mutation is pending, and no rule forbids it. */
function admitted({ world }: Engine, { player }: Warrior, wish?: Wish): Wish | undefined {
  if (!wish || pendingOf(world, player)) return undefined
  const def = registry.commands.get(wish.command)
  assert(def, `there is no command ${wish.command}`)
  return registry.domains.some((domain) => domain.admission?.(world, player, def))
    ? undefined
    : wish
}

function runWarTick(
  engine: Engine,
  fronts: readonly Eid[],
  tally: Tally,
  between?: () => void,
): void {
  const { world } = engine
  supplyPlayers(world, fronts)
  const players = playersOf(world)
  const wallMs = WALL_START_MS + world.tick * TICK_MS
  const input = (wish: Wish, number: number): JournalInput => ({
    // Commands without a player need some ref too, or they would get no answer.
    ref: number || 1,
    player: number,
    command: wish.command,
    framing: 'ws1',
    params: { ...wish.params },
  })
  const inputsFor = (wishFor: (player: Warrior) => Wish | undefined): JournalInput[] =>
    players.flatMap((player) => {
      const wish = wishFor(player)
      return wish ? [input(wish, player.number)] : []
    })
  const immediates = (batch: readonly JournalInput[], part: number): void => {
    if (batch.length > 0) finish(engine, runImmediates(engine, batch, wallMs), part, tally)
  }
  immediates(
    presenceChanges(world, players).map((wish) => input(wish, 0)),
    1,
  )
  immediates(
    inputsFor((player) => orderOf(world, player)),
    2,
  )
  const wishes = inputsFor((player) => admitted(engine, player, wishOf(world, players, player)))
  finish(engine, runSteps(tickSteps(engine, wishes, wallMs), between), 0, tally)
  for (const battle of battles(world)) {
    for (const { event, outcome, reason } of boardingNotes(world, battle)) {
      count(tally, outcome ?? event)
      if (reason) count(tally, reason)
    }
  }
}

const hasReconnected = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'reconnected' in result

function finish(engine: Engine, run: BatchRun, part: number, tally: Tally): void {
  for (const { type } of run.outbox.emissions) count(tally, type)
  for (const { outcome } of run.answers) {
    if (outcome.ok && hasReconnected(outcome.result)) count(tally, 'reconnected')
  }
  for (const { pending, outcome } of run.outbox.settled) {
    if (outcome.ok) count(tally, pending.command)
  }
  finishUnstored(engine, run, part)
}
