/** Riding in the ship of a fleetmate, and being without one. Source: factions.md section 8. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemIndex, shipClassIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { Base } from '../../../systems/base/state.ts'
import { respawn } from '../../../systems/combat/rules.ts'
import { foundFaction, addMember as join } from '../../../systems/faction/member-rules.ts'
import { garageCapacity, garagedAt } from '../../../systems/fitting/model.ts'
import { storeInGarage } from '../../../systems/fitting/rules.ts'
import { carrierOf, fleetOf, isAshore, membersOf, ridersOf } from '../../../systems/fleet/model.ts'
import { board as goAboard } from '../../../systems/fleet/rides-commands.ts'
import { endFleet } from '../../../systems/fleet/rules.ts'
import {
  FLEET_ASHORE_TICKS,
  FLEET_MEMBER_AWAY_TICKS,
  Fleet,
  FleetRide,
} from '../../../systems/fleet/state.ts'
import { detainingEmpire } from '../../../systems/law/model.ts'
import { addBounty } from '../../../systems/law/rules.ts'
import { berthCount } from '../../../systems/passenger/model.ts'
import { loadCargo, shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase, poiOf, systemOf } from '../../../systems/travel/location-model.ts'
import { lanesFrom, poiId, systemId } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace, startFlight } from '../../../systems/travel/rules.ts'
import { StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { bayed } from '../drone/scene.ts'
import { addService } from '../faction/scene.ts'
import { disconnect, fleet, form, heard, hullOf, quietPlace, refuses } from './scene.ts'

let template: SmallWorld
let small: SmallWorld
let ada: Eid
let ben: Eid
let cleo: Eid
let dora: Eid
let base: Eid
let faction: Row

/** Gives a player a second, active ship at the base; their issue ship stays parked there. */
function give({ world }: SmallWorld, player: Eid, shipClass: string): void {
  const ship = createShip(world, {
    owner: player,
    shipClass: shipClassIndex(shipClass),
    modules: [],
  })
  world.write(Player).ship[player] = ship
  dockShip(world, ship, base)
}

beforeAll(async () => {
  template = await smallWorld({ players: 4 })
  ;[ada, ben, cleo, dora] = template.players
  base = dockedBase(template.world, ada)
  faction = foundFaction(template.world, ada, 'Night Ferries', 'FERY')
  for (const player of [ben, cleo]) join(template.world, player, faction)
  give(template, ada, 'usher')
  for (const player of [ben, cleo]) give(template, player, 'clause')
  dockShip(template.world, hullOf(template, dora), base)
  template.world.recycle()
})
beforeEach(async () => {
  small = await template.reload()
})

const request = (action: string, target?: Eid, options: object = {}) =>
  [
    'fleet',
    {
      action,
      ...(target === undefined ? {} : { player_id: playerId(small.world, target) }),
      ...options,
    },
  ] as const
const board = (player: Eid, carrier: Eid, options: object = {}) =>
  small.act(player, ...request('board', carrier, options))

/** Lets Ben ride with Ada. */
function ride(): void {
  expect(board(ben, ada)).toMatchObject({ ok: true })
  small.takeEmissions()
}

