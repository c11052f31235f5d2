/**
 * The older part of the journal: rows before the newest snapshots, compressed in blocks. A block
 * ends at a snapshot, so that truncating the journal at one never splits a block, and has rows of
 * one rules version. `journalPage` reads both parts.
 */
import { promisify } from 'node:util'
import { brotliCompressSync, brotliDecompress, brotliDecompressSync, constants } from 'node:zlib'
import { Packr } from 'msgpackr'
import type { Queryable, Sql } from './db.ts'
import { StorageDamageError } from './errors.ts'
import {
  CHAIN_START,
  checksumOf,
  type EncodedRow,
  encodedOf,
  type StoredRow,
  sameBytes,
} from './journal-row.ts'
import { lockSnapshots } from './snapshots.ts'

/** ours: 30 ticks with 1,000 inputs each, compressed in a third of a second. */
const BLOCK_RAW_BYTES = 4 * 1024 * 1024
const BLOCK_ROWS = 1_000
const PAGE_ROWS = 200
/** ours: above 5 the time doubles for a gain of a few per cent. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const packr = new Packr({ useRecords: false, variableMapSize: true })

type PackedRow = readonly [
  batch: number,
  tick: number,
  part: number,
  wallMs: number,
  hash: string | null,
  body: Uint8Array,
]

interface StoredBlock {
  readonly first_batch: number
  readonly rules_version: number
  readonly before: Uint8Array
  readonly checksum: Uint8Array
  readonly raw_bytes: number
  readonly body: Uint8Array
}

const decompressAsync = promisify(brotliDecompress)

const boundOf = ({ raw_bytes }: StoredBlock) => ({ maxOutputLength: Math.max(raw_bytes, 1) })

/** Unpacks a block into its rows; throws StorageDamageError. */
function unpackBlock(block: StoredBlock): EncodedRow[] {
  let raw: Uint8Array
  try {
    raw = brotliDecompressSync(block.body, boundOf(block))
  } catch {
    throw damageError(block.first_batch)
  }
  return unpackRows(block, raw)
}

function unpackRows(block: StoredBlock, raw: Uint8Array): EncodedRow[] {
  let packed: readonly PackedRow[]
  try {
    packed = packr.unpack(raw) as PackedRow[]
  } catch {
    throw damageError(block.first_batch)
  }
  let checksum = block.before
  const rows = packed.map(([batch, tick, part, wallMs, hash, body]): EncodedRow => {
    const row = { batch, tick, part, rulesVersion: block.rules_version, wallMs, body, hash }
    checksum = checksumOf(row, checksum)
    return { ...row, checksum }
  })
  if (!sameBytes(checksum, block.checksum)) throw damageError(block.first_batch)
  return rows
}

const damageError = (batch: number): StorageDamageError =>
  new StorageDamageError(
    'journal',
    batch,
    `the journal rows from batch ${batch} on are damaged, or one of them is missing`,
  )

/** Returns the checksum of a batch's journal row, where the chain continues, if it is known. */
export async function chainAt(sql: Queryable, batch: number): Promise<Uint8Array | undefined> {
  const rows = await sql<{ checksum: Uint8Array }[]>`
    select checksum from journal where batch = ${batch}
    union all
    select checksum from journal_block where last_batch = ${batch}
    union all
    select before as checksum from journal_block where first_batch = ${batch + 1}
    union all
    (select chain as checksum from snapshot where batch = ${batch} and complete limit 1)
    union all
    select head_checksum as checksum from world where head_batch = ${batch}`
  if (rows.some((row) => !sameBytes(row.checksum, rows[0].checksum))) {
    throw new StorageDamageError('journal', batch, `two chains of checksums meet at batch ${batch}`)
  }
  if (rows.length === 0 && batch === 0) return CHAIN_START
  return rows[0]?.checksum
}

