/**
 * Selling fuel out of the ship's tank to the station's. It has no book: the price follows the
 * station's tank.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { Eid, World, WorldView } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { addStat, walletOf } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { bandPriceOf, baseName, hasService } from '../base/rules.ts'
import { creditMove } from '../log/rules.ts'
import { Ship } from '../ship/columns.ts'

/** Most a station pays a unit. Source: travel.md section 7. */
const FUEL_PRICE_MAX = 10

export const FUEL = itemIndex('fuel')
assert(FUEL >= 0, 'the catalogue has fuel')

export const isFuel = (item: number): boolean => item === FUEL

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

export interface FuelSold {
  readonly quantity_sold: number
  readonly total_earned: number
  readonly unsold: number
}

/**
 * Sells fuel from the tank of the ship flown. Refusals: no_market, issue_item, insufficient_items,
 * no_buyers.
 * Source: market.md section 4, travel.md section 7.
 */
export function sellFuel(
  world: World,
  player: Eid,
  base: Eid,
  quantity: number,
): Outcome<FuelSold> {
  if (!hasService(world, base, 'refuel')) return fail('no_market')
  const ship = world.read(Player).ship[player]
  const { fuel, issueFuel } = world.read(Ship)
  const have = fuel[ship] - issueFuel[ship]
  if (have === 0 && issueFuel[ship] > 0) return fail('issue_item')
  if (have < quantity) return fail('insufficient_items', { need: quantity, have })
  const sale = quoteFuelSale(world, base, quantity)
  if (sale.units === 0) return fail('no_buyers')
  world.write(Ship).fuel[ship] -= sale.units
  world.write(Base).fuel[base] += sale.units
  const said = `Sold ${sale.units} fuel at ${baseName(world, base)} for ${sale.credits} credits.`
  const data = { item_id: GOODS[FUEL].id, quantity: sale.units }
  const manager = world.read(Base).manager[base]
  const wallet = walletOf(world, player)
  creditMove(world, player, manager, wallet, sale.credits, 'trading', 'sell', said, data)
  addStat(world, player, 'credits_earned', sale.credits)
  return ok({
    quantity_sold: sale.units,
    total_earned: sale.credits,
    unsold: quantity - sale.units,
  })
}
