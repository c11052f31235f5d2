/**
 * A journal row as bytes: the packing of its body and the chain of checksums. Pure, so that every
 * implementation of BatchStore writes the same bytes.
 */
import { createHash } from 'node:crypto'
import { Packr } from 'msgpackr'
import type { JournalRow } from '../core/ports.ts'
import type { JournalInput } from '../core/types.ts'
import { StorageDamageError } from './errors.ts'

/**
 * A row as stored: numbers and text beside the packed body, and the checksum of the chain up to it.
 */
export interface EncodedRow {
  readonly batch: number
  readonly tick: number
  readonly part: number
  readonly rulesVersion: number
  readonly wallMs: number
  readonly body: Uint8Array
  readonly hash: string | null
  readonly checksum: Uint8Array
}

interface Body {
  readonly inputs: readonly JournalInput[]
  readonly archived: JournalRow['archived']
}

/** Checksum before the first row. */
export const CHAIN_START: Uint8Array = new Uint8Array(32)

const packr = new Packr({ useRecords: false, variableMapSize: true })

/** Returns an input without the secret of its submission. */
function journalled(input: JournalInput & { readonly secret?: unknown }): JournalInput {
  const { secret: _, ...kept } = input
  return kept
}

/**
 * Returns SHA-256 over the previous checksum and the whole row; the fields are text, each followed
 * by a bar.
 */
export function checksumOf(row: Omit<EncodedRow, 'checksum'>, previous: Uint8Array): Uint8Array {
  const { batch, tick, part, rulesVersion, wallMs, hash } = row
  return createHash('sha256')
    .update(previous)
    .update(`${batch}|${tick}|${part}|${rulesVersion}|${wallMs}|${hash ?? '-'}|`)
    .update(row.body)
    .digest()
}

/** Packs a row that follows the one whose checksum is given. */
export function encodeJournalRow(row: JournalRow, previous: Uint8Array): EncodedRow {
  const { batch, tick, part, rulesVersion, wallMs, hash } = row
  const body: Body = { inputs: row.inputs.map(journalled), archived: row.archived }
  // A copy, since the packer returns views of a buffer that it reuses.
  const bytes = Uint8Array.from(packr.pack(body))
  const encoded = { batch, tick, part, rulesVersion, wallMs, body: bytes, hash }
  return { ...encoded, checksum: checksumOf(encoded, previous) }
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && Buffer.compare(a, b) === 0

/** Unpacks a row; throws StorageDamageError if it is not the row written after `previous`. */
export function decodeJournalRow(encoded: EncodedRow, previous: Uint8Array): JournalRow {
  if (!sameBytes(checksumOf(encoded, previous), encoded.checksum)) {
    throw new StorageDamageError(
      'journal',
      encoded.batch,
      `journal row ${encoded.batch} (tick ${encoded.tick}) is damaged, or one before it is missing`,
    )
  }
  const { batch, tick, part, rulesVersion, wallMs, hash } = encoded
  const body = packr.unpack(encoded.body) as Body
  return { batch, tick, part, rulesVersion, wallMs, hash, ...body }
}

/** A row as the driver returns it. */
export interface StoredRow extends Omit<EncodedRow, 'rulesVersion' | 'wallMs'> {
  readonly rules_version: number
  readonly wall_ms: number
}

export const encodedOf = (row: StoredRow): EncodedRow => ({
  batch: row.batch,
  tick: row.tick,
  part: row.part,
  rulesVersion: row.rules_version,
  wallMs: row.wall_ms,
  body: row.body,
  hash: row.hash,
  checksum: row.checksum,
})
