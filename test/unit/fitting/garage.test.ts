/** Garages of factions: storing and claiming ships. Source: factions.md 7, ships.md 8. */
import { beforeEach, describe, expect, test } from 'vitest'
import { facilityTypeIndex, shipClassIndex } from '../../../core/catalog/index.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { baseId } from '../../../systems/base/model.ts'
import { addFacility, changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { OF_FACTION, ONLINE, REPOSSESSED } from '../../../systems/facility/state.ts'
import {
  garageCapacity,
  garagedShips,
  garageOf,
  garageRefusal,
} from '../../../systems/fitting/model.ts'
import { storeInGarage } from '../../../systems/fitting/rules.ts'
import { shipsOf } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Guild, guild } from '../faction/scene.ts'
import {
  aboard,
  baseWith,
  type Docks,
  docksOf,
  give,
  hull,
  idOf,
  parked,
  ships,
  stored,
} from './scene.ts'

onSmallMap()

let scene: Guild
let docks: Docks
let world: World
let base: Row
let garage: Row
let ship: Eid
beforeEach(async () => {
  scene = await guild()
  world = scene.small.world
  docks = docksOf(scene.small)
  base = dockedBase(world, scene.leader)
  garage = addFacility(world, {
    type: facilityTypeIndex('faction_ship_garage'),
    base,
    owner: { kind: OF_FACTION, player: 0, faction: scene.faction },
    status: ONLINE,
  })
  ship = parked(world, scene.leader, 'messenger', ['cargo_expander_i'])
  give(world, ship, 'iron_ore', 3)
  storeInGarage(world, ship, scene.faction)
})

const shipParam = (target: Eid) => ({ ship_id: idOf(world, target) })

describe('a ship in the garage', () => {
  test('has no owner, and is shown to every member', () => {
    const { small, recruit, leader, stranger } = scene
    expect([ships(world).owner[ship], aboard(world, ship, 'iron_ore')]).toEqual([0, 0])
    const entry = {
      ship_id: idOf(world, ship),
      class_id: 'messenger',
      class_name: 'Messenger',
      depositor_id: playerId(world, leader),
      depositor_name: 'Leader',
      deposited_tick: world.tick,
    }
    expect(small.ask(recruit, 'list_ships')).toMatchObject({
      result: { faction_garage: [entry], faction_garage_capacity: 20, faction_garage_used: 1 },
    })
    expect(small.ask(recruit, 'faction_garages')).toMatchObject({
      result: {
        station_count: 1,
        total_ships: 1,
        stations: [{ base_id: baseId(world, base), capacity: 20, used: 1, ships: [entry] }],
      },
    })
    expect(small.ask(recruit, 'get_ship', shipParam(ship))).toMatchObject({
      result: { ship: { class_id: 'messenger', in_faction_garage: baseId(world, base) } },
    })
    expect(small.ask(stranger, 'get_ship', shipParam(ship))).toMatchObject({
      code: 'ship_not_found',
    })
    expect(small.ask(stranger, 'faction_garages')).toMatchObject({ code: 'not_in_faction' })
    docks.refuses(leader, 'scrap_ship', shipParam(ship), 'ship_not_found')
  })

  test('is claimed by switch_ship, and belongs to the member from then on', () => {
    const { recruit, faction } = scene
    const before = hull(world, recruit)
    expect(docks.act(recruit, 'switch_ship', shipParam(ship))).toMatchObject({
      ok: true,
      result: {
        active_ship_id: idOf(world, ship),
        stored_ship_id: idOf(world, before),
        claimed_from_faction_garage: true,
      },
    })
    expect(shipsOf(world, recruit)).toContain(ship)
    expect([garageOf(world, ship), garagedShips(world, faction)]).toEqual([0, []])
  })

  test('can be claimed in a reloaded world', async () => {
    const { small, recruit } = scene
    const reloaded = await small.reload()
    for (const copy of [small, reloaded]) copy.act(recruit, 'switch_ship', shipParam(ship))
    expect(reloaded.hash()).toBe(small.hash())
    expect(hull(reloaded.world, recruit)).toBe(ship)
  })

  test('goes to the last member of the faction, or is scrapped beyond the ship limit', () => {
    const { leader, recruit } = scene
    const second = parked(world, leader, 'clause')
    storeInGarage(world, second, scene.faction)
    while (shipsOf(world, leader).length < 99) parked(world, leader, 'clause')
    expect(docks.act(recruit, 'leave_faction')).toMatchObject({ ok: true })
    expect(docks.act(leader, 'leave_faction')).toMatchObject({ ok: true })
    expect(shipsOf(world, leader)).toContain(ship)
    expect(shipsOf(world, leader).length).toBe(100)
    expect(ships(world).alive[second]).toBe(0)
  })
})

