/**
 * Taking a faction's orders off the books when their reason is gone: its company store, or the
 * faction itself. Everything they held comes back. Source: market.md section 9.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import type { TableDef } from '../../core/columns.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseName } from '../base/rules.ts'
import { Facility, OF_FACTION, REPOSSESSED } from '../facility/columns.ts'
import { facilitiesAt, facilityTypeAt } from '../facility/rules.ts'
import { basesWithStores, closeStoreBook, storeBooksAt } from './book.ts'
import { BID, Book, Exchange, Level, Lot, Order, PlayerOrders } from './columns.ts'
import { ENTERED } from './entry.ts'
import { restingLots } from './lots.ts'
import { factionOrders, orderLists } from './order-list.ts'
import { credit, handOver } from './parties.ts'

/** Gives back what an order holds; its lots are off the book. */
function giveBack(world: World, row: Row, units: number, tax: number): void {
  const { book, side, price, faction, placedBy, bucket } = world.read(Order)
  const { base: at, item: good } = world.read(Book)
  const [base, item] = [at[book[row]], good[book[row]]]
  const party = { player: placedBy[row], faction: faction[row] }
  if (side[row] !== BID) {
    handOver(world, party, { base, item, units, bucket: bucket[row] })
    return
  }
  const said = `Order for ${GOODS[item].name} at ${baseName(world, base)} was closed.`
  const escrow = world.read(Exchange).escrow[base]
  const data = { item_id: GOODS[item].id, quantity: units }
  credit(world, party, escrow, units * price[row] + tax, { verb: 'order_closed', said, data })
}

function close(world: World, row: Row): void {
  const order = world.write(Order)
  const { nextOfOrder } = world.read(Lot)
  const lots = restingLots(world.kernelColumns)
  const [units, tax, head, home] = [
    order.remaining[row],
    order.escrowTax[row],
    order.firstLot[row],
    order.book[row],
  ]
  const gone = lots.clear(row, world.tick)
  order.escrowTax[row] = 0
  giveBack(world, row, units, tax)
  for (let lot = head; lot !== 0; ) {
    const next = nextOfOrder[lot]
    world.release(Lot, lot)
    lot = next
  }
  if (gone !== 0) world.release(Level, gone)
  orderLists(world.kernelColumns).strike(row)
  world.release(Order, row)
  closeStoreBook(world, home)
}

const BOOKS: readonly TableDef[] = [Book, Level, Lot, Exchange, PlayerOrders]

function closeAll(world: World, rows: readonly Row[]): void {
  assert(world.index(ENTERED).rows === 0, 'orders are closed while requests are worked out')
  for (const table of BOOKS) world.write(table)
  for (const row of rows) close(world, row)
}

/** A faction ends: all its orders are cancelled. */
export const closeFactionOrders = (world: World, faction: Row): void =>
  closeAll(world, factionOrders(world, faction))

/** A company store is lost: the orders in it are cancelled. */
export function closePrivateOrders(world: World, faction: Row, base: Eid): void {
  const { book } = world.read(Order)
  const { base: at, faction: store } = world.read(Book)
  const inStore = (row: Row): boolean => at[book[row]] === base && store[book[row]] === faction
  closeAll(world, factionOrders(world, faction).filter(inStore))
}

/** Ticks between two looks at the company stores of a base. Source: ours: rent is due every 100. */
const LOOK_TICKS = 30

/** True while a faction's company store stands, be it at work, damaged or being rebuilt. */
function standsStill(view: WorldView, faction: Row, base: Eid): boolean {
  const { ownerKind, faction: of, status } = view.read(Facility)
  return facilitiesAt(view, base).some(
    (row) =>
      ownerKind[row] === OF_FACTION &&
      of[row] === faction &&
      status[row] !== REPOSSESSED &&
      facilityTypeAt(view, row).faction_service_type === 'company_store',
  )
}

/** Closes the orders of company stores that are lost; bases take turns. */
export function closeLostStores(world: World): void {
  for (const base of basesWithStores(world)) {
    if ((world.tick + base) % LOOK_TICKS !== 0) continue
    const { faction } = world.read(Book)
    const owners = new Set(storeBooksAt(world, base).map((book) => faction[book]))
    for (const owner of owners) {
      if (!standsStill(world, owner, base)) closePrivateOrders(world, owner, base)
    }
  }
}
