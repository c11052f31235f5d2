/**
 * Closes a faction's orders when it loses its company store or is disbanded, and moves credits and
 * goods of the parties to trades. Everything that a closed order held is returned. Source:
 * market.md section 9.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import type { TableDef } from '../../core/columns.ts'
import { moveItems, namedContainer } from '../../core/goods.ts'
import { post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { openLocker } from '../cargo/model.ts'
import { facilitiesAt, facilityTypeAt } from '../facility/model.ts'
import { Facility, OF_FACTION, REPOSSESSED } from '../facility/state.ts'
import { recordFactionLog } from '../faction/model.ts'
import { bunkerRoom, closeEmptyStore, openStore } from '../faction/store-model.ts'
import { changeBunker } from '../faction/store-rules.ts'
import { creditMove } from '../log/rules.ts'
import type { LogData } from '../log/state.ts'
import {
  accountOf,
  basesWithStores,
  FUEL,
  factionOrders,
  isFuel,
  orderLists,
  type Party,
  storeBooksAt,
  storeOfBucket,
} from './book-model.ts'
import { closeStoreBook } from './book-rules.ts'
import { restingLots } from './lots-kernels.ts'
import { ENTERED } from './order-index-state.ts'
import { BID, Book, Exchange, Level, Lot, Order, PlayerOrders } from './state.ts'

/** Gives back to its owner what an order held, after its lots were removed from the book. */
function returnHoldings(world: World, row: Row, units: number, tax: number): void {
  const { book, side, price, faction, placedBy, bucket } = world.read(Order)
  const { base: baseOf, item: itemOf } = world.read(Book)
  const [base, item] = [baseOf[book[row]], itemOf[book[row]]]
  const party = { player: placedBy[row], faction: faction[row] }
  if (side[row] !== BID) {
    deliverGoods(world, party, { base, item, units, bucket: bucket[row] })
    return
  }
  const summary = `Order for ${GOODS[item].name} at ${baseName(world, base)} was closed.`
  const escrow = world.read(Exchange).escrow[base]
  const data = { item_id: GOODS[item].id, quantity: units }
  creditParty(world, party, escrow, units * price[row] + tax, {
    verb: 'order_closed',
    summary,
    data,
  })
}

function closeOrder(world: World, row: Row): void {
  const order = world.write(Order)
  const { nextOfOrder } = world.read(Lot)
  const lots = restingLots(world.kernelColumns)
  const [units, tax, head, home] = [
    order.remaining[row],
    order.escrowTax[row],
    order.firstLot[row],
    order.book[row],
  ]
  const emptyLevel = lots.clear(row, world.tick)
  order.escrowTax[row] = 0
  returnHoldings(world, row, units, tax)
  for (let lot = head; lot !== 0; ) {
    const next = nextOfOrder[lot]
    world.release(Lot, lot)
    lot = next
  }
  if (emptyLevel !== 0) world.release(Level, emptyLevel)
  orderLists(world.kernelColumns).remove(row)
  world.release(Order, row)
  closeStoreBook(world, home)
}

/** Tables of orders that closing one writes. */
const CLOSING_WRITES: readonly TableDef[] = [Book, Level, Lot, Exchange, PlayerOrders]

function closeAllOrders(world: World, rows: readonly Row[]): void {
  assert(world.index(ENTERED).rows === 0, 'orders are closed while requests are pending')
  for (const table of CLOSING_WRITES) world.write(table)
  for (const row of rows) closeOrder(world, row)
}

/** Closes all orders of a faction that is disbanded. */
export const closeFactionOrders = (world: World, faction: Row): void =>
  closeAllOrders(world, factionOrders(world, faction))

/** Closes the orders of a faction in a company store that it has lost. */
export function closePrivateOrders(world: World, faction: Row, base: Eid): void {
  const { book } = world.read(Order)
  const { base: baseOf, faction: store } = world.read(Book)
  const isInStore = (row: Row): boolean =>
    baseOf[book[row]] === base && store[book[row]] === faction
  closeAllOrders(world, factionOrders(world, faction).filter(isInStore))
}

/** Ticks between two checks of the company stores of a base. ours: rent is due every 100 ticks. */
const STORE_CHECK_TICKS = 30

