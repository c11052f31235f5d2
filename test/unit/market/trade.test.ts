/** Buying and selling at market price. Source: market.md sections 3-6. */
import { beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES, GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { empireOfBase, empireTreasury, serviceBit } from '../../../systems/base/model.ts'
import { BASE_KINDS, Base } from '../../../systems/base/state.ts'
import { openLocker, storedUnits } from '../../../systems/cargo/model.ts'
import { bookOf, ordersOf } from '../../../systems/market/book-model.ts'
import { bestPrice, listingFeeBps, salesTaxBps } from '../../../systems/market/model.ts'
import { ASK, BID, Order, type Side } from '../../../systems/market/state.ts'
import { activeShip, cargoUnits, freeSpace } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { placeOrder } from '../../exchange.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { allowGiving } from '../trade/stage.ts'

let small: SmallWorld
let player: Eid
let other: Eid
let base: Eid
/** A good that no manager stocks here: only players trade it. */
let item: number
/** A good that the manager stocks here. */
let stocked: number

beforeEach(async () => {
  small = await smallWorld()
  player = small.join('Buyer')
  other = small.join('Seller')
  base = dockedBase(small.world, player)
  item = GOODS.findIndex(
    (good, index) =>
      bookOf(small.world, base, index) === 0 && 'category' in good && good.category === 'refined',
  )
  stocked = itemIndex('steel_plate')
})

const wallet = (who: Eid) => balanceOf(small.world, walletOf(small.world, who))
const grant = (who: Eid, credits: number) =>
  post(small.world, namedAccount('starting_grant'), walletOf(small.world, who), credits)
const give = (who: Eid, good: number, units: number) =>
  moveItems(small.world, namedContainer('supply'), openLocker(small.world, who, base), good, units)
const list = (who: Eid, side: Side, price: number, units: number) => {
  const order = { player: who, base, item, side, price, units, deliverTo: 'cargo' } as const
  const placed = placeOrder(small.world, order)
  if (!placed.ok) throw new Error(placed.message)
  small.ticks(1)
  return placed.result
}
const act = (who: Eid, command: string, params: object) => small.act(who, command, params)
const result = (who: Eid, command: string, params: object) => {
  const outcome = act(who, command, params)
  if (!outcome.ok) throw new Error(`${outcome.code} ${outcome.message}`)
  return outcome.result as Record<string, never> & {
    fills: { price_each: number; quantity: number; source?: string; counterparty?: string }[]
    [field: string]: unknown
  }
}
const code = (who: Eid, command: string, params: object) => {
  const outcome = act(who, command, params)
  return outcome.ok ? 'ok' : outcome.code
}
const id = (good: number) => GOODS[good].id

describe('buying', () => {
  test('takes the cheapest asks first and pays the sales tax of the empire', () => {
    give(other, item, 30)
    list(other, ASK, 20, 10)
    list(other, ASK, 18, 5)
    grant(player, 10_000)
    const before = wallet(player)
    const bps = salesTaxBps(small.world, player, base)
    const treasury = empireTreasury(small.world, empireOfBase(small.world, base))
    const taxed = balanceOf(small.world, treasury)
    expect(bps).toBe(EMPIRES[0].policy.sales_tax_bps)
    const bought = result(player, 'buy', { item_id: id(item), quantity: 8 })
    const tax = Math.floor((90 * bps) / 10_000) + Math.floor((60 * bps) / 10_000)
    expect(bought).toMatchObject({
      action: 'buy',
      quantity: 8,
      unfilled: 0,
      total_cost: 150 + tax,
      delivered_to_cargo: 8,
      delivered_to_storage: 0,
      fills: [
        { price_each: 18, quantity: 5, subtotal: 90 },
        { price_each: 20, quantity: 3, subtotal: 60 },
      ],
    })
    expect(wallet(player)).toBe(before - 150 - tax)
    expect(balanceOf(small.world, treasury)).toBe(taxed + tax)
    expect(cargoUnits(small.world, activeShip(small.world, player), item)).toBe(8)
  })

  test('names the station, never a player', () => {
    const bought = result(player, 'buy', { item_id: id(stocked), quantity: 1 })
    expect(bought.fills[0].source).toBe('station')
    give(other, item, 1)
    list(other, ASK, 20, 1)
    const fromPlayer = result(player, 'buy', { item_id: id(item), quantity: 1 })
    expect(Object.keys(fromPlayer.fills[0]).sort()).toEqual(['price_each', 'quantity', 'subtotal'])
  })

  test('pays the seller in the same tick and notifies them', () => {
    give(other, item, 10)
    list(other, ASK, 20, 10)
    small.takeEmissions()
    const before = wallet(other)
    grant(player, 1_000)
    result(player, 'buy', { item_id: id(item), quantity: 4 })
    expect(wallet(other)).toBe(before + 80)
    expect(statOf(small.world, other, 'exchange_items_sold')).toBe(4)
    const notes = small.takeEmissions().filter(({ type }) => type === 'trade_fill')
    expect(notes).toHaveLength(1)
    expect(notes[0].payload).toMatchObject({ type: 'sell_filled', quantity: 4, total: 80 })
  })

  test('overflows into storage and goes there whole on request', () => {
    give(other, item, 400)
    list(other, ASK, 1, 400)
    grant(player, 10_000)
    const room = Math.floor(
      freeSpace(small.world, activeShip(small.world, player)) / GOODS[item].size,
    )
    const bought = result(player, 'buy', { item_id: id(item), quantity: room + 20 })
    expect(bought).toMatchObject({ delivered_to_cargo: room, delivered_to_storage: 20 })
    const stored = result(player, 'buy', {
      item_id: id(item),
      quantity: 5,
      deliver_to: 'storage',
    })
    expect(stored).toMatchObject({ delivered_to_cargo: 0, delivered_to_storage: 5 })
    expect(storedUnits(small.world, player, base, item)).toBe(25)
  })

  test('stops at the hold where there is no storage', () => {
    give(other, item, 400)
    list(other, ASK, 1, 400)
    grant(player, 10_000)
    small.world.write(Base).services[base] &= ~serviceBit('storage')
    const room = Math.floor(
      freeSpace(small.world, activeShip(small.world, player)) / GOODS[item].size,
    )
    const bought = result(player, 'buy', { item_id: id(item), quantity: 400 })
    expect(bought).toMatchObject({
      quantity: room,
      unfilled: 400 - room,
      stopped_by: 'room',
      message: expect.stringContaining('Your hold has no room for more.'),
    })
    expect(code(player, 'buy', { item_id: id(item), quantity: 1 })).toBe('no_cargo_space')
    const stored = { item_id: id(item), quantity: 1, deliver_to: 'storage' }
    expect(code(player, 'buy', stored)).toBe('no_storage_service')
  })

  test('buys as much as the wallet pays for, and is refused when that is nothing', () => {
    give(other, item, 10)
    list(other, ASK, 1_000, 10)
    allowGiving(small.world, player, 100_000)
    post(small.world, walletOf(small.world, player), namedAccount('starting_grant'), wallet(player))
    expect(code(player, 'buy', { item_id: id(item), quantity: 1 })).toBe('no_credits')
    grant(player, 3_500)
    expect(result(player, 'buy', { item_id: id(item), quantity: 10 })).toMatchObject({
      quantity: 3,
      unfilled: 7,
      stopped_by: 'credits',
      message: expect.stringMatching(
        /for 3\d+ credits\. This includes \d+ sales tax\. 7 were not bought\. You cannot afford/,
      ),
    })
  })

  test('stops when no more is offered and reports the reason', () => {
    give(other, item, 4)
    list(other, ASK, 10, 4)
    grant(player, 10_000)
    expect(result(player, 'buy', { item_id: id(item), quantity: 5 })).toMatchObject({
      quantity: 4,
      unfilled: 1,
      stopped_by: 'book',
      message: expect.stringContaining('No more is offered here'),
    })
    give(other, item, 4)
    list(other, ASK, 10, 4)
    const whole = result(player, 'buy', { item_id: id(item), quantity: 4 })
    expect(whole).not.toHaveProperty('stopped_by')
  })

  test('skips own asks', () => {
    give(player, item, 10)
    list(player, ASK, 5, 10)
    expect(code(player, 'buy', { item_id: id(item), quantity: 1 })).toBe('item_not_available')
  })

  test('lists the rest at the average price paid', () => {
    give(other, item, 10)
    list(other, ASK, 10, 1)
    list(other, ASK, 15, 2)
    grant(player, 10_000)
    const bought = result(player, 'buy', { item_id: id(item), quantity: 9, auto_list: true })
    expect(bought).toMatchObject({
      quantity: 3,
      auto_listed: { price_each: 13, quantity: 6, listing_fee: 1 },
    })
    expect(bestPrice(small.world, bookOf(small.world, base, item), BID)).toBe(13)
    expect(ordersOf(small.world, player)).toHaveLength(1)
    give(other, item, 6)
    result(other, 'sell', { item_id: id(item), quantity: 6 })
    expect(storedUnits(small.world, player, base, item)).toBe(6)
    expect(ordersOf(small.world, player)).toEqual([])
  })

  test('is refused with the code of each reason', () => {
    expect(code(player, 'buy', { item_id: 'no such thing', quantity: 1 })).toBe('unknown_item')
    expect(code(player, 'buy', { item_id: id(item), quantity: 1 })).toBe('item_not_available')
    const banned = EMPIRES[empireOfBase(small.world, base)].policy.contraband_items[0]
    expect(code(player, 'buy', { item_id: banned, quantity: 1 })).toBe('contraband_restricted')
    const { id: quest } = GOODS.find((good) => good.quest_item)!
    expect(code(player, 'buy', { item_id: quest, quantity: 1 })).toBe('not_tradeable')
    small.world.write(Base).services[base] &= ~serviceBit('market')
    expect(code(player, 'buy', { item_id: id(item), quantity: 1 })).toBe('no_market')
  })

  test('takes an item by its display name', () => {
    const name = GOODS[stocked].name.toUpperCase()
    expect(result(player, 'buy', { item_id: name, quantity: 1 })).toMatchObject({
      item_id: id(stocked),
    })
  })
})

describe('selling', () => {
  test('takes the goods from the hold first, then from storage', () => {
    give(player, stocked, 100)
    result(player, 'withdraw_items', { item_id: id(stocked), quantity: 1 })
    const ship = activeShip(small.world, player)
    const sold = result(player, 'sell', { item_id: id(stocked), quantity: 3 })
    expect(sold).toMatchObject({ quantity_sold: 3, unsold: 0, level_up: false })
    expect(cargoUnits(small.world, ship, stocked)).toBe(0)
    expect(storedUnits(small.world, player, base, stocked)).toBe(97)
  })

  test('pays at the price of the bids and charges the buyer their own tax', () => {
    grant(other, 10_000)
    const bps = salesTaxBps(small.world, other, base)
    const placed = list(other, BID, 30, 10)
    const escrowTax = Math.floor((300 * bps) / 10_000)
    expect(placed).toMatchObject({ listed: 10, escrowed: 300 + escrowTax })
    give(player, item, 4)
    const before = wallet(player)
    expect(result(player, 'sell', { item_id: id(item), quantity: 4 })).toMatchObject({
      total_earned: 120,
      fills: [{ price_each: 30, quantity: 4 }],
    })
    expect(wallet(player)).toBe(before + 120)
    expect(storedUnits(small.world, other, base, item)).toBe(4)
    const left = small.world.read(Order).escrowTax[placed.order]
    expect(left).toBe(escrowTax - Math.floor((120 * bps) / 10_000))
  })

  test('lists what nobody bought at the average price received', () => {
    grant(other, 10_000)
    list(other, BID, 30, 2)
    give(player, item, 10)
    const sold = result(player, 'sell', { item_id: id(item), quantity: 10, auto_list: true })
    expect(sold).toMatchObject({
      quantity_sold: 2,
      unsold: 8,
      auto_listed: { price_each: 30, quantity: 8, listing_fee: 3 },
    })
    const { escrow } = small.world.read(Base)
    expect(unitsIn(small.world, escrow[base], item)).toBe(8)
  })

  test('is refused with the code of each reason', () => {
    expect(code(player, 'sell', { item_id: id(item), quantity: 1 })).toBe('insufficient_items')
    give(player, item, 5)
    expect(code(player, 'sell', { item_id: id(item), quantity: 5 })).toBe('no_buyers')
    const { id: quest } = GOODS.find((good) => good.quest_item)!
    expect(code(player, 'sell', { item_id: quest, quantity: 1 })).toBe('quest_item')
  })

  test('gives trading experience, at least one point a tick', () => {
    give(player, stocked, 1)
    expect(result(player, 'sell', { item_id: id(stocked), quantity: 1 }).xp_gained).toBe(1)
  })

  test('moves fuel from the tank of the ship to that of the station', () => {
    const ship = activeShip(small.world, player)
    expect(code(player, 'sell', { item_id: 'fuel', quantity: 10 })).toBe('no_buyers')
    const bases = small.world.write(Base)
    bases.fuel[base] = Math.floor(bases.fuelMax[base] / 2)
    const before = wallet(player)
    const tank = small.world.read(Ship).fuel[ship]
    const sold = result(player, 'sell', { item_id: 'fuel', quantity: 10 })
    expect(sold).toMatchObject({ quantity_sold: 10, total_earned: 50, fills: [] })
    expect(wallet(player)).toBe(before + 50)
    expect(small.world.read(Ship).fuel[ship]).toBe(tank - 10)
    small.world.write(Ship).issueFuel[ship] = tank - 10
    expect(code(player, 'sell', { item_id: 'fuel', quantity: 1 })).toBe('issue_item')
  })
})

describe('listed orders', () => {
  test('at one price form one order with a lot for each placement', () => {
    give(player, item, 10)
    const first = list(player, ASK, 50, 3)
    const second = list(player, ASK, 50, 4)
    expect(second).toMatchObject({ order: first.order, consolidated: true })
    expect(small.world.read(Order).lots[first.order]).toBe(2)
    expect(small.world.read(Order).remaining[first.order]).toBe(7)
  })

  test('number at most two hundred at one base', () => {
    give(player, item, 300)
    grant(player, 1_000_000)
    for (let price = 1; price <= 200; price++) {
      const order = { player, base, item, side: ASK, price, units: 1, deliverTo: 'cargo' } as const
      expect(placeOrder(small.world, order).ok).toBe(true)
    }
    const order = { player, base, item, side: ASK, price: 500, units: 1 } as const
    const last = { ...order, deliverTo: 'cargo' } as const
    expect(placeOrder(small.world, last)).toMatchObject({ code: 'listing_limit_reached' })
    expect(placeOrder(small.world, { ...last, price: 7 })).toMatchObject({ ok: true })
    small.ticks(1)
  })

  test('have bounds on price, quantity and value', () => {
    const order = { player, base, item, side: ASK, price: 1, units: 1, deliverTo: 'cargo' } as const
    const place = (price: number, units: number) => {
      const placed = placeOrder(small.world, { ...order, price, units })
      return placed.ok ? 'ok' : placed.code
    }
    expect(place(1_000_000_000_001, 1)).toBe('price_too_high')
    expect(place(0, 1)).toBe('invalid_payload')
    expect(place(1_000_000_000_000, 4_001)).toBe('order_too_large')
    expect(place(1, 1_000_000_001)).toBe('order_too_large')
    expect(place(1, 1)).toBe('insufficient_items')
  })

  test('pay their fee to the station, or at a pirate base to the fee sink', () => {
    give(player, item, 20)
    const { treasury } = small.world.read(Base)
    const before = balanceOf(small.world, treasury[base])
    const sink = balanceOf(small.world, namedAccount('fee_sink'))
    grant(player, 1_000)
    const placed = list(player, ASK, 1_000, 10)
    expect(placed.fee).toBe(100)
    expect(balanceOf(small.world, treasury[base])).toBe(before + 100)
    small.world.write(Base).kind[base] = BASE_KINDS.indexOf('pirate')
    expect(listingFeeBps(small.world, base)).toBe(300)
    expect(list(player, ASK, 1_001, 10).fee).toBe(301)
    expect(balanceOf(small.world, namedAccount('fee_sink'))).toBe(sink + 301)
  })
})

test('the order in which the trades of a tick arrive does not change the world', async () => {
  const image = small.image()
  const hashes: string[] = []
  for (const reversed of [false, true]) {
    const twin = await smallWorld()
    const players = ['Buyer', 'Seller'].map((name) => twin.join(name))
    const commands = players.map((who, i) => ({
      player: who,
      command: 'buy',
      params: { item_id: 'steel_plate', quantity: 7 + i },
    }))
    twin.tick(...(reversed ? commands.toReversed() : commands))
    twin.ticks(3)
    hashes.push(twin.hash())
  }
  expect(hashes[0]).toBe(hashes[1])
  expect(image.tick).toBe(0)
})

test('a restored world trades on as its original does', async () => {
  give(other, item, 50)
  list(other, ASK, 20, 50)
  grant(player, 10_000)
  const twin = await small.reload()
  for (const copy of [small, twin]) {
    copy.act(player, 'buy', { item_id: id(item), quantity: 5 })
    copy.ticks(35)
  }
  expect(twin.hash()).toBe(small.hash())
})
