/**
 * Positions of ships in flight: compares our kernel with a raw loop over the same columns, and with
 * ECS libraries that do the same arithmetic.
 */
import type { World } from '../core/types.ts'
import { positions } from '../systems/travel/kernels.ts'
import { Course, Location, Position } from '../systems/travel/state.ts'
import { type BenchDef, inBlocks, measure, type Sample, type Size } from './bench.ts'
import { fleetOf, flightOf, hashOf, rowsOf, sectionOf, TICK } from './flights.ts'
import { timeTicks } from './sections.ts'

const SHIPS = { tiny: 1_000, full: 1_000_000 }
const SECTIONS = { tiny: 3, full: 200 }
const ENV = { seed: 0, tick: TICK }

/** Returns the fastest possible loop in JavaScript: rows in order, columns as constants. */
function rawLoop(world: World, ships: number): () => void {
  const { departTick } = world.kernelColumns.of(Location)
  const { x, y, wayX, wayY } = world.kernelColumns.of(Course)
  const { x: atX, y: atY } = world.kernelColumns.of(Position)
  return inBlocks(1, ships + 1, (from, to) => {
    for (let ship = from; ship < to; ship++) {
      const elapsed = (TICK - departTick[ship]) | 0
      atX[ship] = x[ship] + (Math.imul(wayX[ship], elapsed) >> 10)
      atY[ship] = y[ship] + (Math.imul(wayY[ship], elapsed) >> 10)
    }
  })
}

function hashOfFleet(world: World, ships: number): string {
  const { x, y } = world.read(Position)
  return hashOf(
    ships,
    (ship) => x[ship],
    (ship) => y[ship],
  )
}

async function ours(size: Size): Promise<Sample> {
  const ships = SHIPS[size]
  const world = fleetOf(ships)
  const rows = rowsOf(ships)
  const gaps = rows.filter((ship) => ship % 10 !== 0)
  const run = positions(world.kernelColumns)
  const medianMs = await measure(size, {
    raw: rawLoop(world, ships),
    kernel: () => run(rows, 0, ships, ENV),
    'kernel, gaps': () => run(gaps, 0, gaps.length, ENV),
  })
  const each = { raw: ships, kernel: ships, 'kernel, gaps': gaps.length }
  return { medianMs, rows: each, hash: hashOfFleet(world, ships) }
}

/** Returns the median time of the section in a tick, including the transfer of the list of rows. */
async function sectionMs(world: World, ships: number, workers: number, times: number) {
  const { section, system } = await sectionOf(world, rowsOf(ships), workers)
  return (await timeTicks(section, world, system, { times })).kernel
}

async function shared(size: Size, workers: number, name: string): Promise<Sample> {
  const ships = SHIPS[size]
  const world = fleetOf(ships)
  const ms = await sectionMs(world, ships, workers, SECTIONS[size])
  return { medianMs: { [name]: ms }, rows: ships, hash: hashOfFleet(world, ships) }
}

async function withBitecs(size: Size): Promise<Sample> {
  const { addComponent, addEntity, createWorld, query } = await import('bitecs')
  const ships = SHIPS[size]
  const column = () => new Int32Array(ships + 1)
  const course = { x: column(), y: column(), wayX: column(), wayY: column(), departTick: column() }
  const position = { x: column(), y: column() }
  const world = createWorld()
  for (let i = 1; i <= ships; i++) {
    const ship = addEntity(world)
    addComponent(world, ship, course)
    addComponent(world, ship, position)
    const flight = flightOf(i)
    for (const name of ['x', 'y', 'wayX', 'wayY', 'departTick'] as const)
      course[name][ship] = flight[name]
  }
  const { x, y, wayX, wayY, departTick } = course
  const { x: atX, y: atY } = position
  let found: ArrayLike<number> = []
  const move = inBlocks(0, ships, (from, to) => {
    for (let i = from; i < to; i++) {
      const ship = found[i]
      const elapsed = TICK - departTick[ship]
      atX[ship] = x[ship] + (Math.imul(wayX[ship], elapsed) >> 10)
      atY[ship] = y[ship] + (Math.imul(wayY[ship], elapsed) >> 10)
    }
  })
  const medianMs = await measure(size, {
    bitecs: () => {
      found = query(world, [course, position])
      move()
    },
  })
  const hash = hashOf(
    ships,
    (ship) => atX[ship],
    (ship) => atY[ship],
  )
  return { medianMs, rows: ships, hash }
}

