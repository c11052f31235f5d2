/**
 * Entering requests: an order command is checked on the world thread, then becomes rows that the
 * kernel works out at the end of phase act. Nothing of a request is state: one that is refused
 * leaves no trace (I12). Source: market.md section 10.
 */
import { assert } from '../../core/assert.ts'
import { rowsOf, type TableDef } from '../../core/columns.ts'
import { balanceOf } from '../../core/ledger.ts'
import { FILLS_PER_COMMAND_MAX, TABLE_FILL_MAX_PCT } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { factionOf } from '../faction/model.ts'
import { bookOf, factionOrders, factionOrdersHere, ordersHere, storeBook } from './book-model.ts'
import {
  factionCode,
  factionTaxBps,
  listingFeeBps,
  ordersMax,
  playerCode,
  salesTaxBps,
  stationCode,
} from './model.ts'
import { ENTERED, type Entered } from './order-index-state.ts'
import type { DeliverTo } from './rules.ts'
import {
  BID,
  Book,
  Level,
  Lot,
  Order,
  OrderRequest,
  PlayerOrders,
  REQUEST_KINDS,
  type Side,
} from './state.ts'

export interface Asked {
  readonly kind: (typeof REQUEST_KINDS)[number]
  readonly side: Side
  /** Index into GOODS. */
  readonly item: number
  /** Units wanted; 0 where the order says. */
  readonly units: number
  /** Credits a unit, of a limit order or a modification. */
  readonly price?: number
  /** Worst price of a take, credits a unit; absent: any. */
  readonly limit?: number
  /** To be modified or cancelled. */
  readonly order?: Row
  readonly autoList?: boolean
  /** Where what is bought at once goes. */
  readonly deliverTo?: DeliverTo
  /** Units the seller has. */
  readonly goods?: number
  /** Units the buyer has room for. */
  readonly room?: number
  /** What the buyer has; absent: what is in their wallet. */
  readonly credits?: number
  /** Whose order it is; absent: the player's own, or the manager's. */
  readonly faction?: Row
  /** Of a faction order: in its company store, seen by members alone. */
  readonly isPrivate?: boolean
  /** Of a faction order: the bucket of its goods; absent: the main store. */
  readonly bucket?: number
  /** Most open orders of the owner at the base; absent: as any player. */
  readonly ordersHereMax?: number
}

export function enterCommand(world: World, command: Omit<Entered, 'rows'>): Entered {
  const { purse, player, base, reply } = command
  const entered: Entered = { purse, player, base, rows: [], reply }
  world.index(ENTERED).commands.push(entered)
  return entered
}

/** Rows that orders may still take of a table; the managers keep a reserve. */
function rowsLeft(view: WorldView, table: TableDef): number {
  const most = divFloor(rowsOf(table, view.maxEntities) * TABLE_FILL_MAX_PCT, 100)
  return most - view.countOf(table)
}

const bookKey = (base: Eid, item: number, store: Row): number =>
  (store * 0x10000 + item) * 0x100000 + base

/** A book as it stands or is about to be opened; 0 none. `store`: a faction's, 0 the public one. */
function seenBook(view: WorldView, base: Eid, item: number, store: Row): Row {
  const found = store === 0 ? bookOf(view, base, item) : storeBook(view, base, store, item)
  return found || (view.index(ENTERED).books.get(bookKey(base, item, store)) ?? 0)
}

/** The book of a request; where there is none yet, the staged row of the first to open it. */
function bookFor(world: World, base: Eid, item: number, store: Row, row: Row): Row {
  const found = seenBook(world, base, item, store)
  if (found !== 0) return found
  const staged = world.stagedRow(Book, row)
  world.clearRow(Book, staged)
  const book = world.write(Book)
  book.base[staged] = base
  book.item[staged] = item
  book.faction[staged] = store
  world.index(ENTERED).books.set(bookKey(base, item, store), staged)
  return staged
}

/** The company store whose orders a trader sees; 0 none. */
const storeSeen = (view: WorldView, player: Eid, { faction }: Asked): Row =>
  faction ?? (player === 0 ? 0 : factionOf(view, player))

