/** How reports look as text: tables, sizes, times. */

/** Rows under a head, columns aligned; numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map((value) => String(value ?? '')))
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column].length)),
  )
  const isNumber = head.map((_, column) =>
    rows.every((row) => typeof row[column] === 'number' || row[column] === undefined),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        isNumber[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
      )
      .join('  ')
      .trimEnd()
  return [line(head), ...cells.map(line)].join('\n')
}

/** Names and values, one a line. */
export function pairs(entries: readonly (readonly [string, unknown])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${value ?? 'none'}`).join('\n')
}

const MIB = 1024 * 1024

export const size = (bytes: number): string =>
  bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`

export const time = (at: Date | number): string => new Date(at).toISOString()

/** "1 row", "2 rows". */
export const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`
