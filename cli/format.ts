/**
 * Formats reports as text: tables that fit the terminal, grouped digits, sizes, times, and colours
 * if the terminal supports them and NO_COLOR is not set.
 */

/** No column is made narrower than this. */
const COLUMN_WIDTH_MIN = 12
const GAP = 2

/** The properties of standard output that reports are fitted to. */
interface Page {
  readonly isTTY?: boolean
  readonly columns?: number
  hasColors?(): boolean
}

const STYLES = { bold: [1, 22], red: [31, 39], green: [32, 39] } as const

/** Returns a text in a style, or unchanged if the output is not a terminal with colours. */
export function styled(style: keyof typeof STYLES, text: string, page: Page = process.stdout) {
  const [on, off] = STYLES[style]
  return page.hasColors?.() ? `\u001b[${on}m${text}\u001b[${off}m` : text
}

/** Returns a number with its digits grouped: 1,234.5. */
export const digits = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 20 })

const cellText = (value: unknown): string =>
  typeof value === 'number' ? digits(value) : String(value ?? '')

/** Breaks a text between words, or within one that is too long. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const end = space > 0 ? space : width
    lines.push(rest.slice(0, end))
    rest = rest.slice(space > 0 ? end + 1 : end)
  }
  return [...lines, rest]
}

/** Narrows the widest columns until all fit, or none can become narrower. */
function fitted(widths: readonly number[], room: number): number[] {
  const fit = [...widths]
  let over = fit.reduce((sum, width) => sum + width, GAP * (fit.length - 1)) - room
  while (over > 0) {
    const widest = fit.indexOf(Math.max(...fit))
    if (fit[widest] <= COLUMN_WIDTH_MIN) break
    fit[widest]--
    over--
  }
  return fit
}

const roomOf = ({ isTTY, columns }: Page): number =>
  isTTY && columns ? columns : Number.POSITIVE_INFINITY

/** Returns the lines of a row: each of its cells may be wrapped into several. */
function rowLines(
  row: readonly string[],
  widths: readonly number[],
  isNumber: readonly boolean[],
): string[] {
  const cells = row.map((cell, column) => wrap(cell, widths[column]))
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, column) => {
        const text = lines[line] ?? ''
        return isNumber[column] ? text.padStart(widths[column]) : text.padEnd(widths[column])
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  )
}

/**
 * Formats rows under a head. Numbers are aligned right, with their digits grouped. Numbers that a
 * user may copy, such as a batch or a tick, should be passed as text.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
  page: Page = process.stdout,
): string {
  const cells = rows.map((row) => row.map(cellText))
  const widths = fitted(
    head.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column].length))),
    roomOf(page),
  )
  const isNumber = head.map((_, column) => cells.every((row) => /^(-?[\d,.]+)?$/.test(row[column])))
  return [
    ...rowLines(head, widths, isNumber).map((line) => styled('bold', line, page)),
    ...cells.flatMap((row) => rowLines(row, widths, isNumber)),
  ].join('\n')
}

/** Formats names and values, one pair per line. */
export function pairs(
  entries: readonly (readonly [string, unknown])[],
  page: Page = process.stdout,
): string {
  const nameWidth = Math.max(...entries.map(([name]) => name.length))
  const texts = entries.map(([name, value]) => [name, cellText(value ?? 'none')])
  const widest = Math.max(...texts.map(([, text]) => text.length))
  const room = Math.max(COLUMN_WIDTH_MIN, roomOf(page) - nameWidth - GAP)
  const widths = [nameWidth, Math.min(widest, room)]
  return texts.flatMap((row) => rowLines(row, widths, [])).join('\n')
}

const MIB = 1024 * 1024

export const size = (bytes: number): string =>
  bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${digits(Number((bytes / MIB).toFixed(1)))} MiB`

export const time = (at: Date | number): string => new Date(at).toISOString()

/** Returns a time span as text: 40 s, 3 min, 2 h 5 min. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return `${digits(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

/** Returns "1 row", "2 rows"; `many` is the plural if it is not just an s. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${digits(n)} ${n === 1 ? one : many}`
