/**
 * Main's image of the list of one feed: the list as the world has sent it so far, with the encoded
 * bytes of each entry. Only changed entries are encoded again. The part of a frame that all
 * recipients share is assembled once per tick and format; the socket prepends the head of each
 * recipient. Source: DESIGN 5, PERFORMANCE 4.
 */
import { assert } from '../../core/assert.ts'
import type { PublishedEmission } from '../../core/ports.ts'
import type { FeedDiff, FeedShape, HeadField } from '../../core/types.ts'
import { ABSENT, type Packed, packingOf } from '../../core/wire/feed.ts'
import {
  type Bytes,
  CODECS,
  type Encoding,
  encodingOf,
  type Format,
  packIntegers,
  pairsOf,
  toBuffer,
} from '../ws/codec.ts'

type Payload = Readonly<Record<string, unknown>>

interface Entry {
  readonly fixed: Payload
  /** Bytes of the fixed pairs and of the value of the key. */
  readonly pairs: Partial<Record<Encoding, Bytes>>
  readonly key: Partial<Record<Encoding, Bytes>>
  /** Bytes of the current entry; undefined until needed. */
  json: Bytes | undefined
  msgpack: Bytes | undefined
}

/** Changes of the last tick, for recipients that have the frame of the previous one. */
interface Patch {
  readonly diff: FeedDiff
  /** Moving fields that changed in some entry. */
  readonly fields: readonly MovingField[]
}

export interface FeedImage {
  readonly type: string
  readonly shape: FeedShape
  readonly moving: readonly MovingField[]
  readonly head: readonly Field[]
  /** The start of every frame, up to its payload. */
  readonly prefix: Readonly<Record<Encoding, Bytes>>
  tick: number
  shared: Payload
  /** Number of pairs in the payload that are not part of the head. */
  sharedCount: number
  entries: readonly Entry[]
  /** The moving fields of each entry. */
  codes: Int32Array
  heads: Int32Array
  /** Undefined if the last tick was sent in full. */
  patch: Patch | undefined
  /** Frames of this tick without their heads, built when first needed. */
  tails: Partial<Record<Format, Buffer>>
  /** The payload of this tick without a head, for queues; built when first read. */
  payload: (() => Payload) | undefined
}

/** A field of entries or heads, with the bytes of its pairs by code, encoded when first needed. */
interface Field {
  readonly field: HeadField
  readonly name: string
  readonly pairs: Readonly<Record<Encoding, Bytes[]>>
}

type MovingField = Field & Packed

/** Codes below this are cached: percentages, words, sides. */
const CODES_KEPT_MAX = 256

const fieldOf = (name: string, field: HeadField): Field => ({
  field,
  name,
  pairs: { json: [], msgpack: [] },
})

function prefixOf(encoding: Encoding, type: string): Bytes {
  const { openMap, name, value, comma } = CODECS[encoding]
  return openMap(2) + name('type') + value(type) + comma + name('payload')
}

export function createImage(type: string, shape: FeedShape): FeedImage {
  return {
    type,
    shape,
    moving: packingOf(shape).map((packed) => ({
      ...fieldOf(packed.name, packed.field),
      ...packed,
    })),
    head: Object.entries(shape.head).map(([name, field]) => fieldOf(name, field)),
    prefix: { json: prefixOf('json', type), msgpack: prefixOf('msgpack', type) },
    tick: 0,
    shared: {},
    sharedCount: 0,
    entries: [],
    codes: new Int32Array(0),
    heads: new Int32Array(0),
    patch: undefined,
    tails: {},
    payload: undefined,
  }
}

/* ---- following the world ---- */

/** Advances the image to the tick of an emission. Throws if that is not the next one. */
export function applyEmission(image: FeedImage, emission: PublishedEmission, diff: FeedDiff): void {
  const { tick, isFull } = diff
  assert(isFull || tick === image.tick + 1, `${image.type} goes from ${image.tick} to ${tick}`)
  if (isFull) {
    image.entries = []
    image.codes = new Int32Array(0)
  }
  if (diff.moves) applyMoves(image, diff.moves)
  const moved = applyChanges(image, diff)
  const fields = image.moving.filter(({ absent, shift }) => (moved & (absent << shift)) !== 0)
  image.patch = isFull ? undefined : { diff, fields }
  image.tick = tick
  image.shared = emission.payload
  image.sharedCount = countOf(emission.payload) + 1
  image.heads = diff.heads
  image.tails = {}
  image.payload = undefined
}

