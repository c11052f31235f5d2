/**
 * A world image as bytes: parts in a fixed order (free lists, columns, records, texts), split into
 * chunks that are named by their content, and a manifest to reassemble them. Pure: snapshots.ts
 * stores the chunks.
 */
import { createHash } from 'node:crypto'
import { Packr } from 'msgpackr'
import type { ColumnImage, TableImage, WorldImage } from '../core/ports.ts'
import { runSteps } from '../core/steps.ts'

/**
 * Largest number of raw bytes of a chunk; a change of a column affects only the chunks it touches.
 */
const CHUNK_BYTES = 256 * 1024
/**
 * Adjacent parts smaller than this share chunks, so that a small world does not take thousands of
 * rows.
 */
const SMALL_PART_BYTES = 16 * 1024
const SHARED_CHUNK_BYTES = 64 * 1024
const GROUP_ENTRIES_MAX = 4096
const TEXTS_A_GROUP = 2048
const FORMAT = 1

interface TableManifest {
  readonly name: string
  readonly high: number
  readonly nextSeq: number
  readonly columns: readonly {
    readonly name: string
    readonly kind: string
    readonly width: number
  }[]
}

export interface Manifest {
  readonly format: number
  readonly rulesVersion: number
  readonly seed: number
  readonly tick: number
  readonly batch: number
  readonly wallMs: number
  readonly hash: string
  readonly tables: readonly TableManifest[]
  /** Name and number of groups of each record table. */
  readonly records: readonly { readonly name: string; readonly groups: number }[]
  readonly textGroups: number
  readonly goods: readonly string[]
  readonly shipClasses: readonly string[]
  readonly recipes?: readonly string[]
  readonly facilities?: readonly string[]
  readonly tickMs?: number
  readonly maxEntities?: number
  /** Lengths of all parts, in order. */
  readonly parts: readonly number[]
  /** Lengths of all chunks, in order; joined they are the same bytes. */
  readonly chunks: readonly number[]
}

export interface PackedImage {
  readonly manifest: Manifest
  readonly parts: readonly Uint8Array[]
}

const packr = new Packr({ useRecords: false, variableMapSize: true })

const pack = (value: unknown): Uint8Array => Uint8Array.from(packr.pack(value))
const unpack = <T>(bytes: Uint8Array): T => packr.unpack(bytes) as T

export const packManifest = (manifest: Manifest): Uint8Array => pack(manifest)
export const unpackManifest = (bytes: Uint8Array): Manifest => unpack<Manifest>(bytes)

export const sha256 = (...pieces: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}

/**
 * Returns the seal of a snapshot: a hash of manifest, checksum of the journal chain, and chunk
 * names in order.
 */
export const sealOf = (
  manifest: Uint8Array,
  chain: Uint8Array,
  chunks: readonly Uint8Array[],
): Buffer => sha256(manifest, chain, ...chunks)

function keyHash(key: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < key.length; i++) h = Math.imul(h ^ key.charCodeAt(i), 0x01000193)
  return h >>> 0
}

type SavedRecord = readonly [key: string, json: string]

/**
 * Splits records into groups. A group ends after a key that is selected by its hash, so that a new
 * record changes no other group.
 */
function* groupsOf(entries: readonly SavedRecord[]): Generator<SavedRecord[]> {
  let start = 0
  for (let i = 0; i < entries.length; i++) {
    const full = i - start + 1 >= GROUP_ENTRIES_MAX
    if (!full && (keyHash(entries[i][0]) & 511) !== 0) continue
    yield entries.slice(start, i + 1)
    start = i + 1
  }
  if (start < entries.length) yield entries.slice(start)
}

const bytesOfNumbers = (numbers: readonly number[]): Uint8Array =>
  new Uint8Array(Uint32Array.from(numbers).buffer)

const numbersOfBytes = (bytes: Uint8Array): number[] =>
  Array.from(new Uint32Array(Uint8Array.from(bytes).buffer))

/**
 * Packs an image part by part; the caller may pause between two parts. Columns are passed on
 * without a copy.
 */
export function* packImage(image: WorldImage): Generator<Uint8Array, PackedImage> {
  const parts: Uint8Array[] = []
  const tables: TableManifest[] = []
  for (const table of image.tables) {
    parts.push(bytesOfNumbers(table.free), bytesOfNumbers(table.freed))
    for (const column of table.columns) {
      parts.push(column.bytes)
      yield column.bytes
    }
    const { name, high, nextSeq } = table
    const columns = table.columns.map(({ name, kind, width }) => ({ name, kind, width }))
    tables.push({ name, high, nextSeq, columns })
  }
  const records: { name: string; groups: number }[] = []
  for (const { name, entries } of image.records) {
    let groups = 0
    for (const group of groupsOf(entries)) {
      parts.push(pack(group))
      groups++
      yield parts[parts.length - 1]
    }
    records.push({ name, groups })
  }
  let textGroups = 0
  for (let start = 0; start < image.texts.length; start += TEXTS_A_GROUP) {
    parts.push(pack(image.texts.slice(start, start + TEXTS_A_GROUP)))
    textGroups++
    yield parts[parts.length - 1]
  }
  parts.push(bytesOfNumbers(image.freeTexts))
  const { rulesVersion, seed, tick, batch, wallMs, hash, goods, shipClasses } = image
  const { recipes = [], facilities = [], tickMs, maxEntities } = image
  const lengths = parts.map((part) => part.length)
  const manifest: Manifest = {
    format: FORMAT,
    rulesVersion,
    seed,
    tick,
    batch,
    wallMs,
    hash,
    tables,
    records,
    textGroups,
    goods: [...goods],
    shipClasses: [...shipClasses],
    recipes: [...recipes],
    facilities: [...facilities],
    ...(tickMs === undefined ? {} : { tickMs }),
    ...(maxEntities === undefined ? {} : { maxEntities }),
    parts: lengths,
    chunks: planChunks(lengths),
  }
  return { manifest, parts }
}

