/**
 * Yards in each tick: hulls that are done are handed over; at a base's turn, once in a hundred
 * ticks, its yard decides about orders and buys materials. Source: ships.md sections 7, 8, 11.
 */

import { assert } from '../../core/assert.ts'
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { type Held, moveItems, namedContainer } from '../../core/goods.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import { mulDivCeil } from '../../core/math.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { Package } from '../cargo/state.ts'
import { Grid } from '../facility/state.ts'
import { disbanded } from '../faction/state.ts'
import { Cover, Policy } from '../insurance/state.ts'
import { TRADE, TRADE_WRITES } from '../market/adopt-rules.ts'
import { bookOf } from '../market/book-model.ts'
import { enter, enterCommand } from '../market/entry-rules.ts'
import { bestPrice, mayEnter, playerCode } from '../market/model.ts'
import type { Done } from '../market/order-index-state.ts'
import { ASK, BID, Fill, OrderRequest } from '../market/state.ts'
import { activeShip } from '../ship/model.ts'
import { createShip, SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { ownerOfBase } from '../station/model.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import { Location } from '../travel/state.ts'
import { dropLicenses } from './commands.ts'
import {
  advance,
  deliver,
  fillBays,
  fillOrder,
  holdUp,
  launch,
  openCommission,
} from './commissions-rules.ts'
import { gatheredUnits, missingOf, wantedOf } from './materials-model.ts'
import { openStore } from './materials-rules.ts'
import {
  billOf,
  type Charge,
  commissionsAt,
  commissionsOf,
  escrowed,
  fittedOf,
  isFleetFull,
  isHeldUp,
  laborCost,
  levelOfYard,
  listingsAt,
  ordersAt,
  ordersOf,
  ownHullsAt,
  priceLimit,
  statusOf,
  yardBuilds,
} from './model.ts'
import {
  closeListing,
  materialCost,
  openEscrow,
  openListing,
  passOn,
  payStation,
  takeDone,
} from './rules.ts'
import {
  COMMISSIONS_PER_YARD_MAX,
  Commission,
  ForSale,
  SHOWROOM_HULLS_MAX,
  ShipListing,
  ShipOrder,
  SOURCING_FILLS_MAX,
  Yard,
} from './state.ts'
import { isBuildable, ownPriceLimit, showroomPrice } from './views.ts'

/* What holds of yards and of the ship exchange after a tick. Source: ships.md sections 7, 8. */

/** Credits that commissions and orders of a base have in escrow. */
function dueAt(view: WorldView, base: Eid): number {
  const { earmark, labor, margin, tax } = view.read(Commission)
  const orders = view.read(ShipOrder)
  let sum = 0
  for (const row of commissionsAt(view, base)) {
    sum += earmark[row] + labor[row] + margin[row] + tax[row]
  }
  for (const row of ordersAt(view, base)) sum += orders.price[row] + orders.tax[row]
  return sum
}

function checkCommission(view: WorldView, row: Row): void {
  const { base, player, order, doneTick, earmark } = view.read(Commission)
  assert(commissionsOf(view, player[row]).includes(row), `commission ${row} is not listed`)
  assert(earmark[row] >= 0, `commission ${row} has overspent`)
  const status = statusOf(view, row)
  let isWhole = true
  for (const { item, units } of wantedOf(view, row)) {
    const gathered = gatheredUnits(view, row, item)
    assert(gathered <= units, `commission ${row} has ${gathered} of ${units} units of ${item}`)
    if (gathered < units) isWhole = false
  }
  assert(isWhole === (status !== 'sourcing'), `commission ${row} is ${status}`)
  assert((doneTick[row] !== 0) === (status === 'building'), `commission ${row} has a wrong date`)
  assert(doneTick[row] === 0 || doneTick[row] > view.tick, `commission ${row} is overdue`)
  if (order[row] === 0) return
  const orders = view.read(ShipOrder)
  assert(orders.commission[order[row]] === row, `commission ${row} is for another order`)
  assert(orders.base[order[row]] === base[row], `commission ${row} is built elsewhere`)
}

function checkListing(view: WorldView, row: Row): void {
  const { ship, player, base } = view.read(ShipListing)
  const hull = ship[row]
  assert(view.read(ForSale).listing[hull] === row, `listing ${row} is not that of its ship`)
  assert(view.read(Ship).owner[hull] === player[row], `listing ${row} sells another's ship`)
  if (player[row] === 0) return
  assert(view.read(Location).base[hull] === base[row], `ship ${hull} for sale is elsewhere`)
  assert(activeShip(view, player[row]) !== hull, `ship ${hull} for sale is flown`)
}

function checkBase(view: WorldView, base: Eid): number {
  const commissions = commissionsAt(view, base)
  const building = commissions.filter((row) => statusOf(view, row) === 'building')
  assert(building.length <= levelOfYard(view, base), `yard ${base} has too few bays`)
  for (const row of commissions) checkCommission(view, row)
  for (const row of listingsAt(view, base)) checkListing(view, row)
  const orders = ordersAt(view, base)
  const { player } = view.read(ShipOrder)
  for (const row of orders) assert(ordersOf(view, player[row]).includes(row), `order ${row}?`)
  const held = escrowed(view, base)
  assert(held === dueAt(view, base), `escrow of yard ${base} holds ${held} credits`)
  return commissions.length + listingsAt(view, base).length + orders.length
}

/** Commissions, listings and orders are few: every one. */
export const shipyardsHold: CheckDef = {
  name: 'shipyards: escrow backs what was paid in, hulls for sale are where they are sold',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Base)
    let found = 0
    for (let base = 1; base <= view.highOf(Base); base++) {
      const isBusy = view.read(Yard).escrow[base] !== 0 || listingsAt(view, base).length > 0
      if (alive[base] === 1 && isBusy) found += checkBase(view, base)
    }
    const rows = view.countOf(Commission) + view.countOf(ShipListing) + view.countOf(ShipOrder)
    assert(found === rows, `${rows - found} rows of shipyards are at no base`)
  },
}

