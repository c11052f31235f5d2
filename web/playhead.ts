/**
 * The playhead of a replay: the shown moment in ticks, with fractions, whether it is playing, and
 * the speed. Its owner moves it with `advance`.
 */
import { type Signal, signal } from '@preact/signals'

/** Speeds in ticks per second. */
export const SPEEDS = [0.5, 1, 2, 4, 8] as const
type Speed = (typeof SPEEDS)[number]

export interface Playhead {
  readonly time: Signal<number>
  readonly isPlaying: Signal<boolean>
  readonly speed: Signal<Speed>
}

export const newPlayhead = (time: number): Playhead => ({
  time: signal(time),
  isPlaying: signal(false),
  speed: signal<Speed>(1),
})

/** Moves a playing playhead forward by `ms` milliseconds; it stops at the last tick. */
export function advance({ time, isPlaying, speed }: Playhead, ms: number, lastTick: number): void {
  if (!isPlaying.peek()) return
  const next = time.peek() + (ms / 1000) * speed.peek()
  time.value = Math.min(next, lastTick)
  if (next >= lastTick) isPlaying.value = false
}

/** Goes to a tick between the first and the last. */
export function seek({ time }: Playhead, tick: number, first: number, last: number): void {
  time.value = Math.max(first, Math.min(last, tick))
}

/** Starts or stops; from the last tick it starts again at the first. */
export function toggle({ time, isPlaying }: Playhead, first: number, last: number): void {
  if (!isPlaying.peek() && time.peek() >= last) time.value = first
  isPlaying.value = !isPlaying.peek()
}
