/**
 * The queue of an HTTP or MCP session: what a socket would have been sent, waiting for the next
 * request. A ring of 100, oldest out; market and observation updates of one place are merged, and
 * of a battle only the last state is kept (ours: its states would push out all else). Source:
 * social.md section 7.
 */
import { NOTIFICATIONS_MAX } from '../core/limits.ts'
import { wholePayload } from '../core/packed.ts'
import type { PackedList } from '../core/ports.ts'

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
  entries: Notification[]
  nextId: number
  /** Entries pushed out unread. */
  dropped: number
  /** Tick of the last get_notifications: it may be asked once a tick. */
  polledTick: number
}

export const createQueue = (): NotificationQueue => ({
  entries: [],
  nextId: 1,
  dropped: 0,
  polledTick: -1,
})

type Payload = Readonly<Record<string, unknown>>

export interface NewNotification {
  readonly type: string
  readonly msgType: string
  /** Of a feed it is made when somebody reads it. */
  readonly data: Payload | (() => Payload)
  /** A long list beside `data`; parsed when somebody reads it. */
  readonly list?: PackedList
  readonly wallMs: number
  /** A waiting entry with this key is outdated by it. */
  readonly replaces?: string
}

/** Key of an entry that a later one replaces; no part of its wire form. */
const REPLACED_AS = Symbol('replaced as')
type Rows = readonly Record<string, unknown>[]

const rowsOf = (value: unknown): Rows => (Array.isArray(value) ? value : [])

/** Later rows replace earlier ones of the same key. */
function mergeRows(older: unknown, newer: unknown, key: string): Rows {
  const merged = new Map<unknown, Record<string, unknown>>()
  for (const row of rowsOf(older)) merged.set(row[key], row)
  for (const row of rowsOf(newer)) merged.set(row[key], row)
  return [...merged.values()]
}

/** Ids that left, less those that came back, and the newest ids. */
function mergeGone(older: unknown, newer: unknown, back: unknown): unknown[] {
  const gone = new Set<unknown>(Array.isArray(older) ? older : [])
  for (const row of rowsOf(back)) gone.delete(row.player_id)
  for (const id of Array.isArray(newer) ? newer : []) gone.add(id)
  return [...gone]
}

function without(rows: Rows, gone: unknown): Rows {
  const left = new Set<unknown>(Array.isArray(gone) ? gone : [])
  return rows.filter((row) => !left.has(row.player_id))
}

function mergeObservation(older: Payload, newer: Payload): Payload {
  const merged: Record<string, unknown> = { ...older, ...newer }
  for (const part of ['nearby', 'system']) {
    const changed = `${part}_changed`
    const departed = `${part}_departed`
    merged[changed] = without(
      mergeRows(older[changed], newer[changed], 'player_id'),
      newer[departed],
    )
    merged[departed] = mergeGone(older[departed], newer[departed], newer[changed])
  }
  merged.cloaked_resolved = mergeRows(older.cloaked_resolved, newer.cloaked_resolved, 'target_id')
  merged.cloaked_lost = mergeGone(older.cloaked_lost, newer.cloaked_lost, [])
  return merged
}

/** The payload of both updates in one, or undefined when they are not of one place. */
function merge(msgType: string, older: Payload, newer: Payload): Payload | undefined {
  if (msgType === 'observation_update' && older.poi_id === newer.poi_id)
    return mergeObservation(older, newer)
  return undefined
}

/** Merges an event into a waiting one of the same feed; false when that cannot be. */
function mergeIn(entries: Notification[], event: NewNotification, timestamp: string): boolean {
  const { type, msgType, data, list } = event
  if (list) return mergeList(entries, event, list, timestamp)
  if (type !== 'observation' || typeof data === 'function') return false
  const at = entries.findLastIndex((entry) => entry.msg_type === msgType)
  const merged = at < 0 ? undefined : merge(msgType, entries[at].data, data)
  if (merged) entries[at] = { ...entries[at], data: merged, timestamp }
  return merged !== undefined
}

