/** A world as it was, for the operators' tools: as an export of its own. */
import type { JournalRow } from '../core/ports.ts'
import type { JournalInput } from '../core/types.ts'
import type { Sql } from './db.ts'
import { checksumOfBatch } from './journal-blocks.ts'
import { sealOfProofs } from './proofs.ts'
import { chunksOf, type PackedImage, packManifest, sealOf, sha256 } from './snapshot-format.ts'
import { storedChunk } from './snapshots.ts'
import type { Progress } from './store-log.ts'
import {
  exportJournal,
  exportTable,
  type Header,
  type SnapshotFrame,
  type TransferResult,
} from './transfer.ts'
import { createExport } from './transfer-file.ts'
import { TABLES } from './transfer-tables.ts'

/** Where an export of the past ends. */
interface PastEnd {
  readonly batch: number
  readonly tick: number
  readonly wallMs: number
}

interface PastOptions {
  /** The journal up to there follows; absent: there is none, the world ends at its image. */
  readonly end?: PastEnd
  /** Leaves out what logs anybody in, or names a person: see `ANONYMOUS`. */
  readonly isAnonymous?: boolean
  readonly onProgress?: Progress
}

/**
 * What an anonymous export has in place of columns of players, and the tables it leaves out.
 * Passwords become 244 random bits that nobody knows the text of.
 */
const ANONYMOUS: Readonly<Record<string, string>> = {
  password_hash: "sha256(convert_to(gen_random_uuid()::text || gen_random_uuid(), 'UTF8'))",
  account_id: 'null',
  claimed_at: 'null',
  last_login_at: 'null',
}
const PERSONAL: ReadonlySet<string> = new Set(['account', 'api_key'])
const REGISTER = 'internal:register'

/** Returns an input without what names the account of who registers: no rule reads that. */
export function anonymousInput(input: JournalInput): JournalInput {
  if (input.command !== REGISTER) return input
  const { code: _, accountId: __, ...params } = input.params
  return { ...input, params }
}

const anonymousRow = (row: JournalRow): JournalRow => ({
  ...row,
  inputs: row.inputs.map(anonymousInput),
})

/**
 * Writes a world as it was after a batch to one file. Of the archive, rows later than its end are
 * left out; accounts are those of today.
 */
export async function exportPast(
  sql: Sql,
  path: string,
  packed: PackedImage,
  { end, isAnonymous = false, onProgress }: PastOptions = {},
): Promise<TransferResult> {
  const { manifest } = packed
  const { batch, tick, seed, rulesVersion, hash, wallMs } = manifest
  const last = end ?? { batch, tick, wallMs }
  const chain = await checksumOfBatch(sql, batch)
  const headChecksum = await checksumOfBatch(sql, last.batch)
  const [{ incarnation, archived }] = await sql<{ incarnation: number; archived: number }[]>`
    select last_value as incarnation, projection.batch as archived from incarnation, projection`
  const layout = packManifest(manifest)
  const pieces = [...chunksOf(packed)]
  const chunks = pieces.map((bytes) => sha256(bytes))
  const seal = sealOf(layout, chain, chunks)
  const rawBytes = manifest.parts.reduce((sum, length) => sum + length, 0)
  const row = { batch, tick, seed, rulesVersion, hash, rawBytes }
  const file = await createExport(path)
  try {
    await file.add('header', {
      seed,
      headBatch: last.batch,
      ...(isAnonymous ? {} : { headChecksum }),
      // What the archive lacks follows from the rows when they are replayed.
      projected: Math.max(batch, Math.min(archived, last.batch)),
      incarnation,
      exportedAt: new Date().toISOString(),
      past: { tick: last.tick, wallMs: last.wallMs },
      // With the seal one could try guesses at what players sent.
      ...(isAnonymous ? {} : await sealOfProofs(sql)),
    } satisfies Header)
    await file.add('snapshot', { row, layout, chain, seal, chunks } satisfies SnapshotFrame)
    for (const [index, bytes] of pieces.entries()) {
      await file.add('chunk', storedChunk(chunks[index], bytes))
      onProgress?.('chunks written', index + 1, pieces.length)
    }
    const journal = await exportJournal(sql, file, {
      chain,
      batch,
      upTo: last.batch,
      ...(isAnonymous ? { change: anonymousRow } : {}),
      onProgress,
    })
    const rows: Record<string, number> = {}
    for (const table of Object.keys(TABLES)) {
      if (isAnonymous && PERSONAL.has(table)) continue
      const instead = isAnonymous && table === 'player' ? ANONYMOUS : {}
      rows[table] = await exportTable(sql, file, { table, upTo: last.batch, instead, onProgress })
    }
    const bytes = await file.finish()
    const { rows: journalRows } = journal
    return { batch: last.batch, snapshotBatch: batch, journalRows, rows, bytes }
  } catch (error) {
    await file.abandon().catch(() => {})
    throw error
  }
}
