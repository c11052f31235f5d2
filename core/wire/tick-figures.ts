/** What the world thread tells of a tick once its last frame is with the sockets. */
import type { Phase } from '../system.ts'

/** The way of a tick from its boundary to the sockets; together they are all of it. */
export const TICK_STEPS = ['wait', 'compute', 'journal', 'finish', 'publish'] as const
type TickStep = (typeof TICK_STEPS)[number]

export interface TickFigures {
  readonly tick: number
  readonly stepsMs: Readonly<Record<TickStep, number>>
  readonly phasesMs: Readonly<Partial<Record<Phase, number>>>
  /** All work of the tick without the wait for the database: what stretches ticks. */
  readonly workMs: number
  /** The longest time for which its results kept the world thread from everything else. */
  readonly sliceMs: number
  /** It computed for longer than half its length. */
  readonly isSlow: boolean
  /** A tick lasts so many times its length. */
  readonly stretch: number
  /** Commands that wait in the world thread. */
  readonly inbox: { readonly mutations: number; readonly immediates: number }
  /** Of the domains (core/registry.ts), by name. */
  readonly gauges: Readonly<Record<string, number>>
}
