/**
 * The forms of `craft` and `recycle`: ordering one job or many, quoting, cancelling, redirecting
 * outputs. Source: crafting.md section 5.
 */
import { type Failure, fail, ok } from '../../core/errors.ts'
import { counted } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { labelOf } from '../cargo/model.ts'
import { packageId } from '../cargo/rules.ts'
import { factionOf, permissionRefusal } from '../faction/model.ts'
import { dockedBase, notDocked } from '../travel/location-model.ts'
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
import { hasPackages, type Packaged, planPackaged, quotePackaged } from './package-model.ts'
import { packageRefusal, packsOrUnpacks, planPackage, quotePacking } from './packing-model.ts'
import { type Plan, planJob, planRefusal } from './plan-model.ts'
import { makesFuel, recipeRow } from './recipe-model.ts'
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
import { fuelRefusal, namedStore, type Place, type Store, storeName } from './store-model.ts'
import { jobsOf, venueName } from './venue-model.ts'

interface Caller {
  readonly player: Eid
  readonly verb: 'craft' | 'recycle'
}

const modeOf = ({ verb }: Caller): number => (verb === 'craft' ? CRAFT : RECYCLE)

/** Returns where a player orders: the base they are docked at. */
const orderPlace = (view: WorldView, { player }: Caller): Place => ({
  player,
  base: dockedBase(view, player),
})

/* Ordering */

/** Orders a job by a recipe, out of packages or into one where `packaged` is given. */
function orderRecipe(world: World, { verb }: Caller, plan: Plan, packaged?: Packaged) {
  const preview = planView(world, plan)
  const job = orderJob(world, plan, packaged && packFor(world, plan, packaged))
  const pkg = world.read(Job).pkg[job]
  return ok({
    action: verb,
    kind: 'job',
    job_id: jobId(world, job),
    ...preview,
    escrowed: costView(plan),
    ...(pkg !== 0 && {
      output_package_id: packageId(world, pkg),
      output_package_label: labelOf(world, pkg),
    }),
    message: `${recipeRow(plan.recipe).name} is queued: ${preview.venue}.`,
  })
}

/** Orders a job that packs or unpacks. */
function orderPacking(world: World, place: Place, row: OrderRow) {
  const planned = planPackage(world, place, row)
  if (!planned.ok) return planned
  const plan = planned.result
  const refused = packageRefusal(world, plan)
  if (refused) return refused
  const job = orderPackage(world, plan)
  const pkg = world.read(Job).pkg[job]
  const { venue } = plan
  const isPack = plan.mode === PACK
  const name = venueName(world, venue.facility, plan.base)
  return ok({
    action: isPack ? 'pack' : 'unpack',
    kind: 'package',
    job_id: jobId(world, job),
    package_id: packageId(world, pkg),
    label: labelOf(world, pkg),
    venue: name,
    external: venue.type === 'public',
    eta_ticks: venue.etaTicks,
    escrowed: escrowView(isPack ? plan.items : [], venue.laborEach, venue.fee),
    message: `${isPack ? 'Packing' : 'Unpacking'} is queued: ${name}.`,
  })
}

/** Orders a job. */
export function placeOrder(world: World, caller: Caller, row: OrderRow) {
  const refused = rowRefusal(row)
  if (refused) return refused
  const place = orderPlace(world, caller)
  if (packsOrUnpacks(row)) return orderPacking(world, place, row)
  if (hasPackages(row)) {
    const planned = planPackaged(world, place, modeOf(caller), row)
    if (!planned.ok) return planned
    return orderRecipe(world, caller, planned.result.plan, planned.result.packaged)
  }
  const planned = planJob(world, place, modeOf(caller), row)
  if (!planned.ok) return planned
  return planRefusal(world, planned.result) ?? orderRecipe(world, caller, planned.result)
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
    const outcome = placeOrder(world, caller, row)
    if (!outcome.ok) return { index, recipe: row.recipe_id, ...failed(outcome) }
    const ordered = outcome.result as Ordered
    const package_id = ordered.package_id ?? ordered.output_package_id
    return {
      index,
      success: true,
      job_id: ordered.job_id,
      recipe: row.recipe_id,
      runs: ordered.runs ?? 1,
      venue: ordered.venue,
      external: ordered.external,
      escrowed: ordered.escrowed,
      message: ordered.message,
      ...(package_id !== undefined && { package_id }),
      ...(ordered.label && { label: ordered.label }),
    }
  })
  const summary = summaryOf(results)
  return ok({ action: caller.verb, kind: 'bulk_craft', mode: 'bulk', results, summary })
}

function quote(view: WorldView, caller: Caller, row: OrderRow) {
  const place = orderPlace(view, caller)
  if (place.base === 0) return notDocked(view, caller.player)
  if (packsOrUnpacks(row)) return quotePacking(view, place, row)
  if (hasPackages(row)) return quotePackaged(view, place, modeOf(caller), row)
  const planned = planJob(view, place, modeOf(caller), row)
  return planned.ok ? ok(renderQuote(view, planned.result, caller.verb)) : planned
}

function cancelOne(world: World, player: Eid, id: string) {
  const job = ownJob(world, player, id)
  if (typeof job !== 'number') return job
  const { inputs, labor, fee } = cancelJob(world, job)
  return ok({ refunded: escrowView(inputs, labor, fee) })
}

/** Cancels jobs of the player; in bulk each is cancelled or refused alone. */
export function cancelJobs(world: World, player: Eid, ids: readonly string[], isBulk: boolean) {
  if (!isBulk) {
    const [id] = ids
    const outcome = cancelOne(world, player, id)
    const message = 'The job is cancelled; what its remaining runs held is refunded.'
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
  const message = `${summary.succeeded} of ${counted(summary.total, 'job')} are cancelled.`
  return ok({ action: 'job_cancel', kind: 'bulk_cancel', mode: 'bulk', message, results, summary })
}

/** Refuses a former member the outputs that a faction paid for: no_permission. */
function formerRefusal(
  view: WorldView,
  player: Eid,
  { faction }: Store,
): Failure<'no_permission'> | undefined {
  if (faction === 0 || faction === factionOf(view, player)) return undefined
  return fail('no_permission', { required: 'manage_treasury' })
}

/** Redirects the remaining outputs of a job to another store. */
function retarget(world: World, { player, verb }: Caller, id: string, to: string) {
  const job = ownJob(world, player, id)
  if (typeof job !== 'number') return job
  const target = namedStore(world, placeOf(world, job), to, { field: 'deliver_to', use: 'takes' })
  if ('code' in target) return target
  const { recipe, mode } = world.read(Job)
  const noTank = makesFuel(recipe[job], mode[job])
    ? fuelRefusal(world, placeOf(world, job), target)
    : undefined
  if (noTank) return noTank
  const source = sourceOf(world, job)
  // Outputs that a faction paid for leave it only with the permission to take from it.
  const leavesFaction = source.faction !== 0 && source.faction !== target.faction
  const refused =
    formerRefusal(world, player, source) ??
    (leavesFaction ? permissionRefusal(world, player, 'manage_treasury') : undefined)
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
    message: 'The remaining outputs of the job go there from now on.',
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
      return placeOrder(world, caller, request.row)
    case 'bulk':
      return orderMany(world, caller, request.rows)
    case 'cancel':
      return cancelJobs(world, player, request.ids, request.isBulk)
    case 'retarget':
      return retarget(world, caller, request.id, request.to)
  }
}
