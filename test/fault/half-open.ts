/**
 * Clients that vanish silently: their TCP connection stays open, but neither frames nor pongs
 * arrive. The server must close them after 60 to 70 s, counted with code 1000, and the ship of one
 * in a battle must turn pilotless. `node dist/test/fault/half-open.js --count 3 [--netns 1]`: each
 * run takes more than a minute. With `--netns 1`, as root, a client in a network namespace is cut
 * off too.
 */
import type { Client, Params } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { newPlayer, request } from '../e2e/wire.ts'
import { frameOf, framesIn, handshake, openRaw, TEXT } from '../fuzz/raw.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { cutOffPeer } from './cut-off.ts'
import { runAsProgram, sleep, startOn, until, type Verdict } from './program.ts'

interface HalfOpenOptions {
  readonly database: TestDatabase
  /** Number of silent sockets in no battle, in addition to the one that is. */
  readonly idlers: number
  /** Served by node:http and ws instead of the native library. */
  readonly isFallback?: boolean
  /** Adds a client behind a link that goes down; needs root. */
  readonly netns?: boolean
}

const CLOSED_MS_MIN = 60_000
const CLOSED_MS_MAX = 70_000
/** The counter of the server is read a little later than it changes. */
const SLACK_MS = 500
const BYSTANDERS = 4

/** A client over raw TCP that sends what the test says and never answers a ping. */
interface SilentClient {
  send(type: string, payload: Params): string
  /** Returns the final answer to a command; undefined if there is none yet. */
  answer(id: string): Params | undefined
  /** When it sent its last frame. */
  readonly sentMs: number
  /** When the answer was seen; the server received the frame between the two moments. */
  readonly heardMs: number
  vanish(): void
}

async function openSilent(port: number): Promise<SilentClient> {
  const raw = await openRaw(port)
  raw.write(handshake('/ws'))
  await raw.until((received) => received.includes('"welcome"'))
  let lastId = 0
  let [sentMs, heardMs] = [0, 0]
  const frames = () =>
    framesIn(raw.received())
      .filter(({ opcode }) => opcode === TEXT)
      .map(({ text }) => JSON.parse(text) as Params & { payload: Params })
  return {
    send(type, payload) {
      lastId += 1
      sentMs = performance.now()
      raw.write(frameOf(TEXT, JSON.stringify({ type, payload, request_id: String(lastId) })))
      return String(lastId)
    },
    answer: (id) => {
      const own = frames().filter((frame) => frame.request_id === id)
      const answer = own.find(({ type, payload }) => type !== 'ok' || payload.pending !== true)
      if (answer) heardMs = performance.now()
      return answer
    },
    get sentMs() {
      return sentMs
    },
    get heardMs() {
      return heardMs
    },
    vanish: () => raw.destroy(),
  }
}

/** Sends a command and steps ticks until it is answered. */
async function playSilent(
  server: TestServer,
  silent: SilentClient,
  type: string,
  payload: Params = {},
) {
  const id = silent.send(type, payload)
  await until(`${type} answered`, async () => {
    if (silent.answer(id)) return true
    if (server.link.pending() > 0) await server.link.step(1)
    return false
  })
  const frame = silent.answer(id) as Params
  if (frame.type === 'error' || frame.type === 'action_error')
    throw new Error(`${type}: ${JSON.stringify(frame.payload)}`)
  return frame.payload as Params
}

interface MapSystem {
  readonly id: string
  readonly police_level: number
  readonly connections: string[]
}

/** Returns the systems on the way from `home` to the nearest one without police. */
async function routeToLawless(url: string, home: string): Promise<string[]> {
  const { body } = await request(`${url}/api/map`)
  const systems = new Map((body.systems as MapSystem[]).map((system) => [system.id, system]))
  const routes = new Map<string, string[]>([[home, []]])
  for (const [id, route] of routes) {
    const system = systems.get(id) as MapSystem
    if (system.police_level === 0) return route
    for (const next of system.connections) {
      if (!routes.has(next)) routes.set(next, [...route, next])
    }
  }
  throw new Error('every system has police')
}

interface Fight {
  readonly attacker: Client
  readonly victim: SilentClient
  readonly login: Params
  readonly victimId: string
}

/** Starts a fight between two players, the attacked one on a silent client. */
async function startFight(server: TestServer): Promise<Fight> {
  const attacker = await connect(server.url, 'ws2')
  await attacker.call('register', { ...newPlayer(), empire: 'outerrim' })
  const victim = await openSilent(server.port)
  const registration = { ...newPlayer(), empire: 'outerrim' }
  const { password, player_id } = await playSilent(server, victim, 'register', registration)
  const { result } = await attacker.call('get_system')
  const home = String((result.system as Params).id)
  for (const target_system of await routeToLawless(server.url, home)) {
    await server.play(attacker, 'jump', { target_system })
    await playSilent(server, victim, 'jump', { target_system })
  }
  const attack = await server.play(attacker, 'attack', { target_id: player_id })
  if (!attack.ok) throw new Error(`attack: ${attack.message}`)
  const login = { username: (registration as Params).username, password }
  return { attacker, victim, login, victimId: String(player_id) }
}

