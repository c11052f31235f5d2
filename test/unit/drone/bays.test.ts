/** Loading, deploying, recalling: every command with each of its refusals. drones.md 1, 2, 4. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, type ItemRow, itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Row, World } from '../../../core/types.ts'
import { stow } from '../../../systems/drone/actions-systems.ts'
import { hop } from '../../../systems/drone/lifecycle-rules.ts'
import { dronesOf } from '../../../systems/drone/model.ts'
import { Drone } from '../../../systems/drone/state.ts'
import { cargoUnits, modulesOf } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import {
  bayed,
  codeOf,
  deployed,
  dock,
  fly,
  give,
  idOf,
  placeId,
  shipOf,
  show,
  type Yard,
  yard,
} from './scene.ts'

let at: Yard
let world: World
beforeEach(async () => {
  at = await yard()
  world = at.world
})

const act = (command: string, params: object = {}) => at.small.act(at.owner, command, params)
const refusal = (command: string, params: object = {}): string => codeOf(act(command, params))
/** Puts a unit of a good into the hold of a drone. */
function load(drone: Row, item: number): void {
  stow(world, drone, namedContainer('supply'), { item, units: 1 })
}
const HAZARD = GOODS.findIndex((good) => (good as ItemRow).hazardous === true)
const ILL = '00000000-0000-8000-8000-000000000000'

describe('load_drone', () => {
  test('takes a drone out of the hold into a bay', () => {
    give(world, at.owner, 'mining_drone', 2)
    expect(act('load_drone', { item_id: 'mining_drone' })).toMatchObject({
      ok: true,
      result: {
        drone_type: 'mining_drone',
        hull: 40,
        bay_count: 1,
        bay_capacity: 15,
        status: 'in_bay',
      },
    })
    expect(cargoUnits(world, shipOf(world, at.owner), itemIndex('mining_drone'))).toBe(1)
    const [drone] = dronesOf(world, at.owner)
    expect(show(at, drone)).toMatchObject({ status: 'in_bay', memory: {}, script: '', cargo: [] })
    expect(show(at, drone).deployed_at).toBeUndefined()
  })

  test('refuses unknown_item, not_a_drone and insufficient_items', () => {
    expect(refusal('load_drone', { item_id: 'nothing' })).toBe('unknown_item')
    expect(refusal('load_drone', { item_id: 'iron_ore' })).toBe('not_a_drone')
    expect(refusal('load_drone', { item_id: 'scout_drone' })).toBe('insufficient_items')
  })

  test('refuses no_drone_bay without one, and bay_full: drones that are out count', () => {
    fly(world, at.owner, at.belt, [])
    give(world, at.owner, 'scout_drone')
    expect(refusal('load_drone', { item_id: 'scout_drone' })).toBe('no_drone_bay')
    fly(world, at.owner, at.belt, ['light_drone_bay'])
    give(world, at.owner, 'scout_drone')
    bayed(world, at.owner, 'scout')
    deployed(at, 'scout')
    expect(refusal('load_drone', { item_id: 'scout_drone' })).toBe('bay_full')
  })

  test('refuses limit_reached past 64 drones a player', () => {
    for (let i = 0; i < 64; i++) {
      if (i % 15 === 0) fly(world, at.owner, at.belt)
      bayed(world, at.owner, 'scout')
    }
    fly(world, at.owner, at.belt)
    give(world, at.owner, 'scout_drone')
    expect(refusal('load_drone', { item_id: 'scout_drone' })).toBe('limit_reached')
  })

  test('refuses in_transit under way', () => {
    expect(act('load_drone', { item_id: 'scout_drone' }).ok).toBe(false)
    at.small.tick({
      player: at.owner,
      command: 'travel',
      params: { target_poi: placeId(at, at.open) },
    })
    expect(refusal('load_drone', { item_id: 'scout_drone' })).toBe('in_transit')
  })
})

