/**
 * Yards in each tick: finished hulls are delivered; at a base's turn, once in a hundred ticks, its
 * yard decides about orders and buys materials. Source: ships.md sections 7, 8, 11.
 */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import type { Held } from '../../core/goods.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import { divFloor, mulDivCeil } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseName, forBasesDue, hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { Package } from '../cargo/state.ts'
import { Grid } from '../facility/state.ts'
import { Cover, Policy } from '../insurance/state.ts'
import { logAction } from '../log/rules.ts'
import { TRADE, TRADE_WRITES } from '../market/adopt-rules.ts'
import { enterCommand, enterRequest } from '../market/entry-rules.ts'
import { hasRequestRoom, playerCode } from '../market/model.ts'
import type { RequestResult } from '../market/order-index-state.ts'
import { BID, Fill, OrderRequest } from '../market/state.ts'
import { takeFromStock } from '../market/stock-model.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { ownerOfBase } from '../station/model.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import {
  advance,
  cancel,
  deliver,
  fillBays,
  launch,
  openCommission,
  postponeDelivery,
  takeDue,
} from './commission-rules.ts'
import { billOf, missingOf, ownPriceLimit, priceLimit } from './materials-model.ts'
import { openStore } from './materials-rules.ts'
import {
  type Charge,
  commissionId,
  commissionsAt,
  isBuildable,
  isDeliveryBlocked,
  isFleetFull,
  laborCost,
  listingsAt,
  ordersAt,
  ownHullsAt,
  statusOf,
  yardBuilds,
} from './model.ts'
import { bestAsk, materialCost, reservePrice, reserveUnits } from './quote-rules.ts'
import {
  closeListing,
  fillOrder,
  openEscrow,
  openListing,
  payStation,
  transferShip,
} from './rules.ts'
import {
  hullPrice,
  recordShowroomSale,
  replenishShowroom,
  repriceShowroom,
} from './showroom-rules.ts'
import {
  COMMISSIONS_PER_YARD_MAX,
  Commission,
  ForSale,
  OWN_HULLS_MAX,
  ShipListing,
  ShipOrder,
  SOURCING_FILLS_MAX,
  SOURCING_TICKS_MAX,
  Yard,
} from './state.ts'

/*
 * On its own account a yard sells showroom hulls to orders that pay enough, and builds hulls for
 * other orders; a hull whose order was withdrawn goes to the showroom. Source: ships.md section 8.
 */

/** Lowest price of an order worth building for, percent of the cost of materials and labour. */
const WORTH_BUILDING_PCT = 110
/** Divisor of the station's balance: that share it risks at most on one hull. Source: ours. */
const BUDGET_DIVISOR = 2

/** Returns the listing of a showroom hull that an order pays for; 0 none. */
function showroomListing(view: WorldView, order: Row): Row {
  const { base, class: shipClass, price } = view.read(ShipOrder)
  const listings = view.read(ShipListing)
  const { class: classOf } = view.read(Ship)
  const listing = listingsAt(view, base[order]).find(
    (row) =>
      listings.player[row] === 0 &&
      classOf[listings.ship[row]] === shipClass[order] &&
      listings.price[row] <= price[order],
  )
  return listing ?? 0
}

/** Sells a showroom hull to an order, at its own price. */
function sellFromShowroom(world: World, order: Row, listing: Row): void {
  const columns = world.read(ShipListing)
  const ship = columns.ship[listing]
  const price = columns.price[listing]
  const base = columns.base[listing]
  payStation(world, base, price)
  closeListing(world, listing)
  recordShowroomSale(world, base)
  transferShip(world, ship, world.read(ShipOrder).player[order], base)
  fillOrder(world, order, ship, price)
}

/** Returns what the yard pays to build for an order; undefined if it does not build for it. */
function ownCharge(view: WorldView, order: Row): Charge | undefined {
  const columns = view.read(ShipOrder)
  const base = columns.base[order]
  const shipClass = columns.class[order]
  if (!isBuildable(SHIP_CLASSES[shipClass]) || !yardBuilds(view, base, shipClass)) return
  const material = materialCost(view, base, billOf(shipClass, false))
  const priceMin = mulDivCeil(material + laborCost(shipClass), WORTH_BUILDING_PCT, 100)
  if (columns.price[order] < priceMin) return
  const account = view.read(Base).manager[base]
  if (material * BUDGET_DIVISOR > balanceOf(view, account)) return
  return { material, labor: 0, margin: 0, tax: 0, taxBps: 0, total: material, brings: [] }
}