/** Packs an image without pauses (tools, tests). */
export function packImageAtOnce(image: WorldImage): PackedImage {
  return runSteps(packImage(image))
}

/**
 * Returns the lengths of the chunks: large parts have their own chunks, runs of small ones share
 * chunks.
 */
function planChunks(lengths: readonly number[]): number[] {
  const chunks: number[] = []
  let shared = 0
  const endShared = (): void => {
    if (shared > 0) chunks.push(shared)
    shared = 0
  }
  for (const length of lengths) {
    if (length < SMALL_PART_BYTES) {
      if (shared + length > SHARED_CHUNK_BYTES) endShared()
      shared += length
      continue
    }
    endShared()
    for (let left = length; left > 0; left -= CHUNK_BYTES) chunks.push(Math.min(left, CHUNK_BYTES))
  }
  endShared()
  return chunks
}

/** Yields the chunks of a packed image, in order. A chunk within one part is a view of it. */
export function* chunksOf({ manifest, parts }: PackedImage): Generator<Uint8Array> {
  let part = 0
  let offset = 0
  for (const length of manifest.chunks) {
    while (parts[part].length === offset) {
      part++
      offset = 0
    }
    if (parts[part].length - offset >= length) {
      yield parts[part].subarray(offset, offset + length)
      offset += length
      continue
    }
    const chunk = new Uint8Array(length)
    for (let filled = 0; filled < length; ) {
      const take = Math.min(parts[part].length - offset, length - filled)
      chunk.set(parts[part].subarray(offset, offset + take), filled)
      filled += take
      offset += take
      if (filled < length) {
        part++
        offset = 0
      }
    }
    yield chunk
  }
}

/** Takes chunks in order and reassembles the image. */
interface PartReader {
  add(chunk: Uint8Array): void
  finish(): WorldImage
}

/**
 * Creates a reader that reassembles an image from chunks that have been checked against their
 * names.
 */
export function createPartReader(manifest: Manifest): PartReader {
  if (manifest.format !== FORMAT) {
    throw new Error(`snapshot format ${manifest.format} is not known to this release`)
  }
  const parts = manifest.parts.map((length) => new Uint8Array(length))
  let part = 0
  let offset = 0
  return {
    add(chunk) {
      for (let read = 0; read < chunk.length; ) {
        while (part < parts.length && parts[part].length === offset) {
          part++
          offset = 0
        }
        if (part === parts.length) throw new Error('more bytes than the manifest has')
        const take = Math.min(parts[part].length - offset, chunk.length - read)
        parts[part].set(chunk.subarray(read, read + take), offset)
        read += take
        offset += take
      }
    },
    finish() {
      while (part < parts.length && parts[part].length === offset) {
        part++
        offset = 0
      }
      if (part !== parts.length) throw new Error('fewer bytes than the manifest has')
      return unpackImage(manifest, parts)
    },
  }
}

function unpackImage(manifest: Manifest, parts: readonly Uint8Array[]): WorldImage {
  let next = 0
  const tables: TableImage[] = manifest.tables.map(({ name, high, nextSeq, columns }) => {
    const free = numbersOfBytes(parts[next++])
    const freed = numbersOfBytes(parts[next++])
    const images: ColumnImage[] = columns.map((column) => ({ ...column, bytes: parts[next++] }))
    return { name, high, nextSeq, free, freed, columns: images }
  })
  const records = manifest.records.map(({ name, groups }) => {
    const entries: [string, string][] = []
    for (let group = 0; group < groups; group++) {
      for (const entry of unpack<[string, string][]>(parts[next++])) entries.push(entry)
    }
    return { name, entries }
  })
  const texts: string[] = []
  for (let group = 0; group < manifest.textGroups; group++) {
    for (const text of unpack<string[]>(parts[next++])) texts.push(text)
  }
  const freeTexts = numbersOfBytes(parts[next++])
  const { rulesVersion, seed, tick, batch, wallMs, hash, goods, shipClasses } = manifest
  const { recipes, facilities, tickMs, maxEntities } = manifest
  return {
    rulesVersion,
    seed,
    tick,
    batch,
    wallMs,
    hash,
    tables,
    records,
    texts,
    freeTexts,
    goods,
    shipClasses,
    recipes,
    facilities,
    tickMs,
    maxEntities,
  }
}
