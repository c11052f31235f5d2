/**
 * Mining requests without real players: any number, spread over the belts of 500 systems, prepared
 * and processed by the real system.
 */
import { GOODS, itemIndex } from '../core/catalog/index.ts'
import type { TableDef } from '../core/columns.ts'
import { Container, Stack } from '../core/goods.ts'
import { moduleUrl } from '../core/module-url.ts'
import { createParallel, type ParallelSection } from '../core/parallel.ts'
import { hash32 } from '../core/rng.ts'
import type { SystemDef } from '../core/system.ts'
import type { World } from '../core/types.ts'
import { createWorld } from '../core/world.ts'
import { Player } from '../systems/account/state.ts'
import { Deposit, MineRequest } from '../systems/mining/state.ts'
import { extraction } from '../systems/mining/systems.ts'
import { FAMILIES, Ship } from '../systems/ship/state.ts'
import { Poi, StarSystem } from '../systems/travel/state.ts'

const SEED = 1
const TICK = 1_000
const SYSTEMS = 500
const BELTS_PER_SYSTEM = 4
const DEPOSITS_PER_BELT = 3
/** Units of a deposit: unlimited, plenty, and too few for all requests. */
const CAPACITIES = [-1, 1_000_000, 60]
const WINDOW_TICKS = 8_640
const ORES = ['iron_ore', 'copper_ore', 'nickel_ore']

interface Mines {
  readonly world: World
  readonly requests: number
  /** Restores the state before the requests were processed. */
  reset(): void
  hash(): string
}

function addBelts(world: World): void {
  const system = world.write(StarSystem)
  const poi = world.write(Poi)
  const deposit = world.write(Deposit)
  for (let s = 1; s <= SYSTEMS; s++) {
    system.seq[world.take(StarSystem)] = s
    for (let b = 0; b < BELTS_PER_SYSTEM; b++) {
      const belt = world.take(Poi)
      poi.system[belt] = s
      poi.depositCount[belt] = DEPOSITS_PER_BELT
      for (let d = 0; d < DEPOSITS_PER_BELT; d++) {
        const row = world.take(Deposit)
        if (d === 0) poi.firstDeposit[belt] = row
        deposit.poi[row] = belt
        deposit.item[row] = itemIndex(ORES[d])
        deposit.size[row] = GOODS[itemIndex(ORES[d])].size
        deposit.richness[row] = 20 + (hash32(SEED, row) % 80)
        deposit.family[row] = FAMILIES.indexOf('mining')
        deposit.unlimited[row] = CAPACITIES[d] < 0 ? 1 : 0
        deposit.max[row] = Math.max(0, CAPACITIES[d])
        deposit.window[row] = WINDOW_TICKS
      }
    }
  }
}

function addRequests(world: World, requests: number): void {
  const ship = world.write(Ship)
  const request = world.write(MineRequest)
  const { seq } = world.write(Player)
  for (let i = 1; i <= requests; i++) {
    const row = world.take(MineRequest)
    const width = FAMILIES.length
    seq[i] = i
    ship.seq[i] = i
    ship.hold[i] = i
    ship.crewEffPct[i] = 100
    ship.minePower[i * width] = 5 + (hash32(SEED, i, 1) % 20)
    ship.mineFine[i * width] = 1_000
    ship.compressionPct.fill(100, i * width, (i + 1) * width)
    request.player[row] = i
    request.ship[row] = i
    request.poi[row] = 1 + (hash32(SEED, i, 2) % (SYSTEMS * BELTS_PER_SYSTEM))
    request.miningLevel[row] = hash32(SEED, i, 3) % 50
    request.freeSpace[row] = 50
  }
}

const roomFor = (table: TableDef, rows: number): TableDef => ({
  ...table,
  rowsMax: rows,
  fixed: true,
})

/** Creates a world with this many requests to mine. */
export function minesOf(requests: number): Mines {
  const tables = [Player, Ship, MineRequest, Container].map((table) => roomFor(table, requests))
  const world = createWorld({
    players: tables[0],
    tables: [...tables, StarSystem, Poi, Deposit, roomFor(Stack, 64)],
    records: [],
    sections: new Map(),
    seed: SEED,
    tickMs: 10_000,
    maxEntities: requests,
  })
  world.tick = TICK
  addBelts(world)
  addRequests(world, requests)
  const { status, deposit, units, remaining } = world.write(MineRequest)
  const { base, baseTick, frac, max } = world.write(Deposit)
  return {
    world,
    requests,
    reset() {
      for (const column of [status, deposit, units, remaining]) column.fill(0)
      base.set(max)
      baseTick.fill(TICK)
      frac.fill(0)
    },
    hash() {
      let hash = 0
      for (let row = 1; row <= requests; row++)
        hash = hash32(hash, deposit[row], units[row], status[row], remaining[row])
      return hash.toString(16)
    },
  }
}

/** The real system without its effects on players: cargo, experience, answers. */
export const EXTRACTION: SystemDef = {
  ...extraction,
  split: { ...(extraction.split as NonNullable<SystemDef['split']>), apply: () => {} },
}

/** Starts the parallel section that computes the yields, with this many kernel threads. */
export function minesSection({ world }: Mines, workers: number): Promise<ParallelSection> {
  return createParallel({
    layout: world.layout,
    buffer: world.buffer,
    columns: world.kernelColumns,
    systems: [EXTRACTION],
    workers,
    threadFile: moduleUrl(import.meta.url, '../kernel-thread').href,
    breakEvenNs: 0,
  })
}
