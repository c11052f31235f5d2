/**
 * Clients that vanish between sending and answer, on every channel: a command that reached the
 * world must be done, and its outcome must be kept for the player.
 * `node dist/test/fault/vanish.js --count 5000`.
 */
import { CHANNELS, type Channel, type Params } from '../../bench/client.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { type Answer, newPlayer, openSocket, post } from '../e2e/wire.ts'
import { frameOf, handshake, openRaw, TEXT } from '../fuzz/raw.ts'
import { startTestServer, type TestServer } from '../servers.ts'

import { dice, listen, runAsProgram, sleep, startOn, until } from './program.ts'

interface VanishOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly seed: number
  /** Served by node:http and ws instead of the native library. */
  readonly isFallback?: boolean
}

/**
 * State of the exchange when its client vanishes: half of the request is sent, all of it is in
 * transit, the world has accepted it, or the tick that answers it runs.
 */
const STAGES = ['half', 'sent', 'accepted', 'answering'] as const
type Stage = (typeof STAGES)[number]

interface Vanished {
  /** Number of requests that reached the world before their client was gone. */
  readonly arrived: number
  readonly broken: readonly string[]
}

const AT_ONCE = 20
const DELAY_MS_MAX = 12
/** With a shorter delay the client is gone at once, often before the request is sent. */
const AT_ONCE_MS = 4

/** A player with a second session, which stays and must get the outcome. */
interface Stayer {
  readonly name: string
  readonly channel: Channel
  readonly stage: Stage
  readonly login: Params
  ask(command: string): Promise<Answer>
}

async function newStayer(server: TestServer, name: string, nth: number): Promise<Stayer> {
  const made = await post(`${server.url}/api/v1/register`, newPlayer(name))
  const session = { 'x-session-id': (made.body.session as { id: string }).id }
  const { password } = made.body.result as Params
  return {
    name,
    channel: CHANNELS[nth % CHANNELS.length],
    stage: STAGES[Math.floor(nth / CHANNELS.length) % STAGES.length],
    login: { username: name, password },
    ask: (command) => post(`${server.url}/api/v1/${command}`, {}, session),
  }
}

