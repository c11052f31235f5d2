/** Indexes of books and orders, and what is collected within a tick: requests, results, sums. */
import { overColumns } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { hash32 } from '../../core/rng.ts'
import { rowIndex } from '../../core/row-index.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import type { Followers } from '../account/state.ts'
import { type FillView, Order, OrderPlace, OrderRequest, type Side } from './state.ts'

/** Books that took the place of staged ones, by staged row; emptied after each section. */
export const ADOPTED_BOOKS = defineIndex('market.adopted_books', () => new Map<Row, Row>())

/** Book row by base and item. */
export const BOOKS = defineIndex('market.books', () => new Map<number, Row>())

/** Books of company stores, by base, then by faction and item. */
export const STORE_BOOKS = defineIndex('market.store_books', () => new Map<Row, Map<number, Row>>())

export interface DeliveredGoods {
  readonly toCargo: number
  readonly toStorage: number
}

export interface TakenGoods {
  readonly fromCargo: number
  readonly fromStorage: number
}

/** A buyer that is neither a player nor the manager; it only takes, in phase produce. */
export interface Payer {
  /** Owner code: lots of this owner are passed over. */
  readonly owner: number
  /** Ledger account that pays. */
  readonly account: Row
  /** Container the goods go to. */
  readonly goods: Row
  /** Maximum of fills of the command. */
  readonly fillsMax: number
}

/** A command whose requests are entered: of a player, or of the manager (0), at one base. */
export interface EnteredCommand {
  /** Who pays where it is neither the player nor the manager. */
  readonly payer?: Payer
  readonly player: Eid
  readonly base: Eid
  readonly rows: Row[]
  /** Is called with the results of the requests, in their order. */
  reply(world: World, results: readonly RequestResult[]): void
}

/** Emptied when the requests have been worked out: never there between batches. */
export const ENTERED = defineIndex('market.entered', () => ({
  rows: 0,
  /** Number of those that may take rows in the tables of orders. */
  mayGrow: 0,
  commands: [] as EnteredCommand[],
  /** Staged rows of books that the requests would open, by base, item and company store. */
  books: new Map<number, Row>(),
  /** Reserved for requests of factions, at most needed: credits by treasury, units by store. */
  reserved: new Map<string, number>(),
}))

/** Followers by base. */
export const FOLLOWERS = defineIndex('market.followers', () => new Map() as Followers)

/**
 * Finds orders by owner, book, side and price, for kernels too; used up orders stay for the tick.
 */
export const ordersByPlace = overColumns((columns) => {
  const { player, faction, bucket, book, side, price, taxBps, ...order } = columns.of(Order)
  const { number, remaining } = order
  const request = columns.of(OrderRequest)
  const { slots } = columns.of(OrderPlace)
  const index = rowIndex(slots)
  const hashOf = (row: number, at: number): number =>
    hash32(player[row] || faction[row], book[row], side[row], at)

  /** Returns the player whose order a request would be; 0: a faction's or a manager's. */
  const ownerOf = (requestRow: number): number =>
    request.faction[requestRow] === 0 ? request.player[requestRow] : 0

  /** Returns whether units of a request at a price may join an order. */
  const takes = (row: number, requestRow: number, at: number): boolean =>
    remaining[row] > 0 &&
    player[row] === ownerOf(requestRow) &&
    faction[row] === request.faction[requestRow] &&
    bucket[row] === request.bucket[requestRow] &&
    book[row] === request.book[requestRow] &&
    side[row] === request.side[requestRow] &&
    price[row] === at &&
    taxBps[row] === request.taxBps[requestRow]

  return {
    takes,

    /** Returns the newest order that units of a request at a price may join; 0 none. */
    find(requestRow: number, at: number): number {
      const owner = ownerOf(requestRow) || request.faction[requestRow]
      const hash = hash32(owner, request.book[requestRow], request.side[requestRow], at)
      let found = 0
      for (let slot = index.start(hash); slots[slot * 2] !== 0; slot = index.after(slot)) {
        const row = slots[slot * 2]
        if (slots[slot * 2 + 1] !== hash || !takes(row, requestRow, at)) continue
        if (found === 0 || number[row] > number[found]) found = row
      }
      return found
    },
    /** Adds an order under the price it has now. */
    put: (row: number, at: number): void => index.put(hashOf(row, at), row),
    /** Removes an order from the price it was added under. */
    remove: (row: number, at: number): void => index.remove(hashOf(row, at), row),
    clear: index.clear,
  }
})

/** Books whose manager traded in this tick: requoted in produce. */
export const TRADED_BOOKS = defineIndex('market.traded', () => new Set<Row>())

/**
 * Quotes of managers that rest in full, by managed item: with this stock (-1: it does not stand)
 * and at least this many free credits there is nothing to quote anew. Filled as they are found to
 * stand; a trade strikes them.
 */
export const STANDING_QUOTES = defineIndex('market.standing_quotes', () => ({
  stock: new Float64Array(ROWS.managed + 1).fill(-1),
  freeMin: new Float64Array(ROWS.managed + 1),
}))

/** The result of a request; its figures stand in its row until the answer is made. */
export interface RequestResult {
  readonly row: Row
  readonly fills: FillView[]
  readonly delivered: DeliveredGoods
  readonly taken: TakenGoods
  /** Experience for the trades of the request; absent without any. */
  readonly xp?: TradeXp
}

/** Fills of one order at one price in this tick. */
export interface MakerFill {
  readonly base: Eid
  readonly item: number
  readonly side: Side
  /** Owner, or the member who placed it for a faction; 0: the manager of the base. */
  readonly player: Eid
  /** Owner, of a faction order. */
  readonly faction: Row
  readonly bucket: number
  readonly price: number
  units: number
  /** Credits of it traded with players. */
  withPlayers: number
  /** Credits of it traded with related parties. */
  related: number
  /** Sales tax of what was bought, credits. */
  tax: number
  /** Tax escrow left over when the order closed. */
  refund: number
}

/** Credits in an exchange's escrow that are due to its empire and its station. */
export interface Dues {
  tax: number
  fee: number
}

/** Emptied by `market.settle` in the same tick: never there between batches. */
export const PENDING_SETTLEMENT = defineIndex('market.owed', () => ({
  fills: new Map<string, MakerFill>(),
  dues: new Map<Eid, Dues>(),
}))

export interface TradeXp {
  readonly trading: number
  readonly tradingLevel: number
  readonly levelUp: boolean
  /** True if contraband was sold at a pirate base. */
  readonly isSmuggling: boolean
  readonly smuggling: number
  readonly smugglingLevelUp: boolean
}

interface TickXp {
  credits: number
  smuggled: number
  trading: number
  smuggling: number
}

/** Trade of the tick by player, and the XP given for it; emptied in phase settle. */
export const TICK_XP = defineIndex('market.tick_xp', () => new Map<Eid, TickXp>())
