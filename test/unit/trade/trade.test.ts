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
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { packAt } from '../package/stage.ts'
import {
  creditsOf,
  done,
  fund,
  HAZARD,
  heardBy,
  load,
  ORE,
  PLATE,
  QUEST_ITEM,
  refusal,
  trader,
} from './stage.ts'

onSmallMap()
let small: SmallWorld
let world: World
let ann: Eid
let bob: Eid

beforeAll(async () => {
  small = await smallWorld()
  world = small.world
})
beforeEach(() => {
  ann = trader(small)
  bob = trader(small)
  load(world, ann, ORE, 50)
  load(world, bob, PLATE, 20)
  for (const player of [ann, bob]) fund(world, player, 1_000)
  small.takeEmissions()
})

const ship = (player: Eid) => activeShip(world, player)
const aboard = (player: Eid, item: number) => cargoUnits(world, ship(player), item)
const ores = (quantity: number) => [{ item_id: 'iron_ore', quantity }]
const plates = (quantity: number) => [{ item_id: 'steel_plate', quantity }]
const offer = (params: object = {}, from = ann, to = bob): string =>
  done(small, from, 'trade_offer', { target_id: playerId(world, to), ...params }).trade_id as string
const refusedOffer = (params: object) =>
  refusal(small, ann, 'trade_offer', { target_id: playerId(world, bob), ...params })
const accept = (trade_id: string, player = bob) => done(small, player, 'trade_accept', { trade_id })
const refusedAccept = (trade_id: string, player = bob) =>
  refusal(small, player, 'trade_accept', { trade_id })

