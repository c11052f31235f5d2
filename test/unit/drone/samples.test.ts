/** The sample scripts of the drone guide do what is said of them, over 100 ticks each. */
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
import {
  deployed,
  fly,
  give,
  lastAction,
  park,
  placeId,
  shipOf,
  show,
  stockUp,
  teachDrones,
  payloadsOf,
  type Yard,
  yard,
} from './scene.ts'

const TICKS = 100

let at: Yard
let world: World
let drone: Row
beforeEach(async () => {
  at = await yard({ lawless: true })
  world = at.world
  // no pirates of its own grow back there
  world.write(StarSystem).police[at.system] = 60
  teachDrones(world, at.owner)
  stockUp(world, at.belt)
  park(world, at.other, at.open)
  at.small.takeEmissions()
})

/** Starts a drone with a sample's script, its places filled in. */
function started(id: string, from = at.belt): Row {
  const sample = DRONE_SAMPLES.find((row) => row.id === id)
  if (!sample) throw new Error(`there is no sample ${id}`)
  const script = sample.script
    .replaceAll('"BELT"', `"${placeId(at, at.belt)}"`)
    .replaceAll('"PORT"', `"${placeId(at, at.port)}"`)
    .replaceAll('"POST"', `"${placeId(at, at.open)}"`)
  drone = deployed(at, sample.type, script, from)
  return drone
}

/** Returns what `look` saw of the drone after each tick. */
function watch<T>(ticks: number, look: () => T): T[] {
  return Array.from({ length: ticks }, () => {
    at.small.ticks(1)
    return look()
  })
}

const stored = (): number => {
  const locker = lockerOf(world, at.owner, world.read(Poi).base[at.port])
  return locker === 0 ? 0 : contentsOf(world, locker).reduce((sum, { units }) => sum + units, 0)
}
const where = (): string => show(at, drone).poi_id ?? 'on its way'

function pirateAt(poi: Eid): Eid {
  const hull = world.read(Npc).ship[makePirate(world, at.system, 0)]
  placeInSpace(world, hull, poi)
  return hull
}

