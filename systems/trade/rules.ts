/**
 * The book of pending offers: entering, ending and lapsing them. Who may offer, and what changes
 * hands, is in offers-commands.ts and commands.ts. Source: trade-storage.md section 2.
 */
import { addToList, addToSet, removeFromSet } from '../../core/groups.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { forgetDeclines, pairOf, recordDecline } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { isPackageIn } from '../cargo/model.ts'
import { packageById } from '../cargo/rules.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { DECLINE_RULE, KIND, offersOf, offersTo } from './model.ts'
import {
  BOOK,
  LAPSED_TICKS,
  LAPSED_TRADES,
  LAPSED_TRADES_MAX,
  TRADES,
  type Trade,
  type TradeLine,
} from './state.ts'

function indexTrade(world: World, trade: Trade): void {
  const { outgoing, incoming, due } = world.index(BOOK)
  addToSet(outgoing, trade.offerer, trade.number)
  addToSet(incoming, trade.target, trade.number)
  addToList(due, trade.expireTick, trade.number)
}

/** Enters a new offer; the caller has checked the limits. */
export function enterTrade(world: World, offer: Omit<Trade, 'number'>): Trade {
  const trade: Trade = { number: world.nextNumber(KIND), ...offer }
  world.records(TRADES).set(String(trade.number), trade)
  indexTrade(world, trade)
  return trade
}

/** Removes an offer from the book, whether it was accepted or not. */
export function dropTrade(world: World, trade: Trade): void {
  const { outgoing, incoming } = world.index(BOOK)
  world.records(TRADES).delete(String(trade.number))
  removeFromSet(outgoing, trade.offerer, trade.number)
  removeFromSet(incoming, trade.target, trade.number)
}

/** Counts a declined offer towards the wait of its offerer. */
export const recordDeclined = (world: World, { offerer, target }: Trade): void =>
  recordDecline(world, DECLINE_RULE, pairOf(offerer, target))

/* Time */

function lapseTrade(world: World, number: number): void {
  const trade = world.records(TRADES).get(String(number))
  if (!trade) return
  dropTrade(world, trade)
  const lapsed = world.records(LAPSED_TRADES)
  // ours: without room to remember a lapsed offer, it is trade_not_found, not trade_expired
  if (lapsed.size >= LAPSED_TRADES_MAX) return
  lapsed.set(String(number), world.tick)
  addToList(world.index(BOOK).forget, world.tick + LAPSED_TICKS, number)
}

/** Lapses the offers that are due in this tick, and forgets lapsed ones. O(due). */
export function sweepTrades(world: World): void {
  const { due, forget } = world.index(BOOK)
  for (const number of due.get(world.tick) ?? []) lapseTrade(world, number)
  for (const number of forget.get(world.tick) ?? [])
    world.records(LAPSED_TRADES).delete(String(number))
  for (const map of [due, forget]) map.delete(world.tick)
  forgetDeclines(world, DECLINE_RULE)
}

/** Fills the indexes from the records, after a restore. */
export function rebuildTrades(world: World): void {
  const book = world.index(BOOK)
  for (const map of Object.values(book)) map.clear()
  for (const [, trade] of world.records(TRADES).entries()) indexTrade(world, trade)
  for (const [number, tick] of world.records(LAPSED_TRADES).entries()) {
    addToList(book.forget, tick + LAPSED_TICKS, Number(number))
  }
}

const includesPackage = (view: WorldView, lines: readonly TradeLine[], pkg: Row): boolean =>
  lines.some(({ item_id }) => packageById(view, item_id) === pkg)

const isAboard = (view: WorldView, player: Eid, pkg: Row): boolean =>
  isPackageIn(view, view.read(Ship).hold[activeShip(view, player)], pkg)

/**
 * Returns whether a package is offered in a pending trade of the player, which lets them look into
 * it. A package that is only requested stays shut. Source: trade-storage.md section 5, Holding.
 */
export function isOfferedInTrade(view: WorldView, player: Eid, pkg: Row): boolean {
  return [...offersTo(view, player), ...offersOf(view, player)].some(
    ({ offerItems, offerer }) =>
      includesPackage(view, offerItems, pkg) && isAboard(view, view.rowOf(Player, offerer), pkg),
  )
}
