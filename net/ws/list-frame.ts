/**
 * Frames of events with a long list (market_update): the entries come from the world as JSON, and a
 * frame is assembled from them in steps, once for all recipients.
 */
import { assert } from '../../core/assert.ts'
import type { PublishedEmission } from '../../core/ports.ts'
import { CODECS, type Encoding, pairsOf, toBuffer } from './codec.ts'

/** A frame in two parts; sockets do not copy the second. */
export interface ListFrame {
  readonly head: Buffer
  readonly tail: Buffer
}

/** An order book of full depth takes up to a tenth of a millisecond. */
const ENTRIES_PER_STEP = 16

/** Encodes the frame, a few entries per step. */
export function* listFrame(
  encoding: Encoding,
  { type, payload, list }: PublishedEmission,
): Generator<void, ListFrame> {
  assert(list, `${type} has no list`)
  const codec = CODECS[encoding]
  const { name, value, comma, openMap } = codec
  const pairs = pairsOf(codec, payload)
  const before =
    openMap(2) +
    [name('type') + value(type), name('payload') + openMap(pairs.length + 1)].join(comma)
  const head = toBuffer(before)
  const opening = [...pairs, name(list.name) + codec.openList(list.entries.length)].join(comma)
  const closing = codec.closeList + codec.closeMap + codec.closeMap
  const blocks: Buffer[] = [toBuffer(opening)]
  for (let index = 0; index < list.entries.length; index += ENTRIES_PER_STEP) {
    const entries = list.entries.slice(index, index + ENTRIES_PER_STEP)
    if (index > 0) blocks.push(toBuffer(comma))
    if (encoding === 'json') blocks.push(Buffer.from(entries.join(comma)))
    else blocks.push(toBuffer(entries.map((entry) => value(JSON.parse(entry))).join('')))
    yield
  }
  blocks.push(toBuffer(closing))
  return { head, tail: Buffer.concat(blocks) }
}
