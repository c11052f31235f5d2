/**
 * The clients of the scan: lanes that do one thing after another, each drawn from a table of kinds.
 * Every request is answered, or ends with its connection; everything else is a failure.
 */
import type { Dice } from '../../core/dice.ts'
import { type BareSocket, openBare } from './bare-socket.ts'
import { asJson, parse } from './driver.ts'
import type { Patience } from './patience.ts'
import { openPipe, type Pipe, type PipeReply } from './pipe.ts'
import { frameOf, handshake, openRaw, TEXT } from './raw.ts'
import type { DrawnRequest, Draws } from './scan-draws.ts'

export interface Login {
  readonly username: string
  readonly password: string
}

export interface Scan {
  readonly port: number
  readonly dice: Dice
  readonly draws: Draws
  readonly patience: Patience
  readonly counts: ScanCounts
  readonly failures: string[]
  readonly players: readonly Login[]
  /** Session ids to send, by pool: the newest ones. */
  readonly sessions: { readonly http1: string[]; readonly http2: string[]; readonly mcp: string[] }
  /**
   * Resolves with how many of these requests may be sent; at the end with 0, or -1 for `take(0)`.
   */
  take(count: number): Promise<number>
}

export interface ScanCounts {
  sent: number
  answered: number
  /** Requests whose connection ended instead, by either side. */
  ended: number
  /** Of the answered: those that the database was too slow for. */
  late: number
  readonly byKind: Record<string, number>
}

interface Lane {
  readonly scan: Scan
  pipe: Pipe | undefined
}

const ANSWER_SECONDS = 30
/** A client that waits for a tick disconnects after this time. */
const BLOCKED_SECONDS = 2
const AT_ONCE_PCT = 5
const SESSIONS_KEPT = 400
const FAILURES_MAX = 20
const FRAMES_MAX = 40
/** Frames in flight on one socket: fewer than the server allows. */
const FRAMES_AT_ONCE = 20

function fail(scan: Scan, what: string): void {
  if (scan.failures.length < FAILURES_MAX) scan.failures.push(what)
}

function keep(ring: string[], id: string): void {
  if (id === '') return
  ring.push(id)
  if (ring.length > SESSIONS_KEPT) ring.shift()
}

async function pipeOf(lane: Lane): Promise<Pipe> {
  if (!lane.pipe?.isOpen) lane.pipe = await openPipe(lane.scan.port)
  return lane.pipe
}

function recordReply(scan: Scan, reply: PipeReply | undefined, drawn: DrawnRequest): void {
  if (!reply) {
    scan.counts.ended += 1
    return
  }
  scan.counts.answered += 1
  const isLate = reply.text.includes('"code":"persist_timeout"')
  if (isLate) scan.counts.late += 1
  const isBug = reply.status >= 500 || reply.text.includes('"internal_error"')
  if (isBug && !isLate)
    fail(scan, `${reply.text.slice(0, 300)}\n  ${drawn.bytes.toString('latin1', 0, 300)}`)
}

/**
 * Sends requests on the lane's connection, one after another; now and then all at once, which may
 * end it: the native library ends a connection that sends while an answer is pending.
 */
async function exchange(lane: Lane, drawn: readonly DrawnRequest[]): Promise<void> {
  const atOnce = lane.scan.dice.chance(AT_ONCE_PCT) ? drawn.length : 1
  for (let from = 0; from < drawn.length; from += atOnce) {
    await exchangeAtOnce(lane, drawn.slice(from, from + atOnce))
  }
}

