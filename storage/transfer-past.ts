/** Exports a world as it was at a past moment, for the operators' tools. */
import type { JournalRow } from '../core/ports.ts'
import type { JournalInput } from '../core/types.ts'
import type { Sql } from './db.ts'
import { checksumOfBatch } from './journal-blocks.ts'
import { sealOfProofs } from './proofs.ts'
import { chunksOf, type PackedImage, packManifest, sealOf, sha256 } from './snapshot-format.ts'
import { storedChunk } from './snapshots.ts'
import type { Progress } from './store-log.ts'
import { exportJournal, type Header, type SnapshotFrame, type TransferResult } from './transfer.ts'
import { createExport } from './transfer-file.ts'
import { exportTable } from './transfer-rows.ts'
import { TABLES } from './transfer-tables.ts'

/** The end of an export of the past. */
interface PastEnd {
  readonly batch: number
  readonly tick: number
  readonly wallMs: number
}

interface PastOptions {
  /** Exports the journal up to this end; absent: no journal, the world ends at its image. */
  readonly end?: PastEnd
  /** Leaves out credentials and personal data: see `ANONYMOUS`. */
  readonly isAnonymous?: boolean
  readonly onProgress?: Progress
}

/**
 * Replacements for columns of players in an anonymous export, and the tables it leaves out.
 * Password hashes become hashes of 244 random bits that nobody knows.
 */
const ANONYMOUS: Readonly<Record<string, string>> = {
  password_hash: "sha256(convert_to(gen_random_uuid()::text || gen_random_uuid(), 'UTF8'))",
  account_id: 'null',
  claimed_at: 'null',
  last_login_at: 'null',
}
const PERSONAL: ReadonlySet<string> = new Set(['account', 'api_key'])
const REGISTER = 'internal:register'

/** Removes from the input of a registration the fields of its account, which no rule reads. */
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
 * Writes a world as it was after a batch to one file. Archive rows later than its end are left out;
 * accounts are the current ones.
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
      // Missing archive rows follow from the journal rows when they are replayed.
      projected: Math.max(batch, Math.min(archived, last.batch)),
      incarnation,
      exportedAt: new Date().toISOString(),
      past: { tick: last.tick, wallMs: last.wallMs },
      // With the seal, guesses at inputs of players could be verified.
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
