/**
 * The life cycle of a WebSocket connection: welcome, the window for logging in, the checks of each
 * frame in order, answers, and the end. v1.ts and v2.ts define how a frame names its command and
 * the form of a success. Source: accounts.md sections 7 and 8.
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
  LIMITER_KEYS_MAX,
  OUTBOUND_BYTES_MAX,
  PING_EVERY_MS,
  REFUSALS_IN_A_ROW_MAX,
  REQUEST_ID_CHARACTERS_MAX,
  UNANSWERED_MAX,
} from '../../core/limits.ts'
import { dispatch } from '../dispatch.ts'
import { errorPayload, welcomePayload } from '../publish/frames.ts'
import { createFloodGuard, passFrame, reserveFrame } from '../session/flood.ts'
import { passConnect } from '../session/gate.ts'
import { evictOldest } from '../session/leaks.ts'
import { limited, timeOutRefusal } from '../session/limited.ts'
import { release } from '../session/logins.ts'
import type { SocketClient } from '../session/session.ts'
import type { Net, Reply } from '../session/types.ts'
import { countUnread } from '../session/unread.ts'
import { isCleanText, type Params, parseObject } from '../validate.ts'
import type { Format, Frame } from './codec.ts'
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
  /** Format of its frames; JSON by default. */
  readonly format?: Format
}

/**
 * Opens a connection and welcomes its client. If the address has opened too many, refuses it with
 * 4003 and returns undefined.
 */
export function openConn(net: Net, sockets: Sockets, options: OpenOptions): Conn | undefined {
  const { wire, raw, ip, format = 'json' } = options
  const wait = passConnect(net.gate, ip)
  if (wait > 0) {
    net.metrics.closes.inc({ code: '4003' })
    raw.end(4003, `rate_limited retry_after=${wait}`)
    return undefined
  }
  const nowMs = net.clock.monoMs()
  const strangers = sockets.strangers.get(ip) ?? createFloodGuard(nowMs)
  sockets.strangers.delete(ip)
  sockets.strangers.set(ip, strangers)
  evictOldest(sockets.strangers, LIMITER_KEYS_MAX)
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
    // Deferred, because the library may be writing to this socket right now.
    drop: () => {
      conn.gone = true
      net.metrics.closes.inc({ code: '1006' })
      setImmediate(() => raw.destroy())
    },
    net,
    wire,
    out: createOutbound(raw),
    flood: createFloodGuard(nowMs),
    strangers,
    slots: [],
    slotBytes: 0,
    backlog: [],
    backlogBytes: 0,
    turnTimer: undefined,
    isDraining: false,
    unanswered: 0,
    openMs: 0,
    isAlive: true,
    silentMs: 0,
    sincePingMs: 0,
  }
  sockets.all.add(conn)
  pushTo(conn, encode(conn, 'welcome', welcomePayload(net)))
  return conn
}

/** Cleans up after a socket that either side has closed. */
export function connClosed(sockets: Sockets, conn: Conn): void {
  conn.gone = true
  sockets.all.delete(conn)
  countUnread(sockets.unread, conn, 0)
  conn.backlog.length = 0
  conn.slots.length = 0
  clearTimeout(conn.turnTimer)
  release(conn.net, conn)
}

/** Sends the outcome of a mutation from another connection of the player. */
export function deliverOutcome(socket: SocketClient, reply: Reply): void {
  const conn = socket as Conn
  for (const frame of replyFrames(conn, reply)) pushTo(conn, frame)
}

function flushSlots(conn: Conn): void {
  while (conn.slots.length > 0 && conn.slots[0].frames) {
    for (const frame of conn.slots.shift()!.frames!) {
      conn.slotBytes -= Buffer.byteLength(frame)
      pushTo(conn, frame)
    }
  }
}

