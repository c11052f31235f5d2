/**
 * Entering requests: an order command is checked on the world thread, then becomes rows that the
 * kernel processes at the end of phase act. Requests are not part of the state: a refused one
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
import { ENTERED, type EnteredCommand } from './order-index-state.ts'
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

/** A request to an exchange; fields that do not apply are absent. */
export interface RequestSpec {
  readonly kind: (typeof REQUEST_KINDS)[number]
  readonly side: Side
  /** Index into GOODS. */
  readonly item: number
  /** Units to trade; 0 for a modification or cancellation, which concern all units of the order. */
  readonly units: number
  /** Price of a limit order or a modification, credits a unit. */
  readonly price?: number
  /** Worst price of a take, credits a unit; absent: any. */
  readonly limit?: number
  /** The order to modify or cancel. */
  readonly order?: Row
  readonly autoList?: boolean
  /** Where goods that are bought at once go. */
  readonly deliverTo?: DeliverTo
  /** Units that the seller has, in all places they may be sold from. */
  readonly goods?: number
  /** Units that the buyer has room for. */
  readonly room?: number
  /** Credits that the owner may spend; absent: the balance of the player's wallet. */
  readonly credits?: number
  /** The faction whose order it is; absent: it is the player's or the manager's own. */
  readonly faction?: Row
  /** For a faction order: true if it is in the company store, which only members see. */
  readonly isPrivate?: boolean
  /** For a faction order: the bucket of its goods; absent: the main store. */
  readonly bucket?: number
  /** Limit of open orders of the owner at the base; absent: the limit of players. */
  readonly ordersHereMax?: number
}

/** Opens a command to enter requests for; `reply` gets their results in the same tick. */
export function enterCommand(world: World, command: Omit<EnteredCommand, 'rows'>): EnteredCommand {
  const entered: EnteredCommand = { rows: [], ...command }
  world.index(ENTERED).commands.push(entered)
  return entered
}

/** Counts the rows of a table that are left for orders of players; a reserve is for managers. */
function rowsLeft(view: WorldView, table: TableDef): number {
  const max = divFloor(rowsOf(table, view.maxEntities) * TABLE_FILL_MAX_PCT, 100)
  return max - view.countOf(table)
}

const stagedBookKey = (base: Eid, item: number, store: Row): number =>
  (store * 0x10000 + item) * 0x100000 + base

/**
 * Returns a book that is open or was staged in this tick; 0 if there is none. `store` is the
 * faction whose company store is meant, 0 for the public book.
 */
function openOrStagedBook(view: WorldView, base: Eid, item: number, store: Row): Row {
  const found = store === 0 ? bookOf(view, base, item) : storeBook(view, base, store, item)
  return found || (view.index(ENTERED).books.get(stagedBookKey(base, item, store)) ?? 0)
}

/** Returns the book of a request; if there is none yet, stages one in the row for the request. */
function bookOrStageOne(world: World, base: Eid, item: number, store: Row, row: Row): Row {
  const found = openOrStagedBook(world, base, item, store)
  if (found !== 0) return found
  const staged = world.stagedRow(Book, row)
  world.clearRow(Book, staged)
  const book = world.write(Book)
  book.base[staged] = base
  book.item[staged] = item
  book.faction[staged] = store
  world.index(ENTERED).books.set(stagedBookKey(base, item, store), staged)
  return staged
}

/** Returns the faction whose company store the trader sees; 0 if none. */
const visibleStore = (view: WorldView, player: Eid, { faction }: RequestSpec): Row =>
  faction ?? (player === 0 ? 0 : factionOf(view, player))

/** Sets the books that a request trades in: the one it may rest in, and another that it sees. */
function setBooks(world: World, command: EnteredCommand, spec: RequestSpec, row: Row): void {
  const { player, base } = command
  const request = world.write(OrderRequest)
  const visible = visibleStore(world, player, spec)
  const store = isInStore(world, spec) ? visible : 0
  request.book[row] = bookOrStageOne(world, base, spec.item, store, row)
  const other = store === 0 ? visible : 0
  request.otherBook[row] = other === store ? 0 : openOrStagedBook(world, base, spec.item, other)
}

