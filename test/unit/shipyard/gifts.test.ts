/** Ships sold far above or below their worth, which are gifts. Source: balance.md section 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { allowanceRefusal } from '../../../systems/account/giving-model.ts'
import { Giving } from '../../../systems/account/state.ts'
import { hullValue } from '../../../systems/ship/model.ts'
import { allowGiving } from '../trade/stage.ts'
import {
  CLASS,
  CLASS_INDEX,
  freshScene,
  idOfShip,
  park,
  refused,
  result,
  type Scene,
} from './scene.ts'

const WORTH = hullValue(SHIP_CLASSES[CLASS_INDEX])

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
  const { world } = scene.small
  // New accounts have earned nothing.
  for (const account of [scene.player, scene.other]) world.write(Giving).granted[account] = 0
})

const mayGiveMore = (player: number, worth: number): boolean =>
  allowanceRefusal(scene.small.world, player, worth) === undefined

/** Lists a ship of the seller at a price and returns the id of the listing. */
function listShip(price: number): string {
  const { small, other } = scene
  allowGiving(small.world, other, WORTH)
  const ship_id = idOfShip(scene, park(scene, other))
  return result(scene, other, 'list_ship_for_sale', { ship_id, price }).listing_id
}
const purchaseRefusal = (listing_id: string) =>
  refused(scene, scene.player, 'buy_listed_ship', { listing_id }).code

describe('a listing', () => {
  test('at up to twice the worth may be bought with credits that were not earned', () => {
    const listing_id = listShip(2 * WORTH)
    result(scene, scene.player, 'buy_listed_ship', { listing_id })
    expect(mayGiveMore(scene.player, 0)).toBe(true)
    expect(scene.small.world.read(Giving).given[scene.player]).toBe(0)
  })

  test('above twice the worth counts as a gift of the buyer', () => {
    const listing_id = listShip(3 * WORTH)
    expect(purchaseRefusal(listing_id)).toBe('trading_restricted')
    allowGiving(scene.small.world, scene.player, 2 * WORTH)
    result(scene, scene.player, 'buy_listed_ship', { listing_id })
    expect(mayGiveMore(scene.player, 1)).toBe(false)
  })

  test('below half the worth counts as a gift of the seller', () => {
    const { small, other } = scene
    const ship_id = idOfShip(scene, park(scene, other))
    const price = Math.floor(WORTH / 2) - 1
    const list = { ship_id, price }
    expect(refused(scene, other, 'list_ship_for_sale', list).code).toBe('trading_restricted')
    allowGiving(small.world, other, WORTH)
    const { listing_id } = result(scene, other, 'list_ship_for_sale', list)
    result(scene, scene.player, 'buy_listed_ship', { listing_id })
    // The gift is what the ship is worth beyond its price.
    expect(small.world.read(Giving).given[other]).toBe(WORTH - price)
  })
})

test('an order at more than twice the worth counts as a gift when it is placed', () => {
  const { small, player } = scene
  const order = { class_id: CLASS, price: 3 * WORTH }
  expect(refused(scene, player, 'place_ship_buy_order', order).code).toBe('trading_restricted')
  allowGiving(small.world, player, 2 * WORTH)
  result(scene, player, 'place_ship_buy_order', order)
  expect(mayGiveMore(player, 1)).toBe(false)
})

test('a ship sold to an order for less than half the worth counts as a gift of the seller', () => {
  const { small, player, other } = scene
  const price = Math.floor(WORTH / 2) - 1
  const { order_id } = result(scene, player, 'place_ship_buy_order', { class_id: CLASS, price })
  const sale = { order_id, ship_id: idOfShip(scene, park(scene, other)) }
  expect(refused(scene, other, 'sell_ship_to_order', sale).code).toBe('trading_restricted')
  allowGiving(small.world, other, WORTH)
  result(scene, other, 'sell_ship_to_order', sale)
  expect(small.world.read(Giving).given[other]).toBe(WORTH - price)
})