async function withMiniplex(size: Size): Promise<Sample> {
  const { World: Miniplex } = await import('miniplex')
  const ships = SHIPS[size]
  const world = new Miniplex()
  const fleet = Array.from({ length: ships }, (_, i) =>
    world.add({ course: { ...flightOf(i + 1) }, position: { x: 0, y: 0 } }),
  )
  const moving = world.with('course', 'position')
  const medianMs = await measure(size, {
    miniplex: () => {
      for (const { course, position } of moving) {
        const elapsed = TICK - course.departTick
        position.x = course.x + (Math.imul(course.wayX, elapsed) >> 10)
        position.y = course.y + (Math.imul(course.wayY, elapsed) >> 10)
      }
    },
  })
  const hash = hashOf(
    ships,
    (ship) => fleet[ship - 1].position.x,
    (ship) => fleet[ship - 1].position.y,
  )
  return { medianMs, rows: ships, hash }
}

async function withWolfEcs(size: Size): Promise<Sample> {
  const { all, ECS, types } = await import('wolf-ecs')
  const ships = SHIPS[size]
  const ecs = new ECS(ships + 1)
  const { i32 } = types
  const course = ecs.defineComponent({ x: i32, y: i32, wayX: i32, wayY: i32, departTick: i32 })
  const position = ecs.defineComponent({ x: i32, y: i32 })
  const moving = ecs.createQuery(all(course, position))
  for (let i = 1; i <= ships; i++) {
    const ship = ecs.createEntity()
    ecs.addComponent(ship, course)
    ecs.addComponent(ship, position)
    const flight = flightOf(i)
    for (const name of ['x', 'y', 'wayX', 'wayY', 'departTick'] as const)
      course[name][ship] = flight[name]
  }
  let entities: readonly number[] = []
  const move = inBlocks(0, ships, (from, to) => {
    for (let i = from; i < to; i++) {
      const ship = entities[i]
      const elapsed = TICK - course.departTick[ship]
      position.x[ship] = course.x[ship] + (Math.imul(course.wayX[ship], elapsed) >> 10)
      position.y[ship] = course.y[ship] + (Math.imul(course.wayY[ship], elapsed) >> 10)
    }
  })
  const medianMs = await measure(size, {
    'wolf-ecs': () => {
      for (let a = 0; a < moving.a.length; a++) {
        entities = moving.a[a].e
        if (entities.length > 0) move()
      }
    },
  })
  const hash = hashOf(
    ships,
    (ship) => position.x[ship - 1],
    (ship) => position.y[ship - 1],
  )
  return { medianMs, rows: ships, hash }
}

const VARIANTS: Readonly<Record<string, (size: Size) => Promise<Sample>>> = {
  ours,
  'one thread': (size) => shared(size, 0, 'section, one thread'),
  'two threads': (size) => shared(size, 1, 'section, two threads'),
  bitecs: withBitecs,
  miniplex: withMiniplex,
  'wolf-ecs': withWolfEcs,
}

export const bench: BenchDef = {
  name: 'movement',
  about:
    'Positions of 1,000,000 ships in flight at one tick, the worst case, in which all are watched: the kernel ' +
    'over a list of rows, the raw loop over the same columns, the section on one thread and on two, and ' +
    'the same arithmetic in bitecs, miniplex and wolf-ecs.',
  variants: Object.keys(VARIANTS),
  lines: [
    { of: 'kernel', against: 'raw', atMost: 1.3 },
    { of: 'section, one thread', against: 'section, two threads' },
    { of: 'bitecs', against: 'kernel' },
    { of: 'miniplex', against: 'kernel', atLeast: 6 },
    { of: 'wolf-ecs', against: 'kernel' },
  ],
  run: (size, variant) => VARIANTS[variant](size),
  curve: (rows, workers) => sectionMs(fleetOf(rows), rows, workers, SECTIONS.full),
}
