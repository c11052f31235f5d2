/**
 * Deliveries to capitals: the manager of a capital buys essential goods that it is short of from
 * the station that has the most. As much as a freighter holds is flown there by a convoy; the rest,
 * or all if no convoy can be formed, is delivered at once. Source: balance.md section 4.
 */
import { assert } from '../../core/assert.ts'
import { ESSENTIALS, GOODS } from '../../core/catalog/index.ts'
import { contentsOf } from '../../core/goods.ts'
import { addToList } from '../../core/groups.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { formConvoy } from '../npc/convoy-rules.ts'
import { unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { isPirateBase } from './model.ts'
import { fillPct, managedAt, managedValue, midOf } from './quote-model.ts'
import { Book, MANAGED_BY_GOOD, Managed } from './state.ts'
import { managedOf, takeFromStock, unitsInStock } from './stock-model.ts'

/**
 * Stock up to which a capital buys a good, and above which a station supplies it, percent of the
 * target. ours: balance.md section 4 buys at 30 %, but works stop when 35 % of an input is left, so
 * that they would stand still without getting deliveries. At 40 % imports would become too cheap.
 */
const SHORT_PCT = 38
const PLENTY_PCT = 90
/** Divisor of the target: one convoy brings this part of it. */
const LOAD_DIVISOR = 20

const ESSENTIAL = new Set(ESSENTIALS)
const IS_ESSENTIAL = GOODS.map(({ id }) => ESSENTIAL.has(id))

/** Returns the Managed rows of all stations that stock a good. */
function managedRowsOf(view: WorldView, item: number): readonly Row[] {
  const byGood = view.index(MANAGED_BY_GOOD)
  if (byGood.size === 0) {
    const { alive, book } = view.read(Managed)
    const { item: itemOf } = view.read(Book)
    for (let row = 1; row <= view.highOf(Managed); row++) {
      if (alive[row] === 1) addToList(byGood, itemOf[book[row]], row)
    }
  }
  return byGood.get(item) ?? []
}

/**
 * Returns the Managed row whose stock of a good is the highest percentage of its target, if that is
 * above PLENTY_PCT; otherwise 0. Pirate bases supply nothing.
 */
function supplierOf(view: WorldView, item: number): Row {
  const { base, stock, target } = view.read(Managed)
  let supplier = 0
  let best = PLENTY_PCT
  for (const row of managedRowsOf(view, item)) {
    const fill = fillPct(stock[row], target[row])
    if (fill <= best || isPirateBase(view, base[row])) continue
    supplier = row
    best = fill
  }
  return supplier
}

/** Makes a capital buy a load of a good that it lacks. */
function buyLoad(world: World, buyer: Row, supplier: Row): void {
  const { base, book, stock, target } = world.read(Managed)
  const { manager } = world.read(Base)
  const item = world.read(Book).item[book[buyer]]
  const [from, to] = [base[supplier], base[buyer]]
  const value = managedValue(world, supplier)
  const price = midOf({ stock: stock[supplier], target: target[supplier], value })
  const units = Math.min(
    Math.max(1, divFloor(target[buyer], LOAD_DIVISOR)),
    stock[supplier] - divCeil(target[supplier] * PLENTY_PCT, 100),
    unitsInStock(world, from, item),
    divFloor(balanceOf(world, manager[to]), price),
  )
  if (units <= 0) return
  // The goods are paid for now: the buyer bears the risk of the route.
  post(world, manager[to], manager[from], units * price)
  const { stock: store } = world.read(Base)
  const shipped = formConvoy(world, { from, to, item, units, stock: store[from] })
  world.write(Managed).stock[supplier] -= shipped
  const rest = units - shipped
  takeFromStock(world, from, store[to], item, rest)
  world.write(Managed).stock[buyer] += rest
}

/**
 * Buys loads of all goods that a capital is short of. O(its goods + stations that stock them).
 */
export function sendConvoys(world: World, capital: Eid): void {
  const { book, stock, target } = world.read(Managed)
  const { item } = world.read(Book)
  for (const row of managedAt(world, capital)) {
    const good = item[book[row]]
    if (!IS_ESSENTIAL[good] || fillPct(stock[row], target[row]) > SHORT_PCT) continue
    const supplier = supplierOf(world, good)
    if (supplier !== 0) buyLoad(world, row, supplier)
  }
}

/** Moves the goods that a freighter has brought into the stock of a capital. */
export function receiveConvoy(world: World, ship: Eid, base: Eid): void {
  const { stock: store } = world.read(Base)
  for (const { item, units } of contentsOf(world, world.read(Ship).hold[ship])) {
    const managed = managedOf(world, base, item)
    assert(managed !== 0, `base ${base} does not stock what a convoy brings`)
    unloadCargo(world, ship, store[base], item, units)
    world.write(Managed).stock[managed] += units
  }
}
