/**
 * Decides who leads a world, without I/O: how the lease changes hands, what a standby does about
 * it, when a leader must prove that it still leads. The lease only limits who may try; whether a
 * batch counts is decided by its commit. storage/lease.ts has the same steps as SQL statements.
 * Source: SCALE 4.
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
  /** Incarnation of the process that holds it; 0: none ever has. */
  readonly holder: number
  /** Grows with each process or thread that begins to lead. */
  readonly epoch: number
  readonly expiresMs: number
}

export const NO_LEASE: Lease = { holder: 0, epoch: 0, expiresMs: 0 }

/** Returns the lease after `node` takes it; undefined if another node holds it. */
export function takenLease(lease: Lease, node: number, nowMs: number): Lease | undefined {
  if (lease.holder !== node && lease.expiresMs >= nowMs) return undefined
  return { holder: node, epoch: lease.epoch + 1, expiresMs: nowMs + LEASE_MS }
}

/** Returns the lease after `node` renews it; undefined if another holds it: the node must end. */
export function renewedLease(lease: Lease, node: number, nowMs: number): Lease | undefined {
  return lease.holder === node ? { ...lease, expiresMs: nowMs + LEASE_MS } : undefined
}

/** Returns the lease after its holder releases it: the next node need not wait for its expiry. */
export const releasedLease = (lease: Lease, node: number, nowMs: number): Lease =>
  lease.holder === node && lease.expiresMs > nowMs ? { ...lease, expiresMs: nowMs - 1 } : lease

interface StandbyView {
  /** No node holds the lease. */
  readonly isFree: boolean
  /** This node holds the lease: one of its threads led, and has ended. */
  readonly isOwn: boolean
  /** For how long this standby has seen the lease free. */
  readonly freeMs: number
  /** The database was down just before: a live leader could not renew the lease either. */
  readonly wasAway: boolean
  /** This standby has a replica of the world. */
  readonly isFollowing: boolean
}

/**
 * Decides what a standby does about the lease. One that has just started leaves it to others for a
 * while: to a leader that starts beside it, or to a standby that has the world in memory.
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
  /** The replica runs with the same settings as the leader's world. */
  readonly hasSettings: boolean
}

/** Returns why a world cannot be led from this replica; undefined if it can. */
export function coldReason(replica: ReplicaView): string | undefined {
  if (!replica.hasSettings) return 'the settings of the world have changed'
  const isKept = replica.keptFrom <= replica.projected + 1 || replica.projected >= replica.batch
  return isKept ? undefined : 'the archive lacks rows that the replica no longer has'
}

/**
 * Returns whether a leader's thread stalled for so long that it may have been replaced, and must
 * prove that it still leads: the lease may have been due for renewal when it stalled.
 */
export const mustProve = (stalledMs: number): boolean => stalledMs >= LEASE_MS - LEASE_RENEW_MS

interface HeardNode {
  readonly beat: Pick<NodeBeat, 'node' | 'role' | 'leads' | 'applied'>
  /** Time since its last heartbeat. */
  readonly ageMs: number
}

/** Beats that may be lost before a node counts as silent. */
const BEATS_MISSED_MAX = 4

/** Returns the live standby that is nearest to the head; undefined if there is none. */
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
