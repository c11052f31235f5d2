/** Buy orders for ships: escrow, filling, withdrawing. Source: ships.md section 8. */
import { mulDivFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { baseName } from '../base/rules.ts'
import { logAction } from '../log/rules.ts'
import { shipId, shipName } from '../ship/rules.ts'
import { Commission, ShipOrder } from './columns.ts'
import { handHull } from './commissions.ts'
import { giveBack, payTax } from './escrow.ts'
import { enterOrder, removeOrder, shipOrderId } from './store.ts'

export interface NewOrder {
  readonly player: Eid
  readonly base: Eid
  readonly shipClass: number
  readonly price: number
  readonly tax: number
}

/** An order whose price and tax lie in the escrow by now. */
export function openOrder(world: World, wanted: NewOrder): Row {
  const row = world.take(ShipOrder)
  const columns = world.write(ShipOrder)
  columns.player[row] = wanted.player
  columns.base[row] = wanted.base
  columns.class[row] = wanted.shipClass
  columns.price[row] = wanted.price
  columns.tax[row] = wanted.tax
  columns.createdMs[row] = world.wallMs
  enterOrder(world, row)
  return row
}

/** Ends an order; what the yard builds for it is the yard's own from now on. */
export function closeOrder(world: World, row: Row): void {
  const { commission } = world.read(ShipOrder)
  if (commission[row] !== 0) world.write(Commission).order[commission[row]] = 0
  removeOrder(world, row)
  world.release(ShipOrder, row)
}

/**
 * Hands a hull that is the buyer's by now over to him. `price` credits have left the escrow for it:
 * tax on them goes to the empire, what the order held beyond comes back.
 */
export function fillOrder(world: World, row: Row, ship: Eid, price: number): void {
  const columns = world.read(ShipOrder)
  const to = { player: columns.player[row], base: columns.base[row] }
  const id = shipOrderId(world, row)
  const name = shipName(world, ship)
  const tax = mulDivFloor(columns.tax[row], price, columns.price[row])
  const back = columns.price[row] - price + columns.tax[row] - tax
  payTax(world, to.base, tax)
  giveBack(world, to, back, `${name} cost less than your order held.`, { order_id: id })
  closeOrder(world, row)
  handHull(world, ship, { ...to, id })
  addStat(world, to.player, 'ships_purchased', 1)
  addStat(world, to.player, 'credits_spent', price + tax)
  const where = baseName(world, to.base)
  const said = `Your order bought ${name} for ${counted(price, 'credit')}; it is docked at ${where}.`
  const data = { order_id: id, ship_id: shipId(world, ship), price, tax }
  logAction(world, to.player, 'ship', 'ship.buy_order_filled', said, data)
}
