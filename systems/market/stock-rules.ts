/** The stock of a station manager, for goods that come by other ways than the exchange. */
import { moveItems } from '../../core/goods.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { bookOf } from './book.ts'
import { Book, Managed } from './columns.ts'

/** Moves goods into a manager's stock; what he trades in is quoted anew at the base's next turn. */
export function addToStock(world: World, base: Eid, from: Row, item: number, units: number): void {
  moveItems(world, from, world.read(Base).stock[base], item, units)
  const book = bookOf(world, base, item)
  const managed = book === 0 ? 0 : world.read(Book).managed[book]
  if (managed !== 0) world.write(Managed).stock[managed] += units
}
