/** subscribe_market, unsubscribe_market and market_update. Source: market.md section 6. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { openLocker } from '../../../systems/cargo/model.ts'
import { bookOf } from '../../../systems/market/book-model.ts'
import { categoryOf, followedBase, isContraband } from '../../../systems/market/model.ts'
import { ASK, BID, type Side } from '../../../systems/market/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { placeOrder } from '../../exchange.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

interface Level {
  readonly price_each: number
  readonly quantity: number
  readonly source?: string
}
interface Shown {
  readonly item_id: string
  readonly buy_orders: Level[]
  readonly sell_orders: Level[]
}
interface Update {
  readonly base_id: string
  readonly tick: number
  readonly items: Shown[]
}

let small: SmallWorld
let player: Eid
let other: Eid
let base: Eid
/** A good that no manager stocks at this base. */
let item: number

beforeEach(async () => {
  small = await smallWorld()
  player = small.join('Buyer')
  other = small.join('Seller')
  base = dockedBase(small.world, player)
  item = GOODS.findIndex(
    (good, index) =>
      bookOf(small.world, base, index) === 0 && 'category' in good && good.category === 'refined',
  )
  post(small.world, namedAccount('starting_grant'), walletOf(small.world, player), 5_000_000)
  post(small.world, namedAccount('starting_grant'), walletOf(small.world, other), 5_000_000)
})

const subscribe = (who: Eid = player): Update => {
  const outcome = small.ask(who, 'subscribe_market')
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.result as Update
}
/** Takes the updates sent since the last call, with the players they were sent to. */
const takeUpdates = (): { update: Update; to: readonly number[] }[] =>
  small
    .takeEmissions()
    .filter(({ type }) => type === 'market_update')
    .map(({ payload, to }) => ({ update: payload as unknown as Update, to }))
const list = (who: Eid, side: Side, price: number, units: number, good = item): void => {
  if (side === ASK) {
    const locker = openLocker(small.world, who, base)
    moveItems(small.world, namedContainer('supply'), locker, good, units)
  }
  const order = { player: who, base, item: good, side, price, units, deliverTo: 'cargo' } as const
  const placed = placeOrder(small.world, order)
  if (!placed.ok) throw new Error(placed.message)
}
/** Places an order between ticks, so that the next tick reports it as a change of its own. */
const listInTick = (...args: Parameters<typeof list>): void => {
  small.world.tick += 1
  list(...args)
  small.world.tick -= 1
  small.ticks(1)
}

describe('subscribing', () => {
  test('answers with every item that has depth, and no fuel', () => {
    const { items, ...head } = subscribe()
    expect(head).toMatchObject({ action: 'subscribe_market', base_id: baseId(small.world, base) })
    expect(items.length).toBeGreaterThan(10)
    for (const { item_id, buy_orders, sell_orders } of items) {
      expect(item_id).not.toBe('fuel')
      expect(isContraband(small.world, base, itemIndex(item_id))).toBe(false)
      expect(buy_orders.length + sell_orders.length).toBeGreaterThan(0)
    }
    expect(items.flatMap(({ sell_orders }) => sell_orders)).toContainEqual({
      price_each: expect.any(Number),
      quantity: expect.any(Number),
      source: 'station',
    })
  })

  test('requires a dock and a market', () => {
    small.world.write(Base).services[base] &= ~serviceBit('market')
    expect(small.ask(player, 'subscribe_market')).toMatchObject({ ok: false, code: 'no_market' })
    small.act(player, 'undock')
    expect(small.ask(player, 'subscribe_market')).toMatchObject({ ok: false, code: 'not_docked' })
    expect(followedBase(small.world, player)).toBe(0)
  })

  test('twice returns a fresh snapshot and does not double the updates', () => {
    subscribe()
    listInTick(other, ASK, 90, 5)
    expect(subscribe().items.find(({ item_id }) => item_id === GOODS[item].id)).toMatchObject({
      sell_orders: [{ price_each: 90, quantity: 5 }],
    })
    takeUpdates()
    listInTick(other, ASK, 91, 1)
    expect(takeUpdates().map(({ to }) => to.length)).toEqual([1])
  })
})