function wreckHere(ore: number, value: number): Row {
  const ship = fly(world, at.other, at.belt, [], 'almoner')
  if (ore > 0) give(world, at.other, 'iron_ore', ore)
  fly(world, at.other, at.open, [], STARTER[0].ship_class)
  removeFromMap(world, ship)
  const wreck = makeWreck(world, {
    ship,
    poi: at.belt,
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

/** Indents a script as the guide prints it: a block of its own. */
const indent = (script: string): string => script.replace(/^/gm, '  ')

test('the guide prints at least 12 of them, and each parses', () => {
  const guide = GUIDES.find(({ id }) => id === 'drone-scripts')
  expect(DRONE_SAMPLES.length).toBeGreaterThanOrEqual(13)
  for (const { type, about, script } of DRONE_SAMPLES) {
    expect(guide?.content).toContain(indent(script))
    expect(guide?.content).toContain(about)
    expect(compile(script, DRONE_TYPES.indexOf(type)).ok).toBe(true)
  }
  const outcome = at.small.ask(at.owner, 'get_guide', { guide: 'drone-scripts' })
  expect(JSON.stringify(outcome)).toContain('belt and back')
})

test('first digger: mines where it is, and hands full holds over', () => {
  started('first digger')
  const ship = shipOf(world, at.owner)
  at.small.ticks(TICKS)
  expect(spaceUsed(world, ship)).toBeGreaterThanOrEqual(100)
  expect(where()).toBe(placeId(at, at.belt))
})

test('belt and back: the store grows by whole holds, and it is seen at both places', () => {
  started('belt and back', at.open)
  const seen = new Set(watch(TICKS, where))
  expect(stored()).toBeGreaterThanOrEqual(50)
  expect(seen).toContain(placeId(at, at.belt))
  expect(seen).toContain(placeId(at, at.port))
})

test('iron hand: mines while there is iron, and waits without', () => {
  started('iron hand')
  const belt = watch(5, () => lastAction(at, drone))
  const isIron = JSON.stringify(at.small.ask(at.owner, 'get_poi')).includes('iron_ore')
  expect(new Set(belt)).toEqual(new Set([isIron ? 'MINE' : 'WAIT']))
  stockUp(world, at.belt, 0)
  const dry = started('iron hand', at.open)
  watch(TICKS - 5, () => expect(lastAction(at, dry)).toBe('WAIT'))
})

test('shy digger: mines, hides at the post when somebody comes, and returns', () => {
  started('shy digger')
  at.small.ticks(5)
  const before = show(at, drone).cargo_used
  expect(before).toBeGreaterThan(0)
  park(world, at.other, at.belt)
  at.small.ticks(8)
  expect(where()).toBe(placeId(at, at.open))
  park(world, at.other, at.port)
  const seen = watch(TICKS - 13, where)
  expect(seen).toContain(placeId(at, at.belt))
  expect(show(at, drone).cargo_used).toBeGreaterThan(before)
})

test('litter lout: full holds end up in a container of the owner', () => {
  started('litter lout')
  at.small.ticks(TICKS)
  expect(containersAt(world, at.belt).length).toBe(1)
  expect(show(at, drone).cargo_used).toBeLessThanOrEqual(50)
})

test('day shift: ten ticks of work, ten of rest, noted in its memory', () => {
  started('day shift')
  const days = watch(TICKS, () => [
    world.tick % 20 < 10 ? 'work' : 'rest',
    memoryOf(world, drone).shift,
    lastAction(at, drone),
  ])
  for (const [due, noted, done] of days) {
    expect(noted).toBe(due)
    expect(done).toBe(due === 'work' ? 'MINE' : 'WAIT')
  }
})

test('guard dog: is idle in peace, attacks a pirate, and gets out when it is hit', () => {
  park(world, at.owner, at.open)
  started('guard dog')
  watch(10, () => expect(show(at, drone).status).toBe('running'))
  pirateAt(at.belt)
  at.small.ticks(2)
  expect(show(at, drone).status).toBe('in_battle')
  const body = world.read(Drone).body[drone]
  world.write(Ship).hull[body] = 19
  at.small.ticks(1)
  expect(lastAction(at, drone)).toBe('RETREAT')
  const { stance, ring } = world.read(Participant)
  const row = participantOf(world, body)
  expect(row === 0 || STANCES[stance[row]] === 'flee' || ring[row] > 0).toBe(true)
  at.small.ticks(TICKS - 13)
})

test('night watch: to and fro, and at a pirate it meets', () => {
  park(world, at.owner, at.port)
  started('night watch')
  const seen = new Set(watch(30, () => show(at, drone).travel_to))
  expect(seen).toEqual(new Set([placeId(at, at.belt), placeId(at, at.open)]))
  pirateAt(at.open)
  const statuses = new Set(
    watch(TICKS - 30, () =>
      world.read(Drone).alive[drone] === 1 ? show(at, drone).status : 'destroyed',
    ),
  )
  expect(statuses).toContain('in_battle')
})

test('hard target: waits in peace, fires while whole, evades when hurt', () => {
  park(world, at.owner, at.open)
  started('hard target')
  watch(20, () => expect(lastAction(at, drone)).toBe('WAIT'))
  const hull = pirateAt(at.belt)
  const body = world.read(Drone).body[drone]
  expect(aggress(world, body, hull).ok).toBe(true)
  const { hull: points } = world.write(Ship)
  const stances = watch(6, () => {
    points[body] = 50
    return STANCES[world.read(Participant).stance[participantOf(world, body)]]
  })
  expect(new Set(stances)).toEqual(new Set(['fire']))
  points[body] = 20
  at.small.ticks(1)
  expect(STANCES[world.read(Participant).stance[participantOf(world, body)]]).toBe('evade')
  at.small.ticks(TICKS - 27)
})

test('ship nurse: the ship is whole before long, and then nothing is done', () => {
  started('ship nurse')
  const { hull, hullMax } = world.write(Ship)
  const ship = shipOf(world, at.owner)
  hull[ship] = hullMax[ship] - 60
  at.small.ticks(10)
  expect(hull[ship]).toBe(hullMax[ship])
  watch(TICKS - 10, () => expect(lastAction(at, drone)).toBe('WAIT'))
})

test('rag picker: goods and metal of a wreck end up in the ship, and the wreck is gone', () => {
  wreckHere(60, 900)
  started('rag picker')
  const ship = shipOf(world, at.owner)
  at.small.ticks(TICKS)
  expect(wrecksAt(world, at.belt)).toEqual([])
  expect(spaceUsed(world, ship)).toBeGreaterThan(100)
})

test('breaker: metal of a wreck ends up in storage', () => {
  wreckHere(0, 2_000)
  started('breaker')
  at.small.ticks(TICKS)
  expect(stored()).toBeGreaterThanOrEqual(60)
})

test('lookout: a report every ten ticks', () => {
  started('lookout')
  at.small.ticks(TICKS)
  expect(payloadsOf(at, 'drone_scan').length).toBe(10)
})

test('grand tour: each place is surveyed once a visit', () => {
  started('grand tour')
  at.small.ticks(TICKS)
  const places = payloadsOf(at, 'drone_survey').map(({ poi_id }) => poi_id)
  const round = [at.belt, at.port, at.open].map((poi) => placeId(at, poi))
  expect(places.slice(0, 6)).toEqual([...round, ...round])
})