const hasRoom = (view: WorldView, base: Eid): boolean =>
  ownHullsAt(view, base) < OWN_HULLS_MAX &&
  commissionsAt(view, base).length < COMMISSIONS_PER_YARD_MAX &&
  !isNearlyFull(view, Commission)

/** Starts building for an order, with the station's own credits. */
function buildFor(world: World, order: Row): void {
  const columns = world.read(ShipOrder)
  const base = columns.base[order]
  const charge = ownCharge(world, order)
  if (!charge || !hasRoom(world, base)) return
  post(world, world.read(Base).manager[base], openEscrow(world, base), charge.material)
  const shipClass = columns.class[order]
  const request = { player: 0, base, shipClass, bare: false, mode: 'credits' } as const
  const row = openCommission(world, request, charge)
  world.write(Commission).order[row] = order
  world.write(ShipOrder).commission[order] = row
}

/**
 * Decides about each order that nothing is built for yet, then about the showroom. O(orders and
 * listings here).
 */
function decideAt(world: World, base: Eid): void {
  if (!hasService(world, base, 'shipyard')) return
  const { player, commission } = world.read(ShipOrder)
  // ours: a faction's yard builds to order alone, never on its own account
  const mayBuild = hasService(world, base, 'market') && ownerOfBase(world, base) === 0
  for (const order of ordersAt(world, base)) {
    if (commission[order] !== 0) continue
    const listing = isFleetFull(world, player[order]) ? 0 : showroomListing(world, order)
    if (listing !== 0) sellFromShowroom(world, order, listing)
    else if (mayBuild) buildFor(world, order)
  }
  repriceShowroom(world, base)
  if (mayBuild) replenishShowroom(world, base)
}

/** Delivers a hull of the yard's own to the order it was built for, else to the showroom. */
function deliverOwn(world: World, row: Row): void {
  const columns = world.read(Commission)
  const order = columns.order[row]
  const base = columns.base[row]
  if (order === 0) {
    const ship = launch(world, row, 0)
    openListing(world, ship, base, hullPrice(world, base, world.read(Ship).class[ship]))
    return
  }
  const orders = world.read(ShipOrder)
  const price = orders.price[order]
  const ship = launch(world, row, orders.player[order])
  payStation(world, base, price)
  fillOrder(world, order, ship, price)
}

/*
 * Sourcing: at its turn a yard buys on the local exchange what its commissions lack, with the
 * credits set aside for them. Source: ships.md section 7, sourcing.
 */

/** Returns the highest price for a unit, credits: lower where the yard builds for itself. */
const limitFor = (world: World, row: Row, item: number): number =>
  world.read(Commission).player[row] === 0 ? ownPriceLimit(item) : priceLimit(item)

/** Returns the missing materials that are offered here at a price the yard pays. */
function buyableMaterials(world: World, row: Row): Held[] {
  const base = world.read(Commission).base[row]
  return missingOf(world, row).filter(({ item }) => {
    const ask = bestAsk(world, base, item)
    return ask > 0 && ask <= limitFor(world, row, item)
  })
}

/** Records purchases for a commission, which are paid for and in its store. */
function recordBought(world: World, row: Row, done: readonly RequestResult[]): void {
  const columns = world.write(Commission)
  const { subtotal } = world.read(OrderRequest)
  for (const { row: request } of done) {
    columns.earmark[row] -= subtotal[request]
    columns.spent[row] += subtotal[request]
  }
  advance(world, row)
}

/**
 * Buys materials that nobody offers for a player's commission, out of the station's reserve, which
 * is not on the exchange: at a higher price, and only a little in each cycle. Source: balance.md
 * section 4.
 */
