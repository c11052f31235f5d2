/** Shows moments as "tick 48 210 · 3 min ago", with the exact time on hover. */
import { second, timeOf } from '../clock.ts'
import { formatAgo, formatExact, formatInt } from './format.ts'

const useAgo = (at: number): string => {
  second.value
  return at > 0 ? formatAgo(Date.now() - at) : ''
}

/** Shows a tick with how long ago it was; `isShort` leaves the tick to the title. */
export function Tick({ tick, isShort }: { readonly tick: number; readonly isShort?: boolean }) {
  const at = timeOf(tick)
  const ago = useAgo(at)
  const name = `tick ${formatInt(tick)}`
  const iso = at > 0 ? new Date(at).toISOString() : undefined
  return (
    <time class="when" dateTime={iso} title={`${name}, ${formatExact(at)}`}>
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
