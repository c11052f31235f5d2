/** Tables of order index (the market). */
import { overColumns } from '../../core/columns.ts'
import { hash32 } from '../../core/rng.ts'
import { rowSlots } from '../../core/slots.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import type { Followers } from '../account/state.ts'
import { type FillView, Order, OrderPlace, OrderRequest, type Side } from './state.ts'

/** Books that took the place of staged ones in this section. */
export const ADOPTED = defineIndex('market.adopted_books', () => new Map<Row, Row>())

/** Book row by base and item. */
export const BOOKS = defineIndex('market.books', () => new Map<number, Row>())

/** Books of company stores, by base, then by faction and item. */
export const STORES = defineIndex('market.store_books', () => new Map<Row, Map<number, Row>>())

export interface Delivered {
  readonly toCargo: number
  readonly toStorage: number
}

export interface Taken {
  readonly fromCargo: number
  readonly fromStorage: number
}

/** A buyer that is neither a player nor the manager: takes only, in produce. */
export interface Purse {
  /** Owner code: own lots are passed over. */
  readonly owner: number
  /** Ledger account that pays. */
  readonly account: Row
  /** Container the goods go to. */
  readonly goods: Row
  /** Most fills. */
  readonly fillsMax: number
}

/** A command whose requests are entered: of a player (or 0, the manager) at one base. */
export interface Entered {
  /** Who buys where it is not the player or the manager. */
  readonly purse?: Purse
  readonly player: Eid
  readonly base: Eid
  readonly rows: Row[]
  /** Told what became of the requests, in their order. */
  reply(world: World, done: readonly Done[]): void
}

/** Emptied when the requests have been worked out: never there between batches. */
export const ENTERED = defineIndex('market.entered', () => ({
  rows: 0,
  /** How many of them may make rows in the tables of orders. */
  mayGrow: 0,
  commands: [] as Entered[],
  /** Staged rows of books that the requests would open, by base, item and company store. */
  books: new Map<number, Row>(),
  /** What requests of factions may come to at worst: credits by account, units by store. */
  reserved: new Map<string, number>(),
}))

/** Followers by base. */
export const FOLLOWERS = defineIndex('market.followers', () => new Map() as Followers)

/** Kernels look up here; an order that was used up in this tick is still found. */
export const ordersByPlace = overColumns((columns) => {
  const { player, faction, bucket, book, side, price, taxBps, ...order } = columns.of(Order)
  const { number, remaining } = order
  const request = columns.of(OrderRequest)
  const { slots: words } = columns.of(OrderPlace)
  const slots = rowSlots(words)
  const keyOf = (row: number, at: number): number =>
    hash32(player[row] || faction[row], book[row], side[row], at)

  /** The player whose order a request would be; 0: a faction's or a manager's. */
  const ownerOf = (asked: number): number =>
    request.faction[asked] === 0 ? request.player[asked] : 0

  /** True if units of a request at a price may join an order. */
  const takes = (row: number, asked: number, at: number): boolean =>
    remaining[row] > 0 &&
    player[row] === ownerOf(asked) &&
    faction[row] === request.faction[asked] &&
    bucket[row] === request.bucket[asked] &&
    book[row] === request.book[asked] &&
    side[row] === request.side[asked] &&
    price[row] === at &&
    taxBps[row] === request.taxBps[asked]

  return {
    takes,

    /** The newest order that units of a request at a price may join; 0 none. */
    find(asked: number, at: number): number {
      const owner = ownerOf(asked) || request.faction[asked]
      const key = hash32(owner, request.book[asked], request.side[asked], at)
      let found = 0
      for (let slot = slots.start(key); words[slot * 2] !== 0; slot = slots.after(slot)) {
        const row = words[slot * 2]
        if (words[slot * 2 + 1] !== key || !takes(row, asked, at)) continue
        if (found === 0 || number[row] > number[found]) found = row
      }
      return found
    },
    /** `at` is the price it has at that point of the tick, or had when it was put in. */
    put: (row: number, at: number): void => slots.put(keyOf(row, at), row),
    remove: (row: number, at: number): void => slots.remove(keyOf(row, at), row),
    clear: slots.clear,
  }
})

/** Books whose manager traded in this tick: quoted anew in produce. */
export const TRADED = defineIndex('market.traded', () => new Set<Row>())

/** What a request came to; its figures stand in its row until the answer is made. */
export interface Done {
  readonly row: Row
  readonly fills: FillView[]
  readonly delivered: Delivered
  readonly taken: Taken
  /** Of the trades of the request; none without any. */
  readonly xp?: TradeXp
}

/** Fills of one order at one price in this tick. */
export interface MakerFill {
  readonly base: Eid
  readonly item: number
  readonly side: Side
  /** Owner, or the member who placed it for a faction; 0 for the manager of the base. */
  readonly player: Eid
  /** Owner, of a faction order. */
  readonly faction: Row
  readonly bucket: number
  readonly price: number
  units: number
  /** Of it sold to or bought from players, credits. */
  withPlayers: number
  /** Of it traded with those who belong together, credits. */
  related: number
  /** Sales tax of what was bought, credits. */
  tax: number
  /** Tax escrow left over when the order closed. */
  refund: number
}

export interface Dues {
  tax: number
  fee: number
}

/** Emptied by `market.settle` in the same tick: never there between batches. */
export const OWED = defineIndex('market.owed', () => ({
  fills: new Map<string, MakerFill>(),
  dues: new Map<Eid, Dues>(),
}))

export interface TradeXp {
  readonly trading: number
  readonly tradingLevel: number
  readonly levelUp: boolean
  /** Contraband was sold at a pirate base. */
  readonly isSmuggling: boolean
  readonly smuggling: number
  readonly smugglingLevelUp: boolean
}

interface Sum {
  credits: number
  smuggled: number
  trading: number
  smuggling: number
}

/** Emptied in phase settle of the same tick. */
export const TICK_SUMS = defineIndex('market.tick_xp', () => new Map<Eid, Sum>())
