/** What stations of factions serve, to whom, for what, and what keeps them going. crafting.md 8. */
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
import { does, type Port, pay, port, refuses, stock, stranger, works } from './scene.ts'

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
const teach = (player: number): void => {
  const skill = skillIndex('corporation_management')
  world.write(PlayerSkills).level[player * SKILLS_WIDTH + skill] = 3
}
/** Makes announced prices take effect now. */
const holds = (): void => {
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
  test('are those whose facilities work; the station has no power and air of its own', () => {
    expect(workingServices(world, home.base)).toEqual([])
    expect([powerSupply(world, home.base), airSupply(world, home.base)]).toEqual([0, 0])
    const dock = works(small, home, 'fuel_dock')
    works(small, home, 'market_hall')
    expect(workingServices(world, home.base)).toEqual(['refuel', 'market'])
    changeState(world, dock, { status: OFFLINE })
    expect(workingServices(world, home.base)).toEqual(['market'])
    works(small, home, 'shipyard_slip')
    expect(world.read(Base).shipyardTier[home.base]).toBe(1)
  })

  test('are built by members from the treasury, storage first', () => {
    teach(home.leader)
    const build = (facility_type: string) =>
      ['facility', { action: 'build', facility_type }] as const
    refuses(small, home.leader, build('solar_wing'), 'no_faction_storage')
    works(small, home, 'faction_lockbox')
    supply(small, home.leader, home.base, 'solar_wing')
    refuses(small, home.leader, build('solar_wing'), 'missing_materials')
    stock(small, home, 'steel_plate', 60)
    stock(small, home, 'solar_array', 4)
    stock(small, home, 'circuit_board', 10)
    const said = does(small, home.leader, 'facility', {
      action: 'build',
      facility_type: 'solar_wing',
    })
    expect(said).toMatchObject({ action: 'faction_build', rent_per_cycle: 0 })
  })

  test('are for everybody, allies or members, as the owner says', () => {
    for (const type of ['fuel_dock', 'repair_dock', 'market_hall', 'locker_hall']) {
      works(small, home, type)
    }
    for (const type of ['shipyard_slip', 'mission_office', 'public_workshop']) {
      works(small, home, type)
    }
    const other = stranger(small, home)
    for (const service of ['market', 'refuel', 'repair', 'shipyard', 'crafting', 'missions']) {
      does(small, home.leader, 'station', {
        action: 'set_service_access',
        service,
        access: 'allies',
      })
    }
    damageShip(other, 5)
    world.write(Ship).fuel[shipOf(world, other)] = 10
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
      if (command === 'create_buy_order') {
        expect(small.act(other, command, params)).toMatchObject({ code: 'service_restricted' })
      } else refuses(small, other, [command, params], 'service_restricted')
    }
    expect(small.ask(other, 'get_missions')).toMatchObject({ code: 'service_restricted' })
    expect(small.ask(home.leader, 'get_missions')).toMatchObject({ ok: true })
  })
})

