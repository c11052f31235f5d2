/** Lookups of jobs: requests for them, what they hold, their places in queues. */
import { GOODS } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { type Failure, fail, invalidFields } from '../../core/errors.ts'
import type { Held } from '../../core/goods.ts'
import { mulDivCeil, mulDivFloor } from '../../core/math.ts'
import type { Static } from '../../core/params.ts'
import { words } from '../../core/params.ts'
import { type ReferenceDef, referenceById } from '../../core/reference.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { hasService } from '../base/model.ts'
import { manifestOf, packagesIn } from '../cargo/model.ts'
import { isRunning } from '../facility/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { laborOf, type Plan } from './plan-model.ts'
import { countUnits, givenBy, needOf, recipeRow, takenBy } from './recipe-model.ts'
import type { craftParams, craftRow, recycleParams } from './schemas.ts'
import {
  Bench,
  BLOCKED,
  CRAFT,
  EXTERNAL,
  INTERNAL,
  Job,
  MODES,
  type Queue,
  RUNNING,
} from './state.ts'
import { type Store, savedStore } from './store-model.ts'
import {
  etaOf,
  facilityGain,
  jobsAt,
  venueId,
  venueName,
  workLeft,
  workOfRun,
  workshopGain,
} from './venue-model.ts'

/** Returns whether a job is the owner's or their faction's; it comes before those of others. */
export const isInternal = (view: WorldView, job: Row): boolean =>
  view.read(Job).lane[job] === INTERNAL

/** Returns whether a job is in the queue of a facility. */
export const isQueuedAt = (view: WorldView, job: Row, facility: Row): boolean =>
  job !== 0 && view.read(Job).facility[job] === facility

/** Renders the work that a facility still has to do. */
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

/** Returns the ticks of a run at the present speed of a facility, to thousandths. */
export const ticksOfRun = (view: WorldView, facility: Row, recipe: number): number =>
  mulDivCeil(needOf(recipe), 1000, facilityGain(view, facility)) / 1000

/** Returns a job of the player by id. Refusals: job_not_found, not_your_job. */
export function ownJob(
  view: WorldView,
  player: Eid,
  id: string,
): Row | Failure<'job_not_found' | 'not_your_job'> {
  const job = jobById(view, id)
  if (job === 0) return fail('job_not_found', { job_id: id })
  return view.read(Job).player[job] === player ? job : fail('not_your_job', { job_id: id })
}

/** Returns the inputs of a job that are in packages. */
export function packagedInputs(view: WorldView, job: Row): Held[] {
  const { escrow, pkg, mode } = view.read(Job)
  if (mode[job] !== CRAFT) return []
  const packages = packagesIn(view, escrow[job]).filter((row) => row !== pkg[job])
  return packages.flatMap((row) => manifestOf(view, row))
}

export const jobById = (view: WorldView, id: string): Row => rowOfId(view, Job, id)

export const jobs: ReferenceDef = referenceById('job', jobById, 'job_not_found')

/* Requests */

export type CraftParams = Static<typeof craftParams>
export type RecycleParams = Static<typeof recycleParams>
export type OrderRow = Static<typeof craftRow>

/** One form of `craft` or `recycle`. */
export type Request =
  | { readonly form: 'queue' }
  | { readonly form: 'cancel'; readonly ids: readonly string[]; readonly isBulk: boolean }
  | { readonly form: 'retarget'; readonly id: string; readonly to: string }
  | { readonly form: 'bulk'; readonly rows: readonly OrderRow[] }
  | { readonly form: 'quote' | 'order'; readonly row: OrderRow }

const contradiction = (...fields: string[]): Failure<'invalid_payload'> =>
  invalidFields(
    ...fields.map((field) => ({ field, expected: 'left out beside the other fields given' })),
  )

type Params = Partial<CraftParams>

/** Fields of packing and unpacking. */
const PACKING = ['items', 'label', 'package_id', 'target'] as const
/** Fields of packages around a recipe. */
const PACKAGED = ['package_ids', 'output_package_label'] as const
/** Fields that order something. */
const ORDERING = [
  ...words('recipe_id quantity count facility_id preset source'),
  ...PACKING,
  ...PACKAGED,
]

