/** The stock of a station's manager, for uses other than trading: the station's yard and works. */
import { moveItems, unitsIn } from '../../core/goods.ts'
import { divCeil } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { bookOf } from './book-model.ts'
import { managedValue, quoteOf, RESERVE_DIVISOR } from './quote-model.ts'
import { Book, Managed } from './state.ts'

/** Returns the Managed row of a good at a base; 0 if its manager does not stock it. */
export function managedOf(view: WorldView, base: Eid, item: number): Row {
  const book = bookOf(view, base, item)
  return book === 0 ? 0 : view.read(Book).managed[book]
}

/** Returns the units of a good that a manager has and does not offer in asks. */
export const unitsInStock = (view: WorldView, base: Eid, item: number): number =>
  managedOf(view, base, item) === 0 ? 0 : unitsIn(view, view.read(Base).stock[base], item)

/** Returns the units of a good above the reserve that is never offered in asks. */
export function unitsAboveReserve(view: WorldView, base: Eid, item: number): number {
  const managed = managedOf(view, base, item)
  if (managed === 0) return 0
  const { stock, target } = view.read(Managed)
  const above = stock[managed] - divCeil(target[managed], RESERVE_DIVISOR)
  return Math.max(0, Math.min(above, unitsInStock(view, base, item)))
}

/**
 * Returns the price that a manager would ask for a unit now, even if it offers none; 0 if
 * unstocked.
 */
export function askOf(view: WorldView, base: Eid, item: number): number {
  const managed = managedOf(view, base, item)
  if (managed === 0) return 0
  const { stock, target } = view.read(Managed)
  const capital = view.read(Base).capital[base] === 1
  const value = managedValue(view, managed)
  return quoteOf({ stock: stock[managed], target: target[managed], value, capital, budget: 0 }).ask
}

/** Takes goods from a manager's stock; its quotes are updated when the base is next due. */
export function takeFromStock(world: World, base: Eid, to: Row, item: number, units: number): void {
  moveItems(world, world.read(Base).stock[base], to, item, units)
  world.write(Managed).stock[managedOf(world, base, item)] -= units
}
