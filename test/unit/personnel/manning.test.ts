/** Crew and marines of a ship as its owner sees them, on v1 and v2. Source: newer.md section 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { RALLY_TICKS } from '../../../systems/personnel/rules.ts'
import { shipClassOf } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { renderShipSection } from '../../../systems/ship/views.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Ward, wards } from './scene.ts'

onSmallMap()

const openWard = await wards()
let ward: Ward

beforeEach(async () => {
  ward = await openWard()
})

/** Returns the ship as get_ship shows it, and as the section of v2 does. */
function shown(): Record<string, unknown>[] {
  const { result } = ward.small.ask(ward.pilot, 'get_ship') as unknown as {
    result: { ship: Record<string, unknown> }
  }
  return [result.ship, { ...renderShipSection(ward.world, ward.pilot) }]
}

describe('a ship', () => {
  test('with a full crew works at full efficiency', () => {
    const { crew_capacity, marine_capacity } = shipClassOf(ward.world, ward.ship)
    for (const ship of shown()) {
      expect(ship).toMatchObject({
        crew_capacity,
        marine_capacity,
        effective_crew_capacity: crew_capacity,
        effective_marine_capacity: marine_capacity,
        crew_efficiency: 1,
        operational_speed: ship.speed,
        incapacitated: false,
      })
      expect(ship).not.toHaveProperty('personnel_recovery_tick')
      expect(ship).not.toHaveProperty('personnel_recovery_ticks_remaining')
    }
  })

  test('adds the berths of its modules to those of its hull', () => {
    const { marine_capacity } = shipClassOf(ward.world, ward.ship)
    ward.fit(ward.ship, 'marine_barracks')
    for (const ship of shown()) {
      expect(ship.marine_capacity).toBe(marine_capacity)
      expect(ship.effective_marine_capacity).toBe(marine_capacity + 15)
    }
  })

  test('with too few crew is slower and less efficient', () => {
    // Ship classes of newcomers need a crew of one, so a shortage has to be written directly.
    ward.world.write(Ship).crewEffPct[ward.ship] = 50
    ward.world.write(Ship).speed[ward.ship] = 1
    for (const ship of shown()) {
      expect(ship).toMatchObject({ crew_efficiency: 0.5, operational_speed: 1 })
    }
  })

  test('with nobody fit is incapacitated until one of the injured recovers', () => {
    ward.man(ward.ship, { fitCrew: 0, injuredCrew: 1 })
    const due = ward.world.tick + RALLY_TICKS
    ward.small.ticks(3)
    for (const ship of shown()) {
      expect(ship).toMatchObject({
        incapacitated: true,
        personnel_recovery_tick: due,
        personnel_recovery_ticks_remaining: RALLY_TICKS - 3,
      })
    }
    ward.small.ticks(RALLY_TICKS - 3)
    for (const ship of shown()) {
      expect(ship.incapacitated).toBe(false)
      expect(ship).not.toHaveProperty('personnel_recovery_tick')
    }
  })
})
