/** The station manager: quotes, stock, income. Source: market.md section 7. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { baseId } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { openLocker, storedUnits } from '../../../systems/cargo/model.ts'
import { tradeNow } from '../../../systems/market/adopt-rules.ts'
import { bookOf } from '../../../systems/market/book-model.ts'
import {
  consumeExcess,
  isQuotedInFull,
  payManager,
  requote,
} from '../../../systems/market/manager-rules.ts'
import { bestPrice } from '../../../systems/market/model.ts'
import { CURRENT_QUOTES } from '../../../systems/market/order-index-state.ts'
import { levelsOf, managedAt, quoteOf } from '../../../systems/market/quote-model.ts'
import { ASK, BID, Book, Lot, Managed, Order, QUOTE_LEVELS } from '../../../systems/market/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { galaxyPlan } from '../../../systems/travel/model.ts'
import { placeOrder } from '../../exchange.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let small: SmallWorld
let player: Eid
let base: Eid
let managed: Row
let item: number

beforeEach(async () => {
  small = await smallWorld()
  player = small.join('Trader')
  base = dockedBase(small.world, player)
  item = itemIndex('steel_plate')
  managed = small.world.read(Book).managed[bookOf(small.world, base, item)]
})

const ordersHere = (): number[] => {
  const { orders } = small.world.read(Managed)
  const width = QUOTE_LEVELS * 2
  return [...Array(width).keys()].map((i) => orders[managed * width + i])
}
/** Returns whether the quote is up to date, so that it is not renewed until the stock changes. */
const isStanding = (): boolean =>
  small.world.index(CURRENT_QUOTES).stock[managed] === small.world.read(Managed).stock[managed]
const lotSeqs = () => {
  const { firstLot } = small.world.read(Order)
  const { seq } = small.world.read(Lot)
  return ordersHere().map((order) => seq[firstLot[order]])
}
const makeRich = () =>
  post(small.world, namedAccount('starting_grant'), walletOf(small.world, player), 10_000_000)

describe('a quote', () => {
  const quote = (stock: number, budget = 1_000_000) =>
    quoteOf({ stock, target: 100, value: 1_000, capital: true, budget })

  test('falls from 160 % of the value when empty to 100 % at target and 40 % at twice it', () => {
    expect(quote(0).mid).toBe(1_600)
    expect(quote(100)).toEqual({ mid: 1_000, bid: 920, ask: 1_080, bidUnits: 5, askUnits: 5 })
    expect(quote(200).mid).toBe(400)
    expect(quote(10_000).mid).toBe(400)
  })

  test('keeps a fifth of the target unsold and bids up to twice it, within the budget', () => {
    expect(quote(20).askUnits).toBe(0)
    expect(quote(22).askUnits).toBe(2)
    expect(quote(200).bidUnits).toBe(0)
    expect(quote(199).bidUnits).toBe(1)
    expect(quote(100, 1_840).bidUnits).toBe(2)
    expect(quote(100, 0).bidUnits).toBe(0)
  })

  test('always asks more than it bids', () => {
    expect(quoteOf({ stock: 400, target: 20, value: 1, capital: true, budget: 9 })).toMatchObject({
      mid: 1,
      bid: 1,
      ask: 2,
    })
  })

  test('has three levels, with half of the units at the best price', () => {
    expect(levelsOf(ASK, 1_080, 10)).toEqual([
      { price: 1_080, units: 5 },
      { price: 1_134, units: 3 },
      { price: 1_188, units: 2 },
    ])
    expect(levelsOf(BID, 1, 10)).toEqual([{ price: 1, units: 10 }])
    expect(levelsOf(BID, 920, 3).map(({ units }) => units)).toEqual([3])
    expect(levelsOf(BID, 920, 0)).toEqual([])
  })
})

