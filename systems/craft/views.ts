/** Jobs, quotes and queues as players see them. Source: crafting.md 5; contract, JobView. */
import { GOODS } from '../../core/catalog/index.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/rules.ts'
import { baseId, baseName, hasService } from '../base/rules.ts'
import { isRunning } from '../facility/rules.ts'
import { labelOf, packageId } from '../package/rules.ts'
import { dockedBase } from '../travel/rules.ts'
import { BLOCKED, EXTERNAL, Job, MODES, RUNNING } from './columns.ts'
import {
  creditsTotal,
  hasRoom,
  laborOf,
  type Plan,
  refusesJob,
  refusesMaterials,
} from './enqueue.ts'
import { jobsOf, type Queue, queueOfJob, workLeft } from './queue-rules.ts'
import { givenBy, recipeRow, type Units } from './recipe-rules.ts'
import { jobId } from './rules.ts'
import type { craftQuoteSchema, jobViewSchema } from './schemas.ts'
import { creditsOf } from './store-rules.ts'
import { etaOf, facilityGain, venueId, venueName, workOfRun, workshopGain } from './venue-rules.ts'

export type JobView = Static<typeof jobViewSchema>

export const itemRows = (rows: readonly Units[]) =>
  rows.map(({ item, units }) => ({
    item_id: GOODS[item].id,
    name: GOODS[item].name,
    quantity: units,
  }))

export const escrowView = (inputs: readonly Units[], labor: number, fee: number) => ({
  inputs: itemRows(inputs),
  labor,
  fee,
})

/** Ticks of a run, to thousandths. */
const ticksFor = (need: number, gain: number): number => Math.round((need * 1000) / gain) / 1000

/** What an order and a quote have in common. */
export function planView(view: WorldView, plan: Plan) {
  const { base, recipe, mode, runs, venue, gives } = plan
  return {
    mode: MODES[mode] as 'craft' | 'recycle',
    recipe: recipeRow(recipe).id,
    runs,
    facility_id: venueId(view, venue.facility),
    venue: venueName(view, venue.facility, base),
    venue_type: venue.type,
    effective_time_per_run: ticksFor(workOfRun(plan, venue.facility), venue.gain),
    est_completion_tick: view.tick + venue.etaTicks,
    external: venue.lane === EXTERNAL,
    produces: itemRows(gives),
  }
}

export const costView = (plan: Plan) => escrowView(plan.takes, laborOf(plan), plan.venue.fee)

/** What a job would cost, and whether it can be paid. */
export function renderQuote(
  view: WorldView,
  plan: Plan,
  action: 'craft' | 'recycle',
): Static<typeof craftQuoteSchema> {
  const credits = creditsTotal(plan)
  const haveInputs = refusesMaterials(view, plan) === undefined
  const haveCredits = balanceOf(view, creditsOf(view, plan.player, plan.source)) >= credits
  const haveCapacity = refusesJob(view, plan) === undefined && hasRoom(view, plan)
  const isReady = haveInputs && haveCredits && haveCapacity
  return {
    action,
    kind: 'quote',
    dry_run: true,
    quantity: plan.quantity,
    ...planView(view, plan),
    cost: costView(plan),
    credits_total: credits,
    have_inputs: haveInputs,
    have_credits: haveCredits,
    have_capacity: haveCapacity,
    message: isReady ? 'This can be ordered as it is.' : 'Something is still missing for this.',
  }
}

/* Queues */

/** True while a queue is worked on. */
function isAtWork(view: WorldView, { facility, player, base }: Readonly<Queue>): boolean {
  if (facility !== 0) return isRunning(view, facility)
  return dockedBase(view, player) === base && hasService(view, base, 'crafting')
}

function statusOf(view: WorldView, queue: Readonly<Queue>, job: Row): string {
  const { status } = view.read(Job)
  if (status[job] === BLOCKED) return 'blocked'
  if (status[job] !== RUNNING) return 'queued'
  return isAtWork(view, queue) ? 'running' : 'paused'
}

const gainAt = (view: WorldView, { facility, player }: Readonly<Queue>, job: Row): number =>
  facility !== 0
    ? facilityGain(view, facility)
    : workshopGain(view, player, view.read(Job).recipe[job])

/** The job marked as running, then the others as they stand. */
function inTurn({ jobs, current }: Readonly<Queue>): readonly Row[] {
  return current === 0 ? jobs : [current, ...jobs.filter((job) => job !== current)]
}

/** The jobs of a queue, each with the ticks until it is done. */
export function renderQueue(view: WorldView, queue: Readonly<Queue>): JobView[] {
  const { recipe, mode, lane, runsDone, runsTotal, need, progress } = view.read(Job)
  const { player, base, pkg } = view.read(Job)
  const places = [0, 0]
  const placeOfJob = new Map(queue.jobs.map((job) => [job, ++places[lane[job]]]))
  let ahead = 0
  return inTurn(queue).map((job) => {
    ahead += workLeft(view, job)
    const left = runsTotal[job] - runsDone[job]
    return {
      job_id: jobId(view, job),
      recipe: recipeRow(recipe[job]).id,
      mode: MODES[mode[job]],
      status: statusOf(view, queue, job),
      orderer: usernameOf(view, player[job]),
      facility_id: venueId(view, queue.facility),
      venue: venueName(view, queue.facility, base[job]),
      base_id: baseId(view, base[job]),
      base_name: baseName(view, base[job]),
      position: placeOfJob.get(job) ?? 0,
      runs_total: runsTotal[job],
      runs_done: runsDone[job],
      runs_remaining: left,
      progress: Math.min(1, Math.round((progress[job] * 1000) / need[job]) / 1000),
      eta_ticks: etaOf(ahead, gainAt(view, queue, job)),
      external: lane[job] === EXTERNAL,
      produces: itemRows(givenBy(recipe[job], mode[job], runsDone[job], left)),
      ...(pkg[job] === 0
        ? {}
        : { package_id: packageId(view, pkg[job]), label: labelOf(view, pkg[job]) }),
    }
  })
}

/** Live jobs of a player, those done soonest first. */
export function renderJobsOf(view: WorldView, player: Eid, most: number): JobView[] {
  const own = jobsOf(view, player)
  const ids = new Set(own.map((job) => jobId(view, job)))
  const queues = new Set(own.map((job) => queueOfJob(view, job)))
  return [...queues]
    .flatMap((queue) => renderQueue(view, queue))
    .filter(({ job_id }) => ids.has(job_id))
    .sort((a, b) => a.eta_ticks - b.eta_ticks)
    .slice(0, most)
}