describe('unload_drone', () => {
  test('gives the item back; script and memory are gone', () => {
    const drone = bayed(world, at.owner, 'mining', 'SET_MEM "a" "b" MINE')
    expect(act('unload_drone', { drone_id: idOf(at, drone) })).toMatchObject({
      ok: true,
      result: { drone_id: idOf(at, drone), item_id: 'mining_drone' },
    })
    expect(dronesOf(world, at.owner)).toEqual([])
    expect(cargoUnits(world, shipOf(world, at.owner), itemIndex('mining_drone'))).toBe(1)
  })

  test('takes what the drone carries along, where it fits', () => {
    const drone = deployed(at, 'mining', 'MINE')
    at.small.ticks(3)
    const carried = show(at, drone).cargo
    expect(act('recall_drone', { drone_id: idOf(at, drone) }).ok).toBe(true)
    expect(act('unload_drone', { drone_id: idOf(at, drone) }).ok).toBe(true)
    for (const { item_id, quantity } of carried) {
      const units = cargoUnits(world, shipOf(world, at.owner), itemIndex(item_id))
      expect(units).toBeGreaterThanOrEqual(quantity)
    }
  })

  test('refuses drone_not_found: an unknown one, or of somebody else', () => {
    const drone = bayed(world, at.owner, 'scout')
    expect(refusal('unload_drone', { drone_id: ILL })).toBe('drone_not_found')
    const other = at.small.act(at.other, 'unload_drone', { drone_id: idOf(at, drone) })
    expect(codeOf(other)).toBe('drone_not_found')
  })

  test('refuses drone_deployed, drone_damaged, drone_not_here and no_cargo_space', () => {
    const out = deployed(at, 'scout')
    expect(refusal('unload_drone', { drone_id: idOf(at, out) })).toBe('drone_deployed')
    const drone = bayed(world, at.owner, 'scout')
    world.write(Drone).hull[drone] = 29
    expect(refusal('unload_drone', { drone_id: idOf(at, drone) })).toBe('drone_damaged')
    world.write(Drone).hull[drone] = 30
    const ship = shipOf(world, at.owner)
    const { cargoCap, cargoUsed } = world.read(Ship)
    give(world, at.owner, 'iron_ore', cargoCap[ship] - cargoUsed[ship] - 4)
    expect(refusal('unload_drone', { drone_id: idOf(at, drone) })).toBe('no_cargo_space')
    fly(world, at.owner, at.belt)
    expect(refusal('unload_drone', { drone_id: idOf(at, drone) })).toBe('drone_not_here')
  })

  test('refuses hazard_not_supported for what only a special hold may carry', () => {
    const drone = bayed(world, at.owner, 'salvage')
    const item = HAZARD
    expect(item).toBeGreaterThan(0)
    load(drone, item)
    expect(refusal('unload_drone', { drone_id: idOf(at, drone) })).toBe('hazard_not_supported')
  })
})