/** Returns the server's own count of sockets closed with 1000. */
async function closedCount({ net }: TestServer): Promise<number> {
  const { values } = await net.net.metrics.closes.get()
  return values.find(({ labels }) => labels.code === '1000')?.value ?? 0
}

async function openIdlers(server: TestServer, count: number): Promise<SilentClient[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const silent = await openSilent(server.port)
      await playSilent(server, silent, 'register', newPlayer())
      return silent
    }),
  )
}

/** Reconnects the attacked player, who must be told that the ship had turned pilotless. */
async function reconnectVictim(server: TestServer, { login, victimId, attacker }: Fight) {
  const notices = attacker
    .pushes()
    .filter(({ type, payload }) => type === 'pilotless_ship' && payload.player_id === victimId)
  const client = await connect(server.url, 'ws1')
  await client.call('login', login)
  await client.call('get_status')
  const isNotified = client.pushes().some(({ type }) => type === 'reconnected')
  await client.close()
  return [
    ...(notices.length === 1 ? [] : [`the ship turned pilotless ${notices.length} times`]),
    ...(isNotified ? [] : ['the player was not told of the pilotless ship after reconnecting']),
  ]
}

interface Closes {
  /** When the server had counted each close, as far as they came in time. */
  readonly closedAtMs: readonly number[]
  /** Longest time between two reads of the counter: more than 50 ms if this process was held up. */
  readonly gapMs: number
}

async function watchCloses(server: TestServer, count: number): Promise<Closes> {
  let readMs = performance.now()
  const end = readMs + CLOSED_MS_MAX + SLACK_MS
  const closedAtMs: number[] = []
  let gapMs = 0
  while (readMs < end && closedAtMs.length < count) {
    const closed = await closedCount(server)
    while (closedAtMs.length < closed) closedAtMs.push(performance.now())
    await sleep(50)
    gapMs = Math.max(gapMs, performance.now() - readMs)
    readMs = performance.now()
  }
  return { closedAtMs, gapMs }
}

const openServer = ({ database, isFallback = false, netns = false }: HalfOpenOptions) => {
  const settings = netns ? { HOST: '0.0.0.0', LIMITS: 'on' } : undefined
  return startOn(isFallback, () => startTestServer(database, { settings }))
}

/** Makes a run with silent sockets, one of them in a fight, and bystanders who answer pings. */
async function vanishSilently(options: HalfOpenOptions): Promise<Verdict> {
  const server = await openServer(options)
  const bystanders = await Promise.all(
    Array.from({ length: BYSTANDERS }, async (_, i) => {
      const client = await connect(server.url, i % 2 === 0 ? 'ws1' : 'ws2')
      await client.call('register', newPlayer())
      return client
    }),
  )
  const fight = await startFight(server)
  const silents = [fight.victim, ...(await openIdlers(server, options.idlers))]
  const cut = options.netns ? await cutOffPeer(server.port) : undefined
  const lastSigns = [...silents, ...(cut ? [{ sentMs: cut.heardMs, heardMs: cut.cutAtMs }] : [])]
  const count = lastSigns.length
  const { closedAtMs, gapMs } = await watchCloses(server, count)
  // The client that fell silent first is closed first.
  const closedAfter = (times: number[]): number[] => {
    times.sort((a, b) => a - b)
    return closedAtMs.map((closedMs, i) => closedMs - times[i])
  }
  const closedMs = closedAfter(lastSigns.map(({ sentMs }) => sentMs))
  const firstMs = Math.min(...closedMs)
  const lastMs = Math.max(...closedAfter(lastSigns.map(({ heardMs }) => heardMs)))
  const isOnTime = firstMs >= CLOSED_MS_MIN && lastMs <= CLOSED_MS_MAX + SLACK_MS
  const broken = [
    ...(closedMs.length === count
      ? []
      : [
          `${closedMs.length} of ${count} were closed in 70 s, ` +
            `with at most ${Math.round(gapMs)} ms between two reads of the counter`,
        ]),
    ...(isOnTime ? [] : [`closed after ${Math.round(firstMs)} to ${Math.round(lastMs)} ms`]),
    ...bystanders.flatMap(({ closed }) => (closed ? [`a bystander: ${closed.code}`] : [])),
    ...(fight.attacker.closed ? ['the attacker was closed'] : []),
    ...(await reconnectVictim(server, fight)),
  ]
  for (const silent of silents) silent.vanish()
  cut?.end()
  await server.stop()
  const how = options.isFallback ? 'fallback' : 'native'
  const after = `${Math.round(firstMs)} to ${Math.round(lastMs)} ms`
  const summary = `${count} silent sockets (${how}) closed with 1000 after ${after}`
  return { summary, broken }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Lets sockets fall silent, in a fight and out of it; each run takes 70 s.',
    defaults: { count: 1, seed: 1, idlers: 10, netns: 0 },
  },
  ({ count, idlers, netns }) =>
    withDatabase(async (database) => {
      const runs: Verdict[] = []
      for (let i = 0; i < count; i++) {
        const options = { database, idlers, netns: netns === 1 && i % 2 === 0 }
        runs.push(await vanishSilently({ ...options, isFallback: i % 2 === 1 }))
      }
      const summary = runs.map((run) => run.summary).join('; ')
      return { summary, broken: runs.flatMap(({ broken }) => broken) }
    }),
)
