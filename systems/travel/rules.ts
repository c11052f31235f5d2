/**
 * Moves of ships: placing, docking, departing, arriving. The only writer of `Location`. A ship
 * is in one list: that of its place (docked ones too), or, while travelling, that of its
 * system's travellers. Ships that jump, drift, or are not on the map are in none.
 */
import { assert } from '../../core/assert.ts'
import type { TableDef } from '../../core/columns.ts'
import type { CommandDef } from '../../core/command.ts'
import { idOf } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { words } from '../../core/params.ts'
import type { ReferenceDef } from '../../core/reference.ts'
import { hash32 } from '../../core/rng.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player, PlayerStats } from '../account/state.ts'
import { FactionFeats } from '../achievement/state.ts'
import { baseById, baseId } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { inBattle } from '../combat/model.ts'
import { ashoreAt, withRiders } from '../fleet/model.ts'
import { enforceLaw } from '../law/rules.ts'
import { crewIn, standingWith } from '../npc/model.ts'
import { markMoved, seesPoi } from '../sensing/model.ts'
import { Ship } from '../ship/state.ts'
import { underAttackRefusal } from '../siege/model.ts'
import { entryRefusal } from '../station/model.ts'
import { PLAYER_POIS_PER_SYSTEM_MAX } from '../station/state.ts'
import type { Plot } from './flight-model.ts'
import { inTransit, inTransitUnlessAdrift, isDrifting, shipOf } from './location-model.ts'
import {
  isOnMap,
  madePlaces,
  namesHere,
  placeNames,
  playersAt,
  playersIn,
  poiById,
  poiId,
  poisOf,
  systemById,
  systemNames,
  visitedBy,
} from './model.ts'
import { link, plotCourse, scheduleArrival, unlink } from './occupants-rules.ts'
import {
  AT_POI,
  Course,
  DOCKED_STATE,
  DRIFTING,
  DRIFTS,
  JUMPING,
  Location,
  POI_TYPES,
  Poi,
  StarSystem,
  TRAVELLING,
  UNDER_WAY,
  VISITED,
} from './state.ts'

/** Tables written by moves of ships. */
export const PLACE_WRITES: readonly TableDef[] = [
  Course,
  FactionFeats,
  Location,
  PlayerStats,
  Poi,
  StarSystem,
]

/** Starts a drift, or changes the course of a ship already adrift. Refusal: no_fuel. */
export function beginDrift(world: World, player: Eid, plot: Plot): Failure<'no_fuel'> | undefined {
  const ship = shipOf(world, player)
  const have = world.read(Ship).fuel[ship]
  if (have < plot.fuel) return fail('no_fuel', { need: plot.fuel, have })
  if (!isDrifting(world, ship)) addStat(world, player, 'void_drifts', 1)
  burnFuel(world, ship, plot.fuel)
  setAdrift(world, ship, plot)
  return undefined
}

/** Takes fuel out of a ship's tank, issue fuel first; the caller has checked that it is there. */
export function burnFuel(world: World, ship: Eid, units: number): void {
  const { fuel, issueFuel } = world.write(Ship)
  assert(units >= 0 && units <= fuel[ship], `ship ${ship} burns ${units} units it lacks`)
  fuel[ship] -= units
  issueFuel[ship] = Math.max(0, issueFuel[ship] - units)
}

/**
 * Returns the players who are notified of what happens at a place: riders too, and those ashore.
 */
export const audienceAt = (view: WorldView, poi: Eid): Eid[] => [
  ...withRiders(view, playersAt(view, poi)),
  ...ashoreAt(view, view.read(Poi).base[poi]),
]

/** Returns the players who are notified of what happens in a system. */
export const audienceIn = (view: WorldView, system: Eid): Eid[] => [
  ...withRiders(view, playersIn(view, system)),
  ...poisOf(view, system).flatMap((poi) => ashoreAt(view, view.read(Poi).base[poi])),
]

/**
 * Refuses mutations while the ship is under way, except those allowed adrift. Refuses nothing in
 * battle: combat's own admission decides there. Source: travel.md section 2.
 */
export function flightAdmission(
  view: WorldView,
  player: Eid,
  def: CommandDef,
): Failure<'in_transit'> | undefined {
  if (inBattle(view, player)) return undefined
  const isAllowedAdrift = def.kind === 'mutation' && def.adrift
  return isAllowedAdrift ? inTransitUnlessAdrift(view, player) : inTransit(view, player)
}

/*
 * Places added to the chart: moorings of stations and outposts, and mouths of wormholes. They stay
 * when what was there is gone, and new stations can use them. Source: crafting.md section 8. ours:
 * so no reference to a place ever dangles, and reuse keeps the number of places in bounds.
 */

/** Largest distance of a new place from the one beside it, milli-AU on each axis. */
const OFFSET_MILLI_AU = 40

/** Sets the name and description of a place to those of what is there now. */
export function describePlace(world: World, poi: Eid, name: string, description: string): void {
  world.setText(Poi, 'name', poi, name)
  world.setText(Poi, 'description', poi, description)
}

