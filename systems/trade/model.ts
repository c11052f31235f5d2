/** Lookups of trades, by wire id and by party, and of the wait after declined offers. */
import { seqOfWireId, wireId } from '../../core/entity.ts'
import { playerNumber } from '../../core/pending.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { type DeclineRule, declineWaitOf, pairOf } from '../account/model.ts'
import {
  BOOK,
  LAPSED_TRADES,
  TRADE_DECLINE_TICKS,
  TRADE_DECLINES,
  TRADE_DECLINES_MAX,
  TRADES,
  type Trade,
} from './state.ts'

export const KIND = 'trade'

/** Returns the id of a trade on the wire, a UUID. */
export const tradeId = (view: WorldView, { number }: Trade): string =>
  wireId(view.seed, KIND, number)

const seqOfId = (view: WorldView, id: string): number => seqOfWireId(view.seed, KIND, id)

/** Returns the pending trade with an id; undefined if there is none. */
export function tradeById(view: WorldView, id: string): Trade | undefined {
  const number = seqOfId(view, id)
  return number === 0 ? undefined : view.records(TRADES).get(String(number))
}

/** Returns whether an offer lapsed unanswered within the last hour. */
export const hasLapsed = (view: WorldView, id: string): boolean =>
  view.records(LAPSED_TRADES).has(String(seqOfId(view, id)))

function tradesOf(view: WorldView, numbers: Iterable<number> | undefined): Trade[] {
  const trades = view.records(TRADES)
  return [...(numbers ?? [])]
    .sort((a, b) => a - b)
    .flatMap((number) => trades.get(String(number)) ?? [])
}

/** Returns the pending offers of a player, the oldest first; at most 10. */
export const offersOf = (view: WorldView, player: Eid): Trade[] =>
  tradesOf(view, view.index(BOOK).outgoing.get(playerNumber(view, player)))

/** Returns the pending offers to a player, the oldest first; at most 20. */
export const offersTo = (view: WorldView, player: Eid): Trade[] =>
  tradesOf(view, view.index(BOOK).incoming.get(playerNumber(view, player)))

/* Declines */

export const DECLINE_RULE: DeclineRule = {
  records: TRADE_DECLINES,
  ticks: TRADE_DECLINE_TICKS,
  max: TRADE_DECLINES_MAX,
}

/** Returns the ticks until a player may make offers to another one again; 0: now. */
export const waitingTicks = (view: WorldView, offerer: number, target: number): number =>
  declineWaitOf(view, DECLINE_RULE, pairOf(offerer, target))
