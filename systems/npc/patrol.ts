/**
 * What a pirate does outside of battles: lies in wait at a place, moves to another, follows a prey
 * and strikes. What it decides in a tick shows in the next (travel.md section 0, phase G): a prey
 * sees it stalk for some ticks before it strikes.
 */
import { PIRATES, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import { PIRATES_PER_BATTLE_MAX, RAIDERS_CALLED_MAX } from '../../core/limits.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { unloadCargo } from '../cargo/rules.ts'
import { Fighting } from '../combat/columns.ts'
import { aggress, battleIn, kindOf } from '../combat/rules.ts'
import { participantsOf } from '../combat/views.ts'
import { Ship } from '../ship/columns.ts'
import { AT_POI, Location } from '../travel/columns.ts'
import { Npc } from './columns.ts'
import { keepLookout, type Lookout } from './lookout.ts'
import { broadcast } from './radio-rules.ts'
import { npcName } from './rules.ts'
import { thinkAt } from './think.ts'
import { flyTo, LOOK_TICKS, mend } from './ways.ts'

/* ours: the sheet says what pirates do, not how fast */
/** Looks without a prey after which it moves on, in one of so many cases. */
const LOOKS_PER_HOP = 8
/** Ticks for which a prey is stalked before the strike. */
export const STALK_TICKS = 3
/** Hulls of this tier and less are what scouts take on alone. Source: combat.md section 13. */
const DUEL_TIER_MAX = 1

const PREY = hashText('npc.prey')
const HOP = hashText('npc.hop')

const tierOf = (view: WorldView, ship: Eid): number =>
  SHIP_CLASSES[view.read(Ship).class[ship]].tier

/** Pirates whose turn it is look around. */
export function lookAround(world: World, npcs: readonly Row[]): void {
  const { ship, thinkTick, type } = world.read(Npc)
  const { state } = world.read(Location)
  const { seq, hull, hullMax, cargoUsed } = world.read(Ship)
  const { participant, aggressiveUntil } = world.read(Fighting)
  const lookout = keepLookout(world)
  for (const npc of npcs) {
    if (thinkTick[npc] !== world.tick) continue
    const own = ship[npc]
    thinkAt(world, npc, world.tick + LOOK_TICKS)
    if (state[own] !== AT_POI || participant[own] !== 0) continue
    if (hull[own] < hullMax[own]) mend(world, own)
    if (cargoUsed[own] > 0 && aggressiveUntil[own] < world.tick) fence(world, own)
    if (hunt(world, npc, lookout) || PIRATES[type[npc]].isBoss) continue
    const lot = hash32(world.seed, world.tick, HOP, seq[own])
    if (drawBelow(LOOKS_PER_HOP, lot) === 0) hop(world, npc, lookout.hauntsIn, lot)
  }
}

/** Looks for prey at its place; false when there is none, or none it turns on. */
function hunt(world: World, npc: Row, lookout: Lookout): boolean {
  const { ship, system } = world.read(Npc)
  const own = ship[npc]
  const { seq } = world.read(Ship)
  const found = lookout.preyAt(world.read(Location).poi[own])
  if (found.length === 0) return false
  const prey = found[drawBelow(found.length, hash32(world.seed, world.tick, PREY, seq[own]))]
  return lookout.stalkedIn(system[npc]).has(seq[prey]) || turnOn(world, npc, prey, lookout)
}

/** What was plundered is sold out of sight once nobody is after it any more. */
function fence(world: World, ship: Eid): void {
  const sink = namedContainer('consumption')
  for (const { item, units } of contentsOf(world, world.read(Ship).hold[ship])) {
    unloadCargo(world, ship, sink, item, units)
  }
}

/**
 * What a pirate makes of a prey: scouts take on small hulls alone and call the others for larger
 * ones; those pass by what is beneath them. False when it lets it go. Source: combat.md section 13;
 * the tiers are ours.
 */
function turnOn(world: World, npc: Row, prey: Eid, lookout: Lookout): boolean {
  const { rank } = PIRATES[world.read(Npc).type[npc]]
  const tier = tierOf(world, prey)
  if (rank === 1 && tier > DUEL_TIER_MAX) return callRaiders(world, npc, prey, lookout)
  if (tier < rank - 1) return false
  stalk(world, npc, prey, world.tick + STALK_TICKS)
  lookout.stalkedIn(world.read(Npc).system[npc]).add(world.read(Ship).seq[prey])
  if (rank === 1) say(world, npc, prey, 'duel')
  return true
}

function say(world: World, npc: Row, prey: Eid, event: 'duel' | 'raid'): void {
  const { ship, system } = world.read(Npc)
  const { owner, seq } = world.read(Ship)
  broadcast(world, {
    ...{ event, operation: event, speaker: npcName(world, ship[npc]), system: system[npc] },
    ...{ poi: world.read(Location).poi[prey], actor: owner[prey], number: seq[ship[npc]] },
    reason: event === 'raid' ? 'larger_than_a_scout' : 'small_and_alone',
  })
}

function stalk(world: World, npc: Row, prey: Eid, strikeTick: number): void {
  world.write(Npc).prey[npc] = world.read(Ship).seq[prey]
  thinkAt(world, npc, strikeTick)
}

/** Sends those of the system who are free and a match for the hull; false if there is none. */
function callRaiders(world: World, scout: Row, prey: Eid, lookout: Lookout): boolean {
  const { type, system } = world.read(Npc)
  const free = lookout.raidersIn(system[scout])
  const rankMax = Math.max(2, tierOf(world, prey))
  let called = 0
  for (const npc of free) {
    if (called >= RAIDERS_CALLED_MAX) break
    if (PIRATES[type[npc]].rank > rankMax) continue
    free.delete(npc)
    follow(world, npc, prey)
    called++
  }
  if (called === 0) return false
  lookout.stalkedIn(system[scout]).add(world.read(Ship).seq[prey])
  say(world, scout, prey, 'raid')
  return true
}

/** Goes where the prey is, and strikes a tick after arriving. */
function follow(world: World, npc: Row, prey: Eid): void {
  const at = world.read(Location)
  const hull = world.read(Npc).ship[npc]
  const to = at.poi[prey]
  const ticks = at.poi[hull] === to ? STALK_TICKS : flyTo(world, hull, to) + 1
  stalk(world, npc, prey, world.tick + ticks)
}

function hop(world: World, npc: Row, hauntsIn: Lookout['hauntsIn'], lot: number): void {
  const { ship, system } = world.read(Npc)
  const here = world.read(Location).poi[ship[npc]]
  const others = hauntsIn(system[npc]).filter((poi) => poi !== here)
  const ticks = others.length === 0 ? 0 : flyTo(world, ship[npc], others[lot % others.length])
  thinkAt(world, npc, world.tick + ticks + LOOK_TICKS)
}

/** True when as many pirates fight in a system's battle as may. Source: combat.md section 1. */
function isCrowded(view: WorldView, system: Eid): boolean {
  const battle = battleIn(view, system)
  if (battle === 0) return false
  const rows = participantsOf(view, battle)
  const pirates = rows.filter((row) => kindOf(view, row) === 'pirate').length
  return pirates >= PIRATES_PER_BATTLE_MAX
}

/** The end of stalking: an attack, unless the prey has got away. For phase engage. */
export function strike(world: World, npc: Row): void {
  const { ship, prey: quarry } = world.read(Npc)
  const hull = ship[npc]
  const prey = world.rowOf(Ship, quarry[npc])
  world.write(Npc).prey[npc] = 0
  thinkAt(world, npc, world.tick + LOOK_TICKS)
  if (prey === 0 || world.read(Fighting).participant[hull] !== 0) return
  const { state, poi } = world.read(Location)
  if (state[hull] !== AT_POI || state[prey] !== AT_POI || poi[prey] !== poi[hull]) return
  const player = world.read(Ship).owner[prey]
  if (player === 0 || world.read(Player).bound[player] === 0) return
  if (isCrowded(world, world.read(Npc).system[npc])) return
  aggress(world, hull, prey)
}
