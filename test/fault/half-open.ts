/**
 * Peers that vanish without a word: the TCP connection stands, and nothing comes any more, no frame
 * and no pong. The server closes them after 60 to 70 s with 1000 on its books, and the ship of one
 * in a fight turns pilotless. `node dist/test/fault/half-open.js --count 3 [--netns 1]`: each run
 * waits more than a minute. With netns=1, as root, a peer in a network namespace is cut off too.
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
  /** Silent sockets that are in no fight, beside the one that is. */
  readonly idlers: number
  /** Served by node:http and ws instead of the native library. */
  readonly isFallback?: boolean
  /** Also a peer behind a link that goes down; needs root. */
  readonly netns?: boolean
}

const CLOSED_MS_LEAST = 60_000
const CLOSED_MS_MOST = 70_000
/** The books are looked at a little later. */
const SLACK_MS = 500
const BYSTANDERS = 4

/** A hand-made client: it sends what the test says, and never answers a ping. */
interface Mute {
  send(type: string, payload: Params): string
  /** The answer, or the outcome of a mutation. */
  answer(id: string): Params | undefined
  /** When it sent its last frame, and when the answer to that was seen: heard between the two. */
  readonly sentMs: number
  readonly heardMs: number
  vanish(): void
}

async function openMute(port: number): Promise<Mute> {
  const raw = await openRaw(port)
  raw.write(handshake('/ws'))
  await raw.until((received) => received.includes('"welcome"'))
  let last = 0
  let [sentMs, heardMs] = [0, 0]
  const frames = () =>
    framesIn(raw.received())
      .filter(({ opcode }) => opcode === TEXT)
      .map(({ text }) => JSON.parse(text) as Params & { payload: Params })
  return {
    send(type, payload) {
      last += 1
      sentMs = performance.now()
      raw.write(frameOf(TEXT, JSON.stringify({ type, payload, request_id: String(last) })))
      return String(last)
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

/** Sends a command and steps the clock until it is answered. */
async function playMute(server: TestServer, mute: Mute, type: string, payload: Params = {}) {
  const id = mute.send(type, payload)
  await until(`${type} answered`, async () => {
    if (mute.answer(id)) return true
    if (server.link.pending() > 0) await server.link.step(1)
    return false
  })
  const frame = mute.answer(id) as Params
  if (frame.type === 'error' || frame.type === 'action_error')
    throw new Error(`${type}: ${JSON.stringify(frame.payload)}`)
  return frame.payload as Params
}

interface MapSystem {
  readonly id: string
  readonly police_level: number
  readonly connections: string[]
}

/** Returns the systems to jump to from `home` to one without police. */
async function wayOut(url: string, home: string): Promise<string[]> {
  const { body } = await request(`${url}/api/map`)
  const systems = new Map((body.systems as MapSystem[]).map((system) => [system.id, system]))
  const ways = new Map<string, string[]>([[home, []]])
  for (const [id, way] of ways) {
    const system = systems.get(id) as MapSystem
    if (system.police_level === 0) return way
    for (const next of system.connections) if (!ways.has(next)) ways.set(next, [...way, next])
  }
  throw new Error('everywhere is police')
}

interface Fight {
  readonly attacker: Client
  readonly victim: Mute
  readonly login: Params
  readonly victimId: string
}

/** Starts a fight between two players, the attacked one on a hand-made socket. */
async function startFight(server: TestServer): Promise<Fight> {
  const attacker = await connect(server.url, 'ws2')
  await attacker.call('register', { ...newPlayer(), empire: 'outerrim' })
  const victim = await openMute(server.port)
  const about = { ...newPlayer(), empire: 'outerrim' }
  const { password, player_id } = await playMute(server, victim, 'register', about)
  const { result } = await attacker.call('get_system')
  for (const target_system of await wayOut(server.url, String((result.system as Params).id))) {
    await server.play(attacker, 'jump', { target_system })
    await playMute(server, victim, 'jump', { target_system })
  }
  const attack = await server.play(attacker, 'attack', { target_id: player_id })
  if (!attack.ok) throw new Error(`attack: ${attack.message}`)
  const login = { username: (about as Params).username, password }
  return { attacker, victim, login, victimId: String(player_id) }
}

async function closedBooks({ net }: TestServer): Promise<number> {
  const { values } = await net.net.metrics.closes.get()
  return values.find(({ labels }) => labels.code === '1000')?.value ?? 0
}

async function idle(server: TestServer, count: number): Promise<Mute[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const mute = await openMute(server.port)
      await playMute(server, mute, 'register', newPlayer())
      return mute
    }),
  )
}

