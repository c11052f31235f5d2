/** The memory of 1,000,000 ships: their columns, and the heap of all that belongs to them. */
import { itemIndex, SHIP_CLASSES } from '../core/catalog/index.ts'
import { moveItems, namedContainer } from '../core/goods.ts'
import { createRegistry } from '../core/registry.ts'
import { hash32 } from '../core/rng.ts'
import type { World } from '../core/types.ts'
import { newWorld } from '../engine/start.ts'
import { DOMAINS } from '../systems/registry.ts'
import { createShip } from '../systems/ship/rules.ts'
import { Ship } from '../systems/ship/state.ts'
import { placeInSpace, startFlight } from '../systems/travel/rules.ts'
import { Poi } from '../systems/travel/state.ts'
import type { Amount, BenchDef } from './bench.ts'

/** More than the number of pirates in a new world. */
const SHIPS = { tiny: 10_000, full: 1_000_000 }
const RSS_MIB_MAX = 1_536
const MIB = 2 ** 20
const SEED = 1
/** Arrivals are spread over this many ticks. */
const FLIGHT_TICKS = 1_000

/**
 * Adds ships with the modules of their class and ore in the hold, every other one in flight, until
 * the world has this many ships.
 */
function launch(world: World, ships: number): void {
  const shipClass = SHIP_CLASSES.findIndex(({ default_modules }) => default_modules.length > 0)
  const modules = SHIP_CLASSES[shipClass].default_modules.map(itemIndex)
  const ore = itemIndex('iron_ore')
  const { system } = world.read(Poi)
  for (let i = world.countOf(Ship); i < ships; i++) {
    const ship = createShip(world, { owner: 0, shipClass, modules })
    const hold = world.read(Ship).hold[ship]
    moveItems(world, namedContainer('mined'), hold, ore, 10)
    const poi = 1 + (hash32(SEED, i) % (world.highOf(Poi) - 1))
    placeInSpace(world, ship, poi)
    const next = system[poi + 1] === system[poi] ? poi + 1 : poi - 1
    if (i % 2 === 0) startFlight(world, ship, next, 1 + (i % FLIGHT_TICKS))
  }
}

interface Used {
  readonly rss: number
  readonly heap: number
}

function used(): Used {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heap: heapUsed }
}

export const bench: BenchDef = {
  name: 'memory',
  about:
    'A new world of 500 systems, then 1,000,000 ships in it, each with the modules of its class and a stack ' +
    'in the hold, half of them in flight: resident memory of the process, and bytes per ship.',
  rounds: 1,
  variants: ['all'],
  lines: [{ of: 'resident, all ships', atMost: RSS_MIB_MAX }],
  async run(size) {
    const ships = SHIPS[size]
    const registry = createRegistry(DOMAINS)
    const maxEntities = 1_000_000
    const world = newWorld({ registry, seed: SEED, tickMs: 10_000, maxEntities })
    const before = used()
    const since = performance.now()
    launch(world, ships)
    const launched = performance.now() - since
    const after = used()
    const each = (bytes: number): Amount => ({ value: bytes / ships, unit: 'B/ship' })
    const mib = (bytes: number): Amount => ({ value: bytes / MIB, unit: 'MiB' })
    const amounts = {
      'resident, new world': mib(before.rss),
      'resident, all ships': mib(after.rss),
      'resident a ship': each(Math.max(1, after.rss - before.rss)),
      'heap a ship': each(Math.max(1, after.heap - before.heap)),
    }
    const facts = {
      ships: world.countOf(Ship),
      mapped: `${Math.round(world.layout.bytes / MIB)} MiB`,
    }
    return {
      medianMs: { 'making the ships': launched },
      rows: ships,
      amounts,
      facts,
      hash: String(ships),
    }
  },
}
