/** Figures of a tick, as the world thread would report them. */
import type { TickFigures } from '../../../core/wire/tick-figures.ts'

export const tickFigures = (own: Partial<TickFigures> = {}): TickFigures => ({
  tick: 1,
  stepsMs: { wait: 1, compute: 2, journal: 4, finish: 8, publish: 16 },
  phasesMs: { act: 1.5 },
  gcMs: { minor: 2, major: 0, incremental: 0, weak: 0 },
  slowestMs: 40,
  workMs: 26,
  sliceMs: 3,
  unansweredMs: 6,
  isSlow: false,
  stretch: 1,
  inputs: 0,
  emissions: 0,
  columnBytes: 0,
  inbox: { mutations: 0, immediates: 0 },
  gauges: {},
  ...own,
})
