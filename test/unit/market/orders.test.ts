/** Placing orders, alone and in lists. Source: market.md sections 1-5, 13. */
import { beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES, GOODS } from '../../../core/catalog/index.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { empireOfBase, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { bookOf, ordersOf } from '../../../systems/market/book-model.ts'
import { orderId } from '../../../systems/market/model.ts'
import { Book } from '../../../systems/market/state.ts'
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

const wallet = (who: Eid) => scenes.wallet(scene, who)
const stored = (who: Eid) => scenes.stored(scene, who)
const result = (who: Eid, command: string, params: object) =>
  scenes.result(scene, who, command, params)
const code = (who: Eid, command: string, params: object) => scenes.code(scene, who, command, params)
const sell = (who: Eid, quantity: number, price: number) => scenes.sell(scene, who, quantity, price)
const bid = (who: Eid, quantity: number, price: number) => scenes.bid(scene, who, quantity, price)
const tax = (credits: number) => scenes.taxOn(scene, credits)
const bestAsk = () => scenes.bestAsk(scene)

describe('create_sell_order', () => {
  test('lists an order with its goods in escrow and its fee paid', () => {
    const before = wallet(player)
    const placed = sell(player, 10, 300)
    expect(placed).toMatchObject({
      action: 'create_sell_order',
      kind: 'single',
      item_id,
      quantity: 10,
      price_each: 300,
      quantity_filled: 0,
      quantity_listed: 10,
      listing_fee: 30,
      from_cargo: 0,
      from_storage: 10,
      total_earned: 0,
      fills: [],
    })
    expect(placed.order_id).toBe(orderId(small.world, ordersOf(small.world, player)[0]))
    expect(wallet(player)).toBe(before - 30)
    expect(stored(player)).toBe(990)
    expect(bestAsk()).toBe(300)
  })

  test('trades with bids at its price or above, at the price of each bid', () => {
    bid(other, 4, 50)
    bid(other, 4, 60)
    const before = wallet(player)
    const placed = sell(player, 10, 50)
    expect(placed).toMatchObject({
      quantity_filled: 8,
      quantity_listed: 2,
      total_earned: 440,
      fills: [
        { price_each: 60, quantity: 4, subtotal: 240 },
        { price_each: 50, quantity: 4, subtotal: 200 },
      ],
    })
    expect(wallet(player)).toBe(before + 440 - 1)
    expect(stored(other)).toBe(1_008)
  })

  test('merges into an own order at the same price, which keeps its id', () => {
    const first = sell(player, 3, 50)
    const second = sell(player, 4, 50)
    expect(second).toMatchObject({ order_id: first.order_id, consolidated: true })
    expect(sell(player, 4, 51).consolidated).toBeUndefined()
  })

  test('clears own bids at its price and returns their credits and the goods', () => {
    bid(player, 6, 50)
    const before = wallet(player)
    const placed = sell(player, 10, 50)
    expect(placed).toMatchObject({
      self_cleared: 6,
      self_clear_refund: 300 + tax(300),
      returned_to_storage: 6,
      quantity_filled: 0,
      quantity_listed: 4,
    })
    expect(wallet(player)).toBe(before + 300 + tax(300) - 2)
    expect(stored(player)).toBe(996)
  })

  test('requires the goods', () => {
    const outcome = small.act(player, 'create_sell_order', {
      item_id,
      quantity: 1_001,
      price_each: 5,
    })
    expect(outcome).toMatchObject({
      code: 'insufficient_items',
      details: { need: 1_001, have: 1_000 },
    })
  })
})

