/**
 * Spectators of a running server: each reads the feed with the map and a battle, and requests a
 * body every five seconds. Counts missed messages, bytes per tick, and how long bodies take.
 * Source: WEB 6.
 */
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { WATCHERS_PER_ADDRESS_MAX } from '../core/limits.ts'

const REQUEST_EVERY_MS = 5_000
/** Streams that are opened between two pauses, so that joining is not a storm. */
const OPENED_AT_ONCE = 50
const OPENING_PAUSE_MS = 20
/** Readers who are not back after this time count as closed. */
const STORM_MS_MAX = 30_000
const BODIES = ['/api/map/activity', '/api/stats', '/api/map/territory', '/api/market'] as const

export interface SpectatorRun {
  readonly wanted: number
  /** Streams that were accepted. */
  opened: number
  /** Streams that ended before the run did. */
  closed: number
  /** Streams and bodies that were refused. */
  refused: number
  ticks: number
  /** Public ticks for which a reader received no message. */
  missed: number
  /** Messages that a reader received twice. */
  twice: number
  /** How often a reader had to start over. */
  resets: number
  /** Readers who came back after a storm. */
  back?: number
  /** The time until the last reader came back. */
  stormMs?: number
  /** Bytes per tick and reader. */
  readonly bytes: number[]
  readonly bodyMs: number[]
}

interface Watcher {
  readonly address: string
  readonly agent: Agent
  request?: ClientRequest | undefined
  rest: string
  tick: number
  /** The id of the last message. */
  id: readonly [tick: number, n: number]
  tickBytes: number
}

/** Returns the loopback address of a reader; each address has as many as a server accepts. */
const addressOf = (n: number): string => {
  const host = Math.floor(n / WATCHERS_PER_ADDRESS_MAX) + 2
  return `127.0.${host >> 8}.${host & 255}`
}

function takeMessage(run: SpectatorRun, watcher: Watcher, block: string, step: number): void {
  const found = /^id: (\d+)\.(\d+)\ndata: \{"type":"(\w+)"/.exec(block)
  if (!found) return
  const [id, type] = [[Number(found[1]), Number(found[2])] as const, found[3]]
  if (type === 'reset') run.resets += 1
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
  readonly print: (text: string) => void
}

export interface Spectating {
  readonly run: SpectatorRun
  /** Cuts all streams at once; each reader reconnects with the id of its last message. */
  storm(): Promise<void>
  end(): void
}

/** Resolves with the id of a current battle; undefined if there is none. */
async function battleAt(url: string): Promise<string | undefined> {
  const response = await fetch(`${url}/api/map/activity`)
  if (!response.ok) return undefined
  const { battles } = (await response.json()) as { battles: Readonly<Record<string, string>> }
  return Object.values(battles)[0]
}

function watch(run: SpectatorRun, url: string, watcher: Watcher, step: number): Promise<void> {
  return new Promise((resolve) => {
    const [tick, n] = watcher.id
    const headers = n < 0 ? {} : { 'last-event-id': `${tick}.${n}` }
    const request = get(url, { localAddress: watcher.address, agent: false, headers })
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
      response.on('data', (piece: string) => {
        if (watcher.request === request) takePiece(run, watcher, piece, step)
      })
      response.on('error', () => undefined)
      response.on('close', () => {
        if (watcher.request === request) run.closed += 1
      })
    })
    request.on('error', () => resolve())
  })
}

/** Cuts a stream and opens it again, after its last message. */
function reconnect(run: SpectatorRun, url: string, watcher: Watcher, step: number): Promise<void> {
  const { request } = watcher
  Object.assign(watcher, { request: undefined, rest: '', tickBytes: 0 })
  request?.destroy()
  return watch(run, url, watcher, step)
}

/** Requests a body as a browser does, on a keep-alive connection. */
function requestBody(run: SpectatorRun, url: string, { address, agent }: Watcher): Promise<void> {
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

/** Connects spectators, who watch and send requests until `end`. */
export async function spectate(options: SpectateOptions): Promise<Spectating> {
  const { url, spectators, step, print } = options
  const run: SpectatorRun = {
    wanted: spectators,
    opened: 0,
    closed: 0,
    refused: 0,
    ticks: 0,
    missed: 0,
    twice: 0,
    resets: 0,
    bytes: [],
    bodyMs: [],
  }
  const battle = await battleAt(url)
  const topics = ['feed', 'map', ...(battle === undefined ? [] : [`battle:${battle}`])]
  const feed = `${url}/events?topics=${topics.join()}`
  const watchers: Watcher[] = []
  const since = performance.now()
  for (let n = 0; n < spectators; n++) {
    const watcher: Watcher = {
      address: addressOf(n),
      agent: new Agent({ keepAlive: true, maxSockets: 1 }),
      rest: '',
      tick: 0,
      id: [0, -1],
      tickBytes: 0,
    }
    watchers.push(watcher)
    const opened = watch(run, feed, watcher, step)
    if (n % OPENED_AT_ONCE === OPENED_AT_ONCE - 1)
      await Promise.all([opened, sleep(OPENING_PAUSE_MS)])
  }
  const seconds = (performance.now() - since) / 1000
  print(`${run.opened} spectators connected after ${seconds.toFixed(1)} s`)
  const starters = watchers.map((watcher, n) => {
    const request = (): void => void requestBody(run, `${url}${BODIES[n % BODIES.length]}`, watcher)
    return setTimeout(
      () => {
        request()
        timers.push(setInterval(request, REQUEST_EVERY_MS))
      },
      (n / spectators) * REQUEST_EVERY_MS,
    )
  })
  const timers: NodeJS.Timeout[] = []
  return {
    run,
    storm: async () => {
      const [since, before] = [performance.now(), run.opened]
      const back = watchers.map((watcher) => reconnect(run, feed, watcher, step))
      await Promise.race([Promise.all(back), sleep(STORM_MS_MAX)])
      run.stormMs = performance.now() - since
      run.back = run.opened - before
      run.opened = before
    },
    end: () => {
      for (const timer of starters) clearTimeout(timer)
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
