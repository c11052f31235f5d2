/** Encoding of bus messages: MessagePack, and journal rows deflated and split into parts. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { Packr } from 'msgpackr'
import type { RowPart } from '../core/bus.ts'
import { ROW_PART_BYTES_MAX } from '../core/limits-cluster.ts'
import {
  hasShape,
  ROW_BYTES_MAX,
  ROW_PART,
  SENT_ROW,
  type SentRow,
  type Shape,
} from './bus-shapes.ts'
import { BusMessageError } from './errors.ts'
import type { EncodedRow } from './journal-row.ts'

const packr = new Packr({ useRecords: false, variableMapSize: true })

/** Packs a message. Copies it, since the packer returns views of a buffer that it reuses. */
export const packMessage = (message: object): Uint8Array => Uint8Array.from(packr.pack(message))

/** Runs a read of received bytes; throws BusMessageError if it fails. */
function readBytes<T>(read: () => T): T {
  try {
    return read()
  } catch {
    throw new BusMessageError()
  }
}

/** Unpacks a message and checks its fields against a shape; throws BusMessageError. */
export function unpackMessage<T extends object>(shape: Shape<T>, bytes: Uint8Array): T {
  const message = readBytes(() => packr.unpack(bytes) as unknown)
  if (!hasShape(shape, message)) throw new BusMessageError()
  return message
}

const LEVEL = { level: 1 }

/** Splits a row into messages; also returns its number of bytes before compression. */
export function splitRow(
  row: EncodedRow,
  durableMs: number,
): { readonly parts: Uint8Array[]; readonly bytes: number } {
  const whole = packMessage({ ...row, durableMs } satisfies SentRow)
  const deflated = deflateRawSync(whole, LEVEL)
  const count = Math.max(1, Math.ceil(deflated.length / ROW_PART_BYTES_MAX))
  const parts = Array.from({ length: count }, (_, part) => {
    const start = part * ROW_PART_BYTES_MAX
    const piece = deflated.subarray(start, start + ROW_PART_BYTES_MAX)
    return packMessage({ batch: row.batch, part, parts: count, bytes: piece } satisfies RowPart)
  })
  return { parts, bytes: whole.length }
}

/**
 * Creates a function that joins the parts of rows as they arrive; a row with missing parts is
 * discarded.
 */
export function createRowJoiner(): (message: Uint8Array) => SentRow | undefined {
  let batch = 0
  let pieces: Uint8Array[] = []
  return (message) => {
    const { bytes, part, parts, batch: of } = unpackMessage(ROW_PART, message)
    if (part === 0) {
      batch = of
      pieces = []
    }
    if (of !== batch || part !== pieces.length) return undefined
    pieces.push(bytes)
    if (pieces.length < parts) return undefined
    const deflated = Buffer.concat(pieces)
    pieces = []
    const whole = readBytes(() => inflateRawSync(deflated, { maxOutputLength: ROW_BYTES_MAX }))
    return unpackMessage(SENT_ROW, whole)
  }
}
