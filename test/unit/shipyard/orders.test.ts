/** Buy orders for ships, and yards that fill them. Source: ships.md sections 8, 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { PRICE_CREDITS_MAX, SHIPS_PER_PLAYER_MAX } from '../../../core/limits.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf } from '../../../systems/account/model.ts'
import { baseId } from '../../../systems/base/model.ts'
import { PlayerCombat } from '../../../systems/combat/state.ts'
import { salesTaxBps } from '../../../systems/market/model.ts'
import { activeShip, shipById, shipsOf } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { billOf } from '../../../systems/shipyard/materials-model.ts'
import {
  buildTicks,
  commissionsAt,
  escrowBalance,
  laborCost,
  listingsAt,
  ordersOf,
} from '../../../systems/shipyard/model.ts'
import { placeShipBuyOrder } from '../../../systems/shipyard/order-commands.ts'
import { materialCost } from '../../../systems/shipyard/quote-rules.ts'
import { SHIP_ORDERS_PER_PLAYER_MAX, ShipListing } from '../../../systems/shipyard/state.ts'
import { incomeOf } from '../../../systems/tax/model.ts'
import { Location } from '../../../systems/travel/state.ts'
import {
  answerOf,
  CLASS,
  CLASS_INDEX,
  freshScene,
  giveBill,
  goTo,
  hasYard,
  idOfShip,
  otherBase,
  park,
  payloadsTo,
  refused,
  result,
  type Scene,
  wallet,
} from './scene.ts'

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
})

const tax = (price: number) =>
  Math.floor((price * salesTaxBps(scene.small.world, scene.player, scene.base)) / 10_000)
const place = (price: number, class_id: string = CLASS, pilot = scene.player) =>
  result(scene, pilot, 'place_ship_buy_order', { class_id, price })
/** Returns the least price at which a yard builds for an order: a tenth above its cost. */
const buildPrice = () => {
  const { world } = scene.small
  const material = materialCost(world, scene.base, billOf(CLASS_INDEX, false))
  return Math.ceil(((material + laborCost(CLASS_INDEX)) * 110) / 100)
}
/** Returns the listings here; no showroom has the ordered class, so nothing sells by itself. */
const listings = () => listingsAt(scene.small.world, scene.base)
const offerBill = (factor = 1) => {
  giveBill(scene, scene.other)
  for (const { item, units } of billOf(CLASS_INDEX, false)) {
    const { id, base_value } = GOODS[item]
    result(scene, scene.other, 'create_sell_order', {
      item_id: id,
      quantity: units,
      price_each: Math.floor(base_value * factor),
    })
  }
}

/** Runs ticks until the yard has begun a commission. */
function untilBuilding(): void {
  const { small } = scene
  for (let i = 0; i < 101 && commissionsAt(small.world, scene.base).length === 0; i++)
    small.ticks(1)
}

