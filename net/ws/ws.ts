/**
 * A WebSocket connection: welcome, the auth window, the checks of each frame in their order,
 * answers, and its end. ws-v1 and ws-v2 say how a frame names its command and how a success looks.
 * Source: accounts.md sections 7 and 8.
 */
import { type Failure, fail, invalidFields } from '../../core/errors.ts'
import {
  AUTH_WINDOW_MS,
  BYTES_WAITING_MAX,
  FRAME_BYTES_BEFORE_LOGIN_MAX,
  FRAME_BYTES_MAX,
  FRAME_BYTES_WAITING_MIN,
  FRAMES_BURST_MAX,
  IDLE_MS,
  PING_EVERY_MS,
  REFUSALS_IN_A_ROW_MAX,
  REQUEST_ID_CHARACTERS_MAX,
  UNANSWERED_MAX,
} from '../../core/limits.ts'
import { dispatch } from '../dispatch.ts'
import { errorPayload, welcomePayload } from '../publish/frames.ts'
import { release } from '../session/auth.ts'
import { createFloodGuard, passFrame, reserveFrame } from '../session/flood.ts'
import { passConnect } from '../session/gate.ts'
import { limited, timeOutRefusal } from '../session/limited.ts'
import type { SocketClient } from '../session/session.ts'
import type { Net, Reply } from '../session/types.ts'
import { countUnread } from '../session/unread.ts'
import { isCleanText, type Params, parseObject } from '../validate.ts'
import type { Format } from './codec.ts'
import {
  type Conn,
  closeConn,
  countWaiting,
  pushTo,
  type Slot,
  type Sockets,
  type WaitingFrame,
} from './conn.ts'
import { encode, replyFrames, type WsFraming, type WsTarget } from './frames.ts'
import { createOutbound, type RawSocket, sweepOutbound } from './outbound.ts'

interface OpenOptions {
  readonly wire: WsFraming
  readonly raw: RawSocket
  /** Bucket key of the address. */
  readonly ip: string
  /** How it wants its frames; JSON unless said. */
  readonly format?: Format
}

/**
 * A new connection: through the gate, then welcome. Undefined when it was turned away with 4003.
 */
export function openConn(net: Net, sockets: Sockets, options: OpenOptions): Conn | undefined {
  const { wire, raw, ip, format = 'json' } = options
  const wait = passConnect(net.gate, ip)
  if (wait > 0) {
    net.metrics.closes.inc({ code: '4003' })
    raw.end(4003, `rate_limited retry_after=${wait}`)
    return undefined
  }
  const conn: Conn = {
    channel: 'ws',
    framing: wire.framing,
    ip,
    identity: undefined,
    authenticating: false,
    gone: false,
    format,
    lastFeed: undefined,
    push: (head, tail) => pushTo(conn, head, tail),
    cork: (pushAll) => raw.cork(pushAll),
    close: (code, reason) => closeConn(conn, code, reason),
    address: ip,
    unread: sockets.unread,
    unreadBytes: 0,
    // Not within a call of the library, which may be writing to this socket.
    drop: () => {
      conn.gone = true
      net.metrics.closes.inc({ code: '1006' })
      setImmediate(() => raw.destroy())
    },
    net,
    wire,
    out: createOutbound(raw),
    flood: createFloodGuard(net.clock.monoMs()),
    slots: [],
    backlog: [],
    backlogBytes: 0,
    turnTimer: undefined,
    isAtBacklog: false,
    unanswered: 0,
    openMs: 0,
    heard: true,
    silentMs: 0,
    sincePingMs: 0,
  }
  sockets.all.add(conn)
  pushTo(conn, encode(conn, 'welcome', welcomePayload(net)))
  return conn
}

/** The socket is closed, whoever closed it. */
export function connClosed(sockets: Sockets, conn: Conn): void {
  conn.gone = true
  sockets.all.delete(conn)
  countUnread(sockets.unread, conn, 0)
  conn.backlog.length = 0
  clearTimeout(conn.turnTimer)
  release(conn.net, conn)
}

/** The outcome of a mutation that another connection of the player sent. */
export function deliverOutcome(socket: SocketClient, reply: Reply): void {
  const conn = socket as Conn
  for (const frame of replyFrames(conn, reply)) pushTo(conn, frame)
}

function flushSlots(conn: Conn): void {
  while (conn.slots.length > 0 && conn.slots[0].frames) {
    for (const frame of conn.slots.shift()!.frames!) pushTo(conn, frame)
  }
}

