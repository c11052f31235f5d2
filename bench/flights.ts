/**
 * Ships in flight for the movement benchmark: the same flights for our columns and for the
 * libraries they are compared with.
 */
import { moduleUrl } from '../core/module-url.ts'
import { createParallel, type ParallelSection } from '../core/parallel.ts'
import { hash32 } from '../core/rng.ts'
import type { SystemDef, Work } from '../core/system.ts'
import type { World } from '../core/types.ts'
import { createWorld } from '../core/world.ts'
import { Ship } from '../systems/ship/state.ts'
import { kernelsFile } from '../systems/travel/kernels.ts'
import { wayOfTick } from '../systems/travel/model.ts'
import { Course, Location, Position } from '../systems/travel/state.ts'

export const TICK = 1_000
const SEED = 1
/** The greatest coordinate of a place, in milli-AU. */
const RADIUS = 50_000
const TICKS_MAX = 100
/** Ships per part: enough for long sequential reads, few enough for several parts per thread. */
const PART_ROWS = 16_384
/** Measured time per ship in the kernel, in nanoseconds. */
const SHIP_NS = 1.3

interface Flight {
  readonly x: number
  readonly y: number
  readonly wayX: number
  readonly wayY: number
  readonly departTick: number
}

/** Returns the flight of the i-th ship, counted from 1. */
export function flightOf(i: number): Flight {
  const drawBetween = (draw: number, low: number, high: number): number =>
    low + (hash32(SEED, i, draw) % (high - low + 1))
  const ticks = drawBetween(0, 2, TICKS_MAX)
  const [x, y] = [drawBetween(1, -RADIUS, RADIUS), drawBetween(2, -RADIUS, RADIUS)]
  const wayX = wayOfTick(x, drawBetween(3, -RADIUS, RADIUS), ticks)
  const wayY = wayOfTick(y, drawBetween(4, -RADIUS, RADIUS), ticks)
  return { x, y, wayX, wayY, departTick: TICK - drawBetween(5, 0, ticks - 1) }
}

/** Returns a world with nothing but ships in flight. */
export function fleetOf(ships: number): World {
  const world = createWorld({
    players: Ship,
    tables: [Ship, Location, Course, Position],
    records: [],
    sections: new Map(),
    seed: SEED,
    tickMs: 10_000,
    maxEntities: ships,
  })
  world.tick = TICK
  const course = world.write(Course)
  const { departTick } = world.write(Location)
  for (let ship = 1; ship <= ships; ship++) {
    const flight = flightOf(ship)
    course.x[ship] = flight.x
    course.y[ship] = flight.y
    course.wayX[ship] = flight.wayX
    course.wayY[ship] = flight.wayY
    departTick[ship] = flight.departTick
  }
  return world
}

/** Returns the rows from 1 to the number of ships. */
export const rowsOf = (ships: number): Uint32Array =>
  Uint32Array.from({ length: ships }, (_, i) => i + 1)

interface PositionSection {
  readonly section: ParallelSection
  readonly system: SystemDef
}

/**
 * Returns the kernel as a split system, and the section that runs it. Called only once per process:
 * once a kernel's factory has run twice, V8 no longer treats its columns as constants
 * (PERFORMANCE.md 1b).
 */
export async function sectionOf(
  world: World,
  rows: Uint32Array,
  workers: number,
): Promise<PositionSection> {
  const work = workOf(rows)
  const system: SystemDef = {
    name: 'bench.positions',
    phase: 'settle',
    writes: [Position],
    split: {
      file: kernelsFile,
      kernel: 'positions',
      writes: [Position],
      prepare: () => work,
      apply: () => {},
    },
  }
  const section = await createParallel({
    layout: world.layout,
    buffer: world.buffer,
    columns: world.kernelColumns,
    systems: [system],
    workers,
    threadFile: moduleUrl(import.meta.url, '../kernel-thread').href,
    breakEvenNs: 0,
  })
  return { section, system }
}

function workOf(rows: Uint32Array): Work {
  const parts = Math.ceil(rows.length / PART_ROWS)
  const partEnds = Uint32Array.from({ length: parts }, (_, i) =>
    Math.min((i + 1) * PART_ROWS, rows.length),
  )
  return { rows, partEnds, estimateNs: rows.length * SHIP_NS }
}

/** Returns a hash of the positions of ships 1 … n; `x` and `y` read those of a row. */
export function hashOf(ships: number, x: (ship: number) => number, y: typeof x): string {
  let hash = 0
  for (let ship = 1; ship <= ships; ship++) hash = hash32(hash, x(ship) | 0, y(ship) | 0)
  return hash.toString(16)
}
