/** What craft refuses without changing anything. Source: crafting.md sections 5, 14. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { jobsOf } from '../../../systems/craft/venue-model.ts'
import { activeShip, loadCargo } from '../../../systems/ship/model.ts'
import { act, baseWith, bench, dockAt, done, give, ORE, refuses, type Scene } from './scene.ts'

let scene: Scene
let player: Eid

beforeEach(async () => {
  scene = await bench()
  ;[player] = scene.players
})

const order = (params: object = {}) => done(scene, player, { recipe_id: 'smelt_iron', ...params })

describe('craft refuses', () => {
  test('unknown and missing recipes', () => {
    refuses(scene, player, { recipe_id: 'alchemy' }, 'unknown_recipe')
    refuses(scene, player, { quantity: 5 }, 'invalid_payload')
    refuses(scene, player, {}, 'invalid_payload', 'recycle')
  })

  test('an item that two recipes make, naming both recipes', () => {
    const details = refuses(
      scene,
      player,
      { recipe_id: 'copper_wire' },
      'unknown_recipe',
      'recycle',
    )
    expect(details).toEqual({
      recipe_id: 'copper_wire',
      recipes: ['draw_copper', 'strip_scorched_wiring'],
    })
    expect(order({ recipe_id: 'iron_ingot', dry_run: true })).toEqual(order({ dry_run: true }))
  })

  test('an order that lacks materials, naming them', () => {
    const details = refuses(
      scene,
      player,
      { recipe_id: 'smelt_iron', quantity: 501 },
      'missing_materials',
    )
    expect(details).toEqual({
      missing: [{ item_id: 'iron_ore', item_name: expect.any(String), need: 1_002, have: 1_000 }],
    })
  })

  test('goods in the hold, with a hint to store them', () => {
    const { world } = scene
    const copper = itemIndex('copper_ore')
    loadCargo(world, activeShip(world, player), namedContainer('mined'), copper, 4)
    const params = { recipe_id: 'draw_copper', quantity: 2 }
    const aboard = /: 0 of 4\..* In the hold are 4 Copper Ore \(copper_ore\): .*deposit_items/
    expect(act(scene, player, 'craft', params)).toMatchObject({
      code: 'missing_materials',
      message: expect.stringMatching(aboard),
    })
    expect(act(scene, player, 'craft', { ...params, dry_run: true })).toMatchObject({
      result: { have_inputs: false, message: expect.stringMatching(aboard) },
    })
  })

  test('fields that contradict each other', () => {
    const { job_id } = order({ quantity: 100 })
    const recipe_id = 'smelt_iron'
    for (const params of [
      { job_id, recipe_id },
      { job_id, job_ids: [job_id] },
      { job_ids: [job_id], deliver_to: 'storage' },
      { job_id, dry_run: true },
      { action: 'queue', recipe_id },
      { action: 'queue', job_id },
      { action: 'cancel' },
      { jobs: [{ recipe_id }], recipe_id },
      { recipe_id, facility_id: 'x', preset: 'fast' },
      { recipe_id, source: 'cargo' },
    ]) {
      refuses(scene, player, params, 'invalid_payload')
    }
  })

  test('more than a job may hold', () => {
    refuses(scene, player, { recipe_id: 'smelt_iron', quantity: 10_001 }, 'job_limit_reached')
  })

  test('more than two hours of work at a bench, with what fits', () => {
    give(scene.world, player, scene.base, ORE, 20_000)
    const refused = scene.small.act(player, 'craft', { recipe_id: 'smelt_iron', quantity: 10_000 })
    expect(refused).toMatchObject({
      code: 'job_limit_reached',
      details: { of: 'runs', ticks: 720 },
    })
    const { most } = (refused as unknown as { details: { most: number } }).details
    expect(most).toBeGreaterThan(100)
    expect(order({ quantity: most })).toMatchObject({ runs: most })
    refuses(scene, player, { recipe_id: 'smelt_iron', quantity: most }, 'job_limit_reached')
  })

  test('more than 200 jobs of one player', () => {
    give(scene.world, player, scene.base, ORE, 100_000)
    // The first job is long enough for all others to wait.
    done(scene, player, { recipe_id: 'smelt_iron', quantity: 100 })
    const jobs = Array.from({ length: 50 }, () => ({ recipe_id: 'smelt_iron', quantity: 3 }))
    for (let i = 0; i < 4; i++) done(scene, player, { jobs: jobs.slice(i === 0 ? 1 : 0) })
    expect(jobsOf(scene.world, player)).toHaveLength(200)
    refuses(scene, player, { recipe_id: 'smelt_iron' }, 'job_limit_reached')
  })

  test('stores of a faction to players without one', () => {
    refuses(scene, player, { recipe_id: 'smelt_iron', deliver_to: 'faction' }, 'not_in_faction')
    refuses(scene, player, { recipe_id: 'smelt_iron', source: 'faction:ores' }, 'not_in_faction')
  })

  test('an unknown store, naming the field that names it', () => {
    const fieldOf = (params: object) =>
      refuses(scene, player, { recipe_id: 'smelt_iron', ...params }, 'invalid_payload')
    expect(fieldOf({ source: 'attic' })).toMatchObject({ fields: [{ field: 'source' }] })
    expect(fieldOf({ deliver_to: 'attic' })).toMatchObject({ fields: [{ field: 'deliver_to' }] })
    const split = { source: 'storage', deliver_to: 'attic' }
    expect(fieldOf(split)).toMatchObject({ fields: [{ field: 'deliver_to' }] })
  })

  test('an unknown facility', () => {
    refuses(scene, player, { recipe_id: 'smelt_iron', facility_id: 'x' }, 'facility_not_found')
  })

  test('a workshop at a base without one', () => {
    const other = baseWith(scene.world, ['storage'], ['crafting'])
    dockAt(scene.world, player, other)
    give(scene.world, player, other, ORE, 10)
    refuses(scene, player, { recipe_id: 'smelt_iron', preset: 'workshop' }, 'no_crafting_service')
  })
})
