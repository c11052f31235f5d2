/**
 * What yards do by themselves: sell showroom hulls to orders that pay enough, build for others, and
 * show what nobody waits for any more. Source: ships.md section 8.
 */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import { COMMISSIONS_PER_YARD_MAX, SHOWROOM_HULLS_MAX } from '../../core/limits.ts'
import { mulDivCeil } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { hasService } from '../base/rules.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { Ship } from '../ship/columns.ts'
import { ownerOfBase } from '../station/access-rules.ts'
import { billOf, isBuildable, laborCost, materialCost, showroomPrice } from './bill.ts'
import { yardBuilds } from './blockers.ts'
import { Commission, ShipListing, ShipOrder } from './columns.ts'
import { launch, openCommission } from './commissions.ts'
import { openEscrow, payStation } from './escrow.ts'
import { closeListing, openListing, ownHullsAt, passOn } from './listings.ts'
import { fillOrder } from './orders.ts'
import type { Charge } from './quote.ts'
import { isFleetFull } from './rules.ts'
import { commissionsAt, listingsAt, ordersAt } from './store.ts'

/** An order must offer so many percent of what materials and labour cost. */
const WORTH_BUILDING_PCT = 110
/** The station risks no more than this share of its account on one hull. Source: ours. */
const BUDGET_DIVISOR = 2

/** A showroom hull of the class at the order's price or less; 0 none. */
function shownFor(view: WorldView, order: Row): Row {
  const { base, class: wanted, price } = view.read(ShipOrder)
  const { player, ship, price: asked } = view.read(ShipListing)
  const { class: of } = view.read(Ship)
  const found = listingsAt(view, base[order]).find(
    (row) => player[row] === 0 && of[ship[row]] === wanted[order] && asked[row] <= price[order],
  )
  return found ?? 0
}

/** Sells a showroom hull to an order, at the price it shows. */
function sellShown(world: World, order: Row, listing: Row): void {
  const { ship, price, base } = world.read(ShipListing)
  const [hull, paid, yard] = [ship[listing], price[listing], base[listing]]
  const buyer = world.read(ShipOrder).player[order]
  payStation(world, yard, paid)
  closeListing(world, listing)
  passOn(world, hull, buyer, yard)
  fillOrder(world, order, hull, paid)
}

/** What the yard would put up for the hull of an order; undefined when it does not build it. */
function ownCharge(view: WorldView, order: Row): Charge | undefined {
  const { base, class: of, price } = view.read(ShipOrder)
  const [yard, shipClass] = [base[order], of[order]]
  if (!isBuildable(SHIP_CLASSES[shipClass]) || !yardBuilds(view, yard, shipClass)) return
  const material = materialCost(view, yard, billOf(shipClass, false))
  const worth = mulDivCeil(material + laborCost(shipClass), WORTH_BUILDING_PCT, 100)
  if (price[order] < worth) return
  const account = view.read(Base).manager[yard]
  if (material * BUDGET_DIVISOR > balanceOf(view, account)) return
  return { material, labor: 0, margin: 0, tax: 0, taxBps: 0, total: material, brings: [] }
}

const hasRoom = (view: WorldView, base: Eid): boolean =>
  ownHullsAt(view, base) < SHOWROOM_HULLS_MAX &&
  commissionsAt(view, base).length < COMMISSIONS_PER_YARD_MAX &&
  !isNearlyFull(view, Commission)

/** Begins to build for an order, with the station's own credits. */
function buildFor(world: World, order: Row): void {
  const { base, class: of } = world.read(ShipOrder)
  const yard = base[order]
  const charge = ownCharge(world, order)
  if (!charge || !hasRoom(world, yard)) return
  post(world, world.read(Base).manager[yard], openEscrow(world, yard), charge.material)
  const wanted = { player: 0, base: yard, shipClass: of[order], bare: false }
  const row = openCommission(world, wanted, 'credits', charge)
  world.write(Commission).order[row] = order
  world.write(ShipOrder).commission[order] = row
}

/** A yard's turn: looks at each order that nothing is built for yet. O(orders here). */
export function decideAt(world: World, base: Eid): void {
  if (!hasService(world, base, 'shipyard')) return
  const { player, commission } = world.read(ShipOrder)
  // ours: a faction's yard builds what it is told to, never on its own account
  const buys = hasService(world, base, 'market') && ownerOfBase(world, base) === 0
  for (const order of ordersAt(world, base)) {
    if (commission[order] !== 0) continue
    const shown = isFleetFull(world, player[order]) ? 0 : shownFor(world, order)
    if (shown !== 0) sellShown(world, order, shown)
    else if (buys) buildFor(world, order)
  }
}

/** A hull the yard built itself: to the order it was built for, else into the showroom. */
export function deliverOwn(world: World, row: Row): void {
  const { order, base } = world.read(Commission)
  const [wanted, yard] = [order[row], base[row]]
  if (wanted === 0) {
    const ship = launch(world, row, 0)
    openListing(world, ship, yard, showroomPrice(world.read(Ship).class[ship]))
    return
  }
  const { player, price } = world.read(ShipOrder)
  const [buyer, paid] = [player[wanted], price[wanted]]
  const ship = launch(world, row, buyer)
  payStation(world, yard, paid)
  fillOrder(world, wanted, ship, paid)
}