describe('switch_ship refuses a ship in the garage', () => {
  test('to strangers: ship_not_found; at another base: not_stored_here', () => {
    const { stranger, recruit } = scene
    docks.refuses(stranger, 'switch_ship', shipParam(ship), 'ship_not_found')
    dockShip(world, hull(world, recruit), baseWith(world, 'shipyard', true, base))
    docks.refuses(recruit, 'switch_ship', shipParam(ship), 'not_stored_here')
  })

  test('while the garage is repossessed: no_faction_garage', () => {
    changeState(world, garage, { status: REPOSSESSED })
    expect(garageCapacity(world, scene.faction, base)).toBe(0)
    docks.refuses(scene.recruit, 'switch_ship', shipParam(ship), 'no_faction_garage')
  })

  test('to a member with a hundred ships: ship_limit', () => {
    const { recruit } = scene
    while (shipsOf(world, recruit).length < 100) parked(world, recruit, 'clause')
    docks.refuses(recruit, 'switch_ship', shipParam(ship), 'ship_limit')
  })
})

test('a garage takes up to twenty ships, and a base without one takes none', () => {
  const { faction, leader } = scene
  const other = baseWith(world, 'shipyard', true, base)
  expect(garageRefusal(world, faction, other)).toMatchObject({ code: 'no_faction_garage' })
  for (let i = 1; i < 20; i++) {
    expect(garageRefusal(world, faction, base)).toBeUndefined()
    const next = createShip(world, {
      owner: leader,
      shipClass: shipClassIndex('clause'),
      modules: [],
    })
    dockShip(world, next, base)
    storeInGarage(world, next, faction)
  }
  expect(garageRefusal(world, faction, base)).toMatchObject({ code: 'garage_full' })
})

describe('a ship given to the faction', () => {
  const gift = (given: Eid) => ({ recipient: 'faction', ...shipParam(given) })

  test('is stored in its garage, and its cargo in the locker of the giver', () => {
    const { leader, faction } = scene
    const given = parked(world, leader, 'clause', ['scanner_i'])
    give(world, given, 'iron_ore', 2)
    const before = stored(world, leader, base, 'iron_ore')
    expect(docks.act(leader, 'send_gift', gift(given))).toMatchObject({
      ok: true,
      result: {
        action: 'faction_garage_store',
        base_id: baseId(world, base),
        ship_id: idOf(world, given),
        ship_name: 'Clause',
        used: 2,
        capacity: 20,
        hint: expect.stringMatching(/switch_ship/),
      },
    })
    expect(garagedShips(world, faction)).toEqual([ship, given])
    expect(stored(world, leader, base, 'iron_ore')).toBe(before + 2)
  })

  test('is refused where there is no garage, and when it is full', () => {
    const { leader, faction } = scene
    const away = parked(world, leader, 'clause', [], baseWith(world, 'shipyard', true, base))
    docks.refuses(leader, 'send_gift', gift(away), 'no_faction_garage')
    for (let i = 1; i < 20; i++) storeInGarage(world, parked(world, leader, 'clause'), faction)
    docks.refuses(leader, 'send_gift', gift(parked(world, leader, 'clause')), 'garage_full')
    docks.refuses(leader, 'send_gift', gift(hull(world, leader)), 'active_ship')
  })
})
