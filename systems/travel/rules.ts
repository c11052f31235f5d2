/**
 * Where ships are: placing, docking, departing, arriving, and who is at a place. The only writer of
 * `Location`. A ship stands in exactly one list: that of its place (docked ones too), or, while
 * travelling, that of its system's travellers. Ships that jump, and ships not on the map (poi 0,
 * not under way), are in none.
 */
import { assert } from '../../core/assert.ts'
import type { Move, Need } from '../../core/command.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { raise } from '../../core/occurrence.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { addStat } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { Fighting } from '../combat/columns.ts'
import { convoyOf, refusesConvoy, refusesOwnMove, tellMove } from '../fleet/rules.ts'
import { AT_LIBERTY, meetLaw, settleAtDock } from '../law/rules.ts'
import { noteProgress } from '../mission/progress-rules.ts'
import { crewIn, standingWith } from '../npc/crew-rules.ts'
import { disembark } from '../passenger/arrival-rules.ts'
import { noteChange } from '../sensing/watch-rules.ts'
import { Ship } from '../ship/columns.ts'
import { refusesUnderAttack } from '../siege/station-rules.ts'
import { refusesEntry } from '../station/access-rules.ts'
import {
  AT_POI,
  Course,
  DOCKED_STATE,
  DRIFTING,
  DRIFTS,
  type Drift,
  docked,
  JUMPING,
  Location,
  Poi,
  StarSystem,
  TRAVELLING,
  VISITED,
} from './columns.ts'
import { expect, isPlaced, link, plot, unlink } from './lists.ts'
import { dockedBase, inTransit, isDrifting, notDocked, shipOf } from './where-rules.ts'

export {
  galaxyPlan,
  isOfType,
  lanesFrom,
  poiById,
  poiId,
  poiName,
  poisOf,
  poiType,
  systemById,
  systemId,
  systemName,
} from './chart.ts'
export {
  burnFuel,
  distanceMilliAu,
  flightOf,
  fuelPerJump,
  fuelToTravel,
  jumpTicks,
  travelTicks,
} from './flight.ts'
export {
  isPlaced,
  playersAt,
  playersDockedAt,
  playersIn,
  shipsAt,
  travellersOf,
} from './lists.ts'
export { routeBetween } from './routes.ts'
export {
  dockedBase,
  inTransit,
  inTransitUnlessAdrift,
  isBetweenSystems,
  isDrifting,
  isUnderWay,
  locationState,
  notDocked,
  poiOf,
  shipOf,
  systemOf,
  vesselOf,
} from './where-rules.ts'

/* Moves */

/** Takes a ship that keeps its place off the list of that: before it enters a match. */
export const stepAside = (world: World, ship: Eid): void => unlink(world, ship)

/** Puts it back: after it has left the match. */
export const stepBack = (world: World, ship: Eid): void => link(world, ship)

/** Takes a ship off the map: destroyed, or parked. */
export function unplace(world: World, ship: Eid): void {
  if (!isPlaced(world, ship)) return
  const at = world.write(Location)
  unlink(world, ship)
  if (at.state[ship] === DRIFTING) world.records(DRIFTS).delete(driftKey(world, ship))
  const course = world.write(Course)
  for (const column of [course.x, course.y, course.wayX, course.wayY]) column[ship] = 0
  at.state[ship] = DOCKED_STATE
  at.system[ship] = 0
  at.poi[ship] = 0
  at.base[ship] = 0
  at.fromPoi[ship] = 0
  at.toPoi[ship] = 0
  at.departTick[ship] = 0
  at.arriveTick[ship] = 0
}

/** Puts a ship at a place, in space. */
export function place(world: World, ship: Eid, poi: Eid): void {
  assert(world.read(Poi).alive[poi] === 1, `place ${poi} does not exist`)
  const isNew = !isPlaced(world, ship)
  unplace(world, ship)
  const at = world.write(Location)
  at.state[ship] = AT_POI
  at.system[ship] = world.read(Poi).system[poi]
  at.poi[ship] = poi
  link(world, ship)
  const owner = world.read(Ship).owner[ship]
  if (isNew && owner !== 0) visit(world, owner, at.system[ship])
}

/** Docks a ship, wherever it was. Whether the base admits it is the caller's question. */
export function dockShip(world: World, ship: Eid, base: Eid): void {
  const poi = world.read(Base).poi[base]
  if (world.read(Location).poi[ship] !== poi) place(world, ship, poi)
  const at = world.write(Location)
  at.state[ship] = DOCKED_STATE
  at.base[ship] = base
  noteChange(world, ship)
}