describe('create_buy_order', () => {
  test('lists an order with its credits and its tax in escrow', () => {
    const before = wallet(player)
    const placed = bid(player, 10, 300)
    const escrow = 3_000 + tax(3_000)
    expect(placed).toMatchObject({
      action: 'create_buy_order',
      quantity_listed: 10,
      listing_fee: 30,
      total_escrowed: escrow,
      remaining_escrowed: escrow,
      escrow_refunded: 0,
      total_spent: 0,
    })
    expect(wallet(player)).toBe(before - escrow - 30)
  })

  test('trades with asks at its price or below and reports the refunded escrow', () => {
    sell(other, 5, 200)
    const before = wallet(player)
    const placed = bid(player, 8, 300)
    const spent = 1_000 + tax(1_000)
    const remaining = 900 + tax(900)
    const total = 2_400 + tax(2_400)
    expect(placed).toMatchObject({
      quantity_filled: 5,
      quantity_listed: 3,
      total_spent: spent,
      total_escrowed: total,
      remaining_escrowed: remaining,
      escrow_refunded: total - spent - remaining,
      listing_fee: 9,
      fills: [{ price_each: 200, quantity: 5, subtotal: 1_000 }],
    })
    expect(Number(placed.delivered_to_cargo) + Number(placed.delivered_to_storage)).toBe(5)
    expect(wallet(player)).toBe(before - spent - remaining - 9)
  })

  test('delivers into storage on request', () => {
    sell(other, 5, 200)
    const params = { item_id, quantity: 5, price_each: 200, deliver_to: 'storage' }
    expect(result(player, 'create_buy_order', params)).toMatchObject({
      delivered_to_storage: 5,
      delivered_to_cargo: 0,
    })
    small.world.write(Base).services[base] &= ~serviceBit('storage')
    expect(code(player, 'create_buy_order', params)).toBe('no_storage_service')
  })

  test('clears own asks at its price and returns their goods', () => {
    sell(player, 6, 50)
    const placed = bid(player, 6, 50)
    expect(placed).toMatchObject({ self_cleared: 6, self_clear_returned: 6, quantity_listed: 0 })
    expect(placed.order_id).toBeUndefined()
    expect(stored(player)).toBe(1_000)
    expect(ordersOf(small.world, player)).toEqual([])
  })

  test('is refused whole when the wallet cannot pay for all of it', () => {
    sell(other, 5, 200)
    const before = wallet(player)
    const outcome = small.act(player, 'create_buy_order', {
      item_id,
      quantity: 4_000,
      price_each: 300,
    })
    expect(outcome).toMatchObject({ code: 'no_credits' })
    expect(bestAsk()).toBe(200)
    expect(wallet(player)).toBe(before)
    expect(stored(player)).toBe(1_000)
    expect(ordersOf(small.world, player)).toEqual([])
  })
})