/** The books a request meets: the one it would rest in, and the other one its owner sees. */
function enterBooks(world: World, command: Entered, asked: Asked, row: Row): void {
  const { player, base } = command
  const request = world.write(OrderRequest)
  const seen = storeSeen(world, player, asked)
  const store = isInStore(world, asked) ? seen : 0
  request.book[row] = bookFor(world, base, asked.item, store, row)
  const other = store === 0 ? seen : 0
  request.otherBook[row] = other === store ? 0 : seenBook(world, base, asked.item, other)
}

/** True of an order in a company store, asked for or standing there. */
const isInStore = (view: WorldView, { isPrivate, order = 0 }: Asked): boolean =>
  isPrivate === true || view.read(Book).faction[view.read(Order).book[order]] !== 0

function ownerOf({ player, base }: Entered, { faction }: Asked): number {
  if (faction !== undefined) return factionCode(faction)
  return player === 0 ? stationCode(base) : playerCode(player)
}

/** Enters a request of a command; the caller has made sure that there is room. */
export function enter(world: World, command: Entered, asked: Asked): Row {
  const { player, base, rows } = command
  const entered = world.index(ENTERED)
  if (entered.rows === 0) {
    entered.mayGrow = Math.min(...[Order, Lot, Level, Book].map((table) => rowsLeft(world, table)))
  }
  const row = ++entered.rows
  assert(row <= rowsOf(OrderRequest, world.maxEntities), 'more requests than rows for them')
  rows.push(row)
  world.clearRow(OrderRequest, row)
  const request = world.write(OrderRequest)
  request.kind[row] = REQUEST_KINDS.indexOf(asked.kind)
  request.command[row] = rows[0]
  request.player[row] = player
  request.base[row] = base
  request.faction[row] = asked.faction ?? 0
  request.bucket[row] = asked.bucket ?? 0
  enterBooks(world, command, asked, row)
  request.side[row] = asked.side
  request.owner[row] = command.purse?.owner ?? ownerOf(command, asked)
  request.price[row] = asked.price ?? 0
  request.units[row] = asked.units
  request.limit[row] = asked.limit ?? 0
  request.fillsMax[row] = command.purse?.fillsMax ?? FILLS_PER_COMMAND_MAX
  request.order[row] = asked.order ?? 0
  request.toStorage[row] = asked.deliverTo === 'storage' ? 1 : 0
  request.autoList[row] = asked.autoList ? 1 : 0
  request.goods[row] = asked.goods ?? 0
  request.room[row] = asked.room ?? Number.MAX_SAFE_INTEGER
  request.newOrder[row] = world.stagedRow(Order, row)
  request.newLot[row] = world.stagedRow(Lot, row)
  request.newLevel[row] = world.stagedRow(Level, row)
  request.mayGrow[row] = row <= entered.mayGrow || player === 0 ? 1 : 0
  request.ordersHereMax[row] = asked.ordersHereMax ?? ordersMax(world, player, base)
  if (asked.credits !== undefined) request.credits[row] = asked.credits
  if (asked.faction !== undefined)
    enterFaction(world, base, row, { ...asked, faction: asked.faction })
  else if (player !== 0) enterTrader(world, command, row, asked)
  return row
}

/** What is known of a player before their first request of the tick. */
function enterTrader(world: World, { player, base, rows }: Entered, row: Row, asked: Asked): void {
  const request = world.write(OrderRequest)
  request.taxBps[row] = asked.side === BID ? salesTaxBps(world, player, base) : 0
  request.feeBps[row] = listingFeeBps(world, base, { player, faction: 0 })
  if (rows[0] === row) request.ordersHere[row] = ordersHere(world, player, base)
  request.orders[row] = world.read(PlayerOrders).count[player]
  request.credits[row] = asked.credits ?? balanceOf(world, walletOf(world, player))
}

/** The same of a faction; what it may spend has been reserved. */
function enterFaction(
  world: World,
  base: Eid,
  row: Row,
  asked: Asked & { readonly faction: Row },
): void {
  const { faction, side } = asked
  const request = world.write(OrderRequest)
  request.taxBps[row] = side === BID ? factionTaxBps(world, faction, base) : 0
  request.feeBps[row] = listingFeeBps(world, base, { player: 0, faction })
  request.ordersHere[row] = factionOrdersHere(world, faction, base, isInStore(world, asked))
  request.orders[row] = factionOrders(world, faction).length
}
