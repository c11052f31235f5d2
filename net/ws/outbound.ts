/**
 * What leaves through a socket: a bounded queue with backpressure for each. A reader that is too
 * slow is closed, never skipped.
 * Source: DESIGN 5, social.md section 11, RELIABILITY 2 (slow reader).
 */
import {
  OUTBOUND_BYTES_MAX,
  OUTBOUND_DRAIN_MS,
  OUTBOUND_FRAMES_MAX,
  OUTBOUND_STALL_MS,
} from '../../core/limits.ts'

/** Bytes left to the socket library before we queue ourselves. */
const SOCKET_BYTES_MAX = 64 * 1024

/** The socket library's end: never used after its close. */
export interface RawSocket {
  /** A frame, or one of two parts of which the second is shared by many: it is not copied. */
  send(head: Buffer, tail?: Buffer): void
  /** What is sent meanwhile may leave in one write. */
  cork(sendAll: () => void): void
  /** Bytes the library holds. */
  buffered(): number
  ping(): void
  /** Closes with a code and reason after what was sent. */
  end(code: number, reason: string): void
  /** Cuts it off: what was not read is let go. */
  destroy(): void
}

/** A frame that waits. A shared tail counts for each who waits for it. */
interface Frame {
  readonly head: Buffer
  readonly tail: Buffer | undefined
  readonly bytes: number
}

export interface Outbound {
  readonly raw: RawSocket
  queue: Frame[]
  queuedBytes: number
  /** Bytes given to the library so far. */
  sentBytes: number
  /** Bytes that had left the library at the last sweep; more now is progress. */
  goneBytes: number
  /** Something waited at the last sweep. */
  wasHolding: boolean
  stalledMs: number
  /** All that had been pushed when the current span began: it must have left before the next. */
  spanBytes: number
  spanMs: number
}

export const createOutbound = (raw: RawSocket): Outbound => ({
  raw,
  queue: [],
  queuedBytes: 0,
  sentBytes: 0,
  goneBytes: 0,
  wasHolding: false,
  stalledMs: 0,
  spanBytes: 0,
  spanMs: 0,
})

/** Bytes that wait for the client to read, ours and the library's, whoever caused them. */
export const unreadOf = (out: Outbound): number => out.queuedBytes + out.raw.buffered()

function send(out: Outbound, { head, tail, bytes }: Frame): void {
  out.sentBytes += bytes
  out.raw.send(head, tail)
}

/** Sends or queues a frame; false when the queue is full: the socket must be closed. */
export function pushFrame(out: Outbound, head: Buffer, tail?: Buffer): boolean {
  const frame = { head, tail, bytes: head.byteLength + (tail?.byteLength ?? 0) }
  if (out.queue.length === 0 && out.raw.buffered() < SOCKET_BYTES_MAX) {
    send(out, frame)
    return true
  }
  if (out.queue.length >= OUTBOUND_FRAMES_MAX) return false
  if (unreadOf(out) + frame.bytes > OUTBOUND_BYTES_MAX) return false
  out.queue.push(frame)
  out.queuedBytes += frame.bytes
  return true
}

/** The library has room again. */
export function drainFrames(out: Outbound): void {
  let sent = 0
  while (sent < out.queue.length && out.raw.buffered() < SOCKET_BYTES_MAX) {
    send(out, out.queue[sent])
    out.queuedBytes -= out.queue[sent].bytes
    sent += 1
  }
  if (sent > 0) out.queue = out.queue.slice(sent)
}

/**
 * Looks for progress; false when there was none for 10 s, or when what was pushed before a span of
 * 30 s has not left within it: a byte now and then is no reading.
 */
export function sweepOutbound(out: Outbound, elapsedMs: number): boolean {
  if (out.queue.length > 0) drainFrames(out)
  const buffered = out.raw.buffered()
  const goneBytes = out.sentBytes - buffered
  const isHolding = buffered + out.queuedBytes > 0
  const isStuck = isHolding && out.wasHolding && goneBytes <= out.goneBytes
  out.goneBytes = goneBytes
  out.wasHolding = isHolding
  out.stalledMs = isStuck ? out.stalledMs + elapsedMs : 0
  if (!isHolding || goneBytes >= out.spanBytes) {
    out.spanBytes = out.sentBytes + out.queuedBytes
    out.spanMs = 0
  } else out.spanMs += elapsedMs
  return out.stalledMs < OUTBOUND_STALL_MS && out.spanMs < OUTBOUND_DRAIN_MS
}