describe('fleet board', () => {
  test("leaves the player's ship parked, and makes a fleet led by the carrier", () => {
    const { world } = small
    const own = hullOf(small, ben)
    expect(board(ben, ada)).toMatchObject({
      ok: true,
      result: {
        action: 'board',
        carrier: 'Tester 1',
        carrier_ship_id: shipId(world, hullOf(small, ada)),
        parked_ship_id: shipId(world, own),
        garaged_ship_id: '',
      },
    })
    expect(hullOf(small, ben)).toBe(0)
    expect(world.read(Fleet).leader[fleetOf(world, ben)]).toBe(ada)
    expect([dockedBase(world, ben), poiOf(world, ben)]).toEqual([base, poiOf(world, ada)])
    expect(heard(small, ada)).toMatchObject([{ event: 'boarded', player: 'Tester 2' }])
    const riding_ship_id = shipId(world, hullOf(small, ada))
    expect(small.act(ada, 'fleet', { action: 'status' })).toMatchObject({
      result: { members: [{ passenger: false }, { passenger: true, riding_ship_id }] },
    })
    expect(small.ask(ben, 'get_status')).toMatchObject({ result: { player: { riding_ship_id } } })
    expect(small.ask(ben, 'get_cargo')).toMatchObject({ code: 'no_ship' })
    expect(small.ask(ben, 'list_ships')).toMatchObject({ result: { count: 2 } })
  })

  test('stores the ship in the garage of the faction on request', () => {
    const { world } = small
    addService(world, faction, base, 'faction_storage')
    addService(world, faction, base, 'faction_garage')
    const own = hullOf(small, ben)
    loadCargo(world, own, namedContainer('mined'), itemIndex('iron_ore'), 2)
    expect(board(ben, ada, { garage: true })).toMatchObject({
      result: { garaged_ship_id: shipId(world, own), parked_ship_id: '' },
    })
    expect(garagedAt(world, faction, base)).toEqual([own])
    expect(small.ask(ben, 'list_ships')).toMatchObject({
      result: { count: 1, faction_garage: [{ ship_id: shipId(world, own) }] },
    })
    small.act(ben, ...request('disembark'))
    expect(small.act(ben, 'switch_ship', { ship_id: shipId(world, own) })).toMatchObject({
      result: { claimed_from_faction_garage: true, stored_ship_id: '' },
    })
    expect(hullOf(small, ben)).toBe(own)
  })

  test('refuses strangers, passengers, carriers and players elsewhere', async () => {
    const { world } = small
    await refuses(small, dora, request('board', ada), 'not_in_faction')
    await refuses(small, ben, request('board', dora), 'not_same_faction')
    await refuses(small, ben, request('board', ben), 'invalid_target')
    await refuses(
      small,
      ben,
      ['fleet', { action: 'board', player_id: '__proto__' }],
      'invalid_target',
    )
    ride()
    await refuses(small, ben, request('board', ada), 'invalid_target')
    await refuses(small, ada, request('board', cleo), 'already_in_fleet')
    endFleet(world, fleetOf(world, ada))
    await refuses(small, ada, request('board', cleo), 'invalid_target')
    await refuses(small, cleo, request('board', ben), 'invalid_target')
    placeInSpace(world, hullOf(small, ada), quietPlace(small))
    await refuses(small, cleo, request('board', ada), 'invalid_target')
  })

  test('is refused to undocked and to detained players', async () => {
    placeInSpace(small.world, hullOf(small, ben), quietPlace(small))
    await refuses(small, ben, request('board', ada), 'not_docked')
    addBounty(small.world, cleo, 0, 9_999_999)
    const { world } = small
    placeInSpace(world, hullOf(small, cleo), poiOf(world, cleo))
    expect(small.act(cleo, 'dock').ok).toBe(true)
    expect(detainingEmpire(world, cleo)).toBe(0)
    await refuses(small, cleo, request('board', ada), 'detained')
  })

  test('is refused to fleet members, for full fleets and if the carrier is no leader', async () => {
    form(small, ben, dora)
    await refuses(small, dora, request('board', ada), 'not_in_faction')
    await refuses(small, ben, request('board', ada), 'already_in_fleet')
    fleet(small, ben, 'disband')
    form(small, dora, ada)
    await refuses(small, ben, request('board', ada), 'invalid_target')
    fleet(small, ada, 'leave')
    const others = Array.from({ length: 3 }, (_, i) => small.join(`Extra ${i}`))
    for (const other of others) dockShip(small.world, hullOf(small, other), base)
    form(small, ada, ...others)
    await refuses(small, ben, request('board', ada), 'fleet_full')
  })

  test('no_berths: a hull takes as many passengers as it has berths', async () => {
    expect(berthCount(small.world, hullOf(small, ada))).toBe(5)
    await refuses(small, ben, request('board', cleo), 'no_berths')
  })

  test('drones_in_bay: a player with drones aboard cannot leave the ship', () => {
    const { world } = small
    bayed(world, ben, 'mining')
    const before = small.hash()
    const params = { player_id: playerId(world, ada) }
    expect(goAboard(world, ben, params)).toMatchObject({ ok: false, code: 'drones_in_bay' })
    expect(small.hash()).toBe(before)
  })

  test('stores no ship without a garage, in a full one, or if it is an issue ship', async () => {
    const { world } = small
    const stow = request('board', ada, { garage: true })
    await refuses(small, ben, stow, 'no_faction_garage')
    addService(world, faction, base, 'faction_storage')
    addService(world, faction, base, 'faction_garage')
    for (let i = garageCapacity(world, faction, base); i > 0; i--) {
      const plan = { owner: cleo, shipClass: shipClassIndex('clause'), modules: [] }
      const ship = createShip(world, plan)
      dockShip(world, ship, base)
      storeInGarage(world, ship, faction)
    }
    await refuses(small, ben, stow, 'garage_full')
    world.write(Ship).issue[hullOf(small, ben)] = 1
    await refuses(small, ben, stow, 'issue_item')
    expect(board(ben, ada)).toMatchObject({ ok: true })
  })
})

