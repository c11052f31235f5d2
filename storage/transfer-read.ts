/** Reads a world from an export file, without a database. */
import type { JournalRow, WorldImage } from '../core/ports.ts'
import { StorageDamageError } from './errors.ts'
import { decodeJournalRow, type EncodedRow } from './journal-row.ts'
import { createPartReader, sealOf, unpackManifest } from './snapshot-format.ts'
import { decompressChunk, type StoredChunk } from './snapshots.ts'
import type { Progress } from './store-log.ts'
import type { SnapshotFrame } from './transfer.ts'
import { readExport } from './transfer-file.ts'

interface ExportReader {
  /** Called once, with the world at the start of the export. */
  begin(image: WorldImage): Promise<void>
  /** Called with each journal row after it, in order. */
  row(row: JournalRow): Promise<void>
  readonly onProgress?: Progress
}

const nameOf = (sha256: Uint8Array): string => Buffer.from(sha256).toString('hex')

/** Reassembles a snapshot from its chunks; throws StorageDamageError. */
function imageOf(frame: SnapshotFrame, chunks: ReadonlyMap<string, StoredChunk>): WorldImage {
  const damaged = (problem: string): StorageDamageError =>
    new StorageDamageError('export', frame.row.batch, problem)
  if (!sealOf(frame.layout, frame.chain, frame.chunks).equals(frame.seal)) {
    throw damaged('the snapshot in the export is damaged')
  }
  const reader = createPartReader(unpackManifest(frame.layout))
  for (const name of frame.chunks) {
    const chunk = chunks.get(nameOf(name))
    const raw = chunk && decompressChunk(chunk)
    if (!raw) throw damaged('a chunk of the snapshot in the export is missing or damaged')
    reader.add(raw)
  }
  return reader.finish()
}

/** Reads snapshot and journal of an export, every byte checked; throws StorageDamageError. */
export async function readExportedWorld(path: string, reader: ExportReader): Promise<void> {
  const chunks = new Map<string, StoredChunk>()
  let frame: SnapshotFrame | undefined
  let checksum: Uint8Array | undefined
  const begin = async (): Promise<void> => {
    if (checksum) return
    if (!frame) throw new StorageDamageError('export', 0, `${path} does not hold a whole world`)
    checksum = frame.chain
    await reader.begin(imageOf(frame, chunks))
    chunks.clear()
  }
  for await (const { kind, value, endsAt, fileBytes } of readExport(path)) {
    const kib = (bytes: number): number => Math.ceil(bytes / 1024)
    reader.onProgress?.('KiB of the export read', kib(endsAt), kib(fileBytes))
    if (kind === 'snapshot') frame = value as SnapshotFrame
    else if (kind === 'chunk') {
      const chunk = value as StoredChunk
      chunks.set(nameOf(chunk.sha256), chunk)
    } else if (kind === 'journal') {
      await begin()
      for (const row of value as readonly EncodedRow[]) {
        await reader.row(decodeJournalRow(row, checksum as Uint8Array))
        checksum = row.checksum
      }
    } else if (kind === 'rows') break
  }
  await begin()
}
