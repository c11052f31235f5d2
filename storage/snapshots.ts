/**
 * Snapshots as rows: saving, listing, and loading with every byte checked; keeping.ts deletes them.
 * Chunks are stored once by content. Used by the packer thread, by the start of the world and by
 * the tools. Compression is synchronous: the packer thread has a low priority, which the thread
 * pool of the asynchronous form would not have.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { WorldImage } from '../core/ports.ts'
import { byteaArrayLiteral, hexLiteral, type Sql, sleep, type Tx } from './db.ts'
import { DatabaseSetupError, StorageDamageError } from './errors.ts'
import {
  chunksOf,
  createPartReader,
  type Manifest,
  type PackedImage,
  packManifest,
  sealOf,
  sha256,
  unpackManifest,
} from './snapshot-format.ts'
import type { StoreLog } from './store-log.ts'

export interface SnapshotRow {
  readonly id: number
  readonly batch: number
  readonly tick: number
  readonly seed: number
  readonly rulesVersion: number
  readonly hash: string
  readonly rawBytes: number
  readonly createdAt: Date
}

interface SaveResult {
  readonly id: number
  readonly chunks: number
  /** Number of chunks that no earlier snapshot had. */
  readonly newChunks: number
}

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
/** Chunks that are looked up, compressed and stored together: at most 4 MiB of raw bytes. */
const CHUNKS_A_STEP = 16
const JOURNAL_WAIT_MS = 30_000
const JOURNAL_POLL_MS = 50

/**
 * Stores a packed image; resolves when it is complete and its batch is durable in the journal.
 */
export async function saveSnapshot(sql: Sql, packed: PackedImage): Promise<SaveResult> {
  const { manifest } = packed
  const layout = packManifest(manifest)
  const names: Buffer[] = []
  const id = await openSnapshot(sql, manifest, layout)
  let newChunks = 0
  let unsaved: { name: Buffer; bytes: Uint8Array }[] = []
  for (const bytes of chunksOf(packed)) {
    const name = sha256(bytes)
    names.push(name)
    unsaved.push({ name, bytes })
    if (unsaved.length === CHUNKS_A_STEP) {
      newChunks += await storeChunks(sql, id, names.length - unsaved.length, unsaved)
      unsaved = []
    }
  }
  newChunks += await storeChunks(sql, id, names.length - unsaved.length, unsaved)
  await waitForBatch(sql, manifest.batch)
  await sql.begin(async (tx) => completeSnapshot(tx, { id, manifest, layout, names }))
  return { id, chunks: names.length, newChunks }
}

async function openSnapshot(sql: Sql, manifest: Manifest, layout: Uint8Array): Promise<number> {
  const rawBytes = manifest.parts.reduce((sum, length) => sum + length, 0)
  const rows = await sql<{ id: number }[]>`
    insert into snapshot (batch, tick, seed, rules_version, hash, chain, layout, sha256, raw_bytes)
    values (${manifest.batch}, ${manifest.tick}, ${manifest.seed}, ${manifest.rulesVersion},
      ${manifest.hash}, ''::bytea, ${layout}, ''::bytea, ${rawBytes})
    returning id`
  return rows[0].id
}

/** Stores the list of chunks before the chunks, so that a concurrent prune sees them in use. */
async function storeChunks(
  sql: Sql,
  id: number,
  place: number,
  chunks: readonly { readonly name: Buffer; readonly bytes: Uint8Array }[],
): Promise<number> {
  if (chunks.length === 0) return 0
  const names = byteaArrayLiteral(chunks.map((chunk) => chunk.name))
  await sql`
    insert into snapshot_part (snapshot_id, place, sha256)
    select ${id}::bigint, ${place}::int + place - 1, sha256
    from unnest(${names}::bytea[]) with ordinality as part (sha256, place)`
  const known = await sql<{ sha256: Buffer }[]>`
    select sha256 from snapshot_chunk where sha256 = any(${names}::bytea[])`
  const stored = new Set(known.map((row) => row.sha256.toString('hex')))
  let added = 0
  for (const { name, bytes } of chunks) {
    if (stored.has(name.toString('hex'))) continue
    stored.add(name.toString('hex'))
    const chunk = storedChunk(name, bytes)
    await sql`
      insert into snapshot_chunk (sha256, raw_bytes, bytes)
      values (${name}, ${chunk.raw_bytes}, ${chunk.bytes}) on conflict do nothing`
    added++
  }
  return added
}

