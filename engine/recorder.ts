/**
 * The flight recorder: keeps the slowest ticks, with the duration of their parts, what paused the
 * thread in them and how much they did. Other ticks cost no memory: rows are reused.
 */
import type { Registry } from '../core/registry.ts'
import { DAY_TICKS } from '../core/time.ts'
import type { World } from '../core/types.ts'
import {
  GC_KINDS,
  type GcKind,
  type JournalSplit,
  PAUSES,
  type PauseKind,
  type SlowTick,
  type SlowTicks,
  TICK_COUNTS,
  TICK_PARTS,
  type TickCount,
  type TickPart,
} from '../core/wire/tick-figures.ts'

/** How many of the slowest ticks are kept. */
export const SLOW_TICKS_MAX = 100

/** What is known about a tick when it ends. */
interface TickEnd {
  readonly tick: number
  readonly wallMs: number
  readonly isHashed: boolean
  readonly isStoring: boolean
  readonly journal: JournalSplit | undefined
  readonly gauges: Readonly<Record<string, number>>
}

export interface Recorder {
  /** Begins a tick that was due at the boundary. */
  begin(boundaryMs: number, beganMs: number): void
  partOver(part: TickPart, atMs: number): void
  /** Adds to a count of the tick that ends next. */
  count(what: Exclude<TickCount, 'players'>, by?: number): void
  /** Counts commands that ran, and the players who sent them, each once a tick. */
  ran(what: 'mutations' | 'immediates', commands: readonly { readonly player: number }[]): void
  /** Records how long the thread answered nothing, with the tick that ends next. */
  unanswered(ms: number): void
  /** Returns the longest such time since the last tick. */
  unansweredMs(): number
  /** Records how long main worked on the current tick. */
  published(busyMs: number): void
  /**
   * Records a pause of the thread. Pauses are reported after they end, so this one may belong to a
   * tick that is already over.
   */
  pause(kind: PauseKind, startMs: number, ms: number): void
  /** Ends the tick, and with it the last of its parts. */
  over(end: TickEnd, atMs: number): void
  /** Returns the garbage collector's pauses within ticks since the last call. */
  takeGc(): Record<GcKind, number>
  slowestMs(): number
  report(): SlowTicks
}

/** The figures of a tick. Times are on the loop's clock; lists follow the order of their names. */
interface Row {
  tick: number
  wallMs: number
  /** Infinity before the tick begins, so that no pause falls into it. */
  boundaryMs: number
  totalMs: number
  mainMs: number
  unansweredMs: number
  isHashed: boolean
  isStoring: boolean
  /** Infinity until the part is over. */
  readonly ends: Float64Array
  /** How long pauses took of each part. */
  readonly paused: Float64Array
  readonly pauses: Float64Array
  /** encode, queue, roundTrip */
  readonly journal: Float64Array
  readonly counts: Float64Array
  readonly gauges: Float64Array
}

const PARTS = TICK_PARTS.length
const SPLIT = ['encode', 'queue', 'roundTrip'] as const

const newRow = (gauges: number): Row =>
  clear({
    tick: 0,
    wallMs: 0,
    boundaryMs: 0,
    totalMs: 0,
    mainMs: 0,
    unansweredMs: 0,
    isHashed: false,
    isStoring: false,
    ends: new Float64Array(PARTS),
    paused: new Float64Array(PARTS),
    pauses: new Float64Array(PAUSES.length),
    journal: new Float64Array(SPLIT.length),
    counts: new Float64Array(TICK_COUNTS.length),
    gauges: new Float64Array(gauges),
  })

function clear(row: Row): Row {
  row.boundaryMs = Infinity
  row.mainMs = 0
  row.unansweredMs = 0
  row.ends.fill(Infinity)
  for (const list of [row.paused, row.pauses, row.journal, row.counts]) list.fill(0)
  return row
}

const startOf = ({ ends, boundaryMs }: Row, part: number): number =>
  part === 0 ? boundaryMs : ends[part - 1]

const named = <N extends string>(names: readonly N[], values: ArrayLike<number>) =>
  Object.fromEntries(names.map((name, i) => [name, values[i]])) as Record<N, number>

interface State {
  /** Slowest first. */
  readonly kept: Row[]
  /** The tick in progress, or the next one. */
  current: Row
  /** The last tick that was not kept: pauses in it may still be reported. */
  previous: Row
  ticks: number
  /** Sums over all ticks: whole parts, what pauses took of them, and pauses by kind. */
  readonly partsMs: Float64Array
  readonly pausedMs: Float64Array
  readonly pausesMs: Float64Array
  /** How much of the pauses `takeGc` has already returned. */
  readonly taken: Float64Array
  /** Players who acted since the last tick. */
  readonly players: Set<number>
}

/** Adds what a pause took of a tick, and of each of its parts. */
function addPause(state: State, row: Row, kind: number, [from, to]: readonly [number, number]) {
  for (let part = 0; part < PARTS; part++) {
    const ms = Math.min(to, row.ends[part]) - Math.max(from, startOf(row, part))
    if (!(ms > 0)) continue
    row.paused[part] += ms
    row.pauses[kind] += ms
    state.pausedMs[part] += ms
    state.pausesMs[kind] += ms
  }
}