describe('the manager', () => {
  test('starts with the planned stock and quotes both sides of goods at their target', () => {
    const places = galaxyPlan(small.world).systems.flatMap((system) => system.pois)
    const plan = places.find((poi) => poi.base?.id === baseId(small.world, base))!.base!
    const planned = new Map(plan.managed.map((row) => [itemIndex(row.item), row.stock]))
    for (const row of managedAt(small.world, base)) {
      const { stock, target, book } = small.world.read(Managed)
      expect(stock[row]).toBe(planned.get(small.world.read(Book).item[book[row]]))
      if (stock[row] < target[row]) continue
      const bid = bestPrice(small.world, book[row], BID)
      expect(bid).toBeGreaterThan(0)
      expect(bestPrice(small.world, book[row], ASK)).toBeGreaterThan(bid)
    }
  })

  test('keeps the lots of levels that did not change', () => {
    const before = lotSeqs()
    requote(small.world, [managed])
    tradeNow(small.world)
    expect(lotSeqs()).toEqual(before)
  })

  test('keeps a quote that rests in full until its funds are short', () => {
    const quoteNow = (): number => {
      requote(small.world, [managed])
      tradeNow(small.world)
      const { remaining } = small.world.read(Order)
      return ordersHere()
        .slice(QUOTE_LEVELS)
        .reduce((units, order) => units + remaining[order], 0)
    }
    const wanted = quoteNow()
    expect(isStanding()).toBe(true)
    const account = small.world.read(Base).manager[base]
    const funds = balanceOf(small.world, account)
    post(small.world, account, namedAccount('fee_sink'), funds)
    expect(quoteNow()).toBeLessThan(wanted)
    expect(isStanding()).toBe(false)
    post(small.world, namedAccount('fee_sink'), account, funds)
    expect(quoteNow()).toBe(wanted)
  })

  test('renews its quote after equal purchases and sales in one tick', () => {
    const seller = small.join('Seller')
    moveItems(small.world, namedContainer('supply'), openLocker(small.world, seller, base), item, 2)
    makeRich()
    requote(small.world, [managed])
    expect(isStanding()).toBe(true)
    const stock = small.world.read(Managed).stock[managed]
    const before = ordersHere()
    const params = { item_id: GOODS[item].id, quantity: 2 }
    small.tick({ player, command: 'buy', params }, { player: seller, command: 'sell', params })
    expect(small.world.read(Managed).stock[managed]).toBe(stock)
    expect(ordersHere()).not.toEqual(before)
    expect(isQuotedInFull(small.world, managed)).toBe(true)
  })

  test('raises its price in the tick of a purchase', () => {
    makeRich()
    item = itemIndex('mining_laser_i')
    const book = bookOf(small.world, base, item)
    managed = small.world.read(Book).managed[book]
    const before = bestPrice(small.world, book, ASK)
    const target = small.world.read(Managed).target[managed]
    const bought = small.act(player, 'buy', {
      item_id: GOODS[item].id,
      quantity: target,
      deliver_to: 'storage',
    })
    expect(bought.ok).toBe(true)
    const taken = storedUnits(small.world, player, base, item)
    expect(taken).toBe(Math.floor(target / 20))
    expect(small.world.read(Managed).stock[managed]).toBe(target - taken)
    expect(bestPrice(small.world, book, ASK)).toBeGreaterThan(before)
  })

  test('buys from an ask that its new bid crosses, at the price of the ask', () => {
    const book = bookOf(small.world, base, item)
    const bid = bestPrice(small.world, book, BID)
    moveItems(
      small.world,
      namedContainer('supply'),
      openLocker(small.world, player, base),
      item,
      10,
    )
    makeRich()
    const { target } = small.world.read(Managed)
    const placed = placeOrder(small.world, {
      player,
      base,
      item,
      side: ASK,
      price: bid + 1,
      units: 1,
      deliverTo: 'cargo',
    })
    expect(placed).toMatchObject({ ok: true, result: { listed: 1 } })
    const stock = small.world.write(Managed).stock
    const shortage = Math.floor(target[managed] / 4)
    moveItems(
      small.world,
      small.world.read(Base).stock[base],
      namedContainer('consumption'),
      item,
      shortage,
    )
    stock[managed] -= shortage
    const before = balanceOf(small.world, walletOf(small.world, player))
    requote(small.world, [managed])
    tradeNow(small.world)
    small.ticks(1)
    expect(balanceOf(small.world, walletOf(small.world, player))).toBe(before + bid + 1)
    expect(stock[managed]).toBe(target[managed] - shortage + 1)
  })

  test('consumes a fiftieth of the stock above the target at its turn', () => {
    const { stock, target } = small.world.read(Managed)
    const { stock: stores } = small.world.read(Base)
    const glut = target[managed] + 250
    moveItems(small.world, namedContainer('supply'), stores[base], item, glut)
    small.world.write(Managed).stock[managed] += glut
    expect(stock[managed]).toBe(2 * target[managed] + 250)
    consumeExcess(small.world, managed)
    expect(stock[managed]).toBe(target[managed] + glut - Math.ceil(glut / 50))
    small.ticks(1)
  })

  test('takes the income of the station and, at a capital, a stipend up to its target', () => {
    const { manager, treasury, accountTarget } = small.world.read(Base)
    const account = manager[base]
    post(small.world, namedAccount('starting_grant'), treasury[base], 77)
    const sink = namedAccount('fee_sink')
    post(small.world, account, sink, balanceOf(small.world, account))
    expect(small.world.read(Base).capital[base]).toBe(1)
    expect(accountTarget[base]).toBeGreaterThan(1_077)
    payManager(small.world, base)
    expect(balanceOf(small.world, treasury[base])).toBe(0)
    expect(balanceOf(small.world, account)).toBe(77 + 1_000)
  })

  test('gets no stipend for credits that its bids hold', () => {
    const { manager, accountTarget } = small.world.read(Base)
    const [account, faucet] = [manager[base], namedAccount('station_stipend')]
    // Long enough for the manager to place its bids.
    small.ticks(31)
    post(small.world, account, namedAccount('fee_sink'), balanceOf(small.world, account))
    post(small.world, faucet, account, accountTarget[base] - 1)
    payManager(small.world, base)
    expect(balanceOf(small.world, account)).toBe(accountTarget[base] - 1)
  })

  test('keeps its stock correct through 160 ticks of trade', () => {
    makeRich()
    for (let i = 0; i < 40; i++) {
      const command = i % 3 === 0 ? 'sell' : 'buy'
      small.act(player, command, { item_id: GOODS[item].id, quantity: 1 + (i % 7) })
    }
    small.ticks(120)
    const { remaining } = small.world.read(Order)
    const asks = ordersHere().slice(0, QUOTE_LEVELS)
    const offered = asks.reduce((units, order) => units + remaining[order], 0)
    const held = unitsIn(small.world, small.world.read(Base).stock[base], item)
    expect(small.world.read(Managed).stock[managed]).toBe(held + offered)
  })
})
