/**
 * Who leads a world, as decisions without I/O: the lease, what a standby does about it, when a
 * leader has to prove that it still leads. The lease says who may try; whether a batch counts is
 * decided by the commit alone. storage/lease.ts has the same steps as statements. Source: SCALE 4.
 */
import type { NodeBeat } from '../core/bus.ts'
import {
  LEASE_COURTESY_MS,
  LEASE_MS,
  LEASE_RENEW_MS,
  NODE_BEAT_MS,
  ROWS_QUEUED_MAX,
} from '../core/limits-cluster.ts'

/** The right to lead, by the clock of the database. */
export interface Lease {
  /** Incarnation of the process that has it; 0: nobody ever had. */
  readonly holder: number
  /** Grows with each process or thread that begins to lead. */
  readonly epoch: number
  readonly expiresMs: number
}

export const NO_LEASE: Lease = { holder: 0, epoch: 0, expiresMs: 0 }

/** Returns the lease as a node takes it: a free one, or its own again; undefined: it may not. */
export function takenLease(lease: Lease, node: number, nowMs: number): Lease | undefined {
  if (lease.holder !== node && lease.expiresMs >= nowMs) return undefined
  return { holder: node, epoch: lease.epoch + 1, expiresMs: nowMs + LEASE_MS }
}

/** Returns the lease as its holder renews it; undefined: another has it, and the node must end. */
export function renewedLease(lease: Lease, node: number, nowMs: number): Lease | undefined {
  return lease.holder === node ? { ...lease, expiresMs: nowMs + LEASE_MS } : undefined
}

/** Returns the lease as its holder gives it back: the next node need not wait until it expires. */
export const releasedLease = (lease: Lease, node: number, nowMs: number): Lease =>
  lease.holder === node && lease.expiresMs > nowMs ? { ...lease, expiresMs: nowMs - 1 } : lease

interface StandbyView {
  /** Nobody has the lease. */
  readonly isFree: boolean
  /** The node itself has it: a thread of it led, and has ended. */
  readonly isOwn: boolean
  /** For how long this standby has seen it free. */
  readonly freeMs: number
  /** The database did not answer before that: a leader could not renew the lease either. */
  readonly wasAway: boolean
  /** It has a replica of the world. */
  readonly isFollowing: boolean
}

/**
 * Says what a standby does about the lease. One that has just started leaves it to others for a
 * moment: to a leader that starts beside it, and to a standby that has the world in memory.
 */
export function standbyStep(view: StandbyView): 'wait' | 'lead' {
  if (view.isOwn) return 'lead'
  if (!view.isFree) return 'wait'
  const patienceMs = view.isFollowing ? (view.wasAway ? LEASE_MS : 0) : LEASE_COURTESY_MS
  return view.freeMs >= patienceMs ? 'lead' : 'wait'
}

interface ReplicaView {
  /** The last batch of the replica, and the first whose archive rows it still has. */
  readonly batch: number
  readonly keptFrom: number
  /** The archive is written up to this batch. */
  readonly projected: number
  /** The replica has the settings by which the leader runs the world. */
  readonly hasSettings: boolean
}

/** Returns why a world cannot be led from this replica; undefined: it can. */
export function coldReason(replica: ReplicaView): string | undefined {
  if (!replica.hasSettings) return 'the settings of the world have changed'
  const isKept = replica.keptFrom <= replica.projected + 1 || replica.projected >= replica.batch
  return isKept ? undefined : 'the archive lacks rows that the replica no longer has'
}

/**
 * Returns whether a leader's thread stood still for so long that it may have been replaced, and
 * must prove its right: the lease may have been due for renewal when it stopped.
 */
export const mustProve = (stoodStillMs: number): boolean =>
  stoodStillMs >= LEASE_MS - LEASE_RENEW_MS

interface HeardNode {
  readonly beat: Pick<NodeBeat, 'node' | 'role' | 'leads' | 'applied'>
  /** Time since it was heard of last. */
  readonly ageMs: number
}

/** Beats that may be lost before a node counts as silent. */
const BEATS_MISSED_MAX = 4

/** Returns the living standby that is nearest to the head; undefined: there is none. */
export function successorOf(nodes: readonly HeardNode[], head: number): number | undefined {
  const able = nodes.filter(
    ({ beat, ageMs }) =>
      beat.role === 'standby' &&
      !beat.leads &&
      ageMs <= NODE_BEAT_MS * BEATS_MISSED_MAX &&
      head - beat.applied <= ROWS_QUEUED_MAX,
  )
  able.sort((a, b) => b.beat.applied - a.beat.applied || a.beat.node - b.beat.node)
  return able[0]?.beat.node
}