export function undockShip(world: World, ship: Eid): void {
  const at = world.write(Location)
  assert(at.base[ship] !== 0, `ship ${ship} is not docked`)
  at.state[ship] = AT_POI
  at.base[ship] = 0
  const owner = world.read(Ship).owner[ship]
  if (owner !== 0) meetLaw(world, owner, at.system[ship])
  noteChange(world, ship)
}

/** Leaves the place for another: within the system a travel, else a jump. `ticks` ≥ 1. */
export function depart(world: World, ship: Eid, toPoi: Eid, ticks: number): void {
  const at = world.write(Location)
  assert(at.state[ship] === AT_POI, `ship ${ship} departs from nowhere`)
  assert(ticks >= 1, 'a flight takes a tick at least')
  unlink(world, ship)
  at.state[ship] = world.read(Poi).system[toPoi] === at.system[ship] ? TRAVELLING : JUMPING
  at.fromPoi[ship] = at.poi[ship]
  at.poi[ship] = 0
  at.toPoi[ship] = toPoi
  at.departTick[ship] = world.tick
  at.arriveTick[ship] = world.tick + ticks
  if (at.state[ship] === TRAVELLING) {
    link(world, ship)
    plot(world, ship)
  }
  expect(world, ship)
}

const driftKey = (view: WorldView, ship: Eid): string => String(view.read(Ship).seq[ship])

/** Leaves the lanes, or, adrift already, turns: straight on until it drops out at `toPoi`. */
export function driftOff(
  world: World,
  ship: Eid,
  { drift, toPoi, ticks }: { drift: Drift; toPoi: Eid; ticks: number },
): void {
  const at = world.write(Location)
  assert(
    at.state[ship] === AT_POI || at.state[ship] === DRIFTING,
    `ship ${ship} drifts from nowhere`,
  )
  assert(ticks >= 1, 'a drift takes a tick at least')
  unlink(world, ship)
  at.state[ship] = DRIFTING
  at.fromPoi[ship] = 0
  at.poi[ship] = 0
  at.toPoi[ship] = toPoi
  at.departTick[ship] = world.tick
  at.arriveTick[ship] = world.tick + ticks
  world.records(DRIFTS).set(driftKey(world, ship), drift)
  expect(world, ship)
}

/**
 * Holds a flight up: it stays where it is for so many ticks and arrives as much later. Source:
 * travel.md section 2, a traveller pulled into a battle.
 */
export function holdUp(world: World, ship: Eid, ticks: number): void {
  const at = world.write(Location)
  assert(at.state[ship] >= TRAVELLING, `ship ${ship} is held up but not under way`)
  assert(ticks >= 1, 'a delay takes a tick at least')
  at.departTick[ship] += ticks
  at.arriveTick[ship] += ticks
  expect(world, ship)
}

/** Ends a flight at its destination. */
export function arrive(world: World, ship: Eid): void {
  const at = world.read(Location)
  assert(at.state[ship] >= TRAVELLING, `ship ${ship} arrives but is not under way`)
  place(world, ship, at.toPoi[ship])
}

/** Notes that a player has been in a system; true the first time. */
export function visit(world: World, player: Eid, system: Eid): boolean {
  const key = String(world.read(Player).seq[player])
  const number = String(world.read(StarSystem).seq[system])
  const seen = world.records(VISITED).get(key) ?? {}
  if (seen[number] !== undefined) return false
  world.records(VISITED).set(key, { ...seen, [number]: world.wallMs })
  addStat(world, player, 'systems_visited', 1)
  return true
}

/** Wall times of first visits, ms since 1970, by system number. */
export function visitedBy(view: WorldView, player: Eid): Readonly<Record<string, number>> {
  return view.records(VISITED).get(String(view.read(Player).seq[player])) ?? {}
}

/* Docking */

/**
 * Why a base does not admit a player, or nothing. Refusals: access_denied, station_under_attack.
 * Source: travel.md section 6.
 */
export function refusesDocking(view: WorldView, player: Eid, base: Eid): Failure | undefined {
  const required = view.read(Base).pirateRepRequired[base]
  const crew = crewIn(view, view.read(Poi).system[view.read(Base).poi[base]])
  if (required > 0 && standingWith(view, player, crew) < required) {
    return fail('access_denied', { pirate_rep_required: required })
  }
  return refusesEntry(view, player, base) ?? refusesUnderAttack(view, player, base)
}