/** Returns the rows of one block that follow a batch; none if those are not compressed. */
async function blockPage(sql: Queryable, after: number): Promise<EncodedRow[]> {
  const blocks = await sql<StoredBlock[]>`
    select first_batch, rules_version, before, checksum, raw_bytes, body from journal_block
    where last_batch > ${after} order by last_batch limit 1`
  const [block] = blocks
  if (!block || block.first_batch > after + 1) return []
  return unpackBlock(block).filter(({ batch }) => batch > after)
}

interface Head {
  readonly batch: number
  readonly checksum: Uint8Array
}

interface JournalPage {
  /** Rows as stored; the caller checks the chain. */
  readonly rows: readonly EncodedRow[]
  /** The last batch at the time of the read; undefined for compressed rows. */
  readonly head?: Head | undefined
}

/**
 * Reads the next uncompressed rows and the head of the world in one statement, which sees one state
 * of the database, so that rows and head are consistent beside a running writer.
 */
async function openPage(sql: Queryable, after: number): Promise<JournalPage> {
  type Found = StoredRow & { readonly head_batch: number; readonly head_checksum: Uint8Array }
  const found = await sql<Found[]>`
    select page.*, head_batch, head_checksum
    from world left join lateral (
      select batch, tick, part, rules_version, wall_ms, body, hash, checksum
      from journal where batch > ${after} order by batch limit ${PAGE_ROWS}
    ) as page on true
    order by page.batch`
  const [first] = found
  return {
    // If the journal has no more rows, the head is in a row of its own.
    rows: found.filter(({ checksum }) => checksum !== null).map(encodedOf),
    head: first && { batch: first.head_batch, checksum: first.head_checksum },
  }
}

/**
 * Returns the next journal rows after a batch, compressed or not; an empty page is the end. Throws
 * StorageDamageError.
 */
export async function journalPage(sql: Queryable, after: number): Promise<JournalPage> {
  const archived = await blockPage(sql, after)
  if (archived.length > 0) return { rows: archived }
  const page = await openPage(sql, after)
  // A gap: the rows were compressed between the two statements.
  if (page.rows.length > 0 && page.rows[0].batch > after + 1) {
    const moved = await blockPage(sql, after)
    if (moved.length > 0) return { rows: moved }
  }
  return page
}

/** Returns the checksum of any batch's journal row; throws StorageDamageError if it is missing. */
export async function checksumOfBatch(sql: Queryable, batch: number): Promise<Uint8Array> {
  const known = await chainAt(sql, batch)
  if (known) return known
  const [row] = (await journalPage(sql, batch - 1)).rows
  if (row?.batch === batch) return row.checksum
  throw new StorageDamageError('journal', batch, `the journal does not know batch ${batch}`)
}

/** The row of a tick without its inputs, and nearby ticks whose rows have a state hash. */
interface TickRow extends Pick<EncodedRow, 'batch' | 'tick' | 'rulesVersion' | 'checksum'> {
  readonly hash: string | null
  readonly hashedTicks: readonly number[]
}

const HASHED_TICKS = 2

/** Returns the row of a tick, compressed or not; undefined if the journal no longer has it. */
export async function rowOfTick(sql: Sql, tick: number): Promise<TickRow | undefined> {
  const [open] = await sql<(TickRow & { earlier: number | null; later: number | null })[]>`
    select batch, tick, rules_version as "rulesVersion", checksum, hash,
      (select max(tick) from journal where tick <= ${tick} and part = 0 and hash is not null)
        as earlier,
      (select min(tick) from journal where tick > ${tick} and part = 0 and hash is not null)
        as later
    from journal where tick = ${tick} and part = 0`
  if (open) {
    const { earlier, later, ...row } = open
    return { ...row, hashedTicks: [earlier, later].filter((tick) => tick !== null) }
  }
  // A block may end between a tick and the immediates after it.
  const blocks = await sql<StoredBlock[]>`
    select first_batch, rules_version, before, checksum, raw_bytes, body from journal_block
    where last_tick >= ${tick} and first_tick <= ${tick} order by last_tick limit 2`
  for (const block of blocks) {
    const raw = await decompressAsync(block.body, boundOf(block)).catch(() => {
      throw damageError(block.first_batch)
    })
    const ticks = unpackRows(block, raw).filter(({ part }) => part === 0)
    const found = ticks.find((row) => row.tick === tick)
    if (!found) continue
    const hashed = ticks.filter(({ hash }) => hash !== null).map((row) => row.tick)
    const near = hashed.sort((a, b) => Math.abs(a - tick) - Math.abs(b - tick))
    return { ...found, hashedTicks: near.slice(0, HASHED_TICKS) }
  }
  return undefined
}

