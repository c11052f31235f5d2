/**
 * Feeds: events told every tick whose payload is one list, the same for everyone, under a personal
 * head (battle_update). What crosses to main is what changed in the list since the tick before;
 * main keeps the list as bytes and joins each recipient's head to it (DESIGN 5).
 */
import { assert } from './assert.ts'
import type { EventDef } from './event.ts'
import type { FeedDiff } from './ports.ts'
import { defineIndex, type Eid, type Row, type World } from './world.ts'

/** What the code of a field stands for. `entry`: an entry of the list, told by its key. */
export type FeedField =
  | { readonly kind: 'number' | 'flag' | 'entry' }
  | { readonly kind: 'words'; readonly words: readonly string[] }

/** The code of a field that the entry or head does not have. */
export const ABSENT = -1

/** How the payload of a feed is put together, beside the fields that are told whole each time. */
export interface FeedShape {
  /** Field of the payload that holds the list. */
  readonly list: string
  /** Field of an entry that names it: fixed, as all fields of an entry that are not moving. */
  readonly key: string
  /** Fields of an entry that change while it is in the list. */
  readonly moving: Readonly<Record<string, FeedField>>
  /** Fields of the payload that differ by recipient. */
  readonly head: Readonly<Record<string, FeedField>>
}

export type FeedDef = EventDef & { readonly feed: FeedShape }

export const defineFeed = (def: FeedDef): FeedDef => def

/** The entries of a list, as their domain has them. */
export interface FeedList {
  /** Ascending by id: the order on the wire. */
  readonly rows: readonly Row[]
  /** A durable number from 1; two entries never have the same, not even one after the other. */
  id(row: Row): number
  /** Writes the codes of the moving fields, in their order, from `at` on. */
  moving(row: Row, codes: Int32Array, at: number): void
  /** The fixed fields. Asked for once, when the entry is new. */
  fixed(row: Row): Readonly<Record<string, unknown>>
}

export interface FeedHeads {
  readonly players: readonly Eid[]
  /** Writes the codes of the head's fields, in their order; for an entry its id. */
  head(player: Eid, codes: Int32Array, at: number): void
}

export interface FeedTelling {
  /** Durable number of what it is about: one list each. */
  readonly feed: number
  /** Fields of the payload that everyone gets and that are told whole each time. */
  readonly shared: Readonly<Record<string, unknown>>
  readonly list: FeedList
  readonly heads: FeedHeads
}

/** A list as it was told last: what main has. */
interface Told {
  readonly tick: number
  readonly ids: Int32Array
  readonly codes: Int32Array
}

/** By type and number. Derived: main gets the whole list where there is none. */
const TOLD = defineIndex('feeds told', () => new Map<string, Told>())
const keyOf = (type: string, feed: number): string => `${type}/${feed}`

/**
 * Tells a feed when this tick is published. To be called once a tick and list, for as long as it
 * lasts; whoever it is not told for in a tick gets the whole list at the next telling.
 */
export function tellFeed(world: World, def: FeedDef, telling: FeedTelling): void {
  const { feed, shared, list, heads } = telling
  const memory = world.index(TOLD)
  const key = keyOf(def.type, feed)
  const before = memory.get(key)
  assert(before?.tick !== world.tick, `${key} is told twice in tick ${world.tick}`)
  const now = readList(world.tick, def, list)
  const known = before?.tick === world.tick - 1 ? before : undefined
  const width = Object.keys(def.feed.moving).length
  const diff = {
    feed,
    tick: world.tick,
    isFull: known === undefined,
    ...compare(known ?? NOTHING, now, { width, list }),
    heads: readHeads(def, now, heads),
  }
  memory.set(key, now)
  world.outbox.emissions.push({
    type: def.type,
    payload: shared,
    audience: { kind: 'players', rows: heads.players },
    feed: diff,
  })
}

/** Main has nothing of this list: the next telling is whole. */
export function forgetFeed(world: World, type: string, feed: number): void {
  world.index(TOLD).delete(keyOf(type, feed))
}

/** Main has no list at all, or is not known to have the same. */
export const forgetFeeds = (world: World): void => world.index(TOLD).clear()

/** Forgets the lists that were not told in this tick: what they were about is over. */
export function endFeeds(world: World): void {
  const memory = world.index(TOLD)
  for (const [key, { tick }] of memory) if (tick !== world.tick) memory.delete(key)
}

const NOTHING: Told = { tick: 0, ids: new Int32Array(0), codes: new Int32Array(0) }

function readList(tick: number, def: FeedDef, list: FeedList): Told {
  const { rows } = list
  const width = Object.keys(def.feed.moving).length
  const ids = new Int32Array(rows.length)
  const codes = new Int32Array(rows.length * width)
  let last = 0
  for (let place = 0; place < rows.length; place++) {
    const id = list.id(rows[place])
    assert(id > last && id <= 0x7fffffff, `entry ${id} of ${def.type} stands after ${last}`)
    ids[place] = id
    list.moving(rows[place], codes, place * width)
    last = id
  }
  return { tick, ids, codes }
}

type Changes = Pick<FeedDiff, 'gone' | 'changed' | 'codes' | 'added' | 'addedCodes' | 'fixed'>

/** What became of a list: both are ascending by id, so one walk finds it. */
function compare(
  before: Told,
  now: Told,
  { width, list }: { readonly width: number; readonly list: FeedList },
): Changes {
  const gone: number[] = []
  const changed: number[] = []
  const added: number[] = []
  let old = 0
  for (let place = 0; place < now.ids.length; place++) {
    const id = now.ids[place]
    while (old < before.ids.length && before.ids[old] < id) gone.push(old++)
    if (old === before.ids.length || before.ids[old] !== id) added.push(place)
    else if (differs(before.codes, old++ * width, now.codes, place * width, width))
      changed.push(place)
  }
  while (old < before.ids.length) gone.push(old++)
  return {
    gone: Int32Array.from(gone),
    changed: Int32Array.from(changed),
    codes: pick(now.codes, changed, width),
    added: Int32Array.from(added),
    addedCodes: pick(now.codes, added, width),
    fixed: added.map((place) => list.fixed(list.rows[place])),
  }
}

function differs(a: Int32Array, atA: number, b: Int32Array, atB: number, width: number): boolean {
  for (let i = 0; i < width; i++) if (a[atA + i] !== b[atB + i]) return true
  return false
}

function pick(codes: Int32Array, places: readonly number[], width: number): Int32Array {
  const picked = new Int32Array(places.length * width)
  for (let i = 0; i < places.length; i++) {
    const from = places[i] * width
    for (let field = 0; field < width; field++) picked[i * width + field] = codes[from + field]
  }
  return picked
}

/** Codes of all heads; the id of an entry becomes its place in the list. */
function readHeads(def: FeedDef, now: Told, heads: FeedHeads): Int32Array {
  const fields = Object.values(def.feed.head)
  const width = fields.length
  const codes = new Int32Array(heads.players.length * width)
  for (let i = 0; i < heads.players.length; i++) {
    heads.head(heads.players[i], codes, i * width)
    for (let field = 0; field < width; field++) {
      const at = i * width + field
      if (fields[field].kind === 'entry') codes[at] = placeOf(now.ids, codes[at])
    }
  }
  return codes
}

/** Place of an id in ascending ids; ABSENT when it is not there. */
function placeOf(ids: Int32Array, id: number): number {
  let low = 0
  let high = ids.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (ids[middle] === id) return middle
    if (ids[middle] < id) low = middle + 1
    else high = middle - 1
  }
  return ABSENT
}
