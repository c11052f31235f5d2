/**
 * The combat ladder: which ships win against which in the real engine, both sides on autopilot.
 * Fights run at the same time, one in each system of a small map. Source: balance.md section 8.
 */
import { assert } from '../../core/assert.ts'
import {
  CREATURES,
  itemIndex,
  PIRATES,
  SHIP_CLASSES,
  STARTER,
  shipClassIndex,
} from '../../core/catalog/index.ts'
import type { Eid, World } from '../../core/types.ts'
import { wholeEmission } from '../../core/wire/packed.ts'
import { playerId } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { aggress } from '../../systems/combat/engage-rules.ts'
import { battleId, participantOf } from '../../systems/combat/model.ts'
import { Participant, ShipCombat } from '../../systems/combat/state.ts'
import { creatures } from '../../systems/creature/model.ts'
import { endCreature } from '../../systems/creature/rules.ts'
import { Creature, Herd } from '../../systems/creature/state.ts'
import { makeCreature } from '../../systems/creature/systems.ts'
import { npcsOf } from '../../systems/npc/model.ts'
import { removeNpc } from '../../systems/npc/rules.ts'
import { makePirate } from '../../systems/npc/spawn-systems.ts'
import { Npc } from '../../systems/npc/state.ts'
import { scrapHold } from '../../systems/salvage/make-rules.ts'
import { shipId } from '../../systems/ship/model.ts'
import { createShip, releaseShip } from '../../systems/ship/rules.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../systems/skill/state.ts'
import { poisOf } from '../../systems/travel/model.ts'
import { placeInSpace, removeFromMap } from '../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../systems/travel/state.ts'
import { type DrivenWorld, driveWorld, empireOf, type Wish } from '../driven-world.ts'
import { FIGHTS, type FightRow } from './ladder-fights.ts'

/** Every fight ends before this: a stalemate ends a battle much earlier. */
const FIGHT_TICKS_MAX = 1_000
const MAX_ENTITIES = 8_000
const CREW_MAX = 3

/** How one fight ended. */
interface Ending {
  readonly reason: string
  readonly isWon: boolean
  readonly lost: number
  readonly ticks: number
}

interface Rung {
  readonly fight: FightRow
  readonly fights: number
  /** Shares of the fights, %. */
  readonly wonPct: number
  readonly stalePct: number
  readonly lostPct: number
  /** The share that is bounded, %. */
  readonly pct: number
  readonly ticks: number
  readonly isWithin: boolean
}

/** A system in which one fight at a time is staged. */
interface Stage {
  readonly system: Eid
  readonly poi: Eid
  readonly crew: readonly Eid[]
}

interface Bout {
  readonly stage: Stage
  readonly crew: readonly Eid[]
  readonly foes: ReadonlySet<Eid>
  readonly begun: number
  battle: string
  ending?: Ending
}

const pctOf = (part: number, all: number): number => (all === 0 ? 0 : (100 * part) / all)

/** Classes of the fighters that empires build at a tier. */
const fightersOf = (tier: number) =>
  SHIP_CLASSES.filter((row) => row.tier === tier && row.flavor_tags.includes('fighter')).filter(
    (row) => row.faction !== '' && row.category !== 'pirate',
  )

/** Returns the hull of the n-th fight; it takes those of the empires in turn. */
function hullOf(tier: number, nth: number): { shipClass: string; modules: readonly string[] } {
  if (tier === 0) {
    const { ship_class, modules } = STARTER[nth % STARTER.length]
    return { shipClass: ship_class, modules }
  }
  const rows = fightersOf(tier)
  const { id, default_modules } = rows[nth % rows.length]
  return { shipClass: id, modules: default_modules }
}

/** Removes the skills that a player has gained in earlier fights. */
function resetSkills(world: World, player: Eid): void {
  const { level, xp } = world.write(PlayerSkills)
  for (const column of [level, xp]) {
    column.fill(0, player * SKILLS_WIDTH, (player + 1) * SKILLS_WIDTH)
  }
}

/** Puts a player in a new ship at a place. */
function placePilot(world: World, player: Eid, poi: Eid, tier: number, nth: number): Eid {
  resetSkills(world, player)
  const { shipClass, modules } = hullOf(tier, nth)
  const old = world.read(Player).ship[player]
  const ship = createShip(world, {
    owner: player,
    shipClass: shipClassIndex(shipClass),
    modules: modules.map(itemIndex),
  })
  world.write(Player).ship[player] = ship
  discard(world, old)
  placeInSpace(world, ship, poi)
  return ship
}

/** Removes a hull and its cargo from the world. */
function discard(world: World, ship: Eid): void {
  scrapHold(world, ship)
  removeFromMap(world, ship)
  releaseShip(world, ship)
}

/** Removes all NPCs of a system that are not in battle, except those in `kept`. */
function removeNpcs(world: World, system: Eid, kept: ReadonlySet<Eid>): void {
  const { ship } = world.read(Npc)
  for (const npc of npcsOf(world, system)) {
    const hull = ship[npc]
    if (kept.has(hull) || world.read(ShipCombat).participant[hull] !== 0) continue
    removeNpc(world, hull)
    discard(world, hull)
  }
}