const fieldsGiven = (params: Params, names: readonly (keyof Params)[]): string[] =>
  names.filter((name) => params[name] !== undefined)

/** Returns a request about existing jobs: cancelling them, or redirecting their outputs. */
function jobRequestOf(params: Params): Request | Failure<'invalid_payload'> {
  const { job_id: id, job_ids: many, deliver_to: to, action } = params
  const conflicting = fieldsGiven(params, [...ORDERING, 'jobs', 'dry_run'])
  if (conflicting.length > 0) return contradiction(...conflicting)
  if (id !== undefined && many !== undefined) return contradiction('job_id', 'job_ids')
  if (action === 'queue') return contradiction('action')
  if (id !== undefined && to !== undefined) {
    return action === undefined ? { form: 'retarget', id, to } : contradiction('deliver_to')
  }
  if (to !== undefined) return contradiction('deliver_to')
  return { form: 'cancel', ids: many ?? [id ?? ''], isBulk: many !== undefined }
}

/** Returns the order that the fields of the call itself make. */
function orderOf(params: Params): OrderRow {
  const {
    action: _,
    count,
    dry_run: _dry,
    job_id: _id,
    job_ids: _ids,
    jobs: _jobs,
    ...row
  } = params
  return { ...row, recipe_id: params.recipe_id ?? '', quantity: params.quantity ?? count }
}

/** Refuses fields that do not go with the recipe of an order: invalid_payload. */
export function rowRefusal(row: OrderRow): Failure<'invalid_payload'> | undefined {
  const unfit: readonly (keyof OrderRow)[] =
    row.recipe_id === 'pack_package'
      ? ['package_id', 'deliver_to', ...PACKAGED]
      : row.recipe_id === 'unpack_package'
        ? ['items', 'label', 'deliver_to', ...PACKAGED]
        : PACKING
  const conflicting = unfit.filter((name) => row[name] !== undefined)
  return conflicting.length > 0 ? contradiction(...conflicting) : undefined
}

/** Returns the request that the fields given make. Refusals: invalid_payload, dry_run_bulk. */
export function requestOf(
  params: Params,
  mayList: boolean,
): Request | Failure<'dry_run_bulk' | 'invalid_payload'> {
  const { action, jobs, dry_run, recipe_id: id, quantity, count } = params
  if (params.job_id !== undefined || params.job_ids !== undefined) return jobRequestOf(params)
  if (action === 'cancel') {
    return invalidFields({ field: 'job_id', expected: 'the id of a job' })
  }
  if (jobs !== undefined) {
    if (dry_run === true) return fail('dry_run_bulk')
    const conflicting = fieldsGiven(params, [...ORDERING, 'deliver_to', 'action'])
    return conflicting.length > 0 ? contradiction(...conflicting) : { form: 'bulk', rows: jobs }
  }
  if (id === undefined) {
    const conflicting = fieldsGiven(params, [...ORDERING, 'deliver_to', 'dry_run'])
    if (!mayList || conflicting.length > 0) {
      return invalidFields({ field: 'recipe_id', expected: 'a recipe' })
    }
    return { form: 'queue' }
  }
  if (action === 'queue') return contradiction('action', 'recipe_id')
  if (quantity !== undefined && count !== undefined && quantity !== count) {
    return contradiction('quantity', 'count')
  }
  if (params.facility_id !== undefined && params.preset !== undefined) {
    return contradiction('facility_id', 'preset')
  }
  const row = orderOf(params)
  return rowRefusal(row) ?? { form: dry_run === true ? 'quote' : 'order', row }
}

/** Returns whether a request changes nothing, so that it is answered at once. */
export const onlyReads = (request: Request | Failure): boolean =>
  'code' in request || request.form === 'queue' || request.form === 'quote'

/* What a job holds */

export const jobId = (view: WorldView, job: Row): string => idOf(view, Job, job)

/** Returns where the job's goods and credits came from. */
export function sourceOf(view: WorldView, job: Row): Store {
  const { fromFaction, fromStore } = view.read(Job)
  return savedStore(view, fromFaction[job], fromStore[job])
}

