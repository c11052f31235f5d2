/**
 * Orders at and past their bounds: each is refused with its code and leaves no trace. Source:
 * market.md sections 1, 13.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES, GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import { LOTS_PER_SIDE_MAX } from '../../../core/limits.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { empireOfBase, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { PlayerCombat } from '../../../systems/combat/state.ts'
import { bookOf } from '../../../systems/market/book-model.ts'
import { ASK, Book, PlayerOrders } from '../../../systems/market/state.ts'
import { activeShip, loadCargo, unitsThatFit } from '../../../systems/ship/model.ts'
import { placeOrder } from '../../exchange.ts'
import { onSmallMap, type SmallWorld } from '../../small-world.ts'
import { allowGiving } from '../trade/stage.ts'
import { bid, code, freshScene, give, result, type Scene, sell, stored, wallet } from './scene.ts'

onSmallMap()

let scene: Scene
let small: SmallWorld
let player: Eid
let other: Eid
let item_id: string

beforeEach(async () => {
  scene = await freshScene()
  ;({ small, player, other, item_id } = scene)
})

const SAFE = Number.MAX_SAFE_INTEGER

/** Sends commands that must be refused to one world: it must stay equal to its twin. */
async function expectRefusals(
  cases: readonly (readonly [string, object, string])[],
): Promise<void> {
  const twin = await small.reload()
  for (const [command, params, expected] of cases) {
    expect(code(scene, player, command, params), JSON.stringify(params)).toBe(expected)
    twin.ticks(1)
    expect(small.hash(), `${command} ${JSON.stringify(params)}`).toBe(twin.hash())
  }
}

describe('a refused order leaves no trace', () => {
  test('when a price, a quantity or an id is out of bounds', async () => {
    const order = { item_id, quantity: 1, price_each: 5 }
    const rows = Array.from({ length: 1_000 }, () => order)
    const ids = Array.from({ length: 1_000 }, () => 'x')
    const cases = (command: string): [string, object, string][] => [
      [command, { ...order, price_each: SAFE }, 'price_too_high'],
      [command, { ...order, price_each: 1_000_000_000_001 }, 'price_too_high'],
      [command, { ...order, price_each: 0 }, 'invalid_payload'],
      [command, { ...order, price_each: -SAFE }, 'invalid_payload'],
      [command, { ...order, quantity: 0 }, 'invalid_payload'],
      [command, { ...order, quantity: -1 }, 'invalid_payload'],
      [command, { ...order, quantity: SAFE }, 'order_too_large'],
      [command, { ...order, quantity: 4_001, price_each: 1_000_000_000_000 }, 'order_too_large'],
      [command, { ...order, item_id: 'x' }, 'unknown_item'],
      [command, { orders: rows }, 'invalid_payload'],
      [command, { orders: [] }, 'invalid_payload'],
      [command, {}, 'invalid_payload'],
    ]
    const theirs = sell(scene, other, 1, 50).order_id
    await expectRefusals([
      ...cases('create_buy_order'),
      ...cases('create_sell_order'),
      ['create_buy_order', { item_id, quantity: 4_000, price_each: 1e12 }, 'no_credits'],
      ['create_sell_order', { item_id, quantity: 1_001, price_each: 1 }, 'insufficient_items'],
      ['modify_order', { order_id: theirs, new_price: 5 }, 'not_your_order'],
      ['modify_order', { order_id: 'x', new_price: 5 }, 'order_not_found'],
      ['modify_order', { order_id: 'x', new_price: SAFE }, 'price_too_high'],
      ['modify_order', { order_id: 'x' }, 'invalid_payload'],
      ['cancel_order', { order_id: theirs }, 'not_your_order'],
      ['cancel_order', { order_id: 'x' }, 'order_not_found'],
      ['cancel_order', { order_ids: ids }, 'invalid_payload'],
      ['cancel_order', {}, 'invalid_payload'],
      ['buy', { item_id: 'x', quantity: 1 }, 'unknown_item'],
      ['sell', { item_id, quantity: 1_001 }, 'insufficient_items'],
      ['sell', { item_id, quantity: 5 }, 'no_buyers'],
    ])
  })

  test('when the wallet cannot pay for it', async () => {
    sell(scene, other, 10, 200_000)
    bid(scene, other, 1, 1)
    const mine = bid(scene, player, 10, 3).order_id
    post(
      small.world,
      walletOf(small.world, player),
      namedAccount('starting_grant'),
      wallet(scene, player) - 300_000,
    )
    await expectRefusals([
      ['create_buy_order', { item_id, quantity: 10, price_each: 200_000 }, 'no_credits'],
      ['modify_order', { order_id: mine, new_price: 900_000 }, 'no_credits'],
      ['create_buy_order', { item_id, quantity: 2_000_000, price_each: 4 }, 'no_credits'],
    ])
    post(
      small.world,
      walletOf(small.world, player),
      namedAccount('starting_grant'),
      wallet(scene, player),
    )
    await expectRefusals([
      ['buy', { item_id, quantity: 1 }, 'no_credits'],
      ['create_sell_order', { item_id, quantity: 1, price_each: 100 }, 'no_credits'],
    ])
  })

  test('when an order limit is reached or the base has no market', async () => {
    for (let i = 0; i < 4; i++) {
      const orders = Array.from({ length: 50 }, (_, j) => ({
        item_id,
        quantity: 1,
        price_each: 100 + i * 50 + j,
      }))
      result(scene, player, 'create_sell_order', { orders })
    }
    const order = { item_id, quantity: 1, price_each: 999 }
    await expectRefusals([['create_sell_order', order, 'listing_limit_reached']])
    result(scene, player, 'cancel_order', { order_id: 'all' })
    small.world.write(PlayerOrders).count[player] = 2_000
    await expectRefusals([['create_sell_order', order, 'listing_limit_reached']])
    small.world.write(PlayerOrders).count[player] = 0
    small.world.write(Base).services[scene.base] &= ~serviceBit('market')
    await expectRefusals([
      ['create_sell_order', order, 'no_market'],
      ['create_buy_order', order, 'no_market'],
      ['buy', { item_id, quantity: 1 }, 'no_market'],
    ])
  })
})

