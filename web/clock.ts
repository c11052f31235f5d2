/**
 * The time of the page, in ticks. It runs on the arrival of ticks alone: two clocks are never
 * compared. Between arrivals it goes on evenly; a late or early tick is eased within half a tick,
 * and it never goes back. Source: WEB 4.
 */
import { computed, signal } from '@preact/signals'
import { pastTick } from './router.ts'

/** Ticks without updates after which the page says so, and after which pictures turn grey. */
const STALE_TICKS = 2.5
const DEAD_TICKS = 10
/** How far the clock runs on beyond the newest tick. */
const AHEAD_TICKS_MAX = 1.5
const EASE_TICKS = 0.5
const WATCH_MS = 1_000
/** Ticks become public no more often, however short they are. */
const FRAME_MS_MIN = 1_000

/** The newest public tick; 0 before the first arrived. */
export const newestTick = signal(0)
export const tickMs = signal(10_000)
/** Wall time of the newest tick, from the server. */
const newestAt = signal(0)
/** How far apart ticks arrive. */
const frameMs = computed(() => Math.max(FRAME_MS_MIN, tickMs.value))
/** How long nothing came, in ms; 0 while it is fresh. */
export const behindMs = signal(0)

/** The tick that views show: that of the address, or the newest one. */
export const shownTick = computed(() => pastTick.value ?? newestTick.value)
export const isLive = computed(() => pastTick.value === undefined)
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

/** Returns the moment that is shown, in ticks and parts of a tick. */
export function momentNow(): number {
  const past = pastTick.peek()
  if (past !== undefined) return past
  return newestTick.peek() === 0 ? 0 : smooth(performance.now())
}

/** Takes a tick that arrived; `atMs` is its wall time by the server. */
export function tickArrived(tick: number, atMs = Date.now()): void {
  if (tick <= newestTick.value) {
    // A world that was set back starts again; the same tick again is not new.
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

/** Returns when a tick was or will be, by the server's time. */
export const timeOf = (tick: number): number =>
  newestAt.value + (tick - newestTick.value) * tickMs.value

/** Changes once a second; what shows a span of time reads it. */
export const second = signal(0)

export function startClock(): void {
  setInterval(() => {
    second.value++
    if (newestTick.value === 0) return
    const silentMs = performance.now() - arrivedMs
    behindMs.value = silentMs > STALE_TICKS * frameMs.value ? silentMs : 0
  }, WATCH_MS)
}
