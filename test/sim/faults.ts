/**
 * The faults a simulation may meet, and which of them a seed arms: about half, so that seeds differ
 * in kind and not only in luck (swarm testing, RELIABILITY 5).
 */
import type { Dice } from '../../core/dice.ts'

export const FAULTS = {
  commit_delay: 'commits take a while; the world waits',
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
  slow_reader: 'a socket takes nothing for a while',
  slow_publish: 'a batch is handed over in slices; others come and go between two of them',
} as const
type Fault = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as Fault[]

/** How often an armed fault strikes when its turn comes, in a thousand. */
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
}
/**
 * The link gives up at three ends of the world at one tick: that is a promise of its own, not tried
 * here.
 */
const ENDS_AT_ONE_TICK_MAX = 2
/** What main hands over when an end is drawn may move its tick by one before it counts the end. */
const TICKS_NEAR = 1

export interface FaultPlan {
  readonly armed: ReadonlySet<Fault>
  /** True when the fault strikes now. Every call is a draw. */
  strikes(fault: Fault): boolean
  /** As `strikes`, for what ends the world; never too often near one tick of main. */
  ends(fault: Fault): boolean
  /** Says which tick main is at. */
  mainTick: () => number
  /** From now on nothing strikes. */
  stop(): void
  readonly struck: Map<Fault, number>
}

export function drawFaults(faults: boolean | readonly string[], dice: Dice): Set<Fault> {
  if (faults === false) return new Set()
  if (faults === true) return new Set(dice.half(FAULT_NAMES))
  return new Set(FAULT_NAMES.filter((name) => faults.includes(name)))
}

export function createFaultPlan(armed: ReadonlySet<Fault>, dice: Dice): FaultPlan {
  const struck = new Map<Fault, number>()
  let isOver = false
  let recentEnds: number[] = []
  const branches = new Map(FAULT_NAMES.map((name) => [name, dice.branch(name)]))
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
