/**
 * The latest messages of a topic of the public feed, encoded as they are sent, so that a reader who
 * reconnects misses nothing. Source: WEB 2.
 */
import { FEED_RING_BYTES, FEED_RING_MESSAGES, FEED_RING_TICKS } from '../../core/limits.ts'

/**
 * Id of a message in the feed: the public tick of its publication, and its number within the tick.
 */
export interface MessageId {
  readonly tick: number
  readonly n: number
}

export const START: MessageId = { tick: 0, n: -1 }

export const isAfter = (a: MessageId, b: MessageId): boolean =>
  a.tick > b.tick || (a.tick === b.tick && a.n > b.n)

/** Parses the id of a message; returns undefined for any other text. */
export function parseId(text: string): MessageId | undefined {
  const parts = /^(\d{1,15})\.(\d{1,9})$/.exec(text)
  return parts ? { tick: Number(parts[1]), n: Number(parts[2]) } : undefined
}

interface Entry {
  readonly id: MessageId
  readonly bytes: Buffer
}

export interface Ring {
  /** Oldest first. */
  readonly entries: Entry[]
  bytes: number
  /** Messages up to this one are no longer kept, or are older than the ring. */
  lost: MessageId
}

/** Returns an empty ring. */
export const createRing = (newest: MessageId): Ring => ({ entries: [], bytes: 0, lost: newest })

/** Returns the bytes of a message in the format of an event stream. */
export const entryOf = (id: MessageId, body: object): Entry => ({
  id,
  bytes: Buffer.from(`id: ${id.tick}.${id.n}\ndata: ${JSON.stringify(body)}\n\n`),
})

/**
 * Adds an entry newer than all others, then drops the oldest beyond the limits of number, bytes and
 * age.
 */
export function addEntry(ring: Ring, entry: Entry): void {
  const { entries } = ring
  entries.push(entry)
  ring.bytes += entry.bytes.byteLength
  let dropped = 0
  while (
    dropped < entries.length - 1 &&
    (entries.length - dropped > FEED_RING_MESSAGES ||
      ring.bytes > FEED_RING_BYTES ||
      entries[dropped].id.tick <= entry.id.tick - FEED_RING_TICKS)
  ) {
    ring.bytes -= entries[dropped].bytes.byteLength
    ring.lost = entries[dropped].id
    dropped += 1
  }
  if (dropped > 0) entries.splice(0, dropped)
}

/** Returns the entries after an id, oldest first. */
export function entriesAfter({ entries }: Ring, id: MessageId): readonly Entry[] {
  let from = entries.length
  while (from > 0 && isAfter(entries[from - 1].id, id)) from -= 1
  return from === 0 ? entries : entries.slice(from)
}

/** Returns the bytes of the messages of several rings in the order in which they were published. */
export function joinEntries(lists: readonly (readonly Entry[])[]): Buffer {
  const all = lists.flat()
  if (lists.length > 1) all.sort((a, b) => a.id.tick - b.id.tick || a.id.n - b.id.n)
  return Buffer.concat(all.map(({ bytes }) => bytes))
}
