/** What holds of yards and of the ship exchange after a tick. Source: ships.md sections 7, 8. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { Location } from '../travel/state.ts'
import { levelOfYard } from './bill-model.ts'
import { gatheredUnits, wantedOf } from './materials-model.ts'
import {
  commissionsAt,
  commissionsOf,
  escrowed,
  listingsAt,
  ordersAt,
  ordersOf,
  statusOf,
} from './model.ts'
import { Commission, ForSale, ShipListing, ShipOrder, Yard } from './state.ts'

/** Credits that commissions and orders of a base have in escrow. */
function owedAt(view: WorldView, base: Eid): number {
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
  assert(held === owedAt(view, base), `escrow of yard ${base} holds ${held} credits`)
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
