/**
 * Selling fuel out of the ship's tank to the station's. It has no book: the price follows the
 * station's tank.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { counted } from '../../core/say.ts'
import type { Eid, World } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { addStat, walletOf } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { baseName, hasService } from '../base/rules.ts'
import { creditMove } from '../log/rules.ts'
import { Ship } from '../ship/columns.ts'
import { refusesService } from '../station/access-rules.ts'
import { quoteFuelSale } from './fuel-rules.ts'

export const FUEL = itemIndex('fuel')
assert(FUEL >= 0, 'the catalogue has fuel')

export const isFuel = (item: number): boolean => item === FUEL

export interface FuelSold {
  readonly quantity_sold: number
  readonly total_earned: number
  readonly unsold: number
}

/**
 * Sells fuel from the tank of the ship flown. Refusals: no_market, issue_item, insufficient_items,
 * no_buyers, service_restricted.
 * Source: market.md section 4, travel.md section 7.
 */
export function sellFuel(
  world: World,
  player: Eid,
  base: Eid,
  quantity: number,
): Outcome<FuelSold> {
  if (!hasService(world, base, 'refuel')) return fail('no_market')
  const barred = refusesService(world, player, base, 'refuel')
  if (barred) return barred
  const ship = world.read(Player).ship[player]
  const { fuel, issueFuel } = world.read(Ship)
  const have = fuel[ship] - issueFuel[ship]
  if (have === 0 && issueFuel[ship] > 0) return fail('issue_item')
  if (have < quantity) return fail('insufficient_items', { need: quantity, have })
  const sale = quoteFuelSale(world, base, quantity)
  if (sale.units === 0) return fail('no_buyers')
  world.write(Ship).fuel[ship] -= sale.units
  world.write(Base).fuel[base] += sale.units
  const said = `Sold ${sale.units} fuel at ${baseName(world, base)} for ${counted(sale.credits, 'credit')}.`
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
