/**
 * The outgoing queue of a socket: bounded, with backpressure. A slow reader is closed; no frame is
 * ever skipped. Source: DESIGN 5, social.md section 11, RELIABILITY 2 (slow reader).
 */
import {
  OUTBOUND_BYTES_MAX,
  OUTBOUND_DRAIN_MS,
  OUTBOUND_FRAMES_MAX,
  OUTBOUND_STALL_MS,
} from '../../core/limits.ts'
import type { Frame } from './codec.ts'

/** Bytes handed to the socket library before frames are queued here. */
const SOCKET_BYTES_MAX = 64 * 1024

/** The socket of the library; not used after its close. */
export interface RawSocket {
  /** Sends a frame, in one part or two; the second is shared by many sockets and not copied. */
  send(head: Buffer, tail?: Buffer): void
  /** Sends a text frame; returns its number of bytes. */
  sendText(text: string): number
  /** Runs a function; the frames that it sends may leave in one write. */
  cork(sendAll: () => void): void
  /** Returns the bytes buffered in the library. */
  buffered(): number
  ping(): void
  /** Closes with a code and reason, after all that was sent. */
  end(code: number, reason: string): void
  /** Cuts the connection off; unread bytes are lost. */
  destroy(): void
}

/** A queued frame. A shared tail counts in full for each socket that queues it. */
interface QueuedFrame {
  readonly head: Frame
  readonly tail: Buffer | undefined
  readonly bytes: number
}

export interface Outbound {
  readonly raw: RawSocket
  queue: QueuedFrame[]
  queuedBytes: number
  /** Bytes given to the library so far. */
  sentBytes: number
  /** Bytes that had left the library at the last sweep; any increase is progress. */
  goneBytes: number
  /** True if bytes were buffered at the last sweep. */
  wasHolding: boolean
  /** Time for which no byte has left. */
  stalledMs: number
  /** Total of bytes pushed before the current span, all of which must leave within it. */
  spanBytes: number
  /** Duration of the current span so far. */
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

/** Returns the unread bytes of the client, in the queue and in the library. */
export const unreadOf = (out: Outbound): number => out.queuedBytes + out.raw.buffered()

function send(out: Outbound, head: Frame, tail: Buffer | undefined): void {
  if (typeof head === 'string') {
    out.sentBytes += out.raw.sendText(head)
    return
  }
  out.sentBytes += head.byteLength + (tail?.byteLength ?? 0)
  out.raw.send(head, tail)
}

/** Sends or queues a frame; returns false if the queue is full and the socket must be closed. */
export function pushFrame(out: Outbound, head: Frame, tail?: Buffer): boolean {
  if (out.queue.length === 0 && out.raw.buffered() < SOCKET_BYTES_MAX) {
    send(out, head, tail)
    return true
  }
  if (out.queue.length >= OUTBOUND_FRAMES_MAX) return false
  const bytes = Buffer.byteLength(head) + (tail?.byteLength ?? 0)
  if (unreadOf(out) + bytes > OUTBOUND_BYTES_MAX) return false
  out.queue.push({ head, tail, bytes })
  out.queuedBytes += bytes
  return true
}

/** Sends queued frames while the library has room. */
export function drainFrames(out: Outbound): void {
  let sent = 0
  while (sent < out.queue.length && out.raw.buffered() < SOCKET_BYTES_MAX) {
    const { head, tail } = out.queue[sent]
    send(out, head, tail)
    out.queuedBytes -= out.queue[sent].bytes
    sent += 1
  }
  if (sent > 0) out.queue = out.queue.slice(sent)
}

/**
 * Returns false for a reader that is too slow: no byte has left for 10 s, or bytes pushed before a
 * span of 30 s have not all left within it. The latter catches readers that read a byte now and
 * then.
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
