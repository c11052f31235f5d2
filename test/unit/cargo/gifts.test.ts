/** Gifts and donations, and their notices. Source: trade-storage.md sections 3, 4, 9. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES, GOODS } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/types.ts'
import { playerId, statOf, walletOf } from '../../../systems/account/model.ts'
import { Giving, Player } from '../../../systems/account/state.ts'
import { baseId, empireTreasury, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { openLocker, packageOwner, packageRoom, storedUnits } from '../../../systems/cargo/model.ts'
import { packageId, reserveSlot } from '../../../systems/cargo/rules.ts'
import {
  GIFTS,
  GIFTS_PER_BOX_MAX,
  Package,
  SHIPS_BEFORE_GIFT_MAX,
} from '../../../systems/cargo/state.ts'
import { PlayerCombat } from '../../../systems/combat/state.ts'
import { factionOf, treasuryOf } from '../../../systems/faction/model.ts'
import { policyOf } from '../../../systems/insurance/model.ts'
import { activeShip, cargoUnits, shipId, shipsOf } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { dockShip, undockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { teach } from '../drone/scene.ts'
import { addService } from '../faction/scene.ts'
import { packAt } from '../package/stage.ts'
import {
  allowGiving,
  creditsOf,
  done,
  fund,
  heardBy,
  load,
  ORE,
  PLATE,
  QUEST_ITEM,
  refusal,
  trader,
} from '../trade/stage.ts'

onSmallMap()

let small: SmallWorld
let world: World
let giver: Eid
let taker: Eid
let base: Eid
let name: string

beforeAll(async () => {
  small = await smallWorld()
  world = small.world
})
beforeEach(() => {
  giver = trader(small)
  taker = trader(small)
  base = dockedBase(world, giver)
  name = world.texts.get(world.read(Player).username[taker])
  load(world, giver, ORE, 50)
  fund(world, giver, 1_000)
  small.takeEmissions()
})

const give = (params: object, from = giver) => done(small, from, 'send_gift', params)
const refused = (params: object, from = giver) => refusal(small, from, 'send_gift', params)
const ores = (quantity: number) => ({ item_id: 'iron_ore', quantity })
const storageOf = (player: Eid) => done(small, player, 'view_storage', {}, 'ask')
const markSeen = (player: Eid) =>
  small.ask(player, 'internal:gifts_seen', { base_id: baseId(world, base) })

/** Makes another ship of a player, parked at their base. */
function park(player: Eid, modules: number[] = []): Eid {
  const shipClass = world.read(Ship).class[activeShip(world, player)]
  const ship = createShip(world, { owner: player, shipClass, modules })
  dockShip(world, ship, base)
  return ship
}

