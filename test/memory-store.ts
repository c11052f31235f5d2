/**
 * A BatchStore in memory. Rows are kept as encoded text, so that nothing is shared with the world
 * that committed them. Archive methods answer and refuse as the SQL ones do, as far as tests need.
 */
import type { ArchiveWrite } from '../core/archive-calls.ts'
import type { Outcome } from '../core/errors.ts'
import type { BatchStore, JournalRow, WorldImage } from '../core/ports.ts'
import { memoryArchive } from './memory-archive.ts'

export interface MemoryStore extends BatchStore {
  readonly rows: readonly string[]
  /** Returns the rows committed so far, decoded. */
  journal(): JournalRow[]
  snapshots: WorldImage[]
  /** Archive rows by method. */
  readonly archive: ReturnType<typeof memoryArchive>
}

function copyImage(image: WorldImage): WorldImage {
  return {
    ...image,
    tables: image.tables.map((table) => ({
      ...table,
      free: [...table.free],
      freed: [...table.freed],
      columns: table.columns.map((column) => ({ ...column, bytes: column.bytes.slice() })),
    })),
    records: image.records.map(({ name, entries }) => ({
      name,
      entries: entries.map(([k, v]) => [k, v]),
    })),
    texts: [...image.texts],
    freeTexts: [...image.freeTexts],
  }
}

export function createMemoryStore(): MemoryStore {
  const rows: string[] = []
  const archive = memoryArchive()
  const store: MemoryStore = {
    rows,
    archive,
    snapshots: [],
    journal: () => rows.map((row) => JSON.parse(row) as JournalRow),
    async commit(row: JournalRow, writes: readonly ArchiveWrite[]) {
      const archived: Record<string, Outcome<unknown>> = {}
      for (const write of writes) {
        const outcome = archive.write(write, row)
        if (write.ref !== undefined) archived[String(write.ref)] = outcome
      }
      const durable = { ...row, archived }
      rows.push(JSON.stringify(durable))
      return JSON.parse(rows[rows.length - 1]) as JournalRow
    },
    async saveSnapshot(image) {
      store.snapshots.push(copyImage(image))
      if (store.snapshots.length > 3) store.snapshots.shift()
    },
    async latestSnapshot() {
      const latest = store.snapshots.at(-1)
      return latest && copyImage(latest)
    },
    async *journalAfter(batch) {
      for (const text of [...rows]) {
        const row = JSON.parse(text) as JournalRow
        if (row.batch > batch) yield row
      }
    },
    async close() {},
  }
  return store
}
