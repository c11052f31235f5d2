/**
 * Clients that vanish between sending and answer, on every channel: what reached the world is done,
 * and its outcome waits for the player. `node dist/test/fault/vanish.js --count 5000`.
 */
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { CHANNELS, type Channel, type Params } from '../../bench/clients.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { type Answer, newPlayer, openSocket, post } from '../e2e/wire.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { dice } from './kill.ts'

export interface VanishOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly seed: number
}

export interface Vanished {
  /** Requests that reached the world before their client was gone. */
  readonly arrived: number
  readonly broken: readonly string[]
}

const AT_ONCE = 20
const DELAY_MS_MAX = 12
/** Shorter than this: gone before the request is out, as often as not. */
const AT_ONCE_MS = 4

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A player with a session that stays, in which the outcome must turn up. */
interface Stayer {
  readonly name: string
  readonly channel: Channel
  readonly login: Params
  ask(command: string): Promise<Answer>
}

async function newStayer(server: TestServer, name: string, channel: Channel): Promise<Stayer> {
  const made = await post(`${server.url}/api/v1/register`, newPlayer(name))
  const session = { 'x-session-id': (made.body.session as { id: string }).id }
  const { password } = made.body.result as Params
  return {
    name,
    channel,
    login: { username: name, password },
    ask: (command) => post(`${server.url}/api/v1/${command}`, {}, session),
  }
}

/** Sends undock on a second login of the player and is gone a little later. */
async function vanish(server: TestServer, stayer: Stayer, delayMs: number): Promise<void> {
  const { channel, login } = stayer
  if (channel === 'ws1' || channel === 'ws2') {
    const isV2 = channel === 'ws2'
    const socket = await openSocket(server.url, isV2 ? '/ws/v2' : '/ws')
    const frame = (tool: string, action: string, payload: Params) =>
      isV2 ? { tool, action, payload } : { type: action, payload }
    socket.send(frame('game_auth', 'login', login))
    await socket.next('logged_in')
    socket.send(frame('game', 'undock', {}))
    if (delayMs > AT_ONCE_MS) await sleep(delayMs)
    socket.socket.terminate()
    return
  }
  const { at, init } = await requestOf(server, channel, login)
  const hangUp = new AbortController()
  const gone = fetch(at, { ...init, signal: hangUp.signal }).catch(() => undefined)
  if (delayMs > AT_ONCE_MS) await sleep(delayMs)
  hangUp.abort()
  await gone
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
    const at = `${server.url}/mcp`
    const answer = (await (await fetch(at, call('login', login))).json()) as {
      result: { structuredContent: Params }
    }
    const { session_id } = answer.result.structuredContent
    return { at, init: call('undock', { session_id }) }
  }
  const [loginPath, path] =
    channel === 'http1'
      ? ['/api/v1/login', '/api/v1/undock']
      : ['/api/v2/game_auth/login', '/api/v2/game/undock']
  const back = await post(server.url + loginPath, login)
  const session = { 'x-session-id': (back.body.session as { id: string }).id }
  return { at: server.url + path, init: { method: 'POST', headers: { ...headers, ...session } } }
}

/** Done and told, or neither. */
async function check(stayer: Stayer): Promise<{ isDone: boolean; broken: string[] }> {
  const { body } = await stayer.ask('get_status')
  const player = (body.result as Params)?.player as Params | undefined
  const isDone = player !== undefined && !player.docked_at_base
  const outcomes = (body.notifications as { msg_type: string }[]).filter(
    ({ msg_type }) => msg_type === 'action_result',
  ).length
  const isRight = player !== undefined && outcomes === (isDone ? 1 : 0)
  const what = `${stayer.name} on ${stayer.channel}: done ${isDone}, told ${outcomes} times`
  return { isDone, broken: isRight ? [] : [what] }
}

export async function vanishAgainAndAgain(options: VanishOptions): Promise<Vanished> {
  const { database, count, seed } = options
  const roll = dice(seed)
  const server = await startTestServer(database)
  const broken: string[] = []
  let arrived = 0
  for (let i = 0; i < count; i += AT_ONCE) {
    const group = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - i) }, (_, k) =>
        newStayer(server, `Vanisher ${i + k}`, CHANNELS[(i + k) % CHANNELS.length]),
      ),
    )
    await Promise.all(group.map((stayer) => vanish(server, stayer, roll() * DELAY_MS_MAX)))
    await sleep(10)
    await server.link.step(2)
    for (const stayer of group) {
      const found = await check(stayer)
      if (found.isDone) arrived += 1
      broken.push(...found.broken)
      await stayer.ask('logout')
    }
  }
  await server.stop()
  return { arrived, broken }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '5000' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [count, seed] = [Number(values.count), Number(values.seed)]
  const { arrived, broken } = await withDatabase((database) =>
    vanishAgainAndAgain({ database, count, seed }),
  )
  console.log(`${count} clients vanished, ${arrived} after their command had arrived`)
  for (const promise of broken.slice(0, 20)) console.log(`BROKEN: ${promise}`)
  process.exit(broken.length === 0 ? 0 : 1)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
