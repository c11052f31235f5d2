/** The venue that takes a job: presets, and recipes that only some can run. crafting.md 1, 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { facilityTypeIndex, itemIndex, RECIPES } from '../../../core/catalog/index.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { addFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { facilityId } from '../../../systems/facility/model.ts'
import {
  Facility,
  OF_PLAYER,
  OF_STATION,
  ONLINE,
  PRIVATE,
  PUBLIC,
} from '../../../systems/facility/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { bench, done, give, pay, refuses, type Scene } from './scene.ts'

onSmallMap()

let scene: Scene
let ann: Eid

beforeEach(async () => {
  scene = await bench(2, 1_000)
  ;[ann] = scene.players
  pay(scene.world, ann, 100_000)
})

function build(id: string, player = 0): string {
  const { world, base } = scene
  const owner = { kind: player === 0 ? OF_STATION : OF_PLAYER, player, faction: 0 }
  const type = facilityTypeIndex(id)
  const row: Row = addFacility(world, { type, base, owner, status: ONLINE })
  world.write(Facility).access[row] = player === 0 ? PUBLIC : PRIVATE
  return facilityId(world, row)
}

const smelt = (overrides: object = {}) => ({
  recipe_id: 'smelt_iron',
  quantity: 100,
  ...overrides,
})

describe('presets', () => {
  test('choose the soonest (fast), the cheapest (cheap) or an own venue (prefer_own)', () => {
    const own = build('smelter', ann)
    const quick = build('foundry')
    const venue = (preset: string) => done(scene, ann, smelt({ preset, dry_run: true })).facility_id
    expect(venue('fast')).toBe(quick)
    expect(venue('cheap')).toBe(own)
    expect(venue('prefer_own')).toBe(own)
    const byDefault = done(scene, ann, smelt({ dry_run: true }))
    expect(byDefault.facility_id).toBe(quick)
  })

  test('choose the free workshop (workshop)', () => {
    build('smelter', ann)
    const quote = done(scene, ann, smelt({ preset: 'workshop', dry_run: true }))
    expect(quote).toMatchObject({ venue_type: 'workshop', credits_total: 0 })
  })
})

describe('a job without a suitable venue', () => {
  const large = RECIPES.find((recipe) => recipe.facility_only && !recipe.hidden)

  test('is refused with recipe_facility_only at a workshop, else with no_venue', () => {
    if (!large) throw new Error('every recipe can be run at the bench')
    for (const { item_id, quantity } of large.inputs) {
      give(scene.world, ann, scene.base, itemIndex(item_id), quantity)
    }
    const request = { recipe_id: large.id, quantity: 1 }
    refuses(scene, ann, { ...request, preset: 'workshop' }, 'recipe_facility_only')
    refuses(scene, ann, request, 'no_venue')
  })

  test('is refused with no_logistics if it packs goods without a packing room', () => {
    give(scene.world, ann, scene.base, itemIndex('cargo_container'), 1)
    const items = [{ item_id: 'iron_ore', quantity: 10 }]
    refuses(scene, ann, { recipe_id: 'pack_package', items }, 'no_logistics')
  })
})