async function exchangeAtOnce(lane: Lane, drawn: readonly DrawnRequest[]): Promise<void> {
  const { scan } = lane
  const pipe = await pipeOf(lane)
  const sent = Promise.all(drawn.map(({ bytes, isHead }) => pipe.send(bytes, isHead)))
  const replies = await scan.patience.within(ANSWER_SECONDS, sent, () => 'HTTP')
  replies.forEach((reply, index) => {
    recordReply(scan, reply, drawn[index])
    if (reply && /"session":\{"id"/.test(reply.text)) keepSession(scan, reply)
    keep(scan.sessions.mcp, reply?.header('mcp-session-id') ?? '')
  })
}

function keepSession(scan: Scan, reply: PipeReply): void {
  const body = parse(reply.text) ?? {}
  const isV1 = asJson(body.result).message !== undefined
  keep(isV1 ? scan.sessions.http1 : scan.sessions.http2, String(asJson(body.session).id))
}

const sessionOf = ({ dice, sessions }: Scan, pool: 'http1' | 'http2' | 'mcp'): string =>
  sessions[pool].length > 0 && dice.chance(85) ? dice.pick(sessions[pool]) : ''

/** Draws a request that is answered at once: `sendBlocked` sends those that wait for ticks. */
function drawAnsweredAtOnce(scan: Scan): DrawnRequest {
  for (;;) {
    const framing = scan.dice.pick(['http1', 'http2'] as const)
    const drawn = scan.draws.request(framing, sessionOf(scan, framing))
    if (!drawn.mayBlock) return drawn
  }
}

const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

async function sendRequests(lane: Lane): Promise<void> {
  const count = await lane.scan.take(16)
  if (count === 0) return
  await exchange(
    lane,
    many(count, () =>
      lane.scan.dice.chance(2) ? lane.scan.draws.document() : drawAnsweredAtOnce(lane.scan),
    ),
  )
  if (lane.scan.dice.chance(2)) lane.pipe?.drop()
}

async function openSessions(lane: Lane): Promise<void> {
  const count = await lane.scan.take(4)
  if (count > 0) await exchange(lane, many(count, lane.scan.draws.newSession))
}

async function sendInitializes(lane: Lane): Promise<void> {
  const count = await lane.scan.take(4)
  if (count > 0) await exchange(lane, many(count, lane.scan.draws.initialize))
}

/** Sends a request whose client may lose patience and disconnect: the server must not care. */
async function sendBlocked(lane: Lane): Promise<void> {
  const { scan } = lane
  if ((await scan.take(1)) === 0) return
  const { dice, draws } = scan
  const drawn = dice.chance(50)
    ? draws.rpc(dice.pick(['mcp1', 'mcp2']), sessionOf(scan, 'mcp'))
    : draws.request('http1', sessionOf(scan, 'http1'))
  const pipe = await openPipe(scan.port)
  const sent = pipe.send(drawn.bytes, drawn.isHead)
  try {
    recordReply(scan, await scan.patience.within(BLOCKED_SECONDS, sent, () => 'blocked'), drawn)
  } catch {
    scan.counts.ended += 1
  }
  pipe.drop()
}

async function sendHostile(lane: Lane): Promise<void> {
  const { scan } = lane
  if ((await scan.take(1)) === 0) return
  const raw = await openRaw(scan.port)
  const { bytes, isFrame } = scan.draws.hostile()
  const path = scan.dice.pick(['/ws', '/ws/v2'])
  if (isFrame) raw.write(handshake(path, `X-Forwarded-For: ${scan.draws.address()}\r\n`))
  const upgraded = isFrame ? raw.until((got) => got.length > 0) : Promise.resolve()
  const over = upgraded.then(() => {
    raw.finish(bytes)
    return raw.until(() => false)
  })
  // Only the parser's own timeout ends some unfinished requests: this client does not wait for it.
  await scan.patience.within(1, over, () => 'hostile').catch(() => undefined)
  raw.destroy()
  scan.counts.ended += 1
}

/** Opens sockets and drops them, some before the handshake is through. */
async function dropSockets(lane: Lane): Promise<void> {
  const { scan } = lane
  const count = await scan.take(4)
  const sockets = many(count, () => open(scan, scan.dice.pick(['/ws', '/ws/v2'])))
  if (scan.dice.chance(70)) await new Promise((resolve) => setTimeout(resolve, 20))
  for (const socket of sockets) socket.drop()
  scan.counts.ended += count
}

const open = (scan: Scan, path: string): BareSocket =>
  openBare(scan.port, path, `X-Forwarded-For: ${scan.draws.address()}\r\n`)

/** Opens a socket, perhaps logs in, sends random frames, and drops the socket. */
async function runSocket(lane: Lane): Promise<void> {
  const { scan } = lane
  const { dice, draws, counts } = scan
  const framing = dice.pick(['ws1', 'ws2'] as const)
  const client = open(scan, framing === 'ws1' ? '/ws' : '/ws/v2')
  if (dice.chance(50) && scan.players.length > 0) await logIn(scan, client)
  for (let sent = 0; sent < FRAMES_MAX && client.isOpen; sent += FRAMES_AT_ONCE) {
    const count = await scan.take(FRAMES_AT_ONCE)
    if (count === 0) break
    const frames = Buffer.concat(many(count, () => draws.frame(framing)))
    const answers = await scan.patience.within(
      ANSWER_SECONDS,
      client.send(frames, count),
      () => framing,
    )
    for (const text of answers) if (text.includes('"internal_error"')) fail(scan, text)
    counts.answered += answers.length
    counts.ended += Math.max(0, count - answers.length)
    if (client.isOpen && answers.length < count) fail(scan, `${framing}: answers are missing`)
  }
  client.drop()
}

async function logIn(scan: Scan, client: BareSocket): Promise<void> {
  if ((await scan.take(1)) === 0) return
  const payload = scan.dice.pick(scan.players)
  const frame = { type: 'login', tool: 'game_auth', action: 'login', payload }
  const sent = client.send(frameOf(TEXT, JSON.stringify(frame)), 1)
  const answers = await scan.patience.within(ANSWER_SECONDS, sent, () => 'login')
  if (answers.length > 0) scan.counts.answered += 1
  else scan.counts.ended += 1
}

/** Logs a player in on an HTTP session. */
async function logInOverHttp(lane: Lane): Promise<void> {
  const { scan } = lane
  if (scan.players.length === 0 || (await scan.take(1)) === 0) return
  const version = scan.dice.pick(['http1', 'http2'] as const)
  const path = version === 'http1' ? '/api/v1/login' : '/api/v2/game_auth/login'
  const body = Buffer.from(JSON.stringify(scan.dice.pick(scan.players)))
  const headers = `x-session-id: ${sessionOf(scan, version)}\r\nx-forwarded-for: ${scan.draws.address()}`
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}\r\n`
  const bytes = Buffer.concat([Buffer.from(`${head}content-length: ${body.length}\r\n\r\n`), body])
  await exchange(lane, [{ bytes, isHead: false, mayBlock: false }])
}

type Kind = (lane: Lane) => Promise<void>

/** What a lane may do next, by weight; some kinds send many requests, some one. */
const KINDS: readonly (readonly [string, number, Kind])[] = [
  ['requests', 40, sendRequests],
  ['sockets', 14, runSocket],
  ['sockets dropped', 6, dropSockets],
  ['requests that wait', 12, sendBlocked],
  ['initialize', 10, sendInitializes],
  ['new sessions', 4, openSessions],
  ['logins', 8, logInOverHttp],
  ['hostile bytes', 6, sendHostile],
]
const WEIGHT = KINDS.reduce((sum, [, weight]) => sum + weight, 0)

function draw(dice: Dice): (typeof KINDS)[number] {
  let left = dice.below(WEIGHT)
  for (const kind of KINDS) {
    left -= kind[1]
    if (left < 0) return kind
  }
  return KINDS[0]
}

/** Runs one lane until nothing may be sent any more. */
export async function runLane(scan: Scan): Promise<void> {
  const lane: Lane = { scan, pipe: undefined }
  while (scan.failures.length < FAILURES_MAX && (await scan.take(0)) >= 0) {
    const [name, , run] = draw(scan.dice)
    const before = scan.counts.sent
    try {
      await run(lane)
    } catch (error) {
      fail(scan, `${name}: ${String(error)}`)
      lane.pipe?.drop()
    }
    if (scan.counts.sent === before && (await scan.take(0)) < 0) break
    scan.counts.byKind[name] = (scan.counts.byKind[name] ?? 0) + 1
  }
  lane.pipe?.drop()
}