describe('send_gift', () => {
  test('leaves goods in the locker of the recipient, with a notice: gift_received', () => {
    const message = 'For the new hull.'
    expect(give({ recipient: name.toUpperCase(), ...ores(20), message })).toMatchObject({
      action: 'send_gift',
      recipient: name,
      item_id: 'iron_ore',
      quantity: 20,
      source: 'cargo',
      cargo_remaining: 30,
    })
    expect(storedUnits(world, taker, base, ORE)).toBe(20)
    const [notice] = heardBy(small.takeEmissions(), small, taker, 'gift_received')
    expect(notice).toMatchObject({
      sender_id: playerId(world, giver),
      base_id: baseId(world, base),
      items: [{ item_id: 'iron_ore', name: 'Iron Ore', quantity: 20 }],
      message,
    })
    expect(storageOf(taker).gifts).toMatchObject([{ sender_id: playerId(world, giver), message }])
    markSeen(taker)
    expect(storageOf(taker).gifts).toBeUndefined()
    expect(statOf(world, giver, 'gifts_sent')).toBe(1)
    expect(statOf(world, taker, 'gifts_received')).toBe(1)
  })

  test("takes goods out of the player's locker too", () => {
    moveItems(world, namedContainer('supply'), openLocker(world, giver, base), PLATE, 7)
    const params = { recipient: name, item_id: 'steel_plate', quantity: 7, source: 'storage' }
    expect(give(params)).toMatchObject({ source: 'storage', storage_remaining: 0 })
    expect(refused(params)).toBe('insufficient_items')
  })

  test('puts credits into the wallet of the recipient, even far away', () => {
    undockShip(world, activeShip(world, taker))
    const before = creditsOf(world, taker)
    give({ recipient: name, credits: 250 })
    expect(creditsOf(world, taker)).toBe(before + 250)
    expect(statOf(world, giver, 'credits_gifted')).toBe(250)
    expect(heardBy(small.takeEmissions(), small, taker, 'gift_received')).toMatchObject([
      { credits: 250 },
    ])
  })

  test('reports all gifts of a tick in one event', () => {
    const third = trader(small)
    fund(world, third, 50)
    small.takeEmissions()
    small.tick(
      { player: giver, command: 'send_gift', params: { recipient: name, credits: 10 } },
      { player: third, command: 'send_gift', params: { recipient: name, credits: 5 } },
    )
    const notices = heardBy(small.takeEmissions(), small, taker, 'gift_received')
    expect(notices).toMatchObject([{ sender_id: '', credits: 15 }])
    expect(storageOf(taker).gifts).toHaveLength(2)
  })

  test('is limited to what the giver has earned and not yet given: trading_restricted', () => {
    world.write(Giving).granted[giver] = 0
    expect(refused({ recipient: name, credits: 1 })).toBe('trading_restricted')
    expect(refused({ recipient: name, ...ores(1) })).toBe('trading_restricted')
    const ship = park(giver)
    expect(refused({ recipient: name, ship_id: shipId(world, ship) })).toBe('trading_restricted')
    small.act(taker, 'create_faction', { name: 'Hull Hoarders', tag: 'HOAR' })
    addService(world, factionOf(world, taker), base, 'faction_garage')
    const toGarage = { recipient: 'faction:HOAR', ship_id: shipId(world, ship) }
    expect(refused(toGarage)).toBe('trading_restricted')
    const { base_value } = GOODS[ORE]
    allowGiving(world, giver, 100 + 10 * base_value)
    give({ recipient: name, credits: 100 })
    give({ recipient: name, ...ores(10) })
    expect(small.act(giver, 'send_gift', { recipient: name, credits: 1 })).toMatchObject({
      code: 'trading_restricted',
      details: { worth: 1, allowance: 0 },
      message: expect.stringContaining('Sell goods or complete missions'),
    })
  })

  test('is refused with the code of the reason', () => {
    expect(refused({ recipient: name })).toBe('gift_invalid')
    expect(refused({ recipient: name, item_id: 'iron_ore' })).toBe('gift_invalid')
    expect(refused({ recipient: name, ...ores(1), credits: 1 })).toBe('gift_invalid')
    expect(refused({ recipient: 'Nobody Here', credits: 1 })).toBe('player_not_found')
    const own = world.texts.get(world.read(Player).username[giver])
    expect(refused({ recipient: own, credits: 1 })).toBe('invalid_target')
    expect(refused({ recipient: 'faction', credits: 1 })).toBe('not_in_faction')
    expect(refused({ recipient: 'faction:NONE', credits: 1 })).toBe('faction_not_found')
    expect(refused({ recipient: name, ...ores(51) })).toBe('insufficient_items')
    expect(refused({ recipient: name, item_id: 'nothing', quantity: 1 })).toBe('unknown_item')
    expect(refused({ recipient: name, credits: creditsOf(world, giver) + 1 })).toBe('no_credits')
    expect(refused({ recipient: name, credits: 1, message: 'a\u0000b' })).toBe('invalid_payload')
    expect(refused({ recipient: name, credits: 1, message: 'x'.repeat(501) })).toBe('too_long')
    load(world, giver, QUEST_ITEM, 1)
    const bound = { item_id: GOODS[QUEST_ITEM].id, quantity: 1 }
    expect(refused({ recipient: name, ...bound })).toBe('quest_item')
    world.write(PlayerCombat).restrictedUntil[giver] = world.tick + 5
    expect(refused({ recipient: name, credits: 1 })).toBe('trading_restricted')
    world.write(PlayerCombat).restrictedUntil[giver] = 0
    const room = Number.MAX_SAFE_INTEGER - creditsOf(world, taker)
    post(world, namedAccount('missions'), walletOf(world, taker), room)
    expect(refused({ recipient: name, credits: 1 })).toBe('amount_too_large')
    post(world, walletOf(world, taker), namedAccount('missions'), room)
    world.write(Base).services[base] &= ~serviceBit('storage')
    expect(refused({ recipient: name, credits: 1 })).toBe('no_storage_service')
    world.write(Base).services[base] |= serviceBit('storage')
  })

  test('keeps a hundred notices, the first of which sums up older ones', async () => {
    for (let i = 1; i <= GIFTS_PER_BOX_MAX + 20; i++) give({ recipient: name, credits: 1 })
    const { gifts } = storageOf(taker) as { gifts: { credits: number }[] }
    expect(gifts).toHaveLength(GIFTS_PER_BOX_MAX)
    expect(gifts[0].credits).toBe(21)
    expect(gifts.reduce((sum, { credits }) => sum + credits, 0)).toBe(GIFTS_PER_BOX_MAX + 20)
    const twin = await small.reload()
    expect(done(twin, taker, 'view_storage', {}, 'ask')).toEqual(storageOf(taker))
    expect(twin.hash()).toBe(small.hash())
    markSeen(taker)
    expect(world.records(GIFTS).size).toBeLessThan(GIFTS_PER_BOX_MAX)
  })
})