/** Returns where the job's outputs go. */
export function targetOf(view: WorldView, job: Row): Store {
  const { toFaction, toStore } = view.read(Job)
  return savedStore(view, toFaction[job], toStore[job])
}

export const placeOf = (view: WorldView, job: Row) => ({
  player: view.read(Job).player[job],
  base: view.read(Job).base[job],
})

/** Returns the rent of the first `runs` runs; shares add up to the fee. Source: crafting.md 2. */
export const feeOf = (view: WorldView, job: Row, runs: number): number =>
  mulDivFloor(view.read(Job).fee[job], runs, view.read(Job).runsTotal[job])

/** Returns the credits in escrow for the remaining runs. */
export function creditsHeld(view: WorldView, job: Row) {
  const { runsTotal, runsDone, laborEach, fee } = view.read(Job)
  const labor = laborEach[job] * (runsTotal[job] - runsDone[job])
  return { labor, fee: fee[job] - feeOf(view, job, runsDone[job]) }
}

/** Returns the inputs of a job's remaining runs. */
export function inputsHeld(view: WorldView, job: Row): Held[] {
  const { recipe, mode, runsTotal, runsDone } = view.read(Job)
  const runs = runsTotal[job] - runsDone[job]
  return takenBy(recipe[job], mode[job]).map(({ item, units }) => ({ item, units: units * runs }))
}

/** Returns the account that holds the credits of the jobs at a base; 0 before the first. */
export const escrowAt = (view: WorldView, base: Row): Row => view.read(Bench).escrow[base]

/** Renders goods as the wire lists them. */
export const itemRows = (rows: readonly Held[]) =>
  rows.map(({ item, units }) => ({
    item_id: GOODS[item].id,
    name: GOODS[item].name,
    quantity: units,
  }))

/** Renders what a job holds, or gives back. */
export const escrowView = (inputs: readonly Held[], labor: number, fee: number) => ({
  inputs: itemRows(inputs),
  labor,
  fee,
})

/** Renders what an order and a quote have in common. */
export function planView(view: WorldView, plan: Plan) {
  const { base, recipe, mode, runs, venue, gives } = plan
  return {
    mode: MODES[mode] as 'craft' | 'recycle',
    recipe: recipeRow(recipe).id,
    runs,
    facility_id: venueId(view, venue.facility),
    venue: venueName(view, venue.facility, base),
    venue_type: venue.type,
    // Ticks, to thousandths.
    effective_time_per_run:
      Math.round((workOfRun(plan, venue.facility) * 1000) / venue.gain) / 1000,
    est_completion_tick: view.tick + venue.etaTicks,
    external: venue.lane === EXTERNAL,
    produces: itemRows(gives),
  }
}

/** Renders what a plan costs. */
export const costView = (plan: Plan) => escrowView(plan.takes, laborOf(plan), plan.venue.fee)

/* Queues */

/** Returns whether a queue is being worked on. */
function isActive(view: WorldView, { facility, player, base }: Readonly<Queue>): boolean {
  if (facility !== 0) return isRunning(view, facility)
  return dockedBase(view, player) === base && hasService(view, base, 'crafting')
}

/** Returns the status of a job on the wire. */
export function statusOf(view: WorldView, queue: Readonly<Queue>, job: Row): string {
  const { status } = view.read(Job)
  if (status[job] === BLOCKED) return 'blocked'
  if (status[job] !== RUNNING) return 'queued'
  return isActive(view, queue) ? 'running' : 'paused'
}

/** Returns the work that a queue does on a job in a tick, thousandths. */
export const gainAt = (view: WorldView, { facility, player }: Readonly<Queue>, job: Row): number =>
  facility !== 0
    ? facilityGain(view, facility)
    : workshopGain(view, player, view.read(Job).recipe[job])

/** Returns the jobs of a queue with the running one first. */
export function inTurn({ jobs, current }: Readonly<Queue>): readonly Row[] {
  return current === 0 ? jobs : [current, ...jobs.filter((job) => job !== current)]
}
