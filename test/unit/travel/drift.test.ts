/** Drifting on a bearing: travel.md sections 2 and 4. */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer, unitsIn } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { loadCargo, modulesOf } from '../../../systems/ship/model.ts'
import { fitModule, recompute, unfitModule } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import {
  BEARINGS,
  castRay,
  directionOf,
  driftPosition,
  flightOf,
  fuelPerJump,
  plotDrift,
  UNIT,
} from '../../../systems/travel/flight-model.ts'
import { isDrifting, shipOf, systemOf } from '../../../systems/travel/location-model.ts'
import { systemId } from '../../../systems/travel/model.ts'
import { DRIFTS, Location, Poi, StarSystem } from '../../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let start: SmallWorld
let small: SmallWorld
let pilot: Eid
let ship: Eid

beforeAll(async () => {
  start = await smallWorld({ players: 2 })
})
beforeEach(async () => {
  small = await start.reload()
  pilot = small.world.rowOf(Player, 1)
  ship = shipOf(small.world, pilot)
  const { fuel, fuelMax } = small.world.write(Ship)
  fuel[ship] = fuelMax[ship]
})

/** A galactic unit in the units of positions. */
const GU = 1_000
const bearing = (degrees: number | string) => ({ target_system: String(degrees) })
const codeOf = (outcome: unknown) => (outcome as { code?: string }).code
const resultOf = (outcome: unknown) => (outcome as { result: Record<string, unknown> }).result

/** Replaces the modules of the ship by the drive that jumps on a bearing. */
function equip(): void {
  for (const module of modulesOf(small.world, ship)) unfitModule(small.world, module)
  fitModule(small.world, ship, itemIndex('pathfinder_drive'))
  recompute(small.world, ship)
}

/** Finds a bearing on which the ship meets a system soon enough for a test. */
function soonestArrival(): { degrees: number; ticks: number; system: Eid } {
  let best = { degrees: 0, ticks: Number.POSITIVE_INFINITY, system: 0 }
  for (let tenths = 0; tenths < BEARINGS; tenths += 5) {
    const plot = plotDrift(small.world, pilot, String(tenths / 10))
    if (!('drift' in plot)) throw new Error(plot.code)
    const { ticks, system } = plot
    if (ticks < best.ticks) best = { degrees: tenths / 10, ticks, system }
  }
  return best
}

describe('directions', () => {
  test('have the sine and cosine of every tenth of a degree', () => {
    for (let tenths = 0; tenths < BEARINGS; tenths++) {
      const angle = (tenths * Math.PI) / (BEARINGS / 2)
      const { x, y } = directionOf(tenths)
      expect(Math.abs(x - Math.cos(angle) * UNIT)).toBeLessThanOrEqual(0.5 + 1e-6)
      expect(Math.abs(y - Math.sin(angle) * UNIT)).toBeLessThanOrEqual(0.5 + 1e-6)
    }
  })

  test('lead a ray to the nearest system ahead within 25 GU of it', () => {
    const { world } = small
    const { x, y } = world.read(StarSystem)
    const rays = fc.record({
      x: fc.integer({ min: -900_000, max: 900_000 }),
      y: fc.integer({ min: -900_000, max: 900_000 }),
      bearing: fc.integer({ min: 0, max: BEARINGS - 1 }),
    })
    fc.assert(
      fc.property(rays, (ray) => {
        const to = directionOf(ray.bearing)
        const along = (row: Eid) => {
          const [dx, dy] = [x[row] * GU - ray.x, y[row] * GU - ray.y].map(BigInt)
          const [ux, uy] = [BigInt(to.x), BigInt(to.y)]
          const cross = dx * uy - dy * ux
          return { row, way: dx * ux + dy * uy, aside: cross < 0n ? -cross : cross }
        }
        const found = Array.from({ length: world.highOf(StarSystem) }, (_, i) => along(i + 1))
          .filter(({ way, aside }) => way > 0n && aside <= 25n * 1_000n * 1_000_000n)
          .sort((a, b) => (a.way === b.way ? a.row - b.row : a.way < b.way ? -1 : 1))
        const hit = castRay(world, { ...ray, origin: 0 })
        expect(hit?.system).toBe(found[0]?.row)
        if (hit) expect(BigInt(hit.way)).toBe(found[0].way)
      }),
    )
  })
})