/** Entries of a long list by key, in the order in which they came; no part of the wire form. */
const LISTED = Symbol('listed')
interface Listed extends Notification {
  readonly [LISTED]: { readonly about: string; readonly entries: Map<string, string> }
}

function listEntry(
  about: Omit<Notification, 'data'>,
  payload: Payload,
  list: PackedList,
  entries: Map<string, string>,
): Listed {
  return {
    ...about,
    get data() {
      return wholePayload(payload, { name: list.name, entries: [...entries.values()] })
    },
    [LISTED]: { about: list.about, entries },
  }
}

function withList(entries: Map<string, string>, list: PackedList): Map<string, string> {
  for (let i = 0; i < list.keys.length; i++) entries.set(list.keys[i], list.entries[i])
  return entries
}

/** Merges a list into the waiting one of its event, where that is about the same. */
function mergeList(
  entries: Notification[],
  { msgType, data }: NewNotification,
  list: PackedList,
  timestamp: string,
): boolean {
  const at = entries.findLastIndex((entry) => entry.msg_type === msgType)
  const listed = at < 0 ? undefined : (entries[at] as Partial<Listed>)[LISTED]
  if (listed?.about !== list.about || typeof data === 'function') return false
  const { id, type } = entries[at]
  const about = { id, type, msg_type: msgType, timestamp }
  entries[at] = listEntry(about, data, list, withList(listed.entries, list))
  return true
}

/**
 * Puts an event in the queue. One of a feed is merged into a waiting one, or takes its place at the
 * end, where that loses nothing.
 */
export function enqueue(queue: NotificationQueue, event: NewNotification): void {
  const { entries } = queue
  const { type, msgType, data, replaces } = event
  const timestamp = new Date(event.wallMs).toISOString()
  if (mergeIn(entries, event, timestamp)) return
  if (replaces !== undefined) {
    const at = entries.findLastIndex((entry) => keyOf(entry) === replaces)
    if (at >= 0) entries.splice(at, 1)
  }
  if (entries.length >= NOTIFICATIONS_MAX) {
    entries.shift()
    queue.dropped += 1
  }
  const about = { id: String(queue.nextId), type, msg_type: msgType, timestamp }
  if (typeof data === 'function') entries.push(lazyEntry(about, data, replaces))
  else if (event.list) {
    entries.push(listEntry(about, data, event.list, withList(new Map(), event.list)))
  } else entries.push({ ...about, data })
  queue.nextId += 1
}

const keyOf = (entry: object): unknown => (entry as { [REPLACED_AS]?: string })[REPLACED_AS]

function lazyEntry(
  about: Omit<Notification, 'data'>,
  data: () => Payload,
  replaces: string | undefined,
): Notification {
  const entry = {
    ...about,
    get data() {
      return data()
    },
    [REPLACED_AS]: replaces,
  }
  return entry
}

/** Takes everything: what each HTTP answer carries. */
export function drain(queue: NotificationQueue): readonly Notification[] {
  if (queue.entries.length === 0) return []
  const { entries } = queue
  queue.entries = []
  return entries
}

export interface Poll {
  readonly limit: number
  /** False leaves what is returned in the queue. */
  readonly clear: boolean
  /** Categories wanted; empty for all. Others stay queued. */
  readonly types: readonly string[]
}

/** The oldest entries that match, at most `limit`. */
export function poll(queue: NotificationQueue, ask: Poll): readonly Notification[] {
  const wanted = (entry: Notification): boolean =>
    ask.types.length === 0 || ask.types.includes(entry.type)
  const found = queue.entries.filter(wanted).slice(0, ask.limit)
  if (ask.clear && found.length > 0) {
    const taken = new Set(found)
    queue.entries = queue.entries.filter((entry) => !taken.has(entry))
  }
  return found
}
