/** Invariants of shipyards, and the end of licences. Source: ships.md sections 7, 8. */
import { assert } from '../../core/assert.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { disbanded } from '../faction/state.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { Location } from '../travel/state.ts'
import { gatheredUnits, requiredOf } from './materials-model.ts'
import {
  commissionsAt,
  commissionsOf,
  escrowBalance,
  levelOfYard,
  licenseKey,
  listingsAt,
  ordersAt,
  ordersOf,
  statusOf,
} from './model.ts'
import { Commission, ForSale, LICENSES, ShipListing, ShipOrder, Yard } from './state.ts'

/* Invariants */

/** Returns the credits that commissions and orders of a base have in escrow. */
function expectedEscrow(view: WorldView, base: Eid): number {
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
  let isComplete = true
  for (const { item, units } of requiredOf(view, row)) {
    const gathered = gatheredUnits(view, row, item)
    assert(gathered <= units, `commission ${row} has ${gathered} of ${units} units of ${item}`)
    if (gathered < units) isComplete = false
  }
  assert(isComplete === (status !== 'sourcing'), `commission ${row} is wrongly ${status}`)
  assert((doneTick[row] !== 0) === (status === 'building'), `commission ${row} has a wrong tick`)
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

/** Checks a base; returns the rows it has of commissions, listings and orders. */
function checkBase(view: WorldView, base: Eid): number {
  const commissions = commissionsAt(view, base)
  const listings = listingsAt(view, base)
  const building = commissions.filter((row) => statusOf(view, row) === 'building')
  assert(building.length <= levelOfYard(view, base), `yard ${base} builds more than it has bays`)
  for (const row of commissions) checkCommission(view, row)
  for (const row of listings) checkListing(view, row)
  const orders = ordersAt(view, base)
  const { player } = view.read(ShipOrder)
  for (const row of orders) {
    assert(ordersOf(view, player[row]).includes(row), `order ${row} is not listed for its buyer`)
  }
  const held = escrowBalance(view, base)
  assert(held === expectedEscrow(view, base), `escrow of yard ${base} holds ${held} credits`)
  return commissions.length + listings.length + orders.length
}

export const shipyardsHold: CheckDef = {
  name: 'shipyards: escrow backs what was paid in, hulls for sale are where they are sold',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Base)
    let listed = 0
    for (let base = 1; base <= view.highOf(Base); base++) {
      const isBusy = view.read(Yard).escrow[base] !== 0 || listingsAt(view, base).length > 0
      if (alive[base] === 1 && isBusy) listed += checkBase(view, base)
    }
    const rows = view.countOf(Commission) + view.countOf(ShipListing) + view.countOf(ShipOrder)
    assert(listed === rows, `${rows - listed} rows of shipyards are at no base`)
  },
}

/* Licences */

/** Drops the licences of a faction that is disbanded. Source: factions.md section 3. */
export const endLicenses = observe(disbanded, (world, { faction }) => {
  world.records(LICENSES).delete(licenseKey(world, faction))
})
