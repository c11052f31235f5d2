/** Reads an export without a database: header, snapshot and journal, each checked. */
import { StorageDamageError } from './errors.ts'
import type { EncodedRow } from './journal-row.ts'
import { sealOf, unpackManifest } from './snapshot-format.ts'
import { decompressChunk, type StoredChunk } from './snapshots.ts'
import type { Header, SnapshotFrame } from './transfer.ts'
import { readExport } from './transfer-file.ts'

export interface WorldFile {
  readonly header: Header
  readonly snapshot: SnapshotFrame
  /** The journal after the snapshot, as stored; the caller checks the chain. */
  readonly journal: readonly EncodedRow[]
  /** Yields the chunks of the snapshot, in order; throws StorageDamageError. */
  chunks(): Generator<Uint8Array>
}

/** Returns whether the used fields of a header are valid: a file may come from anybody. */
const isHeader = ({ headBatch, proof }: Header): boolean =>
  Number.isSafeInteger(headBatch) &&
  (proof === undefined || (typeof proof.publicKey === 'string' && proof.seal instanceof Uint8Array))

/** Reads a whole export; throws StorageDamageError if it is damaged. */
export async function openWorldFile(
  path: string,
  onProgress?: (doneKib: number, allKib: number) => void,
): Promise<WorldFile> {
  let header: Header | undefined
  let snapshot: SnapshotFrame | undefined
  const stored = new Map<string, StoredChunk>()
  const journal: EncodedRow[] = []
  for await (const { kind, value, endsAt, fileBytes } of readExport(path)) {
    if (kind === 'header') header = value as Header
    else if (kind === 'snapshot') snapshot = value as SnapshotFrame
    else if (kind === 'chunk') {
      const chunk = value as StoredChunk
      stored.set(Buffer.from(chunk.sha256).toString('hex'), chunk)
    } else if (kind === 'journal') for (const row of value as EncodedRow[]) journal.push(row)
    onProgress?.(Math.ceil(endsAt / 1024), Math.ceil(fileBytes / 1024))
  }
  if (!header || !snapshot || !isHeader(header)) {
    throw new StorageDamageError('export', 0, `${path} does not hold a whole world`)
  }
  const { row, layout, chain, seal, chunks } = snapshot
  const damage = (problem: string): StorageDamageError =>
    new StorageDamageError('export', row.batch, `the snapshot in ${path} is damaged: ${problem}`)
  if (!sealOf(layout, chain, chunks).equals(seal) || unpackManifest(layout).batch !== row.batch) {
    throw damage('its seal is broken')
  }
  return {
    header,
    snapshot,
    journal,
    *chunks() {
      for (const name of chunks) {
        const chunk = stored.get(Buffer.from(name).toString('hex'))
        const raw = chunk && decompressChunk(chunk)
        if (!raw) throw damage('a chunk is missing, or not what was written')
        yield raw
      }
    },
  }
}
