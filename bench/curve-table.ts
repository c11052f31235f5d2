/** Writes the table of cost curves in bench/README.md. */
import { figure } from './report.ts'

export interface Measurement {
  readonly name: string
  readonly rows: number
  readonly threads: number
  /** Median time of a pass. */
  readonly ms: number
}

const BEGIN = '<!-- curves: written by bench/curves.ts -->'
const END = '<!-- end of curves -->'
const NS_PER_MS = 1e6

/**
 * Returns a table of ms and ns per row: a line for each subject and number of threads, a column for
 * each number of rows.
 */
export function tableOf(measured: readonly Measurement[]): string[] {
  const sizes = [...new Set(measured.map(({ rows }) => rows))].sort((a, b) => a - b)
  const lines = new Map<string, Measurement[]>()
  for (const one of measured) {
    const key = `${one.name} | ${one.threads}`
    lines.set(key, [...(lines.get(key) ?? []), one])
  }
  const cell = (one: Measurement | undefined): string =>
    one ? `${figure(one.ms)} ms (${figure((one.ms * NS_PER_MS) / one.rows)} ns)` : ''
  return aligned([
    ['Pass', 'Threads', ...sizes.map((rows) => rows.toLocaleString('en-US'))],
    ...[...lines.values()].map((ones) => [
      ones[0].name,
      String(ones[0].threads),
      ...sizes.map((rows) => cell(ones.find((one) => one.rows === rows))),
    ]),
  ])
}

/** Formats a table in Markdown, every column as wide as its widest cell. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, i) => Math.max(3, ...rows.map((row) => row[i].length)))
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const [head, ...rest] = rows.map((row) => line(row.map((cell, i) => cell.padEnd(widths[i]))))
  return [head, line(widths.map((width) => '-'.repeat(width))), ...rest]
}

/** Returns the page with these lines between its two marks. */
export function replaceTable(page: string, lines: readonly string[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin)
    throw new Error('bench/README.md does not contain the marks of its curves')
  return `${page.slice(0, begin)}${[BEGIN, '', ...lines, ''].join('\n')}\n${page.slice(end)}`
}