describe('deploy_drone', () => {
  test('puts a drone out at the place of the ship; its script runs in the same tick', () => {
    const drone = bayed(world, at.owner, 'mining', 'MINE')
    expect(act('deploy_drone', { drone_id: idOf(at, drone) })).toMatchObject({
      ok: true,
      result: {
        action: 'deploy_drone',
        drone_type: 'mining_drone',
        hull: 40,
        max_hull: 40,
        status: 'running',
        bandwidth_used: 10,
        bandwidth_total: 240,
      },
    })
    const shown = show(at, drone)
    expect(shown).toMatchObject({ status: 'running', poi_id: placeId(at, at.belt) })
    expect(shown.cargo_used).toBeGreaterThan(0)
    expect(shown.deployed_at).toBeDefined()
  })

  test('undocks by itself', () => {
    const drone = bayed(world, at.owner, 'scout')
    dock(world, at.owner, at.port)
    const answer = at.small.answer(at.owner, 'deploy_drone', { drone_id: idOf(at, drone) })
    expect(answer.outcome.ok).toBe(true)
    expect(show(at, drone)).toMatchObject({ status: 'idle', poi_id: placeId(at, at.port) })
  })

  test('all: with bandwidth 25 two mining drones fit and the third is skipped', () => {
    fly(world, at.owner, at.belt, ['light_drone_bay', 'light_drone_bay'])
    const modules = modulesOf(world, shipOf(world, at.owner))
    expect(modules.length).toBe(2)
    for (let i = 0; i < 3; i++) bayed(world, at.owner, 'combat')
    expect(act('deploy_drone', { all: true })).toMatchObject({
      ok: true,
      result: { action: 'deploy_all_drones', deployed: 3, skipped: 0, bandwidth_used: 45 },
    })
    fly(world, at.owner, at.belt, ['light_drone_bay'])
    for (let i = 0; i < 3; i++) bayed(world, at.owner, 'mining')
    expect(act('deploy_drone', { all: true })).toMatchObject({
      ok: true,
      result: { deployed: 2, skipped: 1, bandwidth_used: 20, bandwidth_total: 25 },
    })
  })

  test('refuses drone_not_found, already_deployed, bandwidth_exceeded and drone_not_here', () => {
    expect(refusal('deploy_drone', { drone_id: ILL })).toBe('drone_not_found')
    const out = deployed(at, 'scout')
    expect(refusal('deploy_drone', { drone_id: idOf(at, out) })).toBe('already_deployed')
    const drone = bayed(world, at.owner, 'combat')
    fly(world, at.owner, at.belt, ['light_drone_bay'])
    expect(refusal('deploy_drone', { drone_id: idOf(at, drone) })).toBe('drone_not_here')
    const [first, second] = [1, 2].map(() => bayed(world, at.owner, 'combat'))
    expect(act('deploy_drone', { drone_id: idOf(at, first) }).ok).toBe(true)
    expect(refusal('deploy_drone', { drone_id: idOf(at, second) })).toBe('bandwidth_exceeded')
  })

  test('refuses nothing_to_deploy with empty bays, and invalid_payload with neither field', () => {
    expect(refusal('deploy_drone', { all: true })).toBe('nothing_to_deploy')
    expect(refusal('deploy_drone')).toBe('invalid_payload')
    expect(refusal('deploy_drone', { all: false })).toBe('invalid_payload')
  })
})

describe('recall_drone', () => {
  test('takes a drone back into its bay, docked or not; it is not mended', () => {
    const drone = deployed(at, 'mining', 'SET_MEM "k" "v"', at.port)
    at.small.ticks(1)
    world.write(Ship).hull[world.read(Drone).body[drone]] = 7
    dock(world, at.owner, at.port)
    expect(act('recall_drone', { drone_id: idOf(at, drone) })).toMatchObject({
      ok: true,
      result: { recalled: 1, skipped: 0 },
    })
    expect(show(at, drone)).toMatchObject({ status: 'in_bay', hull: 7, memory: { k: 'v' } })
    expect(show(at, drone).script).toBe('SET_MEM "k" "v"')
  })

  test('all: those at the place, the others are skipped', () => {
    const here = [1, 2].map(() => deployed(at, 'scout'))
    const away = deployed(at, 'scout', '', at.open)
    const flying = deployed(at, 'scout')
    hop(world, flying, at.open)
    expect(act('recall_drone', { all: true })).toMatchObject({
      ok: true,
      result: { recalled: 2, skipped: 2 },
    })
    expect(here.map((drone) => show(at, drone).status)).toEqual(['in_bay', 'in_bay'])
    expect(show(at, away).status).toBe('idle')
  })

  test('refuses drone_not_found, not_deployed, drone_not_here and drone_traveling', () => {
    const drone = bayed(world, at.owner, 'scout')
    expect(refusal('recall_drone', { drone_id: ILL })).toBe('drone_not_found')
    expect(refusal('recall_drone', { drone_id: idOf(at, drone) })).toBe('not_deployed')
    expect(refusal('recall_drone', { all: true })).toBe('not_deployed')
    expect(refusal('recall_drone')).toBe('invalid_payload')
    const away = deployed(at, 'scout', '', at.open)
    expect(refusal('recall_drone', { drone_id: idOf(at, away) })).toBe('drone_not_here')
    const flying = deployed(at, 'scout')
    hop(world, flying, at.open)
    expect(refusal('recall_drone', { drone_id: idOf(at, flying) })).toBe('drone_traveling')
  })

  test('refuses bay_full where another ship has no room for it', () => {
    const drone = deployed(at, 'scout')
    fly(world, at.owner, at.belt, ['light_drone_bay'])
    for (let i = 0; i < 2; i++) bayed(world, at.owner, 'scout')
    expect(refusal('recall_drone', { drone_id: idOf(at, drone) })).toBe('bay_full')
  })
})