describe('ships as gifts', () => {
  test('stay at their base, and their insurance policy ends', () => {
    const ship = activeShip(world, giver)
    teach(world, giver, 'piloting', 20)
    done(small, giver, 'buy_insurance', {})
    done(small, giver, 'switch_ship', { ship_id: shipId(world, park(giver)) })
    expect(policyOf(world, ship)).not.toBe(0)
    undockShip(world, activeShip(world, giver))
    const given = give({ recipient: name, ship_id: shipId(world, ship) })
    expect(given).toMatchObject({
      action: 'gift_ship',
      ship_id: shipId(world, ship),
      recipient: name,
      base_id: baseId(world, base),
    })
    expect(policyOf(world, ship)).toBe(0)
    expect(shipsOf(world, taker)).toContain(ship)
    expect(shipsOf(world, giver)).not.toContain(ship)
    expect(storageOf(taker).gifts).toMatchObject([{ ships: [{ ship_id: shipId(world, ship) }] }])
    small.ticks(1)
  })

  test('are refused: ship_not_found, active_ship, issue_item, ship_limit', () => {
    const gift = (ship: Eid) => refused({ recipient: name, ship_id: shipId(world, ship) })
    expect(gift(activeShip(world, taker))).toBe('ship_not_found')
    expect(refused({ recipient: name, ship_id: 'none' })).toBe('ship_not_found')
    expect(gift(activeShip(world, giver))).toBe('active_ship')
    const ship = park(giver)
    world.write(Ship).issue[ship] = 1
    expect(gift(ship)).toBe('issue_item')
    world.write(Ship).issue[ship] = 0
    while (shipsOf(world, taker).length <= SHIPS_BEFORE_GIFT_MAX) park(taker)
    expect(gift(ship)).toBe('ship_limit')
    const away = park(giver)
    undockShip(world, away)
    expect(gift(away)).toBe('not_stored_here')
    dockShip(world, away, base)
    small.act(giver, 'create_faction', { name: 'Ship Givers', tag: 'GIVE' })
    const toFaction = { recipient: 'faction', ship_id: shipId(world, ship) }
    expect(refused(toFaction)).toBe('no_faction_garage')
  })

  test('can be given by the storage commands', () => {
    const ship = park(giver)
    const params = { item_id: shipId(world, ship), quantity: 1, target: name }
    expect(done(small, giver, 'deposit_items', params)).toMatchObject({ action: 'gift_ship' })
    expect(shipsOf(world, taker)).toContain(ship)
  })

  test('can be given over v2 by ship_id to a player, a garage or an empire', () => {
    const DEPOSIT = 'v2:game_storage/deposit'
    small.act(giver, 'create_faction', { name: 'Ship Keepers', tag: 'KEEP' })
    addService(world, factionOf(world, giver), base, 'faction_garage')
    const [given, kept, donated] = [park(giver), park(giver), park(giver)]
    const gift = (ship: Eid, target: string) => ({ ship_id: shipId(world, ship), target })
    undockShip(world, activeShip(world, giver))
    expect(done(small, giver, DEPOSIT, gift(given, name))).toMatchObject({ action: 'gift_ship' })
    expect(done(small, giver, DEPOSIT, gift(kept, 'faction'))).toMatchObject({
      action: 'faction_garage_store',
      used: 1,
    })
    const { id } = EMPIRES[world.read(Base).empire[base] - 1]
    expect(refusal(small, giver, DEPOSIT, gift(donated, id))).toBe('wrong_empire')
    expect(refusal(small, giver, DEPOSIT, gift(donated, 'self'))).toBe('invalid_target')
    dockShip(world, activeShip(world, giver), base)
    expect(done(small, giver, DEPOSIT, gift(donated, id))).toMatchObject({
      action: 'empire_gift_ship',
    })
    expect(shipsOf(world, taker)).toContain(given)
    const both = { ...gift(park(giver), name), credits: 1 }
    expect(refusal(small, giver, DEPOSIT, both)).toBe('invalid_payload')
  })
})

