/** Shows moments as "tick 48 210 · 3 min ago", with the exact time on hover. */
import { newestTick, second, timeOf } from '../clock.ts'
import { formatAgo, formatExact, formatInt } from './format.ts'

const useAgo = (ms: number): string => {
  second.value
  return ms > 0 ? formatAgo(Date.now() - ms) : ''
}

/** Shows a tick with how long ago it was; `isShort` leaves the tick to the title. */
export function Tick({ tick, isShort }: { readonly tick: number; readonly isShort?: boolean }) {
  // Before the first tick has arrived, nobody knows when others were.
  const ms = newestTick.value === 0 ? 0 : timeOf(tick)
  const ago = useAgo(ms)
  const name = `tick ${formatInt(tick)}`
  const iso = ms > 0 ? new Date(ms).toISOString() : undefined
  return (
    <time class="when" dateTime={iso} title={ms > 0 ? `${name}, ${formatExact(ms)}` : name}>
      {isShort ? ago || name : ago ? `${name} · ${ago}` : name}
    </time>
  )
}

/** Shows a moment given as RFC 3339 text. */
export function When({ at }: { readonly at: string }) {
  const ms = Date.parse(at)
  const ago = useAgo(ms)
  if (Number.isNaN(ms)) return <span class="muted">unknown</span>
  return (
    <time class="when" dateTime={at} title={formatExact(ms)}>
      {ago}
    </time>
  )
}
