/**
 * Work on a queue: its head gains progress, completed runs turn inputs into outputs, wages, rent
 * and experience, and are reported once a tick. Source: crafting.md sections 2, 3, 5.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { Container, type Held, moveItems, namedContainer, Stack } from '../../core/goods.ts'
import { Account, canReceive, namedAccount, post } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName } from '../base/model.ts'
import { labelOf } from '../cargo/model.ts'
import { fillPackage, packageId } from '../cargo/rules.ts'
import { Locker } from '../cargo/state.ts'
import { facilityId, facilityName, ownerOf } from '../facility/model.ts'
import { accountOf, openCitizenPool, setBusy } from '../facility/rules.ts'
import { Facility, OF_FACTION, OF_PLAYER } from '../facility/state.ts'
import { recordFactionLog } from '../faction/model.ts'
import { Faction, FactionStore } from '../faction/state.ts'
import { logCredits } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { awardXp } from '../skill/rules.ts'
import { creditsHeld, escrowAt, feeOf, jobId, placeOf, targetOf } from './model.ts'
import { countRuns, setCurrent } from './queue-rules.ts'
import {
  countUnits,
  engineeringXpOfRun,
  givenBy,
  makesFuel,
  recipeRow,
  skillOfRecipe,
  takenBy,
  xpOfRun,
} from './recipe-model.ts'
import { closeJob } from './rules.ts'
import { craftingUpdate } from './schemas.ts'
import {
  BLOCKED,
  CRAFT,
  ENGINEERING_XP_PER_TICK_MAX,
  EXTERNAL,
  JOB_RUNS_PER_TICK_MAX,
  JOBS_TRIED_MAX,
  Job,
  MODES,
  PACK,
  PRODUCED,
  type Queue,
  RENT_DUE,
  REPORTS,
  type Report,
  RUNNING,
  UNPACK,
  type Update,
  WORKSHOP_XP_PER_TICK_MAX,
} from './state.ts'
import { storeName } from './store-model.ts'
import {
  deliverContents,
  deliverPackage,
  openGoods,
  openInputs,
  pourFuel,
  takesAll,
} from './store-rules.ts'
import { venueName } from './venue-model.ts'

/* Rent */

/** Records rent that is due to the owner of a job's facility. */
function addRent(world: World, job: Row, credits: number): void {
  if (credits === 0) return
  const { facility } = world.read(Job)
  const due = world.index(RENT_DUE)
  due.set(facility[job], (due.get(facility[job]) ?? 0) + credits)
}

function payRent(world: World, facility: Row, credits: number): void {
  const { ownerKind, player, faction, base } = world.read(Facility)
  const from = escrowAt(world, base[facility])
  const to = accountOf(world, ownerOf(world, facility), base[facility])
  const fits = canReceive(world, to, credits)
  post(world, from, fits ? to : namedAccount('fee_sink'), credits)
  if (!fits) return
  const facility_id = facilityId(world, facility)
  const verb = 'rent_income'
  const summary = `Rent of ${facilityName(world, facility)} at ${baseName(world, base[facility])}.`
  if (ownerKind[facility] === OF_FACTION) {
    const leader = world.read(Faction).leader[faction[facility]]
    const data = { facility_id, credits }
    recordFactionLog(world, faction[facility], leader, { verb, summary, data })
  }
  if (ownerKind[facility] === OF_PLAYER) {
    logCredits(world, player[facility], credits, 'crafting', verb, summary, { facility_id })
  }
}

export const settleRent: SystemDef = {
  name: 'craft.settle',
  phase: 'settle',
  writes: [Account],
  run(world) {
    const due = world.index(RENT_DUE)
    // In the order of the queues, which is that of the facilities' numbers.
    for (const [facility, credits] of due) payRent(world, facility, credits)
    due.clear()
  },
}

/* Runs */

/** Free rows that completing a run may need: a stack for each output, a locker. */
const ROWS_LEFT_MIN = 64

/** Returns whether there are rows for outputs; else work waits. */
export const mayComplete = (view: WorldView): boolean =>
  [Stack, Container, Locker, FactionStore].every((table) => view.roomIn(table) >= ROWS_LEFT_MIN)

