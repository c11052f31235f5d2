/**
 * A load run of spectators, with or without players: compares the load of the server before and
 * with spectators in the same run, and checks the bounds of WEB 6.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { PUBLIC_FRAME_MS_MIN } from '../core/limits.ts'
import { type Figures, quantile, sorted } from './figures.ts'
import {
  costOf,
  ofTicks,
  p99Of,
  type ServerFigures,
  ticksWithin,
  watchServer,
} from './server-figures.ts'
import { type Spectating, type SpectatorRun, spectate } from './spectators.ts'

/* The bounds of a run. Source: WEB 6 */
const MAIN_PCT_PER_1000 = 4
const WORLD_PCT = 0.5
const BYTES_P95 = 12 * 1024
const BODY_P99_MS = 50
const QUERY_P99_MS = 50
const TO_SOCKETS_PCT = 105
const STORM_MS = 3_000

/** The time without spectators in a run without players. */
const BEFORE_MS = 10_000
/** The share of a run with players that is without spectators. */
const BEFORE_SHARE = 1 / 3
/** Ticks after a storm within which all readers must have caught up. */
const TICKS_AFTER_STORM = 3

interface WatchOptions {
  readonly url: string
  readonly spectators: number
  readonly minutes: number
  readonly isStorm: boolean
  /** Runs players meanwhile; resolves with the exit code of a load run. */
  readonly play?: (onPlaying: (figures: Figures) => void) => Promise<number>
  readonly print: (text: string) => void
}

/** How long to wait for a server that has nothing public yet, and the time between requests. */
const READY_MS = { max: 120_000, between: 500 }
/** Status codes after which to try again: rate limited, or not ready. */
const RETRIED: readonly number[] = [429, 503]

/**
 * Returns the tick length of the server, and how many ticks a public frame covers; waits until
 * figures are public. Rejects if that takes too long.
 */
export async function paceOf(
  url: string,
  { max, between } = READY_MS,
): Promise<{ tickMs: number; step: number }> {
  const untilMs = performance.now() + max
  for (;;) {
    const response = await fetch(`${url}/api/stats`)
    const text = await response.text()
    if (response.ok) {
      const { tick_ms: tickMs } = JSON.parse(text) as { tick_ms: number }
      return { tickMs, step: Math.ceil(PUBLIC_FRAME_MS_MIN / tickMs) }
    }
    if (!RETRIED.includes(response.status) || performance.now() >= untilMs) {
      throw new Error(
        `${url}/api/stats answered ${response.status} (${text}), so that ticks cannot be counted: ` +
          'start the server with LIMITS=off and let it run some ticks.',
      )
    }
    await sleep(between)
  }
}

/** The figures of a part of the run: of the server, and the latencies of players' queries. */
interface Part {
  readonly server: ServerFigures
  readonly queryMs: readonly number[]
}

interface Measured {
  readonly without: Part
  readonly with: Part
  readonly tickMs: number
}

type Line = readonly [what: string, is: string, bound: string, holds: boolean]

const pct = (value: number): string => `${value.toFixed(1)} %`
const ms = (value: number): string => `${value.toFixed(1)} ms`

/** Compares the processor time of the threads without and with spectators. */
function costLines(spectators: number, measured: Measured): Line[] {
  const [before, after] = [costOf(measured.without.server, 1), costOf(measured.with.server, 1)]
  if (!before || !after) return [['processor time', 'not measured', 'measured', false]]
  // Pushes are sent once per tick, so the bound depends on the length of a tick.
  const mainMax = (MAIN_PCT_PER_1000 * spectators) / measured.tickMs
  const line = (what: string, name: 'mainPct' | 'worldPct', max: number): Line => [
    `${what}, more than without`,
    `${pct(after[name] - before[name])} of a core`,
    `<= ${pct(max)}; ${pct(before[name])} without, ${pct(after[name])} with`,
    after[name] - before[name] <= max,
  ]
  return [line('main thread', 'mainPct', mainMax), line('world thread', 'worldPct', WORLD_PCT)]
}

/** Compares what players notice without and with spectators. */
function playerLines({ without, with: after }: Measured): Line[] {
  if (after.queryMs.length === 0) return []
  const query = ({ queryMs }: Part): number => quantile(sorted(queryMs), 0.99)
  const toSockets = ({ server }: Part): number => p99Of(server, 'tick_to_sockets_ms')
  const isSeen = [without, after].every(
    ({ server }) => ofTicks(server, 'tick_to_sockets_ms').length > 0,
  )
  return [
    [
      'queries of players, p99',
      ms(query(after)),
      `<= ${QUERY_P99_MS} ms; ${ms(query(without))} without`,
      query(after) <= QUERY_P99_MS,
    ],
    [
      'boundary to last frame, p99',
      isSeen ? ms(toSockets(after)) : 'not measured',
      `<= ${TO_SOCKETS_PCT} % of ${ms(toSockets(without))} without`,
      isSeen && toSockets(after) * 100 <= toSockets(without) * TO_SOCKETS_PCT,
    ],
  ]
}

