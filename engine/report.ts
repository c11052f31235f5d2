/** Measures a tick: how long each step and phase took, and whether it was slow. */
import type { BatchRun } from '../core/engine.ts'
import type { CommitFigures } from '../core/ports.ts'
import type { Phase } from '../core/system.ts'
import type { World } from '../core/types.ts'
import type { TickFigures } from '../core/wire/tick-figures.ts'
import type { LoopOptions } from './options.ts'
import { createRecorder, type Recorder, readGauges } from './recorder.ts'

/** A tick that computes for longer than this share of its length is logged as slow. */
const SLOW_TICK_SHARE = 0.5

/** Called when each step of a tick is over. */
export interface TickReport {
  readonly recorder: Recorder
  /** Sets when the next tick should begin; without it, the tick counts from when it does begin. */
  due(atMs: number): void
  begin(): void
  phaseOver(phase: Phase): void
  /** Records how long something else ran while the tick was computed. */
  readonly between: (startMs: number, ms: number) => void
  /** Calls `busy` of the options, and records the longest time for which it was true. */
  readonly watchBusy: (busy: boolean) => void
  /** Records how long a snapshot kept the thread from everything else. */
  readonly paused: Recorder['pause']
  computed(run: BatchRun): void
  /** Called when the tick's journal row is durable. */
  durable(): void
  /**
   * Called when the tick's answers and events are posted to main. `sliceMs`: the longest time for
   * which assembling or posting them let nothing else run.
   */
  posted(sliceMs: number, commit: CommitFigures): void
  /**
   * Called when main has given the tick's last frame to the sockets. `isStoring`: a snapshot is
   * being stored. Logs the tick if it was slow, and returns its figures.
   */
  handedOver(isStoring: boolean): Omit<TickFigures, 'stretch' | 'inbox' | keyof RunFigures>
}

/** When each step of a tick ended, and when the tick began. */
interface StepTimes {
  boundary: number
  began: number
  phase: number
  /** How long something else ran while the tick was computed. */
  between: number
  computed: number
  durable: number
  posted: number
}

const newTimes = (): StepTimes => ({
  boundary: 0,
  began: 0,
  phase: 0,
  between: 0,
  computed: 0,
  durable: 0,
  posted: 0,
})

const stepsOf = (times: StepTimes, overMs: number): TickFigures['stepsMs'] => ({
  wait: times.began - times.boundary,
  compute: times.computed - times.began,
  journal: times.durable - times.computed,
  finish: times.posted - times.durable,
  publish: overMs - times.posted,
})

function recordRun(recorder: Recorder, run: BatchRun): void {
  recorder.ran('mutations', run.inputs)
  recorder.count('events', run.outbox.emissions.length)
  recorder.count('rows', run.outbox.writes.length + 1)
  recorder.count('fullChecks', run.fullChecks)
}

/** Logs a tick that was slow to compute; returns whether it was. */
function logSlow(
  { post, tickMs }: LoopOptions,
  tick: number,
  computeMs: number,
  phasesMs: TickFigures['phasesMs'],
): boolean {
  if (computeMs <= tickMs * SLOW_TICK_SHARE) return false
  const text = `slow tick: ${Math.round(computeMs)} ms of ${tickMs}`
  post({ kind: 'log', level: 'warn', fields: { tick, phasesMs }, text })
  return true
}

/** Returns the hooks that measure for how long this thread answered queries, or could not. */
function turnsOf(
  times: StepTimes,
  recorder: Recorder,
  { clock, busy: reportBusy }: LoopOptions,
): Pick<TickReport, 'between' | 'watchBusy' | 'paused'> {
  let sinceMs = 0
  return {
    between: (startMs, ms) => {
      times.between += ms
      // The current phase must not be charged with this time.
      times.phase += ms
      recorder.pause('queries', startMs, ms)
    },
    watchBusy: (busy) => {
      const now = clock.monotonicMs()
      if (busy) sinceMs = now
      else recorder.unanswered(now - sinceMs)
      reportBusy(busy)
    },
    paused: (kind, startMs, ms) => {
      recorder.unanswered(ms)
      recorder.pause(kind, startMs, ms)
    },
  }
}

type RunFigures = Pick<TickFigures, 'inputs' | 'emissions'>

/** Returns how many inputs a tick ran and how many events it raised. */
export const figuresOfRun = ({ inputs, outbox }: BatchRun): RunFigures => ({
  inputs: inputs.length,
  emissions: outbox.emissions.length,
})

/** Returns the bytes of a world's columns, which never grow. */
function columnBytesOf({ stores }: World): number {
  let bytes = 0
  for (const { columns } of stores.values()) {
    for (const column of Object.values(columns)) bytes += column.byteLength
  }
  return bytes
}

/** Creates the report of a world's ticks; the loop calls its hooks as each step ends. */
export function createTickReport(world: World, options: LoopOptions): TickReport {
  const { clock, registry } = options
  const recorder = createRecorder(registry.gauges.map(({ name }) => name))
  const columnBytes = columnBytesOf(world)
  const phasesMs: Partial<Record<Phase, number>> = {}
  const times = newTimes()
  let dueMs: number | undefined
  let sliceMs = 0
  let isHashed = false
  let journal: CommitFigures['split']
  return {
    recorder,
    due: (atMs) => {
      dueMs ??= atMs
    },
    begin: () => {
      times.began = clock.monotonicMs()
      times.boundary = dueMs ?? times.began
      times.phase = times.began
      times.between = 0
      dueMs = undefined
      recorder.begin(times.boundary, times.began)
    },
    phaseOver: (phase) => {
      const now = clock.monotonicMs()
      phasesMs[phase] = now - times.phase
      times.phase = now
      recorder.partOver(phase, now)
      options.phaseOver?.(phase)
    },
    ...turnsOf(times, recorder, options),
    computed: (run) => {
      times.computed = clock.monotonicMs()
      recorder.partOver('check', times.computed)
      recordRun(recorder, run)
      isHashed = run.hash !== null
    },
    durable: () => {
      times.durable = clock.monotonicMs()
      recorder.partOver('journal', times.durable)
    },
    posted: (longestMs, commit) => {
      times.posted = clock.monotonicMs()
      recorder.partOver('finish', times.posted)
      sliceMs = longestMs
      journal = commit.split
    },
    handedOver(isStoring) {
      const { tick, wallMs } = world
      const now = clock.monotonicMs()
      const compute = times.computed - times.began - times.between
      const gauges = readGauges(registry, world)
      const unansweredMs = recorder.unansweredMs()
      recorder.over({ tick, wallMs, isHashed, isStoring, journal, gauges }, now)
      return {
        tick,
        stepsMs: stepsOf(times, now),
        phasesMs,
        gcMs: recorder.takeGc(),
        slowestMs: recorder.slowestMs(),
        workMs: compute + now - times.durable,
        sliceMs,
        unansweredMs,
        isSlow: logSlow(options, tick, compute, phasesMs),
        columnBytes,
        gauges,
      }
    },
  }
}
