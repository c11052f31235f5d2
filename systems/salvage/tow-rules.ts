/**
 * Towing: the line between a ship and the wreck, or the ship of the same owner, that it pulls. What
 * is towed is not on the map: it is where its tug is, and costs nothing to move. Source: salvage.md
 * section 4.
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
import { delistWreck, listWreck, makeRoom } from './rules.ts'
import { Tow, TUGS, Wreck } from './state.ts'

/** Ticks offline after which the tow of a pilot is released. Source: salvage.md section 4. */
const ABANDONED_TICKS = 360

/** Returns where a released tow comes to rest: for a tug in transit, at the place it left. */
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

/** Ties a wreck to a ship at the same place. The caller has checked every refusal. */
export function tieWreck(world: World, tug: Eid, wreck: Row): void {
  const columns = world.write(Wreck)
  assert(columns.tug[wreck] === 0, `wreck ${wreck} is towed already`)
  tie(world, tug)
  delistWreck(world, wreck)
  columns.poi[wreck] = 0
  columns.tug[wreck] = tug
  world.write(Tow).wreck[tug] = wreck
}

/** Ties a stored ship to `tug`, a ship of the same owner. */
export function tieShip(world: World, tug: Eid, ship: Eid): void {
  const { owner } = world.read(Ship)
  assert(tug !== ship, `ship ${tug} tows itself`)
  assert(owner[tug] === owner[ship], `ship ${tug} tows ship ${ship} of another owner`)
  tie(world, tug)
  removeFromMap(world, ship)
  const tow = world.write(Tow)
  tow.ship[tug] = ship
  tow.tug[ship] = tug
}

/* Untying */

/** Unties what a ship tows and returns it; the caller decides what happens to it. */
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

/** Leaves a wreck that was untied where its tug is. */
function leaveWreck(world: World, tug: Eid, wreck: Row): void {
  const poi = restingPlace(world, tug)
  world.write(Wreck).poi[wreck] = poi
  listWreck(world, wreck)
  makeRoom(world, poi)
}

/**
 * Unties what a ship tows. A wreck stays at the place; a ship is returned, for the caller to store
 * or destroy; 0 if there is none.
 */
export function cutTow(world: World, tug: Eid): Eid {
  const { wreck, ship } = untie(world, tug)
  if (wreck !== 0) leaveWreck(world, tug, wreck)
  return ship
}

/**
 * Releases whatever a ship tows, before it moves or changes hands: switch_ship, emergency warp,
 * capture, the last rig taken off. A wreck stays at the place. A ship of the owner is stored where
 * the tug is docked; released in space it has no crew, so it is lost and leaves a wreck. ours: the
 * sheet does not say what happens to a ship released in space.
 */
export function dropTow(world: World, tug: Eid): void {
  const poi = restingPlace(world, tug)
  const ship = cutTow(world, tug)
  if (ship === 0) return
  const base = world.read(Location).base[tug]
  if (base !== 0) dockShip(world, ship, base)
  else abandonShip(world, ship, poi)
}

/** Adapts a tow to the rigs that are left on a ship; without a rig the tow is released. */
export function retieTow(world: World, tug: Eid): void {
  if (!isTowing(world, tug)) return
  const pct = towPenaltyPct(world, tug)
  if (pct < 0) dropTow(world, tug)
  else world.write(Tow).pct[tug] = pct
}

/** Turns a ship whose tow was released in space into a wreck; its policy does not pay. */
function abandonShip(world: World, ship: Eid, poi: Eid): void {
  const owner = world.read(Ship).owner[ship]
  const victim = visibleIdentity(world, 0, owner)
  const summary = `${shipName(world, ship)} was lost: its tow ended at ${poiName(world, poi)}.`
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
 * Releases the wrecks towed by pilots who have long been offline. A tug in transit keeps its tow
 * until it arrives.
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
