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
import { onSmallMap } from '../../small-world.ts'
import {
  bayed,
  boardNewShip,
  codeOf,
  deployed,
  dock,
  give,
  idOf,
  placeId,
  shipOf,
  show,
  type Yard,
  yard,
} from './scene.ts'

onSmallMap()

let scene: Yard
let world: World
beforeEach(async () => {
  scene = await yard()
  world = scene.world
})

const act = (command: string, params: object = {}) => scene.small.act(scene.owner, command, params)
const refusal = (command: string, params: object = {}): string => codeOf(act(command, params))
/** Puts a unit of a good into the hold of a drone. */
function load(drone: Row, item: number): void {
  stow(world, drone, namedContainer('supply'), { item, units: 1 })
}
const HAZARD = GOODS.findIndex((good) => (good as ItemRow).hazardous === true)
const UNKNOWN_ID = '00000000-0000-8000-8000-000000000000'

describe('load_drone', () => {
  test('takes a drone out of the hold into a bay', () => {
    give(world, scene.owner, 'mining_drone', 2)
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
    expect(cargoUnits(world, shipOf(world, scene.owner), itemIndex('mining_drone'))).toBe(1)
    const [drone] = dronesOf(world, scene.owner)
    expect(show(scene, drone)).toMatchObject({
      status: 'in_bay',
      memory: {},
      script: '',
      cargo: [],
    })
    expect(show(scene, drone).deployed_at).toBeUndefined()
  })

  test('refuses unknown_item, not_a_drone and insufficient_items', () => {
    expect(refusal('load_drone', { item_id: 'nothing' })).toBe('unknown_item')
    expect(refusal('load_drone', { item_id: 'iron_ore' })).toBe('not_a_drone')
    expect(refusal('load_drone', { item_id: 'scout_drone' })).toBe('insufficient_items')
  })

  test('refuses no_drone_bay without a bay, and bay_full counting deployed drones', () => {
    boardNewShip(world, scene.owner, scene.belt, [])
    give(world, scene.owner, 'scout_drone')
    expect(refusal('load_drone', { item_id: 'scout_drone' })).toBe('no_drone_bay')
    boardNewShip(world, scene.owner, scene.belt, ['light_drone_bay'])
    give(world, scene.owner, 'scout_drone')
    bayed(world, scene.owner, 'scout')
    deployed(scene, 'scout')
    expect(refusal('load_drone', { item_id: 'scout_drone' })).toBe('bay_full')
  })

  test('refuses limit_reached past 64 drones a player', () => {
    for (let i = 0; i < 64; i++) {
      if (i % 15 === 0) boardNewShip(world, scene.owner, scene.belt)
      bayed(world, scene.owner, 'scout')
    }
    boardNewShip(world, scene.owner, scene.belt)
    give(world, scene.owner, 'scout_drone')
    expect(refusal('load_drone', { item_id: 'scout_drone' })).toBe('limit_reached')
  })

  test('refuses in_transit while the ship travels', () => {
    scene.small.tick({
      player: scene.owner,
      command: 'travel',
      params: { target_poi: placeId(scene, scene.open) },
    })
    expect(refusal('load_drone', { item_id: 'scout_drone' })).toBe('in_transit')
  })
})

