/**
 * What pirates do outside of battles: lie in wait at a place, move to another, stalk prey, attack.
 * Their decisions become visible in the next tick (travel.md section 0, phase G), so their prey
 * sees them stalk for some ticks before they attack.
 */
import { PIRATES, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import { PIRATES_PER_BATTLE_MAX, RAIDERS_CALLED_MAX } from '../../core/limits.ts'
import { divCeil } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { joinBattle } from '../combat/battles-rules.ts'
import { aggress } from '../combat/engage-rules.ts'
import { battleIn, kindOf, participantsOf } from '../combat/model.ts'
import { Battle, Participant, ShipCombat } from '../combat/state.ts'
import { seePlayer } from '../sensing/model.ts'
import { unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { AT_POI, Location, Poi } from '../travel/state.ts'
import {
  convoyOf,
  crewIn,
  DUEL_TIER_MAX,
  lurkPlacesOf,
  npcName,
  npcsOf,
  PIRATE,
  standingWith,
} from './model.ts'
import { broadcast } from './radio-rules.ts'
import { flyTo, removeNpcShip, scheduleDecision } from './rules.ts'
import { Npc } from './state.ts'

/*
 * What all pirates of a tick share: which ships are prey at a place, which are stalked already,
 * which raiders are free to be called, where pirates lurk. Each is computed once, when first
 * needed.
 */

/** Minimum standing at which a crew spares a player. ours: the one that lets them dock with it. */
const FRIEND_STANDING = 10

interface HuntCache {
  /** Lists the ships at a place that a pirate may attack, in the order of their numbers. */
  preyAt(poi: Eid): readonly Eid[]
  /** Returns the durable numbers of the ships that pirates of a system stalk. */
  stalkedIn(system: Eid): Set<number>
  /** Returns the idle raiders of a system; callers remove those that they call. */
  raidersIn(system: Eid): Set<Row>
  lurkPlacesIn(system: Eid): readonly Eid[]
}

/** Returns a function that computes the value of each key only once. */
function memoize<V>(make: (key: number) => V): (key: number) => V {
  const made = new Map<number, V>()
  return (key) => {
    let value = made.get(key)
    if (value === undefined) {
      value = make(key)
      made.set(key, value)
    }
    return value
  }
}

/**
 * Returns whether a pirate may attack a ship at a place: one that is flown by a player who is
 * online, visible and no friend of the crew, and that is not in a battle and was not in one just
 * before.
 */
function isPrey(view: WorldView, ship: Eid, poi: Eid): boolean {
  const player = view.read(Ship).owner[ship]
  const { ship: flown, bound } = view.read(Player)
  if (player === 0 || flown[player] !== ship || bound[player] === 0) return false
  const location = view.read(Location)
  const { participant, graceUntil } = view.read(ShipCombat)
  return (
    seePlayer(view, 0, player) !== 'nothing' &&
    location.state[ship] === AT_POI &&
    participant[ship] === 0 &&
    graceUntil[ship] < view.tick &&
    standingWith(view, player, crewIn(view, view.read(Poi).system[poi])) < FRIEND_STANDING
  )
}

/** Lists the prey at a place. Nearly all ships have no owner, so these are skipped first. */
function findPrey(view: WorldView, poi: Eid): readonly Eid[] {
  const { nextHere } = view.read(Location)
  const { owner, seq } = view.read(Ship)
  const found: Eid[] = []
  for (let ship = view.read(Poi).firstShip[poi]; ship !== 0; ship = nextHere[ship]) {
    if (owner[ship] !== 0 && isPrey(view, ship, poi)) found.push(ship)
  }
  return found.length < 2 ? found : found.sort((a, b) => seq[a] - seq[b])
}

/** Finds the raiders of a system that are free: pirates above the first rank, without bosses. */
function findRaiders(view: WorldView, system: Eid): Set<Row> {
  const { kind, type, prey, ship } = view.read(Npc)
  const { state } = view.read(Location)
  const { participant } = view.read(ShipCombat)
  return new Set(
    npcsOf(view, system).filter(
      (npc) =>
        kind[npc] === PIRATE &&
        PIRATES[type[npc]].rank > 1 &&
        !PIRATES[type[npc]].isBoss &&
        prey[npc] === 0 &&
        participant[ship[npc]] === 0 &&
        state[ship[npc]] === AT_POI,
    ),
  )
}

/** Creates the cache for one phase of one tick. */
function createHuntCache(view: WorldView): HuntCache {
  return {
    preyAt: memoize((poi) => findPrey(view, poi)),
    stalkedIn: memoize((system) => {
      const { prey } = view.read(Npc)
      const stalked = npcsOf(view, system).map((npc) => prey[npc])
      return new Set(stalked.filter((number) => number !== 0))
    }),
    raidersIn: memoize((system) => findRaiders(view, system)),
    lurkPlacesIn: memoize((system) => lurkPlacesOf(view, system)),
  }
}

/* ours: the sheet says what pirates do, but not how fast. */
/** A pirate without prey moves on average once in this many decisions. */
const DECISIONS_PER_HOP = 8
/** Ticks for which prey is stalked before the attack. */
const STALK_TICKS = 3
const PREY_SEED = hashText('npc.prey')
const PLACE_SEED = hashText('npc.hop')

const tierOf = (view: WorldView, ship: Eid): number =>
  SHIP_CLASSES[view.read(Ship).class[ship]].tier

/** Lets the pirates that are due decide: repair, sell loot, hunt, or move on. */
export function decidePirates(world: World, npcs: readonly Row[]): void {
  const { ship, thinkTick, type, guestUntil } = world.read(Npc)
  const { state } = world.read(Location)
  const { seq, hull, hullMax, cargoUsed } = world.read(Ship)
  const { participant, aggressiveUntil } = world.read(ShipCombat)
  const cache = createHuntCache(world)
  for (const npc of npcs) {
    if (thinkTick[npc] !== world.tick) continue
    const own = ship[npc]
    scheduleDecision(world, npc, world.tick + DECISION_TICKS)
    if (state[own] !== AT_POI || participant[own] !== 0) continue
    if (hull[own] < hullMax[own]) mend(world, own)
    if (cargoUsed[own] > 0 && aggressiveUntil[own] < world.tick) sellLoot(world, own)
    if (guestUntil[npc] !== 0) {
      prowl(world, npc, cache)
      continue
    }
    if (hunt(world, npc, cache) || PIRATES[type[npc]].isBoss) continue
    const random = hash32(world.seed, world.tick, PLACE_SEED, seq[own])
    if (drawBelow(DECISIONS_PER_HOP, random) === 0) changePlace(world, npc, cache, random)
  }
}

/** Lets a prowler hunt at its place; removes it once its stay is over. */
function prowl(world: World, npc: Row, cache: HuntCache): void {
  const { ship, guestUntil } = world.read(Npc)
  if (guestUntil[npc] <= world.tick) {
    sellLoot(world, ship[npc])
    removeNpcShip(world, ship[npc])
    return
  }
  scheduleDecision(world, npc, Math.min(world.tick + DECISION_TICKS, guestUntil[npc]))
  hunt(world, npc, cache)
}

/**
 * Looks for prey at a pirate's place. Returns false if there is none or the pirate spares it; true
 * also if another pirate stalks it already.
 */
function hunt(world: World, npc: Row, cache: HuntCache): boolean {
  const { ship, system } = world.read(Npc)
  const own = ship[npc]
  const { seq } = world.read(Ship)
  const found = cache.preyAt(world.read(Location).poi[own])
  if (found.length === 0) return false
  const prey = found[drawBelow(found.length, hash32(world.seed, world.tick, PREY_SEED, seq[own]))]
  return cache.stalkedIn(system[npc]).has(seq[prey]) || considerPrey(world, npc, prey, cache)
}

/** Removes all loot from a pirate's hold, as if it were sold. */
function sellLoot(world: World, ship: Eid): void {
  const sink = namedContainer('consumption')
  for (const { item, units } of contentsOf(world, world.read(Ship).hold[ship])) {
    unloadCargo(world, ship, sink, item, units)
  }
}

/**
 * Decides what to do about prey: scouts attack small hulls alone and call raiders for larger ones;
 * higher ranks ignore small hulls. Returns false if the prey is spared. Source: combat.md section
 * 13; the tiers are ours.
 */
function considerPrey(world: World, npc: Row, prey: Eid, cache: HuntCache): boolean {
  const { rank } = PIRATES[world.read(Npc).type[npc]]
  const tier = tierOf(world, prey)
  if (rank === 1 && tier > DUEL_TIER_MAX) return callRaiders(world, npc, prey, cache)
  if (tier < rank - 1) return false
  stalk(world, npc, prey, world.tick + STALK_TICKS)
  cache.stalkedIn(world.read(Npc).system[npc]).add(world.read(Ship).seq[prey])
  if (rank === 1) announceHunt(world, npc, prey, 'duel')
  return true
}

function announceHunt(world: World, npc: Row, prey: Eid, event: 'duel' | 'raid'): void {
  const { ship, system } = world.read(Npc)
  const { owner, seq } = world.read(Ship)
  broadcast(world, {
    event,
    operation: event,
    speaker: npcName(world, ship[npc]),
    system: system[npc],
    poi: world.read(Location).poi[prey],
    actor: owner[prey],
    number: seq[ship[npc]],
    reason: event === 'raid' ? 'larger_than_a_scout' : 'small_and_alone',
  })
}

function stalk(world: World, npc: Row, prey: Eid, strikeTick: number): void {
  world.write(Npc).prey[npc] = world.read(Ship).seq[prey]
  scheduleDecision(world, npc, strikeTick)
}

/** Sends free raiders of the system that match the prey's tier; returns false if there are none. */
function callRaiders(world: World, scout: Row, prey: Eid, cache: HuntCache): boolean {
  const { type, system, ship } = world.read(Npc)
  const { state } = world.read(Location)
  const free = cache.raidersIn(system[scout])
  const rankMax = Math.max(2, tierOf(world, prey))
  let called = 0
  for (const npc of free) {
    if (called >= RAIDERS_CALLED_MAX) break
    // One of them may have left since the list was made.
    if (PIRATES[type[npc]].rank > rankMax || state[ship[npc]] !== AT_POI) continue
    free.delete(npc)
    pursue(world, npc, prey)
    called++
  }
  if (called === 0) return false
  cache.stalkedIn(system[scout]).add(world.read(Ship).seq[prey])
  announceHunt(world, scout, prey, 'raid')
  return true
}

/**
 * Makes a pirate stalk a ship. If that is elsewhere, the pirate flies there and attacks one tick
 * after arrival; if it is at the same place, the attack comes after STALK_TICKS.
 */
export function pursue(world: World, npc: Row, prey: Eid): void {
  const location = world.read(Location)
  const hull = world.read(Npc).ship[npc]
  const to = location.poi[prey]
  const ticks = location.poi[hull] === to ? STALK_TICKS : flyTo(world, hull, to) + 1
  stalk(world, npc, prey, world.tick + ticks)
}

function changePlace(world: World, npc: Row, cache: HuntCache, random: number): void {
  const { ship, system } = world.read(Npc)
  const here = world.read(Location).poi[ship[npc]]
  const others = cache.lurkPlacesIn(system[npc]).filter((poi) => poi !== here)
  const ticks = others.length === 0 ? 0 : flyTo(world, ship[npc], others[random % others.length])
  scheduleDecision(world, npc, world.tick + ticks + DECISION_TICKS)
}

/** Returns whether the battle of a system has no room for more pirates. Source: combat.md 1. */
function isCrowded(view: WorldView, system: Eid): boolean {
  const battle = battleIn(view, system)
  if (battle === 0) return false
  const rows = participantsOf(view, battle)
  const pirates = rows.filter((row) => kindOf(view, row) === 'pirate').length
  return pirates >= PIRATES_PER_BATTLE_MAX
}

/** Makes a called pirate join its crew's battle, if that is not over. For phase engage. */
export function answerCall(world: World, npc: Row): void {
  const { ship, call, system } = world.read(Npc)
  const hull = ship[npc]
  const battle = world.rowOf(Battle, call[npc])
  world.write(Npc).call[npc] = 0
  scheduleDecision(world, npc, world.tick + DECISION_TICKS)
  if (battle === 0 || world.read(ShipCombat).participant[hull] !== 0) return
  const ally = participantsOf(world, battle).find((row) => kindOf(world, row) === 'pirate')
  if (ally === undefined || isCrowded(world, system[npc]) || isNearlyFull(world, Participant))
    return
  joinBattle(world, battle, hull, world.read(Participant).side[ally])
}

/** Ends stalking with an attack, unless the prey has escaped. For phase engage. */
export function strike(world: World, npc: Row): void {
  const { ship, prey: preyNumber } = world.read(Npc)
  const hull = ship[npc]
  const prey = world.rowOf(Ship, preyNumber[npc])
  world.write(Npc).prey[npc] = 0
  scheduleDecision(world, npc, world.tick + DECISION_TICKS)
  if (prey === 0 || world.read(ShipCombat).participant[hull] !== 0) return
  const { state, poi } = world.read(Location)
  if (state[hull] !== AT_POI || state[prey] !== AT_POI || poi[prey] !== poi[hull]) return
  const player = world.read(Ship).owner[prey]
  const isFlown = player !== 0 && world.read(Player).bound[player] !== 0
  if (!isFlown && convoyOf(world, prey) === 0) return
  if (isCrowded(world, world.read(Npc).system[npc])) return
  aggress(world, hull, prey)
}

/* Repairs of NPCs of all kinds. */

/** Ticks between two decisions. ours: the sheet says what NPCs do, but not how fast. */
export const DECISION_TICKS = 10
/**
 * Hull repaired each tick outside of battles, %, as for creatures. Source: combat.md section 13.
 */
const MEND_PCT = 1

/** Repairs what a hull regains between two decisions. */
export function mend(world: World, ship: Eid): void {
  const { hull, hullMax } = world.write(Ship)
  const points = divCeil(hullMax[ship] * MEND_PCT * DECISION_TICKS, 100)
  hull[ship] = Math.min(hullMax[ship], hull[ship] + points)
}
