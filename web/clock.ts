/**
 * The time of the page, in ticks. It depends only on when ticks arrive, so that no two clocks are
 * compared. Between arrivals it advances evenly; the offset of a late or early tick is smoothed
 * over half a tick, and time never goes back. Source: WEB 4.
 */
import { computed, signal } from '@preact/signals'
import { pastTick } from './router.ts'

/** Ticks without updates after which the page shows a warning, and after which it turns grey. */
const STALE_TICKS = 2.5
const DEAD_TICKS = 10
/** How far the clock may run beyond the newest tick. */
const AHEAD_TICKS_MAX = 1.5
const EASE_TICKS = 0.5
const WATCH_MS = 1_000
/** The shortest time between public frames, even if ticks are shorter. */
const FRAME_MS_MIN = 1_000

/** The newest public tick; 0 before the first arrived. */
export const newestTick = signal(0)
export const tickMs = signal(10_000)
/** Wall time of the newest tick, from the server. */
const newestAt = signal(0)
/** The time between public frames. */
const frameMs = computed(() => Math.max(FRAME_MS_MIN, tickMs.value))
/** How long nothing has arrived, in ms; 0 while the page is up to date. */
export const behindMs = signal(0)

/** The tick that views show: that of the address, or the newest one. */
export const shownTick = computed(() => pastTick.value ?? newestTick.value)
export const isLive = computed(() => pastTick.value === undefined)
/** True if nothing has arrived for so long that the page shows itself as out of date. */
export const isDead = computed(() => behindMs.value > DEAD_TICKS * frameMs.value)

let arrivedMs = 0
/** By how many ticks the clock was ahead of the newest one when it arrived. */
let lead = 0

const smooth = (nowMs: number): number => {
  const ticks = (nowMs - arrivedMs) / tickMs.peek()
  const ease = Math.max(0, 1 - ticks / EASE_TICKS)
  const aheadMax = (AHEAD_TICKS_MAX * frameMs.peek()) / tickMs.peek()
  return newestTick.peek() + Math.min(ticks + lead * ease, aheadMax)
}

/** Returns the shown moment in ticks, with fractions. */
export function momentNow(): number {
  const past = pastTick.peek()
  if (past !== undefined) return past
  return newestTick.peek() === 0 ? 0 : smooth(performance.now())
}

/** Records the arrival of a tick; `atMs` is its wall time on the server. */
export function tickArrived(tick: number, atMs = Date.now()): void {
  if (tick <= newestTick.value) {
    // A repeated tick is ignored; an earlier one means that the world was set back.
    if (tick === newestTick.value) return
    lead = 0
  } else {
    const ahead = newestTick.value === 0 ? 0 : smooth(performance.now()) - tick
    lead = Math.min(EASE_TICKS, Math.max(-EASE_TICKS, ahead))
  }
  arrivedMs = performance.now()
  newestAt.value = atMs
  newestTick.value = tick
  behindMs.value = 0
}

/** Returns the wall time of a past or future tick, on the server's clock. */
export const timeOf = (tick: number): number =>
  newestAt.value + (tick - newestTick.value) * tickMs.value

/** Changes once per second, for components that show how long ago something was. */
export const second = signal(0)

export function startClock(): void {
  setInterval(() => {
    second.value++
    if (newestTick.value === 0) return
    const silentMs = performance.now() - arrivedMs
    behindMs.value = silentMs > STALE_TICKS * frameMs.value ? silentMs : 0
  }, WATCH_MS)
}