/** Keeps the current row if it is one of the slowest, and makes room for the next tick. */
function settle(state: State, gauges: number): void {
  const { kept, current } = state
  const isKept = kept.length < SLOW_TICKS_MAX || current.totalMs > kept[kept.length - 1].totalMs
  if (isKept) {
    let index = kept.length
    while (index > 0 && kept[index - 1].totalMs < current.totalMs) index--
    kept.splice(index, 0, current)
    const dropped = kept.length > SLOW_TICKS_MAX ? kept.pop() : undefined
    state.current = dropped ?? newRow(gauges)
  } else {
    state.current = state.previous
    state.previous = current
  }
  clear(state.current)
}

function describeRow(row: Row, gaugeNames: readonly string[]): SlowTick {
  const { tick, wallMs, totalMs, mainMs, unansweredMs, isHashed, isStoring } = row
  // Clocks are read separately, so a part may come out negative.
  const own = TICK_PARTS.map((_, i) => Math.max(0, row.ends[i] - startOf(row, i) - row.paused[i]))
  return {
    tick,
    wallMs,
    totalMs,
    mainMs,
    unansweredMs,
    isHashed,
    isStoring,
    partsMs: named(TICK_PARTS, own),
    pausesMs: named(PAUSES, row.pauses),
    journalMs: named(SPLIT, row.journal),
    counts: named(TICK_COUNTS, row.counts),
    gauges: named(gaugeNames, row.gauges),
    isDayEnd: tick % DAY_TICKS === 0,
  }
}

function meansOf({ ticks, partsMs, pausedMs, pausesMs }: State): SlowTicks['meanMs'] {
  const count = Math.max(1, ticks)
  return {
    ...named(
      TICK_PARTS,
      partsMs.map((ms, i) => Math.max(0, ms - pausedMs[i]) / count),
    ),
    ...named(
      PAUSES,
      pausesMs.map((ms) => ms / count),
    ),
  }
}

const reportOf = (state: State, gaugeNames: readonly string[]): SlowTicks => ({
  ticks: state.ticks,
  meanMs: meansOf(state),
  slowest: state.kept.map((row) => describeRow(row, gaugeNames)),
})

/** Returns the figures of the world, by name. */
export const readGauges = ({ gauges }: Registry, world: World): Record<string, number> =>
  Object.fromEntries(gauges.map(({ name, read }) => [name, read(world)]))

/**
 * Creates a recorder of ticks. `gaugeNames`: names of the world's figures recorded at each end.
 */
export function createRecorder(gaugeNames: readonly string[]): Recorder {
  const gauges = gaugeNames.length
  const state: State = {
    kept: [],
    current: newRow(gauges),
    previous: newRow(gauges),
    ticks: 0,
    partsMs: new Float64Array(PARTS),
    pausedMs: new Float64Array(PARTS),
    pausesMs: new Float64Array(PAUSES.length),
    taken: new Float64Array(GC_KINDS.length),
    players: new Set(),
  }
  const partOver = (part: TickPart, atMs: number): void => {
    state.current.ends[TICK_PARTS.indexOf(part)] = atMs
  }
  const count = (what: TickCount, by = 1): void => {
    state.current.counts[TICK_COUNTS.indexOf(what)] += by
  }
  return {
    begin(boundaryMs, beganMs) {
      state.current.boundaryMs = boundaryMs
      partOver('wait', beganMs)
    },
    partOver,
    count,
    ran(what, commands) {
      count(what, commands.length)
      for (const { player } of commands) if (player !== 0) state.players.add(player)
    },
    unanswered(ms) {
      state.current.unansweredMs = Math.max(state.current.unansweredMs, ms)
    },
    unansweredMs: () => state.current.unansweredMs,
    published(busyMs) {
      state.current.mainMs = busyMs
    },
    pause(kind, startMs, ms) {
      const span = [startMs, startMs + ms] as const
      const index = PAUSES.indexOf(kind)
      addPause(state, state.current, index, span)
      addPause(state, state.previous, index, span)
      for (const row of state.kept) addPause(state, row, index, span)
    },
    over(end, atMs) {
      const row = state.current
      partOver('publish', atMs)
      count('players', state.players.size)
      state.players.clear()
      row.tick = end.tick
      row.wallMs = end.wallMs
      row.isHashed = end.isHashed
      row.isStoring = end.isStoring
      row.totalMs = atMs - row.boundaryMs
      for (let i = 0; i < SPLIT.length; i++) row.journal[i] = end.journal?.[SPLIT[i]] ?? 0
      for (let i = 0; i < gauges; i++) row.gauges[i] = end.gauges[gaugeNames[i]]
      state.ticks++
      for (let i = 0; i < PARTS; i++) state.partsMs[i] += row.ends[i] - startOf(row, i)
      settle(state, gauges)
    },
    takeGc() {
      const fresh = state.taken.map((ms, i) => state.pausesMs[i] - ms)
      state.taken.set(state.pausesMs.subarray(0, GC_KINDS.length))
      return named(GC_KINDS, fresh)
    },
    slowestMs: () => state.kept[0]?.totalMs ?? 0,
    report: () => reportOf(state, gaugeNames),
  }
}
