/** The part of an exchange price that counts as a gift. Source: balance.md section 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS } from '../../../core/catalog/index.ts'
import { statOf } from '../../../systems/account/model.ts'
import { Giving } from '../../../systems/account/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { allowGiving } from '../trade/stage.ts'
import { bid, code, freshScene, result, type Scene, sell } from './scene.ts'

onSmallMap()

let scene: Scene
/** The highest price that is no gift. */
let fair: number
beforeEach(async () => {
  scene = await freshScene()
  fair = 5 * GOODS[scene.item].base_value
  const { world } = scene.small
  // A new account, which has earned nothing.
  world.write(Giving).granted[scene.player] = 0
})

const order = (price_each: number, quantity = 1) => ({
  item_id: scene.item_id,
  quantity,
  price_each,
})
const given = (): number => scene.small.world.read(Giving).given[scene.player]
const buy = (quantity: number) =>
  result(scene, scene.player, 'buy', { item_id: scene.item_id, quantity })

describe('a player who has earned nothing', () => {
  test('bids up to five times the value of a good', () => {
    bid(scene, scene.player, 10, fair)
    const refused = code(scene, scene.player, 'create_buy_order', order(fair + 1))
    expect(refused).toBe('trading_restricted')
    expect(given()).toBe(0)
  })

  test('buys no ask above five times the value of a good', () => {
    sell(scene, scene.other, 10, fair)
    sell(scene, scene.other, 10, fair + 1)
    const params = { item_id: scene.item_id, quantity: 20 }
    const estimate = scene.small.ask(scene.player, 'estimate_purchase', params)
    expect(estimate).toMatchObject({ ok: true, result: { available: 10, unfilled: 10 } })
    expect(buy(20)).toMatchObject({ quantity: 10, unfilled: 10, stopped_by: 'book' })
    expect(given()).toBe(0)
  })

  test('cannot raise a bid above five times the value of a good', () => {
    const { order_id } = bid(scene, scene.player, 10, fair)
    const refused = code(scene, scene.player, 'modify_order', { order_id, new_price: fair + 1 })
    expect(refused).toBe('trading_restricted')
  })

  test('spends one gift allowance on all rows of a list', () => {
    allowGiving(scene.small.world, scene.player, 10)
    const orders = [order(fair + 6), order(fair + 6), order(fair + 4), order(1)]
    const { results } = result(scene, scene.player, 'create_buy_order', { orders })
    expect(results.map(({ error_code }) => error_code)).toEqual([
      undefined,
      'trading_restricted',
      undefined,
      undefined,
    ])
    expect(given()).toBe(10)
  })
})

describe('a player who has earned something', () => {
  test('may pay more, and the part above five times the value counts as given', () => {
    allowGiving(scene.small.world, scene.player, 100)
    sell(scene, scene.other, 20, fair + 10)
    expect(buy(10).quantity).toBe(10)
    expect(given()).toBe(100)
    expect(code(scene, scene.player, 'buy', { item_id: scene.item_id, quantity: 1 })).toBe(
      'item_not_available',
    )
  })

  test('is charged the gift in a bid when the bid is placed', () => {
    allowGiving(scene.small.world, scene.player, 100)
    bid(scene, scene.player, 10, fair + 10)
    expect(given()).toBe(100)
    sell(scene, scene.other, 10, fair + 10)
    expect(given()).toBe(100)
    expect(statOf(scene.small.world, scene.other, 'credits_earned')).toBe(10 * (fair + 10))
  })
})