describe('jump on a bearing', () => {
  test('needs the drive, a finite number and five jumps of fuel', () => {
    expect(codeOf(small.act(pilot, 'jump', bearing(45)))).toBe('no_pathfinder_drive')
    equip()
    expect(codeOf(small.act(pilot, 'jump', bearing('1e999')))).toBe('invalid_bearing')
    expect(codeOf(small.act(pilot, 'jump', bearing('north')))).toBe('invalid_system')
    const need = 5 * fuelPerJump(flightOf(small.world, ship))
    small.world.write(Ship).fuel[ship] = need - 1
    expect(small.act(pilot, 'jump', bearing(45))).toMatchObject({
      code: 'no_fuel',
      details: { need, have: need - 1 },
    })
    expect(isDrifting(small.world, ship)).toBe(false)
  })

  test('is answered at once with the rounded bearing and the origin', () => {
    equip()
    const { x, y } = small.world.read(StarSystem)
    const from = systemOf(small.world, pilot)
    const before = small.world.read(Ship).fuel[ship]
    const done = resultOf(small.act(pilot, 'jump', bearing(-314.96)))
    expect(done).toMatchObject({ action: 'pathfinder_jump', bearing: 45 })
    expect(done).toMatchObject({ origin_x: x[from], origin_y: y[from] })
    const spent = before - small.world.read(Ship).fuel[ship]
    expect(spent).toBe(5 * fuelPerJump(flightOf(small.world, ship)))
    expect(statOf(small.world, pilot, 'void_drifts')).toBe(1)
  })

  test('ends at the entry of the system it meets, with an event', () => {
    equip()
    const { degrees, ticks, system } = soonestArrival()
    small.act(pilot, 'jump', bearing(degrees))
    small.ticks(ticks - 1)
    expect(isDrifting(small.world, ship)).toBe(true)
    small.takeEmissions()
    small.ticks(1)
    const emissions = small.takeEmissions().filter(({ type }) => type === 'action_result')
    expect(emissions).toHaveLength(1)
    expect(emissions[0].payload).toMatchObject({
      command: 'jump',
      tick: small.world.tick,
      result: { action: 'pathfinder_arrival', system_id: systemId(small.world, system) },
    })
    const { poi } = small.world.read(Location)
    expect(poi[ship]).toBe(small.world.read(StarSystem).entryPoi[system])
    expect(small.world.records(DRIFTS).size).toBe(0)
  })

  test('returns the ship to its system if no system is ahead', () => {
    equip()
    const from = systemOf(small.world, pilot)
    const lost = Array.from({ length: BEARINGS }, (_, tenths) =>
      plotDrift(small.world, pilot, String(tenths / 10)),
    ).find((plot) => 'drift' in plot && plot.ticks === 4_320)
    // A drift that meets nothing ends after half a day.
    expect(lost).toMatchObject({ ticks: 4_320, system: from })
  })
})

describe('a drifting ship', () => {
  beforeEach(() => {
    equip()
    const far = Array.from({ length: 72 }, (_, i) => i * 5).find((degrees) => {
      const plot = plotDrift(small.world, pilot, String(degrees))
      return 'drift' in plot && plot.ticks > 10
    })
    small.act(pilot, 'jump', bearing(far ?? 0))
    small.ticks(2)
  })

  test('moves five GU a tick for each point of speed, and shows its position', () => {
    const before = driftPosition(small.world, ship)
    small.ticks(1)
    const after = driftPosition(small.world, ship)
    const way = Math.hypot(after.x - before.x, after.y - before.y)
    expect(Math.abs(way - small.world.read(Ship).speed[ship] * 5 * GU)).toBeLessThan(3)
    expect(small.world.section('location', pilot)).toMatchObject({
      in_transit: true,
      transit_type: 'drift',
      transit_x: after.x / GU,
      transit_y: after.y / GU,
      transit_bearing: after.bearing / 10,
      void_message: expect.stringContaining('Adrift'),
    })
    const seen = resultOf(small.ask(pilot, 'get_system'))
    expect(seen).toMatchObject({ kind: 'transit', transit_type: 'drift', to_system: '' })
    expect(codeOf(small.ask(pilot, 'get_system_agents'))).toBe('in_transit')
  })

  test('can be turned to a new bearing for the same fuel again', () => {
    const { fuelMax, fuel } = small.world.write(Ship)
    fuel[ship] = fuelMax[ship]
    const here = driftPosition(small.world, ship)
    const turned = resultOf(small.act(pilot, 'jump', bearing((here.bearing / 10 + 180) % 360)))
    expect(turned.action).toBe('pathfinder_redirect')
    expect(Number(turned.origin_x) * GU).not.toBe(here.x)
    small.ticks(4)
    expect(small.world.read(Location).poi[ship]).toBe(
      small.world.read(StarSystem).entryPoi[systemOf(small.world, pilot)],
    )
    expect(statOf(small.world, pilot, 'void_drifts')).toBe(1)
  })

  test('refuses commands that need a place, and jumps along lanes: in_transit', () => {
    const other = systemId(small.world, systemOf(small.world, pilot) === 1 ? 2 : 1)
    expect(codeOf(small.act(pilot, 'jump', { target_system: other }))).toBe('in_transit')
    for (const command of ['mine', 'dock', 'undock']) {
      expect(codeOf(small.act(pilot, command))).toBe('in_transit')
    }
    const { poi } = small.world.read(Location)
    const place = small.world.texts.get(small.world.read(Poi).id[1])
    expect(codeOf(small.act(pilot, 'travel', { target_poi: place }))).toBe('in_transit')
    expect(poi[ship]).toBe(0)
  })

  test('loses jettisoned goods for good', () => {
    const ore = itemIndex('iron_ore')
    loadCargo(small.world, ship, namedContainer('mined'), ore, 3)
    const lost = () => unitsIn(small.world, namedContainer('jettison_expired'), ore)
    const before = lost()
    const single = small.act(pilot, 'jettison', { item_id: 'iron_ore', quantity: 1 })
    expect(resultOf(single)).toMatchObject({ container_id: '', quantity: 1 })
    const items = [{ item_id: 'iron_ore', quantity: 2 }]
    const many = resultOf(small.act(pilot, 'jettison', { items }))
    expect(many).toMatchObject({ container_id: '', succeeded: 1 })
    expect(lost() - before).toBe(3)
  })

  test('can burn fuel cells, but pump fuel to nobody', () => {
    small.world.write(Ship).fuel[ship] = 1
    loadCargo(small.world, ship, namedContainer('supply'), itemIndex('fuel_cell'), 2)
    expect(resultOf(small.act(pilot, 'refuel'))).toMatchObject({ source: 'cargo' })
    const target = 'Tester 2'
    expect(small.act(pilot, 'refuel', { target })).toMatchObject({ ok: false })
  })

  test('drifts on in a loaded world', async () => {
    const loaded = await small.reload()
    small.ticks(3)
    loaded.ticks(3)
    expect(driftPosition(loaded.world, ship)).toEqual(driftPosition(small.world, ship))
    expect(loaded.hash()).toBe(small.hash())
  })
})
