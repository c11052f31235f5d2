/** Profiles of the server itself: many sockets (L3), overload (L5), start (L7). */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { moduleUrl } from '../core/module-url.ts'
import { type ConnectionOptions, connect as connectDatabase, disconnect } from '../storage/db.ts'
import { callTools } from '../storage/tools-channel.ts'
import type { Settings } from '../test/servers.ts'
import type { Client, Push } from './client.ts'
import { connect } from './clients.ts'
import type { Card } from './crowd.ts'
import type { Judged } from './judge.ts'
import { withServer } from './live.ts'
import { play } from './play.ts'
import { preparedLogin } from './prepared-login.ts'
import type { Scaled } from './profile.ts'
import { settingsFor, sockets, sound, TICK_MS, working } from './profiles-play.ts'
import type { ServerFigures } from './server-figures.ts'

const PREPARE = moduleUrl(import.meta.url, './large-world').pathname
const ENTITIES = '300000'

/**
 * Returns the settings of a server for the canonical world; with few players, for a small one.
 */
const canonicalSettings = (players: number, settings: Settings = {}) => ({
  MAX_ENTITIES: ENTITIES,
  ...settingsFor(players, settings),
})

/** Prepares the large world in a process of its own; returns the cards of its players. */
async function prepareShips(
  { url, schema }: ConnectionOptions,
  ships: number,
  acting: number,
): Promise<Card[]> {
  const { MAX_ENTITIES } = canonicalSettings(ships)
  const folder = mkdtempSync(join(tmpdir(), 'orrery-load-'))
  const cards = join(folder, 'cards.json')
  try {
    const size = ['--ships', ships, '--acting', acting, '--max-entities', MAX_ENTITIES]
    const args = [PREPARE, '--url', url ?? '', '--schema', schema, '--cards', cards, ...size]
    await promisify(execFile)(process.execPath, args.map(String))
    return JSON.parse(readFileSync(cards, 'utf8')) as Card[]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/* ---- L3 ---- */

const PUSH_BYTES = 1_024
const PUSH_EVERY_MS = 1_000
const DELAY_P99_MS = 20
const LOGINS_AT_ONCE = 25
/** Bytes of the warning without its version, which serves as padding. */
const WARNING_BYTES = 170
const MINUTE_MS = 60_000

/** Returns the value of a metric without labels. */
const metricOf = (page: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN)

const metricsOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text()

/** Logs all players in; after `begin`, counts the raw messages of each. */
async function listenAll(url: string, players: number) {
  const counts = new Uint32Array(players)
  const clients: Client[] = []
  let bytes = 0
  let isCounting = false
  let next = 0
  const joinOne = async (): Promise<void> => {
    while (next < players) {
      const index = next++
      const onMessage = (message: Buffer): boolean => {
        if (!isCounting) return false
        counts[index] += 1
        bytes = message.byteLength
        return true
      }
      const client = await connect(url, index % 2 === 0 ? 'ws1' : 'ws2', { onMessage })
      clients.push(client)
      const back = await client.call('login', preparedLogin(index))
      if (!back.ok) throw new Error(`cannot log in ${index}: ${back.code} ${back.message}`)
    }
  }
  await Promise.all(Array.from({ length: LOGINS_AT_ONCE }, joinOne))
  return {
    begin: () => {
      isCounting = true
    },
    bytes: () => bytes,
    min: () => counts.reduce((min, count) => Math.min(min, count), Infinity),
    lost: () => clients.filter(({ closed }) => closed).length,
  }
}

/** Runs L3. The push is the warning of a restart, sent to all players, with a long version. */
export async function manySockets({ minutes, players, print }: Scaled): Promise<Judged[]> {
  const settings = canonicalSettings(players, { TICK_MS: '10000' })
  const prepare = async (connection: ConnectionOptions): Promise<void> => {
    await prepareShips(connection, players, players)
  }
  return withServer({ settings, prepare }, async (url, { connection }) => {
    const crowd = await listenAll(url, players)
    print(`${players} sockets`)
    const sql = connectDatabase(connection, { name: 'load' })
    const version = 'v'.repeat(PUSH_BYTES - WARNING_BYTES)
    const warn = { kind: 'warn', args: { seconds: 1, version } }
    await callTools(sql, warn)
    await sleep(PUSH_EVERY_MS)
    // Reading the metrics resets the histogram.
    await metricsOf(url)
    crowd.begin()
    const pushes = Math.max(2, Math.round((minutes * MINUTE_MS) / PUSH_EVERY_MS))
    const since = performance.now()
    for (let push = 0; push < pushes; push++) {
      await sleep(since + push * PUSH_EVERY_MS - performance.now())
      await callTools(sql, warn)
    }
    await sleep(PUSH_EVERY_MS)
    const page = await metricsOf(url)
    await disconnect(sql)
    // The monitor includes its own interval, which is the minimum.
    const min = metricOf(page, 'nodejs_eventloop_lag_min_seconds')
    const delayMs = (metricOf(page, 'nodejs_eventloop_lag_p99_seconds') - min) * 1_000
    const delayMsMax = (metricOf(page, 'nodejs_eventloop_lag_max_seconds') - min) * 1_000
    const rssMiB = metricOf(page, 'process_resident_memory_bytes') / 2 ** 20
    return [
      {
        figure: 'pushes that all received',
        value: crowd.min(),
        unit: '',
        atLeast: pushes,
        isSound: true,
      },
      { figure: 'connections lost', value: crowd.lost(), unit: '', atMost: 0, isSound: true },
      { figure: 'bytes of a push', value: crowd.bytes(), unit: 'B', atLeast: PUSH_BYTES },
      { figure: 'event-loop delay p99', value: delayMs, unit: 'ms', atMost: DELAY_P99_MS },
      { figure: 'event-loop delay max', value: delayMsMax, unit: 'ms' },
      { figure: 'server RSS', value: rssMiB, unit: 'MiB' },
    ]
  })
}

/* ---- L5 ---- */

/** CPU time that all mining commands of one tick burn, as a share of the tick length. */
const BURN_SHARE = 2.5
const BURN_TICKS = 10
/** Ticks before the overload begins. */
const CALM_TICKS = 5
const STRETCH_MAX = 10
const RECOVER_TICKS = 5

interface Overload {
  readonly stretchMax: number
  /** Ticks from the last that overran its length to the first with normal length again. */
  readonly recoveredAfter: number
}

/** Returns how far ticks were stretched, and how fast they recovered. */
export function overloadOf({ ticks }: ServerFigures, tickMs: number): Overload {
  const seen = [...ticks].sort(([a], [b]) => a - b)
  const stretchMax = seen.reduce((max, [, { tick_stretch = 1 }]) => Math.max(max, tick_stretch), 1)
  const overrun = seen.filter(([, { tick_cost_ms = 0 }]) => tick_cost_ms > tickMs).at(-1)?.[0]
  const recovered = seen.find(
    ([tick, { tick_stretch }]) => overrun !== undefined && tick > overrun && tick_stretch === 1,
  )
  const recoveredAfter = overrun === undefined || !recovered ? Infinity : recovered[0] - overrun
  return { stretchMax, recoveredAfter }
}

const isAdmin = ({ type, payload }: Push): boolean =>
  type === 'chat_message' && payload.channel === 'admin'

/** Runs L5: after CALM_TICKS, each mining command burns CPU time for BURN_TICKS. */
export async function overload(scaled: Scaled): Promise<Judged[]> {
  const { players } = scaled
  const burnMs = Math.max(1, Math.round((BURN_SHARE * TICK_MS) / players))
  const fault = `!mine:${players * CALM_TICKS}:burn${burnMs}:${players * BURN_TICKS}`
  const settings = settingsFor(players, { ORRERY_FAULT: fault })
  return withServer({ settings }, async (url, { log }) => {
    let notices: number[] = []
    const run = await play({
      ...working(url, scaled, sockets(players)),
      readsEvents: true,
      onPlaying: (clients) => {
        notices = new Array<number>(clients.length).fill(0)
        clients.forEach((client, i) => {
          client.onPush = (push) => {
            if (isAdmin(push)) notices[i] += 1
          }
        })
      },
    })
    const { stretchMax, recoveredAfter } = overloadOf(run.server, TICK_MS)
    const lines = log().match(/overload: ticks now last/g)?.length ?? 0
    const missed = notices.filter((count) => count !== 1).length
    return [
      ...sound(run),
      {
        figure: 'longest stretch',
        value: stretchMax,
        unit: 'x',
        atLeast: 2,
        atMost: STRETCH_MAX,
        isSound: true,
      },
      { figure: 'log lines about the overload', value: lines, unit: '', atLeast: 1, isSound: true },
      {
        figure: 'players not notified exactly once',
        value: missed,
        unit: '',
        atMost: 0,
        isSound: true,
      },
      {
        figure: 'ticks to recover',
        value: recoveredAfter,
        unit: '',
        atMost: RECOVER_TICKS,
        isSound: true as const,
      },
    ]
  })
}

/* ---- L7 ---- */

const LISTENING_MS = 3_000
const RECOVERED_MS = 10_000
const RECOVERED_TICKS = 30
/** Players in the canonical world per acting player. */
const PLAYERS_PER_ACTING = 5

/** Runs L7: measures a first start, and the recovery of a large world after a kill. */
export async function coldStart(scaled: Scaled): Promise<Judged[]> {
  const { players } = scaled
  const settings = settingsFor(players, { SNAPSHOT_EVERY: '100000' })
  const listeningMs = await withServer({ settings }, async (_, { readyMs }) => readyMs)
  let cards: Card[] = []
  const prepare = async (connection: ConnectionOptions): Promise<void> => {
    cards = await prepareShips(connection, players * PLAYERS_PER_ACTING, players)
  }
  const served = { settings: canonicalSettings(players, settings), prepare }
  return withServer(served, async (url, { restart }) => {
    const run = await play({ ...working(url, scaled, sockets(players)), cards })
    const ticks = run.figures.arrivals.size
    const restartMs = await restart()
    return [
      ...sound(run),
      { figure: 'listening, a new world', value: listeningMs, unit: 'ms', atMost: LISTENING_MS },
      { figure: 'ticks to replay', value: ticks, unit: '', atLeast: RECOVERED_TICKS },
      { figure: 'kill to ready', value: restartMs, unit: 'ms', atMost: RECOVERED_MS },
    ]
  })
}
