/**
 * The limit and the fee of orders of a player with a storefront. Source: crafting.md section 6;
 * market.md 1, 3.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { FACILITIES, facilityTypeIndex } from '../../../core/catalog/index.ts'
import { ORDERS_PER_BASE_MAX } from '../../../core/limits.ts'
import { addFacility, changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { playerOwner } from '../../../systems/facility/model.ts'
import { REPOSSESSED } from '../../../systems/facility/state.ts'
import { listingFeeBps, ordersMax } from '../../../systems/market/model.ts'
import { onSmallMap } from '../../small-world.ts'
import { code, freshScene, give, result, type Scene, sell, wallet } from './scene.ts'

onSmallMap()

let scene: Scene

beforeEach(async () => {
  scene = await freshScene()
})

const SHOPS = FACILITIES.filter(({ category }) => category === 'sales').sort(
  (a, b) => a.level - b.level,
)

function openShop(type: string): number {
  const { small, player, base } = scene
  const owner = playerOwner(player)
  return addFacility(small.world, { type: facilityTypeIndex(type), base, owner, status: 0 })
}

const orderLimit = () => ordersMax(scene.small.world, scene.player, scene.base)
const fee = (player = scene.player, faction = 0) =>
  listingFeeBps(scene.small.world, scene.base, { player, faction })

describe('a storefront', () => {
  test('raises the limit of its owner by fifty orders a tier', () => {
    expect(SHOPS.length).toBeGreaterThan(1)
    expect(orderLimit()).toBe(ORDERS_PER_BASE_MAX)
    for (const { id, level } of SHOPS) {
      openShop(id)
      expect(orderLimit()).toBe(ORDERS_PER_BASE_MAX + 50 * level)
    }
    expect(ordersMax(scene.small.world, scene.other, scene.base)).toBe(ORDERS_PER_BASE_MAX)
  })

  test('halves the listing fee of its owner, but not of others or of their faction', () => {
    const full = fee()
    openShop(SHOPS[0].id)
    expect(fee()).toBe(Math.floor(full / 2))
    expect(fee(scene.other)).toBe(full)
    expect(fee(scene.player, 1)).toBe(full)
    const before = wallet(scene, scene.player)
    const answer = sell(scene, scene.player, 100, 1_000)
    expect(answer.listing_fee).toBe(Math.ceil((100_000 * Math.floor(full / 2)) / 10_000))
    expect(wallet(scene, scene.player)).toBe(before - Number(answer.listing_fee))
  })

  test('gives nothing once it is repossessed', () => {
    const full = fee()
    const shop = openShop(SHOPS[0].id)
    changeState(scene.small.world, shop, { status: REPOSSESSED })
    expect([orderLimit(), fee()]).toEqual([ORDERS_PER_BASE_MAX, full])
  })

  test('lets a two hundred and first order be listed', () => {
    const { player, item_id } = scene
    give(scene, player, 1_000)
    for (let from = 0; from < ORDERS_PER_BASE_MAX; from += 50) {
      const orders = Array.from({ length: 50 }, (_, i) => ({
        item_id,
        quantity: 1,
        price_each: 100 + from + i,
      }))
      result(scene, player, 'create_sell_order', { orders })
    }
    const another = { item_id, quantity: 1, price_each: 999 }
    expect(code(scene, player, 'create_sell_order', another)).toBe('listing_limit_reached')
    openShop(SHOPS[0].id)
    expect(code(scene, player, 'create_sell_order', another)).toBe('ok')
  })
})