/** Sends an answer at once, or when its turn in the order has come. */
function answer(conn: Conn, slot: Slot | undefined, frames: Buffer[]): void {
  if (!slot) {
    for (const frame of frames) pushTo(conn, frame)
    return
  }
  slot.frames = frames
  flushSlots(conn)
}

function refuse(conn: Conn, failure: Failure, requestId?: string): void {
  conn.net.metrics.errors.inc({ code: failure.code })
  const slot = newSlot(conn, requestId)
  answer(conn, slot, [encode(conn, 'error', errorPayload(failure), requestId)])
}

function newSlot(conn: Conn, requestId: string | undefined): Slot | undefined {
  if (!conn.wire.answersInOrder || requestId !== undefined) return undefined
  if (conn.slots.length >= FRAMES_BURST_MAX) return undefined
  const slot: Slot = { frames: undefined }
  conn.slots.push(slot)
  return slot
}

/** How long who is refused for flooding is to hold back. */
const REFUSED_SECONDS = 1

/**
 * Milliseconds that a frame waits for its turn; undefined: it is refused. Who is logged in is
 * slowed, strangers are refused. Source: interface, Limits (queries: unlimited, no wait).
 */
function turnOf(conn: Conn, bytes: number): number | undefined {
  const { gate, clock } = conn.net
  if (!gate.isLimited) return 0
  if (conn.identity) return reserveFrame(conn.flood, bytes, clock.monoMs())
  return passFrame(conn.flood, bytes, clock.monoMs()) > 0 ? undefined : 0
}

/** A message as it came. */
export function connMessage(conn: Conn, message: Buffer, isBinary: boolean): void {
  if (conn.gone) return
  conn.heard = true
  const bytes = message.byteLength
  const waitMs = turnOf(conn, bytes)
  if (waitMs === undefined) {
    if (conn.flood.refusals >= REFUSALS_IN_A_ROW_MAX)
      closeConn(conn, 4003, `rate_limited retry_after=${REFUSED_SECONDS}`)
    else refuse(conn, limited('requests', REFUSED_SECONDS))
    return
  }
  const said = readMessage(conn, message, isBinary)
  const isFree = waitMs === 0 && conn.backlog.length === 0 && conn.unanswered < UNANSWERED_MAX
  if (isFree) handleFrame(conn, said)
  else waitForTurn(conn, { said, bytes, dueMs: conn.net.clock.monoMs() + waitMs })
}

/** What a message says, or why it is not read. */
function readMessage(conn: Conn, message: Buffer, isBinary: boolean): string | Failure {
  if (isBinary) return fail('invalid_json')
  const bytesMax = conn.identity ? FRAME_BYTES_MAX : FRAME_BYTES_BEFORE_LOGIN_MAX
  return message.byteLength > bytesMax
    ? fail('payload_too_large', { bytes_max: bytesMax })
    : message.toString()
}

const waitingBytes = ({ bytes }: WaitingFrame): number => Math.max(bytes, FRAME_BYTES_WAITING_MIN)

function waitForTurn(conn: Conn, frame: WaitingFrame): void {
  const bytes = conn.backlogBytes + waitingBytes(frame)
  if (bytes > BYTES_WAITING_MAX) {
    refuse(conn, limited('unanswered', REFUSED_SECONDS))
    return
  }
  conn.backlog.push(frame)
  conn.backlogBytes = bytes
  workOff(conn)
}

/** Handles the frames whose turn has come; the next one's is waited for. */
function workOff(conn: Conn): void {
  // One that is refused at once comes back here; it would nest as deep as the backlog is long.
  if (conn.isAtBacklog) return
  conn.isAtBacklog = true
  const nowMs = conn.net.clock.monoMs()
  const { backlog } = conn
  const isFree = () => !conn.gone && backlog.length > 0 && conn.unanswered < UNANSWERED_MAX
  while (isFree() && backlog[0].dueMs <= nowMs) {
    const frame = backlog.shift() as WaitingFrame
    conn.backlogBytes -= waitingBytes(frame)
    handleFrame(conn, frame.said)
  }
  conn.isAtBacklog = false
  if (!isFree() || conn.turnTimer) return
  conn.turnTimer = setTimeout(() => {
    conn.turnTimer = undefined
    workOff(conn)
  }, backlog[0].dueMs - nowMs)
  conn.turnTimer.unref()
}

