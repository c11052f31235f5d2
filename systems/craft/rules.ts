/**
 * Jobs: finding them, opening them with what they hold in escrow, ending them with what is left of
 * it. What is refused is decided before. Source: crafting.md section 2.
 */
import { assert } from '../../core/assert.ts'
import { closeContainer, contentsOf, moveItems, openContainer } from '../../core/goods.ts'
import { balanceOf, openAccount } from '../../core/ledger.ts'
import type { Static } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { baseId, baseName } from '../base/model.ts'
import { CARGO_CONTAINER, labelOf, openLocker, packagesIn } from '../cargo/model.ts'
import {
  createPackage,
  layOutPackage,
  movePackage,
  packageId,
  reserveSlot,
} from '../cargo/rules.ts'
import { setBusy } from '../facility/rules.ts'
import { Facility } from '../facility/state.ts'
import { logAction } from '../log/rules.ts'
import { unloadCargo } from '../ship/model.ts'
import { creditsTotal, jobRefusal, materialsRefusal, type Plan } from './enqueue-model.ts'
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
import {
  giveCredits,
  openGoods,
  returnPackages,
  takeCredits,
  takesAll,
  tidyStore,
} from './package-rules.ts'
import { flownBy, type Packaged, type PackPlan } from './packing-model.ts'
import { enterQueue, leaveQueue } from './queue-rules.ts'
import type { craftQuoteSchema, jobViewSchema } from './schemas.ts'
import { Bench, EXTERNAL, Job, MODES, QUEUED, type Queue, RECYCLE, UNPACK } from './state.ts'
import {
  creditsOf,
  givenBy,
  HOLD,
  needOf,
  numberOfFaction,
  recipeRow,
  type Store,
  type Units,
} from './store-model.ts'
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

/** True if the store that gets the outputs takes them all as it is now. */
const hasRoom = (view: WorldView, plan: Plan): boolean => takesAll(view, plan, plan.target, plan)

/** Orders what is planned; the caller has asked `refusesPlan`. */
export function orderJob(world: World, plan: Plan, pack?: (job: Row, escrow: Row) => void): Row {
  const { player, base, recipe, mode, runs, venue, source, target } = plan
  const queue = queueOf(world, venue.facility, player, base)
  const position = lastPosition(world, queue, venue.lane) + 1
  const { facility, lane, laborEach, fee } = venue
  const kind = { player, base, facility, recipe, mode, lane, position }
  const need = workOfRun(plan, facility)
  const job = openJob(world, { ...kind, runs, laborEach, fee, source, target, need, pack })
  const verb = mode === RECYCLE ? 'recycling_queued' : 'job_queued'
  const said = `${recipeRow(recipe).name}, ${counted(runs, 'run')}: ${venueName(world, facility, base)}.`
  logAction(world, player, 'crafting', verb, said, {
    job_id: jobId(world, job),
    recipe: recipeRow(recipe).id,
    mode: MODES[mode],
    runs,
  })
  return job
}

/** Orders what is planned; the caller has asked `refusesPackage`. */
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
      if (isAboard) unloadCargo(world, flownBy(world, player), escrow, item, units)
      else moveItems(world, goods, escrow, item, units)
    }
    if (!isAboard) tidyStore(world, plan, plan.source)
    const { faction } = plan.target
    const owner = faction === 0 ? { player, faction } : { player: 0, faction }
    const to = { kind: 'escrow', container: escrow } as const
    const sealed = { from: escrow, contents: items, to, label, creator: player, owner }
    world.write(Job).pkg[job] = createPackage(world, sealed)
    reserveSlot(world, player, base)
  })
}

/** Puts a job's packages into its escrow, and the one for its outputs beside them. */
export function packFor(world: World, plan: Plan, { packages, label }: Packaged) {
  return (job: Row, escrow: Row): void => {
    const { player, base } = plan
    for (const pkg of packages) movePackage(world, pkg, { kind: 'escrow', container: escrow })
    if (label === undefined) return
    moveItems(world, openLocker(world, player, base), escrow, CARGO_CONTAINER, 1)
    const owner = { player, faction: 0 }
    const laid = { from: escrow, label, creator: player, owner }
    world.write(Job).pkg[job] = layOutPackage(world, laid)
    reserveSlot(world, player, base)
  }
}

/** Sends what a job has still to give to a store. */
export function setTarget(world: World, job: Row, target: Store): void {
  const { toFaction, toStore } = world.write(Job)
  toFaction[job] = numberOfFaction(world, target)
  toStore[job] = target.bucket
}

function openEscrow(world: World, base: Row): Row {
  const found = escrowAt(world, base)
  if (found !== 0) return found
  const account = openAccount(world)
  world.write(Bench).escrow[base] = account
  return account
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
  /** Work of a run, where it is not the recipe's. */
  readonly need?: number
  /** Puts packages into the escrow: they hold the inputs, or are what is worked on. */
  readonly pack?: (job: Row, escrow: Row) => void
}