describe('a passenger', () => {
  test('goes where the carrier goes, and is refused commands that need a ship', async () => {
    const { world } = small
    ride()
    expect(small.act(ada, 'undock').ok).toBe(true)
    expect([dockedBase(world, ben), poiOf(world, ben)]).toEqual([0, poiOf(world, ada)])
    for (const command of ['mine', 'undock', 'dock', 'refuel', 'cloak']) {
      await refuses(small, ben, [command, command === 'cloak' ? { enable: true } : {}], 'no_ship')
    }
    await refuses(small, ben, request('disembark'), 'not_docked')
    const far = quietPlace(small)
    placeInSpace(world, hullOf(small, ada), far)
    expect([poiOf(world, ben), systemOf(world, ben)]).toEqual([far, systemOf(world, ada)])
    expect(small.ask(ben, 'get_system')).toMatchObject({ ok: true })
    small.takeEmissions()
    small.ask(ada, 'chat', { channel: 'system', content: 'All aboard.' })
    expect(heard(small, ben, 'chat_message')).toMatchObject([{ content: 'All aboard.' }])
  })

  test('may leave the fleet on the way, and is put ashore at the next base', () => {
    const { world } = small
    ride()
    small.act(ada, 'undock')
    expect(small.act(ben, ...request('leave')).ok).toBe(true)
    expect(carrierOf(world, ben)).toBe(ada)
    expect(small.act(ada, 'dock').ok).toBe(true)
    expect([isAshore(world, ben), dockedBase(world, ben)]).toEqual([true, base])
  })

  test('is put ashore when the carrier changes to a hull without berths', () => {
    const { world } = small
    ride()
    expect(board(cleo, ada)).toMatchObject({ ok: true })
    give(small, ada, 'clause')
    small.ticks(1)
    expect(ridersOf(world, ada)).toEqual([])
    expect(isAshore(world, ben) && isAshore(world, cleo)).toBe(true)
  })

  test('respawns at home when the ship of the carrier is lost', () => {
    const { world } = small
    ride()
    small.act(ada, 'undock')
    respawn(world, ada)
    expect(carrierOf(world, ben)).toBe(0)
    expect(hullOf(small, ben)).not.toBe(0)
    expect(dockedBase(world, ben)).not.toBe(0)
    small.ticks(1)
  })

  test('stays aboard when players log out, and respawns when the carrier stays away', () => {
    const { world } = small
    ride()
    small.act(ada, 'undock')
    disconnect(small, ben)
    disconnect(small, ada)
    small.ticks(2)
    expect(carrierOf(world, ben)).toBe(ada)
    world.tick += FLEET_MEMBER_AWAY_TICKS
    small.ticks(1)
    expect(hullOf(small, ben)).not.toBe(0)
  })

  test('is detained for their bounty when they disembark', () => {
    const { world } = small
    ride()
    addBounty(world, ben, 0, 9_999_999)
    expect(small.act(ben, ...request('disembark'))).toMatchObject({ ok: true })
    expect(detainingEmpire(world, ben)).toBe(0)
    small.ticks(1)
  })
})

