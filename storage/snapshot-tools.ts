/** Snapshots for the operators' tools: contents, verification, differences. */
import type { ColumnImage, TableImage, WorldImage } from '../core/ports.ts'
import type { Sql } from './db.ts'
import { StorageDamageError } from './errors.ts'
import { readJournal } from './journal.ts'
import { listSnapshots, loadSnapshot, readSnapshotHead, type SnapshotRow } from './snapshots.ts'

interface SnapshotInspection extends SnapshotRow {
  readonly chunks: number
  readonly storedBytes: number
  readonly wallMs: number
  readonly tables: readonly {
    readonly name: string
    readonly rows: number
    readonly columns: number
  }[]
  readonly recordTables: readonly string[]
}

/** Describes a snapshot's contents; throws StorageDamageError when its seal is broken. */
export async function inspectSnapshot(sql: Sql, id: number): Promise<SnapshotInspection> {
  const { row, manifest, chunks } = await readSnapshotHead(sql, id)
  const sizes = await sql<{ bytes: number }[]>`
    select coalesce(sum(length(bytes)), 0)::bigint as bytes from snapshot_chunk
    where sha256 in (select sha256 from snapshot_part where snapshot_id = ${id})`
  return {
    ...row,
    chunks: chunks.length,
    storedBytes: sizes[0].bytes,
    wallMs: manifest.wallMs,
    tables: manifest.tables.map((table) => ({
      name: table.name,
      rows: table.high,
      columns: table.columns.length,
    })),
    recordTables: manifest.records.map((table) => table.name),
  }
}

interface Verification {
  readonly batch: number
  readonly tick: number
  readonly ok: boolean
  readonly problem?: string
  /** Number of journal rows after it, all intact. */
  readonly journalRows?: number
}

/**
 * Verifies snapshots and the journal after each by reading them completely; without an id, all
 * snapshots.
 */
export async function verifySnapshots(
  sql: Sql,
  options: { readonly id?: number; readonly onProgress?: (batch: number) => void } = {},
): Promise<Verification[]> {
  const found: Verification[] = []
  for (const row of await listSnapshots(sql)) {
    if (options.id !== undefined && row.id !== options.id) continue
    options.onProgress?.(row.batch)
    found.push(await verifyOne(sql, row))
  }
  return found
}

async function verifyOne(sql: Sql, { id, batch, tick }: SnapshotRow): Promise<Verification> {
  try {
    await loadSnapshot(sql, id)
    let journalRows = 0
    for await (const _ of readJournal(sql, batch)) journalRows++
    return { batch, tick, ok: true, journalRows }
  } catch (error) {
    if (!(error instanceof StorageDamageError)) throw error
    return { batch, tick, ok: false, problem: error.message }
  }
}

interface ColumnDiff {
  readonly table: string
  readonly column: string
  readonly rows: number
}

export interface RecordsDiff {
  readonly records: string
  readonly added: number
  readonly removed: number
  readonly changed: number
  /** Keys of the first few. */
  readonly examples: readonly string[]
}

interface SnapshotDiff {
  readonly ticks: readonly [number, number]
  readonly same: boolean
  readonly columns: readonly ColumnDiff[]
  readonly records: readonly RecordsDiff[]
  readonly texts: number
}

const EXAMPLES_MAX = 10

/** Compares two images by table and column and by record. */
export function diffImages(before: WorldImage, after: WorldImage): SnapshotDiff {
  const tables = new Map(before.tables.map((table) => [table.name, table]))
  const columns = after.tables.flatMap((table) => diffTable(tables.get(table.name), table))
  const records = diffRecords(before, after)
  let texts = 0
  for (let id = 0; id < Math.max(before.texts.length, after.texts.length); id++) {
    if (before.texts[id] !== after.texts[id]) texts++
  }
  return {
    ticks: [before.tick, after.tick],
    same: columns.length === 0 && records.length === 0 && texts === 0,
    columns,
    records,
    texts,
  }
}

function diffTable(before: TableImage | undefined, after: TableImage): ColumnDiff[] {
  const old = new Map(before?.columns.map((column) => [column.name, column]))
  return after.columns
    .map((column) => ({
      table: after.name,
      column: column.name,
      rows: changedRows(old.get(column.name), column, [before?.high ?? -1, after.high]),
    }))
    .filter((diff) => diff.rows > 0)
}

function changedRows(
  before: ColumnImage | undefined,
  after: ColumnImage,
  [highBefore, highAfter]: readonly [number, number],
): number {
  const stride = after.bytes.length / (highAfter + 1)
  const comparable = before && before.bytes.length === stride * (highBefore + 1)
  if (!comparable) return highAfter + 1
  const both = Math.min(highBefore, highAfter)
  let rows = Math.max(highBefore, highAfter) - both
  for (let row = 0; row <= both; row++) {
    const start = row * stride
    for (let byte = start; byte < start + stride; byte++) {
      if (before.bytes[byte] === after.bytes[byte]) continue
      rows++
      break
    }
  }
  return rows
}

function diffRecords(before: WorldImage, after: WorldImage): RecordsDiff[] {
  const old = new Map(before.records.map(({ name, entries }) => [name, new Map(entries)]))
  const diffs: RecordsDiff[] = []
  for (const { name, entries } of after.records) {
    const left = old.get(name) ?? new Map<string, string>()
    const examples: string[] = []
    let added = 0
    let changed = 0
    for (const [key, json] of entries) {
      const previous = left.get(key)
      left.delete(key)
      if (previous === json) continue
      if (previous === undefined) added++
      else changed++
      if (examples.length < EXAMPLES_MAX) examples.push(key)
    }
    for (const key of left.keys()) if (examples.length < EXAMPLES_MAX) examples.push(key)
    const removed = left.size
    if (added + changed + removed > 0) {
      diffs.push({ records: name, added, removed, changed, examples })
    }
  }
  return diffs
}
