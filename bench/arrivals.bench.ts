/** The arrival wheel: the cost of an arrival with few ships in flight and with many. */
import { createRegistry } from '../core/registry.ts'
import { hash32 } from '../core/rng.ts'
import type { World } from '../core/types.ts'
import { newWorld } from '../engine/start.ts'
import { DOMAINS } from '../systems/registry.ts'
import { Ship } from '../systems/ship/state.ts'
import { isUnderWay } from '../systems/travel/location-model.ts'
import { placeInSpace, startFlight } from '../systems/travel/rules.ts'
import { Poi } from '../systems/travel/state.ts'
import { arrivals } from '../systems/travel/systems.ts'
import { type BenchDef, medianOf, type Size } from './bench.ts'

const FLEETS = { tiny: [200, 400], full: [10_000, 200_000] }
const ARRIVALS_A_TICK = { tiny: 4, full: 200 }
const TICKS = 50
const SEED = 1

/** Adds ships without pilots in flight, of which `dueATick` arrive at each tick from the next on. */
function addFlights(world: World, ships: number, dueATick: number): void {
  const { system } = world.read(Poi)
  for (let i = 0; i < ships; i++) {
    const ship = world.take(Ship)
    const poi = 1 + (hash32(SEED, i) % (world.highOf(Poi) - 1))
    placeInSpace(world, ship, poi)
    const next = system[poi + 1] === system[poi] ? poi + 1 : poi - 1
    startFlight(world, ship, next, 1 + Math.floor(i / dueATick))
  }
}

function arrivalMs(size: Size, ships: number): number {
  const registry = createRegistry(DOMAINS)
  const world = newWorld({ registry, seed: SEED, tickMs: 10_000, maxEntities: 1_000_000 })
  addFlights(world, ships, ARRIVALS_A_TICK[size])
  const first = world.highOf(Ship) - ships + 1
  const taken: number[] = []
  for (let i = 0; i < TICKS; i++) {
    world.tick++
    const since = performance.now()
    arrivals.run?.(world)
    taken.push(performance.now() - since)
  }
  const arrived = TICKS * ARRIVALS_A_TICK[size]
  for (let i = 0; i < ships; i++) {
    if (isUnderWay(world, first + i) !== i >= arrived)
      throw new Error(`ship ${i} is not where it should be`)
  }
  return medianOf(taken.slice(TICKS / 5))
}

const nameOf = (ships: number): string => `arrivals, fleet of ${ships.toLocaleString('en-US')}`

export const bench: BenchDef = {
  name: 'arrivals',
  about:
    '200 arrivals per tick among 10,000 and among 200,000 ships in flight: the cost of a tick depends on ' +
    'its arrivals, not on the fleet.',
  variants: ['small', 'large'],
  lines: [{ of: nameOf(FLEETS.full[1]), against: nameOf(FLEETS.full[0]), atMost: 2 }],
  async run(size, variant) {
    const which = variant === 'small' ? 0 : 1
    const ms = arrivalMs(size, FLEETS[size][which])
    const medianMs = { [nameOf(FLEETS.full[which])]: ms }
    return { medianMs, rows: ARRIVALS_A_TICK[size], hash: 'all in time' }
  },
}