/** Removes the creatures of the world, and keeps herds from growing again. */
function removeCreatures(world: World): void {
  world.write(Herd).size.fill(0)
  const { ship } = world.read(Creature)
  for (const creature of creatures(world)) removeCreature(world, ship[creature])
}

function removeCreature(world: World, body: Eid): void {
  endCreature(world, body)
  discard(world, body)
}

/** Returns the visible places of a system that have no base. */
function openPlaces(world: World, system: Eid): Eid[] {
  const { base, hidden, class: kind } = world.read(Poi)
  return poisOf(world, system).filter(
    (poi) => base[poi] === 0 && hidden[poi] === 0 && world.texts.get(kind[poi]) !== 'arena',
  )
}

export interface Ladder {
  run(fight: FightRow, fights: number): Rung
  close(): Promise<void>
}

export async function openLadder(seed: number): Promise<Ladder> {
  const driven = await driveWorld({
    seed,
    maxEntities: MAX_ENTITIES,
    checkEvery: 1_000_000,
    isSmallMap: true,
  })
  const { world } = driven
  removeCreatures(world)
  const stages: Stage[] = []
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    const [poi] = openPlaces(world, system)
    if (poi === undefined || world.read(StarSystem).stronghold[system] === 1) continue
    const crew = Array.from({ length: CREW_MAX }, (_, i) =>
      driven.join(`Fighter ${system} ${i}`, empireOf(system)),
    )
    stages.push({ system, poi, crew })
  }
  return {
    run: (fight, fights) => runFights(driven, stages, fight, fights),
    close: () => driven.close(),
  }
}

/** Runs this number of fights, as many at once as there are systems that allow them. */
function runFights(
  driven: DrivenWorld,
  stages: readonly Stage[],
  fight: FightRow,
  fights: number,
): Rung {
  const { world } = driven
  const { police } = world.read(StarSystem)
  const isMirror = fight.foes === 'mirror'
  const suitable = isMirror ? stages.filter(({ system }) => police[system] === 0) : stages
  const endings: Ending[] = []
  while (endings.length < fights) {
    const used = suitable.slice(0, fights - endings.length)
    for (const { system } of used) removeNpcs(world, system, new Set())
    world.recycle()
    const bouts = used.map((stage, i) => begin(world, stage, fight, endings.length + i))
    world.recycle()
    endings.push(...fightOut(driven, fight, bouts))
  }
  const count = (test: (ending: Ending) => boolean): number =>
    pctOf(endings.filter(test).length, endings.length)
  const shares = {
    wonPct: count(({ isWon }) => isWon),
    stalePct: count(({ reason }) => reason === 'stalemate'),
    lostPct: count(({ lost }) => lost > 0),
  }
  const pct = shares[`${fight.counts}Pct`]
  const [min, max] = fight.pct
  const ticks = endings.reduce((sum, ending) => sum + ending.ticks, 0) / endings.length
  return {
    fight,
    fights: endings.length,
    ...shares,
    pct,
    ticks,
    isWithin: pct >= min && pct <= max,
  }
}

/** Puts both sides at a place of their own system. */
function begin(world: World, stage: Stage, fight: FightRow, nth: number): Bout {
  const { system, poi, crew: all } = stage
  const size = fight.foes === 'mirror' ? 2 : fight.crew.length
  const crew = all.slice(0, size)
  const tiers = fight.foes === 'mirror' ? [fight.crew[0], fight.crew[0]] : fight.crew
  // Both pilots of a mirrored fight fly the same hull.
  for (const [i, player] of crew.entries()) {
    placePilot(world, player, poi, tiers[i], nth + (fight.foes === 'mirror' ? 0 : i))
  }
  const foes = new Set<Eid>()
  const { foes: cast } = fight
  if (cast === 'prey') foes.add(makePrey(world, poi, fight, nth))
  else if (cast !== 'mirror') {
    for (const [type, count] of cast.entries()) {
      for (let i = 0; i < count; i++) {
        const hull = world.read(Npc).ship[makePirate(world, system, type)]
        placeInSpace(world, hull, poi)
        foes.add(hull)
      }
    }
  }
  return { stage, crew, foes, begun: world.tick, battle: '' }
}

/** Makes a creature of the tier hunted that flees; takes the kinds in turn. */
function makePrey(world: World, poi: Eid, fight: FightRow, nth: number): Eid {
  const kinds = CREATURES.flatMap(({ tier, nature }, kind) =>
    tier === fight.preyTier && (nature === 'skittish' || nature === 'wary') ? [kind] : [],
  )
  assert(kinds.length > 0, `no prey of tier ${fight.preyTier}`)
  const creature = makeCreature(world, { kind: kinds[nth % kinds.length], poi, herd: 0 })
  return world.read(Creature).ship[creature]
}

