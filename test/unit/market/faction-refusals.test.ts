/** What orders of factions are refused for. Source: market.md sections 5, 13. */
import { beforeEach, describe, expect, test } from 'vitest'
import { changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { REPOSSESSED } from '../../../systems/facility/state.ts'
import { addMember } from '../../../systems/faction/member-rules.ts'
import { factionOrders } from '../../../systems/market/book-model.ts'
import { build, type FactionScene, SERVICES, withFaction } from './faction-scene.ts'
import * as scenes from './scene.ts'

let scene: FactionScene

beforeEach(async () => {
  scene = withFaction(await scenes.freshScene())
})

const { code, result } = scenes
const order = (quantity: number, price_each: number, more: object = {}) => ({
  item_id: scene.item_id,
  quantity,
  price_each,
  ...more,
})
const buys = (quantity: number, price: number, more: object = {}) =>
  result(scene, scene.player, 'faction_create_buy_order', order(quantity, price, more))
const buyCode = (params: object, who = scene.player) =>
  code(scene, who, 'faction_create_buy_order', params)
const sellCode = (params: object, who = scene.player) =>
  code(scene, who, 'faction_create_sell_order', params)
const orders = () => factionOrders(scene.small.world, scene.faction)
describe('refusals of faction orders', () => {
  test('not_in_faction, no_permission', () => {
    expect(buyCode(order(1, 10), scene.other)).toBe('not_in_faction')
    addMember(scene.small.world, scene.other, scene.faction)
    expect(buyCode(order(1, 10), scene.other)).toBe('no_permission')
  })

  test('no_faction_market, no_company_store, no_faction_storage', async () => {
    const bare = withFaction(await scenes.freshScene(), [])
    const asked = (more: object = {}) =>
      code(bare, bare.player, 'faction_create_buy_order', { ...order(1, 10), ...more })
    expect(asked()).toBe('no_faction_market')
    expect(asked({ private: true })).toBe('no_company_store')
    build(bare, 'faction_market_desk')
    build(bare, 'company_store')
    expect(asked()).toBe('no_faction_storage')
    expect(asked({ private: true })).toBe('no_faction_storage')
    const lost = build(bare, 'faction_lockbox')
    changeState(bare.small.world, lost, { status: REPOSSESSED })
    expect(asked()).toBe('no_faction_storage')
  })

  test('faction_no_credits, insufficient_items', () => {
    expect(buyCode(order(1, 600_000))).toBe('faction_no_credits')
    expect(sellCode(order(1, 10))).toBe('insufficient_items')
  })

  test('price_too_high, order_too_large, invalid_payload, unknown_item', () => {
    expect(buyCode(order(1, 1_000_000_000_001))).toBe('price_too_high')
    expect(buyCode(order(1_000_000_000, 1_000_000_000))).toBe('order_too_large')
    expect(buyCode(order(0, 1))).toBe('invalid_payload')
    expect(buyCode({ item_id: scene.item_id })).toBe('invalid_payload')
    expect(buyCode({ item_id: 'no_such', quantity: 1, price_each: 1 })).toBe('unknown_item')
  })

  test('listing_limit_reached at ten public and twenty private orders', () => {
    for (let price = 1; price <= 10; price++) buys(1, price)
    expect(buyCode(order(1, 11))).toBe('listing_limit_reached')
    for (let price = 1; price <= 20; price++) buys(1, price, { private: true })
    expect(buyCode(order(1, 21, { private: true }))).toBe('listing_limit_reached')
    expect(orders()).toHaveLength(30)
  })

  test('change nothing', async () => {
    const { small, player } = scene
    const { order_id } = buys(1, 1)
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
    for (const [command, params, wanted] of cases) {
      expect(code(scene, player, command, params), command).toBe(wanted)
      twin.ticks(1)
      expect(small.hash(), `${command} ${wanted}`).toBe(twin.hash())
    }
    expect(SERVICES).toHaveLength(3)
  })
})
