/**
 * The queue of an HTTP or MCP session: what a socket would have been sent, waiting for the next
 * request. At most 100: when it is full the least important goes, of those the oldest, and readers
 * are told how many went. Updates of one place are merged, as are the yields of one source, and of
 * a battle only the last state is kept (ours: they would push out all else). Source: social.md
 * section 7.
 */
import type { MuteChannel } from '../../core/event.ts'
import { NOTIFICATIONS_MAX } from '../../core/limits.ts'
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

const KEPT_AS = Symbol('importance')
/** An entry as it waits; how important it is is no part of its wire form. */
interface Kept extends Notification {
  readonly [KEPT_AS]: Importance
}

export interface NotificationQueue {
  entries: Kept[]
  nextId: number
  /** Entries pushed out unread since a reader was told of any. */
  dropped: number
}

export const createQueue = (): NotificationQueue => ({
  entries: [],
  nextId: 1,
  dropped: 0,
})

type Payload = Readonly<Record<string, unknown>>

/** What a full queue parts with first: the course of things, then news, then what is about you. */
export const IMPORTANCE = { course: 0, news: 1, own: 2 } as const
export type Importance = (typeof IMPORTANCE)[keyof typeof IMPORTANCE]

/** Channels of what happens tick by tick, and queue types of feeds that one asks for. */
const COURSE: ReadonlySet<string> = new Set<MuteChannel | 'market' | 'observation'>([
  'pirate_radio',
  'battle_alerts',
  'battle_ticker',
  'activity',
  'drones',
  'market',
  'observation',
])

/** Returns how long an event stays in a full queue; what nobody can mute stays longest. */
export function importanceOf(queue: string, channel: MuteChannel | undefined): Importance {
  if (COURSE.has(channel ?? queue)) return IMPORTANCE.course
  return channel === undefined ? IMPORTANCE.own : IMPORTANCE.news
}