interface NewPlace {
  readonly type: (typeof POI_TYPES)[number]
  readonly x: number
  readonly y: number
}

/** Adds a place to a system; the caller has checked that the system has room for it. */
export function addPlace(world: World, system: Eid, { type, x, y }: NewPlace): Eid {
  const made = madePlaces(world, system)
  assert(made.length < PLAYER_POIS_PER_SYSTEM_MAX, `system ${system} has no room for places`)
  const row = world.take(Poi)
  const poi = world.write(Poi)
  world.setText(Poi, 'id', row, idOf(world, Poi, row))
  poi.type[row] = POI_TYPES.indexOf(type)
  poi.system[row] = system
  poi.x[row] = x
  poi.y[row] = y
  const last = made[made.length - 1]
  const columns = world.write(StarSystem)
  if (last === undefined) columns.firstMade[system] = row
  else poi.nextMade[last] = row
  columns.madeCount[system]++
  return row
}

/** Makes a mooring beside a place; the caller has checked that the system has room for it. */
export function makePlaceBeside(world: World, beside: Eid): Eid {
  const { system, x, y } = world.read(Poi)
  const place = { type: 'station', x: x[beside], y: y[beside] } as const
  const row = addPlace(world, system[beside], place)
  world.setText(Poi, 'class', row, 'mooring')
  const poi = world.write(Poi)
  const offset = (axis: number): number =>
    (hash32(world.seed, poi.seq[row], axis) % (2 * OFFSET_MILLI_AU + 1)) - OFFSET_MILLI_AU
  poi.x[row] += offset(1)
  poi.y[row] += offset(2)
  return row
}

/*
 * Systems, places and bases by id and shown name. A place can also be named by the name or id of
 * its base. A place hidden from the player is not found by its name.
 */

/** Returns the id of the place that an id of a place or base names. */
function placeIdOf(view: WorldView, player: Eid, text: string): string | undefined {
  if (poiById(view, text) !== 0) return text
  const base = baseById(view, text)
  const poi = view.read(Base).poi[base]
  return base !== 0 && seesPoi(view, player, poi) ? poiId(view, poi) : undefined
}

/** Returns the id of the base that an id of a base or place names. */
function baseIdOf(view: WorldView, player: Eid, text: string): string | undefined {
  if (baseById(view, text) !== 0) return text
  const poi = poiById(view, text)
  const base = view.read(Poi).base[poi]
  return base !== 0 && seesPoi(view, player, poi) ? baseId(view, base) : undefined
}

const isKnown = seesPoi

export const placeReferences: readonly ReferenceDef[] = [
  {
    kind: 'system',
    byId: (view, _player, text) => (systemById(view, text) === 0 ? undefined : text),
    names: systemNames,
    unknown: ['invalid_system'],
  },
  { kind: 'place_here', byId: placeIdOf, names: namesHere, isKnown, unknown: ['invalid_poi'] },
  {
    kind: 'place',
    byId: placeIdOf,
    names: (view) => placeNames(view).places,
    isKnown,
    unknown: ['invalid_poi'],
  },
  {
    kind: 'base',
    byId: baseIdOf,
    names: (view) => placeNames(view).bases,
    isKnown,
    unknown: ['station_not_found'],
  },
]

/* Moves */

const POSITION_COLUMNS = words('system poi base fromPoi toPoi departTick arriveTick')

/** Takes a ship out of the list of its place, before it enters a match. */
export const unlistShip = (world: World, ship: Eid): void => unlink(world, ship)

/** Puts a ship back into the list of its place, after it has left a match. */
export const relistShip = (world: World, ship: Eid): void => link(world, ship)

/** Removes a ship from the map, when it is destroyed or stored away. */
export function removeFromMap(world: World, ship: Eid): void {
  if (!isOnMap(world, ship)) return
  const locations = world.write(Location)
  unlink(world, ship)
  if (locations.state[ship] >= TRAVELLING) world.index(UNDER_WAY).ships -= 1
  if (locations.state[ship] === DRIFTING) world.records(DRIFTS).delete(driftKey(world, ship))
  const course = world.write(Course)
  for (const name of ['x', 'y', 'wayX', 'wayY'] as const) course[name][ship] = 0
  locations.state[ship] = DOCKED_STATE
  for (const name of POSITION_COLUMNS) locations[name][ship] = 0
}

/** Puts a ship at a place, in space. */
export function placeInSpace(world: World, ship: Eid, poi: Eid): void {
  assert(world.read(Poi).alive[poi] === 1, `place ${poi} does not exist`)
  const isNew = !isOnMap(world, ship)
  removeFromMap(world, ship)
  const locations = world.write(Location)
  locations.state[ship] = AT_POI
  locations.system[ship] = world.read(Poi).system[poi]
  locations.poi[ship] = poi
  link(world, ship)
  const owner = world.read(Ship).owner[ship]
  if (isNew && owner !== 0) visit(world, owner, locations.system[ship])
}

