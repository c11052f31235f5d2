/** Formats numbers, time spans and names. */
const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** Returns 1234567 as "1 234 567", with narrow spaces that do not break. */
export const formatInt = (value: number): string => grouped.format(value).replaceAll(',', '\u202f')

/** Returns a number shortened to three figures: "1.23M". */
export function formatShort(value: number): string {
  const size = Math.abs(value)
  for (const [unit, sign] of [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e4, 'k'],
  ] as const) {
    if (size < unit) continue
    const by = sign === 'k' ? 1e3 : unit
    const shown = value / by
    return `${shown.toFixed(Math.abs(shown) >= 100 ? 0 : Math.abs(shown) >= 10 ? 1 : 2)}${sign}`
  }
  return formatInt(value)
}

/** Returns a share such as 12.345 as "+12.3 %". */
export const formatPct = (value: number, signed = false): string =>
  `${signed && value > 0 ? '+' : ''}${value.toFixed(1)}\u202f%`.replace('-', '\u2212')

const SPANS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** Returns a time span in its largest unit: "3 min". */
export function formatSpan(ms: number): string {
  for (const [unit, name] of SPANS) {
    if (ms >= unit) return `${Math.floor(ms / unit)}\u202f${name}`
  }
  return '0\u202fs'
}

/** Returns how long ago something was or, for a negative span, how far ahead it is. */
export function formatAgo(ms: number): string {
  if (Math.abs(ms) < 1_000) return 'now'
  return ms > 0 ? `${formatSpan(ms)} ago` : `in ${formatSpan(-ms)}`
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Returns date and time in the locale of the reader. */
export const formatExact = (at: number): string => (at > 0 ? exact.format(at) : '')

/** Returns an id such as `iron_ore` as words, "Iron ore". */
export const formatId = (id: string): string =>
  (id.charAt(0).toUpperCase() + id.slice(1)).replaceAll('_', ' ')

/** Returns "1 ship" or "2 ships". */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatInt(count)} ${count === 1 ? one : many}`