interface NewNotification {
  readonly type: string
  readonly msgType: string
  readonly importance: Importance
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

/** Lists of an observation update that come in pairs, and the id of their rows. newer.md 4. */
const OBSERVED = [
  ['nearby_changed', 'nearby_departed', 'player_id'],
  ['system_changed', 'system_departed', 'player_id'],
  ['pirates_changed', 'pirates_departed', 'pirate_id'],
  ['empire_npcs_changed', 'empire_npcs_departed', 'npc_id'],
  ['creatures_changed', 'creatures_departed', 'creature_id'],
  ['prizes_changed', 'prizes_departed', 'prize_id'],
  ['arena_npcs_changed', 'arena_npcs_departed', 'npc_id'],
  ['cloaked_resolved', 'cloaked_lost', 'target_id'],
] as const

/** Later rows replace earlier ones of the same key; those that left since are not kept. */
function mergeRows(older: Rows, newer: Rows, key: string, left: ReadonlySet<unknown>): Rows {
  const merged = new Map<unknown, Record<string, unknown>>()
  for (const row of older) if (!left.has(row[key])) merged.set(row[key], row)
  for (const row of newer) merged.set(row[key], row)
  return [...merged.values()]
}

/** The payload of both updates in one, or undefined when they are not of one place. */
function mergeObservation(older: Payload, newer: Payload): Payload | undefined {
  if (older.poi_id !== newer.poi_id) return undefined
  const merged: Record<string, unknown> = { ...older, ...newer }
  for (const [changed, departed, key] of OBSERVED) {
    const left = new Set(idsOf(newer[departed]))
    const rows = mergeRows(rowsOf(older[changed]), rowsOf(newer[changed]), key, left)
    const back = new Set(rowsOf(newer[changed]).map((row) => row[key]))
    const gone = new Set(idsOf(older[departed]).filter((id) => !back.has(id)))
    for (const id of left) gone.add(id)
    if (changed in merged || rows.length > 0) merged[changed] = rows
    if (departed in merged || gone.size > 0) merged[departed] = [...gone]
  }
  return merged
}

const idsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const amountOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/**
 * The payload of both yields in one, or undefined when they are of different sources. Whoever adds
 * up `quantity` still gets what was mined; all else is as the last pull left it.
 */
function mergeYields(older: Payload, newer: Payload): Payload | undefined {
  for (const part of ['drone_id', 'resource_id', 'kind'])
    if (older[part] !== newer[part]) return undefined
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

interface Merge {
  merge(older: Payload, newer: Payload): Payload | undefined
  /** Only the last entry of the type may take it in: the order of places tells where one was. */
  readonly lastOnly?: true
}
const MERGES: Readonly<Record<string, Merge>> = {
  observation_update: { merge: mergeObservation, lastOnly: true },
  mining_yield: { merge: mergeYields },
}

/** Merges an event into a waiting one of the same source; false when that cannot be. */
function mergeIn(entries: Kept[], event: NewNotification, timestamp: string): boolean {
  const { msgType, data, list } = event
  if (list) return mergeList(entries, event, list, timestamp)
  const way = MERGES[msgType]
  if (!way || typeof data === 'function') return false
  for (let at = entries.length - 1; at >= 0; at--) {
    if (entries[at].msg_type !== msgType) continue
    const merged = way.merge(entries[at].data, data)
    if (merged) entries[at] = { ...entries[at], data: merged, timestamp }
    if (merged || way.lastOnly) return merged !== undefined
  }
  return false
}

/** Entries of a long list by key, in the order in which they came; no part of the wire form. */
const LISTED = Symbol('listed')
interface Listed extends Kept {
  readonly [LISTED]: { readonly about: string; readonly entries: Map<string, string> }
}

function listEntry(
  about: Omit<Kept, 'data'>,
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
  entries: Kept[],
  { msgType, data }: NewNotification,
  list: PackedList,
  timestamp: string,
): boolean {
  const at = entries.findLastIndex((entry) => entry.msg_type === msgType)
  const listed = at < 0 ? undefined : (entries[at] as Partial<Listed>)[LISTED]
  if (listed?.about !== list.about || typeof data === 'function') return false
  const about = { ...headOf(entries[at]), timestamp }
  entries[at] = listEntry(about, data, list, withList(listed.entries, list))
  return true
}

/**
 * Puts an event in the queue. One of a feed is merged into a waiting one, or takes its place at the
 * end, where that loses nothing. Returns how many a full queue parted with for it: 0 or 1.
 */
export function enqueue(queue: NotificationQueue, event: NewNotification): 0 | 1 {
  const { entries } = queue
  const { type, msgType, data, replaces } = event
  const timestamp = new Date(event.wallMs).toISOString()
  if (mergeIn(entries, event, timestamp)) return 0
  if (replaces !== undefined) {
    const at = entries.findLastIndex((entry) => keyOf(entry) === replaces)
    if (at >= 0) entries.splice(at, 1)
  }
  const isFull = entries.length >= NOTIFICATIONS_MAX
  if (isFull) {
    queue.dropped += 1
    if (!makeRoom(entries, event.importance)) return 1
  }
  const about = {
    id: String(queue.nextId),
    type,
    msg_type: msgType,
    timestamp,
    [KEPT_AS]: event.importance,
  }
  if (typeof data === 'function') entries.push(lazyEntry(about, data, replaces))
  else if (event.list) {
    entries.push(listEntry(about, data, event.list, withList(new Map(), event.list)))
  } else entries.push({ ...about, data })
  queue.nextId += 1
  return isFull ? 1 : 0
}

/** Drops the oldest of the least important; false when a newcomer is less important than all. */
function makeRoom(entries: Kept[], newcomer: Importance): boolean {
  let least = 0
  for (let at = 1; at < entries.length; at++)
    if (entries[at][KEPT_AS] < entries[least][KEPT_AS]) least = at
  if (entries[least][KEPT_AS] > newcomer) return false
  entries.splice(least, 1)
  return true
}

/** All of an entry but its data, which is not made before somebody reads it. */
function headOf({ id, type, msg_type, timestamp, [KEPT_AS]: kept }: Kept): Omit<Kept, 'data'> {
  return { id, type, msg_type, timestamp, [KEPT_AS]: kept }
}

const keyOf = (entry: object): unknown => (entry as { [REPLACED_AS]?: string })[REPLACED_AS]

function lazyEntry(
  about: Omit<Kept, 'data'>,
  data: () => Payload,
  replaces: string | undefined,
): Kept {
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

/** How many entries were pushed out; whoever asks has been told. */
export function takeDropped(queue: NotificationQueue): number {
  const { dropped } = queue
  queue.dropped = 0
  return dropped
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
