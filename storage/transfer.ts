/**
 * Moves whole worlds, for the operators' tools: export to one checked file from one consistent
 * view, and import from it in one transaction under the world's lock.
 */
import type { IdMarks } from '../core/id-marks.ts'
import type { JournalRow } from '../core/ports.ts'
import { arrayLiteral, type ConnectionOptions, type Sql, type Tx } from './db.ts'
import { DatabaseSetupError, StorageDamageError } from './errors.ts'
import { journalPage } from './journal-blocks.ts'
import { decodeJournalRow, type EncodedRow, encodeJournalRow } from './journal-row.ts'
import { type ProofSeal, sealOfProofs } from './proofs.ts'
import { cutSums, withWorldLock } from './restore.ts'
import { sealOf, unpackManifest } from './snapshot-format.ts'
import {
  decompressChunk,
  findSnapshot,
  readChunks,
  readSnapshotHead,
  type SnapshotRow,
  type StoredChunk,
} from './snapshots.ts'
import type { Progress } from './store-log.ts'
import { createExport, type ExportWriter, type Frame, readExport } from './transfer-file.ts'
import { exportTable, type RowsFrame } from './transfer-rows.ts'
import { TABLES } from './transfer-tables.ts'

const NUMBERED = [
  'chat',
  'action_log',
  'captains_log',
  'petition',
  'forum_thread',
  'forum_reply',
  'note_text',
  'snapshot',
] as const
const CHUNKS_A_STEP = 16

export interface Header {
  readonly seed: number | null
  readonly headBatch: number
  /** Absent if rows were changed for the export. */
  readonly headChecksum?: Uint8Array
  /** Absent from files of older releases. */
  readonly idMarks?: IdMarks | null
  /** The last incarnation of a process. Absent in files of older releases. */
  readonly incarnation?: number
  /** Batch up to which the archive is complete. Absent in files of older releases: the head. */
  readonly projected?: number
  readonly exportedAt: string
  /**
   * Identifies proofs of this world, without the private key. Absent in files of older releases.
   */
  readonly proof?: ProofSeal
  /**
   * Set for a past world: the import must truncate the aggregates of its archive to this moment.
   */
  readonly past?: { readonly tick: number; readonly wallMs: number }
}

export interface SnapshotFrame {
  readonly row: Omit<SnapshotRow, 'id' | 'createdAt'>
  readonly layout: Uint8Array
  readonly chain: Uint8Array
  readonly seal: Uint8Array
  readonly chunks: readonly Uint8Array[]
}

export interface TransferResult {
  readonly batch: number
  readonly snapshotBatch: number
  readonly journalRows: number
  readonly rows: Readonly<Record<string, number>>
  readonly bytes: number
}

interface ExportOptions {
  /** Snapshot to start from; absent: the newest. */
  readonly batch?: number
  readonly onProgress?: Progress
}

/** Writes a world to one file, from one consistent view; a server may run meanwhile. */
export async function exportWorld(
  sql: Sql,
  path: string,
  options: ExportOptions = {},
): Promise<TransferResult> {
  const file = await createExport(path)
  try {
    return (await sql.begin('isolation level repeatable read read only', (tx) =>
      exportInside(tx as unknown as Sql, file, options),
    )) as TransferResult
  } catch (error) {
    await file.abandon().catch(() => {})
    throw error
  }
}

async function exportInside(
  sql: Sql,
  file: ExportWriter,
  options: ExportOptions,
): Promise<TransferResult> {
  const worlds = await sql<Header[]>`
    select seed, head_batch as "headBatch", head_checksum as "headChecksum",
      id_marks as "idMarks", (select batch from projection) as projected,
      (select last_value from incarnation) as incarnation,
      now()::text as "exportedAt"
    from world`
  await file.add('header', { ...worlds[0], ...(await sealOfProofs(sql)) } satisfies Header)
  const snapshot = await findSnapshot(sql, options.batch)
  const head = await readSnapshotHead(sql, snapshot.id)
  const { id: _, createdAt: __, ...row } = head.row
  const frame: SnapshotFrame = { ...head, row }
  const { layout, chain, seal, chunks } = frame
  await file.add('snapshot', { row, layout, chain, seal, chunks } satisfies SnapshotFrame)
  for (let start = 0; start < chunks.length; start += CHUNKS_A_STEP) {
    const names = chunks.slice(start, start + CHUNKS_A_STEP)
    const stored = await readChunks(sql, names)
    for (const chunk of stored.values()) await file.add('chunk', checkedChunk(chunk, row.batch))
    options.onProgress?.(
      'chunks written',
      Math.min(start + CHUNKS_A_STEP, chunks.length),
      chunks.length,
    )
  }
  const { headBatch } = worlds[0]
  const journal = await exportJournal(sql, file, {
    chain,
    batch: row.batch,
    upTo: headBatch,
    onProgress: options.onProgress,
  })
  const rows: Record<string, number> = {}
  for (const table of Object.keys(TABLES)) {
    rows[table] = await exportTable(sql, file, { table, onProgress: options.onProgress })
  }
  const bytes = await file.finish()
  return { batch: headBatch, snapshotBatch: row.batch, journalRows: journal.rows, rows, bytes }
}

