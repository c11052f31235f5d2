/** Ships that change hands far from their worth are gifts. Source: balance.md section 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { allowanceRefusal } from '../../../systems/account/giving-model.ts'
import { Giving } from '../../../systems/account/state.ts'
import { hullValue } from '../../../systems/ship/model.ts'
import { mayGive } from '../trade/stage.ts'
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
  // As new accounts: nothing earned.
  for (const who of [scene.player, scene.other]) world.write(Giving).granted[who] = 0
})

const allows = (who: number, worth: number): boolean =>
  allowanceRefusal(scene.small.world, who, worth) === undefined

function listed(price: number): string {
  const { small, other } = scene
  mayGive(small.world, other, WORTH)
  const ship_id = idOfShip(scene, park(scene, other))
  return result(scene, other, 'list_ship_for_sale', { ship_id, price }).listing_id
}
const buys = (listing_id: string) =>
  refused(scene, scene.player, 'buy_listed_ship', { listing_id }).code

describe('a listing', () => {
  test('at up to twice its worth may be bought with credits that were not earned', () => {
    const listing_id = listed(2 * WORTH)
    result(scene, scene.player, 'buy_listed_ship', { listing_id })
    expect(allows(scene.player, 0)).toBe(true)
    expect(scene.small.world.read(Giving).given[scene.player]).toBe(0)
  })

  test('above that is bought with what the buyer has earned alone, and counts', () => {
    const listing_id = listed(3 * WORTH)
    expect(buys(listing_id)).toBe('trading_restricted')
    mayGive(scene.small.world, scene.player, 2 * WORTH)
    result(scene, scene.player, 'buy_listed_ship', { listing_id })
    expect(allows(scene.player, 1)).toBe(false)
  })

  test('below half its worth is a gift of the seller', () => {
    const { small, other } = scene
    const ship_id = idOfShip(scene, park(scene, other))
    const price = Math.floor(WORTH / 2) - 1
    const list = { ship_id, price }
    expect(refused(scene, other, 'list_ship_for_sale', list).code).toBe('trading_restricted')
    mayGive(small.world, other, WORTH)
    const { listing_id } = result(scene, other, 'list_ship_for_sale', list)
    result(scene, scene.player, 'buy_listed_ship', { listing_id })
    // What was earned by the sale may be given again, less the gift in it.
    expect(small.world.read(Giving).given[other]).toBe(WORTH - price)
  })
})

test('an order for a ship at more than twice its worth counts as it is placed', () => {
  const { small, player } = scene
  const order = { class_id: CLASS, price: 3 * WORTH }
  expect(refused(scene, player, 'place_ship_buy_order', order).code).toBe('trading_restricted')
  mayGive(small.world, player, 2 * WORTH)
  result(scene, player, 'place_ship_buy_order', order)
  expect(allows(player, 1)).toBe(false)
})
