/** Tables of chat. */
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import { defineIndex } from '../../core/world.ts'

/** What a player has sent lately; recorded from the first message on. */
export interface Chatter {
  /**
   * Wall time in ms and hash of scope and text of each message of the last minute, oldest first.
   */
  readonly sent: readonly (readonly [number, number])[]
  /** Numbers of the players written to in private, the latest last. */
  readonly known: readonly number[]
  /** Wall times in ms of the first message to each new partner, within the last hour. */
  readonly firsts: readonly number[]
}

/** Chatters by player number. */
export const CHATTERS = defineRecords<Chatter>('chatters', ROWS.players)

/** Channels whose reading position is recorded. */
export const UNREAD_CHANNELS = ['system', 'local', 'faction', 'private'] as const
export type UnreadChannel = (typeof UNREAD_CHANNELS)[number]

/** By player number: wall time in ms up to which each channel has been read. */
export const WATERMARKS = defineRecords<Readonly<Partial<Record<UnreadChannel, number>>>>(
  'chat_watermarks',
  ROWS.players,
)

/** Counts the messages of a scope in the current minute and in the one before. */
export interface ScopeLoad {
  /** Minutes since 1970. */
  readonly minute: number
  /** Messages in this minute. */
  readonly count: number
  /** Messages in the minute before. */
  readonly before: number
}

/** Loads by scope key of a place or system. */
export const SCOPE_LOADS = defineRecords<ScopeLoad>('chat_scopes', ROWS.pois + ROWS.systems)

/** Counts the pushes that strangers sent within a minute to a recipient, who cannot mute them. */
export interface PushBudget {
  /** Minutes since 1970. */
  readonly minute: number
  readonly count: number
  /** Pushes by the number of their sender. */
  readonly from: Readonly<Record<string, number>>
}

/** Budgets by recipient number. */
export const PUSH_BUDGETS = defineRecords<PushBudget>('push_budgets', ROWS.players)

/** Counts the pushes held back since the recipient was last notified. */
interface HeldBack {
  /** Wall time of the first of them. */
  readonly sinceMs: number
  readonly count: number
}

/** Counts by recipient number; has entries only for players who are being flooded. */
export const HELD_BACK = defineRecords<HeldBack>('held_back', ROWS.players)

/** What rate limits record of a message. */
export interface MessageDigest {
  /** Of scope and text. */
  readonly hash: number
  /** Number of the recipient of a private message; 0 in other channels. */
  readonly partner: number
}

/**
 * Messages that the running batch has admitted and not yet stored; without them a burst within one
 * batch would pass uncounted. They are valid for the tick and wall time of that batch alone.
 */
export const DRAFTS = defineIndex('chat.drafts', () => ({
  wallMs: -1,
  tick: -1,
  byPlayer: new Map<string, MessageDigest[]>(),
  byScope: new Map<string, number>(),
}))
