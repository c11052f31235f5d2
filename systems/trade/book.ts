/**
 * The pending offers: finding, entering, ending them, and what lapses when. Who may and what moves
 * is offers.ts and swap.ts. Source: trade-storage.md section 2.
 */
import { seqOfWireId, wireId } from '../../core/entity.ts'
import {
  LAPSED_TICKS,
  LAPSED_TRADES_MAX,
  TRADE_DECLINE_TICKS,
  TRADE_DECLINES_MAX,
} from '../../core/limits.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import {
  type DeclineRule,
  declineWaitOf,
  forgetDeclines,
  pairOf,
  recordDecline,
} from '../account/decline-rules.ts'
import { DECLINES, LAPSED, TRADES, type Trade } from './columns.ts'

const KIND = 'trade'

/** Numbers of offers by offerer and target, and of what is due by tick. */
const BOOK = defineIndex('trade.book', () => ({
  out: new Map<number, Set<number>>(),
  incoming: new Map<number, Set<number>>(),
  due: new Map<number, number[]>(),
  /** Lapsed ones to be forgotten. */
  forget: new Map<number, number[]>(),
}))

export const numberOf = (view: WorldView, player: Eid): number => view.read(Player).seq[player]

/** The UUID of a trade on the wire. */
export const tradeId = (view: WorldView, { number }: Trade): string =>
  wireId(view.seed, KIND, number)

const numberOfId = (view: WorldView, id: string): number => seqOfWireId(view.seed, KIND, id)

/** A pending trade by wire id. */
export function tradeById(view: WorldView, id: string): Trade | undefined {
  const number = numberOfId(view, id)
  return number === 0 ? undefined : view.records(TRADES).get(String(number))
}

/** True for an offer that lapsed unanswered within the last hour. */
export const hasLapsed = (view: WorldView, id: string): boolean =>
  view.records(LAPSED).has(String(numberOfId(view, id)))

function tradesOf(view: WorldView, numbers: Iterable<number> | undefined): Trade[] {
  const trades = view.records(TRADES)
  return [...(numbers ?? [])]
    .sort((a, b) => a - b)
    .flatMap((number) => trades.get(String(number)) ?? [])
}

/** Pending offers of a player, the oldest first; at most 10. */
export const offersOf = (view: WorldView, player: Eid): Trade[] =>
  tradesOf(view, view.index(BOOK).out.get(numberOf(view, player)))

/** Pending offers to a player, the oldest first; at most 20. */
export const offersTo = (view: WorldView, player: Eid): Trade[] =>
  tradesOf(view, view.index(BOOK).incoming.get(numberOf(view, player)))

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const found = map.get(key)
  if (found) found.push(value)
  else map.set(key, [value])
}

function add(map: Map<number, Set<number>>, key: number, value: number): void {
  const found = map.get(key)
  if (found) found.add(value)
  else map.set(key, new Set([value]))
}

function remove(map: Map<number, Set<number>>, key: number, value: number): void {
  const found = map.get(key)
  found?.delete(value)
  if (found?.size === 0) map.delete(key)
}

function index(world: World, trade: Trade): void {
  const { out, incoming, due } = world.index(BOOK)
  add(out, trade.offerer, trade.number)
  add(incoming, trade.target, trade.number)
  push(due, trade.expireTick, trade.number)
}

/** Enters a new offer; the caller has seen to the limits. */
export function enterTrade(world: World, made: Omit<Trade, 'number'>): Trade {
  const trade: Trade = { number: world.nextNumber(KIND), ...made }
  world.records(TRADES).set(String(trade.number), trade)
  index(world, trade)
  return trade
}

/** Takes an offer out of the book, whatever became of it. */
export function dropTrade(world: World, trade: Trade): void {
  const { out, incoming } = world.index(BOOK)
  world.records(TRADES).delete(String(trade.number))
  remove(out, trade.offerer, trade.number)
  remove(incoming, trade.target, trade.number)
}

/* Declines */

const DECLINED: DeclineRule = {
  records: DECLINES,
  ticks: TRADE_DECLINE_TICKS,
  most: TRADE_DECLINES_MAX,
}

/** Ticks until a player may make another an offer again; 0: now. */
export const waitingTicks = (view: WorldView, offerer: number, target: number): number =>
  declineWaitOf(view, DECLINED, pairOf(offerer, target))

/** Notes that an offer was declined. */
export const noteDeclined = (world: World, { offerer, target }: Trade): void =>
  recordDecline(world, DECLINED, pairOf(offerer, target))

/* Time */

function lapseTrade(world: World, number: number): void {
  const trade = world.records(TRADES).get(String(number))
  if (!trade) return
  dropTrade(world, trade)
  const lapsed = world.records(LAPSED)
  // ours: what there is no room to remember is unknown at once
  if (lapsed.size >= LAPSED_TRADES_MAX) return
  lapsed.set(String(number), world.tick)
  push(world.index(BOOK).forget, world.tick + LAPSED_TICKS, number)
}

/** What is due in this tick lapses, or is forgotten. Looks at nothing else. */
export function sweepTrades(world: World): void {
  const { due, forget } = world.index(BOOK)
  for (const number of due.get(world.tick) ?? []) lapseTrade(world, number)
  for (const number of forget.get(world.tick) ?? []) world.records(LAPSED).delete(String(number))
  for (const map of [due, forget]) map.delete(world.tick)
  forgetDeclines(world, DECLINED)
}

/** Fills the indexes from the records, after a restore. */
export function rebuildTrades(world: World): void {
  const book = world.index(BOOK)
  for (const map of Object.values(book)) map.clear()
  for (const [, trade] of world.records(TRADES).entries()) index(world, trade)
  for (const [number, tick] of world.records(LAPSED).entries()) {
    push(book.forget, tick + LAPSED_TICKS, Number(number))
  }
}
