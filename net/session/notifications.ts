/**
 * The queue of an HTTP or MCP session: events that a socket would be sent wait here for the next
 * request. It holds 100; a full one drops the oldest of the least important, and readers are told
 * how many were dropped. Updates of one place and yields of one source are merged, and only the
 * last state of a battle is kept (ours: they would displace everything else). Source: social.md
 * section 7.
 */
import type { MuteChannel } from '../../core/event.ts'
import { NOTIFICATIONS_MAX, OBSERVED_ROWS_MAX } from '../../core/limits.ts'
import type { PackedList } from '../../core/ports.ts'
import { wholePayload } from '../../core/wire/packed.ts'

export interface Notification {
  readonly id: string
  /** Category: chat, combat, trade, market, observation, crafting, faction, system. */
  readonly type: string
  /** The frame type that a socket would get. */
  readonly msg_type: string
  readonly data: Readonly<Record<string, unknown>>
  /** RFC 3339. */
  readonly timestamp: string
}

export interface NotificationQueue {
  entries: Entry[]
  nextId: number
  /** Entries dropped unread since the count was last reported. */
  dropped: number
}

type Payload = Readonly<Record<string, unknown>>

/**
 * Importance of entries; a full queue drops routine first, then news, then what concerns the
 * player.
 */
export const IMPORTANCE = { routine: 0, news: 1, own: 2 } as const
export type Importance = (typeof IMPORTANCE)[keyof typeof IMPORTANCE]

/**
 * Channels of events that occur tick by tick, and queue types of feeds that a client subscribes to.
 */
const ROUTINE: ReadonlySet<string> = new Set<MuteChannel | 'market' | 'observation'>([
  'pirate_radio',
  'battle_alerts',
  'battle_ticker',
  'activity',
  'drones',
  'market',
  'observation',
])

/** Returns the importance of an event; one that cannot be muted is the most important. */
export function importanceOf(queue: string, channel: MuteChannel | undefined): Importance {
  if (ROUTINE.has(channel ?? queue)) return IMPORTANCE.routine
  return channel === undefined ? IMPORTANCE.own : IMPORTANCE.news
}

interface NewNotification {
  readonly type: string
  readonly msgType: string
  readonly importance: Importance
  /** For a feed a function, which builds the payload when the entry is read. */
  readonly data: Payload | (() => Payload)
  /** A long list beside `data`; parsed when the entry is read. */
  readonly list?: PackedList
  readonly wallMs: number
  /** Key of the queued entry that it replaces. */
  readonly replaces?: string
}

/* Entries */

const IMPORTANCE_OF = Symbol('importance')
/** A queued entry. Fields under symbols are not part of its wire form. */
interface Entry extends Notification {
  readonly [IMPORTANCE_OF]: Importance
}

/** An entry without its payload, which some build only when read. */
type Head = Omit<Entry, 'data'>

/** Key by which a later entry replaces this one. */
const KEY = Symbol('key')

/** The long list of an entry: its items as JSON by key, in order of arrival. */
const LIST = Symbol('list')
interface ListEntry extends Entry {
  readonly [LIST]: { readonly about: string; readonly items: Map<string, string> }
}

/** Copies the head of an entry; a spread would call its getter for data. */
function headOf({ id, type, msg_type, timestamp, [IMPORTANCE_OF]: importance }: Entry): Head {
  return { id, type, msg_type, timestamp, [IMPORTANCE_OF]: importance }
}

const keyOf = (entry: object): unknown => (entry as { [KEY]?: string })[KEY]

function lazyEntry(head: Head, data: () => Payload, key: string | undefined): Entry {
  const entry = {
    ...head,
    get data() {
      return data()
    },
    [KEY]: key,
  }
  return entry
}

function listEntry(
  head: Head,
  payload: Payload,
  list: PackedList,
  items: Map<string, string>,
): ListEntry {
  return {
    ...head,
    get data() {
      return wholePayload(payload, { name: list.name, entries: [...items.values()] })
    },
    [LIST]: { about: list.about, items },
  }
}

