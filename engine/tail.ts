/** Explains the slowest ticks: how much each took beyond the mean, by cause. */
import { PHASES } from '../core/system.ts'
import {
  GC_KINDS,
  PAUSES,
  type PauseKind,
  type SlowTick,
  type SlowTicks,
  TICK_PARTS,
  type TickPart,
} from '../core/wire/tick-figures.ts'

/** The tail: one tick of this many. */
const TAIL_OF = 100

interface Cause {
  readonly cause: string
  /** Ticks of the tail in which this cause took the most beyond the mean. */
  readonly ticks: number
  /** Time beyond the mean, summed over the tail. */
  readonly ms: number
  /** Share of all time beyond the mean. */
  readonly sharePct: number
}

/** The slowest ticks, and why they were slow. */
export interface Tail {
  /** Slowest first. */
  readonly ticks: readonly SlowTick[]
  /** Largest first; together they account for all time beyond the mean. */
  readonly causes: readonly Cause[]
}

const isPhase = (name: string): boolean =>
  name !== 'publish' && PHASES.some((phase) => phase === name)

/** Names the cause that a part or a pause of a tick is attributed to. */
function causeOf(name: TickPart | PauseKind, { isDayEnd }: SlowTick): string {
  if (GC_KINDS.some((kind) => kind === name)) return `gc ${name}`
  if (!isPhase(name)) return name
  return isDayEnd ? 'day close' : `phase ${name}`
}

/** Returns how long a tick took beyond the mean, by cause, milliseconds. */
function excessOf(tick: SlowTick, { meanMs }: SlowTicks): Map<string, number> {
  const excess = new Map<string, number>()
  const took = { ...tick.partsMs, ...tick.pausesMs }
  for (const name of [...TICK_PARTS, ...PAUSES]) {
    const ms = took[name] - meanMs[name]
    const cause = causeOf(name, tick)
    if (ms > 0) excess.set(cause, (excess.get(cause) ?? 0) + ms)
  }
  return excess
}

const largestOf = (excess: ReadonlyMap<string, number>): string | undefined =>
  [...excess].reduce<readonly [string | undefined, number]>(
    (largest, entry) => (entry[1] > largest[1] ? entry : largest),
    [undefined, 0],
  )[0]

/** Returns the slowest hundredth of all ticks, at least one, and the causes of their excess. */
export function tailOf(report: SlowTicks): Tail {
  const ticks = report.slowest.slice(0, Math.ceil(report.ticks / TAIL_OF))
  const sums = new Map<string, { ticks: number; ms: number }>()
  for (const tick of ticks) {
    const excess = excessOf(tick, report)
    const largest = largestOf(excess)
    for (const [cause, ms] of excess) {
      const sum = sums.get(cause) ?? { ticks: 0, ms: 0 }
      sums.set(cause, { ticks: sum.ticks + (cause === largest ? 1 : 0), ms: sum.ms + ms })
    }
  }
  const all = [...sums.values()].reduce((total, { ms }) => total + ms, 0)
  const causes = [...sums].map(([cause, sum]) => ({
    cause,
    ...sum,
    sharePct: (sum.ms / all) * 100,
  }))
  return { ticks, causes: causes.sort((a, b) => b.ms - a.ms || (a.cause < b.cause ? -1 : 1)) }
}