describe('trade_offer and trade_accept', () => {
  test('exchange both sides at once and send trade_complete to the offerer', () => {
    const before = [ann, bob].map((player) => creditsOf(world, player))
    const trade_id = offer({
      offer_items: ores(30),
      offer_credits: 100,
      request_items: plates(5),
      request_credits: 40,
    })
    const [received] = heardBy(small.takeEmissions(), small, bob, 'trade_offer_received')
    expect(received).toMatchObject({
      trade_id,
      offerer_id: playerId(world, ann),
      offer_items: [{ item_id: 'iron_ore', quantity: 30 }],
      offer_credits: 100,
      request_items: [{ item_id: 'steel_plate', quantity: 5 }],
      request_credits: 40,
    })
    expect(aboard(ann, ORE)).toBe(50)
    expect(accept(trade_id)).toMatchObject({ trade_id, your_credits: before[1] + 60 })
    const [complete] = heardBy(small.takeEmissions(), small, ann, 'trade_complete')
    expect(complete).toMatchObject({ trade_id, your_credits: before[0] - 60 })
    expect([aboard(ann, ORE), aboard(ann, PLATE)]).toEqual([20, 5])
    expect([aboard(bob, ORE), aboard(bob, PLATE)]).toEqual([30, 15])
    expect(statOf(world, ann, 'trades_completed')).toBe(1)
    expect(statOf(world, bob, 'trades_completed')).toBe(1)
    expect(refusedAccept(trade_id)).toBe('trade_not_found')
  })

  test('accept names instead of ids and sum the lines of one item', () => {
    const target_id = world.texts.get(world.read(Player).username[bob]).toLowerCase()
    const offer_items = [...ores(10), { item_id: 'Iron Ore', quantity: 15 }]
    const { trade_id } = done(small, ann, 'trade_offer', { target_id, offer_items })
    const { incoming } = done(small, bob, 'get_trades', {}, 'ask') as { incoming: object[] }
    expect(incoming[0]).toMatchObject({
      trade_id,
      offer_items: [{ item_id: 'iron_ore', name: 'Iron Ore', quantity: 25 }],
    })
    expect(refusedOffer({ offer_items: [...ores(30), ...ores(21)] })).toBe('insufficient_items')
  })

  test('let full holds swap, since room is counted after both sides have left', () => {
    for (const [player, item] of [
      [ann, ORE],
      [bob, PLATE],
    ]) {
      load(world, player, item, unitsThatFit(world, ship(player), item))
      expect(freeSpace(world, ship(player))).toBeLessThan(GOODS[item].size)
    }
    const size = [ORE, PLATE].map((item) => GOODS[item].size)
    const trade_id = offer({ offer_items: ores(size[1]), request_items: plates(size[0]) })
    accept(trade_id)
    expect(aboard(bob, ORE)).toBe(size[1])
    const heavy = offer({ offer_items: ores(size[1] * 2), request_items: plates(size[0]) })
    expect(refusedAccept(heavy)).toBe('target_no_space')
    const light = offer({ offer_items: ores(size[1]), request_items: plates(size[0] * 2) })
    expect(refusedAccept(light)).toBe('offerer_no_space')
  })

  test('refuse an offer with the code of each reason', () => {
    expect(refusedOffer({})).toBe('empty_trade')
    expect(refusedOffer({ offer_items: ores(0) })).toBe('empty_trade')
    expect(refusedOffer({ offer_items: ores(0), offer_credits: 1 })).toBe('invalid_payload')
    expect(refusedOffer({ offer_items: ores(51) })).toBe('insufficient_items')
    expect(refusedOffer({ offer_credits: creditsOf(world, ann) + 1 })).toBe('no_credits')
    const nothing = [{ item_id: 'no_such_thing', quantity: 1 }]
    expect(refusedOffer({ request_items: nothing })).toBe('unknown_item')
    load(world, ann, QUEST_ITEM, 1)
    const bound = [{ item_id: GOODS[QUEST_ITEM].id, quantity: 1 }]
    expect(refusedOffer({ offer_items: bound })).toBe('quest_item')
    expect(refusedOffer({ request_items: bound })).toBe('quest_item')
    // No good of the catalogue has this flag alone.
    const good = { ...GOODS[ORE], tradeable: false } as GoodRow
    expect(goodRefusal(good)).toMatchObject({ code: 'not_tradeable' })
  })

  test('require both players in one place (invalid_target, location_changed)', () => {
    const base = dockedBase(world, bob)
    const trade_id = offer({ offer_items: ores(1) })
    expect(refusal(small, ann, 'trade_offer', { target_id: 'Nobody', offer_credits: 1 })).toBe(
      'invalid_target',
    )
    const self = { target_id: playerId(world, ann), offer_credits: 1 }
    expect(refusal(small, ann, 'trade_offer', self)).toBe('invalid_target')
    undockShip(world, ship(bob))
    expect(refusedOffer({ offer_credits: 1 })).toBe('invalid_target')
    expect(refusedAccept(trade_id)).toBe('location_changed')
    undockShip(world, ship(ann))
    offer({ offer_credits: 1 })
    world.write(Player).bound[bob] = 0
    expect(refusedOffer({ offer_credits: 1 })).toBe('invalid_target')
    dockShip(world, ship(ann), base)
    dockShip(world, ship(bob), base)
    offer({ offer_credits: 2 })
    world.write(Player).bound[bob] = 1
    accept(trade_id)
  })

  test('refuse a cloaked target with target_cloaked', () => {
    for (const player of [ann, bob]) undockShip(world, ship(player))
    world.write(Player).cloaked[bob] = 1
    const params = { target_id: playerId(world, bob), offer_credits: 1 }
    const outcome = small.ask(bob, 'get_trades')
    expect(outcome.ok).toBe(true)
    expect(refusal(small, ann, 'trade_offer', params)).toBe('target_cloaked')
    world.write(Player).cloaked[bob] = 0
  })

  test('refuse a restricted player with trading_restricted', () => {
    const trade_id = offer({ offer_items: ores(1) })
    world.write(PlayerCombat).restrictedUntil[ann] = world.tick + 10
    expect(refusedOffer({ offer_items: ores(1) })).toBe('trading_restricted')
    expect(refusedAccept(trade_id)).toBe('trading_restricted')
    world.write(PlayerCombat).restrictedUntil[ann] = 0
    world.write(PlayerCombat).restrictedUntil[bob] = world.tick + 10
    expect(refusedAccept(trade_id)).toBe('trading_restricted')
    world.write(PlayerCombat).restrictedUntil[bob] = 0
    accept(trade_id)
  })
})

