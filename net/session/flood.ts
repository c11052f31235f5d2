/**
 * The flood guard: limits the frames and bytes of a sender before they are parsed. Source:
 * accounts.md section 10.
 */
import {
  BYTES_PER_SECOND_MAX,
  BYTES_WAITING_MAX,
  FRAMES_BURST_MAX,
  FRAMES_PER_SECOND_MAX,
  FRAMES_WAITING_MAX,
} from '../../core/limits.ts'

/** The allowance of frames and bytes of a connection, a login or an address. */
export interface FloodGuard {
  /** Frames that may be sent now; negative while reserved frames wait. */
  tokens: number
  /** Bytes that may be sent now; negative while reserved frames wait. */
  bytes: number
  /** Time of the latest refill. */
  atMs: number
  /** Refusals since a frame was last admitted. */
  refusals: number
}

/** Returns the guard of a new sender, with its full allowance. */
export const createFloodGuard = (nowMs: number): FloodGuard => ({
  tokens: FRAMES_BURST_MAX,
  bytes: BYTES_PER_SECOND_MAX,
  atMs: nowMs,
  refusals: 0,
})

/** Adds the allowance of the time since the latest refill. */
function refill(guard: FloodGuard, nowMs: number): void {
  const elapsedSeconds = Math.max(0, nowMs - guard.atMs) / 1000
  guard.atMs = nowMs
  guard.tokens = Math.min(FRAMES_BURST_MAX, guard.tokens + elapsedSeconds * FRAMES_PER_SECOND_MAX)
  guard.bytes = Math.min(BYTES_PER_SECOND_MAX, guard.bytes + elapsedSeconds * BYTES_PER_SECOND_MAX)
}

/** Counts frames that arrive together and returns 0; if refused, returns the seconds to wait, 1. */
export function passFrame(guard: FloodGuard, bytes: number, nowMs: number, frames = 1): number {
  refill(guard, nowMs)
  if (guard.tokens < frames || guard.bytes < bytes) {
    guard.refusals += 1
    return 1
  }
  guard.tokens -= frames
  guard.bytes -= bytes
  guard.refusals = 0
  return 0
}

/**
 * Counts frames that arrive together and returns the milliseconds to wait for their turn, or
 * undefined if they are refused because too many wait already.
 */
export function reserveFrame(
  guard: FloodGuard,
  bytes: number,
  nowMs: number,
  frames = 1,
): number | undefined {
  refill(guard, nowMs)
  const tokens = guard.tokens - frames
  const bytesLeft = guard.bytes - bytes
  if (tokens < -FRAMES_WAITING_MAX || bytesLeft < -BYTES_WAITING_MAX) {
    guard.refusals += 1
    return undefined
  }
  guard.tokens = tokens
  guard.bytes = bytesLeft
  guard.refusals = 0
  const waitS = Math.max(0, -tokens / FRAMES_PER_SECOND_MAX, -bytesLeft / BYTES_PER_SECOND_MAX)
  return Math.ceil(waitS * 1000)
}

/** Counts bytes of a body whose request was admitted; returns false if they arrive too fast. */
export function passBody(guard: FloodGuard, bytes: number, nowMs: number): boolean {
  refill(guard, nowMs)
  if (guard.bytes < bytes) {
    guard.refusals += 1
    return false
  }
  guard.bytes -= bytes
  return true
}
