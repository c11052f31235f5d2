/**
 * Events sent to players. All take one path (DESIGN 2): `emit` puts them into the outbox, publish
 * resolves the audience to players, and net sends, queues or drops them, depending on the channels
 * that each player has bound.
 */
import type { Static, TObject } from 'typebox'
import type { Audience, Eid, FeedShape, LongList, World } from './types.ts'

/**
 * Mute channels. The index is the bit in a player's mute mask, which is world state: append only.
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
type QueueType =
  | 'chat'
  | 'combat'
  | 'trade'
  | 'market'
  | 'observation'
  | 'crafting'
  | 'faction'
  | 'system'

export interface EventDef<S extends TObject = TObject> {
  readonly type: string
  /** One sentence: OpenAPI and documentation. */
  readonly summary: string
  readonly fields: S
  readonly queue: QueueType
  /** Returns the channel that mutes it on a WebSocket; absent: it cannot be muted. */
  channel?(payload: Static<S>): MuteChannel | undefined
  /** Set for a feed, which is sent by `notifyFeed`, not by `emit`. */
  readonly feed?: FeedShape
}

/** Declares an event. */
export function defineEvent<S extends TObject>(def: EventDef<S>): EventDef<S> {
  return def
}

/** Sends an event when this batch is published, after its journal row is durable. */
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

/** Sends an event with a long list; `payload` holds the fields before the list. */
export function emitList<S extends TObject, K extends keyof Static<S>>(
  world: World,
  event: EventDef<S>,
  payload: Omit<Static<S>, K>,
  list: LongList & { readonly name: K },
  audience: Audience,
): void {
  world.outbox.emissions.push({ type: event.type, payload, audience, list })
}

/** Returns the audience of a single player. */
export const toPlayer = (row: Eid): Audience => ({ kind: 'player', row })
