/**
 * Opens the exchanges of a new world: escrow, the managers' funds and stocks, first quotes.
 */
import { itemIndex } from '../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../core/goods.ts'
import { namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { baseById } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { galaxyPlan } from '../travel/model.ts'
import { tradeNow } from './adopt-rules.ts'
import { openBook } from './book-rules.ts'
import { requote } from './manager-rules.ts'
import { openExchange } from './rules.ts'
import { Book, Exchange, Managed } from './state.ts'
import { managedAt, TARGET_MIN } from './vwap-model.ts'

/** What a base's manager is to stock. */
export interface Stocked {
  /** Index into GOODS. */
  readonly item: number
  readonly target: number
  /** Units of the first day; absent: the target. */
  readonly stock?: number
  readonly supply: boolean
}

export function foundExchanges(world: World): void {
  for (const system of galaxyPlan(world).systems) {
    for (const place of system.pois) {
      if (!place.base) continue
      const base = baseById(world, place.base.id)
      openExchange(world, base)
      const managed = place.base.managed.map(({ item, target, stock, supply }) => ({
        item: itemIndex(item),
        target,
        stock,
        supply,
      }))
      stockManager(world, base, managed, place.base.account_target)
    }
  }
}

/** Gives a manager its funds and stocks, and has it quote. */
export function stockManager(
  world: World,
  base: Eid,
  stocked: readonly Stocked[],
  credits: number,
): void {
  post(world, namedAccount('manager_funds'), world.read(Base).manager[base], credits)
  let last = 0
  for (const entry of [...stocked].sort((a, b) => a.item - b.item)) {
    last = manage(world, base, entry, last)
  }
  requote(world, managedAt(world, base))
  tradeNow(world)
}

function manage(world: World, base: Eid, entry: Stocked, last: Row): Row {
  const book = openBook(world, base, entry.item)
  const row = world.take(Managed)
  const managed = world.write(Managed)
  const target = Math.max(TARGET_MIN, entry.target)
  managed.base[row] = base
  managed.book[row] = book
  managed.target[row] = target
  const stock = entry.stock ?? target
  managed.stock[row] = stock
  managed.supply[row] = entry.supply ? 1 : 0
  world.write(Book).managed[book] = row
  if (last === 0) world.write(Exchange).firstManaged[base] = row
  else managed.next[last] = row
  moveItems(world, namedContainer('supply'), world.read(Base).stock[base], entry.item, stock)
  return row
}
