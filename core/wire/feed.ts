/**
 * Feeds: events told every tick whose payload is one list, the same for everyone, under a personal
 * head (battle_update). What crosses to main is what changed in the list since the tick before;
 * main keeps the list as bytes and joins each recipient's head to it (DESIGN 5).
 */
import { assert } from '../assert.ts'
import type { EventDef } from '../event.ts'
import type { Eid, FeedDiff, FeedField, FeedShape, World } from '../types.ts'
import { defineIndex } from '../world.ts'

type FeedDef = EventDef & { readonly feed: FeedShape }

export function defineFeed(def: FeedDef): FeedDef {
  const last = packingOf(def.feed).at(-1)
  assert(
    last && last.shift + last.bits <= PACKED_BITS_MAX,
    `${def.type} has too many moving fields`,
  )
  return def
}

/** The code of a head's field that it does not have. */
export const ABSENT = -1
/** The moving fields of an entry are kept in 32 bits. */
const PACKED_BITS_MAX = 31

/** Where a moving field stands in an entry's number; all its bits set: the entry has it not. */
export interface Packed {
  readonly name: string
  readonly field: FeedField
  readonly shift: number
  readonly bits: number
  readonly absent: number
}

export function packingOf(shape: FeedShape): Packed[] {
  let shift = 0
  return Object.entries(shape.moving).map(([name, field]) => {
    // One more for `absent`.
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

/** A list as its domain has it. The arrays may have room for more, and are read at once. */
interface FeedList {
  readonly count: number
  /**
   * Durable numbers from 1, ascending: the order on the wire. Two entries never have the same one
   * after the other.
   */
  readonly ids: Int32Array
  /** The moving fields of each entry, packed. */
  readonly codes: Int32Array
  /** The fixed fields of the entry at a place. Asked for once, when it is new. */
  fixed(place: number): Readonly<Record<string, unknown>>
}

interface FeedHeads {
  readonly players: readonly Eid[]
  /** Writes the codes of the i-th player's head, in their order; for an entry its id. */
  head(i: number, codes: Int32Array, at: number): void
}

interface FeedTelling {
  /** Durable number of what it is about: one list each. */
  readonly feed: number
  /** Fields of the payload that everyone gets and that are told whole each time. */
  readonly shared: Readonly<Record<string, unknown>>
  readonly list: FeedList
  readonly heads: FeedHeads
}

/** A list as it was told last, which is what main has. Its arrays may have room for more. */
interface Told {
  tick: number
  count: number
  ids: Int32Array
  codes: Int32Array
}

/** By type and number. Derived: main gets the whole list where there is none. */
const TOLD = defineIndex('feeds told', () => new Map<string, Told>())
const keyOf = (type: string, feed: number): string => `${type}/${feed}`
/** Before the tick before the first. */
const NEVER = -1
const nothing = (): Told => ({
  tick: NEVER,
  count: 0,
  ids: new Int32Array(0),
  codes: new Int32Array(0),
})

/**
 * Tells a feed when this tick is published. To be called once a tick and list, for as long as it
 * lasts; whoever it is not told for in a tick gets the whole list at the next telling.
 */
export function notifyFeed(world: World, def: FeedDef, telling: FeedTelling): void {
  const { feed, shared, list, heads } = telling
  const { tick } = world
  const lists = world.index(TOLD)
  const key = keyOf(def.type, feed)
  const told = lists.get(key) ?? nothing()
  lists.set(key, told)
  assert(told.tick !== tick, `${key} is told twice in tick ${tick}`)
  const isFull = told.tick !== tick - 1
  if (isFull) told.count = 0
  const diff = { feed, tick, isFull, ...changes(told, list), heads: readHeads(def, list, heads) }
  keep(told, tick, list)
  world.outbox.emissions.push({
    type: def.type,
    payload: shared,
    audience: { kind: 'players', rows: heads.players },
    feed: diff,
  })
}

function keep(told: Told, tick: number, { count, ids, codes }: FeedList): void {
  if (told.ids.length < count) {
    // A quarter more than needed: lists grow.
    told.ids = new Int32Array(count + (count >> 2))
    told.codes = new Int32Array(count + (count >> 2))
  }
  told.tick = tick
  told.count = count
  told.ids.set(ids.subarray(0, count))
  told.codes.set(codes.subarray(0, count))
}

/** Main has nothing of this list: the next telling is whole. */
export function forgetFeed(world: World, type: string, feed: number): void {
  world.index(TOLD).delete(keyOf(type, feed))
}

/** Main has no list at all, or is not known to have the same. */
export const forgetFeeds = (world: World): void => world.index(TOLD).clear()

/** Forgets the lists that were not told in this tick: what they were about is over. */
export function endFeeds(world: World): void {
  const lists = world.index(TOLD)
  for (const [key, { tick }] of lists) if (tick !== world.tick) lists.delete(key)
}

type Changes = Pick<FeedDiff, 'moves' | 'changed' | 'codes'>

/** What became of a list: nearly always, that some of the same entries changed. */
function changes(told: Told, list: FeedList): Changes {
  const changed: number[] = []
  const moves = sameIds(told, list) ? undefined : walk(told, list, changed)
  if (!moves) compareCodes(told.codes, list, changed)
  const found = { changed: new Int32Array(changed), codes: pick(list.codes, changed) }
  return moves ? { ...found, moves } : found
}

function sameIds(told: Told, { ids, count }: FeedList): boolean {
  const old = told.ids
  if (told.count !== count) return false
  for (let place = 0; place < count; place++) if (ids[place] !== old[place]) return false
  return true
}

function compareCodes(old: Int32Array, { codes, count }: FeedList, changed: number[]): void {
  for (let place = 0; place < count; place++) {
    if (codes[place] !== old[place]) changed.push(place)
  }
}

/** Who left, who came, who changed: both lists are ascending by id, so one walk finds it. */
function walk(told: Told, list: FeedList, changed: number[]): NonNullable<FeedDiff['moves']> {
  const { ids, codes, count } = list
  const gone: number[] = []
  const added: number[] = []
  let old = 0
  let last = 0
  for (let place = 0; place < count; place++) {
    const id = ids[place]
    if (id <= last) assert(false, `entry ${id} of a feed stands after ${last}`)
    last = id
    while (old < told.count && told.ids[old] < id) gone.push(old++)
    if (old === told.count || told.ids[old] !== id) added.push(place)
    else if (told.codes[old++] !== codes[place]) changed.push(place)
  }
  while (old < told.count) gone.push(old++)
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

/** Codes of all heads; the id of an entry becomes its place in the list. */
function readHeads(def: FeedDef, list: FeedList, heads: FeedHeads): Int32Array {
  const fields = Object.values(def.feed.head)
  const width = fields.length
  const codes = new Int32Array(heads.players.length * width)
  for (let i = 0; i < heads.players.length; i++) {
    heads.head(i, codes, i * width)
    for (let field = 0; field < width; field++) {
      const at = i * width + field
      if (fields[field].kind === 'entry') codes[at] = placeOf(list, codes[at])
    }
  }
  return codes
}

/** Place of an id in a list; ABSENT when it is not there. */
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
