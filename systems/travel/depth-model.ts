/** How far a system lies from settled space. The chart is fixed, so it is worked out once. */
import type { Eid, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { lanesFrom } from './model.ts'
import { DEPTHS, Poi, StarSystem } from './state.ts'

/** Spreads jumps from these systems over those that `enters` allows; leaves nearer ones alone. */
function spread(
  view: WorldView,
  depths: Map<Eid, number>,
  from: readonly Eid[],
  enters: (system: Eid) => boolean,
): void {
  for (const system of from) depths.set(system, 0)
  const queue = [...from]
  // The queue grows while it is walked.
  for (const system of queue) {
    for (const to of lanesFrom(view, system)) {
      if (depths.has(to) || !enters(to)) continue
      depths.set(to, (depths.get(system) ?? 0) + 1)
      queue.push(to)
    }
  }
}

function measure(view: WorldView): Map<Eid, number> {
  const { empire } = view.read(StarSystem)
  const { capital, poi, alive } = view.read(Base)
  const { system: systemOf } = view.read(Poi)
  const bases = Array.from({ length: view.highOf(Base) }, (_, i) => i + 1)
  const seats = bases.filter((base) => alive[base] === 1 && capital[base] === 1)
  const systems = Array.from({ length: view.highOf(StarSystem) }, (_, i) => i + 1)
  const wild = new Map<Eid, number>()
  const held = systems.filter((system) => empire[system] !== 0)
  spread(view, wild, held, (system) => empire[system] === 0)
  const depths = new Map<Eid, number>()
  const capitals = seats.map((base) => systemOf[poi[base]])
  spread(view, depths, capitals, (system) => empire[system] !== 0)
  for (const system of systems) if (empire[system] === 0) depths.set(system, wild.get(system) ?? 0)
  return depths
}

/**
 * Returns how deep a system lies: in jumps from its capital, of a system without an empire from the
 * nearest empire.
 */
export function depthOf(view: WorldView, system: Eid): number {
  const depths = view.index(DEPTHS)
  if (depths.size === 0) for (const [row, depth] of measure(view)) depths.set(row, depth)
  return depths.get(system) ?? 0
}