/** Sends an answer at once, or in the order of answers. */
function answer(conn: Conn, slot: Slot | undefined, frames: Frame[]): void {
  if (!slot) {
    for (const frame of frames) pushTo(conn, frame)
    return
  }
  slot.frames = frames
  for (const frame of frames) conn.slotBytes += Buffer.byteLength(frame)
  flushSlots(conn)
  if (conn.slotBytes > OUTBOUND_BYTES_MAX) closeConn(conn, 1000, 'outbound queue full')
}

/** Takes a place in the order of answers; undefined if no order is kept or too many wait. */
function newSlot(conn: Conn, requestId: string | undefined): Slot | undefined {
  if (!conn.wire.answersInOrder || requestId !== undefined) return undefined
  if (conn.slots.length >= FRAMES_BURST_MAX) return undefined
  const slot: Slot = { frames: undefined }
  conn.slots.push(slot)
  return slot
}

function refuse(conn: Conn, failure: Failure, requestId?: string): void {
  conn.net.metrics.errors.inc({ code: failure.code })
  const slot = newSlot(conn, requestId)
  answer(conn, slot, [encode(conn, 'error', errorPayload(failure), requestId)])
}

/** The wait of a client that is refused for flooding. */
const REFUSED_SECONDS = 1

/**
 * Returns the milliseconds that a frame waits for its turn; undefined if it is refused. Players who
 * send too fast are slowed down; clients without a login are refused. Source: interface, Limits
 * (queries: unlimited, no wait).
 */
function frameDelay(conn: Conn, bytes: number): number | undefined {
  const { gate, clock } = conn.net
  if (!gate.isLimited) return 0
  const now = clock.monoMs()
  if (conn.identity) return reserveFrame(conn.flood, bytes, now)
  if (passFrame(conn.strangers, bytes, now) > 0) {
    conn.flood.refusals += 1
    return undefined
  }
  return passFrame(conn.flood, bytes, now) > 0 ? undefined : 0
}

/** Handles a message of the client: at once, later in its turn, or with a refusal. */
export function connMessage(conn: Conn, message: Buffer, isBinary: boolean): void {
  if (conn.gone) return
  conn.isAlive = true
  const bytes = message.byteLength
  const waitMs = frameDelay(conn, bytes)
  if (waitMs === undefined) {
    if (conn.flood.refusals >= REFUSALS_IN_A_ROW_MAX)
      closeConn(conn, 4003, `rate_limited retry_after=${REFUSED_SECONDS}`)
    else refuse(conn, limited('requests', REFUSED_SECONDS))
    return
  }
  const content = readMessage(conn, message, isBinary)
  const isFree = waitMs === 0 && conn.backlog.length === 0 && conn.unanswered < UNANSWERED_MAX
  if (isFree) handleFrame(conn, content, bytes)
  else addToBacklog(conn, { content, bytes, dueMs: conn.net.clock.monoMs() + waitMs })
}

/** Returns the text of a message, or the refusal of an unreadable one. */
function readMessage(conn: Conn, message: Buffer, isBinary: boolean): string | Failure {
  if (isBinary) return fail('invalid_json')
  const bytesMax = conn.identity ? FRAME_BYTES_MAX : FRAME_BYTES_BEFORE_LOGIN_MAX
  return message.byteLength > bytesMax
    ? fail('payload_too_large', { bytes_max: bytesMax })
    : message.toString()
}

const waitingBytes = ({ bytes }: WaitingFrame): number => Math.max(bytes, FRAME_BYTES_WAITING_MIN)

function addToBacklog(conn: Conn, frame: WaitingFrame): void {
  const bytes = conn.backlogBytes + waitingBytes(frame)
  if (bytes > BYTES_WAITING_MAX) {
    refuse(conn, limited('unanswered', REFUSED_SECONDS))
    return
  }
  conn.backlog.push(frame)
  conn.backlogBytes = bytes
  drainBacklog(conn)
}

