/**
 * The forms of `craft` and `recycle` at work: ordering one job or many, calling off, sending the
 * outputs elsewhere. Source: crafting.md section 5.
 */
import { type Failure, fail, ok } from '../../core/errors.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { labelOf } from '../cargo/model.ts'
import { packageId } from '../cargo/rules.ts'
import { factionOf, permissionRefusal } from '../faction/model.ts'
import { dockedBase, notDocked } from '../travel/location-model.ts'
import { planJob, planRefusal } from './enqueue-model.ts'
import {
  costView,
  escrowView,
  jobId,
  type OrderRow,
  ownJob,
  placeOf,
  planView,
  type Request,
  rowRefusal,
  sourceOf,
  targetOf,
} from './model.ts'
import {
  hasPackages,
  type PackagedPlan,
  packsOrUnpacks,
  planOf,
  planPackaged,
  quotePackaged,
  quotePacking,
} from './packaged-model.ts'
import { type Place, packageRefusal } from './packing-model.ts'
import {
  cancelJob,
  orderJob,
  orderPackage,
  packFor,
  renderJobsOf,
  renderQuote,
  setTarget,
} from './rules.ts'
import { CRAFT, JOBS_LISTED_MAX, Job, PACK, RECYCLE } from './state.ts'
import {
  fuelRefusal,
  makesFuel,
  recipeRow,
  type Store,
  storeMeant,
  storeName,
} from './store-model.ts'
import { jobsOf, venueName } from './venue-model.ts'

interface Caller {
  readonly player: Eid
  readonly verb: 'craft' | 'recycle'
}

const modeOf = (verb: Caller['verb']): number => (verb === 'craft' ? CRAFT : RECYCLE)

/* Ordering */

/** The plan of a row, at the base the player is docked at. */
const plan = (view: WorldView, { player, verb }: Caller, row: OrderRow) =>
  planJob(view, { player, base: dockedBase(view, player) }, modeOf(verb), row)

/** As `plan`, refusing what cannot be ordered now. */
function affordable(view: WorldView, caller: Caller, row: OrderRow) {
  const planned = plan(view, caller, row)
  if (!planned.ok) return planned
  return planRefusal(view, planned.result) ?? planned
}

/** A job out of packages, or into one. */
function orderInPackages(world: World, caller: Caller, row: OrderRow) {
  const place = { player: caller.player, base: dockedBase(world, caller.player) }
  const planned = planPackaged(world, place, modeOf(caller.verb), row)
  if (!planned.ok) return planned
  const { plan: found } = planned.result
  const shown = planView(world, found)
  const job = orderPackaged(world, planned.result)
  const pkg = world.read(Job).pkg[job]
  return ok({
    action: caller.verb,
    kind: 'job',
    job_id: jobId(world, job),
    ...shown,
    escrowed: costView(found),
    ...(pkg === 0
      ? {}
      : { output_package_id: packageId(world, pkg), output_package_label: labelOf(world, pkg) }),
    message: `${recipeRow(found.recipe).name} is queued: ${shown.venue}.`,
  })
}

/** Orders what a row asks for. */
export function orderOne(world: World, caller: Caller, row: OrderRow) {
  const refused = rowRefusal(row)
  if (refused) return refused
  if (packsOrUnpacks(row)) {
    const place = { player: caller.player, base: dockedBase(world, caller.player) }
    return orderPacking(world, place, row)
  }
  if (hasPackages(row)) return orderInPackages(world, caller, row)
  const planned = affordable(world, caller, row)
  if (!planned.ok) return planned
  const found = planned.result
  const shown = planView(world, found)
  const job = orderJob(world, found)
  return ok({
    action: caller.verb,
    kind: 'job',
    job_id: jobId(world, job),
    ...shown,
    escrowed: costView(found),
    message: `${recipeRow(found.recipe).name} is queued: ${shown.venue}.`,
  })
}

const failed = ({ code, message }: Failure) => ({
  success: false,
  error_code: code,
  error: message,
})

function summaryOf(results: readonly { readonly success: boolean }[]) {
  const succeeded = results.filter(({ success }) => success).length
  return { total: results.length, succeeded, failed: results.length - succeeded }
}

interface Ordered {
  readonly job_id: string
  readonly runs?: number
  readonly package_id?: string
  readonly output_package_id?: string
  readonly label?: string
  readonly venue: string
  readonly external: boolean
  readonly escrowed: object
  readonly message: string
}

function orderMany(world: World, caller: Caller, rows: readonly OrderRow[]) {
  const results = rows.map((row, index) => {
    const outcome = orderOne(world, caller, row)
    if (!outcome.ok) return { index, recipe: row.recipe_id, ...failed(outcome) }
    const { job_id, runs = 1, venue, external, escrowed, message } = outcome.result as Ordered
    const { package_id, output_package_id, label } = outcome.result as Ordered
    const pkg = package_id ?? output_package_id
    const shown = { job_id, recipe: row.recipe_id, runs, venue, external, escrowed, message }
    const packed = pkg === undefined ? {} : { package_id: pkg }
    return { index, success: true, ...shown, ...packed, ...(label ? { label } : {}) }
  })
  const summary = summaryOf(results)
  return ok({ action: caller.verb, kind: 'bulk_craft', mode: 'bulk', results, summary })
}

