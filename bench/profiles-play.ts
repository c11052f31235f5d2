/** Profiles with active players: full load (L1), a soak (L4), a flood of connections (L6). */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { moduleUrl } from '../core/module-url.ts'
import type { Settings } from '../test/servers.ts'
import type { Channel } from './client.ts'
import { lateness, quantile, sorted, sum } from './figures.ts'
import type { FloodFigures } from './flood.ts'
import type { Judged } from './judge.ts'
import { withServer } from './live.ts'
import { describeRun, type LoadRun, liveFigures, QUERY_P99_MS, RESULT_MS } from './load-report.ts'
import { type PlayOptions, play } from './play.ts'
import type { Scaled } from './profile.ts'
import { p99Of, quickestTick, type ServerFigures } from './server-figures.ts'

/* Bounds of the table. Source: RELIABILITY 5 */
const QUERY_P50_MS = 5
const COMPUTE_P99_MS = 60
const RSS_MIB = 1_024

export const TICK_MS = 1_000
/** Up to this many players a small world is enough, which is ready in a fifth of the time. */
const FEW_PLAYERS = 200
const SMALL_ENTITIES = 20_000

/** Returns the settings of a server for this many players. */
export const settingsFor = (players: number, settings: Settings = {}): Settings => ({
  TICK_MS: String(TICK_MS),
  ...(players <= FEW_PLAYERS ? { MAX_ENTITIES: String(SMALL_ENTITIES) } : {}),
  ...settings,
})
const QUERY_EVERY_MS = 2_000
const THINK_MS = 400
const PREFIX = 'Load'

/** Shares of 111, for the 1,000 + 1,000 WebSocket, 100 + 100 HTTP and 20 MCP players of L1. */
const MIX: readonly (readonly [Channel, number])[] = [
  ['ws1', 50],
  ['ws2', 50],
  ['http1', 5],
  ['http2', 5],
  ['mcp', 1],
]

/**
 * Returns the channel of each player, in the proportions of L1, with at least one player on each
 * channel.
 */
export function mixed(players: number): Channel[] {
  const parts = MIX.reduce((all, [, part]) => all + part, 0)
  const channels = MIX.flatMap(([channel, part]) =>
    new Array<Channel>(Math.max(1, Math.floor((players * part) / parts))).fill(channel),
  )
  const missing = Math.max(0, players - channels.length)
  return [...new Array<Channel>(missing).fill('ws1'), ...channels].slice(0, Math.max(players, 5))
}

/** Returns the channels of players on WebSocket, half of them on v1 and half on v2. */
export const sockets = (players: number): Channel[] =>
  Array.from({ length: players }, (_, i) => (i % 2 === 0 ? 'ws1' : 'ws2'))

/** Returns the options of players who act and query at the usual pace. */
export const working = (
  url: string,
  { minutes, print }: Scaled,
  channels: readonly Channel[],
): PlayOptions => ({
  url,
  minutes,
  print,
  channels,
  prefix: PREFIX,
  thinkMs: THINK_MS,
  queryEveryMs: QUERY_EVERY_MS,
})

/** Returns the figures that always count: errors other than refusals by the game, and losses. */
export function sound(run: LoadRun): Judged[] {
  const { figures, lost } = run
  const { queries, results } = liveFigures(run)
  return [
    { figure: 'errors', value: sum(figures.errors), unit: '', atMost: 0, isSound: true },
    { figure: 'connections lost', value: lost, unit: '', atMost: 0, isSound: true },
    { figure: 'queries answered', value: queries, unit: '', atLeast: 1, isSound: true },
    { figure: 'results', value: results, unit: '', atLeast: 1, isSound: true },
  ]
}

/** Returns the latencies of L1. */
function latencies(run: LoadRun): Judged[] {
  const { figures, server } = run
  const queries = sorted([...figures.queryMs.values()].flat())
  const late = lateness(figures, quickestTick(server)).results
  return [
    { figure: 'query p50', value: quantile(queries, 0.5), unit: 'ms', atMost: QUERY_P50_MS },
    { figure: 'query p99', value: quantile(queries, 0.99), unit: 'ms', atMost: QUERY_P99_MS },
    {
      figure: 'latest result after its tick',
      value: quantile(late, 1),
      unit: 'ms',
      atMost: RESULT_MS,
    },
  ]
}

const serverSide = (server: ServerFigures): Judged[] => [
  {
    figure: 'tick compute p99',
    value: p99Of(server, 'tick_compute_ms'),
    unit: 'ms',
    atMost: COMPUTE_P99_MS,
  },
  { figure: 'server RSS', value: server.rssMiB, unit: 'MiB', atMost: RSS_MIB },
]

const ownDelay = (run: LoadRun): Judged => ({
  figure: "this client's own delay p99",
  value: liveFigures(run).ownDelayMsP99,
  unit: 'ms',
})

const describe = (run: LoadRun, { print }: Scaled): void => {
  for (const line of describeRun(run).slice(0, -1)) print(line)
}

/** Runs L1: all channels at once. */
export const fullHouse = (scaled: Scaled): Promise<Judged[]> =>
  withServer({ settings: settingsFor(scaled.players) }, async (url) => {
    const run = await play(working(url, scaled, mixed(scaled.players)))
    describe(run, scaled)
    return [...sound(run), ...latencies(run), ...serverSide(run.server), ownDelay(run)]
  })

/* ---- L4 ---- */

