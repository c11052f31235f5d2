/** view_orders: the orders of the player who asks. Source: market.md section 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS } from '../../../core/catalog/index.ts'
import type { Eid } from '../../../core/types.ts'
import { baseId } from '../../../systems/base/model.ts'
import { onSmallMap, type SmallWorld } from '../../small-world.ts'
import * as scenes from './scene.ts'
import { freshScene, type Scene } from './scene.ts'

onSmallMap()

let scene: Scene
let small: SmallWorld
let player: Eid
let other: Eid
let base: Eid
let item: number
let item_id: string

beforeEach(async () => {
  scene = await freshScene()
  ;({ small, player, other, base, item, item_id } = scene)
})

const result = (who: Eid, command: string, params: object) =>
  scenes.result(scene, who, command, params)
const sell = (who: Eid, quantity: number, price: number) => scenes.sell(scene, who, quantity, price)
const bid = (who: Eid, quantity: number, price: number) => scenes.bid(scene, who, quantity, price)

describe('view_orders', () => {
  interface Orders {
    total: number
    total_pages: number
    has_more: boolean
    page_size: number
    orders: { order_id: string; price_each: number; order_type: string; remaining: number }[]
  }
  const view = (params: object = {}): Orders => {
    const outcome = small.ask(player, 'view_orders', params)
    if (!outcome.ok) throw new Error(outcome.code)
    return outcome.result as Orders
  }
  const code = (params: object): string => {
    const outcome = small.ask(player, 'view_orders', params)
    return outcome.ok ? 'ok' : outcome.code
  }
  const prices = (params: object = {}) => view(params).orders.map(({ price_each }) => price_each)

  test('lists open orders with their filled quantity', () => {
    const { order_id } = sell(player, 5, 100)
    result(other, 'buy', { item_id, quantity: 2 })
    expect(view().orders).toMatchObject([
      {
        order_id,
        item_id,
        order_type: 'sell',
        side: 'sell',
        price_each: 100,
        quantity: 5,
        remaining: 3,
        filled_quantity: 2,
        listing_fee: 5,
        created_by: 'Trader',
      },
    ])
  })

  test('sorts, filters and pages', () => {
    for (const price of [100, 300, 200]) sell(player, 1, price)
    bid(player, 1, 5)
    expect(prices()).toEqual([5, 200, 300, 100])
    expect(prices({ sort_by: 'oldest' })).toEqual([100, 300, 200, 5])
    expect(prices({ sort_by: 'price_asc' })).toEqual([5, 100, 200, 300])
    expect(prices({ sort_by: 'price_desc', order_type: 'sell' })).toEqual([300, 200, 100])
    expect(prices({ order_type: 'buy' })).toEqual([5])
    expect(prices({ search: GOODS[item].name.slice(0, 4).toUpperCase() })).toHaveLength(4)
    expect(prices({ search: 'no such thing' })).toEqual([])
    expect(prices({ item_id })).toHaveLength(4)
    expect(view({ page: 2, page_size: 3 })).toMatchObject({
      total: 4,
      total_pages: 2,
      has_more: false,
      orders: [{ price_each: 100 }],
    })
    expect(view({ page_size: 500 }).page_size).toBe(50)
  })

  test('lists orders at a named base without docking there', () => {
    sell(player, 1, 100)
    const station_id = baseId(small.world, base)
    small.act(player, 'undock')
    expect(code({})).toBe('not_docked')
    expect(view({ station_id }).total).toBe(1)
    expect(code({ station_id: 'nowhere' })).toBe('station_not_found')
    expect(code({ station_id, item_id: 'no such thing' })).toBe('unknown_item')
    expect(code({ scope: 'faction' })).toBe('not_in_faction')
  })
})