function checkedChunk(chunk: StoredChunk, batch: number): StoredChunk {
  if (decompressChunk(chunk)) return chunk
  throw new StorageDamageError('snapshot', batch, `a chunk of snapshot ${batch} is damaged`)
}

interface Chain {
  /** Checksum of the batch before the rows. */
  readonly chain: Uint8Array
  readonly batch: number
  /** The last batch to write. */
  readonly upTo: number
  /** Returns a row as it should be exported; the chain of the file is then recomputed. */
  readonly change?: (row: JournalRow) => JournalRow
  readonly onProgress?: Progress
}

/** Exports journal rows as stored or changed, each checked; returns their number. */
export async function exportJournal(
  sql: Sql,
  file: ExportWriter,
  { chain, batch, upTo, change, onProgress }: Chain,
): Promise<{ readonly rows: number }> {
  let checksum = chain
  let written = chain
  let last = batch
  let count = 0
  while (last < upTo) {
    const page = (await journalPage(sql, last)).rows.filter((row) => row.batch <= upTo)
    const rows = page.map((row): EncodedRow => {
      const decoded = decodeJournalRow(row, checksum)
      checksum = row.checksum
      last = row.batch
      const exported = change ? encodeJournalRow(change(decoded), written) : row
      written = exported.checksum
      return exported
    })
    if (rows.length === 0) break
    count += rows.length
    await file.add('journal', rows)
    onProgress?.('journal rows written', count, upTo - batch)
  }
  if (last !== upTo) {
    throw new StorageDamageError('journal', last, `the journal ends at ${last}, not ${upTo}`)
  }
  return { rows: count }
}

interface ImportOptions {
  /** True: deletes the world in the schema first; otherwise the schema must be empty. */
  readonly replace?: boolean
  readonly onProgress?: Progress
}

/** Fills a schema from an export, completely or not at all. No server may run on it. */
export async function importWorld(
  connection: ConnectionOptions,
  path: string,
  options: ImportOptions = {},
): Promise<TransferResult> {
  return withWorldLock(connection, async (tx) => {
    await emptyWorld(tx, options.replace ?? false)
    return importInside(tx, path, options)
  })
}

async function emptyWorld(tx: Tx, replace: boolean): Promise<void> {
  const found = await tx<{ used: boolean }[]>`
    select exists (select from snapshot where complete) or exists (select from journal)
      or exists (select from journal_block) or exists (select from player) as used`
  if (found[0].used && !replace) {
    throw new DatabaseSetupError(
      'this schema has a world already: import into another schema, or replace it with --replace',
    )
  }
  for (const table of [
    'login_token',
    'device_link',
    // Each world signs with its own key.
    'proof_key',
    ...Object.keys(TABLES).reverse(),
    // Never exported: it would be the larger part of the file.
    'public_step',
    'snapshot_part',
    'snapshot_chunk',
    'snapshot',
    'journal',
    'journal_block',
  ]) {
    await tx`delete from ${tx(table)}`
  }
}

const kibOf = ({ endsAt, fileBytes }: Frame): [number, number] => [
  Math.ceil(endsAt / 1024),
  Math.ceil(fileBytes / 1024),
]

interface ImportState {
  header?: Header
  snapshot?: SnapshotFrame
  previous: Uint8Array
  journalRows: number
  lastBatch: number
  readonly rows: Record<string, number>
}

