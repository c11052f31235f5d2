/** Opens the exchanges of a new world: escrow, the managers' funds and stocks, first quotes. */
import { type GoodsPart, itemIndex } from '../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../core/goods.ts'
import { namedAccount, post } from '../../core/ledger.ts'
import type { Eid, World } from '../../core/types.ts'
import { baseById } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { galaxyPlan } from '../travel/model.ts'
import { tradeNow } from './adopt-rules.ts'
import { openBook } from './book-rules.ts'
import { requote } from './manager-rules.ts'
import { managedAt, TARGET_MIN } from './quote-model.ts'
import { openExchange } from './rules.ts'
import { Book, MANAGED_AT, Managed, PARTS } from './state.ts'

/** An item that a base's manager stocks in a new world. */
interface ManagedItem {
  /** Index into GOODS. */
  readonly item: number
  readonly target: number
  /** Units at the start; absent: the target. */
  readonly stock?: number
  readonly supply: boolean
  readonly part: GoodsPart
  readonly value_pct: number
}

/** Opens the exchanges of all bases in the plan of the galaxy. */
export function foundExchanges(world: World): void {
  for (const system of galaxyPlan(world).systems) {
    for (const place of system.pois) {
      if (!place.base) continue
      const base = baseById(world, place.base.id)
      openExchange(world, base)
      const managed = place.base.managed.map(({ item, ...plan }) => ({
        ...plan,
        item: itemIndex(item),
      }))
      stockManager(world, base, managed, place.base.account_target)
    }
  }
}

/** Gives a manager its funds and stock, and places its first quotes. */
function stockManager(
  world: World,
  base: Eid,
  stocked: readonly ManagedItem[],
  credits: number,
): void {
  post(world, namedAccount('manager_funds'), world.read(Base).manager[base], credits)
  for (const entry of [...stocked].sort((a, b) => a.item - b.item)) manage(world, base, entry)
  requote(world, managedAt(world, base))
  tradeNow(world)
}

/** Adds an item to the stock of a manager. */
function manage(world: World, base: Eid, entry: ManagedItem): void {
  const book = openBook(world, base, entry.item)
  const row = world.take(Managed)
  const managed = world.write(Managed)
  const target = Math.max(TARGET_MIN, entry.target)
  managed.book[row] = book
  managed.target[row] = target
  const stock = entry.stock ?? target
  managed.stock[row] = stock
  managed.supply[row] = entry.supply ? 1 : 0
  managed.part[row] = PARTS.indexOf(entry.part)
  managed.valuePct[row] = entry.value_pct
  world.write(Book).managed[book] = row
  MANAGED_AT.link(world, row, base)
  moveItems(world, namedContainer('supply'), world.read(Base).stock[base], entry.item, stock)
}
