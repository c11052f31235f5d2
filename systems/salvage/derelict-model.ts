/** Derelicts that a salvage yard reports: those adrift around it. Source: ours. */
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { lanesFrom, poisOf } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { isDerelict, wrecksAt } from './model.ts'

/** Largest distance, in jumps, at which a yard reports a derelict. */
const REPORT_JUMPS_MAX = 6

export interface ReportedDerelict {
  readonly wreck: Row
  readonly jumps: number
}

/** Returns the systems around one with their jumps, the nearest first. */
function systemsAround(view: WorldView, from: Eid): ReadonlyMap<Eid, number> {
  const jumpsTo = new Map([[from, 0]])
  // A Map also visits entries added during the loop: this is a breadth-first search.
  for (const [system, jumps] of jumpsTo) {
    if (jumps === REPORT_JUMPS_MAX) continue
    for (const to of lanesFrom(view, system)) if (!jumpsTo.has(to)) jumpsTo.set(to, jumps + 1)
  }
  return jumpsTo
}

/** Returns the derelicts at charted places around a system, the nearest first, up to `max`. */
export function derelictsAround(view: WorldView, from: Eid, max: number): ReportedDerelict[] {
  const { hidden } = view.read(Poi)
  const reported: ReportedDerelict[] = []
  for (const [system, jumps] of systemsAround(view, from)) {
    for (const poi of poisOf(view, system)) {
      if (hidden[poi] === 1) continue
      for (const wreck of wrecksAt(view, poi)) {
        if (reported.length === max) return reported
        if (isDerelict(view, wreck)) reported.push({ wreck, jumps })
      }
    }
  }
  return reported
}
