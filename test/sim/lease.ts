/**
 * The lease in the database of a simulation: the real rules of engine/lease.ts, on a clock that may
 * jump. Source: SCALE 4.
 */
import { type Lease, NO_LEASE, renewedLease, takenLease } from '../../engine/lease.ts'
import type { LeaseView } from '../../storage/lease.ts'
import type { Stage } from './stage.ts'

export interface SimLease {
  view(): LeaseView
  /** Takes the lease for a node; returns its epoch, or undefined if another node has it. */
  take(node: number): number | undefined
  /** Renews the lease of a node; returns false if another node has it. */
  renew(node: number): boolean
  /** Makes the clock of the database jump. */
  jump(ms: number): void
}

interface LeaseOptions {
  readonly stage: Stage
  /** The epoch of the world. */
  readonly world: string
  /** Returns the last durable batch; the archive has everything up to it. */
  readonly head: () => number
}

export function createSimLease({ stage, world, head }: LeaseOptions): SimLease {
  let lease: Lease = NO_LEASE
  let skewMs = 1
  const nowMs = (): number => stage.nowMs() + skewMs
  return {
    view() {
      const { holder, epoch, expiresMs } = lease
      const leftMs = expiresMs - nowMs()
      return { holder, epoch, isFree: leftMs < 0, leftMs, projected: head(), world }
    },
    take(node) {
      const taken = takenLease(lease, node, nowMs())
      if (taken) lease = taken
      return taken?.epoch
    },
    renew(node) {
      const renewed = renewedLease(lease, node, nowMs())
      if (renewed) lease = renewed
      return renewed !== undefined
    },
    jump(ms) {
      skewMs = Math.max(1, skewMs + ms)
    },
  }
}
