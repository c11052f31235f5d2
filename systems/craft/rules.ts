/**
 * Jobs: opening them with inputs and credits in escrow, cancelling them with what is left of both,
 * and their wire forms. Callers have refused what is not allowed. Source: crafting.md section 2.
 */
import { assert } from '../../core/assert.ts'
import {
  closeContainer,
  contentsOf,
  type Held,
  moveItems,
  openContainer,
} from '../../core/goods.ts'
import { openAccount } from '../../core/ledger.ts'
import type { Static } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { baseId, baseName } from '../base/model.ts'
import { CARGO_CONTAINER, labelOf, openLocker, packagesIn } from '../cargo/model.ts'
import {
  createEmptyPackage,
  createPackage,
  movePackage,
  packageId,
  reserveSlot,
} from '../cargo/rules.ts'
import { setBusy } from '../facility/rules.ts'
import { Facility } from '../facility/state.ts'
import { logAction } from '../log/rules.ts'
import { activeShip, unloadCargo } from '../ship/model.ts'
import {
  costView,
  creditsHeld,
  escrowAt,
  gainAt,
  inputsHeld,
  inTurn,
  itemRows,
  jobId,
  placeOf,
  planView,
  sourceOf,
  statusOf,
} from './model.ts'
import type { Packaged } from './package-model.ts'
import type { PackPlan } from './packing-model.ts'
import {
  backlogRefusal,
  creditsRefusal,
  creditsTotal,
  jobRefusal,
  materialsRefusal,
  type Plan,
} from './plan-model.ts'
import { enterQueue, leaveQueue } from './queue-rules.ts'
import { givenBy, recipeRow } from './recipe-model.ts'
import type { craftQuoteSchema, jobViewSchema } from './schemas.ts'
import { Bench, EXTERNAL, Job, MODES, QUEUED, type Queue, RECYCLE, UNPACK } from './state.ts'
import { HOLD, numberOfFaction, type Store } from './store-model.ts'
import {
  giveCredits,
  openGoods,
  returnPackages,
  takeCredits,
  takesAll,
  tidyStore,
} from './store-rules.ts'
import {
  etaOf,
  jobsAt,
  jobsOf,
  lastPosition,
  liveJobsOf,
  queueOf,
  queueOfJob,
  venueId,
  venueName,
  workLeft,
  workOfRun,
} from './venue-model.ts'

/** Orders a job that passed `planRefusal`. */
export function orderJob(world: World, plan: Plan, pack?: (job: Row, escrow: Row) => void): Row {
  const { player, base, recipe, mode, runs, venue, source, target } = plan
  const { facility, lane, laborEach, fee } = venue
  const position = lastPosition(world, queueOf(world, facility, player, base), lane) + 1
  const job = openJob(world, {
    player,
    base,
    facility,
    recipe,
    mode,
    lane,
    position,
    runs,
    laborEach,
    fee,
    source,
    target,
    need: workOfRun(plan, facility),
    pack,
  })
  const verb = mode === RECYCLE ? 'recycling_queued' : 'job_queued'
  const { id, name } = recipeRow(recipe)
  const summary = `${name}, ${counted(runs, 'run')}: ${venueName(world, facility, base)}.`
  logAction(world, player, 'crafting', verb, summary, {
    job_id: jobId(world, job),
    recipe: id,
    mode: MODES[mode],
    runs,
  })
  return job
}

/** Orders packing or unpacking that passed `packageRefusal`. */
export function orderPackage(world: World, plan: PackPlan): Row {
  return orderJob(world, plan, (job, escrow) => {
    const { player, base, mode, items, label } = plan
    if (mode === UNPACK) {
      movePackage(world, plan.pkg, { kind: 'escrow', container: escrow })
      if (plan.source.bucket !== HOLD) tidyStore(world, plan, plan.source)
      world.write(Job).pkg[job] = plan.pkg
      return
    }
    const all = [...items, { item: CARGO_CONTAINER, units: 1 }]
    const isAboard = plan.source.bucket === HOLD
    const goods = isAboard ? 0 : openGoods(world, plan, plan.source)
    for (const { item, units } of all) {
      if (isAboard) unloadCargo(world, activeShip(world, player), escrow, item, units)
      else moveItems(world, goods, escrow, item, units)
    }
    if (!isAboard) tidyStore(world, plan, plan.source)
    const { faction } = plan.target
    const owner = faction === 0 ? { player, faction } : { player: 0, faction }
    world.write(Job).pkg[job] = createPackage(world, {
      from: escrow,
      contents: items,
      to: { kind: 'escrow', container: escrow },
      label,
      creator: player,
      owner,
    })
    reserveSlot(world, player, base)
  })
}

