/**
 * What pirates do outside of battles: lie in wait at a place, move to another, stalk prey, strike.
 * What they decide in a tick shows in the next (travel.md section 0, phase G): their prey sees them
 * stalk for some ticks before they strike.
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
import { flyTo, removeNpcShip, thinkAt } from './rules.ts'
import { Npc } from './state.ts'

/*
 * What all pirates share in a tick: who may be prey at a place, who is stalked already, who is free
 * to be called, where to go. Each is worked out once a tick, when it is first needed.
 */

/** Standing from which a crew spares a player. ours: that at which they may dock with it. */
const FRIEND_STANDING = 10

interface Lookout {
  /** Ships at a place that a pirate may attack, in the order of their numbers. */
  preyAt(poi: Eid): readonly Eid[]
  /** Durable numbers of the ships that pirates of a system stalk. */
  stalkedIn(system: Eid): Set<number>
  /** Idle pirates of a system above the first tier; one who is called is removed from the set. */
  raidersIn(system: Eid): Set<Row>
  lurkPlacesIn(system: Eid): readonly Eid[]
}

/** Returns a function that computes the value of each key once. */
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
 * Returns true for a ship at a place that a pirate may attack: flown by a player who is online and
 * visible, no friend of the crew, in no battle, and not just out of one.
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

/** Returns the prey at a place. Ships without an owner are skipped first: they are nearly all. */
function findPrey(view: WorldView, poi: Eid): readonly Eid[] {
  const { nextHere } = view.read(Location)
  const { owner, seq } = view.read(Ship)
  const found: Eid[] = []
  for (let ship = view.read(Poi).firstShip[poi]; ship !== 0; ship = nextHere[ship]) {
    if (owner[ship] !== 0 && isPrey(view, ship, poi)) found.push(ship)
  }
  return found.length < 2 ? found : found.sort((a, b) => seq[a] - seq[b])
}

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

/** Makes the lookout of one phase of one tick. */
function createLookout(view: WorldView): Lookout {
  return {
    preyAt: memoize((poi) => findPrey(view, poi)),
    stalkedIn: memoize((system) => {
      const { prey } = view.read(Npc)
      const numbers = npcsOf(view, system).map((npc) => prey[npc])
      return new Set(numbers.filter((number) => number !== 0))
    }),
    raidersIn: memoize((system) => findRaiders(view, system)),
    lurkPlacesIn: memoize((system) => lurkPlacesOf(view, system)),
  }
}

/* ours: the sheet says what pirates do, not how fast */
/** A pirate without prey moves on at one look in this many. */
const LOOKS_PER_HOP = 8
/** Ticks for which prey is stalked before the strike. */
const STALK_TICKS = 3
const PREY_SEED = hashText('npc.prey')
const PLACE_SEED = hashText('npc.hop')

const tierOf = (view: WorldView, ship: Eid): number =>
  SHIP_CLASSES[view.read(Ship).class[ship]].tier

/** Lets the pirates who are due look around: repair, sell loot, hunt, or move on. */
export function lookAround(world: World, npcs: readonly Row[]): void {
  const { ship, thinkTick, type, guestUntil } = world.read(Npc)
  const { state } = world.read(Location)
  const { seq, hull, hullMax, cargoUsed } = world.read(Ship)
  const { participant, aggressiveUntil } = world.read(ShipCombat)
  const lookout = createLookout(world)
  for (const npc of npcs) {
    if (thinkTick[npc] !== world.tick) continue
    const own = ship[npc]
    thinkAt(world, npc, world.tick + LOOK_TICKS)
    if (state[own] !== AT_POI || participant[own] !== 0) continue
    if (hull[own] < hullMax[own]) mend(world, own)
    if (cargoUsed[own] > 0 && aggressiveUntil[own] < world.tick) sellLoot(world, own)
    if (guestUntil[npc] !== 0) {
      prowl(world, npc, lookout)
      continue
    }
    if (hunt(world, npc, lookout) || PIRATES[type[npc]].isBoss) continue
    const lot = hash32(world.seed, world.tick, PLACE_SEED, seq[own])
    if (drawBelow(LOOKS_PER_HOP, lot) === 0) changePlace(world, npc, lookout.lurkPlacesIn, lot)
  }
}

/** Lets a prowler wait for prey where it is; one whose stay is over leaves as it came, unseen. */
function prowl(world: World, npc: Row, lookout: Lookout): void {
  const { ship, guestUntil } = world.read(Npc)
  if (guestUntil[npc] <= world.tick) {
    sellLoot(world, ship[npc])
    removeNpcShip(world, ship[npc])
    return
  }
  thinkAt(world, npc, Math.min(world.tick + LOOK_TICKS, guestUntil[npc]))
  hunt(world, npc, lookout)
}

/** Looks for prey at the pirate's place; false when there is none, or it spares what it finds. */
function hunt(world: World, npc: Row, lookout: Lookout): boolean {
  const { ship, system } = world.read(Npc)
  const own = ship[npc]
  const { seq } = world.read(Ship)
  const found = lookout.preyAt(world.read(Location).poi[own])
  if (found.length === 0) return false
  const prey = found[drawBelow(found.length, hash32(world.seed, world.tick, PREY_SEED, seq[own]))]
  return lookout.stalkedIn(system[npc]).has(seq[prey]) || considerPrey(world, npc, prey, lookout)
}