describe('money', () => {
  test('of refuelling goes to the treasury, at the price of the owner', () => {
    works(small, home, 'fuel_dock')
    const other = stranger(small, home)
    const ship = shipOf(world, other)
    world.write(Ship).fuel[ship] = 10
    world.write(Base).fuel[home.base] = 30
    does(small, home.leader, 'station', { action: 'set_refuel_price', price: 12 })
    holds()
    const [before, paid] = [treasury(), wallet(other)]
    const said = does(small, other, 'refuel')
    expect(said).toMatchObject({ source: 'station', fuel: 30, cost: 360 })
    expect(treasury()).toBe(before + 360)
    expect(wallet(other)).toBe(paid - 360)
    // The tank is empty: a cell is burnt.
    expect(does(small, other, 'refuel')).toMatchObject({ source: 'cargo', cost: 0 })
  })

  test('buys fuel only if the owner allows it, below its own price, while there is some', () => {
    works(small, home, 'fuel_dock')
    const other = stranger(small, home)
    const ship = shipOf(world, other)
    const sell = ['sell', { item_id: 'fuel', quantity: 20 }] as const
    world.write(Ship).fuel[ship] = 40
    world.write(Ship).issueFuel[ship] = 0
    refuses(small, other, sell, 'no_buyers')
    does(small, home.leader, 'station', { action: 'set_auto_buy_fuel', auto_buy_fuel: true })
    does(small, home.leader, 'station', { action: 'set_refuel_price', price: 4 })
    const before = treasury()
    const said = does(small, other, 'sell', sell[1])
    expect(said).toMatchObject({ quantity_sold: 20, total_earned: 60 })
    expect(treasury()).toBe(before - 60)
    expect(world.read(Base).fuel[home.base]).toBe(20)
    does(small, home.leader, 'station', { action: 'set_refuel_price', price: 1 })
    refuses(small, other, sell, 'no_buyers')
    does(small, home.leader, 'station', { action: 'set_refuel_price', price: 20 })
    post(world, treasuryOf(world, home.faction), namedAccount('fee_sink'), treasury())
    holds()
    refuses(small, other, sell, 'no_buyers')
  })

  test('of repair comes from outsiders', () => {
    works(small, home, 'repair_dock')
    const other = stranger(small, home)
    damageShip(other, 6)
    const before = treasury()
    expect(does(small, other, 'repair')).toMatchObject({ cost: 30, repaired: 6 })
    expect(treasury()).toBe(before + 30)
    damageShip(home.leader, 4)
    expect(does(small, home.leader, 'repair')).toMatchObject({ cost: 0, repaired: 4 })
  })

  test('of listing fees comes from outsiders, at the rate of the owner', () => {
    works(small, home, 'market_hall')
    works(small, home, 'locker_hall')
    const other = stranger(small, home)
    store(small, other, home.base, { iron_ore: 100 })
    store(small, home.leader, home.base, { iron_ore: 100 })
    const order = { item_id: 'iron_ore', quantity: 100, price_each: 50 }
    does(small, home.leader, 'station', { action: 'set_market_fee', fee_percent: 10 })
    const before = treasury()
    expect(does(small, other, 'create_sell_order', order)).toMatchObject({ listing_fee: 500 })
    small.ticks(1)
    expect(treasury()).toBe(before + 500)
    const own = { ...order, price_each: 60 }
    expect(does(small, home.leader, 'create_sell_order', own)).toMatchObject({ listing_fee: 0 })
    does(small, home.leader, 'station', { action: 'set_market_fee', fee_percent: 0 })
    store(small, other, home.base, { gold_ore: 10 })
    const usual = { item_id: 'gold_ore', quantity: 10, price_each: 100 }
    expect(does(small, other, 'create_sell_order', usual)).toMatchObject({ listing_fee: 10 })
  })
})

describe('building', () => {
  test('is for members, and for others as far as the owner lets them', () => {
    works(small, home, 'public_workshop')
    works(small, home, 'biosphere')
    const other = stranger(small, home)
    teach(other)
    pay(small, walletOf(world, other), 5_000_000)
    const quarters = ['facility', { action: 'personal_build', facility_type: 'crew_quarters' }]
    const call = quarters as unknown as readonly [string, object]
    supply(small, other, home.base, 'crew_quarters')
    refuses(small, other, call, 'build_not_allowed')
    does(small, home.leader, 'station', { action: 'set_build_policy', allow_outsiders: true })
    const dock = ['facility', { action: 'faction_build', facility_type: 'fuel_dock' }] as const
    refuses(small, other, dock, 'not_in_faction')
    const said = does(small, other, 'facility', {
      action: 'personal_build',
      facility_type: 'crew_quarters',
    })
    expect(said).toMatchObject({ rent_per_cycle: 0 })
  })
})

describe('upkeep', () => {
  test('takes labor and goods a cycle; what is not kept stops, and starts again', () => {
    works(small, home, 'faction_lockbox')
    const air = works(small, home, 'air_plant')
    const dock = works(small, home, 'fuel_dock')
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

  test('comes in its turn, and asks no rent', () => {
    works(small, home, 'faction_lockbox')
    const air = works(small, home, 'air_plant')
    const before = treasury()
    const now = world.tick
    world.tick = now + ((100 - ((now + home.base) % 100)) % 100)
    billBases(world)
    world.tick = now
    expect(world.read(Facility).status[air]).toBe(OFFLINE)
    expect(treasury()).toBe(before)
    expect(world.read(Facility).arrears[air]).toBe(0)
    expect(world.read(Station).faction[home.base]).toBe(home.faction)
  })
})