/** Returns whether a faction has a company store, even if it is damaged or under construction. */
function hasCompanyStore(view: WorldView, faction: Row, base: Eid): boolean {
  const { ownerKind, faction: ownerOf, status } = view.read(Facility)
  return facilitiesAt(view, base).some(
    (row) =>
      ownerKind[row] === OF_FACTION &&
      ownerOf[row] === faction &&
      status[row] !== REPOSSESSED &&
      facilityTypeAt(view, row).faction_service_type === 'company_store',
  )
}

/** Closes the orders of lost company stores, at the bases that are due in this tick. */
export function closeLostStores(world: World): void {
  for (const base of basesWithStores(world)) {
    if ((world.tick + base) % STORE_CHECK_TICKS !== 0) continue
    const { faction } = world.read(Book)
    const owners = new Set(storeBooksAt(world, base).map((book) => faction[book]))
    for (const owner of owners) {
      if (!hasCompanyStore(world, owner, base)) closePrivateOrders(world, owner, base)
    }
  }
}

/*
 * Credits and goods of a party: a player has wallet, hold and locker; a faction has treasury and
 * stores, and a member acts for it. Source: market.md sections 2, 4.
 */

/** The entry for a movement of credits in the log of the party. */
interface LogEntry {
  readonly verb: string
  readonly summary: string
  readonly data?: LogData
}

/** Moves credits from a party's account, with an entry in its log. */
export function chargeParty(
  world: World,
  party: Party,
  to: Row,
  credits: number,
  entry: LogEntry,
): void {
  moveCredits(world, party, { from: accountOf(world, party), to, credits, isGain: false }, entry)
}

/** Moves credits to a party's account, with an entry in its log. */
export function creditParty(
  world: World,
  party: Party,
  from: Row,
  credits: number,
  entry: LogEntry,
): void {
  moveCredits(world, party, { from, to: accountOf(world, party), credits, isGain: true }, entry)
}

interface Move {
  readonly from: Row
  readonly to: Row
  readonly credits: number
  readonly isGain: boolean
}

function moveCredits(world: World, { player, faction }: Party, move: Move, entry: LogEntry): void {
  const { from, to, credits, isGain } = move
  const { verb, summary, data = {} } = entry
  if (faction === 0) {
    creditMove(world, player, from, to, credits, 'trading', verb, summary, data)
    return
  }
  post(world, from, to, credits)
  if (credits === 0) return
  const signed = isGain ? credits : -credits
  const log = { verb: `market.${verb}`, summary, data: { credits: signed, ...data } }
  recordFactionLog(world, faction, player, log)
}

interface Goods {
  readonly base: Eid
  readonly item: number
  readonly units: number
  /** For a faction: number of the store. */
  readonly bucket: number
}

/** Moves goods from the exchange to the locker, or to a store even beyond its capacity. */
export function returnGoods(world: World, { player, faction }: Party, goods: Goods): void {
  const { base, item, units, bucket } = goods
  if (units === 0) return
  const escrow = world.read(Base).escrow[base]
  const place = faction === 0 ? undefined : storeOfBucket(world, faction, base, bucket)
  const to = place ? openStore(world, place) : openLocker(world, player, base)
  moveItems(world, escrow, to, item, units)
}

/** Delivers bought goods to the locker or store; fuel of a faction goes into its bunker. */
export function deliverGoods(world: World, party: Party, goods: Goods): void {
  const { faction } = party
  const pumped = faction !== 0 && isFuel(goods.item) ? fillBunker(world, faction, goods) : 0
  returnGoods(world, party, { ...goods, units: goods.units - pumped })
}

/**
 * Pumps fuel that a faction bought into its bunker, which has reserved room for it, unless the
 * bunker was lost since. Returns the units pumped.
 */
function fillBunker(world: World, faction: Row, { base, units }: Goods): number {
  const pumped = Math.min(units, bunkerRoom(world, faction, base))
  if (pumped === 0) return 0
  const escrow = world.read(Base).escrow[base]
  moveItems(world, escrow, namedContainer('consumption'), FUEL, pumped)
  changeBunker(world, faction, base, pumped)
  return pumped
}

/** Moves goods from a faction's store into escrow. */
export function takeFromStore(world: World, faction: Row, goods: Goods): void {
  const { base, item, units, bucket } = goods
  if (units === 0) return
  const place = storeOfBucket(world, faction, base, bucket)
  moveItems(world, openStore(world, place), world.read(Base).escrow[base], item, units)
  closeEmptyStore(world, place)
}