async function importInside(tx: Tx, path: string, options: ImportOptions): Promise<TransferResult> {
  const state: ImportState = { previous: new Uint8Array(), journalRows: 0, lastBatch: 0, rows: {} }
  for await (const frame of readExport(path)) {
    await importFrame(tx, state, frame)
    options.onProgress?.('KiB of the export read', ...kibOf(frame))
  }
  const { header, snapshot } = state
  if (!header || !snapshot || state.lastBatch !== header.headBatch) {
    throw new StorageDamageError('export', state.lastBatch, `${path} does not hold a whole world`)
  }
  const missing = await tx`
    select 1 from snapshot_part p where not exists (
      select 1 from snapshot_chunk c where c.sha256 = p.sha256) limit 1`
  if (missing.length > 0) {
    throw new StorageDamageError('export', state.lastBatch, `${path} lacks a chunk`)
  }
  await tx`
    update world set seed = ${header.seed}, head_batch = ${header.headBatch},
      head_checksum = ${header.headChecksum ?? state.previous},
      -- another history: nodes and caches of the former one must not take it for theirs
      id_marks = ${header.idMarks ? JSON.stringify(header.idMarks) : null}::text::json,
      epoch = default`
  await tx`update projection set batch = ${header.projected ?? header.headBatch}`
  await tx`
    select setval('incarnation', greatest(last_value, ${header.incarnation ?? 0}::bigint))
    from incarnation`
  const { past, headBatch } = header
  if (past) await cutSums(tx, { batch: headBatch, ...past })
  for (const table of NUMBERED) {
    await tx`
      select setval(pg_get_serial_sequence(${table}, 'id'),
        (select coalesce(max(id), 0) + 1 from ${tx(table)}), false)`
  }
  return {
    batch: header.headBatch,
    snapshotBatch: snapshot.row.batch,
    journalRows: state.journalRows,
    rows: state.rows,
    bytes: 0,
  }
}

async function importFrame(tx: Tx, state: ImportState, { kind, value }: Frame): Promise<void> {
  if (kind === 'header') state.header = value as Header
  else if (kind === 'snapshot') await importSnapshot(tx, state, value as SnapshotFrame)
  else if (kind === 'chunk') await importChunk(tx, state, value as StoredChunk)
  else if (kind === 'journal') await importJournal(tx, state, value as EncodedRow[])
  else if (kind === 'rows') await importRows(tx, state, value as RowsFrame)
}

async function importSnapshot(tx: Tx, state: ImportState, frame: SnapshotFrame): Promise<void> {
  const { row, layout, chain, seal, chunks } = frame
  if (!sealOf(layout, chain, chunks).equals(seal) || unpackManifest(layout).batch !== row.batch) {
    throw new StorageDamageError('export', row.batch, 'the snapshot in the export is damaged')
  }
  const made = await tx<{ id: number }[]>`
    insert into snapshot (batch, tick, seed, rules_version, hash, chain, layout, sha256, raw_bytes,
      complete)
    values (${row.batch}, ${row.tick}, ${row.seed}, ${row.rulesVersion}, ${row.hash}, ${chain},
      ${layout}, ${seal}, ${row.rawBytes}, true)
    returning id`
  for (const [place, name] of chunks.entries()) {
    await tx`
      insert into snapshot_part (snapshot_id, place, sha256)
      values (${made[0].id}, ${place}, ${name})`
  }
  state.snapshot = frame
  state.previous = chain
  state.lastBatch = row.batch
}

async function importChunk(tx: Tx, state: ImportState, chunk: StoredChunk): Promise<void> {
  checkedChunk(chunk, state.lastBatch)
  await tx`
    insert into snapshot_chunk (sha256, raw_bytes, bytes)
    values (${chunk.sha256}, ${chunk.raw_bytes}, ${chunk.bytes})
    on conflict do nothing`
}

async function importJournal(
  tx: Tx,
  state: ImportState,
  rows: readonly EncodedRow[],
): Promise<void> {
  for (const row of rows) {
    decodeJournalRow(row, state.previous)
    await tx`
      insert into journal (batch, tick, part, rules_version, wall_ms, body, hash, checksum)
      values (${row.batch}, ${row.tick}, ${row.part}, ${row.rulesVersion}, ${row.wallMs},
        ${row.body}, ${row.hash}, ${row.checksum})`
    state.previous = row.checksum
    state.lastBatch = row.batch
    state.journalRows++
  }
}

async function importRows(tx: Tx, state: ImportState, frame: RowsFrame): Promise<void> {
  const types = TABLES[frame.table]
  if (!types || frame.columns.some((column) => types[column] === undefined)) {
    throw new StorageDamageError('export', 0, `the export has a table ${frame.table} unknown here`)
  }
  const { columns, rows } = frame
  const targets = columns.join(', ')
  const values = columns.map((column) => `${column}::${types[column]}`).join(', ')
  const sources = columns.map((_, index) => `$${index + 1}::text[]`).join(', ')
  const parameters = columns.map((_, index) => arrayLiteral(rows.map((row) => row[index])))
  await tx.unsafe(
    `insert into ${frame.table} (${targets}) select ${values}
      from unnest(${sources}) as row (${targets})`,
    parameters,
  )
  state.rows[frame.table] = (state.rows[frame.table] ?? 0) + rows.length
}
