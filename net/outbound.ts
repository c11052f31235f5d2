/**
 * What leaves through a socket: a bounded queue with backpressure for each, and the fan-out of a
 * batch in slices, so a query never waits long behind it. A reader that is too slow is closed,
 * never skipped.
 * Source: DESIGN 5, social.md section 11, RELIABILITY 2 (slow reader).
 */
import { MUTE_CHANNELS } from '../core/event.ts'
import {
  OUTBOUND_BYTES_MAX,
  OUTBOUND_FRAMES_MAX,
  OUTBOUND_STALL_MS,
  PUBLISH_SLICE_SOCKETS,
} from '../core/limits.ts'
import type { PublishedEmission } from '../core/ports.ts'
import type { Registry } from '../core/registry.ts'
import { enqueue } from './notifications.ts'
import type { Clock } from './ports.ts'
import type { Bindings } from './session.ts'
import { type NextTurn, nextTurn } from './turns.ts'

/** Bytes left to the socket library before we queue ourselves. */
const SOCKET_BYTES_MAX = 64 * 1024

/** The socket library's end: never used after its close. */
export interface RawSocket {
  send(frame: Buffer): void
  /** Bytes the library holds. */
  buffered(): number
  ping(): void
  /** Closes with a code and reason after what was sent. */
  end(code: number, reason: string): void
}

export interface Outbound {
  readonly raw: RawSocket
  queue: Buffer[]
  queuedBytes: number
  /** Bytes given to the library so far. */
  sentBytes: number
  /** Bytes that had left the library at the last sweep; more now is progress. */
  goneBytes: number
  /** Something waited at the last sweep. */
  wasHolding: boolean
  stalledMs: number
}

export const createOutbound = (raw: RawSocket): Outbound => ({
  raw,
  queue: [],
  queuedBytes: 0,
  sentBytes: 0,
  goneBytes: 0,
  wasHolding: false,
  stalledMs: 0,
})

function send(out: Outbound, frame: Buffer): void {
  out.sentBytes += frame.byteLength
  out.raw.send(frame)
}

/** Sends or queues a frame; false when the queue is full: the socket must be closed. */
export function pushFrame(out: Outbound, frame: Buffer): boolean {
  if (out.queue.length === 0 && out.raw.buffered() < SOCKET_BYTES_MAX) {
    send(out, frame)
    return true
  }
  if (out.queue.length >= OUTBOUND_FRAMES_MAX) return false
  if (out.queuedBytes + frame.byteLength > OUTBOUND_BYTES_MAX) return false
  out.queue.push(frame)
  out.queuedBytes += frame.byteLength
  return true
}

/** The library has room again. */
export function drainFrames(out: Outbound): void {
  let sent = 0
  while (sent < out.queue.length && out.raw.buffered() < SOCKET_BYTES_MAX) {
    send(out, out.queue[sent])
    out.queuedBytes -= out.queue[sent].byteLength
    sent += 1
  }
  if (sent > 0) out.queue = out.queue.slice(sent)
}

/** Looks for progress; false when there was none for 10 s. */
export function sweepOutbound(out: Outbound, elapsedMs: number): boolean {
  if (out.queue.length > 0) drainFrames(out)
  const buffered = out.raw.buffered()
  const goneBytes = out.sentBytes - buffered
  const isHolding = buffered + out.queuedBytes > 0
  const isStuck = isHolding && out.wasHolding && goneBytes <= out.goneBytes
  out.goneBytes = goneBytes
  out.wasHolding = isHolding
  out.stalledMs = isStuck ? out.stalledMs + elapsedMs : 0
  return out.stalledMs < OUTBOUND_STALL_MS
}

/** An event's frame, the same on both WebSocket versions. */
export function eventFrame(type: string, payload: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(JSON.stringify({ type, payload }))
}

export interface FanOut {
  readonly registry: Registry
  readonly bindings: Bindings
  readonly clock: Clock
  /** Frames handed to sockets, for metrics. */
  frames: number
}

/** The bit of the channel that mutes this emission; 0 when nothing can. */
function muteBit(registry: Registry, emission: PublishedEmission): number {
  const channel = registry.events.get(emission.type)?.channel?.(emission.payload)
  return channel ? 1 << MUTE_CHANNELS.indexOf(channel) : 0
}

/** Sets a player's mask from the world's `internal:mask`; never forwarded. */
function setMask(bindings: Bindings, emission: PublishedEmission): void {
  for (const player of emission.to) {
    const bound = bindings.players.get(player)
    if (bound) bound.mask = Number(emission.payload.mask) || 0
  }
}

function deliverTo(fan: FanOut, player: number, emission: PublishedEmission, wire: Wire): void {
  const bound = fan.bindings.players.get(player)
  if (!bound) return
  if (bound.socket && (bound.mask & wire.bit) === 0) {
    wire.frame ??= eventFrame(emission.type, emission.payload)
    bound.socket.push(wire.frame)
    fan.frames += 1
  }
  for (const session of bound.sessions) {
    enqueue(session.queue, {
      type: wire.queue,
      msgType: emission.type,
      data: emission.payload,
      wallMs: fan.clock.wallMs(),
    })
  }
}

/**
 * What is the same for all recipients of an emission; the frame is made when the first socket needs
 * it.
 */
interface Wire {
  readonly bit: number
  readonly queue: string
  frame: Buffer | undefined
}

/** Hands emissions to sockets and queues, in order, yielding after each 500 recipients. */
export async function publishEmissions(
  fan: FanOut,
  emissions: readonly PublishedEmission[],
  next: NextTurn = nextTurn,
): Promise<void> {
  let slice = 0
  for (const emission of emissions) {
    if (emission.type.startsWith('internal:')) {
      if (emission.type === 'internal:mask') setMask(fan.bindings, emission)
      continue
    }
    const wire: Wire = {
      bit: muteBit(fan.registry, emission),
      queue: fan.registry.events.get(emission.type)?.queue ?? 'system',
      frame: undefined,
    }
    for (const player of emission.to) {
      deliverTo(fan, player, emission, wire)
      slice += 1
      if (slice < PUBLISH_SLICE_SOCKETS) continue
      slice = 0
      await next()
    }
  }
}