describe('unload_drone', () => {
  test('gives the item back and removes the drone', () => {
    const drone = bayed(world, scene.owner, 'mining', 'SET_MEM "a" "b" MINE')
    expect(act('unload_drone', { drone_id: idOf(scene, drone) })).toMatchObject({
      ok: true,
      result: { drone_id: idOf(scene, drone), item_id: 'mining_drone' },
    })
    expect(dronesOf(world, scene.owner)).toEqual([])
    expect(cargoUnits(world, shipOf(world, scene.owner), itemIndex('mining_drone'))).toBe(1)
  })

  test('moves the cargo of the drone into the hold', () => {
    const drone = deployed(scene, 'mining', 'MINE')
    scene.small.ticks(3)
    const carried = show(scene, drone).cargo
    expect(act('recall_drone', { drone_id: idOf(scene, drone) }).ok).toBe(true)
    expect(act('unload_drone', { drone_id: idOf(scene, drone) }).ok).toBe(true)
    for (const { item_id, quantity } of carried) {
      const units = cargoUnits(world, shipOf(world, scene.owner), itemIndex(item_id))
      expect(units).toBeGreaterThanOrEqual(quantity)
    }
  })

  test('refuses drone_not_found for an unknown drone or that of another player', () => {
    const drone = bayed(world, scene.owner, 'scout')
    expect(refusal('unload_drone', { drone_id: UNKNOWN_ID })).toBe('drone_not_found')
    const other = scene.small.act(scene.other, 'unload_drone', { drone_id: idOf(scene, drone) })
    expect(codeOf(other)).toBe('drone_not_found')
  })

  test('refuses drone_deployed, drone_damaged, drone_not_here and no_cargo_space', () => {
    const out = deployed(scene, 'scout')
    expect(refusal('unload_drone', { drone_id: idOf(scene, out) })).toBe('drone_deployed')
    const drone = bayed(world, scene.owner, 'scout')
    world.write(Drone).hull[drone] = 29
    expect(refusal('unload_drone', { drone_id: idOf(scene, drone) })).toBe('drone_damaged')
    world.write(Drone).hull[drone] = 30
    const ship = shipOf(world, scene.owner)
    const { cargoCap, cargoUsed } = world.read(Ship)
    give(world, scene.owner, 'iron_ore', cargoCap[ship] - cargoUsed[ship] - 4)
    expect(refusal('unload_drone', { drone_id: idOf(scene, drone) })).toBe('no_cargo_space')
    boardNewShip(world, scene.owner, scene.belt)
    expect(refusal('unload_drone', { drone_id: idOf(scene, drone) })).toBe('drone_not_here')
  })

  test('refuses hazard_not_supported for a drone that carries a hazardous good', () => {
    const drone = bayed(world, scene.owner, 'salvage')
    const item = HAZARD
    expect(item).toBeGreaterThan(0)
    load(drone, item)
    expect(refusal('unload_drone', { drone_id: idOf(scene, drone) })).toBe('hazard_not_supported')
  })
})