describe('market_update', () => {
  test('sends the full depth of changed items once to all followers', () => {
    subscribe(player)
    subscribe(other)
    small.ticks(1)
    takeUpdates()
    list(other, ASK, 95, 4)
    listInTick(other, BID, 60, 2)
    const changes = takeUpdates()
    expect(changes).toHaveLength(1)
    expect(changes[0].to).toHaveLength(2)
    expect(changes[0].update).toMatchObject({ base_id: baseId(small.world, base) })
    expect(changes[0].update.tick).toBe(small.world.tick)
    expect(changes[0].update.items).toContainEqual({
      item_id: GOODS[item].id,
      item_name: GOODS[item].name,
      category: categoryOf(item),
      buy_orders: [{ price_each: 60, quantity: 2 }],
      sell_orders: [{ price_each: 95, quantity: 4 }],
    })
  })

  test('splits a price that players and the station share into two levels', () => {
    const { items } = subscribe()
    const stocked = items.find(({ sell_orders }) => sell_orders.length > 0)!
    const [{ price_each }] = stocked.sell_orders
    const good = itemIndex(stocked.item_id)
    takeUpdates()
    listInTick(other, ASK, price_each, 3, good)
    const [{ update }] = takeUpdates()
    const changed = update.items.find(({ item_id }) => item_id === stocked.item_id)!
    expect(changed.sell_orders.filter((level) => level.price_each === price_each)).toEqual([
      { price_each, quantity: 3 },
      { price_each, quantity: expect.any(Number), source: 'station' },
    ])
  })

  test('sends an item whose book has become empty with two empty lists', () => {
    listInTick(other, ASK, GOODS[item].base_value, 4)
    subscribe()
    small.takeEmissions()
    small.act(player, 'buy', { item_id: GOODS[item].id, quantity: 4 })
    const [{ update }] = takeUpdates()
    expect(update.items.find(({ item_id }) => item_id === GOODS[item].id)).toMatchObject({
      buy_orders: [],
      sell_orders: [],
    })
  })

  test('keeps a snapshot equal to the whole market', () => {
    const cache = new Map<string, Shown>()
    for (const shown of subscribe().items) cache.set(shown.item_id, shown)
    const goods = [...cache.keys()]
    for (let tick = 0; tick < 40; tick++) {
      takeUpdates()
      const params = { item_id: goods[(tick * 7) % goods.length], quantity: 1 + (tick % 9) }
      small.tick(
        { player, command: 'buy', params },
        { player: other, command: tick % 2 === 0 ? 'buy' : 'sell', params },
      )
      for (const { update } of takeUpdates()) {
        for (const shown of update.items) {
          if (shown.buy_orders.length + shown.sell_orders.length === 0) cache.delete(shown.item_id)
          else cache.set(shown.item_id, shown)
        }
      }
      const all = new Map(subscribe(other).items.map((shown) => [shown.item_id, shown]))
      expect(cache).toEqual(all)
      small.ask(other, 'unsubscribe_market')
    }
  })
})

describe('a feed', () => {
  const isOver = (): boolean => {
    const ended = followedBase(small.world, player) === 0
    takeUpdates()
    listInTick(other, ASK, 95, 1)
    expect(takeUpdates()).toHaveLength(ended ? 0 : 1)
    return ended
  }

  test('ends with unsubscribe_market, which may be sent twice', () => {
    subscribe()
    expect(isOver()).toBe(false)
    for (let call = 0; call < 2; call++) {
      const outcome = small.ask(player, 'unsubscribe_market')
      expect(outcome).toMatchObject({ ok: true, result: { action: 'unsubscribe_market' } })
    }
    expect(isOver()).toBe(true)
  })

  test('ends with undocking', () => {
    subscribe()
    small.act(player, 'undock')
    expect(isOver()).toBe(true)
    small.act(player, 'dock')
    expect(isOver()).toBe(true)
  })

  test('ends with the connection that subscribed', () => {
    const { world } = small
    const number = world.read(Player).seq[player]
    small.ask(0, 'internal:bind', { player: number, channel: 'http' })
    subscribe()
    small.ask(0, 'internal:unbind', { player: number, channel: 'http' })
    expect(isOver()).toBe(false)
    small.ask(0, 'internal:bind', { player: number, channel: 'ws' })
    expect(isOver()).toBe(true)
    subscribe()
    small.ask(0, 'internal:unbind', { player: number, channel: 'ws' })
    expect(followedBase(world, player)).toBe(0)
    small.ask(0, 'internal:bind', { player: number, channel: 'ws' })
    subscribe()
    small.ask(0, 'internal:unbind_all', {})
    expect(followedBase(world, player)).toBe(0)
  })

  test('survives a restore', async () => {
    subscribe()
    const restored = await small.reload()
    expect(restored.hash()).toBe(small.hash())
    expect(followedBase(restored.world, player)).toBe(base)
  })
})