/** The base at whose place a ship could dock with its convoy now, or why not. */
function dockOf(view: WorldView, player: Eid, noBase: 'no_base' | 'not_docked'): Failure | Eid {
  const ship = shipOf(view, player)
  if (view.read(Fighting).participant[ship] !== 0) return fail('in_combat')
  const base = view.read(Poi).base[view.read(Location).poi[ship]]
  if (base === 0) return fail(noBase)
  const refusal =
    refusesOwnMove(view, player) ??
    refusesDocking(view, player, base) ??
    refusesConvoy(
      view,
      convoyOf(view, player),
      (mate) => AT_LIBERTY.check(view, mate) ?? refusesDocking(view, mate, base),
    )
  return refusal ?? base
}

/**
 * Docks the player's ship at the base of its place, and those of their convoy, or says why not. One
 * who is not admitted keeps all of them out.
 */
export function dockHere(
  world: World,
  player: Eid,
  noBase: 'no_base' | 'not_docked',
): Failure | Eid {
  const base = dockOf(world, player, noBase)
  if (typeof base === 'object') return base
  const convoy = convoyOf(world, player)
  for (const pilot of [player, ...convoy]) {
    dockShip(world, shipOf(world, pilot), base)
    addStat(world, pilot, 'times_docked', 1)
    noteProgress(world, pilot, 'dock_base', { key: base })
    settleAtDock(world, pilot, base)
    raise(world, docked, { player: pilot, base: base })
    disembark(world, pilot, base)
  }
  tellMove(world, player, convoy, { event: 'docked', message: 'The fleet has docked.' })
  return base
}

/** Docks by itself, to be served, where it may; whoever may not is served otherwise. */
export const dockIfAdmitted: Move = (world, player) =>
  typeof dockHere(world, player, 'no_base') === 'number' ? 'auto_docked' : undefined

const refusesUndocking = (view: WorldView, player: Eid): Failure | undefined =>
  refusesOwnMove(view, player) ??
  refusesConvoy(view, convoyOf(view, player), (mate) => AT_LIBERTY.check(view, mate))

/** Undocks the player's ship and those of their convoy, or says why not. */
export function undockHere(world: World, player: Eid): Failure | undefined {
  const refusal = refusesUndocking(world, player)
  if (refusal) return refusal
  const convoy = convoyOf(world, player)
  for (const pilot of [player, ...convoy]) undockShip(world, shipOf(world, pilot))
  tellMove(world, player, convoy, { event: 'undocked', message: 'The fleet has undocked.' })
  return undefined
}

/** Docked; a mutation docks by itself where a base here admits the player. */
export const DOCKED: Need = {
  name: 'docked',
  errors: ['not_docked', 'access_denied', 'station_under_attack', 'in_transit', 'in_fleet'],
  check: (view, player) => (dockedBase(view, player) === 0 ? notDocked(view, player) : undefined),
  ensure(world, player) {
    const refusal = inTransit(world, player)
    if (refusal) return refusal
    if (dockedBase(world, player) !== 0) return undefined
    const base = dockOf(world, player, 'not_docked')
    return typeof base === 'number' ? dockIfAdmitted : base
  },
}

/** In space at a place; a mutation undocks by itself. */
export const UNDOCKED: Need = {
  name: 'undocked',
  errors: ['docked', 'in_transit', 'detained', 'in_fleet'],
  check: (view, player) =>
    inTransit(view, player) ?? (dockedBase(view, player) !== 0 ? fail('docked') : undefined),
  ensure(world, player, params) {
    const refusal = inTransit(world, player) ?? AT_LIBERTY.ensure(world, player, params)
    if (refusal) return refusal
    if (dockedBase(world, player) === 0) return undefined
    // whoever rides along, or is ashore, has no ship to leave with
    if (shipOf(world, player) === 0) return fail('no_ship')
    return (
      refusesUndocking(world, player) ?? ((at, pilot) => undockHere(at, pilot) ?? 'auto_undocked')
    )
  },
}

/** As UNDOCKED; a ship adrift stays as it is. */
export const UNDOCKED_OR_ADRIFT: Need = {
  name: 'undocked_or_adrift',
  errors: UNDOCKED.errors,
  check: (view, player) =>
    isDrifting(view, shipOf(view, player)) ? undefined : UNDOCKED.check(view, player),
  ensure: (world, player, params) =>
    isDrifting(world, shipOf(world, player)) ? undefined : UNDOCKED.ensure(world, player, params),
}

/** At a place, docked or not: refused under way. */
export const AT_PLACE: Need = {
  name: 'at_place',
  errors: ['in_transit'],
  check: inTransit,
  ensure: inTransit,
}
