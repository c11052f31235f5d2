/**
 * Frames of events with a long list (market_update): the entries come from the world as JSON, and a
 * frame is put together from them in steps, once for all who are told.
 */
import { assert } from '../core/assert.ts'
import type { PublishedEmission } from '../core/ports.ts'
import { type Bytes, CODECS, type Encoding, pairsOf, toBuffer } from './codec.ts'

/** Two parts; sockets do not copy the second. */
export interface ListFrame {
  readonly head: Buffer
  readonly tail: Buffer
}

/** The frame in an encoding, a step an entry where each is written anew. */
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
  if (encoding === 'json') {
    const entries = Buffer.from(list.entries.join(comma))
    return { head, tail: Buffer.concat([toBuffer(opening), entries, toBuffer(closing)]) }
  }
  const parts: Bytes[] = [opening]
  for (const entry of list.entries) {
    parts.push(value(JSON.parse(entry)))
    yield
  }
  parts.push(closing)
  return { head, tail: toBuffer(parts.join('')) }
}

/** What steps come to, all at once. */
export function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