/** Handles the frames whose turn has come, and sets a timer for the next. */
function drainBacklog(conn: Conn): void {
  // A frame that is answered at once calls this again, which would recurse as deep as the backlog.
  if (conn.isDraining) return
  conn.isDraining = true
  const nowMs = conn.net.clock.monoMs()
  const { backlog } = conn
  const isFree = () => !conn.gone && backlog.length > 0 && conn.unanswered < UNANSWERED_MAX
  while (isFree() && backlog[0].dueMs <= nowMs) {
    const frame = backlog.shift() as WaitingFrame
    conn.backlogBytes -= waitingBytes(frame)
    handleFrame(conn, frame.content, frame.bytes)
  }
  conn.isDraining = false
  if (!isFree() || conn.turnTimer) return
  conn.turnTimer = setTimeout(() => {
    conn.turnTimer = undefined
    drainBacklog(conn)
  }, backlog[0].dueMs - nowMs)
  conn.turnTimer.unref()
}

function commandAnswered(conn: Conn): void {
  conn.unanswered -= 1
  drainBacklog(conn)
}

/** Refuses a request_id that is not clean text, or too long in code points. */
function requestIdRefusal(requestId: unknown): Failure | undefined {
  if (requestId === undefined) return undefined
  if (typeof requestId !== 'string')
    return invalidFields({ field: 'request_id', expected: 'string' })
  const isLong =
    requestId.length > 2 * REQUEST_ID_CHARACTERS_MAX ||
    [...requestId].length > REQUEST_ID_CHARACTERS_MAX
  if (isLong) return fail('invalid_request_id')
  return isCleanText(requestId) ? undefined : fail('invalid_request_id', undefined, UNCLEAN_ID)
}

const UNCLEAN_ID = 'request_id must not have NUL or a lone surrogate; send another, or none.'

/** Reads and runs a frame. A bug in it ends only this exchange (DESIGN 4). */
function handleFrame(conn: Conn, content: string | Failure, bytes: number): void {
  let requestId: string | undefined
  try {
    const frame = typeof content === 'string' ? readFrame(content, bytes) : content
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

interface Request {
  readonly members: Params
  readonly requestId: string | undefined
  readonly bytes: number
}

function readFrame(text: string, bytes: number): Request | Failure {
  const members = parseObject(text)
  if (!members) return fail('invalid_json')
  const refused = requestIdRefusal(members.request_id)
  if (refused) return refused
  const requestId = members.request_id as string | undefined
  return { members, requestId, bytes }
}

function runFrame(conn: Conn, { members, requestId, bytes }: Request): void {
  const { net, wire } = conn
  const timedOut = timeOutRefusal(net.gate, conn.ip)
  if (timedOut) {
    refuse(conn, timedOut, requestId)
    return
  }
  const target = wire.address(net, members)
  if ('ok' in target) {
    refuse(conn, target, requestId)
    return
  }
  runCommand(conn, target, { requestId, bytes })
}

function runCommand(
  conn: Conn,
  target: WsTarget,
  { requestId, bytes }: Pick<Request, 'requestId' | 'bytes'>,
): void {
  const { net, wire } = conn
  const slot = newSlot(conn, requestId)
  let isAnswered = false
  conn.unanswered += 1
  const reply = (made: Reply): boolean => {
    if (conn.gone) return false
    // The last answer waits for no other: nothing is sent after the close.
    answer(conn, isAnswered || made.isLast ? undefined : slot, replyFrames(conn, made))
    if (made.isLast) closeConn(conn, 1000, 'logged out')
    if (!isAnswered) {
      isAnswered = true
      commandAnswered(conn)
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
 * Checks every connection: closes those past the login window, silent ones and slow readers, and
 * sends pings. `elapsedMs`: since the last sweep.
 */
export function sweepSockets(sockets: Sockets, elapsedMs: number): void {
  for (const conn of sockets.all) {
    if (conn.gone) continue
    conn.openMs += elapsedMs
    conn.silentMs = conn.isAlive ? 0 : conn.silentMs + elapsedMs
    conn.isAlive = false
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

/** Closes every connection (restart). */
export function closeSockets(sockets: Sockets, reason: string): void {
  for (const conn of [...sockets.all]) closeConn(conn, 1000, reason)
}
