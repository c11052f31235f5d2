/**
 * Strangers who watch a running server: each reads the feed with the map and a battle, and asks for
 * a body every five seconds. Counts what they miss, what comes in a tick, and how long bodies take.
 * Source: WEB 6.
 */
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http'
import { WATCHERS_PER_ADDRESS_MAX } from '../core/limits.ts'
import { quantile, sorted } from './figures.ts'
import { costOf, p99Of, type ServerFigures } from './server-figures.ts'

const ASK_EVERY_MS = 5_000
/** Streams that are opened between two pauses: a storm of them is another question. */
const OPENED_AT_ONCE = 50
const OPENING_PAUSE_MS = 20
const BODIES = ['/api/map/activity', '/api/stats', '/api/map/territory', '/api/market'] as const

interface SpectatorRun {
  readonly wanted: number
  /** Streams that were let in; those that ended before the run did. */
  opened: number
  closed: number
  /** Streams and bodies that were refused. */
  refused: number
  ticks: number
  /** Public ticks that a reader was not told of. */
  missed: number
  /** Messages that a reader had before. */
  twice: number
  /** Bytes of each tick of one reader. */
  readonly bytes: number[]
  readonly bodyMs: number[]
}

interface Watcher {
  readonly address: string
  readonly agent: Agent
  request?: ClientRequest
  rest: string
  tick: number
  /** Of the last message. */
  id: readonly [tick: number, n: number]
  tickBytes: number
}

/** Addresses of loopback, as many readers at each as a server lets in. */
const addressOf = (n: number): string => {
  const host = Math.floor(n / WATCHERS_PER_ADDRESS_MAX) + 2
  return `127.0.${host >> 8}.${host & 255}`
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function takeMessage(run: SpectatorRun, watcher: Watcher, block: string, step: number): void {
  const found = /^id: (\d+)\.(\d+)\ndata: \{"type":"(\w+)"/.exec(block)
  if (!found) return
  const [id, type] = [[Number(found[1]), Number(found[2])] as const, found[3]]
  if (type === 'connected' || type.endsWith('_table')) return
  const isLater = id[0] > watcher.id[0] || (id[0] === watcher.id[0] && id[1] > watcher.id[1])
  if (isLater) watcher.id = id
  else run.twice += 1
  if (type !== 'tick') return
  const [tick] = id
  run.ticks += 1
  if (watcher.tick > 0) {
    run.missed += Math.max(0, Math.round((tick - watcher.tick) / step) - 1)
    run.bytes.push(watcher.tickBytes)
  }
  watcher.tick = tick
  watcher.tickBytes = 0
}

function takePiece(run: SpectatorRun, watcher: Watcher, piece: string, step: number): void {
  const blocks = (watcher.rest + piece).split('\n\n')
  watcher.rest = blocks.pop() ?? ''
  for (const block of blocks) {
    watcher.tickBytes += block.length + 2
    takeMessage(run, watcher, block, step)
  }
}

interface SpectateOptions {
  readonly url: string
  readonly spectators: number
  /** Ticks between two frames. */
  readonly step: number
  readonly say: (text: string) => void
}

interface Spectating {
  readonly run: SpectatorRun
  end(): void
}

/** Resolves with the id of a battle that is fought; undefined where there is none. */
async function battleAt(url: string): Promise<string | undefined> {
  const response = await fetch(`${url}/api/map/activity`)
  if (!response.ok) return undefined
  const { battles } = (await response.json()) as { battles: Readonly<Record<string, string>> }
  return Object.values(battles)[0]
}

function watch(run: SpectatorRun, url: string, watcher: Watcher, step: number): Promise<void> {
  return new Promise((resolve) => {
    const request = get(url, { localAddress: watcher.address, agent: false })
    watcher.request = request
    request.on('response', (response: IncomingMessage) => {
      resolve()
      if (response.statusCode !== 200) {
        run.refused += 1
        response.resume()
        return
      }
      run.opened += 1
      response.setEncoding('utf8')
      response.on('data', (piece: string) => takePiece(run, watcher, piece, step))
      response.on('close', () => {
        run.closed += 1
      })
    })
    request.on('error', () => resolve())
  })
}

/** Asks as a browser does, on the connection that it has. */
function ask(run: SpectatorRun, url: string, { address, agent }: Watcher): Promise<void> {
  return new Promise((resolve) => {
    const since = performance.now()
    const request = get(url, { localAddress: address, agent }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) run.bodyMs.push(performance.now() - since)
        else run.refused += 1
        resolve()
      })
    })
    request.on('error', () => {
      run.refused += 1
      resolve()
    })
  })
}