function buyFromReserve(world: World, row: Row): void {
  const columns = world.write(Commission)
  const base = columns.base[row]
  if (columns.player[row] === 0) return
  for (const { item, units } of missingOf(world, row)) {
    const price = reservePrice(world, base, item)
    if (price === 0 || bestAsk(world, base, item) !== 0) continue
    const bought = Math.min(
      units,
      reserveUnits(world, base, item),
      divFloor(columns.earmark[row], price),
    )
    if (bought === 0) continue
    takeFromStock(world, base, openStore(world, row, 'bought'), item, bought)
    post(world, openEscrow(world, base), world.read(Base).manager[base], bought * price)
    columns.earmark[row] -= bought * price
    columns.spent[row] += bought * price
  }
  advance(world, row)
}

/** Enters purchases for a commission; without room for them it waits for the next turn. */
function buyFor(world: World, row: Row): void {
  const { base, player, earmark } = world.read(Commission)
  const goods = buyableMaterials(world, row)
  if (earmark[row] === 0 || goods.length === 0 || !hasRequestRoom(world, goods.length)) return
  const command = enterCommand(world, {
    player: 0,
    base: base[row],
    payer: {
      owner: playerCode(player[row]),
      account: openEscrow(world, base[row]),
      goods: openStore(world, row, 'bought'),
      fillsMax: SOURCING_FILLS_MAX,
    },
    reply: (settled, done) => recordBought(settled, row, done),
  })
  for (const { item, units } of goods) {
    const limit = limitFor(world, row, item)
    enterRequest(world, command, {
      kind: 'take',
      side: BID,
      item,
      units,
      limit,
      credits: earmark[row],
    })
  }
}

/** Ends a player's commission that has lacked materials for too long. */
function endOverdue(world: World, row: Row): void {
  const { player, base, class: shipClass } = world.read(Commission)
  const customer = player[row]
  const commission_id = commissionId(world, row)
  const name = SHIP_CLASSES[shipClass[row]].name
  const place = baseName(world, base[row])
  const { refund } = cancel(world, row)
  const message =
    `${place} could not get the materials for ${name} and gave up; ` +
    `${counted(refund, 'credit')} came back, and the materials are in your storage there.`
  logAction(world, customer, 'ship', 'commission_cancelled', message, { commission_id, refund })
}

/** Returns whether a commission has lacked materials for too long. */
function isOverdue(view: WorldView, row: Row): boolean {
  const { player, openedTick } = view.read(Commission)
  const opened = openedTick[row]
  return player[row] !== 0 && opened !== 0 && view.tick - opened >= SOURCING_TICKS_MAX
}

/** Buys materials for the commissions of a yard. O(commissions here). */
function sourceAt(world: World, base: Eid): void {
  if (!hasService(world, base, 'market') || !hasService(world, base, 'shipyard')) return
  for (const row of [...commissionsAt(world, base)]) {
    if (statusOf(world, row) !== 'sourcing') continue
    if (isOverdue(world, row)) {
      endOverdue(world, row)
      continue
    }
    buyFromReserve(world, row)
    if (statusOf(world, row) === 'sourcing') buyFor(world, row)
  }
}

/* The system */

function deliverDue(world: World): void {
  for (const row of takeDue(world)) {
    if (isDeliveryBlocked(world, row)) postponeDelivery(world, row)
    else if (world.read(Commission).player[row] === 0) deliverOwn(world, row)
    else deliver(world, row)
  }
}

/** Takes a base's turn; it also fills bays that stayed empty while the yard was wrecked. */
function takeTurn(world: World, base: number): void {
  fillBays(world, base)
  decideAt(world, base)
  sourceAt(world, base)
}

/** Runs the yards, before the station managers quote, so that quotes include what yards buy. */
export const workYards: SystemDef = {
  name: 'shipyard.work',
  phase: 'produce',
  after: 'market.supply',
  writes: [
    ...TRADE_WRITES,
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    Commission,
    Cover,
    Fill,
    ForSale,
    Grid,
    Package,
    Policy,
    ShipListing,
    ShipOrder,
    Yard,
  ],
  run(world) {
    deliverDue(world)
    forBasesDue(world, CYCLE_TICKS, (base) => takeTurn(world, base))
  },
  split: TRADE,
}
