/** Orders of factions: public ones, and those in company stores. Source: market.md 5, 9, 10, 13. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { REPOSSESSED } from '../../../systems/facility/state.ts'
import { addMember, disband } from '../../../systems/faction/member-rules.ts'
import { bunkerFuel } from '../../../systems/faction/store-model.ts'
import { bookOf, factionOrders, storeBooksAt } from '../../../systems/market/book-model.ts'
import { closeFactionOrders, closePrivateOrders } from '../../../systems/market/closing-rules.ts'
import { freeBunkerUnits } from '../../../systems/market/model.ts'
import { hourlyVwap } from '../../../systems/market/vwap-model.ts'
import { levelOf } from '../../../systems/skill/model.ts'
import { assessFaction } from '../../../systems/tax/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  build,
  costOf,
  type FactionScene,
  inStore,
  seqOf,
  stock,
  treasury,
  withFaction,
} from './faction-scene.ts'
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
const placeSellOrder = (quantity: number, price: number, overrides: object = {}) =>
  result(scene, scene.player, 'faction_create_sell_order', order(quantity, price, overrides))
const placeBuyOrder = (quantity: number, price: number, overrides: object = {}) =>
  result(scene, scene.player, 'faction_create_buy_order', order(quantity, price, overrides))
const buyCode = (params: object, sender = scene.player) =>
  code(scene, sender, 'faction_create_buy_order', params)
const sellCode = (params: object, sender = scene.player) =>
  code(scene, sender, 'faction_create_sell_order', params)
const orders = () => factionOrders(scene.small.world, scene.faction)
const listing = (viewer: number, overrides: object = {}) => {
  const outcome = scene.small.ask(viewer, 'view_market', { item_id: scene.item_id, ...overrides })
  if (!outcome.ok) throw new Error(outcome.code)
  return (outcome.result as { items: Record<string, number>[] }).items[0]
}

describe('faction_create_sell_order', () => {
  test('lists goods of the store, and the treasury pays the fee and gets the proceeds', () => {
    stock(scene, 100)
    const answer = placeSellOrder(10, 50)
    expect(answer).toMatchObject({
      action: 'faction_create_sell_order',
      kind: 'single',
      faction_tag: 'TALY',
      quantity_listed: 10,
      quantity_filled: 0,
      listing_fee: 5,
    })
    expect(inStore(scene)).toBe(90)
    expect(treasury(scene)).toBe(500_000 - 5)
    scene.small.takeEmissions()
    result(scene, scene.other, 'buy', { item_id: scene.item_id, quantity: 4 })
    expect(treasury(scene)).toBe(500_000 - 5 + 200)
    const [event] = scene.small.takeEmissions().filter(({ type }) => type === 'faction_event')
    expect(event.payload).toMatchObject({ event: 'order_filled', quantity: 4, credits: 200 })
    expect(assessFaction(scene.small.world, scene.faction).earned).toBe(200)
  })

  test('trades with bids at once and returns cancelled goods to the store', () => {
    stock(scene, 100)
    scenes.bid(scene, scene.other, 3, 60)
    const answer = placeSellOrder(10, 50)
    expect(answer).toMatchObject({ quantity_filled: 3, quantity_listed: 7, total_earned: 180 })
    const cancelled = result(scene, scene.player, 'cancel_order', { order_id: answer.order_id })
    expect(cancelled).toMatchObject({ faction_order: true, delivered_to: 'faction' })
    expect(inStore(scene)).toBe(97)
    expect(orders()).toEqual([])
  })

  test('takes goods from the named bucket only', () => {
    const bucket = seqOf(scene, build(scene, 'faction_storage_extension'))
    stock(scene, 5)
    stock(scene, 20, scene.item, bucket)
    const name = 'Storage Extension'
    expect(sellCode(order(6, 50))).toBe('insufficient_items')
    expect(sellCode(order(6, 50, { bucket: 'Nowhere' }))).toBe('bucket_not_found')
    const answer = placeSellOrder(6, 50, { bucket: name })
    expect(answer.bucket).toBe(name)
    expect(inStore(scene, scene.item, bucket)).toBe(14)
    result(scene, scene.player, 'cancel_order', { order_id: answer.order_id })
    expect(inStore(scene, scene.item, bucket)).toBe(20)
    expect(inStore(scene)).toBe(5)
  })
})

describe('faction_create_buy_order', () => {
  test('escrows credits of the treasury with tax and delivers into the store', () => {
    const answer = placeBuyOrder(10, 50)
    const fee = Number(answer.listing_fee)
    expect(answer).toMatchObject({ quantity_listed: 10, total_escrowed: costOf(scene, 500) })
    expect(treasury(scene)).toBe(500_000 - costOf(scene, 500) - fee)
    result(scene, scene.other, 'sell', { item_id: scene.item_id, quantity: 4 })
    expect(inStore(scene)).toBe(4)
    result(scene, scene.player, 'cancel_order', { order_id: answer.order_id })
    expect(treasury(scene)).toBe(500_000 - costOf(scene, 200) - fee)
  })

  test('trades with asks at once and refunds the difference', () => {
    scenes.sell(scene, scene.other, 4, 40)
    const answer = placeBuyOrder(4, 50)
    expect(answer).toMatchObject({ quantity_filled: 4, quantity_listed: 0 })
    expect(answer.total_spent).toBe(costOf(scene, 160))
    expect(inStore(scene)).toBe(4)
    expect(treasury(scene)).toBe(500_000 - costOf(scene, 160))
  })

  test('delivers fuel into the bunker and buys no more than it has room for', () => {
    build(scene, 'faction_fuel_bunker')
    const item_id = 'fuel'
    const fuel = itemIndex(item_id)
    const { small, player, other, faction, base } = scene
    expect(buyCode({ item_id, quantity: 1, price_each: 3, bucket: 'x' })).toBe('bucket_not_allowed')
    scenes.give({ ...scene, item: fuel }, other, 6_000)
    result(scene, other, 'create_sell_order', { item_id, quantity: 1_000, price_each: 3 })
    const fuelBid = (quantity: number, price_each = 3) => ({ item_id, quantity, price_each })
    expect(small.act(player, 'faction_create_buy_order', fuelBid(5_001))).toMatchObject({
      code: 'storage_full',
      details: { cap: 5_000, have: 0, fits: 5_000 },
    })
    const first = result(scene, player, 'faction_create_buy_order', fuelBid(1_500))
    expect(first).toMatchObject({ quantity_filled: 1_000, quantity_listed: 500 })
    expect(bunkerFuel(small.world, faction, base)).toBe(1_000)
    const rows = [fuelBid(3_000, 2), fuelBid(501, 1), fuelBid(500, 1)]
    const answer = result(scene, player, 'faction_create_buy_order', { orders: rows })
    expect(answer.results.map((row) => row.error_code)).toEqual([
      undefined,
      'storage_full',
      undefined,
    ])
    expect(freeBunkerUnits(small.world, faction, base)).toBe(0)
    result(scene, other, 'create_sell_order', { item_id, quantity: 5_000, price_each: 1 })
    expect(bunkerFuel(small.world, faction, base)).toBe(5_000)
    expect(inStore(scene, fuel)).toBe(0)
    expect(buyCode(fuelBid(1))).toBe('storage_full')
  })

  test('executes each row of a list independently, out of one treasury', () => {
    const half = { ...order(1, 300_000) }
    const answer = result(scene, scene.player, 'faction_create_buy_order', {
      orders: [half, half, order(5, 10)],
    })
    expect(answer.summary).toEqual({ total: 3, succeeded: 2, failed: 1 })
    expect(answer.results.map((row) => row.error_code)).toEqual([
      undefined,
      'faction_no_credits',
      undefined,
    ])
  })

  test('does not let two members spend the same credits in one tick', () => {
    const { small, player, other, faction } = scene
    addMember(small.world, other, faction, 3)
    const params = order(1, 300_000)
    const answers = small.tick(
      { player, command: 'faction_create_buy_order', params },
      { player: other, command: 'faction_create_buy_order', params },
    )
    const codes = [...answers.values()].map((answer) => (answer.ok ? 'ok' : answer.code))
    expect(codes.sort()).toEqual(['faction_no_credits', 'ok'])
  })
})

describe('modify_order of a faction order', () => {
  test('charges or returns the difference to the treasury', () => {
    const answer = placeBuyOrder(10, 50)
    const before = treasury(scene)
    result(scene, scene.player, 'modify_order', { order_id: answer.order_id, new_price: 40 })
    expect(treasury(scene)).toBe(before + costOf(scene, 500) - costOf(scene, 400))
    const dear = { order_id: answer.order_id, new_price: 100_000 }
    expect(code(scene, scene.player, 'modify_order', dear)).toBe('faction_no_credits')
  })

  test('charges personal and faction rows of one list to their own accounts', () => {
    const own = scenes.bid(scene, scene.player, 10, 50)
    const shared = placeBuyOrder(10, 60)
    const held = { wallet: scenes.wallet(scene, scene.player), treasury: treasury(scene) }
    const answer = result(scene, scene.player, 'modify_order', {
      orders: [
        { order_id: own.order_id, new_price: 40 },
        { order_id: shared.order_id, new_price: 30 },
        { order_id: shared.order_id, new_price: 1_000_000 },
        { order_id: own.order_id, new_price: 900_000 },
      ],
    })
    expect(answer.results.map((row) => row.error_code)).toEqual([
      undefined,
      undefined,
      'faction_no_credits',
      'no_credits',
    ])
    expect(answer.summary).toEqual({ total: 4, succeeded: 2, failed: 2 })
    const refund = (from: number, to: number) => costOf(scene, from * 10) - costOf(scene, to * 10)
    expect(scenes.wallet(scene, scene.player)).toBe(held.wallet + refund(50, 40))
    expect(treasury(scene)).toBe(held.treasury + refund(60, 30))
  })

  test('refuses recruits with no_permission and strangers with not_your_order', () => {
    const { order_id } = placeBuyOrder(10, 50)
    const change = { order_id, new_price: 40 }
    expect(code(scene, scene.other, 'modify_order', change)).toBe('not_your_order')
    addMember(scene.small.world, scene.other, scene.faction)
    expect(code(scene, scene.other, 'modify_order', change)).toBe('no_permission')
    expect(code(scene, scene.other, 'cancel_order', { order_id })).toBe('no_permission')
  })
})

describe('the company store', () => {
  test('is visible and open to members only', () => {
    stock(scene, 100)
    const { small, other, player, faction } = scene
    scenes.sell(scene, other, 5, 60)
    placeSellOrder(10, 50, { private: true })
    expect(listing(other).best_sell).toBe(60)
    expect(listing(player).best_sell).toBe(60)
    expect(listing(player, { company_store: true })).toMatchObject({ best_sell: 50 })
    expect(small.ask(other, 'view_market', { company_store: true })).toMatchObject({
      code: 'not_in_faction',
    })
    const third = small.join('Third')
    post(small.world, namedAccount('missions'), walletOf(small.world, third), 10_000)
    const outsider = result(scene, third, 'buy', { item_id: scene.item_id, quantity: 2 })
    expect(outsider.fills).toMatchObject([{ price_each: 60, quantity: 2 }])
    addMember(small.world, third, faction)
    const level = levelOf(small.world, third, 'trading')
    const member = result(scene, third, 'buy', { item_id: scene.item_id, quantity: 12 })
    expect(member.fills).toMatchObject([
      { price_each: 50, quantity: 10 },
      { price_each: 60, quantity: 2 },
    ])
    expect(levelOf(small.world, third, 'trading')).toBeGreaterThanOrEqual(level)
    expect(storeBooksAt(small.world, scene.base)).toEqual([])
  })

  test('trades equal prices by age across the public and the private book', () => {
    stock(scene, 100)
    const { small, other, faction, player } = scene
    placeSellOrder(3, 50, { private: true })
    scenes.sell(scene, other, 3, 50)
    placeSellOrder(3, 50, { private: true })
    const third = small.join('Third')
    post(small.world, namedAccount('missions'), walletOf(small.world, third), 10_000)
    addMember(small.world, third, faction)
    result(scene, third, 'buy', { item_id: scene.item_id, quantity: 4 })
    const [left] = orders()
    expect(listing(player).sell_quantity).toBe(2)
    expect(listing(player, { company_store: true }).sell_quantity).toBe(3)
    expect(left).toBeGreaterThan(0)
  })

  test('sets no average price when a member buys from the faction', () => {
    stock(scene, 100)
    const { small, other, faction, base, item } = scene
    addMember(small.world, other, faction)
    placeSellOrder(3, 50)
    result(scene, other, 'buy', { item_id: scene.item_id, quantity: 3 })
    expect(hourlyVwap(small.world, bookOf(small.world, base, item), 0, 23)).toBe(0)
    const answer = result(scene, other, 'create_sell_order', order(1, 20))
    expect(answer.quantity_listed).toBe(1)
  })

  test('closes with its facility and returns all goods and credits', () => {
    stock(scene, 100)
    placeSellOrder(10, 50, { private: true })
    placeBuyOrder(10, 40, { private: true })
    const { world } = scene.small
    const open = placeBuyOrder(1, 30)
    const before = treasury(scene)
    closePrivateOrders(world, scene.faction, scene.base)
    expect(inStore(scene)).toBe(100)
    expect(treasury(scene)).toBe(before + costOf(scene, 400))
    expect(orders()).toHaveLength(1)
    expect(storeBooksAt(world, scene.base)).toEqual([])
    scene.small.ticks(1)
    const cancelled = result(scene, scene.player, 'cancel_order', { order_id: open.order_id })
    expect(cancelled.returned_credits).toBe(costOf(scene, 30))
  })

  test('closes within 31 ticks of its repossession', async () => {
    const bare = withFaction(await scenes.freshScene(), ['faction_lockbox', 'faction_market_desk'])
    const store = build(bare, 'company_store')
    stock(bare, 10)
    const privateOrder = order(10, 50, { private: true })
    result(bare, bare.player, 'faction_create_sell_order', privateOrder)
    // Stores are checked every 30 ticks.
    bare.small.ticks(31)
    expect(factionOrders(bare.small.world, bare.faction)).toHaveLength(1)
    changeState(bare.small.world, store, { status: REPOSSESSED })
    bare.small.ticks(31)
    expect(factionOrders(bare.small.world, bare.faction)).toEqual([])
    expect(inStore(bare)).toBe(10)
  })

  test('keeps its books and orders through a restore', async () => {
    stock(scene, 100)
    placeSellOrder(10, 50, { private: true })
    const restored = { ...scene, small: await scene.small.reload() }
    expect(restored.small.hash()).toBe(scene.small.hash())
    const [row] = factionOrders(restored.small.world, scene.faction)
    expect(row).toBeGreaterThan(0)
    result(restored, scene.player, 'faction_create_sell_order', order(1, 50, { private: true }))
    expect(factionOrders(restored.small.world, scene.faction)).toHaveLength(1)
  })
})

describe('the end of a faction', () => {
  test('closes its orders and returns goods and credits to store and treasury', () => {
    stock(scene, 100)
    placeSellOrder(10, 50)
    placeBuyOrder(10, 40, { private: true })
    const { world } = scene.small
    const before = treasury(scene)
    closeFactionOrders(world, scene.faction)
    expect(treasury(scene)).toBe(before + costOf(scene, 400))
    expect(inStore(scene)).toBe(100)
    expect(orders()).toEqual([])
    scene.small.ticks(1)
  })
})

describe('the end of a faction with its last member', () => {
  test('leaves the credits and goods of its orders to that member', () => {
    stock(scene, 100)
    placeSellOrder(10, 50)
    placeBuyOrder(10, 40, { private: true })
    const { world } = scene.small
    const expected = scenes.wallet(scene, scene.player) + treasury(scene) + costOf(scene, 400)
    const held = scenes.stored(scene, scene.player)
    disband(world, scene.faction, scene.player)
    expect(scenes.wallet(scene, scene.player)).toBe(expected)
    expect(scenes.stored(scene, scene.player)).toBe(held + 100)
    scene.small.ticks(1)
  })
})

describe('view_orders of a faction', () => {
  test('lists its orders to every member, with the member who placed each', () => {
    const { small, other, player, faction } = scene
    placeBuyOrder(1, 10)
    expect(small.ask(other, 'view_orders', { scope: 'faction' })).toMatchObject({
      code: 'not_in_faction',
    })
    addMember(small.world, other, faction)
    for (const viewer of [other, player]) {
      expect(small.ask(viewer, 'view_orders', { scope: 'faction' })).toMatchObject({
        ok: true,
        result: { total: 1, orders: [{ faction_order: true, created_by: 'Trader' }] },
      })
    }
    expect(small.ask(player, 'view_orders')).toMatchObject({ ok: true, result: { total: 0 } })
  })
})
