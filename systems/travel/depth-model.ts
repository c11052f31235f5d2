/** How far systems lie from settled space. The chart is fixed, so this is computed once. */
import type { Eid, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { lanesFrom } from './model.ts'
import { DEPTHS, Poi, StarSystem } from './state.ts'

/** Sets the jumps from the nearest of these systems, through systems that `enters` allows. */
function spread(
  view: WorldView,
  depths: Map<Eid, number>,
  from: readonly Eid[],
  enters: (system: Eid) => boolean,
): void {
  for (const system of from) depths.set(system, 0)
  const queue = [...from]
  // The loop also visits what it appends: this is a breadth-first search.
  for (const system of queue) {
    for (const to of lanesFrom(view, system)) {
      if (depths.has(to) || !enters(to)) continue
      depths.set(to, (depths.get(system) ?? 0) + 1)
      queue.push(to)
    }
  }
}

/** Computes the depth of every system that can be reached. */
function computeDepths(view: WorldView): Map<Eid, number> {
  const { empire } = view.read(StarSystem)
  const { capital, poi, alive } = view.read(Base)
  const { system: systemOf } = view.read(Poi)
  const bases = Array.from({ length: view.highOf(Base) }, (_, i) => i + 1)
  const capitalBases = bases.filter((base) => alive[base] === 1 && capital[base] === 1)
  const systems = Array.from({ length: view.highOf(StarSystem) }, (_, i) => i + 1)
  const wild = new Map<Eid, number>()
  const imperial = systems.filter((system) => empire[system] !== 0)
  spread(view, wild, imperial, (system) => empire[system] === 0)
  const depths = new Map<Eid, number>()
  const capitals = capitalBases.map((base) => systemOf[poi[base]])
  spread(view, depths, capitals, (system) => empire[system] !== 0)
  for (const system of systems) if (empire[system] === 0) depths.set(system, wild.get(system) ?? 0)
  return depths
}

/**
 * Returns how deep a system lies, in jumps: within an empire from the nearest capital, elsewhere
 * from the nearest system of an empire.
 */
export function depthOf(view: WorldView, system: Eid): number {
  const depths = view.index(DEPTHS)
  if (depths.size === 0) for (const [row, depth] of computeDepths(view)) depths.set(row, depth)
  return depths.get(system) ?? 0
}
