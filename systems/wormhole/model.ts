/** Lookups of mouths and paths: which are open, who knows them, and routes that use them. */
import { assert } from '../../core/assert.ts'
import { ROUTE_HOPS_MAX } from '../../core/limits.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { factionOf } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { seesPoi } from '../sensing/model.ts'
import { lanesFrom, poiById, routeBetween } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { FACTION_PATHS, KNOWN_PATHS, type KnownPath, Mouth, Wormhole } from './state.ts'

export const isMouth = (view: WorldView, poi: Eid): boolean => view.read(Mouth).state[poi] !== 0

/** Returns all paths, collapsed ones too, in the order of their rows. O(PATH_ROWS). */
export function allPaths(view: WorldView): Row[] {
  const { alive } = view.read(Wormhole)
  const paths: Row[] = []
  for (let row = 1; row <= view.highOf(Wormhole); row++) if (alive[row] === 1) paths.push(row)
  return paths
}

const isOpen = (view: WorldView, path: Row): boolean => view.read(Wormhole).isCollapsed[path] === 0

/** Returns the path that a place is a mouth of; 0 none. */
export const pathAt = (view: WorldView, poi: Eid): Row => {
  const { entrance, exit } = view.read(Wormhole)
  return allPaths(view).find((row) => entrance[row] === poi || exit[row] === poi) ?? 0
}

export const entranceSystem = (view: WorldView, path: Row): Eid =>
  view.read(Poi).system[view.read(Wormhole).entrance[path]]

export const exitSystem = (view: WorldView, path: Row): Eid =>
  view.read(Poi).system[view.read(Wormhole).exit[path]]

/* Who knows what */

/** Returns the paths that a player knows, not counting those that only their faction knows. */
export const ownPaths = (view: WorldView, player: Eid): readonly KnownPath[] =>
  view.records(KNOWN_PATHS).get(String(view.read(Player).seq[player])) ?? []

/** Returns the numbers of the paths that a faction knows; none for faction 0. */
export function factionPaths(view: WorldView, faction: Row): readonly number[] {
  if (faction === 0) return []
  return view.records(FACTION_PATHS).get(String(view.read(Faction).seq[faction])) ?? []
}

/** Returns whether a player, or their faction, knows where a path leads. */
export function knowsPath(view: WorldView, player: Eid, path: Row): boolean {
  const number = view.read(Wormhole).seq[path]
  return (
    ownPaths(view, player).some((known) => known.path === number) ||
    factionPaths(view, factionOf(view, player)).includes(number)
  )
}

/** Returns the open paths that a player knows. */
export const knownPaths = (view: WorldView, player: Eid): Row[] =>
  allPaths(view).filter((path) => isOpen(view, path) && knowsPath(view, player, path))

/**
 * Finds the open path that a pilot in a system means: by the id of its entrance, which they must
 * see, or by the system where it ends, which they must know. 0 none.
 */
export function pathMeant(view: WorldView, player: Eid, system: Eid, target: string): Row {
  const { entrance } = view.read(Wormhole)
  const paths = allPaths(view).filter(
    (path) => isOpen(view, path) && entranceSystem(view, path) === system,
  )
  const poi = poiById(view, target)
  const byEntrance = paths.find((path) => entrance[path] === poi && seesPoi(view, player, poi))
  if (byEntrance !== undefined) return byEntrance
  const { id } = view.read(StarSystem)
  return (
    paths.find(
      (path) =>
        view.texts.get(id[exitSystem(view, path)]) === target && knowsPath(view, player, path),
    ) ?? 0
  )
}

/* Routes */

/** A system of a route, and the path by which it is reached; 0 for a lane. */
interface Hop {
  readonly system: Eid
  readonly path: Row
}

const byLane = (system: Eid): Hop => ({ system, path: 0 })

/** How a system is first reached: from which system, by which path, after how many jumps. */
interface Step extends Hop {
  readonly from: Eid
  readonly jumps: number
}

/**
 * Finds how systems are reached from `start` by lanes and paths, one hop each, until the target is
 * reached; with target 0, all systems. Lanes come before paths, and neighbours in system order, so
 * ties are stable.
 */
function stepsFrom(view: WorldView, paths: readonly Row[], start: Eid, target: Eid) {
  const steps = new Map<Eid, Step>([[start, { system: start, from: start, path: 0, jumps: 0 }]])
  // A Map also visits entries added during the loop: this is a breadth-first search.
  for (const { system: from, jumps } of steps.values()) {
    if (steps.has(target)) break
    const reach = (system: Eid, path: Row): void => {
      if (!steps.has(system)) steps.set(system, { system, from, path, jumps: jumps + 1 })
    }
    for (const to of lanesFrom(view, from)) reach(to, 0)
    for (const path of paths) {
      if (entranceSystem(view, path) === from) reach(exitSystem(view, path), path)
    }
  }
  return steps
}

/**
 * Finds the shortest route by lanes and the paths that a player knows; undefined when there is
 * none. O(systems) where a path is known, since each player has a graph of their own.
 */
export function routeFor(view: WorldView, player: Eid, start: Eid, target: Eid): Hop[] | undefined {
  const paths = knownPaths(view, player)
  if (paths.length === 0) return routeBetween(view, start, target)?.map(byLane)
  const steps = stepsFrom(view, paths, start, target)
  const hops: Hop[] = []
  for (let system = target; ; ) {
    const step = steps.get(system)
    if (!step) return undefined
    hops.push({ system, path: step.path })
    if (system === start) return hops.reverse()
    assert(hops.length <= ROUTE_HOPS_MAX, 'a route runs in a circle')
    system = step.from
  }
}

/**
 * Returns a function that counts the jumps from a system to another along the route of `routeFor`;
 * -1 if there is none. One search serves all targets.
 */
export function jumpsFrom(view: WorldView, player: Eid, start: Eid): (target: Eid) => number {
  const paths = knownPaths(view, player)
  if (paths.length === 0) {
    return (target) => (routeBetween(view, start, target)?.length ?? 0) - 1
  }
  const steps = stepsFrom(view, paths, start, 0)
  return (target) => steps.get(target)?.jumps ?? -1
}