function stormLines({ wanted, back, stormMs, resets }: SpectatorRun): Line[] {
  if (back === undefined || stormMs === undefined) return []
  return [
    ['storm: back by id', `${back} of ${wanted}`, 'all', back === wanted],
    ['storm: until the last', ms(stormMs), `<= ${STORM_MS} ms`, stormMs <= STORM_MS],
    ['restarted', `${resets}`, '0', resets === 0],
  ]
}

function linesOf(run: SpectatorRun, measured: Measured): Line[] {
  const { wanted, opened, closed, refused, ticks, missed, twice } = run
  const bytes = quantile(sorted(run.bytes), 0.95)
  const bodyMs = quantile(sorted(run.bodyMs), 0.99)
  return [
    ['spectators let in', `${opened} of ${wanted}`, 'all', opened === wanted],
    ['streams closed', `${closed}`, '0', closed === 0],
    ['refused', `${refused}`, '0', refused === 0],
    // These lines make sure that a run that measured nothing does not pass.
    ['ticks received', `${ticks}`, '> 0', ticks > 0],
    ['ticks with bytes', `${run.bytes.length}`, '> 0', run.bytes.length > 0],
    ['bodies read', `${run.bodyMs.length}`, '> 0', run.bodyMs.length > 0],
    ['ticks missed', `${missed} of ${ticks}`, '0', missed === 0],
    ['messages twice', `${twice}`, '0', twice === 0],
    ['bytes a tick, p95', bytes.toFixed(0), `<= ${BYTES_P95}`, bytes <= BYTES_P95],
    ['bodies, p99', ms(bodyMs), `<= ${BODY_P99_MS} ms`, bodyMs <= BODY_P99_MS],
    ...costLines(wanted, measured),
    ...playerLines(measured),
    ...stormLines(run),
  ]
}

/** Describes a run as a table, whose last line says whether all bounds hold. */
export function describeRun(
  run: SpectatorRun,
  measured: Measured,
): { text: string[]; isSound: boolean } {
  const lines = linesOf(run, measured)
  const isSound = lines.every(([, , , holds]) => holds)
  const text = lines.map(
    ([what, is, bound, holds]) =>
      `  ${what.padEnd(32)} ${is.padStart(16)}  ${bound}${holds ? '' : '  NOT HELD'}`,
  )
  return { text: [...text, isSound ? 'the bounds hold' : 'NOT ALL BOUNDS HOLD'], isSound }
}

/** Returns all query latencies so far. */
const timesOf = ({ queryMs }: Figures): number[] => [...queryMs.values()].flat()

/** Runs the load without spectators, then with all; returns the exit code of the process. */
export async function watchLoad(options: WatchOptions): Promise<number> {
  const { url, spectators, minutes, isStorm, play, print } = options
  const { tickMs, step } = await paceOf(url)
  const server = watchServer(url, tickMs)
  let figures: Figures | undefined
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const playing = play?.((made) => {
    figures = made
    begin()
  })
  // If playing cannot begin, `playing` settles first.
  if (playing) await Promise.race([begun, playing])
  const fromMs = performance.now()
  const untilMs = fromMs + minutes * 60_000
  await sleep(playing ? BEFORE_SHARE * (untilMs - fromMs) : BEFORE_MS)
  const quietUntilMs = performance.now()
  const queryMsBefore = figures ? timesOf(figures) : []
  const counts = new Map([...(figures?.queryMs ?? [])].map(([name, list]) => [name, list.length]))
  const spectating: Spectating = await spectate({ url, spectators, step, print })
  const watchedFromMs = performance.now()
  const afterStormMs = isStorm ? TICKS_AFTER_STORM * step * tickMs : 0
  const watchedMs = playing ? untilMs - watchedFromMs : minutes * 60_000
  await sleep(Math.max(0, watchedMs - afterStormMs))
  const watchedUntilMs = performance.now()
  if (isStorm) {
    await spectating.storm()
    await sleep(afterStormMs)
  }
  const code = (await playing) ?? 0
  spectating.end()
  server.stop()
  const later = [...(figures?.queryMs ?? [])].flatMap(([name, list]) =>
    list.slice(counts.get(name) ?? 0),
  )
  const { text, isSound } = describeRun(spectating.run, {
    tickMs,
    without: { server: ticksWithin(server, fromMs, quietUntilMs), queryMs: queryMsBefore },
    with: { server: ticksWithin(server, watchedFromMs, watchedUntilMs), queryMs: later },
  })
  for (const line of text) print(line)
  return isSound ? code : 1
}
