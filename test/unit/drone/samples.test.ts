/** Each sample script of the drone guide does what it describes, over 100 ticks. */
import { beforeEach, expect, test } from 'vitest'
import { DRONE_SAMPLES } from '../../../core/catalog/guides/drone-samples.ts'
import { GUIDES } from '../../../core/catalog/guides.ts'
import { STARTER } from '../../../core/catalog/index.ts'
import { contentsOf } from '../../../core/goods.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { containersAt, lockerOf } from '../../../systems/cargo/model.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { participantOf } from '../../../systems/combat/model.ts'
import { Participant, STANCES } from '../../../systems/combat/state.ts'
import { compile } from '../../../systems/drone/compile-model.ts'
import { DRONE_TYPES } from '../../../systems/drone/figures-model.ts'
import { memoryOf } from '../../../systems/drone/model.ts'
import { Drone } from '../../../systems/drone/state.ts'
import { makePirate } from '../../../systems/npc/spawn-systems.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { makeWreck } from '../../../systems/salvage/make-rules.ts'
import { wrecksAt } from '../../../systems/salvage/model.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { spaceUsed } from '../../../systems/ship/model.ts'
import { releaseShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  boardNewShip,
  deployed,
  give,
  lastAction,
  park,
  payloadsOf,
  placeId,
  shipOf,
  show,
  stockUp,
  teachDrones,
  type Yard,
  yard,
} from './scene.ts'

onSmallMap()

const TICKS = 100

let scene: Yard
let world: World
let drone: Row
beforeEach(async () => {
  scene = await yard({ lawless: true })
  world = scene.world
  // At this police level the system spawns no pirates of its own.
  world.write(StarSystem).police[scene.system] = 60
  teachDrones(world, scene.owner)
  stockUp(world, scene.belt)
  park(world, scene.other, scene.open)
  scene.small.takeEmissions()
})

/** Deploys a drone with a sample's script, in which the places are filled in. */
function startSample(id: string, from = scene.belt): Row {
  const sample = DRONE_SAMPLES.find((row) => row.id === id)
  if (!sample) throw new Error(`there is no sample ${id}`)
  const script = sample.script
    .replaceAll('"BELT"', `"${placeId(scene, scene.belt)}"`)
    .replaceAll('"PORT"', `"${placeId(scene, scene.port)}"`)
    .replaceAll('"POST"', `"${placeId(scene, scene.open)}"`)
  drone = deployed(scene, sample.type, script, from)
  return drone
}

/** Returns what `look` saw of the drone after each tick. */
function watch<T>(ticks: number, look: () => T): T[] {
  return Array.from({ length: ticks }, () => {
    scene.small.ticks(1)
    return look()
  })
}

const stored = (): number => {
  const locker = lockerOf(world, scene.owner, world.read(Poi).base[scene.port])
  return locker === 0 ? 0 : contentsOf(world, locker).reduce((sum, { units }) => sum + units, 0)
}
const placeOfDrone = (): string => show(scene, drone).poi_id ?? 'on its way'

function pirateAt(poi: Eid): Eid {
  const hull = world.read(Npc).ship[makePirate(world, scene.system, 0)]
  placeInSpace(world, hull, poi)
  return hull
}

function wreckHere(ore: number, value: number): Row {
  const ship = boardNewShip(world, scene.other, scene.belt, [], 'almoner')
  if (ore > 0) give(world, scene.other, 'iron_ore', ore)
  boardNewShip(world, scene.other, scene.open, [], STARTER[0].ship_class)
  removeFromMap(world, ship)
  const wreck = makeWreck(world, {
    ship,
    poi: scene.belt,
    victimId: 'x',
    victimName: 'X',
    killerId: '',
    killerName: '',
    isNpc: true,
  })
  releaseShip(world, ship)
  const columns = world.write(Wreck)
  columns.value[wreck] = value
  columns.initialValue[wreck] = value
  return wreck
}

/** Indents a script as the guide prints it. */
const indent = (script: string): string => script.replace(/^/gm, '  ')

test('the guide prints every sample script, and each parses', () => {
  const guide = GUIDES.find(({ id }) => id === 'drone-scripts')
  expect(DRONE_SAMPLES.length).toBeGreaterThanOrEqual(13)
  for (const { type, about, script } of DRONE_SAMPLES) {
    expect(guide?.content).toContain(indent(script))
    expect(guide?.content).toContain(about)
    expect(compile(script, DRONE_TYPES.indexOf(type)).ok).toBe(true)
  }
  const outcome = scene.small.ask(scene.owner, 'get_guide', { guide: 'drone-scripts' })
  expect(JSON.stringify(outcome)).toContain('belt and back')
})

test('first digger: mines at its place and transfers full holds to the ship', () => {
  startSample('first digger')
  const ship = shipOf(world, scene.owner)
  scene.small.ticks(TICKS)
  expect(spaceUsed(world, ship)).toBeGreaterThanOrEqual(100)
  expect(placeOfDrone()).toBe(placeId(scene, scene.belt))
})

test('belt and back: carries full holds from the belt to the store', () => {
  startSample('belt and back', scene.open)
  const seen = new Set(watch(TICKS, placeOfDrone))
  expect(stored()).toBeGreaterThanOrEqual(50)
  expect(seen).toContain(placeId(scene, scene.belt))
  expect(seen).toContain(placeId(scene, scene.port))
})

