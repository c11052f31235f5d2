/** Services of faction stations: access, prices, building and upkeep. Source: crafting.md 8. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { hasService, workingServices } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { changeState } from '../../../systems/facility/lifecycle-rules.ts'
import {
  airSupply,
  citizenPool,
  facilityId,
  powerSupply,
  rentAt,
} from '../../../systems/facility/model.ts'
import { billBases } from '../../../systems/facility/rent-systems.ts'
import { Facility, OFFLINE, ONLINE } from '../../../systems/facility/state.ts'
import { maintain } from '../../../systems/facility/upkeep-systems.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { storeContainer } from '../../../systems/faction/store-model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { Station } from '../../../systems/station/state.ts'
import { shipOf } from '../../../systems/travel/location-model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { store, supply } from '../facility/scene.ts'
import { addService, does, type Port, pay, port, refuses, stock, stranger } from './scene.ts'

let small: SmallWorld
let world: World
let home: Port
beforeAll(async () => {
  small = await smallWorld()
  world = small.world
})
beforeEach(() => {
  home = port(small)
})

const treasury = () => balanceOf(world, treasuryOf(world, home.faction))
const wallet = (player: number) => balanceOf(world, walletOf(world, player))
const teachManagement = (player: number): void => {
  const skill = skillIndex('corporation_management')
  world.write(PlayerSkills).level[player * SKILLS_WIDTH + skill] = 3
}
/** Makes announced prices take effect now. */
const applyPrices = (): void => {
  const { fuelTick, repairTick } = world.write(Station)
  fuelTick[home.base] = world.tick
  repairTick[home.base] = world.tick
}
const damageShip = (player: number, points: number): number => {
  const ship = shipOf(world, player)
  const { hull, hullMax } = world.write(Ship)
  hull[ship] = hullMax[ship] - points
  return ship
}

describe('services', () => {
  test('are offered while their facilities work', () => {
    expect(workingServices(world, home.base)).toEqual([])
    expect([powerSupply(world, home.base), airSupply(world, home.base)]).toEqual([0, 0])
    const dock = addService(small, home, 'fuel_dock')
    addService(small, home, 'market_hall')
    expect(workingServices(world, home.base)).toEqual(['refuel', 'market'])
    changeState(world, dock, { status: OFFLINE })
    expect(workingServices(world, home.base)).toEqual(['market'])
    addService(small, home, 'shipyard_slip')
    expect(world.read(Base).shipyardTier[home.base]).toBe(1)
  })

  test('are built by members from materials in the storage of the faction', () => {
    teachManagement(home.leader)
    const build = (facility_type: string) =>
      ['facility', { action: 'build', facility_type }] as const
    refuses(small, home.leader, build('solar_wing'), 'no_faction_storage')
    addService(small, home, 'faction_lockbox')
    supply(small, home.leader, home.base, 'solar_wing')
    refuses(small, home.leader, build('solar_wing'), 'missing_materials')
    stock(small, home, 'steel_plate', 60)
    stock(small, home, 'solar_array', 4)
    stock(small, home, 'circuit_board', 10)
    const outcome = does(small, home.leader, 'facility', {
      action: 'build',
      facility_type: 'solar_wing',
    })
    expect(outcome).toMatchObject({ action: 'faction_build', rent_per_cycle: 0 })
  })

  test('are refused to outsiders once the owner restricts them to allies', () => {
    for (const type of ['fuel_dock', 'repair_dock', 'market_hall', 'locker_hall']) {
      addService(small, home, type)
    }
    for (const type of ['shipyard_slip', 'mission_office', 'public_workshop']) {
      addService(small, home, type)
    }
    const outsider = stranger(small, home)
    const order = { item_id: 'iron_ore', quantity: 1, price_each: 1 }
    const { order_id } = does(small, outsider, 'create_buy_order', order)
    for (const service of ['market', 'refuel', 'repair', 'shipyard', 'crafting', 'missions']) {
      does(small, home.leader, 'station', {
        action: 'set_service_access',
        service,
        access: 'allies',
      })
    }
    damageShip(outsider, 5)
    world.write(Ship).fuel[shipOf(world, outsider)] = 10
    world.write(Base).fuel[home.base] = 500
    const calls: readonly (readonly [string, object])[] = [
      ['buy', { item_id: 'iron_ore', quantity: 1 }],
      ['sell', { item_id: 'fuel', quantity: 1 }],
      ['create_buy_order', { item_id: 'iron_ore', quantity: 1, price_each: 1 }],
      ['refuel', {}],
      ['repair', {}],
      ['accept_mission', { mission_id: 'none' }],
      ['place_ship_buy_order', { class_id: 'footnote', price: 10 }],
      ['craft', { recipe_id: 'smelt_iron', quantity: 1, preset: 'workshop' }],
    ]
    for (const [command, params] of calls) {
      // An order is a request that the market refuses later in the tick.
      if (command === 'create_buy_order') {
        expect(small.act(outsider, command, params)).toMatchObject({ code: 'service_restricted' })
      } else refuses(small, outsider, [command, params], 'service_restricted')
    }
    // A new price would trade at once; to cancel stays possible.
    const dearer = small.act(outsider, 'modify_order', { order_id, new_price: 2 })
    expect(dearer).toMatchObject({ code: 'service_restricted' })
    does(small, outsider, 'cancel_order', { order_id })
    expect(small.ask(outsider, 'get_missions')).toMatchObject({ code: 'service_restricted' })
    expect(small.ask(home.leader, 'get_missions')).toMatchObject({ ok: true })
  })
})

