/**
 * Estimates when the next tick comes from the arrival of frames that name a tick. The clocks of
 * server and client are not compared.
 */

export interface Ticks {
  readonly tickMs: number
  /** The newest tick seen. */
  readonly tick: number
  /** When it was seen, in milliseconds of this machine. */
  readonly at: number
  /** Whether a frame of a tick has arrived; until then only the length of a tick is known. */
  readonly isSure: boolean
}

/** Returns the ticks after the welcome, which can arrive at any time within a tick. */
export const ticksAfterWelcome = (tickSeconds: number, tick: number, now: number): Ticks => ({
  tickMs: Math.max(1, tickSeconds * 1000),
  tick,
  at: now,
  isSure: false,
})

/** Returns the ticks after a frame of `tick` has arrived; an older one changes nothing. */
export const withSeenTick = (ticks: Ticks, tick: number, now: number): Ticks =>
  tick < ticks.tick || (tick === ticks.tick && ticks.isSure)
    ? ticks
    : { ...ticks, tick, at: now, isSure: true }

/** Returns the current tick, as estimated. */
export const tickNow = (ticks: Ticks, now: number): number =>
  ticks.tick + Math.max(0, Math.floor((now - ticks.at) / ticks.tickMs))

/** Returns the milliseconds until a tick, at least 0; by default until the next tick. */
export function msUntil(ticks: Ticks, now: number, tick?: number): number {
  if (!ticks.isSure && tick === undefined) return ticks.tickMs
  const wanted = tick ?? tickNow(ticks, now) + 1
  return Math.max(0, ticks.at + (wanted - ticks.tick) * ticks.tickMs - now)
}
