/**
 * Plays the examples of the documentation against a server. An answer may have more fields than are
 * shown; a shown field must exist with the same type, and with the same value if it is in `EXACT`.
 */
import type { Example, HttpStep, SocketStep } from '../../net/docs/examples.ts'
import type { TestServer } from '../servers.ts'
import { newPlayer, openSocket, post, type RawSocket, request } from './wire.ts'

/** Fields whose values are promised, not only their types. */
const EXACT = new Set(['type', 'request_id', 'pending', 'command', 'code', 'error', 'docked_at'])

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/** Lists how a real answer differs from the one that is shown. */
export function misfits(shown: unknown, real: unknown, path = 'answer'): string[] {
  const [shownKind, realKind] = [kindOf(shown), kindOf(real)]
  if (shownKind !== realKind) return [`${path} is ${realKind}, shown is ${shownKind}`]
  const name = path.split('.').at(-1) ?? ''
  if (shownKind !== 'object' && shownKind !== 'list') {
    if (!EXACT.has(name) || shown === real) return []
    return [`${path} is ${String(real)}, shown is ${String(shown)}`]
  }
  const realFields = real as Record<string, unknown>
  return Object.entries(shown as object).flatMap(([key, part]) =>
    key in realFields
      ? misfits(part, realFields[key], `${path}.${key}`)
      : [`${path}.${key} is not there`],
  )
}

/** Maps texts of the documentation to those of this run: ids, passwords, tags. */
type Names = Map<string, string>

/** Records for each text of a shown answer what this run has in its place. */
function learn(names: Names, shown: unknown, real: unknown): void {
  if (typeof shown === 'string' && typeof real === 'string') {
    if (shown !== real) names.set(shown, real)
    return
  }
  if (typeof shown !== 'object' || shown === null) return
  for (const [key, part] of Object.entries(shown))
    learn(names, part, (real as Record<string, unknown> | null)?.[key])
}

/** Returns a shown request with the texts of this run. */
const withRealNames = <T>(names: Names, shown: T): T =>
  JSON.parse(JSON.stringify(shown), (_, part) =>
    typeof part === 'string' ? (names.get(part) ?? part) : part,
  )

interface Stage {
  readonly server: TestServer
  readonly names: Names
  readonly sockets: Map<string, RawSocket>
  /** The address of the connection that the current example uses. */
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

/** Compares a shown value with the real one, and learns the texts of this run. */
function check(stage: Stage, label: string, shown: unknown, real: unknown): void {
  stage.played += 1
  stage.wrong.push(...misfits(shown, real).map((wrong) => `${label}: ${wrong}`))
  learn(stage.names, shown, real)
}

/**
 * Gives the player whom a request names a name of this run, so that a second try finds it free, and
 * registers them if they log in without having been shown to register.
 */
async function prepareLogin(stage: Stage, shown: unknown): Promise<void> {
  const { username, password } = (shown ?? {}) as Record<string, string>
  if (!username) return
  if (!stage.names.has(username)) stage.names.set(username, String(newPlayer().username))
  if (!password || stage.names.has(password)) return
  const player = newPlayer(stage.names.get(username))
  const registered = await post(`${stage.server.url}/api/v1/register`, player)
  stage.names.set(password, String((registered.body.result as Record<string, unknown>).password))
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
    if (typeof step.send === 'object') await prepareLogin(stage, step.send.payload)
    socket.send(typeof step.send === 'string' ? step.send : withRealNames(names, step.send))
    return
  }
  const { type, request_id } = step.get
  const label = `${String(type)} ${String(request_id ?? '')}`
  check(stage, label, step.get, await socket.next(String(type)))
}

async function playRequest(stage: Stage, step: HttpStep): Promise<void> {
  const { server, names } = stage
  await prepareLogin(stage, step.body)
  const { method, path, headers, body } = withRealNames(names, step)
  let isOver = false
  const answered = request(server.url + path, {
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
  const answer = await answered
  const label = `${method} ${path}`
  if (answer.status !== step.status) stage.wrong.push(`${label}: status ${answer.status}`)
  for (const [name, shown] of Object.entries(step.answerHeaders ?? {}))
    check(stage, `${label} ${name}`, shown, answer.headers.get(name))
  if (step.answer) check(stage, label, step.answer, answer.body)
}

/**
 * Plays one example and adds every mismatch to `wrong`. A tick is run first: /health estimates the
 * next one only if the last is not long past, whatever time the examples before took.
 */
export async function playExample(stage: Stage, example: Example): Promise<void> {
  await stage.server.link.step(1)
  if ('http' in example) for (const step of example.http) await playRequest(stage, step)
  else for (const step of example.socket) await playFrame(stage, step)
}