/** Returns the function that puts packages of inputs into a job's escrow, and one for outputs. */
export function packFor(world: World, plan: Plan, { packages, label }: Packaged) {
  return (job: Row, escrow: Row): void => {
    const { player, base } = plan
    for (const pkg of packages) movePackage(world, pkg, { kind: 'escrow', container: escrow })
    if (label === undefined) return
    moveItems(world, openLocker(world, player, base), escrow, CARGO_CONTAINER, 1)
    const owner = { player, faction: 0 }
    const draft = { from: escrow, label, creator: player, owner }
    world.write(Job).pkg[job] = createEmptyPackage(world, draft)
    reserveSlot(world, player, base)
  }
}

/** Sets the store that the remaining outputs of a job go to. */
export function setTarget(world: World, job: Row, target: Store): void {
  const { toFaction, toStore } = world.write(Job)
  toFaction[job] = numberOfFaction(world, target)
  toStore[job] = target.bucket
}

function openEscrow(world: World, base: Row): Row {
  if (escrowAt(world, base) === 0) world.write(Bench).escrow[base] = openAccount(world)
  return escrowAt(world, base)
}

interface NewJob {
  readonly player: Eid
  readonly base: Row
  readonly facility: Row
  readonly recipe: number
  readonly mode: number
  readonly lane: number
  readonly position: number
  readonly runs: number
  readonly laborEach: number
  readonly fee: number
  readonly source: Store
  readonly target: Store
  /** Work of a run. */
  readonly need: number
  /** Puts packages into the escrow: with the inputs, or to be packed or unpacked. */
  readonly pack?: (job: Row, escrow: Row) => void
}

/** Takes the inputs of a job out of the store that pays. */
function takeInputs(world: World, job: Row, { player, base, source }: NewJob): void {
  const inputs = inputsHeld(world, job)
  if (inputs.length === 0) return
  const { escrow } = world.read(Job)
  const goods = openGoods(world, { player, base }, source)
  for (const { item, units } of inputs) moveItems(world, goods, escrow[job], item, units)
  tidyStore(world, { player, base }, source)
}

/** Opens a job with its inputs and credits in escrow; the caller has checked that they exist. */
function openJob(world: World, spec: NewJob): Row {
  const { player, base, recipe, runs, laborEach, fee, source } = spec
  assert(runs >= 1 && player !== 0 && base !== 0, 'a job needs runs, owner and base')
  const job = world.take(Job)
  const columns = world.write(Job)
  columns.player[job] = player
  columns.base[job] = base
  columns.facility[job] = spec.facility
  columns.recipe[job] = recipe
  columns.mode[job] = spec.mode
  columns.status[job] = QUEUED
  columns.lane[job] = spec.lane
  columns.position[job] = spec.position
  columns.runsTotal[job] = runs
  columns.need[job] = spec.need
  columns.laborEach[job] = laborEach
  columns.fee[job] = fee
  columns.escrow[job] = openContainer(world)
  columns.fromFaction[job] = numberOfFaction(world, source)
  columns.fromStore[job] = source.bucket
  setTarget(world, job, spec.target)
  spec.pack?.(job, columns.escrow[job])
  // Without packages of inputs, the store supplies them.
  if (packagesIn(world, columns.escrow[job]).every((pkg) => pkg === columns.pkg[job])) {
    takeInputs(world, job, spec)
  }
  const summary = `Credits for ${recipeRow(recipe).name} are held until its runs are done.`
  takeCredits(
    world,
    { player, store: source, to: openEscrow(world, base) },
    laborEach * runs + fee,
    { verb: 'job_escrowed', summary, jobId: jobId(world, job) },
  )
  enterQueue(world, job)
  return job
}