/** Sends only the first half of a request or frame. */
async function sendHalf({ port }: TestServer, channel: Channel, delayMs: number): Promise<void> {
  const raw = await openRaw(port)
  if (channel === 'ws1' || channel === 'ws2') {
    raw.write(handshake(channel === 'ws2' ? '/ws/v2' : '/ws'))
    const frame = frameOf(TEXT, JSON.stringify({ type: 'undock', payload: {} }))
    await raw.until((received) => received.includes('"welcome"'))
    raw.write(frame.subarray(0, frame.byteLength / 2))
  } else {
    const path = { http1: '/api/v1/undock', http2: '/api/v2/game/undock', mcp: '/mcp' }[channel]
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json`
    raw.write(`${head}\r\nContent-Length: 200\r\n\r\n{"id":`)
  }
  await sleep(delayMs)
  raw.destroy()
}

/** Sends undock on a second login of the player, and vanishes when the stage is reached. */
async function vanish(server: TestServer, stayer: Stayer, when: Moments): Promise<void> {
  const { channel, login, stage } = stayer
  const { delayMs, reached } = when
  if (stage === 'half') {
    await sendHalf(server, channel, delayMs)
    return
  }
  const wait = async (): Promise<void> => {
    if (stage === 'sent' && delayMs <= AT_ONCE_MS) return
    if (stage !== 'sent') await reached(stage)
    await sleep(delayMs)
  }
  if (channel === 'ws1' || channel === 'ws2') {
    const isV2 = channel === 'ws2'
    const socket = await openSocket(server.url, isV2 ? '/ws/v2' : '/ws')
    const frame = (tool: string, action: string, payload: Params) =>
      isV2 ? { tool, action, payload } : { type: action, payload }
    socket.send(frame('game_auth', 'login', login))
    await socket.next('logged_in')
    socket.send(frame('game', 'undock', {}))
    await wait()
    socket.socket.terminate()
    return
  }
  const { url, init } = await requestOf(server, channel, login)
  const hangUp = new AbortController()
  const fetched = fetch(url, { ...init, signal: hangUp.signal })
    .then((answer) => answer.text())
    .catch(() => undefined)
  await wait()
  hangUp.abort()
  await fetched
}

async function requestOf(server: TestServer, channel: Channel, login: Params) {
  const headers = { 'content-type': 'application/json' }
  if (channel === 'mcp') {
    const call = (name: string, args: Params) => {
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'vanish', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      }
      const params = { name, arguments: args, _meta: meta }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      const protocol = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      }
      return { method: 'POST', headers: { ...headers, ...protocol }, body }
    }
    const url = `${server.url}/mcp`
    const answer = (await (await fetch(url, call('login', login))).json()) as {
      result: { structuredContent: Params }
    }
    const { session_id } = answer.result.structuredContent
    return { url, init: call('undock', { session_id }) }
  }
  const [loginPath, path] =
    channel === 'http1'
      ? ['/api/v1/login', '/api/v1/undock']
      : ['/api/v2/game_auth/login', '/api/v2/game/undock']
  const answer = await post(server.url + loginPath, login)
  const session = { 'x-session-id': (answer.body.session as { id: string }).id }
  return { url: server.url + path, init: { method: 'POST', headers: { ...headers, ...session } } }
}

/** What the clients of a group wait for before they vanish. */
interface Moments {
  readonly delayMs: number
  reached(stage: Stage): Promise<void>
}

/**
 * Checks that a command was both done and answered, or neither. During the tick, the client itself
 * may have got the answer.
 */
async function check(stayer: Stayer): Promise<{ isDone: boolean; broken: string[] }> {
  const { body } = await stayer.ask('get_status')
  const player = (body.result as Params)?.player as Params | undefined
  const isDone = player !== undefined && !player.docked_at_base
  const outcomes = (body.notifications as { msg_type: string }[]).filter(
    ({ msg_type }) => msg_type === 'action_result',
  ).length
  const expected = isDone ? 1 : 0
  const isAnswered = stayer.stage === 'answering' ? outcomes <= expected : outcomes === expected
  const isRight = player !== undefined && isAnswered && (stayer.stage !== 'half' || !isDone)
  const { name, channel, stage } = stayer
  const what = `${name} on ${channel}, ${stage}: done ${isDone}, answered ${outcomes} times`
  return { isDone, broken: isRight ? [] : [what] }
}

function gate() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** Lets the clients of a group vanish, each at its stage, and runs the tick. */
async function vanishAll(server: TestServer, group: readonly Stayer[], roll: () => number) {
  const [accepted, answering] = [gate(), gate()]
  const accepting = group.filter(({ stage }) => stage === 'accepted' || stage === 'answering')
  const reached = (stage: Stage): Promise<void> =>
    stage === 'answering' ? answering.opened : accepted.opened
  const vanishing = group.map((stayer) =>
    vanish(server, stayer, { delayMs: roll() * DELAY_MS_MAX, reached }),
  )
  // At least the mutations of those that wait are pending; some of the others may be as well.
  await until('accepted', () => server.link.pending() >= accepting.length)
  accepted.open()
  await Promise.all(vanishing.filter((_, i) => group[i].stage !== 'answering'))
  const step = server.link.step(1)
  answering.open()
  await Promise.all([step, ...vanishing])
  await sleep(10)
  await server.link.step(2)
}

export async function vanishAgainAndAgain(options: VanishOptions): Promise<Vanished> {
  const { database, count, seed, isFallback = false } = options
  const roll = dice(seed)
  const errors: string[] = []
  const server = await startOn(isFallback, () =>
    startTestServer(database, { hooks: { log: listen(errors) } }),
  )
  const broken: string[] = []
  let arrived = 0
  for (let i = 0; i < count; i += AT_ONCE) {
    const group = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - i) }, (_, k) =>
        newStayer(server, `Vanisher ${i + k}`, i + k),
      ),
    )
    await vanishAll(server, group, roll)
    for (const stayer of group) {
      const found = await check(stayer)
      if (found.isDone) arrived += 1
      broken.push(...found.broken)
      await stayer.ask('logout')
    }
  }
  await server.stop()
  broken.push(...errors.map((text) => `the log says: ${text}`))
  return { arrived, broken }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Lets clients vanish on every channel and at every stage of an exchange.',
    defaults: { count: 5_000, seed: 1, fallback: 0 },
  },
  async ({ count, seed, fallback }) => {
    const { arrived, broken } = await withDatabase((database) =>
      vanishAgainAndAgain({ database, count, seed, isFallback: fallback === 1 }),
    )
    const summary = `${count} clients vanished, ${arrived} after their command had arrived`
    return { summary, broken }
  },
)
