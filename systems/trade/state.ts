/**
 * Trades between players: offers that wait for an answer. They are few, short-lived and full of
 * text, and so kept as records. An offer sets nothing aside: what it names is checked again when it
 * is accepted.
 */
import { defineRecords } from '../../core/records.ts'
import { defineIndex } from '../../core/world.ts'

/** Limits of pending offers, offers remembered as lapsed, and pairs with recent declines. */
export const TRADES_MAX = 200_000
export const LAPSED_TRADES_MAX = 50_000
const DECLINES_MAX = 100_000
export const TRADES_PER_PAIR_MAX = 3
export const TRADES_OUT_MAX = 10
export const TRADES_IN_MAX = 20
/** Lines of one side, at most. */
export const TRADE_LINES_MAX = 50
/** Ticks until an offer lapses, and ticks for which it is then remembered as lapsed. */
export const TRADE_TICKS = 30
export const LAPSED_TICKS = 360
/** After so many declines by one player within so many ticks, an offerer has to wait. */
export const TRADE_DECLINES_MAX = 3
export const TRADE_DECLINE_TICKS = 60

/** Numbers of offers by offerer and target, and of what is due by tick. */
export const BOOK = defineIndex('trade.book', () => ({
  outgoing: new Map<number, Set<number>>(),
  incoming: new Map<number, Set<number>>(),
  due: new Map<number, number[]>(),
  /** Lapsed offers to be forgotten. */
  forget: new Map<number, number[]>(),
}))

export interface TradeLine {
  /** Id of a good, or `package:<uuid>`. */
  readonly item_id: string
  readonly quantity: number
}

/** A pending offer. Source: trade-storage.md section 2. */
export interface Trade {
  readonly number: number
  /** Numbers of the players. */
  readonly offerer: number
  readonly target: number
  readonly offerItems: readonly TradeLine[]
  readonly offerCredits: number
  readonly requestItems: readonly TradeLine[]
  readonly requestCredits: number
  /** Number of the place where both players were when it was made. */
  readonly poi: number
  readonly madeMs: number
  /** Last tick in which it can be accepted. */
  readonly expireTick: number
}

/** Pending offers by their numbers. */
export const TRADES = defineRecords<Trade>('trades', TRADES_MAX)

/** Tick in which an unanswered offer lapsed, by its number; kept for an hour. */
export const LAPSED_TRADES = defineRecords<number>('trades_lapsed', LAPSED_TRADES_MAX)

/** Ticks in which a player recently declined another's offers: by their numbers, `a:b`. */
export const TRADE_DECLINES = defineRecords<readonly number[]>('trade_declines', DECLINES_MAX)