/** Sells what was plundered, out of sight, once the pirate is not wanted for an attack any more. */
function sellLoot(world: World, ship: Eid): void {
  const sink = namedContainer('consumption')
  for (const { item, units } of contentsOf(world, world.read(Ship).hold[ship])) {
    unloadCargo(world, ship, sink, item, units)
  }
}

/**
 * Decides what to do about prey: scouts take on small hulls alone and call raiders for larger ones;
 * higher ranks ignore small hulls. False when the prey is spared. Source: combat.md section 13; the
 * tiers are ours.
 */
function considerPrey(world: World, npc: Row, prey: Eid, lookout: Lookout): boolean {
  const { rank } = PIRATES[world.read(Npc).type[npc]]
  const tier = tierOf(world, prey)
  if (rank === 1 && tier > DUEL_TIER_MAX) return callRaiders(world, npc, prey, lookout)
  if (tier < rank - 1) return false
  stalk(world, npc, prey, world.tick + STALK_TICKS)
  lookout.stalkedIn(world.read(Npc).system[npc]).add(world.read(Ship).seq[prey])
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
  thinkAt(world, npc, strikeTick)
}

/** Sends the free raiders of the system that match the hull; false if there is none. */
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
  announceHunt(world, scout, prey, 'raid')
  return true
}

/** Flies to the prey, to strike a tick after arriving. */
export function follow(world: World, npc: Row, prey: Eid): void {
  const location = world.read(Location)
  const hull = world.read(Npc).ship[npc]
  const to = location.poi[prey]
  const ticks = location.poi[hull] === to ? STALK_TICKS : flyTo(world, hull, to) + 1
  stalk(world, npc, prey, world.tick + ticks)
}

function changePlace(world: World, npc: Row, hauntsIn: Lookout['lurkPlacesIn'], lot: number): void {
  const { ship, system } = world.read(Npc)
  const here = world.read(Location).poi[ship[npc]]
  const others = hauntsIn(system[npc]).filter((poi) => poi !== here)
  const ticks = others.length === 0 ? 0 : flyTo(world, ship[npc], others[lot % others.length])
  thinkAt(world, npc, world.tick + ticks + LOOK_TICKS)
}

/** Returns true when a system's battle has its most pirates. Source: combat.md section 1. */
function isCrowded(view: WorldView, system: Eid): boolean {
  const battle = battleIn(view, system)
  if (battle === 0) return false
  const rows = participantsOf(view, battle)
  const pirates = rows.filter((row) => kindOf(view, row) === 'pirate').length
  return pirates >= PIRATES_PER_BATTLE_MAX
}

/** Makes a called pirate join its crew's battle, if it still goes on. For phase engage. */
export function answerCall(world: World, npc: Row): void {
  const { ship, call, system } = world.read(Npc)
  const hull = ship[npc]
  const battle = world.rowOf(Battle, call[npc])
  world.write(Npc).call[npc] = 0
  thinkAt(world, npc, world.tick + LOOK_TICKS)
  if (battle === 0 || world.read(ShipCombat).participant[hull] !== 0) return
  const ally = participantsOf(world, battle).find((row) => kindOf(world, row) === 'pirate')
  if (ally === undefined || isCrowded(world, system[npc]) || isNearlyFull(world, Participant))
    return
  joinBattle(world, battle, hull, world.read(Participant).side[ally])
}

/** Ends stalking with an attack, unless the prey has got away. For phase engage. */
export function strike(world: World, npc: Row): void {
  const { ship, prey: quarry } = world.read(Npc)
  const hull = ship[npc]
  const prey = world.rowOf(Ship, quarry[npc])
  world.write(Npc).prey[npc] = 0
  thinkAt(world, npc, world.tick + LOOK_TICKS)
  if (prey === 0 || world.read(ShipCombat).participant[hull] !== 0) return
  const { state, poi } = world.read(Location)
  if (state[hull] !== AT_POI || state[prey] !== AT_POI || poi[prey] !== poi[hull]) return
  const player = world.read(Ship).owner[prey]
  const isFlown = player !== 0 && world.read(Player).bound[player] !== 0
  if (!isFlown && convoyOf(world, prey) === 0) return
  if (isCrowded(world, world.read(Npc).system[npc])) return
  aggress(world, hull, prey)
}

/* How NPCs of all kinds repair. */

/** Ticks between two looks around. ours: the sheet says what NPCs do, not how fast. */
export const LOOK_TICKS = 10
/** Hull mended a tick outside of battles, as creatures do. Source: combat.md section 13. */
const MEND_PCT = 1

/** Repairs what a hull regains between two looks. */
export function mend(world: World, ship: Eid): void {
  const { hull, hullMax } = world.write(Ship)
  const points = divCeil(hullMax[ship] * MEND_PCT * LOOK_TICKS, 100)
  hull[ship] = Math.min(hullMax[ship], hull[ship] + points)
}