/*
 * The showrooms of a new world: a few hulls at each yard, so that whoever has saved up can have a
 * better ship at once. Source: ships.md section 8, showroom; numbers ours.
 */

/** Hulls a showroom begins with, at a capital and elsewhere, and their highest tier. */
const HULLS_CAPITAL = 3
const HULLS_ELSEWHERE = 1
const TIER_MAX = 2

/** Classes that a yard may show, in catalogue order. */
const shownAt = (view: WorldView, base: Eid): number[] =>
  SHIP_CLASSES.flatMap((row, shipClass) => {
    const suits = isBuildable(row) && row.tier >= 1 && row.tier <= TIER_MAX
    return suits && yardBuilds(view, base, shipClass) ? [shipClass] : []
  })

function show(world: World, base: Eid, shipClass: number): void {
  const modules = fittedOf(shipClass, false)
  for (const good of modules) {
    moveItems(world, namedContainer('produced'), namedContainer('fitted'), good, 1)
  }
  const ship = createShip(world, { owner: 0, shipClass, modules })
  openListing(world, ship, base, showroomPrice(shipClass))
}

/** Each yard begins elsewhere in its list, so that neighbours show different hulls. */
export function fillShowrooms(world: World): void {
  const { alive, capital } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || !hasService(world, base, 'shipyard')) continue
    const classes = shownAt(world, base)
    const most = capital[base] === 1 ? HULLS_CAPITAL : HULLS_ELSEWHERE
    const count = Math.min(most, classes.length)
    for (let i = 0; i < count && world.roomIn(Ship) > 0; i++) {
      show(world, base, classes[(base * HULLS_CAPITAL + i) % classes.length])
    }
  }
}

/* What becomes of licences when a faction ends. Source: factions.md section 3. */

export const endLicenses = observe(disbanded, (world, { faction }) => dropLicenses(world, faction))