function addItems(items: Map<string, string>, list: PackedList): Map<string, string> {
  for (let i = 0; i < list.keys.length; i++) items.set(list.keys[i], list.entries[i])
  return items
}

/* The queue */

export const createQueue = (): NotificationQueue => ({
  entries: [],
  nextId: 1,
  dropped: 0,
})

/**
 * Queues an event, or merges it into a queued one if nothing is lost. Returns the number of entries
 * that a full queue dropped, 0 or 1; the dropped one may be the event itself.
 */
export function enqueue(queue: NotificationQueue, event: NewNotification): 0 | 1 {
  const { entries } = queue
  const { type, msgType, data, replaces } = event
  const timestamp = new Date(event.wallMs).toISOString()
  if (mergeEvent(entries, event, timestamp)) return 0
  if (replaces !== undefined) {
    const index = entries.findLastIndex((entry) => keyOf(entry) === replaces)
    if (index >= 0) entries.splice(index, 1)
  }
  const isFull = entries.length >= NOTIFICATIONS_MAX
  if (isFull) {
    queue.dropped += 1
    if (!makeRoom(entries, event.importance)) return 1
  }
  const head = {
    id: String(queue.nextId),
    type,
    msg_type: msgType,
    timestamp,
    [IMPORTANCE_OF]: event.importance,
  }
  if (typeof data === 'function') entries.push(lazyEntry(head, data, replaces))
  else if (event.list) {
    entries.push(listEntry(head, data, event.list, addItems(new Map(), event.list)))
  } else entries.push({ ...head, data })
  queue.nextId += 1
  return isFull ? 1 : 0
}

/**
 * Drops the oldest of the least important entries; returns false if all are more important than the
 * new one.
 */
function makeRoom(entries: Entry[], newImportance: Importance): boolean {
  let lowest = 0
  for (let index = 1; index < entries.length; index++)
    if (entries[index][IMPORTANCE_OF] < entries[lowest][IMPORTANCE_OF]) lowest = index
  if (entries[lowest][IMPORTANCE_OF] > newImportance) return false
  entries.splice(lowest, 1)
  return true
}

/** Takes all entries, as each HTTP answer carries them. */
export function drain(queue: NotificationQueue): readonly Notification[] {
  if (queue.entries.length === 0) return []
  const { entries } = queue
  queue.entries = []
  return entries
}

/** Returns the number of dropped entries and resets it. */
export function takeDropped(queue: NotificationQueue): number {
  const { dropped } = queue
  queue.dropped = 0
  return dropped
}

export interface Poll {
  readonly limit: number
  /** False leaves the returned entries in the queue. */
  readonly clear: boolean
  /** Categories to return; empty for all. Others stay queued. */
  readonly types: readonly string[]
}

/** Returns the oldest matching entries, at most `limit`, and removes them if `clear` is set. */
export function poll(
  queue: NotificationQueue,
  { limit, clear, types }: Poll,
): readonly Notification[] {
  const isWanted = (entry: Notification): boolean =>
    types.length === 0 || types.includes(entry.type)
  const found = queue.entries.filter(isWanted).slice(0, limit)
  if (clear && found.length > 0) {
    const taken = new Set(found)
    queue.entries = queue.entries.filter((entry) => !taken.has(entry))
  }
  return found
}

/* Merging */

type Rows = readonly Record<string, unknown>[]

const rowsOf = (value: unknown): Rows => (Array.isArray(value) ? value : [])

/** The pairs of lists in an observation update, with the id of their rows. Source: newer.md 4. */
const OBSERVED_LISTS = [
  ['nearby_changed', 'nearby_departed', 'player_id'],
  ['system_changed', 'system_departed', 'player_id'],
  ['pirates_changed', 'pirates_departed', 'pirate_id'],
  ['empire_npcs_changed', 'empire_npcs_departed', 'npc_id'],
  ['creatures_changed', 'creatures_departed', 'creature_id'],
  ['prizes_changed', 'prizes_departed', 'prize_id'],
  ['arena_npcs_changed', 'arena_npcs_departed', 'npc_id'],
  ['cloaked_resolved', 'cloaked_lost', 'target_id'],
] as const

