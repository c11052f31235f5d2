/** Which venue takes a job: presets, and recipes that only some can run. crafting.md 1, 5. */
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
import { bench, done, give, pay, refuses, type Scene } from './scene.ts'

let scene: Scene
let one: Eid

beforeEach(async () => {
  scene = await bench(2, 1_000)
  ;[one] = scene.players
  pay(scene.world, one, 100_000)
})

function build(id: string, player = 0): string {
  const { world, base } = scene
  const owner = { kind: player === 0 ? OF_STATION : OF_PLAYER, player, faction: 0 }
  const type = facilityTypeIndex(id)
  const row: Row = addFacility(world, { type, base, owner, status: ONLINE })
  world.write(Facility).access[row] = player === 0 ? PUBLIC : PRIVATE
  return facilityId(world, row)
}

const smelt = (more: object = {}) => ({ recipe_id: 'smelt_iron', quantity: 100, ...more })

describe('presets', () => {
  test('fast ends first, cheap pays least, prefer_own rents nothing of others', () => {
    const own = build('smelter', one)
    const quick = build('foundry')
    const venue = (preset: string) => done(scene, one, smelt({ preset, dry_run: true })).facility_id
    expect(venue('fast')).toBe(quick)
    expect(venue('cheap')).toBe(own)
    expect(venue('prefer_own')).toBe(own)
    const unsaid = done(scene, one, smelt({ dry_run: true }))
    expect(unsaid.facility_id).toBe(quick)
  })

  test('workshop takes the bench, and costs nothing', () => {
    build('smelter', one)
    const quote = done(scene, one, smelt({ preset: 'workshop', dry_run: true }))
    expect(quote).toMatchObject({ venue_type: 'workshop', credits_total: 0 })
  })
})

describe('what not every venue can do is refused', () => {
  const large = RECIPES.find((recipe) => recipe.facility_only && !recipe.hidden)

  test('recipe_facility_only at the bench, no_venue where no works can run it', () => {
    if (!large) throw new Error('every recipe can be run at the bench')
    for (const { item_id, quantity } of large.inputs) {
      give(scene.world, one, scene.base, itemIndex(item_id), quantity)
    }
    const asked = { recipe_id: large.id, quantity: 1 }
    refuses(scene, one, { ...asked, preset: 'workshop' }, 'recipe_facility_only')
    refuses(scene, one, asked, 'no_venue')
  })

  test('no_logistics: goods are packed where there is a hall for it', () => {
    give(scene.world, one, scene.base, itemIndex('cargo_container'), 1)
    const items = [{ item_id: 'iron_ore', quantity: 10 }]
    refuses(scene, one, { recipe_id: 'pack_package', items }, 'no_logistics')
  })
})
