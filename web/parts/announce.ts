/** The polite live region: announces changes to screen readers, at most once in 5 s. */
import { signal } from '@preact/signals'

const GAP_MS = 5_000

export const announced = signal('')

let lastMs = Number.NEGATIVE_INFINITY
let waiting: ReturnType<typeof setTimeout> | undefined
let next = ''

/** Announces a sentence soon; it replaces one that is still waiting. */
export function announce(text: string): void {
  next = text
  if (waiting !== undefined) return
  const inMs = Math.max(0, lastMs + GAP_MS - performance.now())
  waiting = setTimeout(() => {
    waiting = undefined
    lastMs = performance.now()
    // Only text that changes is read: a repeated sentence ends with a space that does not break.
    announced.value = next === announced.peek() ? `${next}\u00a0` : next
  }, inMs)
}
