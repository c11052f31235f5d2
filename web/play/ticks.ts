/**
 * When the next tick comes, estimated from when frames that name a tick arrived here. No clock of
 * the server is compared with one of this machine.
 */

export interface Ticks {
  readonly tickMs: number
  /** The newest tick seen. */
  readonly tick: number
  /** When it was seen, in milliseconds of this machine. */
  readonly at: number
  /** False until a frame came with its tick: then only the length is known. */
  readonly isSure: boolean
}

/** Returns the ticks as the welcome gives them: it comes at any time within a tick. */
export const welcomed = (tickSeconds: number, tick: number, now: number): Ticks => ({
  tickMs: Math.max(1, tickSeconds * 1000),
  tick,
  at: now,
  isSure: false,
})

/** Returns the ticks after a frame of one was seen; older ones add nothing. */
export const seen = (ticks: Ticks, tick: number, now: number): Ticks =>
  tick < ticks.tick || (tick === ticks.tick && ticks.isSure)
    ? ticks
    : { ...ticks, tick, at: now, isSure: true }

/** Returns the tick that is probably under way. */
export const tickNow = (ticks: Ticks, now: number): number =>
  ticks.tick + Math.max(0, Math.floor((now - ticks.at) / ticks.tickMs))

/** Returns the milliseconds until a tick, at least 0; without one until the next. */
export function msUntil(ticks: Ticks, now: number, tick?: number): number {
  if (!ticks.isSure && tick === undefined) return ticks.tickMs
  const wanted = tick ?? tickNow(ticks, now) + 1
  return Math.max(0, ticks.at + (wanted - ticks.tick) * ticks.tickMs - now)
}