test('iron hand: mines while there is iron, and waits without', () => {
  startSample('iron hand')
  const belt = watch(5, () => lastAction(scene, drone))
  const isIron = JSON.stringify(scene.small.ask(scene.owner, 'get_poi')).includes('iron_ore')
  expect(new Set(belt)).toEqual(new Set([isIron ? 'MINE' : 'WAIT']))
  stockUp(world, scene.belt, 0)
  const dry = startSample('iron hand', scene.open)
  watch(TICKS - 5, () => expect(lastAction(scene, dry)).toBe('WAIT'))
})

test('shy digger: mines, hides at the post when somebody comes, and returns', () => {
  startSample('shy digger')
  scene.small.ticks(5)
  const before = show(scene, drone).cargo_used
  expect(before).toBeGreaterThan(0)
  park(world, scene.other, scene.belt)
  scene.small.ticks(8)
  expect(placeOfDrone()).toBe(placeId(scene, scene.open))
  park(world, scene.other, scene.port)
  const seen = watch(TICKS - 13, placeOfDrone)
  expect(seen).toContain(placeId(scene, scene.belt))
  expect(show(scene, drone).cargo_used).toBeGreaterThan(before)
})

test('litter lout: jettisons full holds into a container of the owner', () => {
  startSample('litter lout')
  scene.small.ticks(TICKS)
  expect(containersAt(world, scene.belt).length).toBe(1)
  expect(show(scene, drone).cargo_used).toBeLessThanOrEqual(50)
})

test('day shift: mines for ten ticks, rests for ten and remembers which', () => {
  startSample('day shift')
  const days = watch(TICKS, () => [
    world.tick % 20 < 10 ? 'work' : 'rest',
    memoryOf(world, drone).shift,
    lastAction(scene, drone),
  ])
  for (const [due, noted, done] of days) {
    expect(noted).toBe(due)
    expect(done).toBe(due === 'work' ? 'MINE' : 'WAIT')
  }
})

test('guard dog: attacks a pirate, and retreats once it is damaged', () => {
  park(world, scene.owner, scene.open)
  startSample('guard dog')
  watch(10, () => expect(show(scene, drone).status).toBe('running'))
  pirateAt(scene.belt)
  scene.small.ticks(2)
  expect(show(scene, drone).status).toBe('in_battle')
  const body = world.read(Drone).body[drone]
  world.write(Ship).hull[body] = 19
  scene.small.ticks(1)
  expect(lastAction(scene, drone)).toBe('RETREAT')
  const { stance, ring } = world.read(Participant)
  const row = participantOf(world, body)
  expect(row === 0 || STANCES[stance[row]] === 'flee' || ring[row] > 0).toBe(true)
  scene.small.ticks(TICKS - 13)
})

test('night watch: patrols between two places and attacks a pirate it meets', () => {
  park(world, scene.owner, scene.port)
  startSample('night watch')
  const seen = new Set(watch(30, () => show(scene, drone).travel_to))
  expect(seen).toEqual(new Set([placeId(scene, scene.belt), placeId(scene, scene.open)]))
  pirateAt(scene.open)
  const statuses = new Set(
    watch(TICKS - 30, () =>
      world.read(Drone).alive[drone] === 1 ? show(scene, drone).status : 'destroyed',
    ),
  )
  expect(statuses).toContain('in_battle')
})

test('hard target: fires while it is undamaged and evades once it is damaged', () => {
  park(world, scene.owner, scene.open)
  startSample('hard target')
  watch(20, () => expect(lastAction(scene, drone)).toBe('WAIT'))
  const hull = pirateAt(scene.belt)
  const body = world.read(Drone).body[drone]
  expect(aggress(world, body, hull).ok).toBe(true)
  const { hull: points } = world.write(Ship)
  const stances = watch(6, () => {
    points[body] = 50
    return STANCES[world.read(Participant).stance[participantOf(world, body)]]
  })
  expect(new Set(stances)).toEqual(new Set(['fire']))
  points[body] = 20
  scene.small.ticks(1)
  expect(STANCES[world.read(Participant).stance[participantOf(world, body)]]).toBe('evade')
  scene.small.ticks(TICKS - 27)
})

test('ship nurse: repairs the ship and then waits', () => {
  startSample('ship nurse')
  const { hull, hullMax } = world.write(Ship)
  const ship = shipOf(world, scene.owner)
  hull[ship] = hullMax[ship] - 60
  scene.small.ticks(10)
  expect(hull[ship]).toBe(hullMax[ship])
  watch(TICKS - 10, () => expect(lastAction(scene, drone)).toBe('WAIT'))
})

test('rag picker: loots and salvages a wreck into the ship until it is gone', () => {
  wreckHere(60, 900)
  startSample('rag picker')
  const ship = shipOf(world, scene.owner)
  scene.small.ticks(TICKS)
  expect(wrecksAt(world, scene.belt)).toEqual([])
  expect(spaceUsed(world, ship)).toBeGreaterThan(100)
})

test('breaker: metal of a wreck ends up in storage', () => {
  wreckHere(0, 2_000)
  startSample('breaker')
  scene.small.ticks(TICKS)
  expect(stored()).toBeGreaterThanOrEqual(60)
})

test('lookout: reports a scan every ten ticks', () => {
  startSample('lookout')
  scene.small.ticks(TICKS)
  expect(payloadsOf(scene, 'drone_scan').length).toBe(10)
})

test('grand tour: each place is surveyed once a visit', () => {
  startSample('grand tour')
  scene.small.ticks(TICKS)
  const places = payloadsOf(scene, 'drone_survey').map(({ poi_id }) => poi_id)
  const round = [scene.belt, scene.port, scene.open].map((poi) => placeId(scene, poi))
  expect(places.slice(0, 6)).toEqual([...round, ...round])
})
