/**
 * Prepares inputs and answers for display to an operator: without passwords, tokens and keys, cut
 * to a readable length, and without control characters.
 */

const TEXT_CHARACTERS_MAX = 300
const ENTRIES_MAX = 20
const DEPTH_MAX = 6
const HIDDEN = '(not shown)'

/** Names of fields that hold a secret. */
const SECRET =
  /pass(word|phrase)?|secret|token|session|cookie|credential|api_?key|(^|_)code$|hash$/i

const cut = (text: string): string =>
  text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}…` : text

/** Returns plain data with secrets hidden and long parts cut. */
export function shown(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return '…'
  if (Array.isArray(value)) {
    const more = value.length - ENTRIES_MAX
    const entries = value.slice(0, ENTRIES_MAX).map((entry) => shown(entry, depth + 1))
    return more > 0 ? [...entries, `… ${more} more`] : entries
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      SECRET.test(name) && entry !== null && entry !== '' ? HIDDEN : shown(entry, depth + 1),
    ]),
  )
}

const LINE_CHARACTERS_MAX = 600
/** Control characters, which texts of players may contain. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu

/** Replaces control characters, so that a text stays on its line. */
export const plain = (text: string): string => text.replace(CONTROLS, '�')

/** Returns plain data as JSON on one line, without secrets and cut to a bound. */
export function brief(value: unknown): string {
  const text = JSON.stringify(shown(value)) ?? 'nothing'
  return text.length > LINE_CHARACTERS_MAX ? `${text.slice(0, LINE_CHARACTERS_MAX)}…` : text
}