describe('a trade is refused', () => {
  const buying = (itemId: string, expected: string): [string, object, string][] => [
    ['buy', { item_id: itemId, quantity: 1 }, expected],
    ['create_buy_order', { item_id: itemId, quantity: 1, price_each: 5 }, expected],
  ]
  const selling = (itemId: string, expected: string): [string, object, string][] => [
    ['sell', { item_id: itemId, quantity: 1 }, expected],
    ['create_sell_order', { item_id: itemId, quantity: 1, price_each: 5 }, expected],
  ]

  test('with contraband_restricted where the empire bans the item', async () => {
    const [banned] = EMPIRES[empireOfBase(small.world, scene.base)].policy.contraband_items
    expect(banned).toBeDefined()
    await expectRefusals([
      ...buying(banned, 'contraband_restricted'),
      ...selling(banned, 'contraband_restricted'),
    ])
  })

  test('with not_tradeable or quest_item for a quest item', async () => {
    const quest = GOODS.find((good) => good.quest_item)
    expect(quest).toBeDefined()
    if (quest)
      await expectRefusals([
        ...buying(quest.id, 'not_tradeable'),
        ...selling(quest.id, 'quest_item'),
      ])
  })

  test('with trading_restricted until the player’s penalty has passed', async () => {
    const { world } = small
    const until = world.tick + 12
    world.write(PlayerCombat).restrictedUntil[player] = until
    await expectRefusals([
      ...buying(item_id, 'trading_restricted'),
      ...selling(item_id, 'trading_restricted'),
      ['modify_order', { order_id: 'x', new_price: 2 }, 'trading_restricted'],
    ])
    small.ticks(12)
    expect(code(scene, player, 'create_sell_order', { item_id, quantity: 1, price_each: 9 })).toBe(
      'ok',
    )
  })

  test('with no_cargo_space when the hold is full and the base has no storage', async () => {
    const { world } = small
    sell(scene, other, 10, 5)
    const mine = bid(scene, player, 1, 1)
    expect(mine.quantity_listed).toBe(1)
    world.write(Base).services[scene.base] &= ~serviceBit('storage')
    const ship = activeShip(world, player)
    const filler = itemIndex('iron_ore')
    const space = unitsThatFit(world, ship, filler)
    loadCargo(world, ship, namedContainer('mined'), filler, space)
    await expectRefusals([['buy', { item_id, quantity: 1 }, 'no_cargo_space']])
  })

  test('with amount_too_large where the wallet of the seller would overflow', async () => {
    const { world } = small
    bid(scene, other, 10, 100)
    const rich = SAFE - wallet(scene, player) - 50
    post(world, namedAccount('rescue'), walletOf(world, player), rich)
    await expectRefusals([['sell', { item_id, quantity: 1 }, 'amount_too_large']])
  })
})

