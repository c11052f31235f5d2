/**
 * Feeds: events of every tick whose payload is one list, the same for all recipients, and a head
 * for each of them (battle_update). Only what changed in the list since the tick before is passed
 * to main, which keeps the list as bytes and joins each recipient's head to it (DESIGN 5).
 */
import { assert } from '../assert.ts'
import type { EventDef } from '../event.ts'
import type { Eid, FeedDiff, FeedField, FeedShape, World } from '../types.ts'
import { defineIndex } from '../world.ts'

type FeedDef = EventDef & { readonly feed: FeedShape }

/** Declares a feed; asserts that the moving fields of an entry fit into its code. */
export function defineFeed(def: FeedDef): FeedDef {
  const last = packingOf(def.feed).at(-1)
  assert(
    last && last.shift + last.bits <= PACKED_BITS_MAX,
    `${def.type} has too many moving fields`,
  )
  return def
}

/** The code of a field that a head does not have. */
export const ABSENT = -1
/** The moving fields of an entry are packed into one number of 32 bits that is never negative. */
const PACKED_BITS_MAX = 31

/** Where a moving field is in the code of an entry; all bits set: the entry lacks it. */
export interface Packed {
  readonly name: string
  readonly field: FeedField
  readonly shift: number
  readonly bits: number
  readonly absent: number
}

/** Returns where each moving field is in the code of an entry, in the order of their definition. */
export function packingOf(shape: FeedShape): Packed[] {
  let shift = 0
  return Object.entries(shape.moving).map(([name, field]) => {
    // One value more than the field has, for `absent`.
    const bits = 32 - Math.clz32(valuesOf(field))
    const packed = { name, field, shift, bits, absent: (1 << bits) - 1 }
    shift += bits
    return packed
  })
}

function valuesOf(field: FeedField): number {
  if (field.kind === 'number') return field.max + 1
  return field.kind === 'flag' ? 2 : field.words.length
}

/** A list as its domain keeps it. The arrays may be longer than the list, and are read at once. */
interface FeedList {
  readonly count: number
  /**
   * Durable numbers from 1, ascending: the order on the wire. A number is never used again for
   * another entry.
   */
  readonly ids: Int32Array
  /** The moving fields of each entry, packed. */
  readonly codes: Int32Array
  /** Returns the fixed fields of the entry at a place. Called once, when it is new. */
  fixed(place: number): Readonly<Record<string, unknown>>
}

interface FeedHeads {
  readonly players: readonly Eid[]
  /** Writes the codes of the head of `players[index]` from `offset` on; for an entry its id. */
  head(index: number, codes: Int32Array, offset: number): void
}

interface FeedUpdate {
  /** Durable number of its subject: one list each. */
  readonly feed: number
  /** Fields of the payload that are the same for all recipients, sent whole each time. */
  readonly shared: Readonly<Record<string, unknown>>
  readonly list: FeedList
  readonly heads: FeedHeads
}

/** A list as it was last sent, which is what main has. Its arrays may be longer than the list. */
interface SentList {
  tick: number
  count: number
  ids: Int32Array
  codes: Int32Array
}

/** Sent lists by type and number. Derived state: without one, main is sent the whole list. */
const SENT_LISTS = defineIndex('feeds sent', () => new Map<string, SentList>())
const keyOf = (type: string, feed: number): string => `${type}/${feed}`
/** No tick comes right after this one, so that the first update is whole. */
const NEVER = -1
const neverSent = (): SentList => ({
  tick: NEVER,
  count: 0,
  ids: new Int32Array(0),
  codes: new Int32Array(0),
})

/**
 * Sends a feed when this tick is published. Call it once in every tick for each list; after a tick
 * without a call the next one sends the whole list.
 */
export function notifyFeed(world: World, def: FeedDef, update: FeedUpdate): void {
  const { feed, shared, list, heads } = update
  const { tick } = world
  const lists = world.index(SENT_LISTS)
  const key = keyOf(def.type, feed)
  const sent = lists.get(key) ?? neverSent()
  lists.set(key, sent)
  assert(sent.tick !== tick, `${key} is sent twice in tick ${tick}`)
  const isFull = sent.tick !== tick - 1
  if (isFull) sent.count = 0
  const diff = {
    feed,
    tick,
    isFull,
    ...changesSince(sent, list),
    heads: readHeads(def, list, heads),
  }
  rememberSent(sent, tick, list)
  world.outbox.emissions.push({
    type: def.type,
    payload: shared,
    audience: { kind: 'players', rows: heads.players },
    feed: diff,
  })
}

