/**
 * What a pirate does outside of battles: lies in wait at a place, moves to another, follows a prey
 * and strikes. What it decides in a tick shows in the next (travel.md section 0, phase G): a prey
 * sees it stalk for some ticks before it strikes.
 */
import { PIRATES, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import { PIRATES_PER_BATTLE_MAX, RAIDERS_CALLED_MAX } from '../../core/limits.ts'
import { divCeil } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { aggress } from '../combat/engage-rules.ts'
import { battleIn, kindOf, participantsOf } from '../combat/model.ts'
import { ShipCombat } from '../combat/state.ts'
import { seePlayer } from '../sensing/model.ts'
import { unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { distanceMilliAu, flightOf, travelTicks } from '../travel/flight-model.ts'
import { depart } from '../travel/rules.ts'
import { AT_POI, Location, Poi } from '../travel/state.ts'
import { crewIn, npcName, npcsOf, PIRATE, standingWith } from './model.ts'
import { broadcast } from './rules.ts'
import { hauntsOf, thinkAt } from './spawn-systems.ts'
import { Npc } from './state.ts'

/*
 * What all pirates of a tick know together: who may be prey at a place, whom somebody is after, who
 * is free to be called, where to go. Found once a tick, however many of them ask; memory of the
 * tick, never kept.
 */

/** Standing from which a crew lets a player be. ours: who may dock with them is one of theirs. */
const FRIEND_STANDING = 10

interface Lookout {
  /** Ships at a place that a pirate may turn on, in the order of their numbers. */
  preyAt(poi: Eid): readonly Eid[]
  /** Durable numbers of the ships that pirates of a system are after. */
  stalkedIn(system: Eid): Set<number>
  /** Pirates of a system above the first tier with nothing to do; whoever calls one takes it. */
  raidersIn(system: Eid): Set<Row>
  hauntsIn(system: Eid): readonly Eid[]
}

/** The value of a key, made once. */
function once<V>(make: (key: number) => V): (key: number) => V {
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
 * True for a ship in the open at a place that a pirate may turn on: flown by a player who is online
 * and seen, no friend of the crew, in no battle, and not just out of one.
 */
function isPrey(view: WorldView, ship: Eid, poi: Eid): boolean {
  const player = view.read(Ship).owner[ship]
  const { ship: flown, bound } = view.read(Player)
  if (player === 0 || flown[player] !== ship || bound[player] === 0) return false
  const at = view.read(Location)
  const { participant, graceUntil } = view.read(ShipCombat)
  return (
    seePlayer(view, 0, player) !== 'nothing' &&
    at.state[ship] === AT_POI &&
    participant[ship] === 0 &&
    graceUntil[ship] < view.tick &&
    standingWith(view, player, crewIn(view, view.read(Poi).system[poi])) < FRIEND_STANDING
  )
}

/** Nearly always there is nobody but pirates at a place: columns are read once for all of them. */
function findPrey(view: WorldView, poi: Eid): readonly Eid[] {
  const { nextHere } = view.read(Location)
  const { owner, seq } = view.read(Ship)
  const found: Eid[] = []
  for (let ship = view.read(Poi).firstShip[poi]; ship !== 0; ship = nextHere[ship]) {
    if (owner[ship] !== 0 && isPrey(view, ship, poi)) found.push(ship)
  }
  return found.sort((a, b) => seq[a] - seq[b])
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

/** For one phase of one tick. */
function keepLookout(view: WorldView): Lookout {
  return {
    preyAt: once((poi) => findPrey(view, poi)),
    stalkedIn: once((system) => {
      const { prey } = view.read(Npc)
      const numbers = npcsOf(view, system).map((npc) => prey[npc])
      return new Set(numbers.filter((number) => number !== 0))
    }),
    raidersIn: once((system) => findRaiders(view, system)),
    hauntsIn: once((system) => hauntsOf(view, system)),
  }
}

/* ours: the sheet says what pirates do, not how fast */
/** Looks without a prey after which it moves on, in one of so many cases. */
const LOOKS_PER_HOP = 8
/** Ticks for which a prey is stalked before the strike. */
const STALK_TICKS = 3
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
  const { participant, aggressiveUntil } = world.read(ShipCombat)
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
  if (prey === 0 || world.read(ShipCombat).participant[hull] !== 0) return
  const { state, poi } = world.read(Location)
  if (state[hull] !== AT_POI || state[prey] !== AT_POI || poi[prey] !== poi[hull]) return
  const player = world.read(Ship).owner[prey]
  if (player === 0 || world.read(Player).bound[player] === 0) return
  if (isCrowded(world, world.read(Npc).system[npc])) return
  aggress(world, hull, prey)
}

/* How NPCs get about and mend, whatever they are. */

/** Ticks between two looks around. ours: the sheet says what NPCs do, not how fast. */
export const LOOK_TICKS = 10
/** Hull mended a tick outside of battles, as creatures do. Source: combat.md section 13. */
const MEND_PCT = 1

/** What a hull mends by itself between two looks. */
export function mend(world: World, ship: Eid): void {
  const { hull, hullMax } = world.write(Ship)
  const points = divCeil(hullMax[ship] * MEND_PCT * LOOK_TICKS, 100)
  hull[ship] = Math.min(hullMax[ship], hull[ship] + points)
}

/** Sets out for another place of the system; returns the ticks it takes. NPCs burn no fuel. */
export function flyTo(world: World, ship: Eid, to: Eid): number {
  const from = world.read(Location).poi[ship]
  const { x, y } = world.read(Poi)
  const distance = distanceMilliAu(x[from], y[from], x[to], y[to])
  const ticks = travelTicks(flightOf(world, ship), distance)
  depart(world, ship, to, ticks)
  return ticks
}
