/**
 * How yards come by materials: at its turn each buys on the local exchange what its commissions
 * lack, with the credits set aside for them. Source: ships.md section 7, sourcing.
 */
import type { Held } from '../../core/goods.ts'
import { SOURCING_FILLS_MAX } from '../../core/limits.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { hasService } from '../base/rules.ts'
import { ASK, BID, OrderRequest } from '../market/columns.ts'
import {
  bookOf,
  type Done,
  enter,
  enterCommand,
  mayEnter,
  playerCode,
} from '../market/purse-rules.ts'
import { bestPrice } from '../market/rules.ts'
import { ownPriceLimit, priceLimit } from './bill.ts'
import { Commission } from './columns.ts'
import { advance, statusOf } from './commissions.ts'
import { openEscrow } from './escrow.ts'
import { missingOf, openStore } from './materials.ts'
import { commissionsAt } from './store.ts'

/** Most that is paid for a unit, credits: less where nobody has ordered it but the yard. */
const limitFor = (world: World, row: Row, item: number): number =>
  world.read(Commission).player[row] === 0 ? ownPriceLimit(item) : priceLimit(item)

/** Of what a commission lacks, what is offered here at a price the yard pays. */
function offered(world: World, row: Row): Held[] {
  const base = world.read(Commission).base[row]
  return missingOf(world, row).filter(({ item }) => {
    const book = bookOf(world, base, item)
    const ask = book === 0 ? 0 : bestPrice(world, book, ASK)
    return ask > 0 && ask <= limitFor(world, row, item)
  })
}

/** What was bought for a commission is paid for and lies in its store by now. */
function noteBought(world: World, row: Row, done: readonly Done[]): void {
  const columns = world.write(Commission)
  const { subtotal } = world.read(OrderRequest)
  for (const { row: request } of done) {
    columns.earmark[row] -= subtotal[request]
    columns.spent[row] += subtotal[request]
  }
  advance(world, row)
}

/** Enters the purchases for a commission; without room for them it waits for the next turn. */
function buyFor(world: World, row: Row): void {
  const { base, player, earmark } = world.read(Commission)
  const wanted = offered(world, row)
  if (earmark[row] === 0 || wanted.length === 0 || !mayEnter(world, wanted.length)) return
  const command = enterCommand(world, {
    player: 0,
    base: base[row],
    purse: {
      owner: playerCode(player[row]),
      account: openEscrow(world, base[row]),
      goods: openStore(world, row, 'bought'),
      fillsMax: SOURCING_FILLS_MAX,
    },
    reply: (at, done) => noteBought(at, row, done),
  })
  for (const { item, units } of wanted) {
    const limit = limitFor(world, row, item)
    enter(world, command, {
      ...{ kind: 'take', side: BID, item, units, limit, credits: earmark[row] },
    })
  }
}

/** A yard's turn. Source: ships.md section 7; O(commissions here). */
export function sourceAt(world: World, base: Eid): void {
  if (!hasService(world, base, 'market') || !hasService(world, base, 'shipyard')) return
  for (const row of commissionsAt(world, base)) {
    if (statusOf(world, row) === 'sourcing') buyFor(world, row)
  }
}
