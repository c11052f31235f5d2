/**
 * Plays the examples of the documentation against a server. An answer may have more than is shown;
 * what is shown must be there, of the same type, and where clients look at it the same.
 */
import type { Example, HttpStep, SocketStep } from '../../net/docs/examples.ts'
import type { TestServer } from '../servers.ts'
import { openSocket, post, type RawSocket, request } from './wire.ts'

/** Fields whose values are promised, not only their types. */
const EXACT = new Set(['type', 'request_id', 'pending', 'command', 'code', 'error', 'docked_at'])

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value

/** Lists how a real answer differs from the one that is shown. */
export function misfits(shown: unknown, real: unknown, at = 'answer'): string[] {
  const [want, is] = [kindOf(shown), kindOf(real)]
  if (want !== is) return [`${at} is ${is}, shown is ${want}`]
  const name = at.split('.').at(-1) ?? ''
  if (EXACT.has(name) && want !== 'object' && want !== 'list')
    return shown === real ? [] : [`${at} is ${String(real)}, shown is ${String(shown)}`]
  if (want !== 'object' && want !== 'list') return []
  const own = real as Record<string, unknown>
  return Object.entries(shown as object).flatMap(([key, part]) =>
    key in own ? misfits(part, own[key], `${at}.${key}`) : [`${at}.${key} is not there`],
  )
}

/** Texts that stand in the documentation for those of this run: ids, passwords, tags. */
type Names = Map<string, string>

function learn(names: Names, shown: unknown, real: unknown): void {
  if (typeof shown === 'string' && typeof real === 'string') {
    if (shown !== real) names.set(shown, real)
    return
  }
  if (typeof shown !== 'object' || shown === null) return
  for (const [key, part] of Object.entries(shown))
    learn(names, part, (real as Record<string, unknown> | null)?.[key])
}

const spoken = <T>(names: Names, shown: T): T =>
  JSON.parse(JSON.stringify(shown), (_, part) =>
    typeof part === 'string' ? (names.get(part) ?? part) : part,
  )

interface Stage {
  readonly server: TestServer
  readonly names: Names
  readonly sockets: Map<string, RawSocket>
  /** Of the example now: the address of its connection. */
  path: string
  readonly wrong: string[]
  played: number
}

export const newStage = (server: TestServer): Stage => ({
  server,
  names: new Map(),
  sockets: new Map(),
  path: '',
  wrong: [],
  played: 0,
})

function check(stage: Stage, what: string, shown: unknown, real: unknown): void {
  stage.played += 1
  stage.wrong.push(...misfits(shown, real).map((wrong) => `${what}: ${wrong}`))
  learn(stage.names, shown, real)
}

/** Registers a player that an example logs in as without showing the registration. */
async function known(stage: Stage, login: unknown): Promise<void> {
  const { username, password } = (login ?? {}) as Record<string, string>
  if (!password || stage.names.has(password)) return
  const player = { username, empire: 'solarian', registration_code: 'any' }
  const made = await post(`${stage.server.url}/api/v1/register`, player)
  stage.names.set(password, String((made.body.result as Record<string, unknown>).password))
}

/** Returns the connection that a frame belongs to: frames of v2 name a tool. */
function socketOf(stage: Stage, step: SocketStep): RawSocket {
  if ('send' in step && typeof step.send === 'object')
    stage.path = 'tool' in step.send ? '/ws/v2' : '/ws'
  const socket = stage.sockets.get(stage.path)
  if (!socket) throw new Error(`no connection to ${stage.path}`)
  return socket
}

async function playFrame(stage: Stage, step: SocketStep): Promise<void> {
  const { server, names } = stage
  if ('open' in step) {
    stage.path = step.open
    stage.sockets.set(step.open, await openSocket(server.url, step.open))
    return
  }
  if ('tick' in step) {
    await server.untilPending(1)
    await server.link.step(1)
    return
  }
  const socket = socketOf(stage, step)
  if ('closed' in step) {
    check(stage, 'close', { code: step.closed }, await socket.closed)
    if ((await socket.closed).code !== step.closed) stage.wrong.push('another close code')
    return
  }
  if ('send' in step) {
    if (typeof step.send === 'object') await known(stage, step.send.payload)
    socket.send(typeof step.send === 'string' ? step.send : spoken(names, step.send))
    return
  }
  const { type, request_id } = step.get
  const what = `${String(type)} ${String(request_id ?? '')}`
  check(stage, what, step.get, await socket.next(String(type)))
}

async function playRequest(stage: Stage, step: HttpStep): Promise<void> {
  const { server, names } = stage
  const { method, path, headers, body } = spoken(names, step)
  await known(stage, step.body)
  let isOver = false
  const asked = request(server.url + path, {
    method,
    ...(headers ? { headers } : {}),
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).finally(() => {
    isOver = true
  })
  while (!isOver) {
    if (server.link.pending() > 0) await server.link.step(1)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const answer = await asked
  const what = `${method} ${path}`
  if (answer.status !== step.status) stage.wrong.push(`${what}: status ${answer.status}`)
  for (const [name, shown] of Object.entries(step.answerHeaders ?? {}))
    check(stage, `${what} ${name}`, shown, answer.headers.get(name))
  if (step.answer) check(stage, what, step.answer, answer.body)
}

/** Plays one example; what does not fit is put into `wrong`. */
export async function playExample(stage: Stage, example: Example): Promise<void> {
  if ('http' in example) for (const step of example.http) await playRequest(stage, step)
  else for (const step of example.socket) await playFrame(stage, step)
}