type Moves = NonNullable<FeedDiff['moves']>

/** Rebuilds the list without removed entries and with added ones. */
function applyMoves(image: FeedImage, moves: Moves): void {
  const { gone, added, fixed, codes: addedCodes } = moves
  const old = image.entries
  const count = old.length - gone.length + added.length
  const entries: Entry[] = []
  const codes = new Int32Array(count)
  let from = 0
  let nextGone = 0
  let nextAdded = 0
  while (entries.length < count) {
    const place = entries.length
    if (nextAdded < added.length && added[nextAdded] === place) {
      codes[place] = addedCodes[nextAdded]
      entries.push(newEntry(fixed[nextAdded++]))
      continue
    }
    if (nextGone < gone.length && gone[nextGone] === from) nextGone += 1
    else {
      assert(from < old.length, `${image.type} has no entry ${from}`)
      codes[place] = image.codes[from]
      entries.push(old[from])
    }
    from += 1
  }
  image.entries = entries
  image.codes = codes
}

const newEntry = (fixed: Payload): Entry => ({
  fixed,
  pairs: {},
  key: {},
  json: undefined,
  msgpack: undefined,
})

/** Applies the codes of changed entries and returns the bits that changed in any of them. */
function applyChanges(image: FeedImage, { changed, codes }: FeedDiff): number {
  let moved = 0
  for (let i = 0; i < changed.length; i++) {
    const place = changed[i]
    const entry = image.entries[place]
    entry.json = undefined
    entry.msgpack = undefined
    moved |= image.codes[place] ^ codes[i]
    image.codes[place] = codes[i]
  }
  return moved
}

/* ---- frames ---- */

/** Decodes a code of a field; returns undefined for an absent value. */
function meaningOf(image: FeedImage, field: HeadField, code: number): unknown {
  if (code === ABSENT) return undefined
  if (field.kind === 'number') return code
  if (field.kind === 'flag') return code === 1
  if (field.kind === 'words') return field.words[code]
  return image.entries[code].fixed[image.shape.key]
}

/** Returns the bytes of the pair of a field; empty for an absent value. */
function pairOf(
  image: FeedImage,
  { field, name: fieldName, pairs }: Field,
  encoding: Encoding,
  code: number,
): Bytes {
  if (code === ABSENT) return ''
  const { name, value } = CODECS[encoding]
  if (field.kind === 'entry') {
    const { key, fixed } = image.entries[code]
    key[encoding] ??= value(fixed[image.shape.key])
    return name(fieldName) + key[encoding]
  }
  const kept = pairs[encoding][code]
  if (kept !== undefined) return kept
  const pair = name(fieldName) + value(meaningOf(image, field, code))
  if (code < CODES_KEPT_MAX) pairs[encoding][code] = pair
  return pair
}

/** Extracts the code of a moving field from the packed number of an entry. */
function unpack(packed: number, { shift, absent }: Packed): number {
  const code = (packed >>> shift) & absent
  return code === absent ? ABSENT : code
}

const countOf = (object: Payload): number =>
  Object.values(object).reduce<number>((sum, value) => (value === undefined ? sum : sum + 1), 0)

/** Returns the bytes of the entry at a place. */
function entryBytes(image: FeedImage, place: number, encoding: Encoding): Bytes {
  const entry = image.entries[place]
  const kept = entry[encoding]
  if (kept !== undefined) return kept
  const codec = CODECS[encoding]
  const { comma } = codec
  entry.pairs[encoding] ??= pairsOf(codec, entry.fixed).join(comma) + codec.closeMap
  const packed = image.codes[place]
  let count = countOf(entry.fixed)
  let moving = ''
  for (const field of image.moving) {
    const pair = pairOf(image, field, encoding, unpack(packed, field))
    if (pair === '') continue
    moving += pair + comma
    count += 1
  }
  const bytes = codec.openMap(count) + moving + entry.pairs[encoding]
  entry[encoding] = bytes
  return bytes
}

function listBytes(image: FeedImage, encoding: Encoding): Bytes {
  const codec = CODECS[encoding]
  const entries = image.entries.map((_, place) => entryBytes(image, place, encoding))
  return codec.openList(entries.length) + entries.join(codec.comma) + codec.closeList
}

