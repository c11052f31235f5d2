/**
 *  What the world thread tells of its ticks: how long each phase took, and which ticks were slow.
 */
import type { Phase } from '../core/system.ts'
import type { World } from '../core/types.ts'
import type { TickFigures } from '../core/wire/tick-figures.ts'
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
   * Main has given its last frame to the sockets. Logs the tick if it was slow.
   */
  handedOver(): Omit<TickFigures, 'stretch' | 'inbox'>
}

export function createTickReport(world: World, options: LoopOptions): TickReport {
  const { clock, post, tickMs, registry } = options
  const phasesMs: Partial<Record<Phase, number>> = {}
  const at = { boundary: 0, began: 0, phase: 0, computed: 0, durable: 0, posted: 0 }
  let dueMs: number | undefined
  let sliceMs = 0
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
      phasesMs[phase] = now - at.phase
      at.phase = now
      options.phaseOver?.(phase)
    },
    computed: () => {
      at.computed = clock.monotonicMs()
    },
    durable: () => {
      at.durable = clock.monotonicMs()
    },
    posted: (longestMs) => {
      at.posted = clock.monotonicMs()
      sliceMs = longestMs
    },
    handedOver() {
      const { tick } = world
      const now = clock.monotonicMs()
      const compute = at.computed - at.began
      const isSlow = compute > tickMs * SLOW_TICK_SHARE
      if (isSlow) {
        const text = `slow tick: ${Math.round(compute)} ms of ${tickMs}`
        post({ kind: 'log', level: 'warn', fields: { tick, phasesMs }, text })
      }
      return {
        tick,
        stepsMs: {
          wait: at.began - at.boundary,
          compute,
          journal: at.durable - at.computed,
          finish: at.posted - at.durable,
          publish: now - at.posted,
        },
        phasesMs,
        workMs: compute + now - at.durable,
        sliceMs,
        isSlow,
        gauges: Object.fromEntries(registry.gauges.map(({ name, read }) => [name, read(world)])),
      }
    },
  }
}
