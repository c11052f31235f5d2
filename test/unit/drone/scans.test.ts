/** Drones that scan and survey, and drones whose owner is away. Source: drones.md section 3.6. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, type ItemRow } from '../../../core/catalog/index.ts'
import { contentsOf } from '../../../core/goods.ts'
import type { Row, World } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { lockerOf } from '../../../systems/cargo/model.ts'
import { Drone } from '../../../systems/drone/state.ts'
import { depositsOf } from '../../../systems/mining/model.ts'
import { seesPoi } from '../../../systems/sensing/model.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  deployed,
  idOf,
  park,
  payloadsOf,
  placeId,
  stockUp,
  teach,
  teachDrones,
  type Yard,
  yard,
} from './scene.ts'

onSmallMap()

let scene: Yard
let world: World
let drone: Row
beforeEach(async () => {
  scene = await yard()
  world = scene.world
  teachDrones(world, scene.owner)
  stockUp(world, scene.belt)
  scene.small.takeEmissions()
})

const xp = (): number => xpOf(world, scene.owner, 'drone_control')

describe('SCAN', () => {
  test('reports visible players in drone_scan and trains drone control', () => {
    drone = deployed(scene, 'scout', 'SCAN')
    scene.small.ticks(1)
    const [payload] = payloadsOf(scene, 'drone_scan')
    expect(payload).toMatchObject({
      drone_id: idOf(scene, drone),
      poi_id: placeId(scene, scene.belt),
    })
    expect(payload.players).toEqual([
      { id: playerId(world, scene.other), username: 'Tester 2', hull_pct: 100 },
    ])
    expect(xp()).toBe(5)
  })

  test('shows no cloaked player, and no name of an anonymous one', () => {
    drone = deployed(scene, 'scout', 'SCAN')
    world.write(Player).anonymous[scene.other] = 1
    scene.small.ticks(1)
    expect(payloadsOf(scene, 'drone_scan')[0].players).toEqual([
      { id: '', username: '', hull_pct: 100 },
    ])
    world.write(Player).cloaked[scene.other] = 1
    scene.small.ticks(1)
    expect(payloadsOf(scene, 'drone_scan')[0].players).toEqual([])
  })
})

test('SURVEY reveals a hidden place once the scanning of the owner suffices', () => {
  const { hidden, difficulty } = world.write(Poi)
  hidden[scene.open] = 1
  difficulty[scene.open] = 12
  drone = deployed(scene, 'scout', 'SURVEY')
  scene.small.ticks(1)
  expect(seesPoi(world, scene.owner, scene.open)).toBe(false)
  const [survey] = payloadsOf(scene, 'drone_survey')
  expect(survey).toMatchObject({ drone_id: idOf(scene, drone), poi_id: placeId(scene, scene.belt) })
  expect((survey.resources as unknown[]).length).toBe(depositsOf(world, scene.belt).length)
  teach(world, scene.owner, 'scanning', 20)
  scene.small.ticks(1)
  expect(seesPoi(world, scene.owner, scene.open)).toBe(true)
  expect(seesPoi(world, scene.other, scene.open)).toBe(false)
  expect(payloadsOf(scene, 'drone_survey').map(({ poi_id }) => poi_id)).toContain(
    placeId(scene, scene.open),
  )
  scene.small.ticks(1)
  expect(payloadsOf(scene, 'drone_survey').length).toBe(1)
})

test('a mining drone fills the store of an owner who is away for 1,000 ticks', () => {
  const [belt, port] = [placeId(scene, scene.belt), placeId(scene, scene.port)]
  const source =
    `IF at("${port}") IF cargo_pct() > 0 DEPOSIT END MOVE "${belt}" END\n` +
    `IF cargo_full() MOVE "${port}" END\nMINE`
  drone = deployed(scene, 'mining', source)
  park(world, scene.owner, scene.open)
  const base = world.read(Poi).base[scene.port]
  const stored = (): number => {
    const locker = lockerOf(world, scene.owner, base)
    return locker === 0 ? 0 : contentsOf(world, locker).reduce((sum, { units }) => sum + units, 0)
  }
  scene.small.ticks(500)
  const half = stored()
  expect(half).toBeGreaterThan(100)
  scene.small.ticks(500)
  expect(stored()).toBeGreaterThan(half + 100)
  expect(world.read(Drone).alive[drone]).toBe(1)
})

test('drone control gains five points an action and at most 2,000 a day', () => {
  drone = deployed(scene, 'scout', 'SCAN')
  for (let i = 0; i < 14; i++) deployed(scene, 'scout', 'SCAN')
  scene.small.ticks(30)
  expect(world.read(Drone).running[drone]).toBe(1)
  expect(xp()).toBe(2_000)
})

test('the catalogue has five drone items', () => {
  const ids = GOODS.filter((good) => (good as ItemRow).category === 'drone').map(({ id }) => id)
  expect(ids.length).toBe(5)
})
