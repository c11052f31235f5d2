/** What a station pays for fuel that fills its tank. Source: travel.md section 7. */
import { balanceOf } from '../../core/ledger.ts'
import type { Eid, WorldView } from '../../core/world.ts'
import { Base } from '../base/columns.ts'
import { bandPriceOf } from '../base/rules.ts'

/** Most a station pays a unit. Source: travel.md section 7. */
const FUEL_PRICE_MAX = 10

interface FuelSale {
  readonly units: number
  readonly credits: number
}

/**
 * What the station takes of so many units: price of the band after each unit, less one, until tank
 * or funds end.
 */
export function quoteFuelSale(view: WorldView, base: Eid, units: number): FuelSale {
  const { fuel, fuelMax, manager } = view.read(Base)
  const funds = balanceOf(view, manager[base])
  const room = fuelMax[base] - fuel[base]
  let credits = 0
  let taken = 0
  while (taken < units && taken < room) {
    const band = bandPriceOf(fuel[base] + taken + 1, fuelMax[base])
    const price = Math.min(FUEL_PRICE_MAX, band - 1)
    if (price < 1 || credits + price > funds) break
    credits += price
    taken++
  }
  return { units: taken, credits }
}