function answered(conn: Conn): void {
  conn.unanswered -= 1
  workOff(conn)
}

/** What is wrong with a request_id; undefined when nothing is. Characters are code points. */
function requestIdFailure(requestId: unknown): Failure | undefined {
  if (requestId === undefined) return undefined
  if (typeof requestId !== 'string')
    return invalidFields({ field: 'request_id', expected: 'string' })
  const isLong =
    requestId.length > 2 * REQUEST_ID_CHARACTERS_MAX ||
    [...requestId].length > REQUEST_ID_CHARACTERS_MAX
  const isBad = isLong || !isCleanText(requestId)
  return isBad ? fail('invalid_request_id') : undefined
}

/** A bug in here ends this exchange only (DESIGN 4). */
function handleFrame(conn: Conn, said: string | Failure): void {
  let requestId: string | undefined
  try {
    const frame = typeof said === 'string' ? readFrame(said) : said
    if ('ok' in frame) {
      refuse(conn, frame)
      return
    }
    requestId = frame.requestId
    runFrame(conn, frame)
  } catch (error) {
    conn.net.log.error({ err: error, requestId }, 'a frame could not be handled')
    refuse(conn, fail('internal_error'), requestId)
  }
}

interface Frame {
  readonly members: Params
  readonly requestId: string | undefined
  readonly bytes: number
}

function readFrame(text: string): Frame | Failure {
  const members = parseObject(text)
  if (!members) return fail('invalid_json')
  const failure = requestIdFailure(members.request_id)
  if (failure) return failure
  const requestId = members.request_id as string | undefined
  return { members, requestId, bytes: Buffer.byteLength(text) }
}

function runFrame(conn: Conn, { members, requestId, bytes }: Frame): void {
  const { net, wire } = conn
  const shut = timeOutRefusal(net.gate, conn.ip)
  if (shut) {
    refuse(conn, shut, requestId)
    return
  }
  const target = wire.address(net, members)
  if ('ok' in target) {
    refuse(conn, target, requestId)
    return
  }
  run(conn, target, { requestId, bytes })
}

function run(
  conn: Conn,
  target: WsTarget,
  about: { readonly requestId: string | undefined; readonly bytes: number },
): void {
  const { net, wire } = conn
  const { requestId, bytes } = about
  const slot = newSlot(conn, requestId)
  let isAnswered = false
  conn.unanswered += 1
  const reply = (made: Reply): boolean => {
    if (conn.gone) return false
    // The last answer waits for no other: nothing leaves after the close.
    answer(conn, isAnswered || made.isLast ? undefined : slot, replyFrames(conn, made))
    if (made.isLast) closeConn(conn, 1000, 'logged out')
    if (!isAnswered) {
      isAnswered = true
      answered(conn)
    }
    return true
  }
  const { def, params } = target
  const id = requestId === undefined ? {} : { requestId }
  if (target.answer) {
    const { tick } = net.link.state()
    const outcome = target.answer
    reply({ def, stage: 'final', acknowledged: false, tick, outcome, ...id })
    return
  }
  dispatch(net, { client: conn, framing: wire.framing, def, params, bytes, ...id, reply })
}

/**
 * One look at every connection: auth window, silence, pings, slow readers. `elapsedMs` since the
 * last look.
 */
export function sweepSockets(sockets: Sockets, elapsedMs: number): void {
  for (const conn of sockets.all) {
    if (conn.gone) continue
    conn.openMs += elapsedMs
    conn.silentMs = conn.heard ? 0 : conn.silentMs + elapsedMs
    conn.heard = false
    conn.sincePingMs += elapsedMs
    if (!conn.identity && conn.openMs >= AUTH_WINDOW_MS && !conn.authenticating)
      closeConn(conn, 4002, 'auth_timeout')
    else if (conn.silentMs >= IDLE_MS) closeConn(conn, 1000, 'idle')
    else if (!sweepOutbound(conn.out, elapsedMs)) closeConn(conn, 1000, 'no progress')
    else if (conn.sincePingMs >= PING_EVERY_MS) {
      conn.sincePingMs = 0
      conn.out.raw.ping()
    }
    countWaiting(conn)
  }
}

/** Closes all of them (restart). */
export function closeSockets(sockets: Sockets, reason: string): void {
  for (const conn of [...sockets.all]) closeConn(conn, 1000, reason)
}
