/** Tables of chat. */
import { type Failure, fail } from '../../core/errors.ts'
import {
  CHAT_KNOWN_PARTNERS_MAX,
  CHAT_NEW_PARTNERS_PER_HOUR,
  CHAT_SAME_TEXT_IN_10_S_MAX,
  CHATS_PER_MINUTE,
  ROWS,
} from '../../core/limits.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** A player's recent sending; made with the first message. */
interface Chatter {
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
interface ScopeLoad {
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
interface HeldBack {
  readonly sinceMs: number
  readonly count: number
}

/** Recipient number → pushes held back; empty but for players who are flooded. */
export const HELD_BACK = defineRecords<HeldBack>('held_back', ROWS.players)

export const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const SAME_TEXT_MS = 10_000

/** A message as the limits see it. */
export interface Said {
  readonly player: Eid
  /** Key of the scope. */
  readonly scope: string
  readonly text: string
  /** The recipient of a private message. */
  readonly partner?: Eid
  /** A scope that strangers share: it has a limit of its own. */
  readonly shared: boolean
}

/** A message as it is remembered: a hash of scope and text, and the partner's number or 0. */
export interface Remembered {
  readonly hash: number
  readonly partner: number
}

/**
 * What the batch that runs now has admitted and not yet stored: without it a burst in one batch
 * would pass unseen. Transient: a batch that could not store something is forgotten with its wall
 * time.
 */
export const DRAFTS = defineIndex('chat.drafts', () => ({
  wallMs: -1,
  tick: -1,
  byPlayer: new Map<string, Remembered[]>(),
  byScope: new Map<string, number>(),
}))

export const SILENT: Chatter = { sent: [], known: [], firsts: [] }

/** Without what has left the windows; a clock set back empties them. */
export function recent(chatter: Readonly<Chatter>, nowMs: number): Chatter {
  return {
    sent: chatter.sent.filter(([at]) => at > nowMs - MINUTE_MS && at <= nowMs),
    known: chatter.known,
    firsts: chatter.firsts.filter((at) => at > nowMs - HOUR_MS && at <= nowMs),
  }
}

export function withMessage(
  chatter: Chatter,
  { hash, partner }: Remembered,
  nowMs: number,
): Chatter {
  const sent = [...chatter.sent, [nowMs, hash] as const]
  if (partner === 0) return { ...chatter, sent }
  const isNew = !chatter.known.includes(partner)
  const others = chatter.known.filter((number) => number !== partner)
  return {
    sent,
    known: [...others, partner].slice(-CHAT_KNOWN_PARTNERS_MAX),
    firsts: isNew ? [...chatter.firsts, nowMs] : chatter.firsts,
  }
}

export function loadNow(load: Readonly<ScopeLoad> | undefined, nowMs: number): ScopeLoad {
  const minute = divFloor(nowMs, MINUTE_MS)
  if (load?.minute === minute) return load
  return { minute, count: 0, before: load?.minute === minute - 1 ? load.count : 0 }
}

/** Messages of the last 60 s, taking those of the minute before as evenly spread. */
export function inLastMinute(load: ScopeLoad, nowMs: number): number {
  const left = MINUTE_MS - (nowMs - load.minute * MINUTE_MS)
  return load.count + divFloor(load.before * left, MINUTE_MS)
}

export function tooMuch(
  chatter: Chatter,
  message: Remembered,
  now: number,
): Failure<'rate_limited'> | undefined {
  if (chatter.sent.length >= CHATS_PER_MINUTE) {
    return wait(chatter.sent[0][0] + MINUTE_MS - now, 'You have said a lot in this minute.')
  }
  const { hash, partner } = message
  const same = chatter.sent.filter(([at, other]) => other === hash && at > now - SAME_TEXT_MS)
  if (same.length >= CHAT_SAME_TEXT_IN_10_S_MAX) {
    return wait(same[0][0] + SAME_TEXT_MS - now, 'You have just said the same several times.')
  }
  const isNew = partner !== 0 && !chatter.known.includes(partner)
  if (isNew && chatter.firsts.length >= CHAT_NEW_PARTNERS_PER_HOUR) {
    return wait(chatter.firsts[0] + HOUR_MS - now, 'You have written to many strangers lately.')
  }
  return undefined
}

export function wait(ms: number, message: string): Failure<'rate_limited'> {
  return fail('rate_limited', { wait_seconds: Math.max(1, divCeil(ms, 1000)) }, message)
}
