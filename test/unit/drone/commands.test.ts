/** Scripts, names and lists of drones, and refusals of drones_in_bay. drones.md 1, 4. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex, shipClassIndex } from '../../../core/catalog/index.ts'
import type { Row, World } from '../../../core/types.ts'
import { hop, moveBays } from '../../../systems/drone/lifecycle-rules.ts'
import { disposalRefusal, switchRefusal, uninstallRefusal } from '../../../systems/drone/model.ts'
import { modulesOf } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  BAYS,
  bayed,
  codeOf,
  deployed,
  idOf,
  park,
  placeId,
  shipOf,
  show,
  teachDrones,
  write,
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
const list = () => {
  const outcome = scene.small.ask(scene.owner, 'get_drones')
  return (outcome as { result: Record<string, unknown> }).result
}
const UNKNOWN_ID = '00000000-0000-8000-8000-000000000000'

describe('upload_drone_script', () => {
  test('replaces the script, returns its length and keeps the memory', () => {
    const drone = deployed(scene, 'mining', 'SET_MEM "a" "b"')
    scene.small.ticks(1)
    const script = 'IF cargo_full() DEPOSIT END // \u{1f680}\nMINE'
    expect(act('upload_drone_script', { drone_id: idOf(scene, drone), script })).toMatchObject({
      ok: true,
      result: { drone_id: idOf(scene, drone), script_len: [...script].length },
    })
    expect(show(scene, drone)).toMatchObject({ script, memory: { a: 'b' }, status: 'running' })
    expect(show(scene, drone).cargo_used).toBeGreaterThan(0)
  })

  test('refuses script_error with line, column and kind, and keeps the old script', () => {
    const drone = deployed(scene, 'mining', 'MINE')
    const script = 'MINE\nATTACK "nearest"'
    const outcome = act('upload_drone_script', { drone_id: idOf(scene, drone), script })
    expect(outcome).toMatchObject({
      ok: false,
      code: 'script_error',
      message: expect.stringContaining('Line 2, column 1: a mining drone cannot ATTACK.'),
      details: { line: 2, column: 1, kind: 'action_forbidden' },
    })
    expect(show(scene, drone).script).toBe('MINE')
    const long = 'x'.repeat(2_001)
    const tooLong = act('upload_drone_script', { drone_id: idOf(scene, drone), script: long })
    expect(tooLong).toMatchObject({ code: 'script_error', details: { kind: 'too_long' } })
  })

  test('refuses drone_not_found', () => {
    const params = { drone_id: UNKNOWN_ID, script: 'MINE' }
    expect(refusal('upload_drone_script', params)).toBe('drone_not_found')
  })

  test('clears the script with an empty text, and the drone is idle', () => {
    const drone = deployed(scene, 'mining', 'MINE')
    const outcome = act('upload_drone_script', { drone_id: idOf(scene, drone), script: '' })
    expect(outcome).toMatchObject({ ok: true, result: { script_len: 0 } })
    expect(show(scene, drone)).toMatchObject({ status: 'idle', script: '' })
  })
})

describe('set_drone_name', () => {
  const setName = (drone: Row, name: string) =>
    scene.small.ask(scene.owner, 'set_drone_name', { drone_id: idOf(scene, drone), name })

  test('names a drone, and an empty name clears it', () => {
    const drone = bayed(world, scene.owner, 'scout')
    expect(setName(drone, 'Digger 2')).toMatchObject({ ok: true, result: { name: 'Digger 2' } })
    expect(show(scene, drone).name).toBe('Digger 2')
    expect(setName(drone, '').ok).toBe(true)
    expect(show(scene, drone).name).toBeUndefined()
  })

  test('refuses invalid_name and drone_not_found', () => {
    const drone = bayed(world, scene.owner, 'scout')
    expect(codeOf(setName(drone, 'a'))).toBe('invalid_name')
    expect(codeOf(setName(drone, 'x'.repeat(33)))).toBe('invalid_name')
    expect(setName(drone, 'x'.repeat(32)).ok).toBe(true)
    const params = { drone_id: UNKNOWN_ID, name: 'Nobody' }
    expect(codeOf(scene.small.ask(scene.owner, 'set_drone_name', params))).toBe('drone_not_found')
  })
})

describe('get_drones and get_drone', () => {
  test('list all drones and the limits of the bays', () => {
    teachDrones(world, scene.owner, 3)
    bayed(world, scene.owner, 'combat')
    const miner = deployed(scene, 'mining', '  MINE // dig\nWAIT')
    hop(world, miner, scene.open)
    expect(list()).toMatchObject({
      bay_count: 2,
      bay_capacity: 15,
      deployed_count: 1,
      bandwidth_used: 10,
      bandwidth_total: 240,
      script_slots: 4,
      scripts_running: 1,
    })
    const [first, second] = list().drones as Record<string, unknown>[]
    expect(first).toMatchObject({ type: 'combat_drone', status: 'in_bay', has_script: false })
    expect(second).toMatchObject({
      type: 'mining_drone',
      status: 'traveling',
      travel_to: placeId(scene, scene.open),
      travel_ticks: 6,
      has_script: true,
      script_preview: 'MINE // dig',
    })
  })

  test('refuse drone_not_found to other players', () => {
    const drone = bayed(world, scene.owner, 'scout')
    const params = { drone_id: idOf(scene, drone) }
    expect(scene.small.ask(scene.owner, 'get_drone', params)).toMatchObject({
      ok: true,
      result: { id: idOf(scene, drone), item_id: 'scout_drone', cargo_capacity: 0, max_hull: 30 },
    })
    expect(codeOf(scene.small.ask(scene.other, 'get_drone', params))).toBe('drone_not_found')
  })
})

describe('drones_in_bay', () => {
  test('refuses to uninstall a bay that drones in it or deployed from it need', () => {
    const [first] = modulesOf(world, shipOf(world, scene.owner))
    for (let i = 0; i < 9; i++) bayed(world, scene.owner, 'scout')
    deployed(scene, 'scout')
    expect(uninstallRefusal(world, first)).toBeUndefined()
    deployed(scene, 'scout')
    expect(uninstallRefusal(world, first)).toMatchObject({ code: 'drones_in_bay' })
  })

  test('refuses a switch to a ship without room for the drones in the bays', () => {
    const oldShip = shipOf(world, scene.owner)
    const shipClass = shipClassIndex('almoner')
    const modules = [itemIndex('light_drone_bay')]
    const newShip = createShip(world, { owner: scene.owner, shipClass, modules })
    for (let i = 0; i < 2; i++) bayed(world, scene.owner, 'scout')
    const left = [1, 2].map(() => deployed(scene, 'scout'))
    expect(switchRefusal(world, oldShip, newShip)).toBeUndefined()
    expect(disposalRefusal(world, oldShip)).toMatchObject({ code: 'drones_in_bay' })
    moveBays(world, oldShip, newShip)
    expect(left.map((drone) => show(scene, drone).status)).toEqual(['adrift', 'adrift'])
    const emissions = world.outbox.emissions.filter(({ type }) => type === 'drone_adrift')
    expect(emissions.length).toBe(2)
    bayed(world, scene.owner, 'scout')
    bayed(world, scene.owner, 'scout')
    bayed(world, scene.owner, 'scout')
    expect(switchRefusal(world, oldShip, newShip)).toMatchObject({ code: 'drones_in_bay' })
    expect(BAYS.length).toBe(3)
  })
})

test('a script survives recall, deployment and a restart', async () => {
  const drone = deployed(scene, 'mining', 'MINE')
  const drone_id = idOf(scene, drone)
  expect(act('recall_drone', { drone_id }).ok).toBe(true)
  expect(act('deploy_drone', { drone_id }).ok).toBe(true)
  write(world, drone, 'IF cargo_full() WAIT END MINE')
  park(world, scene.owner, scene.open)
  const reloaded = await scene.small.reload()
  for (const copy of [scene.small, reloaded]) copy.ticks(5)
  expect(reloaded.hash()).toBe(scene.small.hash())
})