/**
 * Waits until a batch is durable and archived: a snapshot ahead of the journal could not be
 * continued, and one ahead of the archive would leave a gap in it.
 */
async function waitForBatch(sql: Sql, batch: number): Promise<void> {
  const end = performance.now() + JOURNAL_WAIT_MS
  for (;;) {
    const rows = await sql<{ batch: number }[]>`
      select least(world.head_batch, projection.batch) as batch from world, projection`
    if (rows[0].batch >= batch) return
    if (performance.now() > end) {
      throw new Error(
        `the snapshot of batch ${batch} is ahead of what is stored (${rows[0].batch})`,
      )
    }
    await sleep(JOURNAL_POLL_MS)
  }
}

interface Completion {
  readonly id: number
  readonly manifest: Manifest
  readonly layout: Uint8Array
  readonly names: readonly Buffer[]
}

async function completeSnapshot(
  tx: Tx,
  { id, manifest, layout, names }: Completion,
): Promise<void> {
  await lockSnapshots(tx)
  const missing = await tx`
    select 1 from snapshot_part p where snapshot_id = ${id} and not exists (
      select 1 from snapshot_chunk c where c.sha256 = p.sha256) limit 1`
  if (missing.length > 0) throw new Error('a chunk of the snapshot was pruned while it was saved')
  const chains = await tx<{ checksum: Buffer }[]>`
    select checksum from journal where batch = ${manifest.batch}
    union all
    (select chain as checksum from snapshot where batch = ${manifest.batch} and complete limit 1)
    union all
    select head_checksum as checksum from world where head_batch = ${manifest.batch}`
  if (chains.length === 0) throw new Error(`the journal does not know batch ${manifest.batch}`)
  const chain = chains[0].checksum
  await tx`
    update snapshot set chain = ${chain}, sha256 = ${sealOf(layout, chain, names)}, complete = true
    where id = ${id}`
}

/**
 * Locks snapshots, so that a prune does not delete chunks of a snapshot that is being completed.
 */
export const lockSnapshots = async (tx: Tx): Promise<void> => {
  await tx`
    select pg_advisory_xact_lock(
      hashtextextended('orrery snapshots:' || current_schema(), 0))`
}

const rowFields = (sql: Sql) => sql`
  id, batch, tick, seed, rules_version as "rulesVersion", hash, raw_bytes as "rawBytes",
  created_at as "createdAt"`

/** Lists complete snapshots, newest first. */
export async function listSnapshots(sql: Sql): Promise<SnapshotRow[]> {
  return sql<SnapshotRow[]>`
    select ${rowFields(sql)} from snapshot where complete order by batch desc, id desc`
}

/**
 * Finds a complete snapshot by batch, or the newest; throws DatabaseSetupError if there is none.
 */
export async function findSnapshot(sql: Sql, batch?: number): Promise<SnapshotRow> {
  const rows = await listSnapshots(sql)
  const found = batch === undefined ? rows[0] : rows.find((row) => row.batch === batch)
  if (found) return found
  if (batch === undefined) throw new DatabaseSetupError('there is no snapshot yet')
  throw new DatabaseSetupError(
    `there is no snapshot of batch ${batch}: "npx orrery snapshot list" names those that are kept`,
  )
}

interface SnapshotHead {
  readonly row: SnapshotRow
  readonly manifest: Manifest
  readonly chain: Buffer
  readonly layout: Buffer
  readonly seal: Buffer
  /** Names of the chunks, in order. */
  readonly chunks: readonly Buffer[]
}

const damageError = (batch: number, problem: string): StorageDamageError =>
  new StorageDamageError('snapshot', batch, `the snapshot of batch ${batch} is damaged: ${problem}`)

