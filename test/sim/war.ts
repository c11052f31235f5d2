/**
 * A world at war: battles with boarders in lawless systems, miners in the belts and traders at the
 * capitals, all at once. What everybody does is drawn from the seed, the tick and the world alone,
 * so the same world goes on alike wherever and on however many threads it runs. Ships, marines and
 * money are given by hand between the ticks.
 */
import { assert } from '../../core/assert.ts'
import { itemIndex, shipClassIndex } from '../../core/catalog/index.ts'
import type { BatchRun, Engine } from '../../core/engine.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import { stateHash } from '../../core/hash.ts'
import { captureWorld, createImageMemory } from '../../core/image.ts'
import { namedAccount, post } from '../../core/ledger.ts'
import type { JournalInput, JournalRow, WorldImage } from '../../core/ports.ts'
import { finishBatch } from '../../core/publish.ts'
import { createRegistry } from '../../core/registry.ts'
import { hash32, hashText } from '../../core/rng.ts'
import { runImmediates, runTick } from '../../core/tick.ts'
import { RULES_VERSION } from '../../core/version.ts'
import type { Eid, Row, World } from '../../core/world.ts'
import { Player } from '../../systems/account/columns.ts'
import { walletOf } from '../../systems/account/rules.ts'
import { boardingNotes } from '../../systems/boarding/course.ts'
import { cargoUnits, freeSpace, loadCargo, unloadCargo } from '../../systems/cargo/rules.ts'
import { Participant, RING_OUTER } from '../../systems/combat/columns.ts'
import { battles, combatantOf, participantOf } from '../../systems/combat/rules.ts'
import { combatantId, participantsOf } from '../../systems/combat/views.ts'
import { Npc } from '../../systems/npc/columns.ts'
import { npcsOf } from '../../systems/npc/rules.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { Ship } from '../../systems/ship/columns.ts'
import {
  activeShip,
  createShip,
  recompute,
  releaseShip,
  shipId,
  trackShield,
} from '../../systems/ship/rules.ts'
import { POI_TYPES, Poi, StarSystem } from '../../systems/travel/columns.ts'
import { place, poiOf, poisOf, systemOf, unplace } from '../../systems/travel/rules.ts'
import { beginWorld, emptyWorld, loadWorld, openEngine } from '../../world-start.ts'
import { createDice, type Dice } from './dice.ts'
import { copyImage } from './storage.ts'

const TICK_MS = 10_000
const WALL_START_MS = 1_800_000_000_000
const MAX_ENTITIES = 10_000
const PLAYERS = 60
/** Lawless systems that are fought over. */
const FRONTS = 4
const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']
const GOODS_TRADED = ['iron_ore', 'steel_plate', 'fuel_cell', 'repair_kit']
const PURSE_CREDITS = 50_000
/** Hull of those who fight: it can board by itself. */
const WARSHIP = shipClassIndex('reaver')
const ARMED = [itemIndex('pulse_laser_ii')]
/** Half of them come for the ships, not to shoot at them. */
const BOARDERS = [itemIndex('marine_barracks')]

const registry = createRegistry(DOMAINS)

type Role = 'gunner' | 'boarder' | 'miner' | 'trader'
const ROLES: readonly Role[] = ['gunner', 'boarder', 'miner', 'trader']
const roleOf = (number: number): Role => ROLES[number % ROLES.length]

/* A world */

function playersOf(world: World): { player: Eid; number: number }[] {
  const { alive, seq } = world.read(Player)
  const players: { player: Eid; number: number }[] = []
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1) players.push({ player, number: seq[player] })
  }
  return players.sort((a, b) => a.number - b.number)
}

/** The lawless systems of the war, in the order of their numbers. */
function frontsOf(world: World): Eid[] {
  const { alive, police } = world.read(StarSystem)
  const systems: Eid[] = []
  for (let row = 1; row <= world.highOf(StarSystem) && systems.length < FRONTS; row++) {
    if (alive[row] === 1 && police[row] === 0) systems.push(row)
  }
  assert(systems.length === FRONTS, 'there are too few lawless systems')
  return systems
}

