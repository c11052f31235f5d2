/**
 * Jobs: finding them, opening them with what they hold in escrow, ending them with what is left of
 * it. What is refused is decided before. Source: crafting.md section 2.
 */
import { assert } from '../../core/assert.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { closeContainer, contentsOf, moveItems, openContainer } from '../../core/goods.ts'
import { openAccount } from '../../core/ledger.ts'
import { mulDivFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Facility } from '../facility/columns.ts'
import { setBusy } from '../facility/rules.ts'
import { logAction } from '../log/rules.ts'
import { packagesIn } from '../package/rules.ts'
import { Bench, EXTERNAL, Job, MODES, QUEUED } from './columns.ts'
import { returnPackages } from './package-rules.ts'
import { enterQueue, jobsAt, leaveQueue, liveJobsOf } from './queue-rules.ts'
import { needOf, recipeRow, takenBy, type Units } from './recipe-rules.ts'
import {
  giveCredits,
  numberOfFaction,
  openGoods,
  type Store,
  storeKept,
  takeCredits,
  tidyStore,
} from './store-rules.ts'

export { jobsAt, jobsOf, liveJobsOf } from './queue-rules.ts'

export const jobId = (view: WorldView, job: Row): string => idOf(view, Job, job)
export const jobById = (view: WorldView, id: string): Row => rowOfId(view, Job, id)

/** Where the job's goods and credits came from. */
export const sourceOf = (view: WorldView, job: Row): Store =>
  storeKept(view, view.read(Job).fromFaction[job], view.read(Job).fromStore[job])

/** Where the job's outputs go. */
export const targetOf = (view: WorldView, job: Row): Store =>
  storeKept(view, view.read(Job).toFaction[job], view.read(Job).toStore[job])

/** Sends what a job has still to give to a store. */
export function setTarget(world: World, job: Row, target: Store): void {
  const { toFaction, toStore } = world.write(Job)
  toFaction[job] = numberOfFaction(world, target)
  toStore[job] = target.bucket
}

export const placeOf = (view: WorldView, job: Row) => ({
  player: view.read(Job).player[job],
  base: view.read(Job).base[job],
})

/** Rent of the first `runs` runs: the shares sum to the fee. Source: crafting.md section 2. */
export const feeOf = (view: WorldView, job: Row, runs: number): number =>
  mulDivFloor(view.read(Job).fee[job], runs, view.read(Job).runsTotal[job])

/** Credits in escrow for the runs that are not completed. */
export function creditsHeld(view: WorldView, job: Row) {
  const { runsTotal, runsDone, laborEach, fee } = view.read(Job)
  const labor = laborEach[job] * (runsTotal[job] - runsDone[job])
  return { labor, fee: fee[job] - feeOf(view, job, runsDone[job]) }
}

/** What a job's runs that are not completed take. */
export function inputsHeld(view: WorldView, job: Row): Units[] {
  const { recipe, mode, runsTotal, runsDone } = view.read(Job)
  const runs = runsTotal[job] - runsDone[job]
  return takenBy(recipe[job], mode[job]).map(({ item, units }) => ({ item, units: units * runs }))
}

/** Account that holds the credits of the jobs at a base; 0 before the first. */
export const escrowAt = (view: WorldView, base: Row): Row => view.read(Bench).escrow[base]

function openEscrow(world: World, base: Row): Row {
  const found = escrowAt(world, base)
  if (found !== 0) return found
  const account = openAccount(world)
  world.write(Bench).escrow[base] = account
  return account
}

export interface NewJob {
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
export function openJob(world: World, of: NewJob): Row {
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

export interface Refund {
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
