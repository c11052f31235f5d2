/**
 * Towing: the line between a ship and the wreck, or the ship of the same owner, that it pulls.
 * What is on a line is nowhere on the map: it is where its tug is, and moves with it at no cost.
 * Source: salvage.md section 4.
 */
import { assert } from '../../core/assert.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { scrapBays } from '../drone/lifecycle-rules.ts'
import { endPolicy } from '../insurance/rules.ts'
import { logAction } from '../log/rules.ts'
import { visibleIdentity } from '../sensing/model.ts'
import { shipName } from '../ship/model.ts'
import { releaseShip } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { poiName } from '../travel/model.ts'
import { dockShip, removeFromMap } from '../travel/rules.ts'
import { Location, StarSystem } from '../travel/state.ts'
import { makeWreck } from './make-rules.ts'
import { isTowing, towedWreck, towPenaltyPct } from './model.ts'
import { delist, list, makeRoom } from './rules.ts'
import { Tow, TUGS, Wreck } from './state.ts'

/** Ticks after which the line of a pilot who is gone is let go. Source: salvage.md section 4. */
const ABANDONED_TICKS = 360

/** Returns where what falls off a line comes to rest: for a traveller the place it left. */
function restingPlace(view: WorldView, tug: Eid): Eid {
  const { poi, fromPoi, system } = view.read(Location)
  return poi[tug] || fromPoi[tug] || view.read(StarSystem).entryPoi[system[tug]]
}

/* Tying */

function tie(world: World, tug: Eid): void {
  const pct = towPenaltyPct(world, tug)
  assert(pct >= 0 && !isTowing(world, tug), `ship ${tug} cannot tow`)
  world.write(Tow).pct[tug] = pct
  world.index(TUGS).add(tug)
}

/** Ties a wreck to a ship at its place. The caller has refused what may be refused. */
export function tieWreck(world: World, tug: Eid, wreck: Row): void {
  const columns = world.write(Wreck)
  assert(columns.tug[wreck] === 0, `wreck ${wreck} is towed already`)
  tie(world, tug)
  delist(world, wreck)
  columns.poi[wreck] = 0
  columns.tug[wreck] = tug
  world.write(Tow).wreck[tug] = wreck
}

/** Ties a stored ship to another of the same owner. */
export function tieShip(world: World, tug: Eid, ship: Eid): void {
  const { owner } = world.read(Ship)
  assert(owner[tug] === owner[ship] && tug !== ship, `ship ${tug} tows what is not its owner's`)
  tie(world, tug)
  removeFromMap(world, ship)
  const tow = world.write(Tow)
  tow.ship[tug] = ship
  tow.tug[ship] = tug
}

/* Untying */

/** Unties a line; the caller decides what happens to the wreck or ship on it. */
export function untie(world: World, tug: Eid): { readonly wreck: Row; readonly ship: Eid } {
  const tow = world.write(Tow)
  const freed = { wreck: tow.wreck[tug], ship: tow.ship[tug] }
  if (freed.wreck !== 0) world.write(Wreck).tug[freed.wreck] = 0
  if (freed.ship !== 0) tow.tug[freed.ship] = 0
  tow.wreck[tug] = 0
  tow.ship[tug] = 0
  tow.pct[tug] = 0
  world.index(TUGS).delete(tug)
  return freed
}

/** Leaves a wreck that was untied where the ship is. */
function leaveWreck(world: World, tug: Eid, wreck: Row): void {
  const poi = restingPlace(world, tug)
  world.write(Wreck).poi[wreck] = poi
  list(world, wreck)
  makeRoom(world, poi)
}

/** Cuts the line of a tug that is lost; returns the ship on it for the caller to keep or lose. */
export function cutTow(world: World, tug: Eid): Eid {
  const { wreck, ship } = untie(world, tug)
  if (wreck !== 0) leaveWreck(world, tug, wreck)
  return ship
}

/**
 * Lets go of whatever a ship tows, before it moves or changes hands: switch_ship, emergency warp,
 * capture, the last rig taken off. A wreck rests at the place. A ship of the owner is stored where
 * the tug is docked; in space, without a crew, it is lost and a wreck is left. ours: the sheet does
 * not say what happens to that one.
 */
export function dropTow(world: World, tug: Eid): void {
  const poi = restingPlace(world, tug)
  const ship = cutTow(world, tug)
  if (ship === 0) return
  const base = world.read(Location).base[tug]
  if (base !== 0) dockShip(world, ship, base)
  else abandonShip(world, ship, poi)
}

/** Adapts a tow to the rigs that are left on a ship; without one it is let go. */
export function retieTow(world: World, tug: Eid): void {
  if (!isTowing(world, tug)) return
  const pct = towPenaltyPct(world, tug)
  if (pct < 0) dropTow(world, tug)
  else world.write(Tow).pct[tug] = pct
}

/** Wrecks a ship that is lost off the line, uninsured. */
function abandonShip(world: World, ship: Eid, poi: Eid): void {
  const owner = world.read(Ship).owner[ship]
  const victim = visibleIdentity(world, 0, owner)
  const summary = `${shipName(world, ship)} was lost off the line at ${poiName(world, poi)}.`
  endPolicy(world, ship)
  scrapBays(world, ship)
  makeWreck(world, {
    ship,
    poi,
    victimId: victim.id,
    victimName: victim.name,
    killerId: '',
    killerName: '',
    isNpc: false,
  })
  releaseShip(world, ship)
  logAction(world, owner, 'salvage', 'tow_lost', summary)
}

/* Ticks */

/**
 * Lets go of wrecks whose pilots have long been gone. A tug under way keeps its line until it
 * arrives.
 */
export function dropAbandoned(world: World): void {
  const { bound, goneTick } = world.read(Player)
  const { owner, seq } = world.read(Ship)
  const { poi } = world.read(Location)
  const isGone = (tug: Eid): boolean => {
    const player = owner[tug]
    if (bound[player] !== 0 || world.tick - goneTick[player] < ABANDONED_TICKS) return false
    return poi[tug] !== 0 && towedWreck(world, tug) !== 0
  }
  const gone: Eid[] = []
  for (const tug of world.index(TUGS)) if (isGone(tug)) gone.push(tug)
  for (const tug of gone.sort((a, b) => seq[a] - seq[b])) dropTow(world, tug)
}

/** Fills the index from the columns, after a restore. */
export function rebuildTugs(world: World): void {
  const tugs = world.index(TUGS)
  tugs.clear()
  const { alive, wreck, ship } = world.read(Tow)
  for (let row = 1; row <= world.highOf(Ship); row++) {
    if (alive[row] === 1 && (wreck[row] !== 0 || ship[row] !== 0)) tugs.add(row)
  }
}