describe('prices and fees', () => {
  test('a refuelling pays the price that the owner set into the treasury', () => {
    addService(small, home, 'fuel_dock')
    const outsider = stranger(small, home)
    const ship = shipOf(world, outsider)
    world.write(Ship).fuel[ship] = 10
    world.write(Base).fuel[home.base] = 30
    does(small, home.leader, 'station', { action: 'set_refuel_price', price: 12 })
    applyPrices()
    const [before, paid] = [treasury(), wallet(outsider)]
    const outcome = does(small, outsider, 'refuel')
    expect(outcome).toMatchObject({ source: 'station', fuel: 30, cost: 360 })
    expect(treasury()).toBe(before + 360)
    expect(wallet(outsider)).toBe(paid - 360)
    // The tank of the station is empty, so a fuel cell from the cargo is used.
    expect(does(small, outsider, 'refuel')).toMatchObject({ source: 'cargo', cost: 0 })
  })

  test('a station buys fuel only if its owner allows it and the treasury can pay', () => {
    addService(small, home, 'fuel_dock')
    const outsider = stranger(small, home)
    const ship = shipOf(world, outsider)
    const sell = ['sell', { item_id: 'fuel', quantity: 20 }] as const
    world.write(Ship).fuel[ship] = 40
    world.write(Ship).issueFuel[ship] = 0
    refuses(small, outsider, sell, 'no_buyers')
    does(small, home.leader, 'station', { action: 'set_auto_buy_fuel', auto_buy_fuel: true })
    does(small, home.leader, 'station', { action: 'set_refuel_price', price: 4 })
    const before = treasury()
    const outcome = does(small, outsider, 'sell', sell[1])
    expect(outcome).toMatchObject({ quantity_sold: 20, total_earned: 60 })
    expect(treasury()).toBe(before - 60)
    expect(world.read(Base).fuel[home.base]).toBe(20)
    does(small, home.leader, 'station', { action: 'set_refuel_price', price: 1 })
    refuses(small, outsider, sell, 'no_buyers')
    does(small, home.leader, 'station', { action: 'set_refuel_price', price: 20 })
    post(world, treasuryOf(world, home.faction), namedAccount('fee_sink'), treasury())
    applyPrices()
    refuses(small, outsider, sell, 'no_buyers')
  })

  test('only outsiders pay for repairs', () => {
    addService(small, home, 'repair_dock')
    const outsider = stranger(small, home)
    damageShip(outsider, 6)
    const before = treasury()
    expect(does(small, outsider, 'repair')).toMatchObject({ cost: 30, repaired: 6 })
    expect(treasury()).toBe(before + 30)
    damageShip(home.leader, 4)
    expect(does(small, home.leader, 'repair')).toMatchObject({ cost: 0, repaired: 4 })
  })

  test('only outsiders pay listing fees, at the rate that the owner set', () => {
    addService(small, home, 'market_hall')
    addService(small, home, 'locker_hall')
    const outsider = stranger(small, home)
    store(small, outsider, home.base, { iron_ore: 100 })
    store(small, home.leader, home.base, { iron_ore: 100 })
    const order = { item_id: 'iron_ore', quantity: 100, price_each: 50 }
    does(small, home.leader, 'station', { action: 'set_market_fee', fee_percent: 10 })
    const before = treasury()
    expect(does(small, outsider, 'create_sell_order', order)).toMatchObject({ listing_fee: 500 })
    small.ticks(1)
    expect(treasury()).toBe(before + 500)
    const own = { ...order, price_each: 60 }
    expect(does(small, home.leader, 'create_sell_order', own)).toMatchObject({ listing_fee: 0 })
    does(small, home.leader, 'station', { action: 'set_market_fee', fee_percent: 0 })
    store(small, outsider, home.base, { gold_ore: 10 })
    const usual = { item_id: 'gold_ore', quantity: 10, price_each: 100 }
    expect(does(small, outsider, 'create_sell_order', usual)).toMatchObject({ listing_fee: 10 })
  })
})

