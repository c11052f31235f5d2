/** Refusals of orders of factions. Source: market.md sections 5, 13. */
import { beforeEach, describe, expect, test } from 'vitest'
import { changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { REPOSSESSED } from '../../../systems/facility/state.ts'
import { addMember } from '../../../systems/faction/member-rules.ts'
import { factionOrders } from '../../../systems/market/book-model.ts'
import { onSmallMap } from '../../small-world.ts'
import { build, type FactionScene, SERVICES, withFaction } from './faction-scene.ts'
import * as scenes from './scene.ts'

onSmallMap()

let scene: FactionScene

beforeEach(async () => {
  scene = withFaction(await scenes.freshScene())
})

const { code, result } = scenes
const order = (quantity: number, price_each: number, overrides: object = {}) => ({
  item_id: scene.item_id,
  quantity,
  price_each,
  ...overrides,
})
const placeBuyOrder = (quantity: number, price: number, overrides: object = {}) =>
  result(scene, scene.player, 'faction_create_buy_order', order(quantity, price, overrides))
const buyCode = (params: object, sender = scene.player) =>
  code(scene, sender, 'faction_create_buy_order', params)
const sellCode = (params: object, sender = scene.player) =>
  code(scene, sender, 'faction_create_sell_order', params)
const orders = () => factionOrders(scene.small.world, scene.faction)

describe('a faction order is refused', () => {
  test('with not_in_faction to outsiders and no_permission to recruits', () => {
    expect(buyCode(order(1, 10), scene.other)).toBe('not_in_faction')
    addMember(scene.small.world, scene.other, scene.faction)
    expect(buyCode(order(1, 10), scene.other)).toBe('no_permission')
  })

  test('with no_faction_market, no_company_store or no_faction_storage', async () => {
    const bare = withFaction(await scenes.freshScene(), [])
    const buyCodeOfBare = (overrides: object = {}) =>
      code(bare, bare.player, 'faction_create_buy_order', { ...order(1, 10), ...overrides })
    expect(buyCodeOfBare()).toBe('no_faction_market')
    expect(buyCodeOfBare({ private: true })).toBe('no_company_store')
    build(bare, 'faction_market_desk')
    build(bare, 'company_store')
    expect(buyCodeOfBare()).toBe('no_faction_storage')
    expect(buyCodeOfBare({ private: true })).toBe('no_faction_storage')
    const lockbox = build(bare, 'faction_lockbox')
    changeState(bare.small.world, lockbox, { status: REPOSSESSED })
    expect(buyCodeOfBare()).toBe('no_faction_storage')
  })

  test('with faction_no_credits or insufficient_items', () => {
    expect(buyCode(order(1, 600_000))).toBe('faction_no_credits')
    expect(sellCode(order(1, 10))).toBe('insufficient_items')
  })

  test('with price_too_high, order_too_large, invalid_payload or unknown_item', () => {
    expect(buyCode(order(1, 1_000_000_000_001))).toBe('price_too_high')
    expect(buyCode(order(1_000_000_000, 1_000_000_000))).toBe('order_too_large')
    expect(buyCode(order(0, 1))).toBe('invalid_payload')
    expect(buyCode({ item_id: scene.item_id })).toBe('invalid_payload')
    expect(buyCode({ item_id: 'no_such', quantity: 1, price_each: 1 })).toBe('unknown_item')
  })

  test('with listing_limit_reached past ten public or twenty private orders', () => {
    for (let price = 1; price <= 10; price++) placeBuyOrder(1, price)
    expect(buyCode(order(1, 11))).toBe('listing_limit_reached')
    for (let price = 1; price <= 20; price++) placeBuyOrder(1, price, { private: true })
    expect(buyCode(order(1, 21, { private: true }))).toBe('listing_limit_reached')
    expect(orders()).toHaveLength(30)
  })

  test('without any change to the world', async () => {
    const { small, player } = scene
    const { order_id } = placeBuyOrder(1, 1)
    const bucket = { bucket: 'no_such' }
    const fuel = { item_id: 'fuel', quantity: 1, price_each: 1, bucket: 'x' }
    const cases: [string, object, string][] = [
      ['faction_create_buy_order', order(1, 600_000), 'faction_no_credits'],
      ['faction_create_sell_order', order(1, 10), 'insufficient_items'],
      ['faction_create_sell_order', order(1, 10, bucket), 'bucket_not_found'],
      ['faction_create_buy_order', order(1, 10, bucket), 'bucket_not_found'],
      ['faction_create_buy_order', fuel, 'bucket_not_allowed'],
      ['faction_create_buy_order', order(1, 1_000_000_000_001), 'price_too_high'],
      ['modify_order', { order_id, new_price: 900_000 }, 'faction_no_credits'],
    ]
    const twin = await small.reload()
    for (const [command, params, expected] of cases) {
      expect(code(scene, player, command, params), command).toBe(expected)
      twin.ticks(1)
      expect(small.hash(), `${command} ${expected}`).toBe(twin.hash())
    }
    expect(SERVICES).toHaveLength(3)
  })
})
