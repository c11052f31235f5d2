/** Founding stations and outposts, and dismantling outposts. Source: crafting.md section 8. */
import { beforeAll, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { tablesReferringTo } from '../../../core/invariants.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { World } from '../../../core/types.ts'
import { usernameOf, walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseById } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { openLocker } from '../../../systems/cargo/model.ts'
import { facilitiesAt, facilityId, facilityTypeAt } from '../../../systems/facility/model.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { Membership } from '../../../systems/faction/state.ts'
import { bunkerFuel } from '../../../systems/faction/store-model.ts'
import { changeBunker } from '../../../systems/faction/store-rules.ts'
import { putAshore } from '../../../systems/fleet/rules.ts'
import { recordFact } from '../../../systems/intel/rules.ts'
import { NO_PEOPLE, reserveKey } from '../../../systems/personnel/model.ts'
import { RESERVES } from '../../../systems/personnel/state.ts'
import { cargoUnits, unloadCargo } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { basesOf, isOutpost } from '../../../systems/station/model.ts'
import { dockedBase, shipOf } from '../../../systems/travel/location-model.ts'
import { madePlaces, poisOf } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { POI_TYPES, Poi, StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import {
  crew,
  does,
  load,
  member,
  outpost,
  pay,
  pilotAt,
  port,
  refuses,
  stock,
  stranger,
  wildPlace,
} from './scene.ts'

let small: SmallWorld
let world: World
beforeAll(async () => {
  small = await smallWorld()
  world = small.world
})

const CORE = itemIndex('station_core')
const KIT = itemIndex('outpost_kit')

describe('founding a station', () => {
  test('takes a core and a fee, and docks the founder at a new place', () => {
    const { leader, faction, poi, system } = crew(small)
    const before = balanceOf(world, treasuryOf(world, faction))
    const places = poisOf(world, system).length
    const outcome = does(small, leader, 'build_base', { name: 'Lantern Rest', public_access: true })
    expect(outcome).toMatchObject({
      name: 'Lantern Rest',
      fee_paid: 5_000_000,
      public_access: true,
    })
    const base = baseById(world, String(outcome.base_id))
    expect(dockedBase(world, leader)).toBe(base)
    expect(world.read(Base).poi[base]).not.toBe(poi)
    expect(poisOf(world, system)).toHaveLength(places + 1)
    expect(balanceOf(world, treasuryOf(world, faction))).toBe(before - 5_000_000)
    expect(cargoUnits(world, shipOf(world, leader), CORE)).toBe(0)
    expect(basesOf(world, faction)).toEqual([base])
    expect(small.ask(leader, 'faction_info')).toMatchObject({ result: { owned_bases: 1 } })
    const news = small.takeEmissions().filter(({ type }) => type === 'faction_event')
    expect(news.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ event: 'base_founded', base_id: outcome.base_id }),
    )
  })

  test('shows the new station in get_system and get_base', () => {
    const { leader, id } = port(small)
    expect(small.ask(leader, 'get_system')).toMatchObject({
      result: {
        system: { pois: expect.arrayContaining([expect.objectContaining({ base_id: id })]) },
      },
    })
    expect(small.ask(leader, 'get_base')).toMatchObject({
      result: { base: { id, public_access: true, type: 'faction' }, services: [] },
    })
  })

  test('takes the fee from the treasury first and the rest from the wallet', () => {
    const { leader, faction } = crew(small)
    const treasury = treasuryOf(world, faction)
    const wallet = walletOf(world, leader)
    const left = 4_500_000
    post(world, treasury, namedAccount('fee_sink'), balanceOf(world, treasury) - left)
    const before = balanceOf(world, wallet)
    does(small, leader, 'build_base', { name: 'Two Purses' })
    expect(balanceOf(world, treasury)).toBe(0)
    expect(balanceOf(world, wallet)).toBe(before - (5_000_000 - left))
  })

  test('is refused without a faction, without the permission or with a bad name', () => {
    const poi = wildPlace(small)
    const outsider = pilotAt(small, poi)
    refuses(small, outsider, ['build_base', { name: 'Nobody Here' }], 'not_in_faction')
    const { leader } = crew(small)
    const named = port(small)
    const takenName = world.texts.get(world.read(Base).name[named.base])
    world.write(Membership).role[leader] = 1
    refuses(small, leader, ['build_base', { name: 'No Rank' }], 'no_permission')
    world.write(Membership).role[leader] = 4
    for (const bad of ['ab', 'x'.repeat(61), 'two  spaces', '  ', 'tab\tbed']) {
      refuses(small, leader, ['build_base', { name: bad }], 'invalid_name')
    }
    for (const taken of [takenName, takenName.toUpperCase(), usernameOf(world, leader)]) {
      refuses(small, leader, ['build_base', { name: taken }], 'name_taken')
    }
    for (const name of ['constructor', '__proto__']) {
      const def = small.registry.commands.get('build_base')
      expect(def?.kind).toBe('mutation')
      expect(() => small.act(outsider, 'build_base', { name })).not.toThrow()
    }
  })

  test('is refused at places where no station may stand, and without a core', () => {
    const { leader, poi, system } = crew(small)
    const ship = shipOf(world, leader)
    const sun = poisOf(world, system).find(
      (row) => world.read(Poi).type[row] === POI_TYPES.indexOf('sun'),
    )
    expect(sun).toBeDefined()
    placeInSpace(world, ship, sun ?? 0)
    refuses(small, leader, ['build_base', { name: 'Warm Place' }], 'invalid_poi')
    const lawful = world.read(StarSystem).entryPoi[1]
    placeInSpace(world, ship, lawful)
    refuses(small, leader, ['build_base', { name: 'Too Civil' }], 'not_lawless')
    const occupied = port(small)
    placeInSpace(world, ship, occupied.poi)
    refuses(small, leader, ['build_base', { name: 'Second One' }], 'system_occupied')
    placeInSpace(world, ship, world.read(Base).poi[occupied.base])
    refuses(small, leader, ['build_base', { name: 'On Top' }], 'base_exists')
    placeInSpace(world, ship, poi)
    unloadCargo(world, ship, namedContainer('supply'), CORE, 1)
    refuses(small, leader, ['build_base', { name: 'Coreless' }], 'missing_core')
  })

  test('is refused without credits, and beyond five stations a faction', () => {
    const { leader, faction } = crew(small)
    const treasury = treasuryOf(world, faction)
    const kept = balanceOf(world, treasury)
    post(world, treasury, namedAccount('fee_sink'), kept)
    refuses(small, leader, ['build_base', { name: 'Poor Rest' }], 'no_credits')
    pay(small, treasury, 50_000_000)
    for (let i = 1; i <= 5; i++) {
      placeInSpace(world, shipOf(world, leader), wildPlace(small))
      does(small, leader, 'build_base', { name: `Chain ${i}` })
      load(small, leader, 'station_core', 1)
    }
    placeInSpace(world, shipOf(world, leader), wildPlace(small))
    refuses(small, leader, ['build_base', { name: 'Chain 6' }], 'limit_reached')
  })

  test('shows its costs, and whether this place allows it, in get_base_cost', () => {
    const { leader, poi } = crew(small)
    expect(small.ask(leader, 'get_base_cost')).toMatchObject({
      ok: true,
      result: {
        founding_fee: 5_000_000,
        station_core_item: 'station_core',
        max_per_faction: 5,
        eligible_here: true,
      },
    })
    const outsider = pilotAt(small, poi)
    expect(small.ask(outsider, 'get_base_cost')).toMatchObject({
      result: { eligible_here: false, reason: expect.stringContaining('not_in_faction') },
    })
  })

  test('makes a world that is reloaded with the same hash', async () => {
    port(small)
    const reloaded = await small.reload()
    expect(reloaded.hash()).toBe(small.hash())
    reloaded.ticks(1)
    small.ticks(1)
    expect(reloaded.hash()).toBe(small.hash())
  })

  test('keeps the last member from leaving the faction', () => {
    const { leader } = port(small)
    refuses(small, leader, ['leave_faction', {}], 'faction_owns_bases')
  })
})

