/** Exports the rows of tables, of the present and of the past. */
import type { Sql } from './db.ts'
import type { Progress } from './store-log.ts'
import type { ExportWriter } from './transfer-file.ts'
import { TABLES } from './transfer-tables.ts'

export interface RowsFrame {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

const ROWS_A_FRAME = 2_000
/** Notes have up to 100,000 characters, and a reader refuses frames that are too large. */
const CHARACTERS_A_FRAME = 8 * 1024 * 1024
/** Few, since all rows of a fetch are in memory. */
const ROWS_A_FETCH = 200

interface TableExport {
  readonly table: string
  /** Leaves out rows of later batches, if the table has a column for the batch. */
  readonly upTo?: number
  /** SQL that replaces columns, by name. */
  readonly instead?: Readonly<Record<string, string>>
  readonly onProgress?: Progress
}

/** Writes the rows of a table; returns their number. */
export async function exportTable(
  sql: Sql,
  file: ExportWriter,
  { table, upTo, instead = {}, onProgress }: TableExport,
): Promise<number> {
  const columns = Object.keys(TABLES[table])
  const list = columns
    .map((column) => `(${instead[column] ?? column})::text as ${column}`)
    .join(', ')
  const where = upTo !== undefined && columns.includes('batch') ? ` where batch <= ${upTo}` : ''
  const cursor = sql.unsafe<Record<string, string | null>[]>(`select ${list} from ${table}${where}`)
  let count = 0
  let characters = 0
  let rows: (string | null)[][] = []
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return
    await file.add('rows', { table, columns, rows } satisfies RowsFrame)
    count += rows.length
    onProgress?.(`rows of ${table} written`, count)
    rows = []
    characters = 0
  }
  for await (const page of cursor.cursor(ROWS_A_FETCH)) {
    for (const found of page) {
      const row = columns.map((column) => found[column])
      rows.push(row)
      for (const value of row) characters += value?.length ?? 0
      if (rows.length === ROWS_A_FRAME || characters >= CHARACTERS_A_FRAME) await flush()
    }
  }
  await flush()
  return count
}