describe('trade_accept', () => {
  test('ends the trade if the offerer lacks the goods or the credits', () => {
    const goods = offer({ offer_items: ores(40) })
    done(small, ann, 'deposit_items', { item_id: 'iron_ore', quantity: 20 })
    small.takeEmissions()
    const refused = small.act(bob, 'trade_accept', { trade_id: goods })
    expect(refused).toMatchObject({ ok: false, code: 'offerer_insufficient_items' })
    expect(heardBy(small.takeEmissions(), small, ann, 'trade_cancelled')).toMatchObject([
      { trade_id: goods },
    ])
    expect(refusedAccept(goods)).toBe('trade_not_found')
    const money = offer({ offer_credits: creditsOf(world, ann) })
    const paid = offer({ offer_credits: 1 })
    accept(paid)
    const broke = small.act(bob, 'trade_accept', { trade_id: money })
    expect(broke).toMatchObject({ ok: false, code: 'offerer_insufficient_credits' })
    expect(refusedAccept(money)).toBe('trade_not_found')
    expect(aboard(bob, ORE)).toBe(0)
  })

  test('leaves the trade pending if the acceptor lacks the goods or the credits', () => {
    const goods = offer({ request_items: plates(21) })
    expect(refusedAccept(goods)).toBe('insufficient_items')
    load(world, bob, PLATE, 1)
    accept(goods)
    const money = offer({ request_credits: creditsOf(world, bob) + 1 })
    expect(refusedAccept(money)).toBe('no_credits')
    fund(world, bob, 1)
    accept(money)
    expect(creditsOf(world, bob)).toBe(0)
  })

  test('refuses hazardous goods for an unsuitable hold (hazard_not_supported)', () => {
    load(world, ann, HAZARD, 1)
    const trade_id = offer({ offer_items: [{ item_id: GOODS[HAZARD].id, quantity: 1 }] })
    expect(refusedAccept(trade_id)).toBe('hazard_not_supported')
  })

  test('refuses credits that would lift a wallet past 2^53-1 (amount_too_large)', () => {
    const trade_id = offer({ offer_credits: 10 })
    const almostFull = Number.MAX_SAFE_INTEGER - creditsOf(world, bob) - 9
    post(world, namedAccount('missions'), walletOf(world, bob), almostFull)
    expect(refusedAccept(trade_id)).toBe('amount_too_large')
    done(small, bob, 'trade_decline', { trade_id }, 'ask')
    post(world, walletOf(world, bob), namedAccount('missions'), almostFull)
    accept(offer({ offer_credits: 10 }))
  })

  test('succeeds for only one of two players who accept the same goods in a tick', () => {
    const eve = trader(small)
    fund(world, eve, 100)
    const trades = [bob, eve].map((target) => offer({ offer_items: ores(40) }, ann, target))
    const outcomes = [
      ...small
        .tick(
          { player: bob, command: 'trade_accept', params: { trade_id: trades[0] } },
          { player: eve, command: 'trade_accept', params: { trade_id: trades[1] } },
        )
        .values(),
    ].map((outcome) => (outcome.ok ? 'ok' : outcome.code))
    expect(outcomes.sort()).toEqual(['offerer_insufficient_items', 'ok'])
    expect(aboard(ann, ORE)).toBe(10)
    expect(aboard(bob, ORE) + aboard(eve, ORE)).toBe(40)
  })

  test('is refused if the offerer undocks in the same tick (location_changed)', () => {
    const trade_id = offer({ offer_items: ores(1) })
    const outcomes = small.tick(
      { player: ann, command: 'undock' },
      { player: bob, command: 'trade_accept', params: { trade_id } },
    )
    expect(outcomes.get(bob)).toMatchObject({ ok: false, code: 'location_changed' })
    expect(world.records(TRADES).size).toBeGreaterThan(0)
  })
})