/** Docks a ship, wherever it was; the caller has checked that the base admits it. */
export function dockShip(world: World, ship: Eid, base: Eid): void {
  const poi = world.read(Base).poi[base]
  if (world.read(Location).poi[ship] !== poi) placeInSpace(world, ship, poi)
  const locations = world.write(Location)
  locations.state[ship] = DOCKED_STATE
  locations.base[ship] = base
  markMoved(world, ship)
}

/** Undocks a ship; the law of the system is enforced on its owner. */
export function undockShip(world: World, ship: Eid): void {
  const locations = world.write(Location)
  assert(locations.base[ship] !== 0, `ship ${ship} is not docked`)
  locations.state[ship] = AT_POI
  locations.base[ship] = 0
  const owner = world.read(Ship).owner[ship]
  if (owner !== 0) enforceLaw(world, owner, locations.system[ship])
  markMoved(world, ship)
}

/** Begins a flight to another place: travel within the system, else a jump. `ticks` ≥ 1. */
export function startFlight(world: World, ship: Eid, toPoi: Eid, ticks: number): void {
  const locations = world.write(Location)
  assert(locations.state[ship] === AT_POI, `ship ${ship} departs, but is at no place`)
  assert(ticks >= 1, 'a flight takes a tick at least')
  unlink(world, ship)
  locations.state[ship] =
    world.read(Poi).system[toPoi] === locations.system[ship] ? TRAVELLING : JUMPING
  locations.fromPoi[ship] = locations.poi[ship]
  locations.poi[ship] = 0
  locations.toPoi[ship] = toPoi
  locations.departTick[ship] = world.tick
  locations.arriveTick[ship] = world.tick + ticks
  if (locations.state[ship] === TRAVELLING) {
    link(world, ship)
    plotCourse(world, ship)
  }
  world.index(UNDER_WAY).ships += 1
  scheduleArrival(world, ship)
}

const driftKey = (view: WorldView, ship: Eid): string => String(view.read(Ship).seq[ship])

/** Sets a ship adrift, or redirects one already adrift: it drops out at the entry of a system. */
function setAdrift(world: World, ship: Eid, { drift, system, ticks }: Plot): void {
  const locations = world.write(Location)
  assert(
    locations.state[ship] === AT_POI || locations.state[ship] === DRIFTING,
    `ship ${ship} begins a drift, but is at no place and not adrift`,
  )
  assert(ticks >= 1, 'a drift takes a tick at least')
  unlink(world, ship)
  if (locations.state[ship] === AT_POI) world.index(UNDER_WAY).ships += 1
  locations.state[ship] = DRIFTING
  locations.fromPoi[ship] = 0
  locations.poi[ship] = 0
  locations.toPoi[ship] = world.read(StarSystem).entryPoi[system]
  locations.departTick[ship] = world.tick
  locations.arriveTick[ship] = world.tick + ticks
  world.records(DRIFTS).set(driftKey(world, ship), drift)
  scheduleArrival(world, ship)
}

/**
 * Delays a flight: the ship stays where it is for a number of ticks and arrives that much later.
 * Source: travel.md section 2, a traveller pulled into a battle.
 */
export function delayFlight(world: World, ship: Eid, ticks: number): void {
  const { state, departTick, arriveTick } = world.write(Location)
  assert(state[ship] >= TRAVELLING, `ship ${ship} is delayed but not under way`)
  assert(ticks >= 1, 'a delay takes a tick at least')
  departTick[ship] += ticks
  arriveTick[ship] += ticks
  scheduleArrival(world, ship)
}

/** Ends a flight at its destination. */
export function arrive(world: World, ship: Eid): void {
  const { state, toPoi } = world.read(Location)
  assert(state[ship] >= TRAVELLING, `ship ${ship} arrives but is not under way`)
  placeInSpace(world, ship, toPoi[ship])
}

/** Records that a player has been in a system; returns true the first time. */
export function visit(world: World, player: Eid, system: Eid): boolean {
  const number = String(world.read(StarSystem).seq[system])
  const visited = visitedBy(world, player)
  if (visited[number] !== undefined) return false
  const key = String(world.read(Player).seq[player])
  world.records(VISITED).set(key, { ...visited, [number]: world.wallMs })
  addStat(world, player, 'systems_visited', 1)
  return true
}

/* Docking */

/** Refuses players whom a base does not admit. Source: travel.md section 6. */
export function dockingRefusal(
  view: WorldView,
  player: Eid,
  base: Eid,
): Failure<'access_denied' | 'station_under_attack'> | undefined {
  const required = view.read(Base).pirateRepRequired[base]
  const crew = crewIn(view, view.read(Poi).system[view.read(Base).poi[base]])
  if (required > 0 && standingWith(view, player, crew) < required) {
    return fail('access_denied', { pirate_rep_required: required })
  }
  return entryRefusal(view, player, base) ?? underAttackRefusal(view, player, base)
}
