/** Positions of ships in flight and the timing of arrivals: travel.md sections 2, 3, 10. */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { attach, type KernelColumns, kernelColumns, layOut } from '../../../core/columns.ts'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { coordinateAt, positions } from '../../../systems/travel/kernels.ts'
import { isUnderWay, poiOf, shipOf, systemOf } from '../../../systems/travel/location-model.ts'
import { poisOf, wayOfTick } from '../../../systems/travel/model.ts'
import { delayFlight, dockShip, placeInSpace, startFlight } from '../../../systems/travel/rules.ts'
import { Course, Location, Poi, Position } from '../../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

const PLACE = 200_000
const coordinates = fc.integer({ min: -PLACE, max: PLACE })

describe('the arithmetic of a course', () => {
  test('puts a ship less than two units behind its exact position', () => {
    const flights = fc.record({
      from: coordinates,
      to: coordinates,
      ticks: fc.integer({ min: 1, max: 1_024 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(flights, ({ from, to, ticks, share }) => {
        const elapsed = Math.floor(share * ticks)
        const exact = from + ((to - from) * elapsed) / ticks
        const found = coordinateAt(from, wayOfTick(from, to, ticks), elapsed)
        expect(Number.isInteger(found)).toBe(true)
        expect(found).toBeLessThanOrEqual(exact)
        expect(found).toBeGreaterThan(exact - 2)
      }),
    )
  })

  test('throws if a flight would leave the range of the fixed point', () => {
    expect(() => wayOfTick(-(2 ** 21), 2 ** 21, 10)).toThrow('leaves the range')
  })
})

describe('a flight in a world', () => {
  let start: SmallWorld
  let small: SmallWorld
  let first: Eid
  let ship: Eid

  beforeAll(async () => {
    start = await smallWorld({ players: 3 })
  })
  beforeEach(async () => {
    small = await start.reload()
    first = small.world.rowOf(Player, 1)
    ship = shipOf(small.world, first)
  })

  /** Returns the place of the system that is farthest from where the first player is. */
  function farthest(): Eid {
    const { x, y } = small.world.read(Poi)
    const here = poiOf(small.world, first)
    const distance = (poi: Eid) => (x[poi] - x[here]) ** 2 + (y[poi] - y[here]) ** 2
    return poisOf(small.world, systemOf(small.world, first)).reduce((a, b) =>
      distance(b) > distance(a) ? b : a,
    )
  }

  function sendOff(row: Eid, to: Eid, ticks: number): void {
    placeInSpace(small.world, row, poiOf(small.world, first))
    startFlight(small.world, row, to, ticks)
  }

  test('shows its position in get_location until it ends', () => {
    const { x, y } = small.world.read(Poi)
    const [from, to] = [poiOf(small.world, first), farthest()]
    sendOff(ship, to, 4)
    small.ticks(2)
    const middle = { x: (x[from] + x[to]) / 2_000, y: (y[from] + y[to]) / 2_000 }
    const seen = small.world.section('location', first) as Record<string, number>
    expect(seen.transit_x).toBeCloseTo(middle.x, 2)
    expect(seen.transit_y).toBeCloseTo(middle.y, 2)
    small.ticks(2)
    const elsewhere = small.world.section('location', first) as Record<string, number>
    expect(elsewhere.transit_x).toBe(undefined)
  })

  test('has the same position in the kernel and in the query at every tick', () => {
    const ships = small.players.map((_, i) => shipOf(small.world, small.world.rowOf(Player, i + 1)))
    const to = farthest()
    const from = poiOf(small.world, first)
    for (const [i, row] of ships.entries()) {
      placeInSpace(small.world, row, from)
      startFlight(small.world, row, to, 20 + i)
    }
    const layout = layOut([Position], small.world.maxEntities)
    const positionColumns = kernelColumns(attach(layout, new SharedArrayBuffer(layout.bytes)))
    const columns: KernelColumns = {
      of: (table) =>
        (table.name === Position.name ? positionColumns : small.world.kernelColumns).of(table),
    }
    const run = positions(columns)
    const rows = Uint32Array.from(ships)
    for (let tick = 0; tick < 19; tick++) {
      const { tick: now, seed } = small.world
      run(rows, 0, rows.length, { tick: now, seed })
      for (const [i, row] of ships.entries()) {
        const seen = small.world.section('location', small.world.rowOf(Player, i + 1))
        const { x, y } = positionColumns.of(Position)
        expect(seen).toMatchObject({ transit_x: x[row] / 1000, transit_y: y[row] / 1000 })
      }
      small.ticks(1)
    }
  })

  test('keeps its course in a loaded world, and clears it on arrival', async () => {
    sendOff(ship, farthest(), 3)
    const live = { ...small.world.read(Course) }
    const loaded = await small.reload()
    for (const name of ['x', 'y', 'wayX', 'wayY'] as const)
      expect(loaded.world.read(Course)[name][ship]).toBe(live[name][ship])
    small.ticks(3)
    expect(isUnderWay(small.world, ship)).toBe(false)
    expect(small.world.read(Course).wayX[ship]).toBe(0)
  })

  test('does not arrive if the ship is moved away, and arrives once if it starts again', () => {
    const [home, to] = [poiOf(small.world, first), farthest()]
    const base = small.world.read(Poi).base[home]
    sendOff(ship, to, 3)
    dockShip(small.world, ship, base)
    small.ticks(2)
    expect(poiOf(small.world, first)).toBe(home)
    placeInSpace(small.world, ship, home)
    startFlight(small.world, ship, to, 5)
    placeInSpace(small.world, ship, home)
    startFlight(small.world, ship, to, 5)
    small.ticks(4)
    expect(isUnderWay(small.world, ship)).toBe(true)
    small.ticks(1)
    expect(poiOf(small.world, first)).toBe(to)
  })

  test('that is delayed keeps its position and arrives later', () => {
    const to = farthest()
    sendOff(ship, to, 4)
    small.ticks(2)
    const before = small.world.section('location', first) as Record<string, number>
    small.ticks(1)
    delayFlight(small.world, ship, 1)
    const after = small.world.section('location', first) as Record<string, number>
    expect(after.transit_x).toBe(before.transit_x)
    small.ticks(1)
    expect(small.world.read(Location).poi[ship]).toBe(0)
    small.ticks(1)
    expect(small.world.read(Location).poi[ship]).toBe(to)
  })
})