describe('deploy_drone', () => {
  test('deploys a drone at the place of the ship and runs its script in the same tick', () => {
    const drone = bayed(world, scene.owner, 'mining', 'MINE')
    expect(act('deploy_drone', { drone_id: idOf(scene, drone) })).toMatchObject({
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
    const shown = show(scene, drone)
    expect(shown).toMatchObject({ status: 'running', poi_id: placeId(scene, scene.belt) })
    expect(shown.cargo_used).toBeGreaterThan(0)
    expect(shown.deployed_at).toBeDefined()
  })

  test('undocks the ship', () => {
    const drone = bayed(world, scene.owner, 'scout')
    dock(world, scene.owner, scene.port)
    const answer = scene.small.answer(scene.owner, 'deploy_drone', { drone_id: idOf(scene, drone) })
    expect(answer.outcome.ok).toBe(true)
    expect(show(scene, drone)).toMatchObject({ status: 'idle', poi_id: placeId(scene, scene.port) })
  })

  test('deploys all drones that the bandwidth allows and skips the others', () => {
    boardNewShip(world, scene.owner, scene.belt, ['light_drone_bay', 'light_drone_bay'])
    const modules = modulesOf(world, shipOf(world, scene.owner))
    expect(modules.length).toBe(2)
    for (let i = 0; i < 3; i++) bayed(world, scene.owner, 'combat')
    expect(act('deploy_drone', { all: true })).toMatchObject({
      ok: true,
      result: { action: 'deploy_all_drones', deployed: 3, skipped: 0, bandwidth_used: 45 },
    })
    boardNewShip(world, scene.owner, scene.belt, ['light_drone_bay'])
    for (let i = 0; i < 3; i++) bayed(world, scene.owner, 'mining')
    expect(act('deploy_drone', { all: true })).toMatchObject({
      ok: true,
      result: { deployed: 2, skipped: 1, bandwidth_used: 20, bandwidth_total: 25 },
    })
  })

  test('refuses drone_not_found, already_deployed, bandwidth_exceeded and drone_not_here', () => {
    expect(refusal('deploy_drone', { drone_id: UNKNOWN_ID })).toBe('drone_not_found')
    const out = deployed(scene, 'scout')
    expect(refusal('deploy_drone', { drone_id: idOf(scene, out) })).toBe('already_deployed')
    const drone = bayed(world, scene.owner, 'combat')
    boardNewShip(world, scene.owner, scene.belt, ['light_drone_bay'])
    expect(refusal('deploy_drone', { drone_id: idOf(scene, drone) })).toBe('drone_not_here')
    const [first, second] = [1, 2].map(() => bayed(world, scene.owner, 'combat'))
    expect(act('deploy_drone', { drone_id: idOf(scene, first) }).ok).toBe(true)
    expect(refusal('deploy_drone', { drone_id: idOf(scene, second) })).toBe('bandwidth_exceeded')
  })

  test('refuses nothing_to_deploy with empty bays, and invalid_payload with neither field', () => {
    expect(refusal('deploy_drone', { all: true })).toBe('nothing_to_deploy')
    expect(refusal('deploy_drone')).toBe('invalid_payload')
    expect(refusal('deploy_drone', { all: false })).toBe('invalid_payload')
  })
})

describe('recall_drone', () => {
  test('takes a drone back into its bay without repairing it', () => {
    const drone = deployed(scene, 'mining', 'SET_MEM "k" "v"', scene.port)
    scene.small.ticks(1)
    world.write(Ship).hull[world.read(Drone).body[drone]] = 7
    dock(world, scene.owner, scene.port)
    expect(act('recall_drone', { drone_id: idOf(scene, drone) })).toMatchObject({
      ok: true,
      result: { recalled: 1, skipped: 0 },
    })
    expect(show(scene, drone)).toMatchObject({ status: 'in_bay', hull: 7, memory: { k: 'v' } })
    expect(show(scene, drone).script).toBe('SET_MEM "k" "v"')
  })

  test('recalls all drones at the place and skips the others', () => {
    const here = [1, 2].map(() => deployed(scene, 'scout'))
    const away = deployed(scene, 'scout', '', scene.open)
    const flying = deployed(scene, 'scout')
    hop(world, flying, scene.open)
    expect(act('recall_drone', { all: true })).toMatchObject({
      ok: true,
      result: { recalled: 2, skipped: 2 },
    })
    expect(here.map((drone) => show(scene, drone).status)).toEqual(['in_bay', 'in_bay'])
    expect(show(scene, away).status).toBe('idle')
  })

  test('refuses drone_not_found, not_deployed, drone_not_here and drone_traveling', () => {
    const drone = bayed(world, scene.owner, 'scout')
    expect(refusal('recall_drone', { drone_id: UNKNOWN_ID })).toBe('drone_not_found')
    expect(refusal('recall_drone', { drone_id: idOf(scene, drone) })).toBe('not_deployed')
    expect(refusal('recall_drone', { all: true })).toBe('not_deployed')
    expect(refusal('recall_drone')).toBe('invalid_payload')
    const away = deployed(scene, 'scout', '', scene.open)
    expect(refusal('recall_drone', { drone_id: idOf(scene, away) })).toBe('drone_not_here')
    const flying = deployed(scene, 'scout')
    hop(world, flying, scene.open)
    expect(refusal('recall_drone', { drone_id: idOf(scene, flying) })).toBe('drone_traveling')
  })

  test('refuses bay_full if the current ship has no room', () => {
    const drone = deployed(scene, 'scout')
    boardNewShip(world, scene.owner, scene.belt, ['light_drone_bay'])
    for (let i = 0; i < 2; i++) bayed(world, scene.owner, 'scout')
    expect(refusal('recall_drone', { drone_id: idOf(scene, drone) })).toBe('bay_full')
  })
})