/** Returns the rows for one block: of one rules version, up to the batch of a snapshot. */
async function rowsOfBlock(
  sql: Sql,
  upTo: number,
  ends: ReadonlySet<number>,
): Promise<readonly StoredRow[]> {
  const rows = await sql<StoredRow[]>`
    select batch, tick, part, rules_version, wall_ms, body, hash, checksum from (
      select first.*, sum(length(body)) over (order by batch) - length(body) as ahead from (
        select * from journal where batch <= ${upTo} order by batch limit ${BLOCK_ROWS}
      ) as first
    ) as summed where ahead < ${BLOCK_RAW_BYTES} order by batch`
  const end = rows.findIndex(
    (row, index) => ends.has(row.batch) || rows[index + 1]?.rules_version !== row.rules_version,
  )
  return rows.slice(0, end + 1)
}

/**
 * Compresses the journal rows up to the batch of a snapshot, one transaction per block: whenever it
 * is interrupted, every row is in one of the two tables. Throws StorageDamageError at damaged rows;
 * those before are compressed by then.
 */
export async function compressJournal(
  sql: Sql,
  upTo: number,
  snapshotBatches: readonly number[],
): Promise<void> {
  const ends = new Set(snapshotBatches)
  for (;;) {
    const rows = await rowsOfBlock(sql, upTo, ends)
    if (rows.length === 0) return
    await storeBlock(sql, rows)
  }
}

/** Compresses rows into the form of a block. */
export function compressRows(rows: readonly EncodedRow[]) {
  const packed = rows.map(
    ({ batch, tick, part, wallMs, hash, body }): PackedRow =>
      [batch, tick, part, wallMs, hash, body] as const,
  )
  const raw = packr.pack(packed)
  return { rawBytes: raw.length, body: brotliCompressSync(raw, QUALITY) }
}

async function storeBlock(sql: Sql, rows: readonly StoredRow[]): Promise<void> {
  const [first, last] = [rows[0], rows[rows.length - 1]]
  const { rawBytes, body } = compressRows(rows.map(encodedOf))
  await sql.begin(async (tx) => {
    // A tool and the server may prune at the same time: skips rows that the other has compressed
    // meanwhile.
    await lockSnapshots(tx)
    const [{ left }] = await tx<{ left: number }[]>`
      select count(*)::int as left from journal
      where batch between ${first.batch} and ${last.batch}`
    if (left < rows.length) return
    const before = await chainAt(tx, first.batch - 1)
    if (!before) throw damageError(first.batch)
    const block: StoredBlock = {
      first_batch: first.batch,
      rules_version: first.rules_version,
      before,
      checksum: last.checksum,
      raw_bytes: rawBytes,
      body,
    }
    // Checks that the rows deleted below can be read from the block.
    unpackBlock(block)
    await tx`
      insert into journal_block (first_batch, last_batch, first_tick, last_tick, rules_version,
        before, checksum, raw_bytes, body)
      values (${first.batch}, ${last.batch}, ${first.tick}, ${last.tick}, ${first.rules_version},
        ${before}, ${last.checksum}, ${rawBytes}, ${body})`
    await tx`delete from journal where batch between ${first.batch} and ${last.batch}`
  })
}
