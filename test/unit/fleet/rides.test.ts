/** Riding in a mate's ship: board, disembark, and being without a ship. factions.md section 8. */
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
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { bayed } from '../drone/scene.ts'
import { addService } from '../faction/scene.ts'
import { disconnect, fleet, form, heard, hullOf, quietPlace, refuses } from './scene.ts'

let made: SmallWorld
let small: SmallWorld
let ada: Eid
let ben: Eid
let cleo: Eid
let dora: Eid
let base: Eid
let faction: Row

/** Puts a player into a hull that is not issue, at the base; the other stays parked. */
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
  made = await smallWorld({ players: 4 })
  ;[ada, ben, cleo, dora] = made.players
  base = dockedBase(made.world, ada)
  faction = foundFaction(made.world, ada, 'Night Ferries', 'FERY')
  for (const player of [ben, cleo]) join(made.world, player, faction)
  give(made, ada, 'usher')
  for (const player of [ben, cleo]) give(made, player, 'clause')
  dockShip(made.world, hullOf(made, dora), base)
  made.world.recycle()
})
beforeEach(async () => {
  small = await made.reload()
})

const asked = (action: string, target?: Eid, more: object = {}) =>
  [
    'fleet',
    {
      action,
      ...(target === undefined ? {} : { player_id: playerId(small.world, target) }),
      ...more,
    },
  ] as const