describe('place_ship_buy_order and cancel_ship_buy_order', () => {
  test('hold the price and tax, and return both from any base', () => {
    const { small, player, base } = scene
    const before = wallet(scene, player)
    const answer = place(500)
    expect(answer).toMatchObject({ price: 500, tax_escrow: tax(500), class_id: CLASS })
    expect(wallet(scene, player)).toBe(before - 500 - tax(500))
    expect(escrowBalance(small.world, base)).toBe(500 + tax(500))
    expect(answerOf(scene, player, 'view_ship_buy_orders')).toMatchObject({
      count: 1,
      orders: [
        { order_id: answer.order_id, being_built: false, base_id: baseId(small.world, base) },
      ],
    })
    expect(answerOf(scene, scene.other, 'view_ship_buy_orders').count).toBe(0)
    expect(answerOf(scene, scene.other, 'browse_ships').buy_orders).toHaveLength(1)
    goTo(
      scene,
      player,
      otherBase(scene, () => true),
    )
    const cancelled = result(scene, player, 'cancel_ship_buy_order', { order_id: answer.order_id })
    expect(cancelled.refund).toBe(500 + tax(500))
    expect(wallet(scene, player)).toBe(before)
    expect(ordersOf(small.world, player)).toEqual([])
  })

  test('refuse unknown classes, second orders, missing credits and bases without a yard', () => {
    const { player, base } = scene
    const code = (params: object) =>
      refused(scene, player, 'place_ship_buy_order', { class_id: CLASS, price: 100, ...params })
    expect(code({ class_id: 'x' }).code).toBe('unknown_class')
    expect(code({ price: PRICE_CREDITS_MAX }).code).toBe('no_credits')
    expect(placeShipBuyOrder.params.properties.price).toMatchObject({
      minimum: 1,
      maximum: PRICE_CREDITS_MAX,
    })
    const { order_id } = place(100)
    expect(code({ price: 200 })).toMatchObject({ code: 'duplicate_order', details: { order_id } })
    goTo(
      scene,
      player,
      otherBase(scene, (row) => !hasYard(scene, row)),
    )
    expect(code({}).code).toBe('no_shipyard')
    goTo(scene, player, base)
  })

  test('listing_available: an order is refused while a listing costs no more', () => {
    const { player, other } = scene
    const ship_id = idOfShip(scene, park(scene, other))
    const { listing_id } = result(scene, other, 'list_ship_for_sale', { ship_id, price: 900 })
    expect(
      refused(scene, player, 'place_ship_buy_order', { class_id: CLASS, price: 900 }),
    ).toMatchObject({ code: 'listing_available', details: { listing_id, price: 900 } })
    place(899)
    place(900, CLASS, other)
  })

  test('refuse more than 50 orders, and orders of players restricted from trade', () => {
    const { small, player } = scene
    const classes = SHIP_CLASSES.filter(({ hidden }) => !hidden).slice(0, 51)
    for (const { id } of classes.slice(0, SHIP_ORDERS_PER_PLAYER_MAX)) place(1, id)
    expect(
      refused(scene, player, 'place_ship_buy_order', { class_id: classes[50].id, price: 1 }),
    ).toMatchObject({ code: 'limit_reached', details: { max: SHIP_ORDERS_PER_PLAYER_MAX } })
    small.world.write(PlayerCombat).restrictedUntil[player] = small.world.tick + 50
    expect(
      refused(scene, player, 'place_ship_buy_order', { class_id: classes[50].id, price: 1 }).code,
    ).toBe('trading_restricted')
  })

  test('order_not_found: a player can cancel only their own orders', () => {
    const { order_id } = place(100)
    expect(refused(scene, scene.other, 'cancel_ship_buy_order', { order_id }).code).toBe(
      'order_not_found',
    )
    expect(refused(scene, scene.player, 'cancel_ship_buy_order', { order_id: 'x' }).code).toBe(
      'order_not_found',
    )
  })
})

describe('sell_ship_to_order', () => {
  test('order_not_found names the command that lists the orders of others', () => {
    const ship_id = idOfShip(scene, activeShip(scene.small.world, scene.other))
    const sale = { order_id: 'no such order', ship_id }
    expect(scene.small.act(scene.other, 'sell_ship_to_order', sale)).toMatchObject({
      code: 'order_not_found',
      message: expect.stringContaining('browse_ships'),
    })
  })

  const sell = (order_id: string, ship: Eid) =>
    result(scene, scene.other, 'sell_ship_to_order', { order_id, ship_id: idOfShip(scene, ship) })

  test('pays the seller at once, docks the ship for the buyer and notifies them', () => {
    const { small, player, other, base } = scene
    const { order_id } = place(5_000)
    const ship = park(scene, other)
    const before = wallet(scene, other)
    small.takeEmissions()
    expect(sell(order_id, ship)).toMatchObject({ price: 5_000, class_id: CLASS })
    expect(wallet(scene, other)).toBe(before + 5_000)
    expect(small.world.read(Ship).owner[ship]).toBe(player)
    expect(small.world.read(Location).base[ship]).toBe(base)
    expect(activeShip(small.world, player)).not.toBe(ship)
    expect(payloadsTo(scene, player, 'ship_commission_complete')).toMatchObject([
      { commission_id: order_id, ship_class: CLASS, base_id: baseId(small.world, base) },
    ])
    expect(escrowBalance(small.world, base)).toBe(0)
    expect(incomeOf(small.world, other, 'ship_sale')).toBe(5_000)
    expect(statOf(small.world, player, 'ships_purchased')).toBe(1)
  })

  test('is refused for unknown and own orders, and for ships that do not qualify', () => {
    const { small, player, other, base } = scene
    const { order_id } = place(100)
    const ship = park(scene, other)
    const code = (params: object, pilot = other) =>
      refused(scene, pilot, 'sell_ship_to_order', {
        order_id,
        ship_id: idOfShip(scene, ship),
        ...params,
      }).code
    expect(code({ order_id: 'x' })).toBe('order_not_found')
    expect(code({}, player)).toBe('own_order')
    expect(code({ ship_id: 'x' })).toBe('ship_not_found')
    expect(code({ ship_id: idOfShip(scene, activeShip(small.world, other)) })).toBe('active_ship')
    expect(code({ ship_id: idOfShip(scene, park(scene, other, 'needle')) })).toBe('class_mismatch')
    const away = park(
      scene,
      other,
      CLASS,
      otherBase(scene, () => true),
    )
    expect(code({ ship_id: idOfShip(scene, away) })).toBe('not_stored_here')
    const listed = idOfShip(scene, park(scene, other))
    result(scene, other, 'list_ship_for_sale', { ship_id: listed, price: 5_000 })
    expect(code({ ship_id: listed })).toBe('already_listed')
    small.world.write(Ship).issue[ship] = 1
    expect(code({})).toBe('issue_item')
    small.world.write(Ship).issue[ship] = 0
    goTo(
      scene,
      other,
      otherBase(scene, () => true),
    )
    expect(code({})).toBe('wrong_station')
    goTo(scene, other, base)
    for (let i = 1; i < SHIPS_PER_PLAYER_MAX; i++) park(scene, player)
    expect(code({})).toBe('ship_limit')
  })
})

