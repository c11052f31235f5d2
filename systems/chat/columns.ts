/** What the chat limits remember. The messages themselves are archive text. */
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'

/** A player's recent sending; made with the first message. */
export interface Chatter {
  /**
   * Wall time in ms and hash of scope and text of each message of the last minute, oldest first.
   */
  readonly sent: readonly (readonly [number, number])[]
  /** Numbers of private partners, the latest last. */
  readonly known: readonly number[]
  /** Wall times in ms at which a new partner was written to, within the last hour. */
  readonly firsts: readonly number[]
}

/** Player number → sending. */
export const CHATTERS = defineRecords<Chatter>('chatters', ROWS.players)

/** Channels whose reading is remembered. */
export const UNREAD_CHANNELS = ['system', 'local', 'faction', 'private'] as const
export type UnreadChannel = (typeof UNREAD_CHANNELS)[number]

/** Player number → wall time in ms up to which each channel has been read. */
export const WATERMARKS = defineRecords<Readonly<Partial<Record<UnreadChannel, number>>>>(
  'chat_watermarks',
  ROWS.players,
)

/** Messages of one scope in this minute and in the one before. */
export interface ScopeLoad {
  /** Wall time divided by a minute. */
  readonly minute: number
  readonly count: number
  readonly before: number
}

/** Scope key of a place or system → load. */
export const SCOPE_LOADS = defineRecords<ScopeLoad>('chat_scopes', ROWS.pois + ROWS.systems)

/** Pushes that other players caused at one recipient in a minute and that cannot be muted. */
export interface PushBudget {
  readonly minute: number
  readonly count: number
  /** Sender number → pushes. */
  readonly from: Readonly<Record<string, number>>
}

/** Recipient number → budget. */
export const PUSH_BUDGETS = defineRecords<PushBudget>('push_budgets', ROWS.players)

/** Pushes held back since `sinceMs`, and not yet summed up to the recipient. */
export interface HeldBack {
  readonly sinceMs: number
  readonly count: number
}

/** Recipient number → pushes held back; empty but for players who are flooded. */
export const HELD_BACK = defineRecords<HeldBack>('held_back', ROWS.players)