/** Removes a job, whose escrow must be empty. */
export function closeJob(world: World, job: Row): void {
  const { escrow, facility } = world.read(Job)
  const container = escrow[job]
  const venue = facility[job]
  leaveQueue(world, job)
  if (venue !== 0 && liveJobsOf(world, venue) === 0) setBusy(world, venue, false)
  world.release(Job, job)
  closeContainer(world, container)
}

interface Refund {
  readonly inputs: readonly Held[]
  readonly labor: number
  readonly fee: number
}

/**
 * Cancels a job: inputs, labour and rent of the remaining runs go back to where they came from.
 * Source: crafting.md section 2, Cancel.
 */
export function cancelJob(world: World, job: Row): Refund {
  const { escrow, recipe, mode } = world.read(Job)
  const place = placeOf(world, job)
  const { player, base } = place
  const id = jobId(world, job)
  const source = sourceOf(world, job)
  const { labor, fee } = creditsHeld(world, job)
  returnPackages(world, job)
  const inputs = contentsOf(world, escrow[job])
  if (inputs.length > 0) {
    const goods = openGoods(world, place, source)
    for (const { item, units } of inputs) moveItems(world, escrow[job], goods, item, units)
  }
  const { name } = recipeRow(recipe[job])
  const summary = `Credits for ${name} came back.`
  giveCredits(world, { player, store: source, from: escrowAt(world, base) }, labor + fee, {
    verb: 'job_refunded',
    summary,
    jobId: id,
  })
  logAction(world, player, 'crafting', 'job_cancelled', `${name} was called off.`, {
    job_id: id,
    mode: MODES[mode[job]],
  })
  closeJob(world, job)
  return { inputs, labor, fee }
}

/**
 * Cancels jobs of a facility with refunds: all of them, or, when it closes to the public, those of
 * others that have not begun. Returns their number. Source: crafting.md section 7, set_access.
 */
export function cancelJobsOf(world: World, facility: Row, kind: 'external' | 'all'): number {
  assert(world.read(Facility).alive[facility] === 1, `facility ${facility} is gone`)
  const { lane, status } = world.read(Job)
  const cancelled = jobsAt(world, facility).filter(
    (job) => kind === 'all' || (lane[job] === EXTERNAL && status[job] === QUEUED),
  )
  for (const job of cancelled) cancelJob(world, job)
  return cancelled.length
}

/* Wire forms. Source: crafting.md section 5; contract, JobView. */

type JobView = Static<typeof jobViewSchema>

/** Quotes a job: what it costs, and whether it can be ordered. */
export function renderQuote(
  view: WorldView,
  plan: Plan,
  action: 'craft' | 'recycle',
): Static<typeof craftQuoteSchema> {
  const credits = creditsTotal(plan)
  const inputs = materialsRefusal(view, plan)
  const payment = creditsRefusal(view, plan)
  const queueRefusal = jobRefusal(view, plan) ?? backlogRefusal(view, plan)
  const hasRoom = takesAll(view, plan, plan.target, plan)
  const problems = [inputs, payment, queueRefusal].flatMap((refusal) => refusal?.message ?? [])
  if (!hasRoom) problems.push('The store that the outputs go to has no room for them.')
  return {
    action,
    kind: 'quote',
    dry_run: true,
    quantity: plan.quantity,
    ...planView(view, plan),
    cost: costView(plan),
    credits_total: credits,
    have_inputs: inputs === undefined,
    have_credits: payment === undefined,
    have_capacity: queueRefusal === undefined && hasRoom,
    message: problems.length === 0 ? 'This can be ordered as it is.' : problems.join(' '),
  }
}

/** Renders the jobs of a queue, each with the ticks until it is done. */
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
      ...(pkg[job] !== 0 && {
        package_id: packageId(view, pkg[job]),
        label: labelOf(view, pkg[job]),
      }),
    }
  })
}

/** Renders the jobs of a player, those done soonest first. */
export function renderJobsOf(view: WorldView, player: Eid, max: number): JobView[] {
  const own = jobsOf(view, player)
  const ids = new Set(own.map((job) => jobId(view, job)))
  const queues = new Set(own.map((job) => queueOfJob(view, job)))
  return [...queues]
    .flatMap((queue) => renderQueue(view, queue))
    .filter(({ job_id }) => ids.has(job_id))
    .sort((a, b) => a.eta_ticks - b.eta_ticks)
    .slice(0, max)
}
