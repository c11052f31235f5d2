/** Changing and cancelling orders. Source: market.md sections 2, 5, 13. */
import { beforeEach, describe, expect, test } from 'vitest'
import { namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { bookOf, ordersOf } from '../../../systems/market/book-model.ts'
import { Book, Order } from '../../../systems/market/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import type { SmallWorld } from '../../small-world.ts'
import * as scenes from './scene.ts'
import { freshScene, type Scene } from './scene.ts'

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

const give = (who: Eid, units: number) => scenes.give(scene, who, units)
const wallet = (who: Eid) => scenes.wallet(scene, who)
const stored = (who: Eid) => scenes.stored(scene, who)
const result = (who: Eid, command: string, params: object) =>
  scenes.result(scene, who, command, params)
const code = (who: Eid, command: string, params: object) => scenes.code(scene, who, command, params)
const sell = (who: Eid, quantity: number, price: number) => scenes.sell(scene, who, quantity, price)
const bid = (who: Eid, quantity: number, price: number) => scenes.bid(scene, who, quantity, price)
const tax = (credits: number) => scenes.taxOn(scene, credits)
const bestAsk = () => scenes.bestAsk(scene)

describe('modify_order', () => {
  test('moves an order to the end of the queue at its new price', () => {
    const mine = sell(player, 5, 100)
    sell(other, 5, 90)
    const before = wallet(player)
    const answer = result(player, 'modify_order', { order_id: mine.order_id, new_price: 90 })
    expect(answer).toMatchObject({
      action: 'modify_order',
      kind: 'single',
      order_id: mine.order_id,
      old_price: 100,
      new_price: 90,
      listing_fee: 0,
    })
    expect(wallet(player)).toBe(before)
    const third = small.join('Third')
    post(small.world, namedAccount('starting_grant'), walletOf(small.world, third), 10_000)
    result(third, 'buy', { item_id, quantity: 7 })
    const [left] = ordersOf(small.world, player)
    expect(small.world.read(Order).remaining[left]).toBe(3)
    expect(ordersOf(small.world, other)).toEqual([])
  })

  test('charges the listing fee on the increase in value', () => {
    const { order_id } = sell(player, 5, 100)
    const before = wallet(player)
    const answer = result(player, 'modify_order', { order_id, new_price: 300 })
    expect(answer.listing_fee).toBe(10)
    expect(wallet(player)).toBe(before - 10)
  })

  test('charges or returns the difference in escrow', () => {
    const { order_id } = bid(player, 5, 100)
    const before = wallet(player)
    result(player, 'modify_order', { order_id, new_price: 60 })
    const after = before + 500 + tax(500) - 300 - tax(300)
    expect(wallet(player)).toBe(after)
    const raised = result(player, 'modify_order', { order_id, new_price: 100 })
    expect(wallet(player)).toBe(before - Number(raised.listing_fee))
  })

  test('trades at once with asks that the new price crosses', () => {
    sell(other, 3, 100)
    const { order_id } = bid(player, 5, 50)
    const held = stored(player)
    result(player, 'modify_order', { order_id, new_price: 120 })
    expect(stored(player)).toBe(held + 3)
    const [left] = ordersOf(small.world, player)
    expect(small.world.read(Order).remaining[left]).toBe(2)
    expect(small.world.read(Order).price[left]).toBe(120)
    small.act(other, 'create_sell_order', { item_id, quantity: 2, price_each: 120 })
    expect(ordersOf(small.world, player)).toEqual([])
  })

  test('succeeds at the same price and keeps the place in the queue', () => {
    const { order_id } = sell(player, 5, 100)
    sell(other, 5, 100)
    const changed = small.world.read(Book).changedTick[bookOf(small.world, base, item)]
    result(player, 'modify_order', { order_id, new_price: 100 })
    expect(small.world.read(Book).changedTick[bookOf(small.world, base, item)]).toBe(changed)
    result(other, 'create_buy_order', { item_id, quantity: 5, price_each: 100 })
    expect(ordersOf(small.world, player)).toEqual([])
  })

  test('is refused with the code of each reason', () => {
    const mine = sell(player, 5, 100)
    const theirs = bid(other, 1_000, 2)
    const change = (order_id: string, new_price: number): string =>
      code(player, 'modify_order', { order_id, new_price })
    expect(change('x', 5)).toBe('order_not_found')
    expect(change(theirs.order_id, 5)).toBe('not_your_order')
    expect(change(mine.order_id, 1_000_000_000_001)).toBe('price_too_high')
    expect(change(mine.order_id, 0)).toBe('invalid_payload')
    expect(code(player, 'modify_order', { order_id: mine.order_id })).toBe('invalid_payload')
    const dear = { order_id: theirs.order_id, new_price: 1_000_000 }
    expect(code(other, 'modify_order', dear)).toBe('no_credits')
    give(player, 4_000)
    const large = sell(player, 4_500, 3)
    expect(change(large.order_id, 1_000_000_000_000)).toBe('order_too_large')
  })

  test('executes each row of a list independently', () => {
    const first = sell(player, 5, 100)
    const orders = [
      { order_id: first.order_id, new_price: 80 },
      { order_id: 'x', new_price: 80 },
      { order_id: first.order_id, new_price: 70 },
    ]
    const { results, summary } = result(player, 'modify_order', { orders })
    expect(summary).toEqual({ total: 3, succeeded: 2, failed: 1 })
    expect(results).toMatchObject([
      { old_price: 100, new_price: 80 },
      { error_code: 'order_not_found' },
      { old_price: 80, new_price: 70 },
    ])
    expect(bestAsk()).toBe(70)
  })
})

describe('cancel_order', () => {
  test('returns the goods to storage at this base', () => {
    const { order_id } = sell(player, 5, 100)
    expect(result(player, 'cancel_order', { order_id })).toMatchObject({
      action: 'cancel_order',
      kind: 'single',
      order_id,
      delivered_to: 'storage',
      returned_items: { item_id, quantity: 5 },
    })
    expect(stored(player)).toBe(1_000)
    expect(bestAsk()).toBe(0)
  })

  test('returns credits and tax, but not the fee', () => {
    const before = wallet(player)
    const { order_id, listing_fee } = bid(player, 5, 100)
    const answer = result(player, 'cancel_order', { order_id })
    expect(answer.returned_credits).toBe(500 + tax(500))
    expect(wallet(player)).toBe(before - Number(listing_fee))
  })

  test.each(['all', '*'])('cancels every own order at this base when it is sent %s', (order_id) => {
    sell(player, 5, 100)
    bid(player, 5, 50)
    sell(other, 1, 200)
    const { summary } = result(player, 'cancel_order', { order_id })
    expect(summary).toEqual({ total: 2, succeeded: 2, failed: 0 })
    expect(ordersOf(small.world, player)).toEqual([])
    expect(ordersOf(small.world, other)).toHaveLength(1)
    expect(result(player, 'cancel_order', { order_id }).summary).toMatchObject({ total: 0 })
  })

  test('cancels each order of a list independently and only once', () => {
    const mine = sell(player, 5, 100)
    const theirs = sell(other, 1, 200)
    const order_ids = [mine.order_id, theirs.order_id, mine.order_id]
    const { results } = result(player, 'cancel_order', { order_ids })
    expect(results).toMatchObject([
      { success: true, returned_items: { quantity: 5 } },
      { success: false, error_code: 'not_your_order' },
      { success: false, error_code: 'order_not_found' },
    ])
    expect(stored(player)).toBe(1_000)
  })

  test('refuses a filled or unknown order with order_not_found', () => {
    const { order_id } = sell(player, 5, 100)
    result(other, 'buy', { item_id, quantity: 5 })
    expect(code(player, 'cancel_order', { order_id })).toBe('order_not_found')
    expect(code(player, 'cancel_order', { order_id: 'x' })).toBe('order_not_found')
    expect(code(player, 'cancel_order', {})).toBe('invalid_payload')
  })

  test('either cancels an order or loses it to a buyer in the same tick', () => {
    const ask = sell(player, 5, 100)
    const cancelled = { player, command: 'cancel_order', params: { order_id: ask.order_id } }
    const bought = { player: other, command: 'buy', params: { item_id, quantity: 5 } }
    const answers = small.tick(cancelled, bought)
    const outcomes = [answers.get(player), answers.get(other)].map((outcome) =>
      outcome?.ok ? 'ok' : outcome?.code,
    )
    expect([
      ['ok', 'item_not_available'],
      ['order_not_found', 'ok'],
    ]).toContainEqual(outcomes)
  })

  test('refuses an order at another base with order_not_found', () => {
    const { order_id } = sell(player, 5, 100)
    const elsewhere = small.join('Elsewhere', 'crimson')
    expect(dockedBase(small.world, elsewhere)).not.toBe(base)
    expect(code(elsewhere, 'cancel_order', { order_id })).toBe('order_not_found')
  })
})
