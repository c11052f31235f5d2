/** Figures of a tick: how long each step and phase took, and whether it was slow. */
import type { Phase } from '../core/system.ts'
import type { World } from '../core/types.ts'
import type { TickFigures } from '../core/wire/tick-figures.ts'
import type { LoopOptions } from './options.ts'

/** A tick that computes longer than this part of its length is logged. */
const SLOW_TICK_SHARE = 0.5

/** Called when each step of a tick is over. */
export interface TickReport {
  /** Sets when the next tick should begin; without it the time it does begin counts. */
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
  /** Main has given its last frame to the sockets. Logs the tick if it was slow. */
  handedOver(): Omit<TickFigures, 'stretch' | 'inbox'>
}

export function createTickReport(world: World, options: LoopOptions): TickReport {
  const { clock, post, tickMs, registry } = options
  const phasesMs: Partial<Record<Phase, number>> = {}
  const times = { boundary: 0, began: 0, phase: 0, computed: 0, durable: 0, posted: 0 }
  let dueMs: number | undefined
  let sliceMs = 0
  return {
    due: (atMs) => {
      dueMs ??= atMs
    },
    begin: () => {
      times.began = clock.monotonicMs()
      times.boundary = dueMs ?? times.began
      times.phase = times.began
      dueMs = undefined
    },
    phaseOver: (phase) => {
      const now = clock.monotonicMs()
      phasesMs[phase] = now - times.phase
      times.phase = now
      options.phaseOver?.(phase)
    },
    computed: () => {
      times.computed = clock.monotonicMs()
    },
    durable: () => {
      times.durable = clock.monotonicMs()
    },
    posted: (longestMs) => {
      times.posted = clock.monotonicMs()
      sliceMs = longestMs
    },
    handedOver() {
      const { tick } = world
      const now = clock.monotonicMs()
      const compute = times.computed - times.began
      const isSlow = compute > tickMs * SLOW_TICK_SHARE
      if (isSlow) {
        const text = `slow tick: ${Math.round(compute)} ms of ${tickMs}`
        post({ kind: 'log', level: 'warn', fields: { tick, phasesMs }, text })
      }
      return {
        tick,
        stepsMs: {
          wait: times.began - times.boundary,
          compute,
          journal: times.durable - times.computed,
          finish: times.posted - times.durable,
          publish: now - times.posted,
        },
        phasesMs,
        workMs: compute + now - times.durable,
        sliceMs,
        isSlow,
        gauges: Object.fromEntries(registry.gauges.map(({ name, read }) => [name, read(world)])),
      }
    },
  }
}
