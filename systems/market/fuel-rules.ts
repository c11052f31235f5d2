/** What a station pays for fuel that fills its tank. Source: travel.md section 7. */
import { balanceOf } from '../../core/ledger.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { bandPriceOf } from '../base/rules.ts'
import { fuelBidMax, ownerOfBase } from '../station/access-rules.ts'
import { Station } from '../station/columns.ts'

/** Most a station pays a unit. Source: travel.md section 7. */
const FUEL_PRICE_MAX = 10

interface FuelSale {
  readonly units: number
  readonly credits: number
}

/**
 * What the station takes of so many units: price of the band after each unit, less one, until tank
 * or funds end. A faction's station buys if its owner says so, out of the treasury.
 */
export function quoteFuelSale(view: WorldView, base: Eid, units: number): FuelSale {
  const { fuel, fuelMax, manager } = view.read(Base)
  if (ownerOfBase(view, base) !== 0 && view.read(Station).buysFuel[base] === 0) {
    return { units: 0, credits: 0 }
  }
  const most = Math.min(FUEL_PRICE_MAX, fuelBidMax(view, base))
  const funds = balanceOf(view, manager[base])
  const room = fuelMax[base] - fuel[base]
  let credits = 0
  let taken = 0
  while (taken < units && taken < room) {
    const band = bandPriceOf(fuel[base] + taken + 1, fuelMax[base])
    const price = Math.min(most, band - 1)
    if (price < 1 || credits + price > funds) break
    credits += price
    taken++
  }
  return { units: taken, credits }
}
