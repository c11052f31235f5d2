/** Moving people between ships. Source: ships.md sections 4 and 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { shipClassIndex } from '../../../core/catalog/index.ts'
import { grant } from '../../../core/guard.ts'
import type { Eid } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { allied, Player } from '../../../systems/account/state.ts'
import { ShipCombat } from '../../../systems/combat/state.ts'
import { peopleOf } from '../../../systems/personnel/model.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { dockShip, undockShip } from '../../../systems/travel/rules.ts'
import { addGrant } from '../../contributions.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Ward, wards } from './scene.ts'

onSmallMap()

const openWard = await wards()
let ward: Ward

beforeEach(async () => {
  ward = await openWard()
  for (const ship of [ward.ship, ward.friendShip]) ward.fit(ship, 'marine_barracks')
})

const transfer = (params: object) =>
  ward.act('transfer_personnel', { target: ward.friendId, ...params })

/** Makes a second ship of the pilot, parked at the base. */
function parkShip(): Eid {
  const ship = createShip(ward.world, {
    owner: ward.pilot,
    shipClass: shipClassIndex('reaver'),
    modules: [],
  })
  dockShip(ward.world, ship, ward.base)
  return ship
}

describe('transfer_personnel to an ally', () => {
  beforeEach(() => {
    addGrant(
      ward.world,
      grant(allied, () => true),
    )
    ward.man(ward.ship, { fitCrew: 3, injuredCrew: 1, fitMarines: 5, injuredMarines: 2 })
    ward.man(ward.friendShip, { fitCrew: 1 })
  })

  test('moves fit and injured people, and notifies the ally: personnel_update', () => {
    ward.small.takeEmissions()
    const params = { fit_crew: 2, injured_crew: 1, fit_marines: 3, injured_marines: 1 }
    expect(transfer(params)).toMatchObject({
      ok: true,
      result: {
        counts: params,
        target_player_name: 'Tester 2',
        personnel: { fit_crew: 1, injured_crew: 0, fit_marines: 2, injured_marines: 1 },
      },
    })
    expect(peopleOf(ward.world, ward.friendShip)).toEqual({
      fitCrew: 3,
      injuredCrew: 1,
      fitMarines: 3,
      injuredMarines: 1,
    })
    const [payload] = ward.takePayloads(ward.friend, 'personnel_update')
    expect(payload).toMatchObject({
      action: 'transfer',
      ship_id: shipId(ward.world, ward.friendShip),
      source_player_id: playerId(ward.world, ward.pilot),
      counts: params,
      personnel: { fit_crew: 3, injured_crew: 1, fit_marines: 3, injured_marines: 1 },
    })
  })

  test('mans a ship without a fit crew', () => {
    ward.man(ward.friendShip, { fitCrew: 0, injuredCrew: 1 })
    expect(transfer({ fit_crew: 1 })).toMatchObject({ ok: true })
    expect(ward.small.act(ward.friend, 'undock')).toMatchObject({ ok: true })
  })

  test('does not name a helper whom the ally cannot see', () => {
    ward.world.write(Player).anonymous[ward.pilot] = 1
    ward.small.takeEmissions()
    transfer({ fit_crew: 1 })
    expect(ward.takePayloads(ward.friend, 'personnel_update')).toMatchObject([
      { source_player_id: '', source_username: '' },
    ])
  })

  test('is refused insufficient_personnel: one fit member of the crew stays', () => {
    expect(transfer({ fit_crew: 3 })).toMatchObject({ code: 'insufficient_personnel' })
    expect(transfer({ fit_marines: 6 })).toMatchObject({ code: 'insufficient_personnel' })
    expect(transfer({ injured_crew: 2 })).toMatchObject({ code: 'insufficient_personnel' })
    expect(transfer({ injured_marines: 3 })).toMatchObject({ code: 'insufficient_personnel' })
  })

  test('is refused no_berths where there is no room', () => {
    ward.man(ward.friendShip, { fitCrew: 4, fitMarines: 15 })
    expect(transfer({ fit_crew: 1 })).toMatchObject({ code: 'no_berths' })
    expect(transfer({ injured_marines: 1 })).toMatchObject({ code: 'no_berths' })
  })

  test.each(['ship', 'friendShip'] as const)(
    'is refused in_combat for 5 ticks after a shot of the %s',
    (name) => {
      ward.world.write(ShipCombat).aggressiveUntil[ward[name]] = ward.world.tick + 30
      for (let i = 0; i < 5; i++)
        expect(transfer({ fit_crew: 1 })).toMatchObject({ code: 'in_combat' })
      expect(transfer({ fit_crew: 1 })).toMatchObject({ ok: true })
    },
  )

  test('is refused invalid_target for a player who is undocked, unknown or the sender', () => {
    undockShip(ward.world, ward.friendShip)
    expect(transfer({ fit_crew: 1 })).toMatchObject({ code: 'invalid_target' })
    for (const target of ['Nobody', playerId(ward.world, ward.pilot)]) {
      expect(transfer({ target, fit_crew: 1 })).toMatchObject({ code: 'invalid_target' })
    }
  })

  test('is refused invalid_payload without any people', () => {
    expect(transfer({})).toMatchObject({ code: 'invalid_payload' })
  })
})

test('transfer_personnel is refused not_allied for a stranger', () => {
  ward.man(ward.ship, { fitCrew: 3 })
  expect(transfer({ fit_crew: 1 })).toMatchObject({ code: 'not_allied' })
})

describe('transfer_personnel to a parked ship of the same owner', () => {
  test('moves people and notifies nobody', () => {
    const ship = parkShip()
    ward.man(ship, { fitCrew: 0 })
    ward.small.takeEmissions()
    const target = shipId(ward.world, ship)
    expect(transfer({ target, fit_crew: 2 })).toMatchObject({
      ok: true,
      result: { target_ship_id: target },
    })
    expect(peopleOf(ward.world, ship).fitCrew).toBe(2)
    expect(ward.takePayloads(ward.pilot, 'personnel_update')).toEqual([])
  })

  test('needs both ships docked at the same base: invalid_target', () => {
    const target = shipId(ward.world, parkShip())
    ward.act('undock')
    expect(transfer({ target, fit_crew: 1 })).toMatchObject({ code: 'invalid_target' })
    const own = shipId(ward.world, ward.ship)
    expect(transfer({ target: own, fit_crew: 1 })).toMatchObject({ code: 'invalid_target' })
    const other = shipId(ward.world, ward.friendShip)
    expect(transfer({ target: other, fit_crew: 1 })).toMatchObject({ code: 'invalid_target' })
  })
})