/** Returns how many of these runs have outputs that fit into the store. */
function fittingRuns(view: WorldView, job: Row, runs: number): number {
  const { recipe, mode, runsDone, pkg } = view.read(Job)
  const place = placeOf(view, job)
  const target = targetOf(view, job)
  const goesToLocker = target.faction === 0 && !makesFuel(recipe[job], mode[job])
  if (goesToLocker || pkg[job] !== 0) return runs
  const fits = (count: number): boolean =>
    takesAll(view, place, target, {
      recipe: recipe[job],
      mode: mode[job],
      gives: givenBy(recipe[job], mode[job], runsDone[job], count),
    })
  if (fits(runs)) return runs
  let low = 0
  let high = runs
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

/** Returns the job a queue works on next; 0 if all that are tried are blocked. */
function nextJob(view: WorldView, queue: Queue): Row {
  const { progress, status } = view.read(Job)
  const { current } = queue
  // A run that has begun is not interrupted.
  if (current !== 0 && status[current] === RUNNING && progress[current] > 0) return current
  const tried = Math.min(queue.jobs.length, JOBS_TRIED_MAX)
  for (let i = 0; i < tried; i++) {
    const job = queue.jobs[i]
    if (status[job] !== BLOCKED || fittingRuns(view, job, 1) === 1) return job
  }
  return 0
}

/** Stores or packs the outputs of runs; returns them. */
function storeOutputs(world: World, job: Row, runs: number): readonly Held[] {
  const { recipe, mode, runsDone, runsTotal, pkg } = world.read(Job)
  const outputs = givenBy(recipe[job], mode[job], runsDone[job], runs)
  const made = namedContainer('produced')
  if (mode[job] === UNPACK) return deliverContents(world, job)
  if (pkg[job] !== 0) {
    if (mode[job] !== PACK) fillPackage(world, pkg[job], made, outputs)
    if (runsDone[job] + runs === runsTotal[job]) deliverPackage(world, job)
    return outputs
  }
  if (outputs.length === 0) return outputs
  const place = placeOf(world, job)
  const target = targetOf(world, job)
  if (makesFuel(recipe[job], mode[job])) {
    pourFuel(world, place, target, countUnits(outputs), jobId(world, job))
    return outputs
  }
  const goods = openGoods(world, place, target)
  for (const { item, units } of outputs) moveItems(world, made, goods, item, units)
  return outputs
}

/** Completes runs of a job. Source: crafting.md section 2, run completion. */
function completeRuns(world: World, queue: Queue, job: Row, runs: number): void {
  const { recipe, mode, runsDone, laborEach, escrow, base, player, facility } = world.read(Job)
  const done = runsDone[job]
  openInputs(world, job)
  const used = namedContainer('consumption')
  for (const { item, units } of takenBy(recipe[job], mode[job])) {
    moveItems(world, escrow[job], used, item, units * runs)
  }
  const credits = escrowAt(world, base[job])
  const wages = laborEach[job] * runs
  const pool = openCitizenPool(world, base[job])
  post(world, credits, canReceive(world, pool, wages) ? pool : namedAccount('fee_sink'), wages)
  addRent(world, job, feeOf(world, job, done + runs) - feeOf(world, job, done))
  const outputs = storeOutputs(world, job, runs)
  countRuns(world, queue, job, runs)
  if (mode[job] === CRAFT) {
    addStat(world, player[job], 'items_crafted', countUnits(outputs))
    if (facility[job] !== 0) {
      addStat(world, player[job], 'facility_items_produced', countUnits(outputs))
    }
    for (const { item, units } of outputs) {
      recordProgress(world, player[job], 'craft_item', { key: item, units })
    }
  }
  recordRuns(world, job, runs, outputs)
}

interface Step {
  /** Work left over from the previous job; for the first job, the gain of the tick. */
  carry: number
  /** Runs completed in this tick. */
  runs: number
}

/**
 * Works on one job of a queue; returns whether the next job has a turn in this tick. Source:
 * crafting.md section 3.
 */
function workOn(world: World, queue: Queue, job: Row, gain: number, step: Step): boolean {
  const { need, progress, status, runsTotal, runsDone } = world.write(Job)
  let work = Math.min(progress[job] + step.carry, need[job] + gain)
  setCurrent(world, queue, job)
  const left = runsTotal[job] - runsDone[job]
  assert(left > 0 && need[job] > 0, `job ${job} is complete`)
  // A job that is not the first of its queue ends its turn with the current run.
  const isFirst = queue.jobs[0] === job
  const possible = Math.min(divFloor(work, need[job]), left, JOB_RUNS_PER_TICK_MAX - step.runs)
  const runs = possible === 0 ? 0 : fittingRuns(world, job, isFirst ? possible : 1)
  if (runs > 0) {
    completeRuns(world, queue, job, runs)
    step.runs += runs
    work -= need[job] * runs
  }
  if (runs === left) {
    closeJob(world, job)
    step.carry = work
    return work > 0 && step.runs < JOB_RUNS_PER_TICK_MAX
  }
  if (!isFirst && runs > 0) {
    progress[job] = 0
    step.carry = work
    return work > 0 && step.runs < JOB_RUNS_PER_TICK_MAX
  }
  progress[job] = work
  if (work >= need[job] && step.runs < JOB_RUNS_PER_TICK_MAX) status[job] = BLOCKED
  return false
}

/**
 * Works on a queue for a tick; `gainOf`: the work of a tick on a job. Returns the runs completed.
 */
export function workQueue(world: World, queue: Queue, gainOf: (job: Row) => number): number {
  const step: Step = { carry: 0, runs: 0 }
  let job = nextJob(world, queue)
  if (queue.facility !== 0) setBusy(world, queue.facility, job !== 0)
  if (job !== 0) step.carry = gainOf(job)
  for (let turns = 0; job !== 0 && turns < JOB_RUNS_PER_TICK_MAX; turns++) {
    // One job takes few rows, a queue may take many.
    if (!workOn(world, queue, job, gainOf(job), step) || !mayComplete(world)) return step.runs
    job = queue.jobs.length === 0 ? 0 : nextJob(world, queue)
  }
  return step.runs
}

/* Reports */

function reportFor(world: World, player: Eid): Report {
  const reports = world.index(REPORTS)
  let report = reports.get(player)
  if (!report) {
    report = { jobs: new Map(), xp: { refining: 0, crafting: 0, engineering: 0 } }
    reports.set(player, report)
  }
  return report
}

function newUpdate(world: World, job: Row): Update {
  const { recipe, mode, facility, base, lane, pkg } = world.read(Job)
  return {
    job_id: jobId(world, job),
    recipe: recipeRow(recipe[job]).id,
    mode: MODES[mode[job]],
    venue: venueName(world, facility[job], base[job]),
    storage: storeName(world, base[job], targetOf(world, job)),
    deposited: new Map(),
    runs_done: 0,
    runs_remaining: 0,
    escrowed_credits: 0,
    completed: false,
    external: lane[job] === EXTERNAL,
    ...(pkg[job] !== 0 &&
      mode[job] !== UNPACK && {
        output_package_id: packageId(world, pkg[job]),
        output_package_label: labelOf(world, pkg[job]),
      }),
  }
}

/** Records runs of a job that have just been counted, with their outputs. */
function recordRuns(world: World, job: Row, runs: number, outputs: readonly Held[]): void {
  const { player, recipe, mode, facility, runsDone, runsTotal } = world.read(Job)
  const { jobs, xp } = reportFor(world, player[job])
  let update = jobs.get(job)
  if (!update) {
    update = newUpdate(world, job)
    jobs.set(job, update)
  }
  for (const { item, units } of outputs) {
    update.deposited.set(item, (update.deposited.get(item) ?? 0) + units)
  }
  recordProduced(world, job, outputs)
  const { labor, fee } = creditsHeld(world, job)
  update.runs_done = runsDone[job]
  update.runs_remaining = runsTotal[job] - runsDone[job]
  update.completed = update.runs_remaining === 0
  update.escrowed_credits = labor + fee
  // Only work at a player's own workshop trains them.
  if (facility[job] === 0 && mode[job] === CRAFT) {
    xp[skillOfRecipe(recipe[job])] += runs * xpOfRun(recipe[job])
    xp.engineering += runs * engineeringXpOfRun(recipe[job])
  }
}

/** Records outputs that went to a store of a faction. */
function recordProduced(world: World, job: Row, outputs: readonly Held[]): void {
  const { faction } = targetOf(world, job)
  if (faction === 0 || outputs.length === 0) return
  const { player, base } = world.read(Job)
  const key = `${faction}:${base[job]}`
  const produced = world.index(PRODUCED)
  const made = produced.get(key)?.made ?? new Map<number, number>()
  if (!produced.has(key)) produced.set(key, { faction, base: base[job], actor: player[job], made })
  for (const { item, units } of outputs) made.set(item, (made.get(item) ?? 0) + units)
}

/** Logs for factions what jobs delivered to their stores in a tick, one line a base. */
function logProduced(world: World): void {
  const produced = world.index(PRODUCED)
  for (const { faction, base, actor, made } of produced.values()) {
    const items = [...made].map(([item, quantity]) => ({ item_id: GOODS[item].id, quantity }))
    const goods = [...made].map(([item, units]) => `${units} ${GOODS[item].name}`).join(', ')
    recordFactionLog(world, faction, actor, {
      verb: 'production_cycle',
      summary: `Delivered at ${baseName(world, base)}: ${goods}.`,
      data: { base_id: baseId(world, base), items: JSON.stringify(items) },
    })
  }
  produced.clear()
}

const updatePayload = (update: Update) => ({
  ...update,
  deposited: [...update.deposited].map(([item, quantity]) => ({
    item_id: GOODS[item].id,
    item_name: GOODS[item].name,
    quantity,
  })),
})

/** Awards the experience of the tick and notifies each player of completed runs. */
export function notifyReports(world: World): void {
  const reports = world.index(REPORTS)
  for (const [player, { jobs, xp }] of reports) {
    const refining = Math.min(xp.refining, WORKSHOP_XP_PER_TICK_MAX)
    const crafting = Math.min(xp.crafting, WORKSHOP_XP_PER_TICK_MAX - refining)
    if (refining > 0) awardXp(world, player, 'refining', refining)
    if (crafting > 0) awardXp(world, player, 'crafting', crafting)
    const engineering = Math.min(xp.engineering, ENGINEERING_XP_PER_TICK_MAX)
    if (engineering > 0) awardXp(world, player, 'engineering', engineering)
    const payload = { tick: world.tick, jobs: [...jobs.values()].map(updatePayload) }
    emit(world, craftingUpdate, payload, toPlayer(player))
  }
  reports.clear()
  logProduced(world)
}
