/** Garages of factions: who takes a hull out, and when not. Source: factions.md 7, ships.md 8. */
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

let scene: Guild
let at: Docks
let world: World
let base: Row
let garage: Row
let ship: Eid
beforeEach(async () => {
  scene = await guild()
  world = scene.small.world
  at = docksOf(scene.small)
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

const to = (of: Eid) => ({ ship_id: idOf(world, of) })

describe('a hull in the garage', () => {
  test('is nobody’s, and every member sees it', () => {
    const { small, recruit, leader, stranger } = scene
    expect([ships(world).owner[ship], aboard(world, ship, 'iron_ore')]).toEqual([0, 0])
    const entry = {
      ...{ ship_id: idOf(world, ship), class_id: 'messenger', class_name: 'Messenger' },
      ...{ depositor_id: playerId(world, leader), depositor_name: 'Leader' },
      deposited_tick: world.tick,
    }
    expect(small.ask(recruit, 'list_ships')).toMatchObject({
      result: { faction_garage: [entry], faction_garage_capacity: 20, faction_garage_used: 1 },
    })
    expect(small.ask(recruit, 'faction_garages')).toMatchObject({
      result: {
        ...{ station_count: 1, total_ships: 1 },
        stations: [{ base_id: baseId(world, base), capacity: 20, used: 1, ships: [entry] }],
      },
    })
    expect(small.ask(recruit, 'get_ship', to(ship))).toMatchObject({
      result: { ship: { class_id: 'messenger', in_faction_garage: baseId(world, base) } },
    })
    expect(small.ask(stranger, 'get_ship', to(ship))).toMatchObject({ code: 'ship_not_found' })
    expect(small.ask(stranger, 'faction_garages')).toMatchObject({ code: 'not_in_faction' })
    at.refuses(leader, 'scrap_ship', to(ship), 'ship_not_found')
  })

  test('is claimed by switch_ship, and is the member’s from then on', () => {
    const { recruit, faction } = scene
    const before = hull(world, recruit)
    expect(at.act(recruit, 'switch_ship', to(ship))).toMatchObject({
      ok: true,
      result: {
        ...{ active_ship_id: idOf(world, ship), stored_ship_id: idOf(world, before) },
        claimed_from_faction_garage: true,
      },
    })
    expect(shipsOf(world, recruit)).toContain(ship)
    expect([garageOf(world, ship), garagedShips(world, faction)]).toEqual([0, []])
  })

  test('stands there after a restart', async () => {
    const { small, recruit } = scene
    const again = await small.reload()
    for (const copy of [small, again]) copy.act(recruit, 'switch_ship', to(ship))
    expect(again.hash()).toBe(small.hash())
    expect(hull(again.world, recruit)).toBe(ship)
  })

  test('is the heir’s when the faction ends; beyond their limit it is broken up', () => {
    const { leader, recruit } = scene
    const second = parked(world, leader, 'clause')
    storeInGarage(world, second, scene.faction)
    while (shipsOf(world, leader).length < 99) parked(world, leader, 'clause')
    expect(at.act(recruit, 'leave_faction')).toMatchObject({ ok: true })
    expect(at.act(leader, 'leave_faction')).toMatchObject({ ok: true })
    expect(shipsOf(world, leader)).toContain(ship)
    expect(shipsOf(world, leader).length).toBe(100)
    expect(ships(world).alive[second]).toBe(0)
  })
})

describe('switch_ship refuses a garaged hull', () => {
  test('to those outside: ship_not_found; elsewhere: not_stored_here', () => {
    const { stranger, recruit } = scene
    at.refuses(stranger, 'switch_ship', to(ship), 'ship_not_found')
    dockShip(world, hull(world, recruit), baseWith(world, 'shipyard', true, base))
    at.refuses(recruit, 'switch_ship', to(ship), 'not_stored_here')
  })

  test('while the garage is no more: no_faction_garage', () => {
    changeState(world, garage, { status: REPOSSESSED })
    expect(garageCapacity(world, scene.faction, base)).toBe(0)
    at.refuses(scene.recruit, 'switch_ship', to(ship), 'no_faction_garage')
  })

  test('to who has a hundred: ship_limit', () => {
    const { recruit } = scene
    while (shipsOf(world, recruit).length < 100) parked(world, recruit, 'clause')
    at.refuses(recruit, 'switch_ship', to(ship), 'ship_limit')
  })
})

test('a garage takes so many and no more, and there has to be one', () => {
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
  const gift = (of: Eid) => ({ recipient: 'faction', ...to(of) })

  test('stands in its garage; what was aboard is in the locker of the giver', () => {
    const { leader, faction } = scene
    const given = parked(world, leader, 'clause', ['scanner_i'])
    give(world, given, 'iron_ore', 2)
    const before = stored(world, leader, base, 'iron_ore')
    expect(at.act(leader, 'send_gift', gift(given))).toMatchObject({
      ok: true,
      result: {
        ...{ action: 'faction_garage_store', base_id: baseId(world, base) },
        ...{ ship_id: idOf(world, given), ship_name: 'Clause', used: 2, capacity: 20 },
        hint: expect.stringMatching(/switch_ship/),
      },
    })
    expect(garagedShips(world, faction)).toEqual([ship, given])
    expect(stored(world, leader, base, 'iron_ore')).toBe(before + 2)
  })

  test('is refused where no garage is, and when it is full', () => {
    const { leader, faction } = scene
    const away = parked(world, leader, 'clause', [], baseWith(world, 'shipyard', true, base))
    at.refuses(leader, 'send_gift', gift(away), 'no_faction_garage')
    for (let i = 1; i < 20; i++) storeInGarage(world, parked(world, leader, 'clause'), faction)
    at.refuses(leader, 'send_gift', gift(parked(world, leader, 'clause')), 'garage_full')
    at.refuses(leader, 'send_gift', gift(hull(world, leader)), 'active_ship')
  })
})
