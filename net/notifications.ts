/**
 * The queue of an HTTP or MCP session: what a socket would have been sent, waiting for the next
 * request. A ring of 100, oldest out; market and observation updates of one place are merged.
 * Source: social.md section 7.
 */
import { NOTIFICATIONS_MAX } from '../core/limits.ts'

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

export interface NewNotification {
  readonly type: string
  readonly msgType: string
  readonly data: Readonly<Record<string, unknown>>
  readonly wallMs: number
}

type Payload = Readonly<Record<string, unknown>>
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
  if (msgType === 'market_update' && older.base_id === newer.base_id)
    return { ...newer, items: mergeRows(older.items, newer.items, 'item_id') }
  if (msgType === 'observation_update' && older.poi_id === newer.poi_id)
    return mergeObservation(older, newer)
  return undefined
}

/**
 * Puts an event in the queue; merges it into a waiting one of the same feed where that loses
 * nothing.
 */
export function enqueue(queue: NotificationQueue, event: NewNotification): void {
  const { entries } = queue
  const timestamp = new Date(event.wallMs).toISOString()
  if (event.type === 'market' || event.type === 'observation') {
    const at = entries.findLastIndex((entry) => entry.msg_type === event.msgType)
    const data = at < 0 ? undefined : merge(event.msgType, entries[at].data, event.data)
    if (data) {
      entries[at] = { ...entries[at], data, timestamp }
      return
    }
  }
  if (entries.length >= NOTIFICATIONS_MAX) {
    entries.shift()
    queue.dropped += 1
  }
  entries.push({
    id: String(queue.nextId),
    type: event.type,
    msg_type: event.msgType,
    data: event.data,
    timestamp,
  })
  queue.nextId += 1
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
