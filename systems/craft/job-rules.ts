/** Jobs of a facility as its own command orders, lists and sorts them. Source: crafting.md 7. */
import { mulDivCeil } from '../../core/math.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { INTERNAL, Job } from './columns.ts'
import { jobsAt, workLeft } from './queue-rules.ts'
import { countUnits, givenBy, needOf } from './recipe-rules.ts'
import { etaOf, facilityGain } from './venue-rules.ts'

export { cancelJobs, orderOne } from './orders.ts'
export { moveAmong } from './queue-rules.ts'
export { refusesRow } from './requests.ts'
export { accessTo } from './venue-rules.ts'
export { renderQueue } from './views.ts'

/** True for jobs of the owner and his, which come before those of others. */
export const isInternal = (view: WorldView, job: Row): boolean =>
  view.read(Job).lane[job] === INTERNAL

/** True for a job in the queue of this facility. */
export const isAt = (view: WorldView, job: Row, facility: Row): boolean =>
  job !== 0 && view.read(Job).facility[job] === facility

/** What a facility still has to do: runs, units of what they give, ticks. */
export function backlogOf(view: WorldView, facility: Row) {
  const { recipe, mode, runsDone, runsTotal } = view.read(Job)
  let runs = 0
  let units = 0
  let work = 0
  for (const job of jobsAt(view, facility)) {
    const left = runsTotal[job] - runsDone[job]
    runs += left
    work += workLeft(view, job)
    units += countUnits(givenBy(recipe[job], mode[job], runsDone[job], left))
  }
  return {
    backlog_ticks: work === 0 ? 0 : etaOf(work, facilityGain(view, facility)),
    queued_items: units,
    queued_runs: runs,
  }
}

/** Ticks of a run of a recipe in a facility as fast as it is now, to thousandths. */
export const ticksOfRun = (view: WorldView, facility: Row, recipe: number): number =>
  mulDivCeil(needOf(recipe), 1000, facilityGain(view, facility)) / 1000
