/**
 * Routes: breadth-first trees of lanes, one a start, kept because lanes never change. Neighbours
 * are visited in system order, so ties are stable. Source: travel.md section 5.
 */
import { assert } from '../../core/assert.ts'
import { ROUTE_HOPS_MAX, ROUTE_TREES_MAX } from '../../core/limits.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Lane, StarSystem } from './columns.ts'

/**
 * By system row: the system before it on the way from the start; 0 for none. The start is its own.
 */
type Tree = Uint16Array

const TREES = defineIndex('travel.routes', () => new Map<Eid, Tree>())

function treeFrom(view: WorldView, start: Eid): Tree {
  const trees = view.index(TREES)
  const kept = trees.get(start)
  if (kept) return kept
  const grown = grow(view, start)
  if (trees.size >= ROUTE_TREES_MAX) {
    const [oldest] = trees.keys()
    trees.delete(oldest)
  }
  trees.set(start, grown)
  return grown
}

function grow(view: WorldView, start: Eid): Tree {
  const { firstLane, laneCount } = view.read(StarSystem)
  const { to } = view.read(Lane)
  const before = new Uint16Array(view.highOf(StarSystem) + 1)
  const queue = new Uint16Array(view.highOf(StarSystem) + 1)
  let read = 0
  let written = 0
  before[start] = start
  queue[written++] = start
  while (read < written) {
    const system = queue[read++]
    for (let i = 0; i < laneCount[system]; i++) {
      const next = to[firstLane[system] + i]
      if (before[next] !== 0) continue
      before[next] = system
      queue[written++] = next
    }
  }
  return before
}

/** Systems from start to target, both included; undefined when no lanes lead there. */
export function routeBetween(view: WorldView, start: Eid, target: Eid): Eid[] | undefined {
  const before = treeFrom(view, start)
  if (before[target] === 0) return undefined
  const route: Eid[] = [target]
  for (let at = target; at !== start; at = before[at]) {
    route.push(before[at])
    assert(route.length <= ROUTE_HOPS_MAX, 'a route runs in a circle')
  }
  return route.reverse()
}