/*
 * How yards come by materials: at its turn each buys on the local exchange what its commissions
 * lack, with the credits set aside for them. Source: ships.md section 7, sourcing.
 */

/** Most that is paid for a unit, credits: less where nobody has ordered it but the yard. */
const limitFor = (world: World, row: Row, item: number): number =>
  world.read(Commission).player[row] === 0 ? ownPriceLimit(item) : priceLimit(item)

/** Of what a commission lacks, what is offered here at a price the yard pays. */
function offered(world: World, row: Row): Held[] {
  const base = world.read(Commission).base[row]
  return missingOf(world, row).filter(({ item }) => {
    const book = bookOf(world, base, item)
    const ask = book === 0 ? 0 : bestPrice(world, book, ASK)
    return ask > 0 && ask <= limitFor(world, row, item)
  })
}

/** What was bought for a commission is paid for and lies in its store by now. */
function recordBought(world: World, row: Row, done: readonly Done[]): void {
  const columns = world.write(Commission)
  const { subtotal } = world.read(OrderRequest)
  for (const { row: request } of done) {
    columns.earmark[row] -= subtotal[request]
    columns.spent[row] += subtotal[request]
  }
  advance(world, row)
}

/** Enters the purchases for a commission; without room for them it waits for the next turn. */
function buyFor(world: World, row: Row): void {
  const { base, player, earmark } = world.read(Commission)
  const wanted = offered(world, row)
  if (earmark[row] === 0 || wanted.length === 0 || !mayEnter(world, wanted.length)) return
  const command = enterCommand(world, {
    player: 0,
    base: base[row],
    purse: {
      owner: playerCode(player[row]),
      account: openEscrow(world, base[row]),
      goods: openStore(world, row, 'bought'),
      fillsMax: SOURCING_FILLS_MAX,
    },
    reply: (at, done) => recordBought(at, row, done),
  })
  for (const { item, units } of wanted) {
    const limit = limitFor(world, row, item)
    enter(world, command, {
      kind: 'take',
      side: BID,
      item,
      units,
      limit,
      credits: earmark[row],
    })
  }
}

/** A yard's turn. Source: ships.md section 7; O(commissions here). */
function sourceAt(world: World, base: Eid): void {
  if (!hasService(world, base, 'market') || !hasService(world, base, 'shipyard')) return
  for (const row of commissionsAt(world, base)) {
    if (statusOf(world, row) === 'sourcing') buyFor(world, row)
  }
}

function handOver(world: World): void {
  for (const row of takeDone(world)) {
    if (isHeldUp(world, row)) holdUp(world, row)
    else if (world.read(Commission).player[row] === 0) deliverOwn(world, row)
    else deliver(world, row)
  }
}

/** A base's turn; with it bays that a wrecked yard left empty are filled again. */
function takeTurn(world: World, base: number): void {
  fillBays(world, base)
  decideAt(world, base)
  sourceAt(world, base)
}

/**
 * Runs before the managers quote: what yards buy is worked out in a section of its own, and the
 * quotes see it.
 */
export const workYards: SystemDef = {
  name: 'shipyard.work',
  phase: 'produce',
  after: 'market.supply',
  writes: [
    ...TRADE_WRITES,
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    ...[Commission, Cover, Fill, ForSale, Grid, Package, Policy, ShipListing, ShipOrder],
    Yard,
  ],
  run(world) {
    handOver(world)
    const { alive } = world.read(Base)
    const first = CYCLE_TICKS - (world.tick % CYCLE_TICKS)
    for (let base = first; base <= world.highOf(Base); base += CYCLE_TICKS) {
      if (alive[base] === 1) takeTurn(world, base)
    }
  },
  split: TRADE,
}

/*
 * What yards do by themselves: sell showroom hulls to orders that pay enough, build for others, and
 * show what nobody waits for any more. Source: ships.md section 8.
 */

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
function decideAt(world: World, base: Eid): void {
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
function deliverOwn(world: World, row: Row): void {
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
