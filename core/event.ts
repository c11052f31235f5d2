/**
 * Events: what players are told. One road for all of them (DESIGN 2): `emit` → outbox → publish
 * turns the audience into players → net sends, queues or drops by what each player has bound.
 */
import type { Static, TObject } from 'typebox'
import type { FeedShape } from './feed.ts'
import type { FeedDiff } from './ports.ts'
import type { Eid, Row, World } from './world.ts'

/**
 * Mute channels. The order is the bit in a player's mute mask, which is world state: append only.
 * social.md 6.
 */
export const MUTE_CHANNELS = [
  'chat.system',
  'chat.local',
  'chat.faction',
  'chat.emergency',
  'pirate_radio',
  'battle_alerts',
  'battle_ticker',
  'battle_events',
  'activity',
  'drones',
  'progression',
  'support',
] as const
export type MuteChannel = (typeof MUTE_CHANNELS)[number]

/** Categories of the HTTP and MCP queue. Source: social.md section 7. */
export type QueueType =
  | 'chat'
  | 'combat'
  | 'trade'
  | 'market'
  | 'observation'
  | 'crafting'
  | 'faction'
  | 'system'

/** Whom an event is for; the domain that owns `kind` resolves it when the batch is published. */
export type Audience =
  | { readonly kind: 'player'; readonly row: Eid }
  | { readonly kind: 'players'; readonly rows: readonly Eid[] }
  | { readonly kind: 'all' }
  | { readonly kind: 'poi' | 'system' | 'base'; readonly row: Row; readonly except?: Eid }

export interface EventDef<S extends TObject = TObject> {
  readonly type: string
  /** One sentence: OpenAPI and documentation. */
  readonly summary: string
  readonly fields: S
  readonly queue: QueueType
  /** The channel that mutes it on a WebSocket; absent: it cannot be muted. */
  channel?(payload: Static<S>): MuteChannel | undefined
  /** Told by `tellFeed`, not by `emit`. */
  readonly feed?: FeedShape
}

export function defineEvent<S extends TObject>(def: EventDef<S>): EventDef<S> {
  return def
}

/**
 * A list of a payload that may be long. It is put together entry by entry when the batch is
 * published, with others' work in between, and crosses to main as texts.
 */
export interface LongList {
  /** Field of the payload that holds it, the last one of it. */
  readonly name: string
  /** Id of what the list is about: a queue keeps one list of each, the last word on each key. */
  readonly about: string
  /** Names of the entries, each another. */
  readonly keys: readonly string[]
  /** The entry at a place, as the batch left the world. Asked for once. */
  entry(place: number): Readonly<Record<string, unknown>>
}

export interface Emission {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly audience: Audience
  /** Of a feed: `payload` is what is shared beside its list. */
  readonly feed?: FeedDiff
  /** `payload` is what stands before it. */
  readonly list?: LongList
}

/**
 * Tells an event when this batch is published. Nothing leaves before its journal row is durable.
 */
export function emit<S extends TObject>(
  world: World,
  event: EventDef<S>,
  payload: Static<S>,
  audience: Audience,
): void {
  world.outbox.emissions.push({
    type: event.type,
    payload: payload as Record<string, unknown>,
    audience,
  })
}

/** The same of an event with a long list: `payload` is all but the list. */
export function emitList<S extends TObject, K extends keyof Static<S>>(
  world: World,
  event: EventDef<S>,
  payload: Omit<Static<S>, K>,
  list: LongList & { readonly name: K },
  audience: Audience,
): void {
  world.outbox.emissions.push({ type: event.type, payload, audience, list })
}

export const toPlayer = (row: Eid): Audience => ({ kind: 'player', row })