describe('gifts to factions and empires', () => {
  test('add credits to the treasury of a faction', () => {
    small.act(taker, 'create_faction', { name: 'Takers', tag: 'TAKE' })
    const faction = factionOf(world, taker)
    const before = balanceOf(world, treasuryOf(world, faction))
    expect(give({ recipient: 'faction:take', credits: 70 })).toMatchObject({
      action: 'faction_gift',
      credits_sent: 70,
      faction_name: 'Takers',
    })
    expect(balanceOf(world, treasuryOf(world, faction))).toBe(before + 70)
    expect(refused({ recipient: 'faction:TAKE', ...ores(1) })).toBe('no_faction_storage')
  })

  test('may be credits, goods, packages and ships at a base of the empire', () => {
    const empire = world.read(Base).empire[base] - 1
    const { id } = EMPIRES[empire]
    const treasury = balanceOf(world, empireTreasury(world, empire))
    expect(give({ recipient: id, credits: 40 })).toMatchObject({
      action: 'empire_gift_credits',
      empire_id: id,
      credits_sent: 40,
    })
    expect(balanceOf(world, empireTreasury(world, empire))).toBe(treasury + 40)
    const stock = () => unitsIn(world, world.read(Base).stock[base], ORE)
    const before = stock()
    give({ recipient: EMPIRES[empire].name, ...ores(10) })
    expect(stock()).toBe(before + 10)
    expect(cargoUnits(world, activeShip(world, giver), ORE)).toBe(40)
    const pkg = packAt(world, { kind: 'locker', player: giver, base }, { item: ORE, units: 5 })
    give({ recipient: id, item_id: packageId(world, pkg), quantity: 1, source: 'storage' })
    expect(stock()).toBe(before + 15)
    const ship = park(giver)
    expect(give({ recipient: id, ship_id: shipId(world, ship) })).toMatchObject({
      action: 'empire_gift_ship',
    })
    expect(world.read(Ship).alive[ship]).toBe(0)
    small.ticks(1)
  })

  test('are refused at bases of other empires: wrong_empire', () => {
    const { id } = EMPIRES.filter((_, index) => index !== world.read(Base).empire[base] - 1)[0]
    expect(refused({ recipient: id, credits: 1 })).toBe('wrong_empire')
    expect(refused({ recipient: id, ...ores(1) })).toBe('wrong_empire')
    expect(refused({ recipient: id, ship_id: shipId(world, park(giver)) })).toBe('wrong_empire')
  })
})

