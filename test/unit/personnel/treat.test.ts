/** Treatment of the injured, and ships with nobody fit. Source: ships.md sections 4 and 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { grant } from '../../../core/guard.ts'
import { playerId } from '../../../systems/account/model.ts'
import { allied } from '../../../systems/account/state.ts'
import { serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { peopleOf } from '../../../systems/personnel/model.ts'
import { RALLY_TICKS } from '../../../systems/personnel/rules.ts'
import { Survivors } from '../../../systems/personnel/state.ts'
import { activeShip, cargoUnits, shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { addGrant } from '../../contributions.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Ward, wards } from './scene.ts'

onSmallMap()

const openWard = await wards()
let ward: Ward

beforeEach(async () => {
  ward = await openWard()
  ward.fit(ward.ship, 'marine_barracks')
  ward.setCredits(10_000)
})

const treat = (params: object = {}) => ward.act('treat_personnel', params)
const injureCrew = () =>
  ward.man(ward.ship, { fitCrew: 1, injuredCrew: 3, fitMarines: 2, injuredMarines: 4 })

describe('treat_personnel at a station', () => {
  test('makes everybody fit, for 40 credits a crew member and 80 a marine', () => {
    injureCrew()
    const before = ward.pools().medical
    expect(treat()).toMatchObject({
      ok: true,
      result: {
        action: 'treat_personnel',
        provider: 'station',
        crew: 3,
        marines: 4,
        cost: 3 * 40 + 4 * 80,
        supplies_used: 0,
        personnel: { fit_crew: 4, injured_crew: 0, fit_marines: 6, injured_marines: 0 },
      },
    })
    expect(ward.credits()).toBe(10_000 - 440)
    expect(ward.pools().medical).toBe(before - 7)
  })

  test('treats the number requested, and crew before marines if its infirmary is short', () => {
    injureCrew()
    expect(treat({ crew: 1 })).toMatchObject({ result: { crew: 1, marines: 0 } })
    ward.setPool('medical', 3)
    expect(treat()).toMatchObject({ result: { crew: 2, marines: 1 } })
    expect(treat()).toMatchObject({ code: 'pool_empty' })
  })

  test('docks first, even with nobody fit aboard', () => {
    ward.man(ward.ship, { fitCrew: 1, injuredCrew: 3 })
    ward.act('undock')
    ward.man(ward.ship, { fitCrew: 0 })
    expect(ward.small.answer(ward.pilot, 'treat_personnel')).toMatchObject({
      autoDocked: true,
      outcome: { ok: true, result: { crew: 3 } },
    })
  })

  test('is refused nothing_to_treat, no_credits, no_service, and changes nothing', () => {
    expect(treat()).toMatchObject({ code: 'nothing_to_treat' })
    injureCrew()
    ward.setCredits(100)
    expect(treat()).toMatchObject({ code: 'no_credits', details: { need: 440, have: 100 } })
    expect(peopleOf(ward.world, ward.ship)).toMatchObject({ injuredCrew: 3, injuredMarines: 4 })
    ward.world.write(Base).services[ward.base] &= ~serviceBit('personnel')
    for (const pool of ['crew', 'marines', 'medical'] as const) ward.setPool(pool, 0)
    expect(treat()).toMatchObject({ code: 'no_service' })
  })

  test('treats only the own ship: invalid_target', () => {
    injureCrew()
    expect(treat({ provider: 'station', target: ward.friendId })).toMatchObject({
      code: 'invalid_target',
    })
    const own = [playerId(ward.world, ward.pilot), shipId(ward.world, ward.ship)]
    for (const target of own) expect(treat({ target, crew: 1 })).toMatchObject({ ok: true })
  })

  test.each([{ provider: 'reserve' }, { reserve: true }])(
    'has no reserve without a faction: not_in_faction (%o)',
    (params) => {
      expect(treat(params)).toMatchObject({ code: 'not_in_faction' })
    },
  )
})

describe('treat_personnel in the field', () => {
  beforeEach(() => {
    injureCrew()
    ward.fit(ward.ship, 'field_hospital')
  })

  test('uses up medical supplies, one for four people', () => {
    ward.stow('medical_supplies', 3)
    ward.act('undock')
    expect(treat()).toMatchObject({
      ok: true,
      result: { provider: 'field', crew: 3, marines: 4, cost: 0, supplies_used: 2 },
    })
    expect(cargoUnits(ward.world, ward.ship, itemIndex('medical_supplies'))).toBe(1)
    expect(dockedBase(ward.world, ward.pilot)).toBe(0)
  })

  test('treats only as many people as the supplies allow', () => {
    ward.stow('medical_supplies', 1)
    expect(treat({ provider: 'field' })).toMatchObject({ result: { crew: 3, marines: 1 } })
    expect(treat({ provider: 'field' })).toMatchObject({ code: 'no_supplies' })
  })

  test('helps an ally here, and notifies only them: personnel_update', () => {
    addGrant(
      ward.world,
      grant(allied, () => true),
    )
    ward.stow('medical_supplies', 1)
    ward.man(ward.friendShip, { fitCrew: 1, injuredCrew: 2 })
    ward.small.takeEmissions()
    expect(treat({ target: ward.friendId })).toMatchObject({
      result: { provider: 'field', crew: 2, target_player_name: 'Tester 2' },
    })
    expect(peopleOf(ward.world, ward.friendShip)).toMatchObject({ fitCrew: 3, injuredCrew: 0 })
    expect(ward.takePayloads(ward.friend, 'personnel_update')).toEqual([
      {
        action: 'treatment',
        ship_id: shipId(ward.world, ward.friendShip),
        source_player_id: playerId(ward.world, ward.pilot),
        source_username: 'Tester 1',
        counts: { fit_crew: 2, fit_marines: 0, injured_crew: 0, injured_marines: 0 },
        capacities: { crew_capacity: 4, minimum_crew: 1, marine_capacity: 0 },
        personnel: expect.objectContaining({ fit_crew: 3, injured_crew: 0 }),
      },
    ])
    expect(ward.takePayloads(ward.pilot, 'personnel_update')).toEqual([])
  })

  test('is refused not_allied for a stranger, and invalid_target for an absent player', () => {
    ward.stow('medical_supplies', 1)
    expect(treat({ target: ward.friendId })).toMatchObject({ code: 'not_allied' })
    addGrant(
      ward.world,
      grant(allied, () => true),
    )
    ward.act('undock')
    expect(treat({ target: ward.friendId })).toMatchObject({ code: 'invalid_target' })
    expect(treat({ target: 'Nobody' })).toMatchObject({ code: 'invalid_target' })
  })

  test('needs a field hospital: no_service', () => {
    const answer = ward.small.act(ward.friend, 'treat_personnel', { provider: 'field' })
    expect(answer).toMatchObject({ code: 'no_service' })
  })
})

describe('a ship with nobody fit in its crew', () => {
  beforeEach(() => ward.man(ward.ship, { fitCrew: 0, injuredCrew: 2 }))

  test('is refused every command but treatment and hiring: incapacitated', () => {
    for (const [command, params] of [
      ['undock', {}],
      ['repair', {}],
      ['transfer_personnel', { target: ward.friendId, injured_crew: 1 }],
    ] as const) {
      expect(ward.act(command, params)).toMatchObject({ code: 'incapacitated' })
    }
    expect(ward.act('recruit_personnel', { crew: 1 })).toMatchObject({ ok: true })
    expect(ward.act('undock')).toMatchObject({ ok: true })
  })

  /** Makes the survivor recover two ticks from now. */
  const hastenRecovery = () => {
    const { rallyTick } = ward.world.write(Survivors)
    expect(rallyTick[ward.ship]).toBe(ward.world.tick + RALLY_TICKS)
    rallyTick[ward.ship] = ward.world.tick + 2
  }

  test('can still destroy itself: self_destruct', () => {
    expect(ward.act('self_destruct')).toMatchObject({ ok: true })
    expect(activeShip(ward.world, ward.pilot)).not.toBe(ward.ship)
  })

  test('makes one of the injured fit after 60 ticks', () => {
    hastenRecovery()
    ward.small.ticks(1)
    expect(peopleOf(ward.world, ward.ship)).toMatchObject({ fitCrew: 0, injuredCrew: 2 })
    ward.small.ticks(1)
    expect(peopleOf(ward.world, ward.ship)).toMatchObject({ fitCrew: 1, injuredCrew: 1 })
    expect(ward.world.read(Survivors).rallyTick[ward.ship]).toBe(0)
    expect(ward.act('undock')).toMatchObject({ ok: true })
  })

  test('recovers at the same tick in a restored world', async () => {
    hastenRecovery()
    const restored = await ward.small.reload()
    for (const small of [ward.small, restored]) small.ticks(3)
    expect(restored.hash()).toBe(ward.small.hash())
    expect(restored.world.read(Ship).crewFit[ward.ship]).toBe(1)
  })

  test('works at a quarter of its efficiency', () => {
    expect(ward.world.read(Ship).crewEffPct[ward.ship]).toBe(25)
    hastenRecovery()
    ward.small.ticks(2)
    expect(ward.world.read(Ship).crewEffPct[ward.ship]).toBe(100)
  })
})