describe('a row of an order command', () => {
  /** Places asks of one unit, each of them a lot of its own. */
  const placeSingleLots = (lots: number, price: number): void => {
    const { world } = small
    const { base, item } = scene
    give(scene, other, lots)
    for (let lot = 0; lot < lots; lot++) {
      const order = { player: other, base, item, side: ASK, units: 1 } as const
      // An order holds fifty lots: each fifty lots get a price, and so an order, of their own.
      expect(placeOrder(world, { ...order, price: price + Math.floor(lot / 50) }).ok).toBe(true)
    }
    small.ticks(1)
  }

  test('trades with at most a thousand lots and lists no units that still cross', () => {
    placeSingleLots(1_100, 10)
    const placed = result(scene, player, 'create_buy_order', {
      item_id,
      quantity: 1_100,
      price_each: 100,
    })
    expect(placed).toMatchObject({
      quantity_filled: 1_000,
      quantity_listed: 0,
      quantity_not_listed: 100,
    })
    const bought = result(scene, player, 'buy', { item_id, quantity: 200 })
    expect(bought).toMatchObject({ quantity: 100, unfilled: 100 })
  })

  test('shares a limit of two thousand lots with the rows before it', () => {
    placeSingleLots(2_600, 10)
    const row = { item_id, quantity: 900, price_each: 100 }
    const { results } = result(scene, player, 'create_buy_order', { orders: [row, row, row] })
    expect(results).toMatchObject([
      { quantity_filled: 900 },
      { quantity_filled: 900 },
      { quantity_filled: 200, quantity_listed: 0, quantity_not_listed: 700 },
    ])
  })

  test('merges a fifty-first lot into the newest, which moves to the end of the queue', () => {
    for (let i = 0; i < 51; i++) sell(scene, player, 1, 60)
    sell(scene, other, 1, 60)
    expect(sell(scene, player, 4, 60)).toMatchObject({ consolidated: true, quantity_listed: 4 })
    const before = stored(scene, other)
    result(scene, other, 'create_sell_order', { item_id, quantity: 1, price_each: 60 })
    const third = small.join('Third')
    post(small.world, namedAccount('starting_grant'), walletOf(small.world, third), 100_000)
    result(scene, third, 'buy', { item_id, quantity: 50 })
    expect(stored(scene, other)).toBe(before - 1)
  })
})

test('a side of a book refuses a lot past twenty thousand until a trade frees one', () => {
  const { world } = small
  const { base, item } = scene
  const book = () => bookOf(world, base, item)
  const owners = [player, other, ...['Third', 'Fourth'].map((name) => small.join(name))]
  for (const owner of owners) {
    give(scene, owner, 10_000)
    post(world, namedAccount('starting_grant'), walletOf(world, owner), 1_000_000)
  }
  const place = (owner: Eid, price: number) =>
    placeOrder(world, { player: owner, base, item, side: ASK, units: 1, price })
  for (let lot = 0; lot < LOTS_PER_SIDE_MAX; lot++) {
    const placed = place(owners[lot % 4], 100 + Math.floor(lot / 200))
    if (!placed.ok) throw new Error(`${lot}: ${placed.code}`)
  }
  expect(world.read(Book).lots[book() * 2 + ASK]).toBe(LOTS_PER_SIDE_MAX)
  small.ticks(1)
  expect(place(player, 900)).toMatchObject({ code: 'listing_limit_reached' })
  const buyer = small.join('Fifth')
  post(world, namedAccount('starting_grant'), walletOf(world, buyer), 1_000_000)
  allowGiving(world, buyer, 1_000_000)
  const wanted = { item_id, quantity: 10, price_each: 100 }
  expect(result(scene, buyer, 'create_buy_order', wanted)).toMatchObject({ quantity_filled: 10 })
  expect(place(other, 900)).toMatchObject({ ok: true })
  small.ticks(1)
})
