/**
 * The chart (systems and places by id and name, routes), and which ships and players are where. The
 * chart is fixed once the world is made, except for the places that players add.
 */
import { assert } from '../../core/assert.ts'
import { type GalaxyPlan, generateGalaxy } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { ROUTE_HOPS_MAX, ROUTE_TREES_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { type Named, sortNames } from '../../core/reference.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { ShipMatch } from '../arena/state.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { Ship } from '../ship/state.ts'
import { FRACTION } from './kernels.ts'
import { systemOf } from './location-model.ts'
import {
  ARRIVALS,
  ICE_FIELD,
  Lane,
  Location,
  PLACE_NAMES,
  PLAN,
  type PlaceNames,
  POI_IDS,
  POI_TYPES,
  Poi,
  SORTED,
  StarSystem,
  SYSTEM_IDS,
  SYSTEM_NAMES,
  TRAVELLING,
  TREES,
  type Tree,
  VISITED,
  type WirePoiType,
} from './state.ts'

/** Returns the plan of this world's map, which domains share at genesis until `forgetPlan`. */
export function galaxyPlan(view: WorldView): GalaxyPlan {
  const kept = view.index(PLAN)
  kept.plan ??= generateGalaxy(view.seed)
  return kept.plan
}

/** Drops the plan, once the world is made. */
export function forgetPlan(view: WorldView): void {
  view.index(PLAN).plan = undefined
}

/** Returns the system of a wire id; 0 none. */
export function systemById(view: WorldView, id: string): Eid {
  const ids = view.index(SYSTEM_IDS)
  if (ids.size !== view.countOf(StarSystem)) {
    ids.clear()
    const system = view.read(StarSystem)
    for (let row = 1; row <= view.highOf(StarSystem); row++) {
      if (system.alive[row] === 1) ids.set(view.texts.get(system.id[row]), row)
    }
  }
  return ids.get(id) ?? 0
}

/** Returns the systems that lanes from a system lead to, in system order. */
export function lanesFrom(view: WorldView, system: Eid): Eid[] {
  const { firstLane, laneCount } = view.read(StarSystem)
  const { to } = view.read(Lane)
  const systems: Eid[] = []
  const first = firstLane[system]
  for (let lane = first; lane < first + laneCount[system]; lane++) systems.push(to[lane])
  return systems
}

/** Returns the place of a wire id, hidden ones too; 0 none. */
export function poiById(view: WorldView, id: string): Eid {
  const ids = view.index(POI_IDS)
  if (ids.size !== view.countOf(Poi)) {
    ids.clear()
    const poi = view.read(Poi)
    for (let row = 1; row <= view.highOf(Poi); row++) {
      if (poi.alive[row] === 1) ids.set(view.texts.get(poi.id[row]), row)
    }
  }
  return ids.get(id) ?? 0
}

export const systemId = (view: WorldView, system: Eid): string =>
  view.texts.get(view.read(StarSystem).id[system])

export const systemName = (view: WorldView, system: Eid): string =>
  view.texts.get(view.read(StarSystem).name[system])

export const poiId = (view: WorldView, poi: Eid): string => view.texts.get(view.read(Poi).id[poi])

export const poiName = (view: WorldView, poi: Eid): string =>
  view.texts.get(view.read(Poi).name[poi])

/** Returns the wire type of a place; an ice field has its own, though its column has a belt's. */
export function poiType(view: WorldView, poi: Eid): WirePoiType {
  const { type, class: kind } = view.read(Poi)
  return view.texts.get(kind[poi]) === ICE_FIELD ? ICE_FIELD : POI_TYPES[type[poi]]
}

/** Returns whether a place is of a type or class: wormholes are relics by type. */
export const isOfType = (view: WorldView, poi: Eid, type: string): boolean =>
  poiType(view, poi) === type || view.texts.get(view.read(Poi).class[poi]) === type

/** Returns the places of a system, hidden ones too, in the order of their making. */
export function poisOf(view: WorldView, system: Eid): Eid[] {
  const { firstPoi, poiCount } = view.read(StarSystem)
  const pois: Eid[] = []
  for (let n = 0; n < poiCount[system]; n++) pois.push(firstPoi[system] + n)
  return pois.concat(madePlaces(view, system))
}

/*
 * The position of a ship under way is a pure function of the tick. Its course is a straight line,
 * kept as the point of departure and the vector of one tick, so that a position costs one
 * multiplication per axis. Source: travel.md sections 3, 10; the fixed point is ours.
 */

/** Longest distance on an axis: its product with FRACTION must fit 32 bits. */
const WAY_MAX = 2 ** 31 / FRACTION - 1

/**
 * Returns the distance of one tick along an axis, in 1/1024 units, for a flight of this many ticks.
 */
export function wayOfTick(from: number, to: number, ticks: number): number {
  assert(ticks >= 1, 'a flight takes a tick at least')
  assert(Math.abs(to - from) <= WAY_MAX, 'a flight leaves the range of its system')
  return divFloor((to - from) * FRACTION, ticks)
}

/** Returns whether a ship is on the map, under way included. */
export function isOnMap(view: WorldView, ship: Eid): boolean {
  const { poi, state } = view.read(Location)
  return poi[ship] !== 0 || state[ship] >= TRAVELLING
}

/** Returns whether a ship is in a match: it keeps its place, but is in no list. */
export const isUnlisted = (view: WorldView, ship: Eid): boolean =>
  view.read(ShipMatch).match[ship] !== 0

/** Returns whether a ship is under way and arrives in a tick. */
export const isDue = (view: WorldView, ship: Eid, tick: number): boolean => {
  const { alive, state, arriveTick } = view.read(Location)
  return alive[ship] === 1 && state[ship] >= TRAVELLING && arriveTick[ship] === tick
}

/** Yields every ship under way with the tick in which it is due. */
export function* scheduledArrivals(view: WorldView): Generator<[ship: Eid, tick: number]> {
  for (const [tick, due] of view.index(ARRIVALS)) {
    for (const ship of new Set(due)) if (isDue(view, ship, tick)) yield [ship, tick]
  }
}

/* Who is where */

/** Returns the ships at a place, docked ones too, in durable-id order. */
export function shipsAt(view: WorldView, poi: Eid): readonly Eid[] {
  const sorted = view.index(SORTED)
  let ships = sorted.get(poi)
  if (!ships) {
    ships = sortedList(view, view.read(Poi).firstShip[poi])
    sorted.set(poi, ships)
  }
  return ships
}

function sortedList(view: WorldView, first: Eid): readonly Eid[] {
  const next = view.read(Location).nextHere
  const ships: Eid[] = []
  for (let ship = first; ship !== 0; ship = next[ship]) ships.push(ship)
  const seq = view.read(Ship).seq
  return ships.sort((a, b) => seq[a] - seq[b])
}

/** Returns the players who fly one of these ships, in the order of the ships. */
function pilotsOf(view: WorldView, ships: readonly Eid[]): Eid[] {
  const owner = view.read(Ship).owner
  const flown = view.read(Player).ship
  return ships.filter((ship) => flown[owner[ship]] === ship).map((ship) => owner[ship])
}

/** Returns the players at a place, docked and offline ones too. */
export const playersAt = (view: WorldView, poi: Eid): Eid[] => pilotsOf(view, shipsAt(view, poi))

/** Returns the ships that travel between the places of a system, in durable-id order. */
export const travellersOf = (view: WorldView, system: Eid): readonly Eid[] =>
  sortedList(view, view.read(StarSystem).firstTraveller[system])

/** Returns the players in a system: at its places, docked, or travelling between them. */
export function playersIn(view: WorldView, system: Eid): Eid[] {
  const atPlaces = poisOf(view, system).flatMap((poi) => playersAt(view, poi))
  return [...atPlaces, ...pilotsOf(view, travellersOf(view, system))]
}

export function playersDockedAt(view: WorldView, base: Eid): Eid[] {
  const { base: dockedAt } = view.read(Location)
  const ships = shipsAt(view, view.read(Base).poi[base])
  const docked = ships.filter((ship) => dockedAt[ship] === base)
  return pilotsOf(view, docked)
}

/** Returns the places of a system that players have made, the oldest first. */
export function madePlaces(view: WorldView, system: Eid): Eid[] {
  const { nextMade } = view.read(Poi)
  const made: Eid[] = []
  for (let poi = view.read(StarSystem).firstMade[system]; poi !== 0; poi = nextMade[poi]) {
    made.push(poi)
  }
  return made
}

export const isMadePlace = (view: WorldView, poi: Eid): boolean =>
  madePlaces(view, view.read(Poi).system[poi]).includes(poi)

/* Names of places and bases, sorted for lookups; rebuilt after a change. */

/** Drops the sorted names, after a name has changed. */
export const forgetPlaceNames = (view: WorldView): void => {
  view.index(PLACE_NAMES).names = undefined
}

function listNames(view: WorldView): PlaceNames {
  const { alive, base } = view.read(Poi)
  const places: Omit<Named, 'key'>[] = []
  const bases: Omit<Named, 'key'>[] = []
  for (let row = 1; row <= view.highOf(Poi); row++) {
    if (alive[row] === 0) continue
    const place = { id: poiId(view, row), name: poiName(view, row), row }
    places.push(place)
    if (base[row] === 0) continue
    const station = { id: baseId(view, base[row]), name: baseName(view, base[row]), row }
    bases.push(station, { ...station, name: place.name })
    places.push({ ...place, name: station.name })
  }
  return { places: sortNames(places), bases: sortNames(bases) }
}

/** Returns the names of all places and bases, sorted. */
export function placeNames(view: WorldView): PlaceNames {
  const index = view.index(PLACE_NAMES)
  index.names ??= listNames(view)
  return index.names
}

/** Returns the names of all systems, sorted. */
export function systemNames(view: WorldView): readonly Named[] {
  const index = view.index(SYSTEM_NAMES)
  if (index.names.length !== view.countOf(StarSystem)) {
    const { alive } = view.read(StarSystem)
    const rows: Omit<Named, 'key'>[] = []
    for (let row = 1; row <= view.highOf(StarSystem); row++) {
      if (alive[row] === 1) rows.push({ id: systemId(view, row), name: systemName(view, row), row })
    }
    index.names = sortNames(rows)
  }
  return index.names
}

/** Returns the names of the places of the system that the player is in. */
export function namesHere(view: WorldView, player: Eid): readonly Named[] {
  const { name, base } = view.read(Poi)
  const rows = poisOf(view, systemOf(view, player)).flatMap((row) => {
    const place = { id: poiId(view, row), name: view.texts.get(name[row]), row }
    return base[row] === 0 ? [place] : [place, { ...place, name: baseName(view, base[row]) }]
  })
  return sortNames(rows)
}

/*
 * Routes: breadth-first trees of lanes, one per start, kept because lanes never change. Neighbours
 * are visited in system order, so ties are stable. Source: travel.md section 5.
 */

function treeFrom(view: WorldView, start: Eid): Tree {
  const trees = view.index(TREES)
  const existing = trees.get(start)
  if (existing) return existing
  const tree = growTree(view, start)
  if (trees.size >= ROUTE_TREES_MAX) {
    const [oldest] = trees.keys()
    trees.delete(oldest)
  }
  trees.set(start, tree)
  return tree
}

function growTree(view: WorldView, start: Eid): Tree {
  const { firstLane, laneCount } = view.read(StarSystem)
  const { to } = view.read(Lane)
  const previous = new Uint16Array(view.highOf(StarSystem) + 1)
  const queue = new Uint16Array(view.highOf(StarSystem) + 1)
  let read = 0
  let written = 0
  previous[start] = start
  queue[written++] = start
  while (read < written) {
    const system = queue[read++]
    for (let i = 0; i < laneCount[system]; i++) {
      const next = to[firstLane[system] + i]
      if (previous[next] !== 0) continue
      previous[next] = system
      queue[written++] = next
    }
  }
  return previous
}

/** Returns the systems from start to target, both included; undefined when no lanes lead there. */
export function routeBetween(view: WorldView, start: Eid, target: Eid): Eid[] | undefined {
  const previous = treeFrom(view, start)
  if (previous[target] === 0) return undefined
  const route: Eid[] = [target]
  for (let system = target; system !== start; system = previous[system]) {
    route.push(previous[system])
    assert(route.length <= ROUTE_HOPS_MAX, 'a route runs in a circle')
  }
  return route.reverse()
}

/**
 * Refuses a jump to a system that is no neighbour, and says which one comes first. By lanes alone:
 * a search of the wormholes that a pilot knows costs too much where many send such jumps.
 */
export function laneRefusal(view: WorldView, from: Eid, to: Eid): Failure<'not_connected'> {
  const route = routeBetween(view, from, to)
  if (!route) return fail('not_connected', { system_id: systemId(view, to) })
  const jumps = counted(route.length - 1, 'jump')
  const next = systemId(view, route[1])
  return fail(
    'not_connected',
    { system_id: systemId(view, to), next },
    say`No lane leads to ${systemName(view, to)} from here: it is ${jumps} away, by ${next} first; {find_route} lists the way, one {jump} at a time.`,
  )
}

/** Refuses a jump to a place that is no entrance, and says where it lies. */
export function placeRefusal(view: WorldView, place: Eid): Failure<'invalid_system'> {
  const system = view.read(Poi).system[place]
  return fail(
    'invalid_system',
    { system_id: systemId(view, system) },
    say`That is a place in ${systemName(view, system)}, not a system: {jump} to ${systemId(view, system)}, and {travel} there.`,
  )
}

/** Returns the wall times of first visits, ms since 1970, by system number. */
export function visitedBy(view: WorldView, player: Eid): Readonly<Record<string, number>> {
  return view.records(VISITED).get(String(view.read(Player).seq[player])) ?? {}
}

/** Returns the neighbours of a system and the distances to them, in system order. */
export function neighboursOf(view: WorldView, system: Eid): { to: Eid; distance: number }[] {
  const { firstLane, laneCount } = view.read(StarSystem)
  const { to, distance } = view.read(Lane)
  return Array.from({ length: laneCount[system] }, (_, i) => {
    const lane = firstLane[system] + i
    return { to: to[lane], distance: distance[lane] }
  })
}