/** Lets spectators in; they watch and ask until they are ended. */
export async function spectate(options: SpectateOptions): Promise<Spectating> {
  const { url, spectators, step, say } = options
  const run: SpectatorRun = {
    ...{ wanted: spectators, opened: 0, closed: 0, refused: 0, ticks: 0, missed: 0, twice: 0 },
    ...{ bytes: [], bodyMs: [] },
  }
  const battle = await battleAt(url)
  const topics = ['feed', 'map', ...(battle === undefined ? [] : [`battle:${battle}`])]
  const watchers: Watcher[] = []
  const since = performance.now()
  for (let n = 0; n < spectators; n++) {
    const watcher: Watcher = {
      ...{ address: addressOf(n), agent: new Agent({ keepAlive: true, maxSockets: 1 }) },
      ...{ rest: '', tick: 0, id: [0, -1], tickBytes: 0 },
    }
    watchers.push(watcher)
    const opened = watch(run, `${url}/events?topics=${topics.join()}`, watcher, step)
    if (n % OPENED_AT_ONCE === OPENED_AT_ONCE - 1)
      await Promise.all([opened, sleep(OPENING_PAUSE_MS)])
  }
  say(`${run.opened} spectators in after ${((performance.now() - since) / 1000).toFixed(1)} s`)
  const askers = watchers.map((watcher, n) => {
    const asked = (): void => void ask(run, `${url}${BODIES[n % BODIES.length]}`, watcher)
    const begun = setTimeout(
      () => {
        asked()
        timers.push(setInterval(asked, ASK_EVERY_MS))
      },
      (n / spectators) * ASK_EVERY_MS,
    )
    return begun
  })
  const timers: NodeJS.Timeout[] = []
  return {
    run,
    end: () => {
      for (const timer of askers) clearTimeout(timer)
      for (const timer of timers) clearInterval(timer)
      const { closed } = run
      for (const { request, agent } of watchers) {
        request?.destroy()
        agent.destroy()
      }
      run.closed = closed
    },
  }
}

/* What a server that holds its promises keeps. Source: WEB 6 */
const MAIN_PCT_PER_1000 = 4
const BYTES_P95 = 12 * 1024
const BODY_P99_MS = 50

type Line = readonly [what: string, is: string, bound: string, holds: boolean]

interface Measured {
  readonly server: ServerFigures
  /** What the main thread took before anybody watched, percent of a core; absent: players play. */
  readonly mainPctBefore: number | undefined
  readonly tickMs: number
}

const mainLine = (morePct: number, most: number): Line => [
  'main thread, more than without',
  `${morePct.toFixed(1)} % of a core`,
  `<= ${most.toFixed(1)} %`,
  morePct <= most,
]

function linesOf(run: SpectatorRun, { server, mainPctBefore, tickMs }: Measured): Line[] {
  const { wanted, opened, closed, refused, missed, twice } = run
  const cost = costOf(server, Math.max(1, run.ticks))
  // A read a second costs as much whatever the tick; what is told, as often as it is.
  const mainMax = (MAIN_PCT_PER_1000 * wanted) / tickMs
  const bytes = quantile(sorted(run.bytes), 0.95)
  const bodyMs = quantile(sorted(run.bodyMs), 0.99)
  return [
    ['spectators let in', `${opened} of ${wanted}`, 'all', opened === wanted],
    ['streams closed', `${closed}`, '0', closed === 0],
    ['refused', `${refused}`, '0', refused === 0],
    ['ticks missed', `${missed} of ${run.ticks}`, '0', missed === 0],
    ['messages twice', `${twice}`, '0', twice === 0],
    ['bytes a tick, p95', bytes.toFixed(0), `<= ${BYTES_P95}`, bytes <= BYTES_P95],
    ['bodies, p99', `${bodyMs.toFixed(1)} ms`, `<= ${BODY_P99_MS} ms`, bodyMs <= BODY_P99_MS],
    ...(cost && mainPctBefore !== undefined
      ? [mainLine(cost.mainPct - mainPctBefore, mainMax)]
      : []),
    ['tick to sockets, p99', `${p99Of(server, 'tick_to_sockets_ms').toFixed(1)} ms`, '', true],
  ]
}

/** A run as a table; the last of its lines says whether the bounds hold. */
export function describeSpectators(
  run: SpectatorRun,
  measured: Measured,
): { readonly text: readonly string[]; readonly isSound: boolean } {
  const lines = linesOf(run, measured)
  const isSound = lines.every(([, , , holds]) => holds)
  const text = lines.map(
    ([what, is, bound, holds]) =>
      `  ${what.padEnd(30)} ${is.padStart(16)}  ${bound}${holds ? '' : '  NOT HELD'}`,
  )
  return { text: [...text, isSound ? 'the bounds hold' : 'NOT ALL BOUNDS HOLD'], isSound }
}
