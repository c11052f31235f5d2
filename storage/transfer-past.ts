/** A world as it was, for the operators' tools: as an export of its own, without a past. */
import type { Sql } from './db.ts'
import { checksumOfBatch } from './journal-blocks.ts'
import { chunksOf, type PackedImage, packManifest, sealOf, sha256 } from './snapshot-format.ts'
import { storedChunk } from './snapshots.ts'
import type { Progress } from './store-log.ts'
import { exportTable, type Header, type SnapshotFrame, type TransferResult } from './transfer.ts'
import { createExport } from './transfer-file.ts'
import { TABLES } from './transfer-tables.ts'

/**
 * Writes a world as it was after a batch to one file, without journal: it goes on from there. Of
 * the archive, later rows are left out; accounts are those of today.
 */
export async function exportPast(
  sql: Sql,
  path: string,
  packed: PackedImage,
  onProgress?: Progress,
): Promise<TransferResult> {
  const { manifest } = packed
  const { batch, tick, seed, rulesVersion, hash, wallMs } = manifest
  const chain = await checksumOfBatch(sql, batch)
  const layout = packManifest(manifest)
  const pieces = [...chunksOf(packed)]
  const chunks = pieces.map((bytes) => sha256(bytes))
  const seal = sealOf(layout, chain, chunks)
  const rawBytes = manifest.parts.reduce((sum, length) => sum + length, 0)
  const row = { batch, tick, seed, rulesVersion, hash, rawBytes }
  const file = await createExport(path)
  try {
    const exportedAt = new Date().toISOString()
    const head = { seed, headBatch: batch, headChecksum: chain, projected: batch, exportedAt }
    await file.add('header', { ...head, past: { tick, wallMs } } satisfies Header)
    await file.add('snapshot', { row, layout, chain, seal, chunks } satisfies SnapshotFrame)
    for (const [index, bytes] of pieces.entries()) {
      await file.add('chunk', storedChunk(chunks[index], bytes))
      onProgress?.('chunks written', index + 1, pieces.length)
    }
    const rows: Record<string, number> = {}
    for (const table of Object.keys(TABLES)) {
      rows[table] = await exportTable(sql, file, { table, upTo: batch, onProgress })
    }
    const bytes = await file.finish()
    return { batch, snapshotBatch: batch, journalRows: 0, rows, bytes }
  } catch (error) {
    await file.abandon().catch(() => {})
    throw error
  }
}