describe('an order command', () => {
  test('is refused with the code of each reason', () => {
    const place = (changes: object, command = 'create_sell_order'): string =>
      code(player, command, { item_id, quantity: 1, price_each: 5, ...changes })
    expect(place({ item_id: 'no such thing' })).toBe('unknown_item')
    expect(place({ price_each: 1_000_000_000_001 })).toBe('price_too_high')
    expect(place({ price_each: Number.MAX_SAFE_INTEGER })).toBe('price_too_high')
    expect(place({ price_each: 0 })).toBe('invalid_payload')
    expect(place({ price_each: -5 })).toBe('invalid_payload')
    expect(place({ quantity: 0 })).toBe('invalid_payload')
    expect(place({ quantity: -1 })).toBe('invalid_payload')
    expect(place({ quantity: 4_001, price_each: 1_000_000_000_000 })).toBe('order_too_large')
    expect(place({ quantity: 1_000_000_001 })).toBe('order_too_large')
    expect(place({ quantity: undefined })).toBe('invalid_payload')
    const { id: quest } = GOODS.find((good) => good.quest_item)!
    expect(place({ item_id: quest })).toBe('quest_item')
    expect(place({ item_id: quest }, 'create_buy_order')).toBe('not_tradeable')
    const banned = EMPIRES[empireOfBase(small.world, base)].policy.contraband_items[0]
    expect(place({ item_id: banned })).toBe('contraband_restricted')
    small.world.write(Base).services[base] &= ~serviceBit('market')
    expect(place({})).toBe('no_market')
  })

  test('takes at most fifty rows', () => {
    const row = { item_id, quantity: 1, price_each: 5 }
    const rows = (count: number) => ({ orders: Array.from({ length: count }, () => row) })
    expect(code(player, 'create_sell_order', rows(1_000))).toBe('invalid_payload')
    expect(code(player, 'create_sell_order', rows(51))).toBe('invalid_payload')
    expect(code(player, 'create_sell_order', rows(0))).toBe('invalid_payload')
    expect(code(player, 'create_sell_order', rows(50))).toBe('ok')
    const order_ids = Array.from({ length: 51 }, () => 'x')
    expect(code(player, 'cancel_order', { order_ids })).toBe('invalid_payload')
    const orders = order_ids.map((order_id) => ({ order_id, new_price: 5 }))
    expect(code(player, 'modify_order', { orders })).toBe('invalid_payload')
  })

  test('names the parameters that a single order lacks', () => {
    const lacking = (command: string, params: object) => {
      const { outcome } = small.answer(player, command, params)
      return outcome.ok ? undefined : outcome.details
    }
    expect(lacking('create_buy_order', { item_id: 'iron_ore', quantity: 1 })).toEqual({
      fields: [{ field: 'price_each', expected: 'given, or orders instead' }],
    })
    expect(lacking('modify_order', { order_id: 'x' })).toEqual({
      fields: [{ field: 'new_price', expected: 'given, or orders instead' }],
    })
    expect(lacking('cancel_order', {})).toEqual({
      fields: [{ field: 'order_id', expected: 'given, or order_ids instead' }],
    })
  })

  test('executes the rows of a list in order, out of one wallet and one store', () => {
    post(
      small.world,
      walletOf(small.world, player),
      namedAccount('starting_grant'),
      wallet(player) - 1_100,
    )
    const orders = [
      { item_id, quantity: 10, price_each: 100 },
      { item_id: 'no such thing', quantity: 1, price_each: 1 },
      { item_id, quantity: 10, price_each: 50 },
      { item_id, quantity: 1, price_each: 5 },
    ]
    const bulk = result(player, 'create_buy_order', { orders })
    expect(bulk).toMatchObject({
      kind: 'bulk',
      mode: 'bulk',
      summary: { total: 4, succeeded: 2, failed: 2 },
    })
    expect(bulk.results).toMatchObject([
      { index: 0, success: true, quantity_listed: 10 },
      { index: 1, success: false, error_code: 'unknown_item' },
      { index: 2, success: false, error_code: 'no_credits' },
      { index: 3, success: true, quantity_listed: 1 },
    ])
    const sold = result(player, 'create_sell_order', {
      orders: [
        { item_id, quantity: 600, price_each: 900 },
        { item_id, quantity: 600, price_each: 901 },
        { item_id, quantity: 300, price_each: 900 },
      ],
    })
    expect(sold.results).toMatchObject([
      { success: false, error_code: 'no_credits' },
      { success: false, error_code: 'no_credits' },
      { success: false, error_code: 'no_credits' },
    ])
    post(small.world, namedAccount('starting_grant'), walletOf(small.world, player), 1_000_000)
    const funded = result(player, 'create_sell_order', {
      orders: [
        { item_id, quantity: 600, price_each: 900 },
        { item_id, quantity: 600, price_each: 901 },
        { item_id, quantity: 300, price_each: 900 },
      ],
    })
    expect(funded.results).toMatchObject([
      { success: true, from_storage: 600 },
      { success: false, error_code: 'insufficient_items' },
      { success: true, consolidated: true, order_id: funded.results[0].order_id },
    ])
  })

  test('leaves no trace when it is refused, not even in rows it had created', async () => {
    const request = { player, command: 'create_buy_order' }
    const costly = { item_id, quantity: 10_000, price_each: 10_000 }
    const run = async (withRefused: boolean): Promise<string> => {
      const twin = await small.reload()
      const refused = withRefused ? [{ ...request, params: costly }] : []
      const params = { item_id, quantity: 5, price_each: 30 }
      twin.tick(...refused, { player: other, command: 'create_sell_order', params })
      return twin.hash()
    }
    expect(await run(true)).toBe(await run(false))
  })

  test('trades with a later order of the tick in which it opens a book', () => {
    const params = { item_id, quantity: 5, price_each: 30 }
    expect(bookOf(small.world, base, item)).toBe(0)
    const answers = small.tick(
      { player, command: 'create_buy_order', params },
      { player: other, command: 'create_sell_order', params },
    )
    expect([...answers.values()].every(({ ok }) => ok)).toBe(true)
    expect(ordersOf(small.world, player)).toEqual([])
    expect(ordersOf(small.world, other)).toEqual([])
    expect(wallet(other)).toBeGreaterThan(1_000_100)
    const book = bookOf(small.world, base, item)
    expect(book).toBeGreaterThan(0)
    expect(small.world.read(Book).changedTick[book]).toBe(small.world.tick)
  })
})

describe('the cap of two hundred orders at a base', () => {
  test('lets new orders trade but lists none of them', () => {
    for (let from = 0; from < 200; from += 50) {
      const orders = Array.from({ length: 50 }, (_, i) => ({
        item_id,
        quantity: 1,
        price_each: 100 + from + i,
      }))
      expect(result(player, 'create_sell_order', { orders }).summary).toMatchObject({ failed: 0 })
    }
    const full = { item_id, quantity: 1, price_each: 999 }
    expect(code(player, 'create_sell_order', full)).toBe('listing_limit_reached')
    expect(sell(player, 1, 150)).toMatchObject({ consolidated: true, quantity_listed: 1 })
    bid(other, 3, 90)
    expect(sell(player, 5, 90)).toMatchObject({
      quantity_filled: 3,
      quantity_listed: 0,
      quantity_not_listed: 2,
    })
    expect(stored(player)).toBe(1_000 - 201 - 3)
  })
})