describe('building', () => {
  test('is open to outsiders if the owner allows it, but not for facilities of the faction', () => {
    addService(small, home, 'public_workshop')
    addService(small, home, 'biosphere')
    const outsider = stranger(small, home)
    teachManagement(outsider)
    pay(small, walletOf(world, outsider), 5_000_000)
    const request = { action: 'personal_build', facility_type: 'crew_quarters' }
    supply(small, outsider, home.base, 'crew_quarters')
    refuses(small, outsider, ['facility', request], {
      code: 'build_not_allowed',
      message: expect.stringContaining('only its own members'),
    })
    does(small, home.leader, 'station', { action: 'set_build_policy', allow_outsiders: true })
    const dock = ['facility', { action: 'faction_build', facility_type: 'fuel_dock' }] as const
    refuses(small, outsider, dock, 'not_in_faction')
    expect(does(small, outsider, 'facility', request)).toMatchObject({ rent_per_cycle: 0 })
  })
})

describe('upkeep', () => {
  test('takes labor and goods each cycle, and stops facilities that lack them', () => {
    addService(small, home, 'faction_lockbox')
    const air = addService(small, home, 'air_plant')
    const dock = addService(small, home, 'fuel_dock')
    const { status } = world.read(Facility)
    maintain(world, home.base)
    expect(status[air]).toBe(OFFLINE)
    expect(status[dock]).toBe(ONLINE)
    expect(world.outbox.emissions.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ event: 'base_short', base_id: home.id }),
    )
    stock(small, home, 'purified_water', 3)
    const [before, pool] = [treasury(), balanceOf(world, citizenPool(world, home.base))]
    maintain(world, home.base)
    expect(status[air]).toBe(ONLINE)
    expect(treasury()).toBe(before - 18)
    expect(balanceOf(world, citizenPool(world, home.base))).toBe(pool + 18)
    const place = { faction: home.faction, base: home.base, bucket: 0 }
    expect(unitsIn(world, storeContainer(world, place), itemIndex('purified_water'))).toBe(1)
    post(world, treasuryOf(world, home.faction), namedAccount('fee_sink'), treasury())
    maintain(world, home.base)
    expect(status[dock]).toBe(OFFLINE)
    expect(hasService(world, home.base, 'refuel')).toBe(false)
    expect(rentAt(world, dock)).toBe(0)
    const upgrade = { action: 'faction_upgrade', facility_type: 'fuel_dock_ii' }
    const facility_id = facilityId(world, dock)
    const outcome = small.act(home.leader, 'facility', { ...upgrade, facility_id })
    expect(outcome).toMatchObject({ ok: false })
  })

  test('is taken in the cycle of the base, and no rent is charged', () => {
    addService(small, home, 'faction_lockbox')
    const air = addService(small, home, 'air_plant')
    const before = treasury()
    const now = world.tick
    // Of each hundred ticks one bills this base.
    world.tick = now + ((100 - ((now + home.base) % 100)) % 100)
    billBases(world)
    world.tick = now
    expect(world.read(Facility).status[air]).toBe(OFFLINE)
    expect(treasury()).toBe(before)
    expect(world.read(Facility).arrears[air]).toBe(0)
    expect(world.read(Station).faction[home.base]).toBe(home.faction)
  })
})
