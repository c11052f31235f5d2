/** Orders of factions, public ones and those of company stores. Source: market.md 5, 9, 10, 13. */
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
const sells = (quantity: number, price: number, more: object = {}) =>
  result(scene, scene.player, 'faction_create_sell_order', order(quantity, price, more))
const buys = (quantity: number, price: number, more: object = {}) =>
  result(scene, scene.player, 'faction_create_buy_order', order(quantity, price, more))
const buyCode = (params: object, who = scene.player) =>
  code(scene, who, 'faction_create_buy_order', params)
const sellCode = (params: object, who = scene.player) =>
  code(scene, who, 'faction_create_sell_order', params)
const orders = () => factionOrders(scene.small.world, scene.faction)
const listing = (who: number, more: object = {}) => {
  const outcome = scene.small.ask(who, 'view_market', { item_id: scene.item_id, ...more })
  if (!outcome.ok) throw new Error(outcome.code)
  return (outcome.result as { items: Record<string, number>[] }).items[0]
}

describe('faction_create_sell_order', () => {
  test('rests goods of the store; the treasury pays the fee and gets the proceeds', () => {
    stock(scene, 100)
    const said = sells(10, 50)
    expect(said).toMatchObject({
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

  test('takes bids at once, and returns what is cancelled to the store', () => {
    stock(scene, 100)
    scenes.bid(scene, scene.other, 3, 60)
    const said = sells(10, 50)
    expect(said).toMatchObject({ quantity_filled: 3, quantity_listed: 7, total_earned: 180 })
    const back = result(scene, scene.player, 'cancel_order', { order_id: said.order_id })
    expect(back).toMatchObject({ faction_order: true, delivered_to: 'faction' })
    expect(inStore(scene)).toBe(97)
    expect(orders()).toEqual([])
  })

  test('a bucket keeps its goods apart', () => {
    const bucket = seqOf(scene, build(scene, 'faction_storage_extension'))
    stock(scene, 5)
    stock(scene, 20, scene.item, bucket)
    const name = 'Storage Extension'
    expect(sellCode(order(6, 50))).toBe('insufficient_items')
    expect(sellCode(order(6, 50, { bucket: 'Nowhere' }))).toBe('bucket_not_found')
    const said = sells(6, 50, { bucket: name })
    expect(said.bucket).toBe(name)
    expect(inStore(scene, scene.item, bucket)).toBe(14)
    result(scene, scene.player, 'cancel_order', { order_id: said.order_id })
    expect(inStore(scene, scene.item, bucket)).toBe(20)
    expect(inStore(scene)).toBe(5)
  })
})

describe('faction_create_buy_order', () => {
  test('escrows the treasury with tax; the store takes delivery', () => {
    const said = buys(10, 50)
    const fee = Number(said.listing_fee)
    expect(said).toMatchObject({ quantity_listed: 10, total_escrowed: costOf(scene, 500) })
    expect(treasury(scene)).toBe(500_000 - costOf(scene, 500) - fee)
    result(scene, scene.other, 'sell', { item_id: scene.item_id, quantity: 4 })
    expect(inStore(scene)).toBe(4)
    result(scene, scene.player, 'cancel_order', { order_id: said.order_id })
    expect(treasury(scene)).toBe(500_000 - costOf(scene, 200) - fee)
  })

  test('takes asks into the store at once, and refunds the difference', () => {
    scenes.sell(scene, scene.other, 4, 40)
    const said = buys(4, 50)
    expect(said).toMatchObject({ quantity_filled: 4, quantity_listed: 0 })
    expect(said.total_spent).toBe(costOf(scene, 160))
    expect(inStore(scene)).toBe(4)
    expect(treasury(scene)).toBe(500_000 - costOf(scene, 160))
  })

  test('fuel goes to the bunker, and no more is bought than it has room for', () => {
    build(scene, 'faction_fuel_bunker')
    const item_id = 'fuel'
    const fuel = itemIndex(item_id)
    const { small, player, other, faction, base } = scene
    expect(buyCode({ item_id, quantity: 1, price_each: 3, bucket: 'x' })).toBe('bucket_not_allowed')
    scenes.give({ ...scene, item: fuel }, other, 6_000)
    result(scene, other, 'create_sell_order', { item_id, quantity: 1_000, price_each: 3 })
    const bid = (quantity: number, price_each = 3) => ({ item_id, quantity, price_each })
    expect(small.act(player, 'faction_create_buy_order', bid(5_001))).toMatchObject({
      code: 'storage_full',
      details: { cap: 5_000, have: 0, fits: 5_000 },
    })
    const first = result(scene, player, 'faction_create_buy_order', bid(1_500))
    expect(first).toMatchObject({ quantity_filled: 1_000, quantity_listed: 500 })
    expect(bunkerFuel(small.world, faction, base)).toBe(1_000)
    const rows = [bid(3_000, 2), bid(501, 1), bid(500, 1)]
    const said = result(scene, player, 'faction_create_buy_order', { orders: rows })
    expect(said.results.map((row) => row.error_code)).toEqual([
      undefined,
      'storage_full',
      undefined,
    ])
    expect(freeBunkerUnits(small.world, faction, base)).toBe(0)
    result(scene, other, 'create_sell_order', { item_id, quantity: 5_000, price_each: 1 })
    expect(bunkerFuel(small.world, faction, base)).toBe(5_000)
    expect(inStore(scene, fuel)).toBe(0)
    expect(buyCode(bid(1))).toBe('storage_full')
  })

  test('rows of a list share one treasury, and each is done or refused alone', () => {
    const half = { ...order(1, 300_000) }
    const said = result(scene, scene.player, 'faction_create_buy_order', {
      orders: [half, half, order(5, 10)],
    })
    expect(said.summary).toEqual({ total: 3, succeeded: 2, failed: 1 })
    expect(said.results.map((row) => row.error_code)).toEqual([
      undefined,
      'faction_no_credits',
      undefined,
    ])
  })

  test('two members in one tick cannot spend the same credits', () => {
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
    const said = buys(10, 50)
    const before = treasury(scene)
    result(scene, scene.player, 'modify_order', { order_id: said.order_id, new_price: 40 })
    expect(treasury(scene)).toBe(before + costOf(scene, 500) - costOf(scene, 400))
    const dear = { order_id: said.order_id, new_price: 100_000 }
    expect(code(scene, scene.player, 'modify_order', dear)).toBe('faction_no_credits')
  })

  test('rows of a list may be the player’s own and their faction’s, each out of its own purse', () => {
    const own = scenes.bid(scene, scene.player, 10, 50)
    const shared = buys(10, 60)
    const held = { wallet: scenes.wallet(scene, scene.player), treasury: treasury(scene) }
    const said = result(scene, scene.player, 'modify_order', {
      orders: [
        { order_id: own.order_id, new_price: 40 },
        { order_id: shared.order_id, new_price: 30 },
        { order_id: shared.order_id, new_price: 1_000_000 },
        { order_id: own.order_id, new_price: 900_000 },
      ],
    })
    expect(said.results.map((row) => row.error_code)).toEqual([
      undefined,
      undefined,
      'faction_no_credits',
      'no_credits',
    ])
    expect(said.summary).toEqual({ total: 4, succeeded: 2, failed: 2 })
    const back = (from: number, to: number) => costOf(scene, from * 10) - costOf(scene, to * 10)
    expect(scenes.wallet(scene, scene.player)).toBe(held.wallet + back(50, 40))
    expect(treasury(scene)).toBe(held.treasury + back(60, 30))
  })

  test('needs the treasury: no_permission for a recruit, not_your_order for strangers', () => {
    const { order_id } = buys(10, 50)
    const change = { order_id, new_price: 40 }
    expect(code(scene, scene.other, 'modify_order', change)).toBe('not_your_order')
    addMember(scene.small.world, scene.other, scene.faction)
    expect(code(scene, scene.other, 'modify_order', change)).toBe('no_permission')
    expect(code(scene, scene.other, 'cancel_order', { order_id })).toBe('no_permission')
  })
})

describe('the company store', () => {
  test('is seen and traded with by members alone', () => {
    stock(scene, 100)
    const { small, other, player, faction } = scene
    scenes.sell(scene, other, 5, 60)
    sells(10, 50, { private: true })
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

  test('equal prices trade in the order of time, in whichever book they are', () => {
    stock(scene, 100)
    const { small, other, faction, player } = scene
    sells(3, 50, { private: true })
    scenes.sell(scene, other, 3, 50)
    sells(3, 50, { private: true })
    const third = small.join('Third')
    post(small.world, namedAccount('missions'), walletOf(small.world, third), 10_000)
    addMember(small.world, third, faction)
    result(scene, third, 'buy', { item_id: scene.item_id, quantity: 4 })
    const [left] = orders()
    expect(listing(player).sell_quantity).toBe(2)
    expect(listing(player, { company_store: true }).sell_quantity).toBe(3)
    expect(left).toBeGreaterThan(0)
  })

  test('prints no average price, and trades of a faction with its members none either', () => {
    stock(scene, 100)
    const { small, other, faction, base, item } = scene
    addMember(small.world, other, faction)
    sells(3, 50)
    result(scene, other, 'buy', { item_id: scene.item_id, quantity: 3 })
    expect(hourlyVwap(small.world, bookOf(small.world, base, item), 0, 23)).toBe(0)
    const said = result(scene, other, 'create_sell_order', order(1, 20))
    expect(said.quantity_listed).toBe(1)
  })

  test('closes with its facility: everything comes back', () => {
    stock(scene, 100)
    sells(10, 50, { private: true })
    buys(10, 40, { private: true })
    const { world } = scene.small
    const open = buys(1, 30)
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

  test('closes by itself soon after it was repossessed', async () => {
    const bare = withFaction(await scenes.freshScene(), ['faction_lockbox', 'faction_market_desk'])
    const store = build(bare, 'company_store')
    stock(bare, 10)
    const asked = order(10, 50, { private: true })
    result(bare, bare.player, 'faction_create_sell_order', asked)
    bare.small.ticks(31)
    expect(factionOrders(bare.small.world, bare.faction)).toHaveLength(1)
    changeState(bare.small.world, store, { status: REPOSSESSED })
    bare.small.ticks(31)
    expect(factionOrders(bare.small.world, bare.faction)).toEqual([])
    expect(inStore(bare)).toBe(10)
  })

  test('a restore brings back its books and orders', async () => {
    stock(scene, 100)
    sells(10, 50, { private: true })
    const again = { ...scene, small: await scene.small.reload() }
    expect(again.small.hash()).toBe(scene.small.hash())
    const [row] = factionOrders(again.small.world, scene.faction)
    expect(row).toBeGreaterThan(0)
    result(again, scene.player, 'faction_create_sell_order', order(1, 50, { private: true }))
    expect(factionOrders(again.small.world, scene.faction)).toHaveLength(1)
  })
})

describe('the end of a faction', () => {
  test('takes its orders off the books; goods and credits are back where they came from', () => {
    stock(scene, 100)
    sells(10, 50)
    buys(10, 40, { private: true })
    const { world } = scene.small
    const before = treasury(scene)
    closeFactionOrders(world, scene.faction)
    expect(treasury(scene)).toBe(before + costOf(scene, 400))
    expect(inStore(scene)).toBe(100)
    expect(orders()).toEqual([])
    scene.small.ticks(1)
  })
})

describe('leaving a faction as its last member', () => {
  test('has its orders cancelled first: credits and goods go to the heir', () => {
    stock(scene, 100)
    sells(10, 50)
    buys(10, 40, { private: true })
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
  test('lists them to every member, with who placed them', () => {
    const { small, other, player, faction } = scene
    buys(1, 10)
    expect(small.ask(other, 'view_orders', { scope: 'faction' })).toMatchObject({
      code: 'not_in_faction',
    })
    addMember(small.world, other, faction)
    for (const who of [other, player]) {
      expect(small.ask(who, 'view_orders', { scope: 'faction' })).toMatchObject({
        ok: true,
        result: { total: 1, orders: [{ faction_order: true, created_by: 'Trader' }] },
      })
    }
    expect(small.ask(player, 'view_orders')).toMatchObject({ ok: true, result: { total: 0 } })
  })
})