describe('the end of an offer', () => {
  test('comes with trade_decline, which sends trade_declined to the offerer', () => {
    const trade_id = offer({ offer_items: ores(1) })
    expect(refusal(small, ann, 'trade_decline', { trade_id }, 'ask')).toBe('not_your_trade')
    small.takeEmissions()
    done(small, bob, 'trade_decline', { trade_id }, 'ask')
    expect(heardBy(small.takeEmissions(), small, ann, 'trade_declined')).toMatchObject([
      { trade_id },
    ])
    expect(refusal(small, bob, 'trade_decline', { trade_id }, 'ask')).toBe('trade_not_found')
  })

  test('comes with trade_cancel, which sends trade_cancelled to the target', () => {
    const trade_id = offer({ offer_items: ores(1) })
    expect(refusal(small, bob, 'trade_cancel', { trade_id }, 'ask')).toBe('not_your_trade')
    small.takeEmissions()
    done(small, ann, 'trade_cancel', { trade_id }, 'ask')
    expect(heardBy(small.takeEmissions(), small, bob, 'trade_cancelled')).toMatchObject([
      { trade_id },
    ])
    expect(refusal(small, ann, 'trade_cancel', { trade_id }, 'ask')).toBe('trade_not_found')
    expect(refusal(small, ann, 'trade_cancel', { trade_id: 'what' }, 'ask')).toBe('trade_not_found')
  })

  test('lets no later acceptance find the trade (trade_not_found)', () => {
    const trade_id = offer({ offer_items: ores(1) })
    done(small, bob, 'trade_decline', { trade_id }, 'ask')
    expect(refusedAccept(trade_id)).toBe('trade_not_found')
    const other = trader(small)
    expect(refusedAccept(offer({ offer_items: ores(1) }), other)).toBe('not_your_trade')
  })

  test('comes by itself after 30 ticks (trade_expired)', () => {
    const [first, second] = [offer({ offer_items: ores(1) }), offer({ offer_items: ores(2) })]
    small.ticks(TRADE_TICKS - 2)
    accept(first)
    small.ticks(1)
    expect(refusedAccept(second)).toBe('trade_expired')
    expect(refusal(small, bob, 'trade_decline', { trade_id: second }, 'ask')).toBe('trade_expired')
    small.ticks(360)
    expect(refusedAccept(second)).toBe('trade_not_found')
    expect(world.records(LAPSED_TRADES).size).toBe(0)
  })
})