/** Reads a snapshot's row and manifest and checks its seal; throws StorageDamageError. */
export async function readSnapshotHead(sql: Sql, id: number): Promise<SnapshotHead> {
  const rows = await sql<(SnapshotRow & { chain: Buffer; layout: Buffer; seal: Buffer })[]>`
    select ${rowFields(sql)}, chain, layout, sha256 as seal from snapshot where id = ${id}`
  if (rows.length === 0) throw new Error(`there is no snapshot ${id}`)
  const { chain, layout, seal, ...row } = rows[0]
  const parts = await sql<{ sha256: Buffer }[]>`
    select sha256 from snapshot_part where snapshot_id = ${id} order by place`
  const chunks = parts.map((part) => part.sha256)
  if (!sealOf(layout, chain, chunks).equals(seal))
    throw damageError(row.batch, 'its seal is broken')
  const manifest = unpackManifest(layout)
  for (const name of ['batch', 'tick', 'seed', 'rulesVersion', 'hash'] as const) {
    if (manifest[name] !== row[name])
      throw damageError(row.batch, `${name} differs from its manifest`)
  }
  return { row, manifest, chain, layout, seal, chunks }
}

export interface StoredChunk {
  readonly sha256: Buffer
  readonly raw_bytes: number
  readonly bytes: Buffer
}

/** Returns a chunk in its stored form. */
export const storedChunk = (name: Buffer, raw: Uint8Array): StoredChunk => ({
  sha256: name,
  raw_bytes: raw.length,
  bytes: brotliCompressSync(raw, QUALITY),
})

/** Returns a stored chunk's raw bytes, or undefined if they do not match its name. */
export function decompressChunk(chunk: StoredChunk): Uint8Array | undefined {
  let raw: Uint8Array
  try {
    raw = brotliDecompressSync(chunk.bytes, { maxOutputLength: Math.max(chunk.raw_bytes, 1) })
  } catch {
    return undefined
  }
  return raw.length === chunk.raw_bytes && sha256(raw).equals(chunk.sha256) ? raw : undefined
}

/** Reads stored chunks by name; missing ones are left out. */
export async function readChunks(
  sql: Sql,
  names: readonly Uint8Array[],
): Promise<Map<string, StoredChunk>> {
  const rows = await sql<StoredChunk[]>`
    select sha256, raw_bytes, bytes from snapshot_chunk
    where sha256 = any(${byteaArrayLiteral(names)}::bytea[])`
  return new Map(rows.map((row) => [hexLiteral(row.sha256), row]))
}

interface LoadOptions {
  /**
   * Deletes chunks that do not match their name, so that the next snapshot stores them again.
   */
  readonly repair?: boolean
  readonly onProgress?: (done: number, all: number) => void
}

/** Loads a snapshot, checking every chunk; throws StorageDamageError. */
export async function loadSnapshot(
  sql: Sql,
  id: number,
  options: LoadOptions = {},
): Promise<WorldImage> {
  const { row, manifest, chunks } = await readSnapshotHead(sql, id)
  const reader = createPartReader(manifest)
  for (let start = 0; start < chunks.length; start += CHUNKS_A_STEP) {
    const names = chunks.slice(start, start + CHUNKS_A_STEP)
    const stored = await readChunks(sql, names)
    for (const name of names) {
      const chunk = stored.get(hexLiteral(name))
      if (!chunk) throw damageError(row.batch, 'a chunk is missing')
      const raw = decompressChunk(chunk)
      if (!raw) {
        if (options.repair) await sql`delete from snapshot_chunk where sha256 = ${name}`
        throw damageError(row.batch, 'a chunk is not what was written')
      }
      reader.add(raw)
    }
    options.onProgress?.(Math.min(start + CHUNKS_A_STEP, chunks.length), chunks.length)
  }
  return reader.finish()
}

/**
 * Loads the newest intact snapshot, up to the batch `upTo` if one is that old; damaged ones are
 * logged and skipped. Undefined if the world is new.
 */
export async function loadLatest(
  sql: Sql,
  options: LoadOptions & { readonly log: StoreLog; readonly upTo?: number },
): Promise<WorldImage | undefined> {
  const { upTo = Number.MAX_SAFE_INTEGER } = options
  const all = await listSnapshots(sql)
  const old = all.filter(({ batch }) => batch <= upTo)
  const rows = old.length > 0 ? old : all
  let broken: StorageDamageError | undefined
  for (const row of rows) {
    try {
      return await loadSnapshot(sql, row.id, options)
    } catch (error) {
      if (!(error instanceof StorageDamageError)) throw error
      options.log('error', { batch: row.batch, snapshot: row.id }, error.message)
      broken = error
    }
  }
  if (broken) throw broken
  return undefined
}