describe('an outpost', () => {
  test('has a store and a bunker, and only members may dock', () => {
    const depot = outpost(small)
    expect(isOutpost(world, depot.base)).toBe(true)
    const services = facilitiesAt(world, depot.base).map(
      (row) => facilityTypeAt(world, row).faction_service_type,
    )
    expect(services).toEqual(['faction_storage', 'faction_fuel_bunker'])
    const mate = member(small, depot)
    does(small, mate, 'dock')
    expect(dockedBase(world, mate)).toBe(depot.base)
    const other = stranger(small, depot, false)
    refuses(small, other, ['dock', {}], { code: 'access_denied' })
  })

  test('is limited to eight a faction and ten places a system', () => {
    const home = port(small)
    const ship = shipOf(world, home.leader)
    for (let i = 1; i <= 8; i++) {
      placeInSpace(world, ship, home.poi)
      load(small, home.leader, 'outpost_kit', 1)
      does(small, home.leader, 'build_outpost', { name: `Chain of ${home.id.slice(0, 6)} ${i}` })
    }
    placeInSpace(world, ship, home.poi)
    refuses(small, home.leader, ['build_outpost', { name: 'A Ninth' }], 'limit_reached')
    expect(madePlaces(world, home.system)).toHaveLength(9)
    const next = crew(small, home.poi)
    does(small, next.leader, 'build_outpost', { name: 'The Tenth Place' })
    const last = crew(small, home.poi)
    refuses(small, last.leader, ['build_outpost', { name: 'No Room' }], 'limit_reached')
    // A place that became free is built on again.
    does(small, next.leader, 'dismantle_outpost')
    placeInSpace(world, shipOf(world, last.leader), madePlaces(world, home.system)[9])
    does(small, last.leader, 'build_outpost', { name: 'Room Again' })
    expect(madePlaces(world, home.system)).toHaveLength(10)
  })

  test('refuels ships from its bunker', () => {
    const depot = outpost(small)
    changeBunker(world, depot.faction, depot.base, 50)
    world.write(Ship).fuel[shipOf(world, depot.leader)] -= 60
    const outcome = does(small, depot.leader, 'refuel')
    expect(outcome).toMatchObject({ source: 'faction_bunker', fuel: 50, cost: 0 })
    refuses(small, depot.leader, ['refuel', {}], 'no_fuel_cells')
  })

  test('is dismantled when it is empty: the kit comes aboard and all ships undock', async () => {
    const depot = outpost(small)
    const poi = world.read(Base).poi[depot.base]
    const mate = member(small, depot)
    dockShip(world, shipOf(world, mate), depot.base)
    const outcome = does(small, depot.leader, 'dismantle_outpost')
    expect(outcome).toMatchObject({ kit_item: 'outpost_kit', kit_refunded: true, fee_refunded: 0 })
    expect(baseById(world, depot.id)).toBe(0)
    expect(world.read(Poi).base[poi]).toBe(0)
    expect(dockedBase(world, mate)).toBe(0)
    expect(cargoUnits(world, shipOf(world, depot.leader), KIT)).toBe(1)
    expect(basesOf(world, depot.faction)).toEqual([])
    const reloaded = await small.reload()
    expect(reloaded.hash()).toBe(small.hash())
    reloaded.ticks(2)
    small.ticks(2)
    expect(reloaded.hash()).toBe(small.hash())
  })

  test('is not dismantled by strangers, with goods inside or without room for the kit', () => {
    const depot = outpost(small)
    const { leader, faction, base } = depot
    const dismantle = ['dismantle_outpost', {}] as const
    const recruit = member(small, depot)
    dockShip(world, shipOf(world, recruit), base)
    refuses(small, recruit, dismantle, 'no_permission')
    const other = stranger(small, depot)
    refuses(small, other, dismantle, 'not_your_base')
    changeBunker(world, faction, base, 5)
    refuses(small, leader, dismantle, 'storage_not_empty')
    changeBunker(world, faction, base, -5)
    expect(bunkerFuel(world, faction, base)).toBe(0)
    stock(small, depot, 'iron_ore', 3)
    refuses(small, leader, dismantle, 'storage_not_empty')
    const home = port(small)
    refuses(small, home.leader, dismantle, 'not_an_outpost')
    const clear = outpost(small)
    openLocker(world, other, clear.base)
    refuses(small, clear.leader, dismantle, 'storage_not_empty')
    const narrow = outpost(small)
    load(small, narrow.leader, 'iron_ore')
    refuses(small, narrow.leader, dismantle, 'no_cargo_space')
  })

  test('is not dismantled while people are there or on their way', () => {
    const dismantle = ['dismantle_outpost', {}] as const
    const depot = outpost(small)
    const key = reserveKey(world, depot.faction, depot.base)
    world.records(RESERVES).set(key, { ...NO_PEOPLE, fitCrew: 2 })
    refuses(small, depot.leader, dismantle, 'storage_not_empty')
    world.records(RESERVES).delete(key)
    const mate = member(small, depot)
    removeFromMap(world, shipOf(world, mate))
    world.write(Player).ship[mate] = 0
    putAshore(world, mate, depot.base)
    refuses(small, depot.leader, dismantle, 'storage_not_empty')
    expect(tablesReferringTo(world, Base, depot.base)).toContain('ride')
  })

  test('is forgotten with what is known of it', () => {
    const depot = outpost(small)
    const fact = { kind: 'construction' as const, what: 'a bunker', credits: 50_000 }
    recordFact(world, { ...fact, base: depot.base, player: depot.leader })
    does(small, depot.leader, 'dismantle_outpost')
    expect(baseById(world, depot.id)).toBe(0)
  })

  test('burns what was sent to the outpost itself when it is dismantled', () => {
    const depot = outpost(small)
    const { stock: stocks } = world.read(Base)
    moveItems(world, namedContainer('supply'), stocks[depot.base], KIT, 1)
    does(small, depot.leader, 'dismantle_outpost')
    expect(baseById(world, depot.id)).toBe(0)
  })

  test('keeps its built-in facilities, and allows no other but a garage', () => {
    const depot = outpost(small)
    const [lockbox] = facilitiesAt(world, depot.base)
    const id = facilityId(world, lockbox)
    refuses(
      small,
      depot.leader,
      ['facility', { action: 'faction_dismantle', facility_id: id }],
      'outpost_builtin',
    )
    const build = (facility_type: string) =>
      ['facility', { action: 'faction_build', facility_type }] as const
    refuses(small, depot.leader, build('solar_wing'), 'build_not_allowed')
    refuses(small, depot.leader, build('faction_commons'), 'build_not_allowed')
    // A garage is allowed: only the skill to build it is missing.
    refuses(small, depot.leader, build('faction_ship_garage'), 'skill_too_low')
  })
})