/**
 * Encodes the changes since the previous tick as a MessagePack value. Source: docs/messagepack.md.
 */
function patchBytes(image: FeedImage, { diff, fields }: Patch): Bytes {
  const { name, value, openMap, openList } = CODECS.msgpack
  const { changed, moves } = diff
  const parts: Bytes[] = []
  if (moves && moves.gone.length > 0) parts.push(name('gone') + packIntegers(moves.gone))
  if (moves && moves.added.length > 0) {
    let entries = openList(moves.added.length)
    for (const place of moves.added) {
      entries += openList(2) + value(place) + entryBytes(image, place, 'msgpack')
    }
    parts.push(name('added') + entries)
  }
  if (changed.length > 0) parts.push(name('changed') + changedBytes(diff, fields))
  return openMap(parts.length) + parts.join('')
}

/** Encodes the distances between changed entries, and a column for each changed field. */
function changedBytes({ changed, codes }: FeedDiff, fields: readonly MovingField[]): Bytes {
  const column = new Int32Array(changed.length)
  for (let i = 0; i < changed.length; i++) column[i] = changed[i] - (i === 0 ? 0 : changed[i - 1])
  const { name, openMap } = CODECS.msgpack
  let bytes = openMap(fields.length + 1) + name('step') + packIntegers(column)
  for (const { shift, absent, name: fieldName } of fields) {
    for (let i = 0; i < changed.length; i++) {
      const code = (codes[i] >>> shift) & absent
      column[i] = code === absent ? ABSENT : code
    }
    bytes += name(fieldName) + packIntegers(column)
  }
  return bytes
}

/** Returns the part of the frame that is the same for all recipients of a format. */
function tailOf(image: FeedImage, format: Format): Buffer {
  const kept = image.tails[format]
  if (kept) return kept
  const encoding = encodingOf(format)
  const codec = CODECS[encoding]
  const { patch, shape } = image
  const pairs = pairsOf(codec, image.shared)
  if (format === 'patch' && patch) pairs.push(codec.name('patch') + patchBytes(image, patch))
  else pairs.push(codec.name(shape.list) + listBytes(image, encoding))
  const tail = toBuffer(pairs.join(codec.comma) + codec.closeMap + codec.closeMap)
  image.tails[format] = tail
  return tail
}

/** Returns true if the last tick can be sent as changes to the previous one. */
export const isPatch = (image: FeedImage): boolean => image.patch !== undefined

/**
 * Returns the head and tail of the frame for a recipient, by their index. Format `patch` is for
 * recipients that have the previous frame.
 */
export function frameOf(
  image: FeedImage,
  recipient: number,
  format: Format,
): { readonly head: Buffer; readonly tail: Buffer } {
  const encoding = encodingOf(format)
  const { comma, openMap } = CODECS[encoding]
  const from = recipient * image.head.length
  let count = image.sharedCount
  let pairs = ''
  for (let i = 0; i < image.head.length; i++) {
    const pair = pairOf(image, image.head[i], encoding, image.heads[from + i])
    if (pair === '') continue
    pairs += pair + comma
    count += 1
  }
  const head = image.prefix[encoding] + openMap(count) + pairs
  return { head: toBuffer(head), tail: tailOf(image, format) }
}

/* ---- queues ---- */

/** Captures the current list to be read later; the objects are created once for all readers. */
function lazyPayload(image: FeedImage): () => Payload {
  const { shared, shape, moving, entries } = image
  const codes = image.codes.slice()
  let payload: Payload | undefined
  return () => {
    payload ??= {
      ...shared,
      [shape.list]: entries.map(({ fixed }, place) => {
        const values = moving.map(
          (moved) =>
            [moved.name, meaningOf(image, moved.field, unpack(codes[place], moved))] as const,
        )
        return { ...present(values), ...fixed }
      }),
    }
    return payload
  }
}

const present = (values: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(values.filter(([, value]) => value !== undefined))

/** Returns a function that builds the payload of a recipient when it is read from a queue. */
export function queuedPayload(image: FeedImage, recipient: number): () => Payload {
  image.payload ??= lazyPayload(image)
  const later = image.payload
  const from = recipient * image.head.length
  const head = present(
    image.head.map(({ name, field }, i) => [name, meaningOf(image, field, image.heads[from + i])]),
  )
  return () => ({ ...head, ...later() })
}