const RSS_SLOPE_MIB_PER_MIN = 1
const P99_GROWTH = 1.2
const AWAY_EVERY_MS = 120_000
/** The first and last sixth of the run: ten minutes of an hour. */
const WINDOW = 1 / 6

/** Returns the slope of the least-squares line; 0 for fewer than two points. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const n = points.length
  if (n < 2) return 0
  const meanX = points.reduce((all, [x]) => all + x, 0) / n
  const meanY = points.reduce((all, [, y]) => all + y, 0) / n
  const over = points.reduce((all, [x, y]) => all + (x - meanX) * (y - meanY), 0)
  const under = points.reduce((all, [x]) => all + (x - meanX) ** 2, 0)
  return under === 0 ? 0 : over / under
}

/** Returns the slope of RSS after the first window, and compares the first and last ticks. */
export function soakFigures(server: ServerFigures): Judged[] {
  const { rss, ticks, seenMs } = server
  const times = rss.map(({ atMs }) => atMs)
  const [from, to] = [times[0] ?? 0, times[times.length - 1] ?? 0]
  const window = (to - from) * WINDOW
  const later = rss.filter(({ atMs }) => atMs >= from + window)
  const p99In = (low: number, high: number): number => {
    const values = [...ticks].flatMap(([tick, seen]) => {
      const atMs = seenMs.get(tick) ?? 0
      return atMs >= low && atMs <= high ? (seen.tick_compute_ms ?? []) : []
    })
    return quantile(sorted(values), 0.99)
  }
  const first = p99In(from, from + window)
  const last = p99In(to - window, to)
  const slope = slopeOf(later.map(({ atMs, miB }) => [atMs / 60_000, miB]))
  return [
    { figure: 'RSS slope', value: slope, unit: 'MiB/min', atMost: RSS_SLOPE_MIB_PER_MIN },
    { figure: 'tick p99, first part', value: first, unit: 'ms' },
    { figure: 'tick p99, last part', value: last, unit: 'ms' },
    { figure: 'last by first', value: last / (first || 1), unit: 'x', atMost: P99_GROWTH },
    { figure: 'server RSS', value: server.rssMiB, unit: 'MiB' },
  ]
}

/** Runs L4: players come and go for a long time. */
export const soak = (scaled: Scaled): Promise<Judged[]> =>
  withServer({ settings: settingsFor(scaled.players) }, async (url) => {
    const awayEveryMs = Math.min(AWAY_EVERY_MS, scaled.minutes * 20_000)
    const run = await play({ ...working(url, scaled, mixed(scaled.players)), awayEveryMs })
    describe(run, scaled)
    return [...sound(run), ...soakFigures(run.server), ownDelay(run)]
  })

/* ---- L6 ---- */

const FLOOD = moduleUrl(import.meta.url, './flood').pathname
const FLOOD_ADDRESS = '127.0.0.2'
const FLOOD_CONNECTS = 10_000
const FLOOD_S = 10
/** With fewer players than this, the flood is smaller in proportion. */
const FLOOD_PLAYERS = 2_000
/** When the flood begins, once the players are active. */
const FLOOD_AFTER_MS = 5_000
/** Connections accepted from one address per minute. Source: RELIABILITY 6 */
const LET_IN_MAX = 100

/** Returns a loopback address per player, since limits per address are on. */
const addressOf = (index: number): string =>
  `127.1.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`

function floodFigures({ opened, capped, others }: FloodFigures, connects: number): Judged[] {
  return [
    { figure: 'connects', value: connects, unit: '' },
    {
      figure: '4003 with retry_after',
      value: capped,
      unit: '',
      atLeast: connects - LET_IN_MAX,
      isSound: true as const,
    },
    { figure: 'let in', value: opened, unit: '', atMost: LET_IN_MAX, isSound: true },
    { figure: 'any other end', value: others, unit: '', atMost: 0, isSound: true },
  ]
}

/** Runs L6: a flood of connections from one address while players act. */
export async function connectFlood(scaled: Scaled): Promise<Judged[]> {
  const share = Math.min(1, scaled.players / FLOOD_PLAYERS)
  const connects = Math.max(2 * LET_IN_MAX, Math.round(FLOOD_CONNECTS * share))
  const seconds = Math.min(FLOOD_S, scaled.minutes * 20)
  const settings = settingsFor(scaled.players, { LIMITS: 'on' })
  return withServer({ settings }, async (url) => {
    let isFlooding = false
    const flood = async (): Promise<FloodFigures> => {
      await sleep(Math.min(FLOOD_AFTER_MS, scaled.minutes * 10_000))
      isFlooding = true
      const ws = `${url.replace('http', 'ws')}/ws`
      const args = [FLOOD, ws, FLOOD_ADDRESS, String(connects), String(seconds)]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      isFlooding = false
      scaled.print(`flood: ${stdout.trim()}`)
      return JSON.parse(stdout) as FloodFigures
    }
    let flooding: Promise<FloodFigures> | undefined
    const run = await play({
      ...working(url, scaled, sockets(scaled.players)),
      addressOf,
      // Only latencies during the flood count.
      isCounting: () => isFlooding,
      onPlaying: () => {
        flooding = flood()
      },
    })
    describe(run, scaled)
    if (!flooding) throw new Error('no player has joined')
    const counted = floodFigures(await flooding, connects)
    return [...sound(run), ...counted, ...latencies(run), ownDelay(run)]
  })
}