function enrol(engine: Engine): void {
  for (let i = 0; i < PLAYERS; i++) {
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

const born = new Map<number, WorldImage>()

/** A new world with all players, as an image; made once a process. */
async function genesis(seed: number): Promise<WorldImage> {
  const made = born.get(seed)
  if (made) return made
  const world = emptyWorld({ registry, seed, tickMs: TICK_MS, maxEntities: MAX_ENTITIES })
  beginWorld(world, registry)
  enrol(await openEngine(world, registry))
  const image = imageOf(world)
  born.set(seed, image)
  return image
}

const imageOf = (world: World): WorldImage => copyImage(captureWorld(world, createImageMemory()))

/* By hand: ships, people, goods, money */

function equip(world: World, player: Eid, number: number, front: Eid): void {
  const old = activeShip(world, player)
  if (world.read(Ship).class[old] !== WARSHIP) {
    const modules = roleOf(number) === 'gunner' ? ARMED : BOARDERS
    const ship = createShip(world, { owner: player, shipClass: WARSHIP, modules })
    world.write(Player).ship[player] = ship
    scuttle(world, old)
  }
  const ship = activeShip(world, player)
  const columns = world.write(Ship)
  const isBoarder = roleOf(number) === 'boarder'
  columns.crewFit[ship] = isBoarder ? columns.crewCap[ship] : columns.crewMin[ship]
  columns.crewInjured[ship] = 0
  columns.marinesFit[ship] = isBoarder ? columns.marineCap[ship] : 0
  columns.marinesInjured[ship] = 0
  recompute(world, ship)
  columns.hull[ship] = columns.hullMax[ship]
  columns.shield[ship] = columns.shieldMax[ship]
  columns.fuel[ship] = columns.fuelMax[ship]
  trackShield(world, ship)
  emptyHold(world, ship)
  loadCargo(world, ship, namedContainer('supply'), itemIndex('iron_ore'), 5)
  const [poi] = poisOf(world, front)
  if (poiOf(world, player) !== poi) place(world, ship, poi)
}

function emptyHold(world: World, ship: Eid): void {
  for (const { item, units } of contentsOf(world, world.read(Ship).hold[ship])) {
    unloadCargo(world, ship, namedContainer('consumption'), item, units)
  }
}

function scuttle(world: World, ship: Eid): void {
  emptyHold(world, ship)
  unplace(world, ship)
  releaseShip(world, ship)
}

/** Belt of a system that the player's starter can mine. */
function beltOf(world: World, system: Eid): Eid {
  const { type, hidden, depositCount } = world.read(Poi)
  const belt = POI_TYPES.indexOf('asteroid_belt')
  const found = poisOf(world, system).find(
    (poi) => type[poi] === belt && hidden[poi] === 0 && depositCount[poi] > 0,
  )
  assert(found, 'a capital has no belt')
  return found
}

function outfit(world: World, player: Eid, number: number, fronts: readonly Eid[]): void {
  const role = roleOf(number)
  const ship = activeShip(world, player)
  if (participantOf(world, ship) !== 0) return
  if (role === 'gunner' || role === 'boarder') {
    equip(world, player, number, fronts[Math.trunc(number / ROLES.length) % FRONTS])
  } else if (role === 'miner') {
    const belt = beltOf(world, systemOf(world, player))
    if (poiOf(world, player) !== belt) place(world, ship, belt)
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

/** What the test gives before a tick. Whoever has joined a battle is put right among the enemy. */
function hand(world: World, fronts: readonly Eid[]): void {
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

/* What players do */

const WISH = hashText('war')
const diceOf = (world: World, number: number): Dice =>
  createDice(hash32(world.seed, world.tick, WISH, number))

interface Wish {
  readonly command: string
  readonly params: object
}

/** Somebody in the same system who flies and is no friend. */
function prey(world: World, player: Eid, number: number, dice: Dice): Wish | undefined {
  const system = systemOf(world, player)
  const { ship: hullOf } = world.read(Npc)
  const pirates = npcsOf(world, system).map((npc) => shipId(world, hullOf[npc]))
  const rivals = playersOf(world)
    .filter((other) => other.number !== number && systemOf(world, other.player) === system)
    .map((other) => `Warrior ${other.number - 1}`)
  const targets = [...rivals, ...pirates]
  return targets.length === 0
    ? undefined
    : { command: 'attack', params: { target_id: dice.pick(targets) } }
}

function trade(dice: Dice): Wish {
  const item_id = dice.pick(GOODS_TRADED)
  const quantity = 1 + dice.below(5)
  const price_each = 5 + dice.below(60)
  return dice.pick([
    { command: 'buy', params: { item_id, quantity } },
    { command: 'sell', params: { item_id: 'iron_ore', quantity } },
    { command: 'create_buy_order', params: { item_id, quantity, price_each } },
    { command: 'create_sell_order', params: { item_id: 'iron_ore', quantity, price_each } },
  ])
}

/** The mutation of a player in this tick. */
function wishOf(world: World, player: Eid, number: number): Wish | undefined {
  const dice = diceOf(world, number)
  const role = roleOf(number)
  if (role === 'miner') return { command: 'mine', params: {} }
  if (role === 'trader') return dice.chance(70) ? trade(dice) : undefined
  return dice.chance(40) ? prey(world, player, number, dice) : undefined
}

/** The order of a pilot in battle. */
function orderOf(world: World, player: Eid, number: number): Wish | undefined {
  const row = combatantOf(world, player)
  if (row === 0) return undefined
  const dice = diceOf(world, number).branch('orders')
  const { battle, side } = world.read(Participant)
  const foes = participantsOf(world, battle[row]).filter((other) => side[other] !== side[row])
  if (foes.length === 0) return undefined
  const open = foes.filter((foe) => isOpen(world, foe))
  const target_id = combatantId(world, dice.pick(foes))
  const marines = 1 + dice.below(23)
  const roll = dice.below(100)
  const order = (action: string, more: object = {}): Wish => ({
    ...{ command: 'battle', params: { action, ...more } },
  })
  if (roll < 40 && open.length > 0) {
    return order('board', { target_id: combatantId(world, dice.pick(open)), marines })
  }
  if (roll < 45) return order('board', { target_id, marines })
  if (roll < 50) return order('target', { target_id })
  if (roll < 52) return order('stance', { stance: dice.pick(['fire', 'evade', 'brace', 'flee']) })
  if (roll < 54) return order(dice.pick(['advance', 'retreat']))
  return roll < 55 ? order('self_destruct') : undefined
}

/** In reach of boarders and without much of a shield. */
function isOpen(world: World, row: Row): boolean {
  const { ring, ship } = world.read(Participant)
  const { shield, shieldMax } = world.read(Ship)
  return ring[row] === 0 && shield[ship[row]] * 4 <= shieldMax[ship[row]]
}

/* Running */

/** What happened, by name: events, boardings by outcome, mutations that were done. */
export type Tally = Map<string, number>

export interface War {
  readonly world: World
  readonly tally: Tally
  tick(): Promise<void>
  image(): WorldImage
  hash(): string
  close(): Promise<void>
}

export interface WarOptions {
  readonly seed: number
  readonly workers?: number
  /** Where to go on from; a new world without. */
  readonly from?: WorldImage
  /** Full checks of all invariants every so many ticks. */
  readonly checkEvery?: number
}

export async function openWar(options: WarOptions): Promise<War> {
  const image = options.from ?? (await genesis(options.seed))
  const world = loadWorld({ registry, tickMs: TICK_MS, maxEntities: MAX_ENTITIES }, image)
  const engine = await openEngine(world, registry, {
    workers: options.workers ?? 0,
    threadFile: new URL('../../kernel-thread.js', import.meta.url).href,
    breakEvenNs: 0,
    checkEvery: options.checkEvery ?? 10,
  })
  const fronts = frontsOf(world)
  const tally: Tally = new Map()
  return {
    world,
    tally,
    async tick() {
      runWarTick(engine, fronts, tally)
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

function runWarTick(engine: Engine, fronts: readonly Eid[], tally: Tally): void {
  const { world } = engine
  hand(world, fronts)
  const players = playersOf(world)
  const inputs = (wish: (world: World, player: Eid, number: number) => Wish | undefined) =>
    players.flatMap(({ player, number }): JournalInput[] => {
      const wished = wish(world, player, number)
      if (!wished) return []
      const { command, params } = wished
      return [{ ref: number, player: number, command, params: { ...params }, framing: 'ws1' }]
    })
  const wallMs = WALL_START_MS + world.tick * TICK_MS
  const orders = inputs(orderOf)
  if (orders.length > 0) finish(engine, runImmediates(engine, orders, wallMs), 1, tally)
  finish(engine, runTick(engine, inputs(wishOf), wallMs), 0, tally)
  for (const battle of battles(world)) {
    for (const { event, outcome, reason } of boardingNotes(world, battle)) {
      count(tally, outcome ?? event)
      if (reason) count(tally, reason)
    }
  }
}

function finish(engine: Engine, run: BatchRun, part: number, tally: Tally): void {
  const { world } = engine
  const row: JournalRow = {
    batch: world.batch + 1,
    tick: world.tick,
    part,
    rulesVersion: RULES_VERSION,
    wallMs: world.wallMs,
    inputs: run.inputs,
    archived: Object.fromEntries(
      run.outbox.writes.map(({ ref }) => [String(ref), { ok: true, result: {} }]),
    ),
    hash: null,
  }
  for (const { type } of run.outbox.emissions) count(tally, type)
  for (const { pending, outcome } of run.outbox.settled) {
    if (outcome.ok) count(tally, pending.command)
  }
  finishBatch(engine, run, row)
}