describe('limits', () => {
  test('allow 3 pending offers to one player and 10 in all', () => {
    const trades = [1, 2, 3].map((n) => offer({ offer_items: ores(n) }))
    expect(refusedOffer({ offer_items: ores(1) })).toBe('limit_reached')
    const others = Array.from({ length: 8 }, () => trader(small))
    for (const target of others.slice(0, TRADES_OUT_MAX - 3))
      offer({ offer_credits: 1 }, ann, target)
    const last = { target_id: playerId(world, others[7]), offer_credits: 1 }
    expect(refusal(small, ann, 'trade_offer', last)).toBe('limit_reached')
    done(small, ann, 'trade_cancel', { trade_id: trades[0] }, 'ask')
    offer({ offer_credits: 1 }, ann, others[7])
    expect(world.records(TRADES).size).toBeGreaterThanOrEqual(TRADES_OUT_MAX)
  })

  test('allow 20 pending offers to one player from all others', () => {
    const crowd = Array.from({ length: 7 }, () => trader(small))
    const offers = crowd.flatMap((player) => [player, player, player])
    for (const player of offers.slice(0, TRADES_IN_MAX)) offer({ offer_credits: 1 }, player, bob)
    const params = { target_id: playerId(world, bob), offer_credits: 1 }
    expect(refusal(small, ann, 'trade_offer', params)).toBe('limit_reached')
    const { incoming } = done(small, bob, 'get_trades', {}, 'ask') as { incoming: object[] }
    expect(incoming).toHaveLength(TRADES_IN_MAX)
  })

  test('make a player wait who was declined three times (rate_limited)', () => {
    for (let i = 0; i < 3; i++) {
      done(small, bob, 'trade_decline', { trade_id: offer({ offer_credits: 1 }) }, 'ask')
    }
    expect(refusedOffer({ offer_credits: 1 })).toBe('rate_limited')
    small.ticks(TRADE_DECLINE_TICKS)
    offer({ offer_credits: 1 })
  })

  test('keep a flood of offers from being announced, but not from get_trades', () => {
    for (let i = 0; i < 30; i++) {
      done(small, ann, 'trade_cancel', { trade_id: offer({ offer_credits: 1 }) }, 'ask')
    }
    small.takeEmissions()
    const trade_id = offer({ offer_credits: 1 })
    const emissions = heardBy(small.takeEmissions(), small, bob, 'trade_offer_received')
    expect(emissions.length).toBeLessThanOrEqual(1)
    const { incoming } = done(small, bob, 'get_trades', {}, 'ask') as { incoming: object[] }
    expect(incoming).toMatchObject([{ trade_id }])
  })
})

describe('packages in trades', () => {
  const packed = (player: Eid) => packAt(world, { kind: 'cargo', ship: ship(player) })

  test('change hands whole and on one side only', () => {
    const pkg = packed(ann)
    const line = { item_id: packageId(world, pkg), quantity: 1 }
    expect(refusedOffer({ offer_items: [{ ...line, quantity: 2 }] })).toBe('invalid_payload')
    const theirs = [{ item_id: packageId(world, packed(bob)), quantity: 1 }]
    expect(refusedOffer({ offer_items: [line], request_items: theirs })).toBe('invalid_payload')
    expect(refusedOffer({ offer_items: theirs })).toBe('insufficient_items')
    const trade_id = offer({ offer_items: [line], request_credits: 10 })
    accept(trade_id)
    expect(packageOwner(world, pkg).player).toBe(bob)
    const back = offer({ request_items: [line] })
    accept(back)
    expect(packageOwner(world, pkg).player).toBe(ann)
  })

  test('require room in the new hold and must still be in the old one', () => {
    const pkg = packed(ann)
    const offer_items = [{ item_id: packageId(world, pkg), quantity: 1 }]
    const trade_id = offer({ offer_items })
    load(world, bob, ORE, unitsThatFit(world, ship(bob), ORE))
    expect(refusedAccept(trade_id)).toBe('target_no_space')
    movePackage(world, pkg, { kind: 'locker', player: ann, base: dockedBase(world, ann) })
    const outcome = small.act(bob, 'trade_accept', { trade_id })
    expect(outcome).toMatchObject({ ok: false, code: 'offerer_insufficient_items' })
  })
})

test('pending trades are the same after a restore', async () => {
  const trade_id = offer({ offer_items: ores(5), request_items: plates(1) })
  done(small, bob, 'trade_decline', { trade_id: offer({ offer_credits: 1 }) }, 'ask')
  const twin = await small.reload()
  expect(twin.hash()).toBe(small.hash())
  for (const copy of [small, twin]) {
    const seen = done(copy, ann, 'get_trades', {}, 'ask') as { outgoing: object[] }
    expect(seen.outgoing).toMatchObject([{ trade_id }])
    copy.ticks(TRADE_DECLINE_TICKS + 1)
    const lapsed = copy.ask(bob, 'trade_decline', { trade_id })
    expect(lapsed).toMatchObject({ ok: false, code: 'trade_expired' })
  }
  expect(twin.hash()).toBe(small.hash())
})
