/**
 * Showrooms: the hulls of its own that a yard has for sale, their prices, and how it replaces those
 * it has sold. Source: ships.md section 8; balance.md section 4.
 */
import { EMPIRES, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { Container, moveItems, namedContainer, Stack } from '../../core/goods.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import { addPercent } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { empireOfBase, hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { takeFromStock, unitsAboveReserve } from '../market/stock-model.ts'
import { createShip } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { advance, openCommission } from './commission-rules.ts'
import { billOf, fittedOf } from './materials-model.ts'
import { openStore } from './materials-rules.ts'
import {
  commissionsAt,
  isBuildable,
  laborCost,
  listingsAt,
  ownHullsAt,
  showroomPrice,
} from './model.ts'
import { openEscrow, openListing } from './rules.ts'
import {
  COMMISSIONS_PER_YARD_MAX,
  Commission,
  SALES_COUNTED_MAX,
  SHOWROOM_HULLS_MAX,
  ShipListing,
  Yard,
} from './state.ts'

/* What is shown */

/** A role in a tier, the classes a yard builds for it, and how many hulls of it are shown. */
interface Place {
  readonly tier: number
  readonly role: string
  readonly classes: readonly number[]
  readonly count: number
}

const TIERS = [1, 2] as const
/** Level from which a yard outside capitals shows more than one hull. */
const LEVEL_LARGE = 3
/** Hulls of each role that a capital shows, by tier. */
const HULLS_CAPITAL = { 1: 2, 2: 1 } as const
/** Hulls that a large or a small yard elsewhere shows in all, by tier. */
const HULLS_LARGE = { 1: 3, 2: 1 } as const
const HULLS_SMALL = { 1: 1, 2: 0 } as const

/** Returns the roles that an empire has designs for in a tier; '' stands for open designs. */
function rolesOf(faction: string, tier: number): Place[] {
  const roles = new Map<string, number[]>()
  for (const [shipClass, row] of SHIP_CLASSES.entries()) {
    if (row.faction !== faction || row.tier !== tier || !isBuildable(row)) continue
    roles.set(row.class, [...(roles.get(row.class) ?? []), shipClass])
  }
  return [...roles].map(([role, classes]) => ({ tier, role, classes, count: 1 }))
}

const ROLES: ReadonlyMap<string, Readonly<Record<1 | 2, readonly Place[]>>> = new Map(
  ['', ...EMPIRES.map(({ id }) => id)].map((faction) => [
    faction,
    { 1: rolesOf(faction, 1), 2: rolesOf(faction, 2) },
  ]),
)

/**
 * Returns what a yard wants to show. Outside capitals each yard starts at another role of the list,
 * so that neighbours show different hulls.
 */
export function showroomPlaces(view: WorldView, base: Eid): Place[] {
  const { level, capital, shipyardTier } = view.read(Base)
  const empire = empireOfBase(view, base)
  const roles = ROLES.get(empire < 0 ? '' : EMPIRES[empire].id)
  if (!roles) return []
  const few = level[base] >= LEVEL_LARGE ? HULLS_LARGE : HULLS_SMALL
  const places = TIERS.flatMap((tier) => {
    const all = roles[tier]
    if (tier > shipyardTier[base]) return []
    if (capital[base] === 1) return all.map((place) => ({ ...place, count: HULLS_CAPITAL[tier] }))
    return all.map((_, i) => all[(base + i) % all.length]).slice(0, few[tier])
  })
  const excess = places.reduce((sum, { count }) => sum + count, 0) - SHOWROOM_HULLS_MAX
  // Some roles show one hull less, so that no role at the end of the list goes without.
  return places.map((place, i) => (i < excess ? { ...place, count: place.count - 1 } : place))
}

/** Counts the hulls of each class that a yard shows or builds for itself. */
function shownAt(view: WorldView, base: Eid): Map<number, number> {
  const shown = new Map<number, number>()
  const add = (shipClass: number) => shown.set(shipClass, (shown.get(shipClass) ?? 0) + 1)
  const listings = view.read(ShipListing)
  const { class: classOf } = view.read(Ship)
  for (const row of listingsAt(view, base)) {
    if (listings.player[row] === 0) add(classOf[listings.ship[row]])
  }
  const { player, order, class: built } = view.read(Commission)
  for (const row of commissionsAt(view, base)) {
    if (player[row] === 0 && order[row] === 0) add(built[row])
  }
  return shown
}

/** Returns the places that lack hulls, those with the fewest hulls first. */
function placesToFill(view: WorldView, base: Eid): Place[] {
  const shown = shownAt(view, base)
  return showroomPlaces(view, base)
    .map((place) => ({
      place,
      count: place.classes.reduce((sum, shipClass) => sum + (shown.get(shipClass) ?? 0), 0),
    }))
    .filter(({ place, count }) => count < place.count)
    .sort((a, b) => a.count - b.count || a.place.tier - b.place.tier)
    .map(({ place }) => place)
}

/* What it costs */

/** Percent that each sale adds to the prices of a showroom, and for how many ticks. */
const SALE_PCT = 4
const SALE_TICKS = 2_160

/** Returns the price of a hull in a showroom now: each recent sale there has raised it. */
export function hullPrice(view: WorldView, base: Eid, shipClass: number): number {
  const { soldTicks } = view.read(Yard)
  let sales = 0
  for (let i = base * SALES_COUNTED_MAX; i < (base + 1) * SALES_COUNTED_MAX; i++) {
    if (soldTicks[i] !== 0 && view.tick - soldTicks[i] < SALE_TICKS) sales++
  }
  return addPercent(showroomPrice(shipClass), SALE_PCT * sales)
}

/** Updates the prices of the hulls that a yard shows. */
export function repriceShowroom(world: World, base: Eid): void {
  const { player, ship, price } = world.read(ShipListing)
  const { class: classOf } = world.read(Ship)
  for (const row of listingsAt(world, base)) {
    if (player[row] !== 0) continue
    const newPrice = hullPrice(world, base, classOf[ship[row]])
    if (newPrice !== price[row]) world.write(ShipListing).price[row] = newPrice
  }
}

/** Records that a yard sold a hull of its own: the next ones cost more. */
export function recordShowroomSale(world: World, base: Eid): void {
  const { soldTicks } = world.write(Yard)
  const first = base * SALES_COUNTED_MAX
  soldTicks.copyWithin(first + 1, first, first + SALES_COUNTED_MAX - 1)
  soldTicks[first] = world.tick
  repriceShowroom(world, base)
}

/* How it is filled */

const lacksRoom = (view: WorldView): boolean =>
  [Commission, Container, Stack].some((table) => isNearlyFull(view, table))

/** Starts a hull from stock above the reserve; returns false if materials or credits are short. */
function buildFromStock(world: World, base: Eid, shipClass: number): boolean {
  const bill = billOf(shipClass, false)
  if (bill.some(({ item, units }) => unitsAboveReserve(world, base, item) < units)) return false
  const labor = laborCost(shipClass)
  const { manager } = world.read(Base)
  if (balanceOf(world, manager[base]) < labor) return false
  post(world, manager[base], openEscrow(world, base), labor)
  const request = { player: 0, base, shipClass, bare: false, mode: 'credits' } as const
  const charge = { material: 0, labor, margin: 0, tax: 0, taxBps: 0, total: labor, brings: [] }
  const row = openCommission(world, request, charge)
  const store = openStore(world, row, 'bought')
  for (const { item, units } of bill) takeFromStock(world, base, store, item, units)
  advance(world, row)
  return true
}

/** Starts one hull for the showroom, of the first role that there are parts for. */
export function replenishShowroom(world: World, base: Eid): void {
  if (ownHullsAt(world, base) >= SHOWROOM_HULLS_MAX || lacksRoom(world)) return
  if (commissionsAt(world, base).length >= COMMISSIONS_PER_YARD_MAX) return
  for (const { classes } of placesToFill(world, base)) {
    if (classes.some((shipClass) => buildFromStock(world, base, shipClass))) return
  }
}

/** Puts a finished hull into a showroom of a new world. */
function stockShowroom(world: World, base: Eid, shipClass: number): void {
  const modules = fittedOf(shipClass, false)
  for (const good of modules) {
    moveItems(world, namedContainer('produced'), namedContainer('fitted'), good, 1)
  }
  const ship = createShip(world, { owner: 0, shipClass, modules })
  openListing(world, ship, base, showroomPrice(shipClass))
}

/** Fills the showrooms of a new world. */
export function fillShowrooms(world: World): void {
  const { alive } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || !hasService(world, base, 'shipyard')) continue
    for (const { classes, count } of showroomPlaces(world, base)) {
      for (let i = 0; i < count && world.roomIn(Ship) > 0; i++) {
        stockShowroom(world, base, classes[i % classes.length])
      }
    }
  }
}