describe('yards and orders', () => {
  test('a yard builds for an order that pays a tenth above the cost', () => {
    const { small, player, base } = scene
    offerBill(1.4)
    place(buildPrice())
    const before = wallet(scene, player)
    untilBuilding()
    expect(answerOf(scene, player, 'view_ship_buy_orders').orders).toMatchObject([
      { being_built: true },
    ])
    expect(commissionsAt(small.world, scene.base)).toHaveLength(1)
    small.takeEmissions()
    small.ticks(buildTicks(small.world, base, CLASS_INDEX))
    const [notice] = payloadsTo(scene, player, 'ship_commission_complete')
    const ship = shipById(small.world, String(notice.ship_id))
    expect(small.world.read(Ship).owner[ship]).toBe(player)
    expect(ordersOf(small.world, player)).toEqual([])
    expect(wallet(scene, player)).toBe(before)
    expect(escrowBalance(small.world, base)).toBe(0)
  })

  test('a yard pays at most one and a half times the worth of materials', () => {
    const { small, player, other } = scene
    offerBill(3)
    const { order_id } = place(buildPrice())
    untilBuilding()
    expect(commissionsAt(small.world, scene.base)).toHaveLength(1)
    const before = wallet(scene, other)
    small.ticks(101)
    // The order could be withdrawn for free, and the station would lose what it paid.
    result(scene, player, 'cancel_ship_buy_order', { order_id })
    expect(wallet(scene, other)).toBe(before)
  })

  test('a yard builds for no order that pays less than a tenth above the cost', () => {
    const { small } = scene
    offerBill()
    place(buildPrice() - 1)
    small.ticks(101)
    expect(commissionsAt(small.world, scene.base)).toEqual([])
  })

  test('the ship of an order withdrawn while it is built goes to the showroom', () => {
    const { small, player, base } = scene
    const shown = listings().length
    offerBill(1.4)
    const { order_id } = place(buildPrice())
    untilBuilding()
    const before = wallet(scene, player)
    const { refund } = result(scene, player, 'cancel_ship_buy_order', { order_id })
    expect(wallet(scene, player)).toBe(before + (refund as number))
    const owned = shipsOf(small.world, player).length
    small.ticks(buildTicks(small.world, base, CLASS_INDEX) + 1)
    expect(shipsOf(small.world, player)).toHaveLength(owned)
    expect(listings()).toHaveLength(shown + 1)
    const { player: seller, ship } = small.world.read(ShipListing)
    const last = listings().at(-1) ?? 0
    expect(seller[last]).toBe(0)
    expect(small.world.read(Ship).class[ship[last]]).toBe(CLASS_INDEX)
  })

  test('a ship of the showroom is sold to an order at its listed price', () => {
    const { small, player, base } = scene
    const { ship, price } = small.world.read(ShipListing)
    const row = listings()[0]
    const hull = ship[row]
    const listPrice = price[row]
    const { id } = SHIP_CLASSES[small.world.read(Ship).class[hull]]
    const before = wallet(scene, player)
    small.world.write(ShipListing).price[row] = listPrice + 1_000
    place(listPrice + 500, id)
    small.world.write(ShipListing).price[row] = listPrice
    small.ticks(101)
    expect(small.world.read(Ship).owner[hull]).toBe(player)
    expect(wallet(scene, player)).toBe(
      before - listPrice - Math.floor((tax(listPrice + 500) * listPrice) / (listPrice + 500)),
    )
    expect(escrowBalance(small.world, base)).toBe(0)
  })
})