/** Returns the commands that open the battle; none for an ambush. */
function openingWishes(world: World, fight: FightRow, bout: Bout): Wish[] {
  const [foe] = bout.foes
  if (fight.isAmbush) return []
  if (fight.foes === 'mirror') {
    const [first, second] = bout.crew
    const target_id = playerId(world, second)
    return [{ player: first, command: 'attack', params: { target_id } }]
  }
  const command = fight.foes === 'prey' ? 'hunt' : 'attack'
  const target_id = shipId(world, foe)
  return bout.crew.map((player) => ({ player, command, params: { target_id } }))
}

/** Lets the pirate attack, and the pilot flee at once. */
function ambush(driven: DrivenWorld, bout: Bout): void {
  const { world } = driven
  const [foe] = bout.foes
  const [player] = bout.crew
  const struck = aggress(world, foe, world.read(Player).ship[player])
  assert(struck.ok, 'the ambush has failed')
  driven.now([{ player, command: 'battle', params: { action: 'stance', stance: 'flee' } }])
}

/** Runs ticks until all battles are over. */
function fightOut(driven: DrivenWorld, fight: FightRow, bouts: readonly Bout[]): Ending[] {
  const { world } = driven
  if (fight.isAmbush) for (const bout of bouts) ambush(driven, bout)
  let wishes = bouts.flatMap((bout) => openingWishes(world, fight, bout))
  for (let tick = 0; tick < FIGHT_TICKS_MAX; tick++) {
    const answers = driven.tick(wishes)
    for (const { outcome, command } of answers) {
      assert(outcome.ok, `${fight.id}: ${command} was refused: ${JSON.stringify(outcome)}`)
    }
    wishes = []
    const ended = new Map<string, Record<string, unknown>>()
    for (const emission of driven.emissions) {
      if (emission.type !== 'battle_ended') continue
      const { payload } = wholeEmission(emission)
      ended.set((payload as { battle_id: string }).battle_id, payload as never)
    }
    for (const bout of bouts) recordEnding(world, fight, bout, ended)
    if (bouts.every(({ ending }) => ending !== undefined)) break
  }
  return bouts.map(({ ending }) => {
    assert(ending, `${fight.id}: a fight has no end`)
    return ending
  })
}

interface Entry {
  readonly player_id: string
  readonly side_id: number
  readonly survived: boolean
  readonly kind: string
}

/** Records the ending of a bout once its battle is over. */
function recordEnding(
  world: World,
  fight: FightRow,
  bout: Bout,
  ended: ReadonlyMap<string, Record<string, unknown>>,
): void {
  if (bout.ending) return
  removeNpcs(world, bout.stage.system, bout.foes)
  const rows = bout.crew.map((player) => participantOf(world, world.read(Player).ship[player]))
  const row = rows.find((participant) => participant !== 0)
  if (row !== undefined) bout.battle = battleId(world, world.read(Participant).battle[row])
  const end = ended.get(bout.battle)
  if (!end) return
  const entries = end.participants as Entry[]
  const pilots = entries.filter(({ kind }) => kind === 'player')
  // Without a fleet, each pilot of the crew is a separate side.
  const isVictor = pilots.some(({ side_id }) => side_id === end.winning_side)
  const isWon = fight.isAmbush
    ? pilots.every(({ survived }) => survived)
    : end.reason === 'victory' && isVictor
  bout.ending = {
    reason: String(end.reason),
    isWon,
    lost: pilots.filter(({ survived }) => !survived).length,
    ticks: world.tick - bout.begun,
  }
  // Otherwise the survivors would start another battle.
  cleanUp(world, bout)
}

function cleanUp(world: World, { stage, foes }: Bout): void {
  const { alive, ship } = world.read(Creature)
  for (let creature = 1; creature <= world.highOf(Creature); creature++) {
    const isHere = alive[creature] === 1 && foes.has(ship[creature])
    if (isHere && world.read(ShipCombat).participant[ship[creature]] === 0) {
      removeCreature(world, ship[creature])
    }
  }
  removeNpcs(world, stage.system, new Set())
}

/** Runs `fights` fights of each kind whose id contains `only`. */
export async function runLadder(seed: number, fights: number, only?: string): Promise<Rung[]> {
  const ladder = await openLadder(seed)
  try {
    return FIGHTS.filter(({ id }) => only === undefined || id.includes(only)).map((fight) =>
      ladder.run(fight, fights),
    )
  } finally {
    await ladder.close()
  }
}

/** Describes both sides of a fight as text. */
export const castOf = ({ foes, crew, preyTier }: FightRow): string => {
  const ours = crew.map((tier) => `T${tier}`).join('+')
  if (foes === 'mirror') return `${ours} against the same hull`
  if (foes === 'prey') return `${ours} hunts tier ${preyTier}`
  const theirs = foes.flatMap((count, type) =>
    count > 0 ? [`${count} ${PIRATES[type].role}`] : [],
  )
  return `${ours} against ${theirs.join(', ')}`
}