describe('packages', () => {
  const packed = () => packAt(world, { kind: 'cargo', ship: activeShip(world, giver) })
  const line = (pkg: number) => ({ item_id: packageId(world, pkg), quantity: 1 })

  test('are stored, withdrawn, given and jettisoned whole', () => {
    const pkg = packed()
    expect(done(small, giver, 'deposit_items', line(pkg))).toMatchObject(line(pkg))
    expect(storageOf(giver).items).toContainEqual(
      expect.objectContaining({ item_id: packageId(world, pkg), quantity: 1, size: 100 }),
    )
    expect(refusal(small, giver, 'deposit_items', line(pkg))).toBe('insufficient_items')
    done(small, giver, 'withdraw_items', line(pkg))
    const twice = { ...line(pkg), quantity: 2 }
    expect(refusal(small, giver, 'deposit_items', twice)).toBe('invalid_payload')
    give({ recipient: name, ...line(pkg) })
    expect(packageOwner(world, pkg).player).toBe(taker)
    done(small, taker, 'withdraw_items', line(pkg))
    const { container_id } = done(small, taker, 'jettison', line(pkg))
    expect(container_id).not.toBe('')
    small.act(giver, 'undock')
    done(small, giver, 'loot_wreck', { wreck_id: container_id, ...line(pkg) })
    expect(packageOwner(world, pkg).player).toBe(giver)
    small.ticks(1)
  })

  test('need free room: no_cargo_space, package_storage_full', () => {
    const pkg = packAt(world, { kind: 'locker', player: giver, base })
    const cap = world.read(Ship).cargoCap[activeShip(world, giver)]
    load(world, giver, ORE, cap / GOODS[ORE].size - 70)
    expect(refusal(small, giver, 'withdraw_items', line(pkg))).toBe('no_cargo_space')
    const giftsMax = packageRoom(world, taker, base) / 2
    for (let i = 0; i < giftsMax; i++) reserveSlot(world, taker, base)
    const gift = { recipient: name, source: 'storage', ...line(pkg) }
    expect(refused(gift)).toBe('package_storage_full')
    for (let i = 0; i < giftsMax; i++) reserveSlot(world, taker, base)
    const own = packAt(world, { kind: 'cargo', ship: activeShip(world, taker) })
    expect(refusal(small, taker, 'deposit_items', line(own))).toBe('package_storage_full')
  })

  test('show their contents only to their holder and to those they are offered to', () => {
    const pkg = packAt(
      world,
      { kind: 'cargo', ship: activeShip(world, giver) },
      { label: 'Mine', units: 3, creator: taker },
    )
    const id = packageId(world, pkg)
    expect(done(small, giver, 'inspect', { id }, 'ask')).toMatchObject({
      kind: 'package',
      package: {
        package_id: id,
        label: 'Mine',
        contents: [{ item_id: 'iron_ore', quantity: 3 }],
        creator: { player_id: playerId(world, taker) },
        owner: { id: playerId(world, giver), type: 'player' },
      },
    })
    expect(refusal(small, taker, 'inspect', { id }, 'ask')).toBe('not_found')
    const offer_items = [line(pkg)]
    done(small, giver, 'trade_offer', { target_id: name, offer_items })
    expect(done(small, taker, 'inspect', { id }, 'ask')).toMatchObject({ kind: 'package' })
    expect(world.countOf(Package)).toBeGreaterThan(0)
  })

  test('that are given and traded in the same tick change hands once', () => {
    const [third, pkg] = [trader(small), packed()]
    const offered = done(small, giver, 'trade_offer', { target_id: name, offer_items: [line(pkg)] })
    const to = world.texts.get(world.read(Player).username[third])
    const outcomes = small.tick(
      { player: giver, command: 'send_gift', params: { recipient: to, ...line(pkg) } },
      { player: taker, command: 'trade_accept', params: { trade_id: offered.trade_id } },
    )
    expect([...outcomes.values()].filter(({ ok }) => ok)).toHaveLength(1)
    expect([taker, third]).toContain(packageOwner(world, pkg).player)
  })
})