const board = (player: Eid, carrier: Eid, more: object = {}) =>
  small.act(player, ...asked('board', carrier, more))

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

  test("gives the player's ship to the garage of the faction, its contents to the locker", () => {
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
    small.act(ben, ...asked('disembark'))
    expect(small.act(ben, 'switch_ship', { ship_id: shipId(world, own) })).toMatchObject({
      result: { claimed_from_faction_garage: true, stored_ship_id: '' },
    })
    expect(hullOf(small, ben)).toBe(own)
  })

  test('refuses players elsewhere, strangers, non-members and passengers of their own', async () => {
    const { world } = small
    await refuses(small, dora, asked('board', ada), 'not_in_faction')
    await refuses(small, ben, asked('board', dora), 'not_same_faction')
    await refuses(small, ben, asked('board', ben), 'invalid_target')
    await refuses(
      small,
      ben,
      ['fleet', { action: 'board', player_id: '__proto__' }],
      'invalid_target',
    )
    ride()
    await refuses(small, ben, asked('board', ada), 'invalid_target')
    await refuses(small, ada, asked('board', cleo), 'already_in_fleet')
    endFleet(world, fleetOf(world, ada))
    await refuses(small, ada, asked('board', cleo), 'invalid_target')
    await refuses(small, cleo, asked('board', ben), 'invalid_target')
    placeInSpace(world, hullOf(small, ada), quietPlace(small))
    await refuses(small, cleo, asked('board', ada), 'invalid_target')
  })

  test('not_docked where there is no base, detained in jail', async () => {
    placeInSpace(small.world, hullOf(small, ben), quietPlace(small))
    await refuses(small, ben, asked('board', ada), 'not_docked')
    addBounty(small.world, cleo, 0, 9_999_999)
    const { world } = small
    placeInSpace(world, hullOf(small, cleo), poiOf(world, cleo))
    expect(small.act(cleo, 'dock').ok).toBe(true)
    expect(detainingEmpire(world, cleo)).toBe(0)
    await refuses(small, cleo, asked('board', ada), 'detained')
  })

  test('already_in_fleet, fleet_full, and only leaders carry', async () => {
    form(small, ben, dora)
    await refuses(small, dora, asked('board', ada), 'not_in_faction')
    await refuses(small, ben, asked('board', ada), 'already_in_fleet')
    fleet(small, ben, 'disband')
    form(small, dora, ada)
    await refuses(small, ben, asked('board', ada), 'invalid_target')
    fleet(small, ada, 'leave')
    const others = Array.from({ length: 3 }, (_, i) => small.join(`Extra ${i}`))
    for (const other of others) dockShip(small.world, hullOf(small, other), base)
    form(small, ada, ...others)
    await refuses(small, ben, asked('board', ada), 'fleet_full')
  })

  test('no_berths: as many as the hull has', async () => {
    expect(berthCount(small.world, hullOf(small, ada))).toBe(5)
    await refuses(small, ben, asked('board', cleo), 'no_berths')
  })

  test('drones_in_bay: they stay with who flies', () => {
    const { world } = small
    bayed(world, ben, 'mining')
    const before = small.hash()
    const asked = { player_id: playerId(world, ada) }
    expect(goAboard(world, ben, asked)).toMatchObject({ ok: false, code: 'drones_in_bay' })
    expect(small.hash()).toBe(before)
  })

  test('no_faction_garage, garage_full, issue_item', async () => {
    const { world } = small
    const stow = asked('board', ada, { garage: true })
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
  test('goes where the carrier goes, and has no ship: no_ship', async () => {
    const { world } = small
    ride()
    expect(small.act(ada, 'undock').ok).toBe(true)
    expect([dockedBase(world, ben), poiOf(world, ben)]).toEqual([0, poiOf(world, ada)])
    for (const command of ['mine', 'undock', 'dock', 'refuel', 'cloak']) {
      await refuses(small, ben, [command, command === 'cloak' ? { enable: true } : {}], 'no_ship')
    }
    await refuses(small, ben, asked('disembark'), 'not_docked')
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
    expect(small.act(ben, ...asked('leave')).ok).toBe(true)
    expect(carrierOf(world, ben)).toBe(ada)
    expect(small.act(ada, 'dock').ok).toBe(true)
    expect([isAshore(world, ben), dockedBase(world, ben)]).toEqual([true, base])
  })

  test('is put ashore where the carrier changes to a hull without a berth', () => {
    const { world } = small
    ride()
    expect(board(cleo, ada)).toMatchObject({ ok: true })
    give(small, ada, 'clause')
    small.ticks(1)
    expect(ridersOf(world, ada)).toEqual([])
    expect(isAshore(world, ben) && isAshore(world, cleo)).toBe(true)
  })

  test('wakes at home where the carrier’s ship is lost', () => {
    const { world } = small
    ride()
    small.act(ada, 'undock')
    respawn(world, ada)
    expect(carrierOf(world, ben)).toBe(0)
    expect(hullOf(small, ben)).not.toBe(0)
    expect(dockedBase(world, ben)).not.toBe(0)
    small.ticks(1)
  })

  test('stays when anybody logs out, and wakes at home where the carrier stays away', () => {
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

  test('pays what they owe when they go ashore', () => {
    const { world } = small
    ride()
    addBounty(world, ben, 0, 9_999_999)
    expect(small.act(ben, ...asked('disembark'))).toMatchObject({ ok: true })
    expect(detainingEmpire(world, ben)).toBe(0)
    small.ticks(1)
  })
})

describe('fleet disembark', () => {
  test('leaves one ashore without a ship, until switch_ship', async () => {
    const { world } = small
    const own = hullOf(small, ben)
    ride()
    expect(small.act(ben, ...asked('disembark'))).toMatchObject({
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

  test('not_riding, and access_denied where the base does not admit them', async () => {
    await refuses(small, ben, asked('disembark'), 'not_riding')
    const { pirateRepRequired } = small.world.write(Base)
    board(cleo, ada)
    pirateRepRequired[base] = 50
    await refuses(small, cleo, asked('disembark'), 'access_denied')
    pirateRepRequired[base] = 0
    ride()
    small.act(ben, ...asked('disembark'))
    await refuses(small, ben, asked('disembark'), 'not_riding')
  })

  test('boards again from ashore, and who stays an hour wakes at home', () => {
    const { world } = small
    ride()
    small.act(ben, ...asked('disembark'))
    expect(board(ben, ada)).toMatchObject({ result: { parked_ship_id: '' } })
    small.act(ben, ...asked('disembark'))
    world.tick = world.read(FleetRide).sinceTick[ben] + FLEET_ASHORE_TICKS - 1
    expect(isAshore(world, ben)).toBe(true)
    small.ticks(1)
    expect(isAshore(world, ben)).toBe(false)
    expect(world.read(Ship).issue[hullOf(small, ben)]).toBe(1)
  })
})

test('v2 has both under addresses of their own', () => {
  const id = playerId(small.world, ada)
  expect(small.act(ben, 'v2:game_fleet/board', { player_id: id, garage: false })).toMatchObject({
    result: { action: 'board', carrier: 'Tester 1' },
  })
  expect(small.act(ben, 'v2:game_fleet/disembark')).toMatchObject({
    result: { action: 'disembark' },
  })
})

test('help names sources, targets and examples', () => {
  const help = small.act(ada, 'fleet', { action: 'help' })
  expect(help).toMatchObject({ result: { sources: { garage: {} }, targets: { player_id: {} } } })
})

test('a restored world goes on as the first', async () => {
  ride()
  expect(board(cleo, ada)).toMatchObject({ ok: true })
  small.act(cleo, ...asked('disembark'))
  const again = await small.reload()
  expect(again.hash()).toBe(small.hash())
  for (const world of [small, again]) {
    expect(world.act(ada, 'undock').ok).toBe(true)
    world.ticks(2)
  }
  expect(again.hash()).toBe(small.hash())
  expect(ridersOf(again.world, ada)).toEqual([ben])
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