/** Merges rows by key: newer ones replace older ones, and departed ones are left out. */
function mergeRows(older: Rows, newer: Rows, key: string, departed: ReadonlySet<unknown>): Rows {
  const merged = new Map<unknown, Record<string, unknown>>()
  for (const row of older) if (!departed.has(row[key])) merged.set(row[key], row)
  for (const row of newer) merged.set(row[key], row)
  return [...merged.values()]
}

/**
 * Merges two observation updates; returns undefined if they are of different places, or if more
 * rows have departed than one update lists.
 */
function mergeObservation(older: Payload, newer: Payload): Payload | undefined {
  if (older.poi_id !== newer.poi_id) return undefined
  const merged: Record<string, unknown> = { ...older, ...newer }
  for (const [changed, departed, key] of OBSERVED_LISTS) {
    const newlyGone = new Set(idsOf(newer[departed]))
    const rows = mergeRows(rowsOf(older[changed]), rowsOf(newer[changed]), key, newlyGone)
    const returned = new Set(rowsOf(newer[changed]).map((row) => row[key]))
    const gone = new Set(idsOf(older[departed]).filter((id) => !returned.has(id)))
    for (const id of newlyGone) gone.add(id)
    if (gone.size > OBSERVED_ROWS_MAX) return undefined
    if (changed in merged || rows.length > 0) merged[changed] = rows
    if (departed in merged || gone.size > 0) merged[departed] = [...gone]
  }
  return merged
}

const idsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const amountOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/**
 * Merges two yields; returns undefined if they are of different sources. Adds up `quantity`, so
 * that a client's own sum stays right; other fields are those of the latest yield.
 */
function mergeYields(older: Payload, newer: Payload): Payload | undefined {
  for (const field of ['drone_id', 'resource_id', 'kind'])
    if (older[field] !== newer[field]) return undefined
  const units = amountOf(older.quantity) + amountOf(newer.quantity)
  const xp: Record<string, number> = {}
  for (const gained of [older.xp_gained, newer.xp_gained])
    for (const [skill, amount] of Object.entries(gained ?? {}))
      xp[skill] = amountOf(xp[skill]) + amountOf(amount)
  return {
    ...newer,
    quantity: units,
    ...(Object.keys(xp).length > 0 ? { xp_gained: xp } : {}),
    count: amountOf(older.count ?? 1) + 1,
    units,
    last: amountOf(newer.quantity),
  }
}

interface MergeRule {
  /** Merges two payloads; returns undefined if they cannot be merged. */
  merge(older: Payload, newer: Payload): Payload | undefined
  /**
   * Merges only with the last entry of the type, because the order of updates shows the places that
   * a player passed through.
   */
  readonly lastOnly?: true
}
const MERGES: Readonly<Record<string, MergeRule>> = {
  observation_update: { merge: mergeObservation, lastOnly: true },
  mining_yield: { merge: mergeYields },
}

/** Merges an event into a queued one of the same source; returns false if it cannot. */
function mergeEvent(entries: Entry[], event: NewNotification, timestamp: string): boolean {
  const { msgType, data, list } = event
  if (list) return mergeList(entries, event, list, timestamp)
  const rule = MERGES[msgType]
  if (!rule || typeof data === 'function') return false
  for (let index = entries.length - 1; index >= 0; index--) {
    if (entries[index].msg_type !== msgType) continue
    const merged = rule.merge(entries[index].data, data)
    if (merged) entries[index] = { ...entries[index], data: merged, timestamp }
    if (merged || rule.lastOnly) return merged !== undefined
  }
  return false
}

/** Merges a list into the queued one of the same event and subject; returns false without one. */
function mergeList(
  entries: Entry[],
  { msgType, data }: NewNotification,
  list: PackedList,
  timestamp: string,
): boolean {
  const index = entries.findLastIndex((entry) => entry.msg_type === msgType)
  const waiting = index < 0 ? undefined : (entries[index] as Partial<ListEntry>)[LIST]
  if (waiting?.about !== list.about || typeof data === 'function') return false
  const head = { ...headOf(entries[index]), timestamp }
  entries[index] = listEntry(head, data, list, addItems(waiting.items, list))
  return true
}
