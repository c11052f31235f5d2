/** Building and upgrading: costs, results and refusals. Source: crafting.md sections 6, 7. */
import { beforeEach, describe, expect, it } from 'vitest'
import { facilityTypeIndex, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import { FACILITIES_PER_PLAYER_AND_BASE_MAX } from '../../../core/limits.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { CARGO_CONTAINER, openLocker, storedUnits } from '../../../systems/cargo/model.ts'
import { createPackage, packageId } from '../../../systems/cargo/rules.ts'
import { removeFacility } from '../../../systems/facility/lifecycle-rules.ts'
import {
  airSupply,
  facilitiesOf,
  facilityById,
  factionFacilities,
  gridSums,
  isRunning,
  tierOf,
} from '../../../systems/facility/model.ts'
import { Facility, UNDER_CONSTRUCTION } from '../../../systems/facility/state.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { capOfStore, openStore, unitsInStore } from '../../../systems/faction/store-model.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { onSmallMap } from '../../small-world.ts'
import { countedOf, logOf } from '../achievement/scene.ts'
import {
  company,
  does,
  finish,
  impoverish,
  refuses,
  type Scene,
  scene,
  standing,
  store,
  supply,
  teach,
} from './scene.ts'

onSmallMap()

let s: Scene
beforeEach(async () => {
  s = await scene()
})

describe('facility personal_build', () => {
  it('charges credits and materials at once and ends after the build time', () => {
    const { small, owner, base } = s
    supply(small, owner, base, 'crew_quarters')
    const before = balanceOf(small.world, walletOf(small.world, owner))
    const built = does(small, owner, 'personal_build', { facility_type: 'crew_quarters' })
    expect(built).toMatchObject({
      action: 'personal_build',
      personal_service: 'quarters',
      under_construction: true,
      rent_per_cycle: 12,
      home_base_set: true,
      skill_xp: { corporation_management: 10 },
    })
    const row = facilityById(small.world, String(built.facility_id))
    expect(balanceOf(small.world, walletOf(small.world, owner))).toBe(before - 10_000)
    expect(storedUnits(small.world, owner, base, itemIndex('steel_plate'))).toBe(0)
    expect(small.world.read(Facility).status[row]).toBe(UNDER_CONSTRUCTION)
    expect(small.world.read(Player).homeBase[owner]).toBe(base)
    expect(xpOf(small.world, owner, 'corporation_management')).toBe(10)
    finish(small, row)
    expect(isRunning(small.world, row)).toBe(true)
  })

  it('refuses rooms without quarters, a second of a kind, and other types', () => {
    const { small, owner } = s
    const personal = (facility_type: string) => ['personal_build', { facility_type }] as const
    refuses(small, owner, personal('nonsense'), 'unknown_facility_type')
    refuses(small, owner, personal('private_galley'), 'no_quarters')
    refuses(small, owner, personal('officer_quarters'), 'upgrade_only')
    refuses(small, owner, personal('smelter'), {
      code: 'build_not_allowed',
      details: { reason: 'category' },
      message: expect.stringContaining('for your faction'),
    })
    refuses(small, owner, personal('crew_quarters'), 'missing_materials')
    standing(s, 'crew_quarters', owner)
    refuses(small, owner, personal('crew_quarters'), 'already_exists')
  })
})

describe('facility build', () => {
  it('takes loose goods from the locker and allows two of a kind', () => {
    const { small, owner, base } = s
    for (let i = 0; i < 2; i++) {
      supply(small, owner, base, 'smelter')
      const built = does(small, owner, 'build', { facility_type: 'smelter' })
      expect(built).toMatchObject({ action: 'build', facility_type: 'smelter' })
    }
    expect(facilitiesOf(small.world, owner)).toHaveLength(2)
    const [line] = logOf(small).filter(({ data }) => data.base !== undefined)
    expect(line.data.base).toBe(baseId(small.world, base))
    const steel = unitsIn(small.world, namedContainer('construction'), itemIndex('steel_plate'))
    expect(steel).toBe(120)
  })

  it('takes packages that hold exactly what is needed', () => {
    const { small, owner, base } = s
    const { world } = small
    store(small, owner, base, { steel_plate: 20, cargo_container: 1, iron_ore: 1 })
    const from = openLocker(world, owner, base)
    const pack = (contents: { item: number; units: number }[]) =>
      packageId(
        world,
        createPackage(world, {
          from,
          contents,
          to: { kind: 'locker', player: owner, base },
          label: 'kit',
          creator: owner,
        }),
      )
    const kit = pack([{ item: itemIndex('steel_plate'), units: 20 }])
    const build = (package_ids: string[]) =>
      ['build', { facility_type: 'smelter', package_ids }] as const
    refuses(small, owner, build([kit]), 'package_mismatch')
    refuses(small, owner, build(['package:nonsense']), 'not_found')
    refuses(small, s.other, build([kit]), 'not_found')
    store(small, owner, base, { machine_parts: 5, basalt_fiber: 5, steel_plate: 30 })
    store(small, owner, base, { cargo_container: 1 })
    const half = pack([
      { item: itemIndex('steel_plate'), units: 30 },
      { item: itemIndex('machine_parts'), units: 5 },
      { item: itemIndex('basalt_fiber'), units: 5 },
    ])
    // Ids are compared in any case: one package that is named twice counts once.
    refuses(small, owner, build([half, half.toUpperCase()]), 'package_mismatch')
    store(small, owner, base, { machine_parts: 10, basalt_fiber: 10, steel_plate: 40 })
    store(small, owner, base, { cargo_container: 1 })
    const rest = pack([
      { item: itemIndex('steel_plate'), units: 40 },
      { item: itemIndex('machine_parts'), units: 10 },
      { item: itemIndex('basalt_fiber'), units: 10 },
    ])
    does(small, owner, 'build', { facility_type: 'smelter', package_ids: [kit, rest, rest] })
    expect(unitsIn(world, from, itemIndex('iron_ore'))).toBe(1)
    expect(unitsIn(world, namedContainer('burned'), CARGO_CONTAINER)).toBe(2)
  })

  it('refuses without skill, service, life support, credits, materials or room', () => {
    const { small, owner, base } = s
    const { world } = small
    const smelter = ['build', { facility_type: 'smelter' }] as const
    refuses(small, owner, ['build', {}], 'invalid_payload')
    refuses(small, owner, ['build', { facility_type: 'private_galley' }], 'build_not_allowed')
    refuses(small, owner, ['build', { facility_type: 'foundry' }], 'upgrade_only')
    refuses(small, owner, smelter, {
      code: 'missing_materials',
      details: { missing: [{ item_id: 'steel_plate', need: 60, have: 0 }, {}, {}] },
    })
    const services = world.read(Base).services[base]
    world.write(Base).services[base] = 0
    refuses(small, owner, smelter, 'requires_service')
    world.write(Base).services[base] = services
    teach(small, owner, 'corporation_management', 0)
    refuses(small, owner, smelter, { code: 'skill_too_low', details: { required: 1 } })
    teach(small, owner, 'corporation_management', 1)
    impoverish(small, walletOf(world, owner), 59_999)
    refuses(small, owner, smelter, { code: 'no_credits', details: { need: 62_000 } })
    const level = world.read(Base).level[base]
    world.write(Base).level[base] = 0
    const supplied = airSupply(world, base)
    const drawn = gridSums(world, base)?.lifeDraw ?? 0
    for (let i = 0; i < supplied - drawn; i++) standing(s, 'crew_quarters', s.other)
    refuses(small, owner, smelter, 'no_life_support')
    world.write(Base).level[base] = level
    for (let i = 0; i < FACILITIES_PER_PLAYER_AND_BASE_MAX; i++) standing(s, 'smelter', owner)
    refuses(small, owner, smelter, 'limit_reached')
  })
})

describe('facility upgrade', () => {
  it('raises the tier in place while the facility keeps running', () => {
    const { small, owner, base } = s
    const row = standing(s, 'smelter', owner)
    const facility_id = String(idOf(row))
    const to = (facility_type: string) => ['upgrade', { facility_id, facility_type }] as const
    refuses(small, owner, to('refinery'), 'upgrade_only')
    refuses(small, owner, to('nonsense'), 'unknown_facility_type')
    refuses(small, s.other, to('foundry'), 'not_owner')
    refuses(small, owner, ['upgrade', { facility_id: 'x', facility_type: 'foundry' }], {
      code: 'facility_not_found',
    })
    refuses(small, owner, to('foundry'), 'missing_materials')
    supply(small, owner, base, 'foundry')
    expect(does(small, owner, 'upgrade', { facility_id, facility_type: 'foundry' })).toMatchObject({
      action: 'upgrade',
      level: 2,
    })
    expect([isRunning(small.world, row), tierOf(small.world, row)]).toEqual([true, 1])
    refuses(small, owner, to('foundry'), 'facility_busy')
    finish(small, row)
    expect([isRunning(small.world, row), tierOf(small.world, row)]).toEqual([true, 2])
    teach(small, owner, 'corporation_management', 2)
    refuses(small, owner, to('refinery'), 'skill_too_low')
    small.world.write(Facility).type[row] = facilityTypeIndex('grand_refinery')
    refuses(small, owner, to('smelter'), 'already_max')
    small.world.write(Facility).type[row] = facilityTypeIndex('foundry')
  })

  const idOf = (row: number) => {
    const { small } = s
    const list = small.ask(s.owner, 'facility', { action: 'owned' }) as never as {
      result: { facilities: { facility_id: string }[] }
    }
    const found = list.result.facilities.find(
      ({ facility_id }) => facilityById(small.world, facility_id) === row,
    )
    return found?.facility_id
  }
})

describe('facility faction_build and faction_upgrade', () => {
  it('are refused without membership, permission, materials or credits', () => {
    const { small, owner, other } = s
    const { world } = small
    const desk = ['faction_build', { facility_type: 'faction_recruitment_desk' }] as const
    refuses(small, owner, desk, 'not_in_faction')
    const faction = company(s, owner, [other])
    refuses(small, other, desk, { code: 'no_permission' })
    refuses(small, owner, desk, 'missing_materials')
    refuses(small, owner, ['faction_build', { ...desk[1], bucket: 'none' }], 'bucket_not_found')
    refuses(small, owner, ['faction_build', { facility_type: 'faction_lockbox' }], {
      code: 'already_exists',
    })
    const treasury = treasuryOf(world, faction)
    const initial = balanceOf(world, treasury)
    impoverish(small, treasury, 74_999)
    refuses(small, owner, desk, 'faction_no_credits')
    expect(initial).toBeGreaterThan(75_000)
  })

  it('require a working lockbox, which is built from the locker of a member', () => {
    const { small, owner, base } = s
    const { world } = small
    const faction = company(s, owner)
    removeFacility(world, factionFacilities(world, faction)[0])
    const desk = { facility_type: 'faction_recruitment_desk' }
    refuses(small, owner, ['faction_build', desk], 'no_faction_storage')
    supply(small, owner, base, 'faction_lockbox')
    // The plain action `build` also builds types of factions for the faction.
    const built = does(small, owner, 'build', { facility_type: 'faction_lockbox' })
    expect(built).toMatchObject({
      action: 'faction_build',
      faction_service: 'faction_storage',
      capacity: 100_000,
      members_awarded_xp: 1,
    })
    expect(countedOf(world, faction, 'facilities')).toBe(1)
    refuses(small, owner, ['faction_build', desk], 'no_faction_storage')
    finish(small, facilityById(world, String(built.facility_id)))
    refuses(small, owner, ['faction_build', desk], 'missing_materials')
  })

  it('start with a shelf, which needs no skill and which a lockbox replaces', () => {
    const { small, owner, base } = s
    const { world } = small
    const faction = company(s, owner)
    removeFacility(world, factionFacilities(world, faction)[0])
    teach(small, owner, 'corporation_management', 0)
    const shelf = { facility_type: 'faction_shelf' }
    supply(small, owner, base, 'faction_shelf')
    const built = does(small, owner, 'faction_build', shelf)
    expect(built).toMatchObject({ faction_service: 'faction_storage', capacity: 2_000 })
    finish(small, facilityById(world, String(built.facility_id)))
    refuses(small, owner, ['faction_build', shelf], 'already_exists')
    teach(small, owner, 'corporation_management', 5)
    const desk = { facility_type: 'faction_recruitment_desk' }
    refuses(small, owner, ['faction_build', desk], 'no_faction_storage')
    const place = { faction, base, bucket: 0 }
    const kept = openStore(world, place)
    for (const [id, units] of [
      ['steel_plate', 200],
      ['circuit_board', 57],
    ] as const) {
      moveItems(world, namedContainer('supply'), kept, itemIndex(id), units)
    }
    const before = balanceOf(world, treasuryOf(world, faction))
    const box = does(small, owner, 'faction_build', { facility_type: 'faction_lockbox' })
    expect(before - balanceOf(world, treasuryOf(world, faction))).toBe(175_000)
    finish(small, facilityById(world, String(box.facility_id)))
    expect(factionFacilities(world, faction)).toHaveLength(1)
    expect(unitsInStore(world, place, itemIndex('circuit_board'))).toBe(7)
    expect(capOfStore(world, place)).toBe(100_000)
    refuses(small, owner, ['faction_build', shelf], 'already_exists')
  })

  it('refuse a lockbox while the shelf is still being built', () => {
    const { small, owner, base } = s
    const { world } = small
    const faction = company(s, owner)
    removeFacility(world, factionFacilities(world, faction)[0])
    supply(small, owner, base, 'faction_shelf')
    const shelf = does(small, owner, 'faction_build', { facility_type: 'faction_shelf' })
    supply(small, owner, base, 'faction_lockbox')
    const box = { facility_type: 'faction_lockbox' }
    refuses(small, owner, ['faction_build', box], 'facility_busy')
    finish(small, facilityById(world, String(shelf.facility_id)))
    expect(factionFacilities(world, faction)).toHaveLength(1)
  })
})