/** Inputs of a job out of the store that pays, where no packages bring them. */
function takeInputs(world: World, job: Row, { player, base, source }: NewJob): void {
  const inputs = inputsHeld(world, job)
  if (inputs.length === 0) return
  const { escrow } = world.read(Job)
  const goods = openGoods(world, { player, base }, source)
  for (const { item, units } of inputs) moveItems(world, goods, escrow[job], item, units)
  tidyStore(world, { player, base }, source)
}

/** A job with its inputs and credits in escrow. The caller has made sure that they are there. */
function openJob(world: World, of: NewJob): Row {
  assert(of.runs >= 1 && of.player !== 0 && of.base !== 0, 'a job needs runs, owner and base')
  const job = world.take(Job)
  const { player, base, facility, recipe, mode, source, target } = of
  const columns = world.write(Job)
  columns.player[job] = player
  columns.base[job] = base
  columns.facility[job] = facility
  columns.recipe[job] = recipe
  columns.mode[job] = mode
  columns.status[job] = QUEUED
  columns.lane[job] = of.lane
  columns.position[job] = of.position
  columns.runsTotal[job] = of.runs
  columns.need[job] = of.need ?? needOf(recipe)
  columns.laborEach[job] = of.laborEach
  columns.fee[job] = of.fee
  columns.escrow[job] = openContainer(world)
  columns.fromFaction[job] = numberOfFaction(world, source)
  columns.fromStore[job] = source.bucket
  setTarget(world, job, target)
  if (of.pack) of.pack(job, columns.escrow[job])
  if (packagesIn(world, columns.escrow[job]).every((pkg) => pkg === columns.pkg[job])) {
    takeInputs(world, job, of)
  }
  const said = `Credits for ${recipeRow(recipe).name} are held until its runs are done.`
  takeCredits(
    world,
    { player, store: source, to: openEscrow(world, base) },
    of.laborEach * of.runs + of.fee,
    { verb: 'job_escrowed', said, jobId: jobId(world, job) },
  )
  enterQueue(world, job)
  return job
}

/** Gives a job's row back; its escrow must be empty. */
export function closeJob(world: World, job: Row): void {
  const { escrow, facility } = world.read(Job)
  const [container, place] = [escrow[job], facility[job]]
  leaveQueue(world, job)
  if (place !== 0 && liveJobsOf(world, place) === 0) setBusy(world, place, false)
  world.release(Job, job)
  closeContainer(world, container)
}

interface Refund {
  readonly inputs: readonly Units[]
  readonly labor: number
  readonly fee: number
}

/**
 * Ends a job that is not complete: inputs, labor and rent of the runs to come go back to where they
 * came from. Source: crafting.md section 2, Cancel.
 */
export function cancelJob(world: World, job: Row): Refund {
  const { player, base, escrow, recipe, mode } = world.read(Job)
  const [owner, id, place] = [player[job], jobId(world, job), placeOf(world, job)]
  const source = sourceOf(world, job)
  const { labor, fee } = creditsHeld(world, job)
  returnPackages(world, job)
  const inputs = contentsOf(world, escrow[job])
  if (inputs.length > 0) {
    const goods = openGoods(world, place, source)
    for (const { item, units } of inputs) moveItems(world, escrow[job], goods, item, units)
  }
  const name = recipeRow(recipe[job]).name
  const said = `Credits for ${name} came back.`
  giveCredits(
    world,
    { player: owner, store: source, from: escrowAt(world, base[job]) },
    labor + fee,
    { verb: 'job_refunded', said, jobId: id },
  )
  logAction(world, owner, 'crafting', 'job_cancelled', `${name} was called off.`, {
    job_id: id,
    mode: MODES[mode[job]],
  })
  closeJob(world, job)
  return { inputs, labor, fee }
}

/**
 * Calls off jobs of a facility with refunds: all of them, or, when it closes to the public, those
 * of others that have not begun. Returns their number. Source: crafting.md section 7, set_access.
 */
export function cancelJobsOf(world: World, facility: Row, kind: 'external' | 'all'): number {
  assert(world.read(Facility).alive[facility] === 1, `facility ${facility} is gone`)
  const { lane, status } = world.read(Job)
  const gone = jobsAt(world, facility).filter(
    (job) => kind === 'all' || (lane[job] === EXTERNAL && status[job] === QUEUED),
  )
  for (const job of gone) cancelJob(world, job)
  return gone.length
}

/* Jobs, quotes and queues as players see them. Source: crafting.md 5; contract, JobView. */

type JobView = Static<typeof jobViewSchema>

/** What a job would cost, and whether it can be paid. */
export function renderQuote(
  view: WorldView,
  plan: Plan,
  action: 'craft' | 'recycle',
): Static<typeof craftQuoteSchema> {
  const credits = creditsTotal(plan)
  const haveInputs = materialsRefusal(view, plan) === undefined
  const haveCredits = balanceOf(view, creditsOf(view, plan.player, plan.source)) >= credits
  const haveCapacity = jobRefusal(view, plan) === undefined && hasRoom(view, plan)
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
