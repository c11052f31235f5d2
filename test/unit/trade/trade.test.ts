/** Trades between players. Source: trade-storage.md sections 2, 7, 9. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GOODS, type GoodRow } from '../../../core/catalog/index.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/types.ts'
import { playerId, statOf, walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { goodRefusal, packageOwner } from '../../../systems/cargo/model.ts'
import { movePackage, packageId } from '../../../systems/cargo/rules.ts'
import { PlayerCombat } from '../../../systems/combat/state.ts'
import { activeShip, cargoUnits, freeSpace, unitsThatFit } from '../../../systems/ship/model.ts'
import {
  LAPSED_TRADES,
  TRADE_DECLINE_TICKS,
  TRADE_TICKS,
  TRADES,
  TRADES_IN_MAX,
  TRADES_OUT_MAX,
} from '../../../systems/trade/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { dockShip, undockShip } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { packAt } from '../package/stage.ts'
import {
  BOUND,
  creditsOf,
  done,
  fund,
  HAZARD,
  heardBy,
  load,
  ORE,
  PLATE,
  refusal,
  trader,
} from './stage.ts'

let small: SmallWorld
let world: World
let one: Eid
let two: Eid

beforeAll(async () => {
  small = await smallWorld()
  world = small.world
})
beforeEach(() => {
  one = trader(small)
  two = trader(small)
  load(world, one, ORE, 50)
  load(world, two, PLATE, 20)
  for (const player of [one, two]) fund(world, player, 1_000)
  small.takeEmissions()
})

const ship = (player: Eid) => activeShip(world, player)
const aboard = (player: Eid, item: number) => cargoUnits(world, ship(player), item)
const ores = (quantity: number) => [{ item_id: 'iron_ore', quantity }]
const plates = (quantity: number) => [{ item_id: 'steel_plate', quantity }]
const offer = (params: object = {}, from = one, to = two): string =>
  done(small, from, 'trade_offer', { target_id: playerId(world, to), ...params }).trade_id as string
const refusedOffer = (params: object) =>
  refusal(small, one, 'trade_offer', { target_id: playerId(world, two), ...params })
const accept = (trade_id: string, player = two) => done(small, player, 'trade_accept', { trade_id })
const refusedAccept = (trade_id: string, player = two) =>
  refusal(small, player, 'trade_accept', { trade_id })

describe('trade_offer and trade_accept', () => {
  test('both sides change hands at once, and the offerer is notified: trade_complete', () => {
    const before = [one, two].map((player) => creditsOf(world, player))
    const trade_id = offer({
      offer_items: ores(30),
      offer_credits: 100,
      request_items: plates(5),
      request_credits: 40,
    })
    const [received] = heardBy(small.takeEmissions(), small, two, 'trade_offer_received')
    expect(received).toMatchObject({
      trade_id,
      offerer_id: playerId(world, one),
      offer_items: [{ item_id: 'iron_ore', quantity: 30 }],
      offer_credits: 100,
      request_items: [{ item_id: 'steel_plate', quantity: 5 }],
      request_credits: 40,
    })
    expect(aboard(one, ORE)).toBe(50)
    expect(accept(trade_id)).toMatchObject({ trade_id, your_credits: before[1] + 60 })
    const [complete] = heardBy(small.takeEmissions(), small, one, 'trade_complete')
    expect(complete).toMatchObject({ trade_id, your_credits: before[0] - 60 })
    expect([aboard(one, ORE), aboard(one, PLATE)]).toEqual([20, 5])
    expect([aboard(two, ORE), aboard(two, PLATE)]).toEqual([30, 15])
    expect(statOf(world, one, 'trades_completed')).toBe(1)
    expect(statOf(world, two, 'trades_completed')).toBe(1)
    expect(refusedAccept(trade_id)).toBe('trade_not_found')
  })

  test('names are taken too, and lines of one item are summed', () => {
    const target_id = world.texts.get(world.read(Player).username[two]).toLowerCase()
    const offer_items = [...ores(10), { item_id: 'Iron Ore', quantity: 15 }]
    const { trade_id } = done(small, one, 'trade_offer', { target_id, offer_items })
    const { incoming } = done(small, two, 'get_trades', {}, 'ask') as { incoming: object[] }
    expect(incoming[0]).toMatchObject({
      trade_id,
      offer_items: [{ item_id: 'iron_ore', name: 'Iron Ore', quantity: 25 }],
    })
    expect(refusedOffer({ offer_items: [...ores(30), ...ores(21)] })).toBe('insufficient_items')
  })

  test('full holds may swap: room is counted after both sides have gone', () => {
    for (const [player, item] of [
      [one, ORE],
      [two, PLATE],
    ]) {
      load(world, player, item, unitsThatFit(world, ship(player), item))
      expect(freeSpace(world, ship(player))).toBeLessThan(GOODS[item].size)
    }
    const size = [ORE, PLATE].map((item) => GOODS[item].size)
    const trade_id = offer({ offer_items: ores(size[1]), request_items: plates(size[0]) })
    accept(trade_id)
    expect(aboard(two, ORE)).toBe(size[1])
    const heavy = offer({ offer_items: ores(size[1] * 2), request_items: plates(size[0]) })
    expect(refusedAccept(heavy)).toBe('target_no_space')
    const light = offer({ offer_items: ores(size[1]), request_items: plates(size[0] * 2) })
    expect(refusedAccept(light)).toBe('offerer_no_space')
  })

  test('is refused by name of the reason, and nothing is stored', () => {
    expect(refusedOffer({})).toBe('empty_trade')
    expect(refusedOffer({ offer_items: ores(0) })).toBe('empty_trade')
    expect(refusedOffer({ offer_items: ores(0), offer_credits: 1 })).toBe('invalid_payload')
    expect(refusedOffer({ offer_items: ores(51) })).toBe('insufficient_items')
    expect(refusedOffer({ offer_credits: creditsOf(world, one) + 1 })).toBe('no_credits')
    const nothing = [{ item_id: 'no_such_thing', quantity: 1 }]
    expect(refusedOffer({ request_items: nothing })).toBe('unknown_item')
    load(world, one, BOUND, 1)
    const bound = [{ item_id: GOODS[BOUND].id, quantity: 1 }]
    expect(refusedOffer({ offer_items: bound })).toBe('quest_item')
    expect(refusedOffer({ request_items: bound })).toBe('quest_item')
    // No good of the catalogue has this flag alone.
    const good = { ...GOODS[ORE], tradeable: false } as GoodRow
    expect(goodRefusal(good)).toMatchObject({ code: 'not_tradeable' })
  })

  test('needs the other in the same place: invalid_target, location_changed', () => {
    const base = dockedBase(world, two)
    const trade_id = offer({ offer_items: ores(1) })
    expect(refusal(small, one, 'trade_offer', { target_id: 'Nobody', offer_credits: 1 })).toBe(
      'invalid_target',
    )
    const self = { target_id: playerId(world, one), offer_credits: 1 }
    expect(refusal(small, one, 'trade_offer', self)).toBe('invalid_target')
    undockShip(world, ship(two))
    expect(refusedOffer({ offer_credits: 1 })).toBe('invalid_target')
    expect(refusedAccept(trade_id)).toBe('location_changed')
    undockShip(world, ship(one))
    offer({ offer_credits: 1 })
    world.write(Player).bound[two] = 0
    expect(refusedOffer({ offer_credits: 1 })).toBe('invalid_target')
    dockShip(world, ship(one), base)
    dockShip(world, ship(two), base)
    offer({ offer_credits: 2 })
    world.write(Player).bound[two] = 1
    accept(trade_id)
  })

  test('a cloaked player is not found: target_cloaked', () => {
    for (const player of [one, two]) undockShip(world, ship(player))
    world.write(Player).cloaked[two] = 1
    const params = { target_id: playerId(world, two), offer_credits: 1 }
    const outcome = small.ask(two, 'get_trades')
    expect(outcome.ok).toBe(true)
    expect(refusal(small, one, 'trade_offer', params)).toBe('target_cloaked')
    world.write(Player).cloaked[two] = 0
  })

  test('a player who may not trade with others: trading_restricted', () => {
    const trade_id = offer({ offer_items: ores(1) })
    world.write(PlayerCombat).restrictedUntil[one] = world.tick + 10
    expect(refusedOffer({ offer_items: ores(1) })).toBe('trading_restricted')
    expect(refusedAccept(trade_id)).toBe('trading_restricted')
    world.write(PlayerCombat).restrictedUntil[one] = 0
    world.write(PlayerCombat).restrictedUntil[two] = world.tick + 10
    expect(refusedAccept(trade_id)).toBe('trading_restricted')
    world.write(PlayerCombat).restrictedUntil[two] = 0
    accept(trade_id)
  })
})

describe('what no longer holds when an offer is accepted', () => {
  test('of the offerer ends the trade: offerer_insufficient_items, _credits', () => {
    const goods = offer({ offer_items: ores(40) })
    done(small, one, 'deposit_items', { item_id: 'iron_ore', quantity: 20 })
    small.takeEmissions()
    const refused = small.act(two, 'trade_accept', { trade_id: goods })
    expect(refused).toMatchObject({ ok: false, code: 'offerer_insufficient_items' })
    expect(heardBy(small.takeEmissions(), small, one, 'trade_cancelled')).toMatchObject([
      { trade_id: goods },
    ])
    expect(refusedAccept(goods)).toBe('trade_not_found')
    const money = offer({ offer_credits: creditsOf(world, one) })
    const paid = offer({ offer_credits: 1 })
    accept(paid)
    const broke = small.act(two, 'trade_accept', { trade_id: money })
    expect(broke).toMatchObject({ ok: false, code: 'offerer_insufficient_credits' })
    expect(refusedAccept(money)).toBe('trade_not_found')
    expect(aboard(two, ORE)).toBe(0)
  })

  test('of the acceptor leaves it as it is: insufficient_items, no_credits', () => {
    const goods = offer({ request_items: plates(21) })
    expect(refusedAccept(goods)).toBe('insufficient_items')
    load(world, two, PLATE, 1)
    accept(goods)
    const money = offer({ request_credits: creditsOf(world, two) + 1 })
    expect(refusedAccept(money)).toBe('no_credits')
    fund(world, two, 1)
    accept(money)
    expect(creditsOf(world, two)).toBe(0)
  })

  test('a hold that may not take it: hazard_not_supported', () => {
    load(world, one, HAZARD, 1)
    const trade_id = offer({ offer_items: [{ item_id: GOODS[HAZARD].id, quantity: 1 }] })
    expect(refusedAccept(trade_id)).toBe('hazard_not_supported')
  })

  test('a wallet that would pass 2^53-1: amount_too_large', () => {
    const trade_id = offer({ offer_credits: 10 })
    const most = Number.MAX_SAFE_INTEGER - creditsOf(world, two) - 9
    post(world, namedAccount('missions'), walletOf(world, two), most)
    expect(refusedAccept(trade_id)).toBe('amount_too_large')
    done(small, two, 'trade_decline', { trade_id }, 'ask')
    post(world, walletOf(world, two), namedAccount('missions'), most)
    accept(offer({ offer_credits: 10 }))
  })

  test('two acceptances of the same goods in a tick: the later fails', () => {
    const three = trader(small)
    fund(world, three, 100)
    const trades = [two, three].map((target) => offer({ offer_items: ores(40) }, one, target))
    const outcomes = [
      ...small
        .tick(
          { player: two, command: 'trade_accept', params: { trade_id: trades[0] } },
          { player: three, command: 'trade_accept', params: { trade_id: trades[1] } },
        )
        .values(),
    ].map((outcome) => (outcome.ok ? 'ok' : outcome.code))
    expect(outcomes.sort()).toEqual(['offerer_insufficient_items', 'ok'])
    expect(aboard(one, ORE)).toBe(10)
    expect(aboard(two, ORE) + aboard(three, ORE)).toBe(40)
  })

  test('the target undocks in the tick in which they accept: location_changed', () => {
    const trade_id = offer({ offer_items: ores(1) })
    const outcomes = small.tick(
      { player: one, command: 'undock' },
      { player: two, command: 'trade_accept', params: { trade_id } },
    )
    expect(outcomes.get(two)).toMatchObject({ ok: false, code: 'location_changed' })
    expect(world.records(TRADES).size).toBeGreaterThan(0)
  })
})

describe('the end of an offer', () => {
  test('trade_decline notifies the offerer: trade_declined', () => {
    const trade_id = offer({ offer_items: ores(1) })
    expect(refusal(small, one, 'trade_decline', { trade_id }, 'ask')).toBe('not_your_trade')
    small.takeEmissions()
    done(small, two, 'trade_decline', { trade_id }, 'ask')
    expect(heardBy(small.takeEmissions(), small, one, 'trade_declined')).toMatchObject([
      { trade_id },
    ])
    expect(refusal(small, two, 'trade_decline', { trade_id }, 'ask')).toBe('trade_not_found')
  })

  test('trade_cancel notifies the target: trade_cancelled', () => {
    const trade_id = offer({ offer_items: ores(1) })
    expect(refusal(small, two, 'trade_cancel', { trade_id }, 'ask')).toBe('not_your_trade')
    small.takeEmissions()
    done(small, one, 'trade_cancel', { trade_id }, 'ask')
    expect(heardBy(small.takeEmissions(), small, two, 'trade_cancelled')).toMatchObject([
      { trade_id },
    ])
    expect(refusal(small, one, 'trade_cancel', { trade_id }, 'ask')).toBe('trade_not_found')
    expect(refusal(small, one, 'trade_cancel', { trade_id: 'what' }, 'ask')).toBe('trade_not_found')
  })

  test('a trade declined before the tick of its acceptance is not found', () => {
    const trade_id = offer({ offer_items: ores(1) })
    done(small, two, 'trade_decline', { trade_id }, 'ask')
    expect(refusedAccept(trade_id)).toBe('trade_not_found')
    const other = trader(small)
    expect(refusedAccept(offer({ offer_items: ores(1) }), other)).toBe('not_your_trade')
  })

  test('comes by itself after 30 ticks, in which it can still be accepted: trade_expired', () => {
    const [first, second] = [offer({ offer_items: ores(1) }), offer({ offer_items: ores(2) })]
    small.ticks(TRADE_TICKS - 2)
    accept(first)
    small.ticks(1)
    expect(refusedAccept(second)).toBe('trade_expired')
    expect(refusal(small, two, 'trade_decline', { trade_id: second }, 'ask')).toBe('trade_expired')
    small.ticks(360)
    expect(refusedAccept(second)).toBe('trade_not_found')
    expect(world.records(LAPSED_TRADES).size).toBe(0)
  })
})

describe('limits', () => {
  test('3 pending to one player, 10 out, 20 in: limit_reached', () => {
    const trades = [1, 2, 3].map((n) => offer({ offer_items: ores(n) }))
    expect(refusedOffer({ offer_items: ores(1) })).toBe('limit_reached')
    const others = Array.from({ length: 8 }, () => trader(small))
    for (const target of others.slice(0, TRADES_OUT_MAX - 3))
      offer({ offer_credits: 1 }, one, target)
    const last = { target_id: playerId(world, others[7]), offer_credits: 1 }
    expect(refusal(small, one, 'trade_offer', last)).toBe('limit_reached')
    done(small, one, 'trade_cancel', { trade_id: trades[0] }, 'ask')
    offer({ offer_credits: 1 }, one, others[7])
    expect(world.records(TRADES).size).toBeGreaterThanOrEqual(TRADES_OUT_MAX)
  })

  test('of what waits for one player', () => {
    const crowd = Array.from({ length: 7 }, () => trader(small))
    const offers = crowd.flatMap((player) => [player, player, player])
    for (const player of offers.slice(0, TRADES_IN_MAX)) offer({ offer_credits: 1 }, player, two)
    const params = { target_id: playerId(world, two), offer_credits: 1 }
    expect(refusal(small, one, 'trade_offer', params)).toBe('limit_reached')
    const { incoming } = done(small, two, 'get_trades', {}, 'ask') as { incoming: object[] }
    expect(incoming).toHaveLength(TRADES_IN_MAX)
  })

  test('a player who was declined three times waits: rate_limited', () => {
    for (let i = 0; i < 3; i++) {
      done(small, two, 'trade_decline', { trade_id: offer({ offer_credits: 1 }) }, 'ask')
    }
    expect(refusedOffer({ offer_credits: 1 })).toBe('rate_limited')
    small.ticks(TRADE_DECLINE_TICKS)
    offer({ offer_credits: 1 })
  })

  test('a flood of offers by one player is not announced, but is in get_trades', () => {
    for (let i = 0; i < 30; i++) {
      done(small, one, 'trade_cancel', { trade_id: offer({ offer_credits: 1 }) }, 'ask')
    }
    small.takeEmissions()
    const trade_id = offer({ offer_credits: 1 })
    const emissions = heardBy(small.takeEmissions(), small, two, 'trade_offer_received')
    expect(emissions.length).toBeLessThanOrEqual(1)
    const { incoming } = done(small, two, 'get_trades', {}, 'ask') as { incoming: object[] }
    expect(incoming).toMatchObject([{ trade_id }])
  })
})

describe('packages in trades', () => {
  const packed = (player: Eid) => packAt(world, { kind: 'cargo', ship: ship(player) })

  test('change hands whole, on one side only', () => {
    const pkg = packed(one)
    const line = { item_id: packageId(world, pkg), quantity: 1 }
    expect(refusedOffer({ offer_items: [{ ...line, quantity: 2 }] })).toBe('invalid_payload')
    const theirs = [{ item_id: packageId(world, packed(two)), quantity: 1 }]
    expect(refusedOffer({ offer_items: [line], request_items: theirs })).toBe('invalid_payload')
    expect(refusedOffer({ offer_items: theirs })).toBe('insufficient_items')
    const trade_id = offer({ offer_items: [line], request_credits: 10 })
    accept(trade_id)
    expect(packageOwner(world, pkg).player).toBe(two)
    const back = offer({ request_items: [line] })
    accept(back)
    expect(packageOwner(world, pkg).player).toBe(one)
  })

  test('need their room, and are gone when they are elsewhere', () => {
    const pkg = packed(one)
    const offer_items = [{ item_id: packageId(world, pkg), quantity: 1 }]
    const trade_id = offer({ offer_items })
    load(world, two, ORE, unitsThatFit(world, ship(two), ORE))
    expect(refusedAccept(trade_id)).toBe('target_no_space')
    movePackage(world, pkg, { kind: 'locker', player: one, base: dockedBase(world, one) })
    const outcome = small.act(two, 'trade_accept', { trade_id })
    expect(outcome).toMatchObject({ ok: false, code: 'offerer_insufficient_items' })
  })
})

test('pending trades are the same after a restore, and handed over at login', async () => {
  const trade_id = offer({ offer_items: ores(5), request_items: plates(1) })
  done(small, two, 'trade_decline', { trade_id: offer({ offer_credits: 1 }) }, 'ask')
  const twin = await small.reload()
  expect(twin.hash()).toBe(small.hash())
  for (const each of [small, twin]) {
    const seen = done(each, one, 'get_trades', {}, 'ask') as { outgoing: object[] }
    expect(seen.outgoing).toMatchObject([{ trade_id }])
    each.ticks(TRADE_DECLINE_TICKS + 1)
    const lapsed = each.ask(two, 'trade_decline', { trade_id })
    expect(lapsed).toMatchObject({ ok: false, code: 'trade_expired' })
  }
  expect(twin.hash()).toBe(small.hash())
})