describe('fleet disembark', () => {
  test('leaves the passenger ashore without a ship until they switch to one', async () => {
    const { world } = small
    const own = hullOf(small, ben)
    ride()
    expect(small.act(ben, ...request('disembark'))).toMatchObject({
      ok: true,
      result: { action: 'disembark' },
    })
    expect(heard(small, ada)).toMatchObject([{ event: 'disembarked' }])
    await refuses(small, ben, ['undock', {}], 'no_ship')
    await refuses(small, ben, ['buy', { item_id: 'iron_ore', quantity: 1 }], 'no_ship')
    expect(small.act(ada, 'undock').ok).toBe(true)
    expect(dockedBase(world, ben)).toBe(base)
    expect(small.act(ben, 'switch_ship', { ship_id: shipId(world, own) })).toMatchObject({
      result: { active_ship_id: shipId(world, own), stored_ship_id: '' },
    })
    expect([hullOf(small, ben), isAshore(world, ben)]).toEqual([own, false])
    expect(small.act(ben, 'undock').ok).toBe(true)
  })

  test('is refused to players who do not ride, and where the base denies access', async () => {
    await refuses(small, ben, request('disembark'), 'not_riding')
    const { pirateRepRequired } = small.world.write(Base)
    board(cleo, ada)
    pirateRepRequired[base] = 50
    await refuses(small, cleo, request('disembark'), 'access_denied')
    pirateRepRequired[base] = 0
    ride()
    small.act(ben, ...request('disembark'))
    await refuses(small, ben, request('disembark'), 'not_riding')
  })

  test('a player ashore may board again, and respawns at home after an hour', () => {
    const { world } = small
    ride()
    small.act(ben, ...request('disembark'))
    expect(board(ben, ada)).toMatchObject({ result: { parked_ship_id: '' } })
    small.act(ben, ...request('disembark'))
    world.tick = world.read(FleetRide).sinceTick[ben] + FLEET_ASHORE_TICKS - 1
    expect(isAshore(world, ben)).toBe(true)
    small.ticks(1)
    expect(isAshore(world, ben)).toBe(false)
    expect(world.read(Ship).issue[hullOf(small, ben)]).toBe(1)
  })
})

test('a rider sees place, flight and routes as the carrier does', () => {
  const { world } = small
  ride()
  const ship = hullOf(small, ada)
  const [next] = lanesFrom(world, systemOf(world, ada))
  const routeOf = (player: Eid) =>
    small.ask(player, 'find_route', { target_system: systemId(world, next) })
  expect(routeOf(ben)).toMatchObject({ result: { found: true, total_jumps: 1 } })
  expect(routeOf(ben)).toMatchObject({
    result: { fuel_available: world.read(Ship).fuel[ship] },
  })
  const place = quietPlace(small)
  placeInSpace(world, ship, place)
  expect(small.ask(ben, 'get_poi')).toMatchObject({ result: { poi: { id: poiId(world, place) } } })
  startFlight(world, ship, world.read(StarSystem).entryPoi[next], 3)
  expect(small.ask(ben, 'get_poi')).toMatchObject({ result: { kind: 'transit' } })
  expect(small.ask(ben, 'get_system')).toMatchObject({ result: { kind: 'transit' } })
  expect(small.ask(ben, 'get_nearby')).toMatchObject({ result: { poi_id: '', count: 0 } })
  expect(small.ask(ben, 'get_system_agents')).toMatchObject({ code: 'in_transit' })
})

test('board and disembark have addresses in v2', () => {
  const id = playerId(small.world, ada)
  expect(small.act(ben, 'v2:game_fleet/board', { player_id: id, garage: false })).toMatchObject({
    result: { action: 'board', carrier: 'Tester 1' },
  })
  expect(small.act(ben, 'v2:game_fleet/disembark')).toMatchObject({
    result: { action: 'disembark' },
  })
})

test('help names sources and targets', () => {
  const help = small.act(ada, 'fleet', { action: 'help' })
  expect(help).toMatchObject({ result: { sources: { garage: {} }, targets: { player_id: {} } } })
})

test('a reloaded world with passengers continues with the same hash', async () => {
  ride()
  expect(board(cleo, ada)).toMatchObject({ ok: true })
  small.act(cleo, ...request('disembark'))
  const reloaded = await small.reload()
  expect(reloaded.hash()).toBe(small.hash())
  for (const world of [small, reloaded]) {
    expect(world.act(ada, 'undock').ok).toBe(true)
    world.ticks(2)
  }
  expect(reloaded.hash()).toBe(small.hash())
  expect(ridersOf(reloaded.world, ada)).toEqual([ben])
})

test('a fleet that ends leaves its passengers aboard until the next base', () => {
  const { world } = small
  ride()
  small.act(ada, 'undock')
  endFleet(world, fleetOf(world, ada))
  small.ticks(1)
  expect(carrierOf(world, ben)).toBe(ada)
  expect(membersOf(world, fleetOf(world, ben))).toEqual([])
})