/** Reconnects the attacked player, who must learn that the ship was without a pilot. */
async function comeBack(server: TestServer, { login, victimId, attacker }: Fight) {
  const notices = attacker
    .pushes()
    .filter(({ type, payload }) => type === 'pilotless_ship' && payload.player_id === victimId)
  const again = await connect(server.url, 'ws1')
  await again.call('login', login)
  await again.call('get_status')
  const isBack = again.pushes().some(({ type }) => type === 'reconnected')
  await again.close()
  return [
    ...(notices.length === 1 ? [] : [`the ship turned pilotless ${notices.length} times`]),
    ...(isBack ? [] : ['who came back heard nothing of a pilotless ship']),
  ]
}

interface Closes {
  /** When the books had each close; as many as there were in time. */
  readonly closedAtMs: readonly number[]
  /** Longest time between two looks: this process did nothing else, or was held up. */
  readonly gapMs: number
}

async function watchCloses(server: TestServer, count: number): Promise<Closes> {
  let lookedMs = performance.now()
  const end = lookedMs + CLOSED_MS_MOST + SLACK_MS
  const closedAtMs: number[] = []
  let gapMs = 0
  while (lookedMs < end && closedAtMs.length < count) {
    const closed = await closedBooks(server)
    while (closedAtMs.length < closed) closedAtMs.push(performance.now())
    await sleep(50)
    gapMs = Math.max(gapMs, performance.now() - lookedMs)
    lookedMs = performance.now()
  }
  return { closedAtMs, gapMs }
}

const openServer = ({ database, isFallback = false, netns = false }: HalfOpenOptions) => {
  const settings = netns ? { HOST: '0.0.0.0', LIMITS: 'on' } : undefined
  return startOn(isFallback, () => startTestServer(database, { settings }))
}

/** Makes one run: silent sockets, one of them in a fight, and bystanders that only answer pings. */
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
  const mutes = [fight.victim, ...(await idle(server, options.idlers))]
  const cut = options.netns ? await cutOffPeer(server.port) : undefined
  const signs = [...mutes, ...(cut ? [{ sentMs: cut.heardMs, heardMs: cut.cutAtMs }] : [])]
  const count = signs.length
  const { closedAtMs, gapMs } = await watchCloses(server, count)
  // Who fell silent first is closed first.
  const since = (times: number[]): number[] => {
    times.sort((a, b) => a - b)
    return closedAtMs.map((at, i) => at - times[i])
  }
  const closedMs = since(signs.map(({ sentMs }) => sentMs))
  const firstMs = Math.min(...closedMs)
  const lastMs = Math.max(...since(signs.map(({ heardMs }) => heardMs)))
  const isOnTime = firstMs >= CLOSED_MS_LEAST && lastMs <= CLOSED_MS_MOST + SLACK_MS
  const broken = [
    ...(closedMs.length === count
      ? []
      : [
          `${closedMs.length} of ${count} were closed in 70 s, ` +
            `between looks at most ${Math.round(gapMs)} ms`,
        ]),
    ...(isOnTime ? [] : [`closed after ${Math.round(firstMs)} to ${Math.round(lastMs)} ms`]),
    ...bystanders.flatMap(({ closed }) => (closed ? [`a bystander: ${closed.code}`] : [])),
    ...(fight.attacker.closed ? ['the attacker was closed'] : []),
    ...(await comeBack(server, fight)),
  ]
  for (const mute of mutes) mute.vanish()
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
    about: 'Sockets that fall silent, in a fight and out of it; each run takes 70 s.',
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
