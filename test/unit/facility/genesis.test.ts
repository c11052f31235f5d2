/** Facilities of a new world, and how they are looked up. Source: crafting.md section 6. */
import { beforeAll, describe, expect, it } from 'vitest'
import { FACILITIES, facilityTypeIndex } from '../../../core/catalog/index.ts'
import { FACILITIES_FOUNDED_PER_BASE_MAX } from '../../../core/limits.ts'
import { Base } from '../../../systems/base/state.ts'
import { addFacility } from '../../../systems/facility/lifecycle-rules.ts'
import {
  activePersonalFacility,
  citizenPool,
  efficiencyPermille,
  facilitiesAt,
  facilityById,
  facilityId,
  facilityName,
  isRunning,
  speedMilli,
  tierOf,
} from '../../../systems/facility/model.ts'
import { Facility, OF_PLAYER, OF_STATION, ONLINE, PUBLIC } from '../../../systems/facility/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let small: SmallWorld
beforeAll(async () => {
  small = await smallWorld({ players: 1 })
})

describe('facilities of a new world', () => {
  it('belong to the station, are public and stay within the limit of a base', () => {
    const { world } = small
    const { alive } = world.read(Base)
    const { ownerKind, access, status, type } = world.read(Facility)
    for (let base = 1; base <= world.highOf(Base); base++) {
      if (alive[base] === 0) continue
      expect(citizenPool(world, base)).toBeGreaterThan(0)
      expect(efficiencyPermille(world, base)).toBe(1000)
      const rows = facilitiesAt(world, base)
      expect(rows.length).toBeLessThanOrEqual(FACILITIES_FOUNDED_PER_BASE_MAX)
      for (const row of rows) {
        expect([ownerKind[row], access[row], status[row]]).toEqual([OF_STATION, PUBLIC, ONLINE])
        expect(['faction', 'personal']).not.toContain(FACILITIES[type[row]].category)
      }
    }
  })

  it('are found by id and by their owner', async () => {
    const { world, players } = small
    const type = facilityTypeIndex('crew_quarters')
    const owner = { kind: OF_PLAYER, player: players[0], faction: 0 }
    const before = facilitiesAt(world, 1).length
    const row = addFacility(world, { type, base: 1, owner, status: ONLINE })
    expect(facilitiesAt(world, 1)).toHaveLength(before + 1)
    expect(facilityById(world, facilityId(world, row))).toBe(row)
    expect(facilityById(world, 'nonsense')).toBe(0)
    expect(activePersonalFacility(world, players[0], 1, 'quarters')).toBe(row)
    expect(activePersonalFacility(world, players[0], 2, 'quarters')).toBe(0)
    expect([isRunning(world, row), tierOf(world, row), speedMilli(world, row)]).toEqual([
      true,
      1,
      1000,
    ])
    expect(facilityName(world, row)).toBe('Crew Quarters')
    const restored = await small.reload()
    expect(restored.hash()).toBe(small.hash())
    expect(facilitiesAt(restored.world, 1)).toEqual(facilitiesAt(world, 1))
  })
})