/** Returns whether an order may rest in a company store, or already rests there. */
const isInStore = (view: WorldView, { isPrivate, order = 0 }: RequestSpec): boolean =>
  isPrivate === true || view.read(Book).faction[view.read(Order).book[order]] !== 0

function ownerOf({ player, base }: EnteredCommand, { faction }: RequestSpec): number {
  if (faction !== undefined) return factionCode(faction)
  return player === 0 ? stationCode(base) : playerCode(player)
}

/** Enters a request of a command and returns its row; the caller checks `hasRequestRoom` before. */
export function enterRequest(world: World, command: EnteredCommand, spec: RequestSpec): Row {
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
  request.kind[row] = REQUEST_KINDS.indexOf(spec.kind)
  request.command[row] = rows[0]
  request.player[row] = player
  request.base[row] = base
  request.faction[row] = spec.faction ?? 0
  request.bucket[row] = spec.bucket ?? 0
  setBooks(world, command, spec, row)
  request.side[row] = spec.side
  request.owner[row] = command.payer?.owner ?? ownerOf(command, spec)
  request.price[row] = spec.price ?? 0
  request.units[row] = spec.units
  request.limit[row] = spec.limit ?? 0
  request.fillsMax[row] = command.payer?.fillsMax ?? FILLS_PER_COMMAND_MAX
  request.order[row] = spec.order ?? 0
  request.toStorage[row] = spec.deliverTo === 'storage' ? 1 : 0
  request.autoList[row] = spec.autoList ? 1 : 0
  request.goods[row] = spec.goods ?? 0
  request.room[row] = spec.room ?? Number.MAX_SAFE_INTEGER
  request.newOrder[row] = world.stagedRow(Order, row)
  request.newLot[row] = world.stagedRow(Lot, row)
  request.newLevel[row] = world.stagedRow(Level, row)
  request.mayGrow[row] = row <= entered.mayGrow || player === 0 ? 1 : 0
  request.ordersHereMax[row] = spec.ordersHereMax ?? ordersMax(world, player, base)
  if (spec.credits !== undefined) request.credits[row] = spec.credits
  if (spec.faction !== undefined)
    setFactionMeans(world, base, row, { ...spec, faction: spec.faction })
  else if (player !== 0) setPlayerMeans(world, command, row, spec)
  return row
}

/** Sets the rates, counts and credits of a player, as they are before the command. */
function setPlayerMeans(
  world: World,
  { player, base, rows }: EnteredCommand,
  row: Row,
  spec: RequestSpec,
): void {
  const request = world.write(OrderRequest)
  request.taxBps[row] = spec.side === BID ? salesTaxBps(world, player, base) : 0
  request.feeBps[row] = listingFeeBps(world, base, { player, faction: 0 })
  if (rows[0] === row) request.ordersHere[row] = ordersHere(world, player, base)
  request.orders[row] = world.read(PlayerOrders).count[player]
  request.credits[row] = spec.credits ?? balanceOf(world, walletOf(world, player))
}

/** Sets the rates and counts of a faction; its credits and goods were reserved before. */
function setFactionMeans(
  world: World,
  base: Eid,
  row: Row,
  spec: RequestSpec & { readonly faction: Row },
): void {
  const { faction, side } = spec
  const request = world.write(OrderRequest)
  request.taxBps[row] = side === BID ? factionTaxBps(world, faction, base) : 0
  request.feeBps[row] = listingFeeBps(world, base, { player: 0, faction })
  request.ordersHere[row] = factionOrdersHere(world, faction, base, isInStore(world, spec))
  request.orders[row] = factionOrders(world, faction).length
}