function quote(view: WorldView, caller: Caller, row: OrderRow) {
  const place = { player: caller.player, base: dockedBase(view, caller.player) }
  if (place.base === 0) return notDocked(view, caller.player)
  if (packsOrUnpacks(row)) return quotePacking(view, place, row)
  if (hasPackages(row)) return quotePackaged(view, place, modeOf(caller.verb), row)
  const planned = plan(view, caller, row)
  return planned.ok ? ok(renderQuote(view, planned.result, caller.verb)) : planned
}

function cancelOne(world: World, player: Eid, id: string) {
  const job = ownJob(world, player, id)
  if (typeof job !== 'number') return job
  const { inputs, labor, fee } = cancelJob(world, job)
  return ok({ refunded: escrowView(inputs, labor, fee) })
}

/** Calls off the caller's own jobs; of several each stands alone. */
export function cancelJobs(world: World, player: Eid, ids: readonly string[], isBulk: boolean) {
  if (!isBulk) {
    const [id] = ids
    const outcome = cancelOne(world, player, id)
    const message = 'The job is called off; what its open runs held came back.'
    return outcome.ok
      ? ok({ action: 'job_cancel', kind: 'cancel', job_id: id, ...outcome.result, message })
      : outcome
  }
  const results = ids.map((id) => {
    const outcome = cancelOne(world, player, id)
    if (!outcome.ok) return { job_id: id, ...failed(outcome) }
    return { job_id: id, success: true, ...outcome.result }
  })
  const summary = summaryOf(results)
  const message = `${summary.succeeded} of ${counted(summary.total, 'job')} are called off.`
  return ok({ action: 'job_cancel', kind: 'bulk_cancel', mode: 'bulk', message, results, summary })
}

/** Who has left a faction says no more where goes what it paid for. Refusal: no_permission. */
function formerRefusal(
  view: WorldView,
  player: Eid,
  { faction }: Store,
): Failure<'no_permission'> | undefined {
  if (faction === 0 || faction === factionOf(view, player)) return undefined
  return fail('no_permission', { required: 'manage_treasury' })
}

/** Sends what a job has still to give to another store. */
function retarget(world: World, { player, verb }: Caller, id: string, to: string) {
  const job = ownJob(world, player, id)
  if (typeof job !== 'number') return job
  const target = storeMeant(world, placeOf(world, job), to, 'takes')
  if ('code' in target) return target
  const { recipe, mode } = world.read(Job)
  const noTank = makesFuel(recipe[job], mode[job])
    ? fuelRefusal(world, placeOf(world, job), target)
    : undefined
  if (noTank) return noTank
  const source = sourceOf(world, job)
  // what a faction paid for leaves it only by the word of who may take from it
  const isTheirs = source.faction !== 0 && source.faction !== target.faction
  const refused =
    formerRefusal(world, player, source) ??
    (isTheirs ? permissionRefusal(world, player, 'manage_treasury') : undefined)
  if (refused) return refused
  const { base } = placeOf(world, job)
  const before = storeName(world, base, targetOf(world, job))
  setTarget(world, job, target)
  return ok({
    action: verb,
    kind: 'retarget',
    job_id: id,
    old_destination: before,
    new_destination: storeName(world, base, target),
    message: 'What the job has still to give goes there from now on.',
  })
}

/** Runs a form of the command. */
export function perform(world: World, caller: Caller, request: Request) {
  const { player } = caller
  switch (request.form) {
    case 'queue':
      return ok({
        action: 'queue',
        kind: 'queue',
        total_jobs: jobsOf(world, player).length,
        jobs: renderJobsOf(world, player, JOBS_LISTED_MAX),
      })
    case 'quote':
      return quote(world, caller, request.row)
    case 'order':
      return orderOne(world, caller, request.row)
    case 'bulk':
      return orderMany(world, caller, request.rows)
    case 'cancel':
      return cancelJobs(world, player, request.ids, request.isBulk)
    case 'retarget':
      return retarget(world, caller, request.id, request.to)
  }
}

/** A pack or unpack job, ordered. */
function orderPacking(world: World, place: Place, row: OrderRow) {
  const planned = planOf(world, place, row)
  if (!planned.ok) return planned
  const plan = planned.result
  const refused = packageRefusal(world, plan)
  if (refused) return refused
  const job = orderPackage(world, plan)
  const pkg = world.read(Job).pkg[job]
  const { venue } = plan
  const name = venueName(world, venue.facility, plan.base)
  return ok({
    action: plan.mode === PACK ? 'pack' : 'unpack',
    kind: 'package',
    job_id: jobId(world, job),
    package_id: packageId(world, pkg),
    label: labelOf(world, pkg),
    venue: name,
    external: venue.type === 'public',
    eta_ticks: venue.etaTicks,
    escrowed: escrowView(plan.mode === PACK ? plan.items : [], venue.laborEach, venue.fee),
    message: `${plan.mode === PACK ? 'Packing' : 'Unpacking'} is queued: ${name}.`,
  })
}

/** Orders what `planPackaged` has planned. */
const orderPackaged = (world: World, { plan, packaged }: PackagedPlan): Row =>
  orderJob(world, plan, packFor(world, plan, packaged))
