/** view_market and estimate_purchase. Source: market.md section 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { openLocker } from '../../../systems/cargo/model.ts'
import { bookOf } from '../../../systems/market/book-model.ts'
import { salesTaxBps } from '../../../systems/market/model.ts'
import { ASK } from '../../../systems/market/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { placeOrder } from '../../exchange.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let small: SmallWorld
let player: Eid
let base: Eid
const item = itemIndex('steel_plate')

beforeEach(async () => {
  small = await smallWorld()
  player = small.join('Looker')
  base = dockedBase(small.world, player)
})

interface Listing {
  item_id: string
  category: string
  best_buy: number
  best_sell: number
  spread: number
  sell_quantity: number
  sell_orders: { price_each: number; quantity: number; my_quantity?: number; source?: string }[]
}
interface Market {
  current_tick: number
  incremental?: boolean
  categories: string[]
  items: Listing[]
}

const market = (params: object = {}): Market => {
  const outcome = small.ask(player, 'view_market', params)
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome.result as Market
}
const code = (command: string, params: object) => {
  const outcome = small.ask(player, command, params)
  return outcome.ok ? 'ok' : outcome.code
}
const sell = (price: number, units: number) => {
  const locker = openLocker(small.world, player, base)
  moveItems(small.world, namedContainer('supply'), locker, item, units)
  const order = { player, base, item, side: ASK, price, units, deliverTo: 'cargo' } as const
  expect(placeOrder(small.world, order).ok).toBe(true)
}

test('view_market answers an untraded category with the categories traded here', () => {
  expect(market({ category: 'ores' })).toMatchObject({
    items: [],
    message: expect.stringMatching(/^Nothing of the category “ores” .* there are .*\bore\b/),
  })
  expect(market({ category: 'ore' })).not.toHaveProperty('message')
})

describe('view_market', () => {
  test('lists the items traded here, of all categories or of one', () => {
    const all = market()
    expect(all.items.length).toBeGreaterThan(10)
    const ids = all.items.map(({ item_id }) => item_id)
    expect(ids).toContain('steel_plate')
    const [category] = all.categories
    const some = market({ category })
    expect(some.items.length).toBeGreaterThan(0)
    expect(new Set(some.items.map((entry) => entry.category))).toEqual(new Set([category]))
  })

  test("shows the depth of one item: station, players, and the player's own share", () => {
    const [before] = market({ item_id: 'steel_plate' }).items
    expect(before.spread).toBe(before.best_sell - before.best_buy)
    expect(before.sell_orders.every(({ source }) => source === 'station')).toBe(true)
    sell(before.best_sell, 3)
    const [after] = market({ item_id: 'Steel Plate' }).items
    expect(after.sell_orders[0]).toEqual({
      price_each: before.best_sell,
      quantity: 3,
      my_quantity: 3,
    })
    expect(after.sell_orders[1]).toEqual(before.sell_orders[0])
    expect(after.sell_quantity).toBe(before.sell_quantity + 3)
  })

  test('shows only the items that changed since a cursor', () => {
    small.ticks(2)
    const cursor = market().current_tick + 1
    small.ticks(1)
    sell(1_000, 1)
    const changed = market({ since: cursor })
    expect(changed.incremental).toBe(true)
    expect(changed.items.map(({ item_id }) => item_id)).toEqual(['steel_plate'])
    expect(bookOf(small.world, base, item)).not.toBe(0)
  })

  test('refuses a cursor from the future or too far back', () => {
    expect(code('view_market', { since: small.world.tick + 1 })).toBe('stale_cursor')
    small.world.tick += 400
    expect(code('view_market', { since: small.world.tick - 361 })).toBe('stale_cursor')
    expect(code('view_market', { since: small.world.tick - 360 })).toBe('ok')
  })

  test('is refused with the code of each reason', () => {
    expect(code('view_market', { company_store: true })).toBe('not_in_faction')
    expect(code('view_market', { item_id: 'no such thing' })).toBe('unknown_item')
    small.world.write(Base).services[base] &= ~serviceBit('market')
    expect(code('view_market', {})).toBe('no_market')
    small.act(player, 'undock')
    expect(code('view_market', {})).toBe('not_docked')
  })
})

describe('estimate_purchase', () => {
  test('predicts the cost of a purchase', () => {
    const grant = namedAccount('starting_grant')
    post(small.world, grant, walletOf(small.world, player), 1_000_000)
    const params = { item_id: 'steel_plate', quantity: 3 }
    const estimate = small.ask(player, 'estimate_purchase', params)
    const bought = small.act(player, 'buy', params)
    if (!estimate.ok || !bought.ok) throw new Error('both succeed')
    const cost = (bought.result as { total_cost: number }).total_cost
    expect(estimate.result).toMatchObject({
      item: GOODS[item].name,
      total_cost: cost,
      sales_tax_rate_bps: salesTaxBps(small.world, player, base),
      unfilled: 0,
    })
  })

  test('skips own asks and reports the units that are missing', () => {
    sell(1, 50)
    const estimate = small.ask(player, 'estimate_purchase', {
      item_id: 'steel_plate',
      quantity: 1_000_000,
    })
    if (!estimate.ok) throw new Error(estimate.code)
    const { available, unfilled, fills } = estimate.result as {
      available: number
      unfilled: number
      fills: { price_each: number }[]
    }
    expect(available + unfilled).toBe(1_000_000)
    expect(fills[0].price_each).toBeGreaterThan(1)
    expect(code('estimate_purchase', { item_id: 'nope', quantity: 1 })).toBe('unknown_item')
  })
})
