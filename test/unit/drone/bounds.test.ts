/** Bounds of drones: full script tables, crowded places, and owners who are away. */
import { beforeEach, expect, test } from 'vitest'
import { NEARBY_PLAYERS_MAX } from '../../../core/limits.ts'
import type { World } from '../../../core/types.ts'
import { compile, lacksScriptRoom } from '../../../systems/drone/compile-model.ts'
import { droneYield } from '../../../systems/drone/kernels.ts'
import { wordOf } from '../../../systems/drone/model.ts'
import { dropWord, holdText } from '../../../systems/drone/script-rules.ts'
import { Drone, DroneWord } from '../../../systems/drone/state.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { Location } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { deployed, park, payloadsOf, show, stockUp, teachDrones, type Yard, yard } from './scene.ts'

onSmallMap()

let scene: Yard
let world: World
beforeEach(async () => {
  scene = await yard()
  world = scene.world
  teachDrones(world, scene.owner)
})

test('script rows that were freed in a tick are free from the next tick on', () => {
  const drone = deployed(scene, 'mining')
  for (let i = 0; world.roomIn(DroneWord) > 0; i++) holdText(world, `filler ${i}`)
  for (let i = 0; i < 5; i++) dropWord(world, wordOf(world, `filler ${i}`))
  const compiled = compile('SET_MEM "never" "heard"', world.read(Drone).type[drone])
  if (!compiled.ok) throw new Error('the script does not compile')
  expect(lacksScriptRoom(world, compiled.program)).toBe(true)
  world.recycle()
  expect(lacksScriptRoom(world, compiled.program)).toBe(false)
})

test('SCAN shows at most as many players as a list of nearby players', () => {
  deployed(scene, 'scout', 'SCAN')
  for (let i = 0; i <= NEARBY_PLAYERS_MAX; i++) {
    park(world, scene.small.join(`Crowd ${i}`), scene.belt)
  }
  scene.small.takeEmissions()
  scene.small.ticks(1)
  expect(payloadsOf(scene, 'drone_scan')[0].players).toHaveLength(NEARBY_PLAYERS_MAX)
}, 60_000)

test('a mining drone mines with power 1 in every fourth tick while its owner is away', () => {
  stockUp(world, scene.belt)
  const drone = deployed(scene, 'mining', 'MINE')
  const mined = () => show(scene, drone).cargo.reduce((sum, { quantity }) => sum + quantity, 0)
  // Any other system.
  world.write(Location).system[activeShip(world, scene.owner)] = scene.system === 1 ? 2 : 1
  const pulls = [1, 2, 3, 4, 5, 6, 7, 8].map(() => {
    const before = mined()
    scene.small.ticks(1)
    return mined() - before
  })
  expect(pulls.filter((units) => units > 0)).toHaveLength(2)
  // Power 1, richness 100 and drone control 20.
  expect(Math.max(...pulls)).toBeLessThanOrEqual(droneYield(1, 100, 20))
  world.write(Location).system[activeShip(world, scene.owner)] = scene.system
})
