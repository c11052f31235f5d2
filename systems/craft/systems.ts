/**
 * Jobs in a tick: facilities in the order of their numbers, then the workshops of docked players,
 * then reports. Also invariants, and the end of a faction. Source: crafting.md sections 11, 12.
 */
import { assert } from '../../core/assert.ts'
import { fail } from '../../core/errors.ts'
import { Container, contentsOf, type Held, Stack, sumHeld } from '../../core/goods.ts'
import { guard } from '../../core/guard.ts'
import { sampleOf } from '../../core/invariants.ts'
import { Account, balanceOf, canReceive } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { Player, PlayerStats } from '../account/state.ts'
import { hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { PACKAGE_WRITES } from '../cargo/rules.ts'
import { isRunning } from '../facility/model.ts'
import { Facility, Grid } from '../facility/state.ts'
import { treasuryOf } from '../faction/model.ts'
import { disbanded, disbanding, Faction, FactionStore } from '../faction/state.ts'
import { Mission } from '../mission/state.ts'
import { XP_WRITES } from '../skill/rules.ts'
import { Location } from '../travel/state.ts'
import { creditsHeld, escrowAt, inputsHeld, packagedInputs } from './model.ts'
import { cancelJob, setTarget } from './rules.ts'
import { Job, type Queue, RUNNING } from './state.ts'
import { OWN_STORE } from './store-model.ts'
import {
  facilityGain,
  facilityQueues,
  queueOfJob,
  workshopGain,
  workshopQueues,
} from './venue-model.ts'
import { mayComplete, notifyReports, workQueue } from './work-systems.ts'

/* Invariants */

/** Work of a tick at the highest tier, thousandths. */
const GAIN_MAX = 27_000

/** Returns units by item as a text that can be compared. */
const digest = (goods: readonly Held[]): string => JSON.stringify(sumHeld(goods))

/** Checks a sample of the jobs: each needs a walk over its container. */
export const jobsHoldInputs: CheckDef = {
  name: 'jobs: escrow holds the inputs of the remaining runs, and each is in its queue',
  run(view, full) {
    if (!full) return
    const { alive, escrow, runsDone, runsTotal, status, progress, need, base } = view.read(Job)
    const { first, step } = sampleOf(view, Job)
    for (let job = first; job <= view.highOf(Job); job += step) {
      if (alive[job] === 0) continue
      assert(runsDone[job] < runsTotal[job], `job ${job} is complete and still there`)
      const held = digest([...contentsOf(view, escrow[job]), ...packagedInputs(view, job)])
      const due = digest(inputsHeld(view, job))
      assert(held === due, `job ${job} holds ${held}, not ${due}`)
      const queue = queueOfJob(view, job)
      assert(queue.jobs.includes(job) && queue.base === base[job], `job ${job} is queued elsewhere`)
      const isCurrent = queue.current === job
      assert(status[job] !== RUNNING || isCurrent, `job ${job} runs beside another`)
      assert(progress[job] <= need[job] + GAIN_MAX, `job ${job} has gained too much`)
    }
  },
}

export const jobsHoldCredits: CheckDef = {
  name: 'jobs: the escrow of a base is the labor and rent of the remaining runs',
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

/* The end of a faction. Source: factions.md section 3. */

/** Returns the jobs that a faction paid for, or gets the outputs of. O(jobs). */
function jobsFor(view: WorldView, faction: Row, column: 'fromFaction' | 'toFaction'): Row[] {
  const { alive, [column]: factionOf } = view.read(Job)
  const { seq } = view.read(Faction)
  const rows: Row[] = []
  for (let job = 1; job <= view.highOf(Job); job++) {
    if (alive[job] === 1 && factionOf[job] === seq[faction]) rows.push(job)
  }
  return rows
}

/** Refuses to end a faction whose refunds lack rows, or do not fit into the heir's wallet. */
export const refundsFit = guard(disbanding, (view, { faction, heir }) => {
  const jobs = jobsFor(view, faction, 'fromFaction')
  if (jobs.length === 0) return undefined
  const stacks = jobs.reduce((sum, job) => sum + inputsHeld(view, job).length, 0)
  const isFull =
    [Container, Stack, FactionStore].some((table) => isNearlyFull(view, table)) ||
    stacks > divFloor(view.roomIn(Stack), 4) ||
    jobs.length > divFloor(Math.min(view.roomIn(FactionStore), view.roomIn(Container)), 4)
  if (isFull) return fail('limit_reached')
  const held = jobs.reduce(
    (sum, job) => {
      const { labor, fee } = creditsHeld(view, job)
      return sum + labor + fee
    },
    balanceOf(view, treasuryOf(view, faction)),
  )
  return canReceive(view, walletOf(view, heir), held) ? undefined : fail('amount_too_large')
})

/**
 * Cancels the jobs that the faction paid for, with refunds to the stores that its heir receives,
 * and sends the outputs of other jobs to their players' lockers.
 */
export const endFactionJobs = observe(disbanded, (world, { faction }) => {
  for (const job of jobsFor(world, faction, 'fromFaction')) cancelJob(world, job)
  for (const job of jobsFor(world, faction, 'toFaction')) setTarget(world, job, OWN_STORE)
})

/* Work */

/**
 * Works on queues one after the other while there are rows for outputs. Only completed runs take
 * rows, so room is checked again only after those.
 */
function workAll(
  world: World,
  queues: readonly Queue[],
  gainAt: (queue: Queue) => (job: Row) => number,
): void {
  let hasRoom = mayComplete(world)
  for (const queue of queues) {
    if (!hasRoom) return
    if (workQueue(world, queue, gainAt(queue)) > 0) hasRoom = mayComplete(world)
  }
}

function workFacilities(world: World): void {
  // Copied: a queue that becomes empty leaves the list.
  const running = facilityQueues(world).filter(({ facility }) => isRunning(world, facility))
  workAll(world, running, ({ facility }) => {
    const gain = facilityGain(world, facility)
    return () => gain
  })
}

/** Returns the queues of workshops whose players are docked there. */
function attendedWorkshops(world: World): Queue[] {
  const { ship } = world.read(Player)
  const { base: dockedAt } = world.read(Location)
  return workshopQueues(world).filter(
    ({ player, base }) => dockedAt[ship[player]] === base && hasService(world, base, 'crafting'),
  )
}

function workWorkshops(world: World): void {
  const { recipe } = world.read(Job)
  const gainOf =
    ({ player }: Queue) =>
    (job: Row) =>
      workshopGain(world, player, recipe[job])
  workAll(world, attendedWorkshops(world), gainOf)
}

export const work: SystemDef = {
  name: 'craft.work',
  phase: 'produce',
  writes: [
    ...PACKAGE_WRITES,
    ...XP_WRITES,
    Account,
    Base,
    Facility,
    FactionStore,
    Grid,
    Job,
    Mission,
    PlayerStats,
  ],
  run(world) {
    workFacilities(world)
    workWorkshops(world)
    notifyReports(world)
  },
}
