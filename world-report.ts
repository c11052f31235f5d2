/**
 *  What the world thread tells of its ticks: how long each phase took, and which ticks were slow.
 */

import type { Phase } from './core/system.ts'
import type { World } from './core/world.ts'
import type { LoopOptions } from './world-loop.ts'

/** A tick that computes longer than this part of its length is logged. */
const SLOW_TICK_SHARE = 0.5

export interface TickReport {
  begin(atMs: number): void
  phaseOver(phase: Phase): void
  /** Figures of the tick that just ended, by metric name; logs it if it was slow. */
  tick(computeMs: number, commitMs: number): Readonly<Record<string, number>>
}

export function createTickReport(world: World, options: LoopOptions): TickReport {
  const { clock, post, tickMs, hashEvery } = options
  const phases: Record<string, number> = {}
  let lastMs = 0
  let slowTicks = 0
  return {
    begin: (atMs) => {
      lastMs = atMs
    },
    phaseOver: (phase) => {
      const now = clock.monotonicMs()
      phases[`phase_${phase}_ms`] = now - lastMs
      lastMs = now
    },
    tick(computeMs, commitMs) {
      const { tick } = world
      if (computeMs > tickMs * SLOW_TICK_SHARE) {
        slowTicks++
        const text = `slow tick: ${Math.round(computeMs)} ms of ${tickMs}`
        post({ kind: 'log', level: 'warn', fields: { tick, ...phases }, text })
      }
      return {
        ...phases,
        tick,
        tick_compute_ms: computeMs,
        journal_and_publish_ms: commitMs,
        slow_ticks: slowTicks,
        last_hash_tick: tick - (tick % hashEvery),
        journal_batch: world.batch,
        players: world.countOf(world.players),
      }
    },
  }
}
