/**
 * The faults of a simulation, and which of them a seed arms: about half, so that seeds differ in
 * kind and not only in their draws (swarm testing, RELIABILITY 5).
 */
import type { Dice } from '../../core/dice.ts'

export const FAULTS = {
  commit_delay: 'a commit is slow; the world waits',
  crash_before_commit: 'the world ends with a batch that is not durable',
  lost_acknowledgement: 'the row is durable, the world ends before it knows',
  crash_before_publish: 'the world ends between the durable row and main',
  crash_during_publish: 'the world ends while main hands a batch to the sockets',
  crash_in_batch: 'the world ends in the middle of a batch, a command running',
  crash_in_snapshot: 'the world ends while a snapshot is written; it is not kept',
  crash_at_rest: 'the world ends between batches',
  snapshot_failure: 'a snapshot cannot be written',
  snapshot_delay: 'a snapshot takes several ticks',
  database_away: 'nothing is written or read for a while',
  process_end: 'the whole process ends; everyone connects again',
  client_gone: 'a client vanishes between sending and answer',
  slow_reader: 'a socket reads nothing for a while',
  slow_publish: 'a batch is published in slices; sockets open and close between two of them',
} as const
export const FAULT_NAMES = Object.keys(FAULTS) as (keyof typeof FAULTS)[]

/** Faults of a world with several nodes. */
export const NODE_FAULTS = {
  bus_delay: 'messages in one direction of the bus are late but in order',
  bus_drop: 'a message of the bus is lost',
  bus_duplicate: 'a message of the bus arrives twice, the second time late',
  bus_reorder: 'a message of the bus arrives after later ones',
  bus_partition: 'a node or leader is cut off the bus for a while, in one direction or both',
  bus_restart: 'the bus is down for a while, and messages in transit are lost',
  leader_pause: 'the leader freezes and resumes later, when another may lead',
  leader_end: 'the leader ends with work in flight',
  lease_clock: 'the clock of the database jumps: a lease expires early, or late',
  node_end: 'a gateway ends; its players log in elsewhere, and another takes its place',
  replica_end: 'the replica of a gateway ends, and its main starts another',
  commit_delay: FAULTS.commit_delay,
  crash_before_commit: FAULTS.crash_before_commit,
  lost_acknowledgement: FAULTS.lost_acknowledgement,
  crash_in_snapshot: FAULTS.crash_in_snapshot,
  snapshot_failure: FAULTS.snapshot_failure,
  snapshot_delay: FAULTS.snapshot_delay,
  database_away: FAULTS.database_away,
  client_gone: FAULTS.client_gone,
  slow_reader: FAULTS.slow_reader,
  slow_publish: FAULTS.slow_publish,
} as const
export const NODE_FAULT_NAMES = Object.keys(NODE_FAULTS) as (keyof typeof NODE_FAULTS)[]

type Fault = keyof typeof FAULTS | keyof typeof NODE_FAULTS

/** Chance that an armed fault strikes when it could, per mille. */
const PER_MILLE: Readonly<Record<Fault, number>> = {
  commit_delay: 150,
  crash_before_commit: 6,
  lost_acknowledgement: 6,
  crash_before_publish: 6,
  crash_during_publish: 6,
  crash_in_batch: 2,
  crash_in_snapshot: 100,
  crash_at_rest: 5,
  snapshot_failure: 300,
  snapshot_delay: 400,
  database_away: 5,
  process_end: 4,
  client_gone: 10,
  slow_reader: 15,
  slow_publish: 60,
  bus_delay: 30,
  bus_drop: 30,
  bus_duplicate: 40,
  bus_reorder: 30,
  bus_partition: 15,
  bus_restart: 6,
  leader_pause: 20,
  leader_end: 8,
  lease_clock: 15,
  node_end: 6,
  replica_end: 6,
}
/**
 * The link gives up after three ends of the world at one tick; other tests cover that, so the
 * simulation stays below it.
 */
const ENDS_AT_ONE_TICK_MAX = 2
/** Ends this many ticks apart count as near: main may move on a tick before it counts an end. */
const TICKS_NEAR = 1

export interface FaultPlan {
  readonly armed: ReadonlySet<Fault>
  /** Draws whether the fault strikes now. */
  strikes(fault: Fault): boolean
  /** Draws as `strikes` does, for faults that end the world; not too often near the same tick. */
  ends(fault: Fault): boolean
  /** Returns the tick that main is at. */
  mainTick: () => number
  /** Ends all faults: nothing strikes from now on. */
  stop(): void
  readonly struck: Map<Fault, number>
}

/** Draws which of these faults are armed. */
export function drawFaults<F extends Fault>(
  names: readonly F[],
  faults: boolean | readonly string[],
  dice: Dice,
): Set<F> {
  if (faults === false) return new Set()
  if (faults === true) return new Set(dice.half(names))
  return new Set(names.filter((name) => faults.includes(name)))
}

export function createFaultPlan(armed: ReadonlySet<Fault>, dice: Dice): FaultPlan {
  const struck = new Map<Fault, number>()
  let isOver = false
  let recentEnds: number[] = []
  const names = Object.keys(PER_MILLE) as Fault[]
  const branches = new Map(names.map((name) => [name, dice.branch(name)]))
  const draw = (fault: Fault): boolean => {
    if (isOver || !armed.has(fault)) return false
    return (branches.get(fault)?.below(1_000) ?? 1_000) < PER_MILLE[fault]
  }
  const count = (fault: Fault): true => {
    struck.set(fault, (struck.get(fault) ?? 0) + 1)
    return true
  }
  const plan: FaultPlan = {
    armed,
    struck,
    mainTick: () => 0,
    strikes: (fault) => draw(fault) && count(fault),
    ends(fault) {
      if (!draw(fault)) return false
      const tick = plan.mainTick()
      recentEnds = recentEnds.filter((end) => end >= tick - TICKS_NEAR)
      if (recentEnds.length >= ENDS_AT_ONE_TICK_MAX) return false
      recentEnds.push(tick)
      return count(fault)
    },
    stop: () => {
      isOver = true
    },
  }
  return plan
}
