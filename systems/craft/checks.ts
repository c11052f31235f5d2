/** Invariants of jobs. Source: crafting.md section 12. */
import { assert } from '../../core/assert.ts'
import { contentsOf } from '../../core/goods.ts'
import { sampleOf } from '../../core/invariants.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Row } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { Job, RUNNING } from './columns.ts'
import { broughtFor } from './package-rules.ts'
import { queueOfJob } from './queue-rules.ts'
import { creditsHeld, escrowAt, inputsHeld } from './rules.ts'

/** Work of a tick at the highest tier, thousandths. */
const GAIN_MAX = 27_000

/** Units by item, as one text: goods may stand in several places. */
function sorted(held: readonly { readonly item: number; readonly units: number }[]): string {
  const sums = new Map<number, number>()
  for (const { item, units } of held) sums.set(item, (sums.get(item) ?? 0) + units)
  return JSON.stringify([...sums].sort(([a], [b]) => a - b))
}

/** A handful of reads a job, and a walk over its container: a share of the jobs at a time. */
export const jobsHoldInputs: CheckDef = {
  name: 'jobs: escrow holds the inputs of the runs to come, and each stands in its queue',
  run(view, full) {
    if (!full) return
    const { alive, escrow, runsDone, runsTotal, status, progress, need, base } = view.read(Job)
    const { first, step } = sampleOf(view, Job)
    for (let job = first; job <= view.highOf(Job); job += step) {
      if (alive[job] === 0) continue
      assert(runsDone[job] < runsTotal[job], `job ${job} is complete and still there`)
      const [held, due] = [
        sorted([...contentsOf(view, escrow[job]), ...broughtFor(view, job)]),
        sorted(inputsHeld(view, job)),
      ]
      assert(held === due, `job ${job} holds ${held}, not ${due}`)
      const queue = queueOfJob(view, job)
      assert(queue.jobs.includes(job) && queue.base === base[job], `job ${job} is queued elsewhere`)
      const isCurrent = queue.current === job
      assert(status[job] !== RUNNING || isCurrent, `job ${job} runs beside another`)
      assert(progress[job] <= need[job] + GAIN_MAX, `job ${job} has gained too much`)
    }
  },
}

/** O(jobs): sums by base. */
export const jobsHoldCredits: CheckDef = {
  name: 'jobs: the escrow of a base is the labor and rent of the runs to come',
  run(view, full) {
    if (!full) return
    const { alive, base } = view.read(Job)
    const sums = new Map<Row, number>()
    for (let job = 1; job <= view.highOf(Job); job++) {
      if (alive[job] === 0) continue
      const { labor, fee } = creditsHeld(view, job)
      sums.set(base[job], (sums.get(base[job]) ?? 0) + labor + fee)
    }
    for (let row = 1; row <= view.highOf(Base); row++) {
      const account = escrowAt(view, row)
      const held = account === 0 ? 0 : balanceOf(view, account)
      assert(held === (sums.get(row) ?? 0), `base ${row} holds ${held} credits for its jobs`)
    }
  },
}
