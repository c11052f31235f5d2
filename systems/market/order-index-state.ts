/**
 * Indexes of books and orders, and data that exists only within a tick: requests, results, sums.
 */
import { overColumns } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { hash32 } from '../../core/rng.ts'
import { rowIndex } from '../../core/row-index.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import type { Followers } from '../account/state.ts'
import { type FillView, Order, OrderPlace, OrderRequest, type Side } from './state.ts'

/** Permanent books that replaced staged ones, by staged row; cleared after each section. */
export const ADOPTED_BOOKS = defineIndex('market.adopted_books', () => new Map<Row, Row>())

/** Book row by base and item. */
export const BOOKS = defineIndex('market.books', () => new Map<number, Row>())

/** Books of company stores by base, then by faction and item. */
export const STORE_BOOKS = defineIndex('market.store_books', () => new Map<Row, Map<number, Row>>())

/** Units of a purchase, by where they were delivered. */
export interface DeliveredGoods {
  readonly toCargo: number
  readonly toStorage: number
}

/** Units of a sale, by where they were taken from. */
export interface TakenGoods {
  readonly fromCargo: number
  readonly fromStorage: number
}

/** A buyer that is neither a player nor the manager; it only buys at once, in phase produce. */
export interface Payer {
  /** Owner code; lots of this owner are skipped. */
  readonly owner: number
  /** Ledger account that pays. */
  readonly account: Row
  /** Container that gets the goods. */
  readonly goods: Row
  /** Limit of fills of the command. */
  readonly fillsMax: number
}

/** A command of a player or a manager at one base, whose requests have been entered. */
export interface EnteredCommand {
  /** The buyer, if it is neither the player nor the manager. */
  readonly payer?: Payer
  /** The player; 0 for the manager. */
  readonly player: Eid
  readonly base: Eid
  /** The request rows. */
  readonly rows: Row[]
  /** Is called with the results of the requests, in their order. */
  reply(world: World, results: readonly RequestResult[]): void
}

/** Requests entered in this section; cleared once they are processed, so empty between batches. */
export const ENTERED = defineIndex('market.entered', () => ({
  /** Number of requests. */
  rows: 0,
  /** Number of requests that may take rows in the tables of orders. */
  mayGrow: 0,
  commands: [] as EnteredCommand[],
  /** Staged books that the requests may open, by base, item and company store. */
  books: new Map<number, Row>(),
  /** Maximum cost reserved for requests of factions: credits by treasury, units by store. */
  reserved: new Map<string, number>(),
}))

/** Followers by base. */
export const FOLLOWERS = defineIndex('market.followers', () => new Map() as Followers)

/**
 * Finds orders by owner, book, side and price; kernels use it too. Used-up orders stay in it until
 * the end of the tick.
 */
export const ordersByPlace = overColumns((columns) => {
  const { player, faction, bucket, book, side, price, taxBps, ...order } = columns.of(Order)
  const { number, remaining } = order
  const request = columns.of(OrderRequest)
  const { slots } = columns.of(OrderPlace)
  const index = rowIndex(slots)
  const hashOf = (row: number, orderPrice: number): number =>
    hash32(player[row] || faction[row], book[row], side[row], orderPrice)

  /** Returns the player whose order a request would be; 0 for a faction or a manager. */
  const ownerOf = (requestRow: number): number =>
    request.faction[requestRow] === 0 ? request.player[requestRow] : 0

  /** Returns whether units of a request at a price may be added to an order. */
  const takes = (row: number, requestRow: number, requestPrice: number): boolean =>
    remaining[row] > 0 &&
    player[row] === ownerOf(requestRow) &&
    faction[row] === request.faction[requestRow] &&
    bucket[row] === request.bucket[requestRow] &&
    book[row] === request.book[requestRow] &&
    side[row] === request.side[requestRow] &&
    price[row] === requestPrice &&
    taxBps[row] === request.taxBps[requestRow]

  return {
    takes,

    /** Returns the newest order to which units of a request at a price may be added; 0 if none. */
    find(requestRow: number, requestPrice: number): number {
      const owner = ownerOf(requestRow) || request.faction[requestRow]
      const hash = hash32(owner, request.book[requestRow], request.side[requestRow], requestPrice)
      let found = 0
      for (let slot = index.start(hash); slots[slot * 2] !== 0; slot = index.after(slot)) {
        const row = slots[slot * 2]
        if (slots[slot * 2 + 1] !== hash || !takes(row, requestRow, requestPrice)) continue
        if (found === 0 || number[row] > number[found]) found = row
      }
      return found
    },
    /** Adds an order under its present price. */
    put: (row: number, orderPrice: number): void => index.put(hashOf(row, orderPrice), row),
    /** Removes an order from the price under which it was added. */
    remove: (row: number, orderPrice: number): void => index.remove(hashOf(row, orderPrice), row),
    clear: index.clear,
  }
})

/** Books in which a manager traded in this tick; they are quoted anew in phase produce. */
export const TRADED_BOOKS = defineIndex('market.traded', () => new Set<Row>())

/**
 * Quotes of managers that are up to date, by managed item: while the stock is this (-1: not up to
 * date) and at least `freeMin` credits are free, nothing has to be quoted anew. Recorded when a
 * quote turns out to be unchanged; reset by trades.
 */
export const CURRENT_QUOTES = defineIndex('market.standing_quotes', () => ({
  stock: new Float64Array(ROWS.managed + 1).fill(-1),
  freeMin: new Float64Array(ROWS.managed + 1),
}))

/** The result of a request; further values are in its row until the answer is made. */
export interface RequestResult {
  readonly row: Row
  readonly fills: FillView[]
  readonly delivered: DeliveredGoods
  readonly taken: TakenGoods
  /** Experience for the trades of the request; absent without any. */
  readonly xp?: TradeXp
}

/** Fills of one order at one price in this tick, to be settled with its owner. */
export interface MakerFill {
  readonly base: Eid
  readonly item: number
  readonly side: Side
  /** Owner, or the member who placed it for a faction; 0 for the manager of the base. */
  readonly player: Eid
  /** For a faction order: the owner; otherwise 0. */
  readonly faction: Row
  readonly bucket: number
  readonly price: number
  units: number
  /** Credits traded with unrelated players. */
  withPlayers: number
  /** Credits traded with related parties. */
  related: number
  /** Sales tax on the goods bought, credits. */
  tax: number
  /** Tax escrow left over when the order closed, credits. */
  refund: number
}

/** Credits in an exchange's escrow that are due to its empire and its station. */
export interface Dues {
  tax: number
  fee: number
}

/** Amounts due to others until `market.settle` in the same tick; empty between batches. */
export const PENDING_SETTLEMENT = defineIndex('market.owed', () => ({
  fills: new Map<string, MakerFill>(),
  dues: new Map<Eid, Dues>(),
}))

/** Experience awarded for the trades of a request. */
export interface TradeXp {
  readonly trading: number
  readonly tradingLevel: number
  readonly levelUp: boolean
  /** True if contraband was sold at a pirate base. */
  readonly isSmuggling: boolean
  readonly smuggling: number
  readonly smugglingLevelUp: boolean
}

/** Credits traded by a player in a tick, and the experience given for them. */
interface TickXp {
  credits: number
  smuggled: number
  trading: number
  smuggling: number
}

/** Trades and experience of the tick, by player; cleared in phase settle. */
export const TICK_XP = defineIndex('market.tick_xp', () => new Map<Eid, TickXp>())
