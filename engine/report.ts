/**
 *  What the world thread tells of its ticks: how long each phase took, and which ticks were slow.
 */
import type { Phase } from '../core/system.ts'
import type { World } from '../core/types.ts'
import type { LoopOptions } from './options.ts'

/** A tick that computes longer than this part of its length is logged. */
const SLOW_TICK_SHARE = 0.5

/** Told of each step of a tick when it is over. */
export interface TickReport {
  /** The next tick should begin at this time. Without it: when it does begin. */
  due(atMs: number): void
  begin(): void
  phaseOver(phase: Phase): void
  computed(): void
  /** Its journal row has been written. */
  durable(): void
  /**
   * Its answers and events are on their way to main. `sliceMs`: the longest time for which putting
   * them together, or handing them over, let nothing else run.
   */
  posted(sliceMs: number): void
  /**
   * Main has given its last frame to the sockets. Figures by metric name; logs the tick if it was
   * slow.
   */
  handedOver(): Readonly<Record<string, number>>
}

export function createTickReport(world: World, options: LoopOptions): TickReport {
  const { clock, post, tickMs, hashEvery } = options
  const phases: Record<string, number> = {}
  const at = { boundary: 0, began: 0, phase: 0, computed: 0, durable: 0, posted: 0 }
  let dueMs: number | undefined
  let slowTicks = 0
  let finishSliceMs = 0
  return {
    due: (atMs) => {
      dueMs ??= atMs
    },
    begin: () => {
      at.began = clock.monotonicMs()
      at.boundary = dueMs ?? at.began
      at.phase = at.began
      dueMs = undefined
    },
    phaseOver: (phase) => {
      const now = clock.monotonicMs()
      phases[`phase_${phase}_ms`] = now - at.phase
      at.phase = now
      options.phaseOver?.(phase)
    },
    computed: () => {
      at.computed = clock.monotonicMs()
    },
    durable: () => {
      at.durable = clock.monotonicMs()
    },
    posted: (sliceMs) => {
      at.posted = clock.monotonicMs()
      finishSliceMs = sliceMs
    },
    handedOver() {
      const { tick } = world
      const now = clock.monotonicMs()
      const computeMs = at.computed - at.began
      if (computeMs > tickMs * SLOW_TICK_SHARE) {
        slowTicks++
        const text = `slow tick: ${Math.round(computeMs)} ms of ${tickMs}`
        post({ kind: 'log', level: 'warn', fields: { tick, ...phases }, text })
      }
      return {
        ...phases,
        tick,
        tick_late_ms: at.began - at.boundary,
        tick_compute_ms: computeMs,
        tick_cost_ms: computeMs + now - at.durable,
        journal_ms: at.durable - at.computed,
        finish_ms: at.posted - at.durable,
        finish_slice_ms: finishSliceMs,
        journal_and_publish_ms: now - at.computed,
        tick_to_sockets_ms: now - at.boundary,
        slow_ticks: slowTicks,
        last_hash_tick: tick - (tick % hashEvery),
        journal_batch: world.batch,
        players: world.countOf(world.players),
      }
    },
  }
}