function rememberSent(sent: SentList, tick: number, { count, ids, codes }: FeedList): void {
  if (sent.ids.length < count) {
    // A quarter more than needed: lists grow.
    sent.ids = new Int32Array(count + (count >> 2))
    sent.codes = new Int32Array(count + (count >> 2))
  }
  sent.tick = tick
  sent.count = count
  sent.ids.set(ids.subarray(0, count))
  sent.codes.set(codes.subarray(0, count))
}

/** Forgets a list that main does not have: the next update is whole. */
export function forgetFeed(world: World, type: string, feed: number): void {
  world.index(SENT_LISTS).delete(keyOf(type, feed))
}

/** Forgets all lists: main may have none of them. */
export const forgetFeeds = (world: World): void => world.index(SENT_LISTS).clear()

/** Forgets the lists that were not sent in this tick: their subject is gone. */
export function endFeeds(world: World): void {
  const lists = world.index(SENT_LISTS)
  for (const [key, { tick }] of lists) if (tick !== world.tick) lists.delete(key)
}

type Changes = Pick<FeedDiff, 'moves' | 'changed' | 'codes'>

/** Compares a list with what was sent; most ticks change some entries and add or remove none. */
function changesSince(sent: SentList, list: FeedList): Changes {
  const changed: number[] = []
  const moves = sameIds(sent, list) ? undefined : compareIds(sent, list, changed)
  if (!moves) compareCodes(sent.codes, list, changed)
  const found = { changed: new Int32Array(changed), codes: pick(list.codes, changed) }
  return moves ? { ...found, moves } : found
}

function sameIds(sent: SentList, { ids, count }: FeedList): boolean {
  const old = sent.ids
  if (sent.count !== count) return false
  for (let place = 0; place < count; place++) if (ids[place] !== old[place]) return false
  return true
}

function compareCodes(old: Int32Array, { codes, count }: FeedList, changed: number[]): void {
  for (let place = 0; place < count; place++) {
    if (codes[place] !== old[place]) changed.push(place)
  }
}

/** Finds the entries removed, added and changed in one walk: both lists are ascending by id. */
function compareIds(
  sent: SentList,
  list: FeedList,
  changed: number[],
): NonNullable<FeedDiff['moves']> {
  const { ids, codes, count } = list
  const gone: number[] = []
  const added: number[] = []
  let old = 0
  let last = 0
  for (let place = 0; place < count; place++) {
    const id = ids[place]
    // The message is made only if it is needed: this loop is hot.
    if (id <= last) assert(false, `entry ${id} of a feed comes after ${last}`)
    last = id
    while (old < sent.count && sent.ids[old] < id) gone.push(old++)
    if (old === sent.count || sent.ids[old] !== id) added.push(place)
    else if (sent.codes[old++] !== codes[place]) changed.push(place)
  }
  while (old < sent.count) gone.push(old++)
  return {
    gone: new Int32Array(gone),
    added: new Int32Array(added),
    codes: pick(codes, added),
    fixed: added.map((place) => list.fixed(place)),
  }
}

function pick(codes: Int32Array, places: readonly number[]): Int32Array {
  const picked = new Int32Array(places.length)
  for (let i = 0; i < places.length; i++) picked[i] = codes[places[i]]
  return picked
}

/** Returns the codes of all heads; the id of an entry becomes its place in the list. */
function readHeads(def: FeedDef, list: FeedList, heads: FeedHeads): Int32Array {
  const fields = Object.values(def.feed.head)
  const width = fields.length
  const codes = new Int32Array(heads.players.length * width)
  for (let i = 0; i < heads.players.length; i++) {
    heads.head(i, codes, i * width)
    for (let field = 0; field < width; field++) {
      const index = i * width + field
      if (fields[field].kind === 'entry') codes[index] = placeOf(list, codes[index])
    }
  }
  return codes
}

/** Returns the place of an id in a list; ABSENT if it is not in it. */
function placeOf({ ids, count }: FeedList, id: number): number {
  let low = 0
  let high = count - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (ids[middle] === id) return middle
    if (ids[middle] < id) low = middle + 1
    else high = middle - 1
  }
  return ABSENT
}
