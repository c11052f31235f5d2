/**
 * What a pirate does outside of battles: lies in wait at a place, moves to another, follows a prey
 * and strikes. What it decides in a tick shows in the next (travel.md section 0, phase G): a prey
 * sees it stalk for some ticks before it strikes.
 */
import { PIRATES, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import { divCeil } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { unloadCargo } from '../cargo/rules.ts'
import { Fighting } from '../combat/columns.ts'
import { aggress } from '../combat/rules.ts'
import { seePlayer } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { AT_POI, Location, Poi } from '../travel/columns.ts'
import { depart, distanceMilliAu, flightOf, travelTicks } from '../travel/rules.ts'
import { Npc } from './columns.ts'
import { npcsOf } from './rules.ts'
import { hauntsOf } from './spawn.ts'
import { thinkAt } from './think.ts'

/* ours: the sheet says what pirates do, not how fast */
/** Ticks between two looks around. */
const LOOK_TICKS = 10
/** Looks without a prey after which it moves on, in one of so many cases. */
const LOOKS_PER_HOP = 8
/** Ticks for which a prey is stalked before the strike. */
export const STALK_TICKS = 3
/** Hull mended a tick outside of battles, as creatures do. Source: combat.md section 13. */
const MEND_PCT = 1
/** Hulls of this tier and less are what scouts take on alone. Source: combat.md section 13. */
const DUEL_TIER_MAX = 1

const PREY = hashText('npc.prey')
const HOP = hashText('npc.hop')

const rankOf = (view: WorldView, npc: Row): number => PIRATES[view.read(Npc).type[npc]].rank

const tierOf = (view: WorldView, ship: Eid): number =>
  SHIP_CLASSES[view.read(Ship).class[ship]].tier

/**
 * True for a ship in the open at a place that a pirate may turn on: flown by a player who is online
 * and seen, in no battle, and not just out of one.
 */
function isPrey(view: WorldView, ship: Eid, poi: Eid): boolean {
  const player = view.read(Ship).owner[ship]
  const { ship: flown, bound } = view.read(Player)
  if (player === 0 || flown[player] !== ship || bound[player] === 0) return false
  const at = view.read(Location)
  const { participant, graceUntil } = view.read(Fighting)
  return (
    seePlayer(view, 0, player) !== 'nothing' &&
    at.state[ship] === AT_POI &&
    at.poi[ship] === poi &&
    participant[ship] === 0 &&
    graceUntil[ship] < view.tick
  )
}

/** Prey at the place of a pirate; of several one by lot. 0 none. */
function preyAt(view: WorldView, npc: Row, poi: Eid): Eid {
  const { nextHere } = view.read(Location)
  const { seq } = view.read(Ship)
  const own = seq[view.read(Npc).ship[npc]]
  let found = 0
  let least = 0
  for (let ship = view.read(Poi).firstShip[poi]; ship !== 0; ship = nextHere[ship]) {
    if (!isPrey(view, ship, poi)) continue
    const lot = hash32(view.seed, view.tick, PREY, own, seq[ship])
    const isBetter = lot < least || (lot === least && seq[ship] < seq[found])
    if (found === 0 || isBetter) [found, least] = [ship, lot]
  }
  return found
}

/** True when another pirate of the system is after the ship already. */
function isStalked(view: WorldView, system: Eid, ship: Eid): boolean {
  const { prey } = view.read(Npc)
  const number = view.read(Ship).seq[ship]
  return npcsOf(view, system).some((npc) => prey[npc] === number)
}

/**
 * Pirates that have nothing to do look around. Nearly always there is nobody but pirates at the
 * place: so columns are read once for all of them.
 */
export function lookAround(world: World, npcs: readonly Row[]): void {
  const { ship, thinkTick } = world.read(Npc)
  const { state, poi, nextHere } = world.read(Location)
  const { firstShip } = world.read(Poi)
  const { owner, seq, hull, hullMax, cargoUsed } = world.read(Ship)
  const { participant, aggressiveUntil } = world.read(Fighting)
  for (const npc of npcs) {
    if (thinkTick[npc] !== world.tick) continue
    const own = ship[npc]
    thinkAt(world, npc, world.tick + LOOK_TICKS)
    if (state[own] !== AT_POI || participant[own] !== 0) continue
    if (hull[own] < hullMax[own]) mend(world, own)
    if (cargoUsed[own] > 0 && aggressiveUntil[own] < world.tick) fence(world, own)
    let isAnyOwned = false
    for (let other = firstShip[poi[own]]; other !== 0; other = nextHere[other]) {
      if (owner[other] !== 0) isAnyOwned = true
    }
    if (isAnyOwned && hunt(world, npc, poi[own])) continue
    const lot = hash32(world.seed, world.tick, HOP, seq[own])
    if (drawBelow(LOOKS_PER_HOP, lot) === 0) hop(world, npc, lot)
  }
}

/** Looks for prey at its place; false when there is none, or none it turns on. */
function hunt(world: World, npc: Row, poi: Eid): boolean {
  const prey = preyAt(world, npc, poi)
  if (prey === 0 || isStalked(world, world.read(Npc).system[npc], prey)) return prey !== 0
  return turnOn(world, npc, prey)
}

function mend(world: World, ship: Eid): void {
  const { hull, hullMax } = world.write(Ship)
  const points = divCeil(hullMax[ship] * MEND_PCT * LOOK_TICKS, 100)
  hull[ship] = Math.min(hullMax[ship], hull[ship] + points)
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
function turnOn(world: World, npc: Row, prey: Eid): boolean {
  const rank = rankOf(world, npc)
  const tier = tierOf(world, prey)
  if (rank === 1 && tier > DUEL_TIER_MAX) return callRaiders(world, npc, prey, tier)
  if (tier < rank - 1) return false
  stalk(world, npc, prey, world.tick + STALK_TICKS)
  return true
}

function stalk(world: World, npc: Row, prey: Eid, strikeTick: number): void {
  world.write(Npc).prey[npc] = world.read(Ship).seq[prey]
  thinkAt(world, npc, strikeTick)
}

/** Sends those of the system who are free and a match for the hull; false if there is none. */
function callRaiders(world: World, scout: Row, prey: Eid, tier: number): boolean {
  const { prey: quarry, ship, system } = world.read(Npc)
  const { state } = world.read(Location)
  const { participant } = world.read(Fighting)
  const free = npcsOf(world, system[scout]).filter((npc) => {
    const rank = rankOf(world, npc)
    return (
      rank > 1 &&
      rank <= Math.max(2, tier) &&
      quarry[npc] === 0 &&
      participant[ship[npc]] === 0 &&
      state[ship[npc]] === AT_POI
    )
  })
  for (const npc of free) follow(world, npc, prey)
  return free.length > 0
}

/** Goes where the prey is, and strikes a tick after arriving. */
function follow(world: World, npc: Row, prey: Eid): void {
  const at = world.read(Location)
  const hull = world.read(Npc).ship[npc]
  const to = at.poi[prey]
  const ticks = at.poi[hull] === to ? STALK_TICKS : fly(world, hull, to) + 1
  stalk(world, npc, prey, world.tick + ticks)
}

/** Sets out for another place of the system; returns the ticks it takes. NPCs burn no fuel. */
function fly(world: World, ship: Eid, to: Eid): number {
  const from = world.read(Location).poi[ship]
  const { x, y } = world.read(Poi)
  const distance = distanceMilliAu(x[from], y[from], x[to], y[to])
  const ticks = travelTicks(flightOf(world, ship), distance)
  depart(world, ship, to, ticks)
  return ticks
}

function hop(world: World, npc: Row, lot: number): void {
  const { ship, system } = world.read(Npc)
  const here = world.read(Location).poi[ship[npc]]
  const others = hauntsOf(world, system[npc]).filter((poi) => poi !== here)
  const ticks = others.length === 0 ? 0 : fly(world, ship[npc], others[lot % others.length])
  thinkAt(world, npc, world.tick + ticks + LOOK_TICKS)
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
  aggress(world, hull, prey)
}
