/**
 * The kernel of mining on bare columns: contention, locks, draws and holds. Its result does not
 * depend on how rows are divided into parts.
 */
import { describe, expect, test } from 'vitest'
import { Container, openContainer, openNamedContainers, Stack } from '../../../core/goods.ts'
import { Account } from '../../../core/ledger.ts'
import type { Row, World } from '../../../core/types.ts'
import { createWorld } from '../../../core/world.ts'
import { Player } from '../../../systems/account/state.ts'
import { extract } from '../../../systems/mining/kernels.ts'
import { Deposit, MINE_STATUS, MineRequest } from '../../../systems/mining/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'

const SEED = 7

function bareWorld(): World {
  const world = createWorld({
    tables: [Account, Container, Stack, Player, Ship, StarSystem, Poi, Deposit, MineRequest],
    records: [],
    sections: new Map(),
    seed: SEED,
    tickMs: 10_000,
    maxEntities: 2_000,
    players: Player,
  })
  openNamedContainers(world)
  world.tick = 50
  return world
}

function addDeposit(world: World, poi: Row, overrides: Partial<Record<string, number>> = {}): Row {
  const row = world.take(Deposit)
  const place = world.write(Poi)
  if (place.depositCount[poi] === 0) place.firstDeposit[poi] = row
  place.depositCount[poi]++
  const columns = world.write(Deposit) as unknown as Record<string, Float64Array>
  const defaults = { poi, richness: 60, max: 1000, base: 1000, window: 8640, size: 1, baseTick: 50 }
  const values = { ...defaults, ...overrides }
  for (const [name, value] of Object.entries(values)) columns[name][row] = value!
  return row
}

function addRequest(world: World, poi: Row, power: number, hold = 1000): Row {
  const ship = world.take(Ship)
  const columns = world.write(Ship)
  columns.hold[ship] = openContainer(world)
  columns.cargoCap[ship] = hold
  columns.crewEffPct[ship] = 100
  columns.minePower.fill(power, ship * 3, ship * 3 + 3)
  columns.mineFine.fill(1000, ship * 3, ship * 3 + 3)
  columns.compressionPct.fill(100, ship * 3, ship * 3 + 3)
  const row = world.take(MineRequest)
  const request = world.write(MineRequest)
  request.ship[row] = ship
  request.poi[row] = poi
  request.freeSpace[row] = hold
  return row
}

function run(world: World, rows: Row[], cuts: number[] = []): void {
  const kernel = extract(world.kernelColumns)
  const all = Uint32Array.from(rows)
  let from = 0
  for (const to of [...cuts, rows.length]) {
    kernel(all, from, to, { seed: SEED, tick: world.tick })
    from = to
  }
}

const statusOf = (world: World, row: Row) => MINE_STATUS[world.read(MineRequest).status[row]]
const unitsOf = (world: World, row: Row) => world.read(MineRequest).units[row]

describe('extraction', () => {
  test('a lone miner gets their pull and the deposit loses it', () => {
    const world = bareWorld()
    const poi = world.take(Poi)
    const deposit = addDeposit(world, poi)
    const row = addRequest(world, poi, 5)
    run(world, [row])
    expect([statusOf(world, row), unitsOf(world, row)]).toEqual(['yield', 5])
    expect(world.read(MineRequest).remaining[row]).toBe(995)
    expect(world.read(Deposit).base[deposit]).toBe(995)
  })

  test('100 miners of a deposit of 37 units get one each, by initiative, until it is empty', () => {
    const world = bareWorld()
    const poi = world.take(Poi)
    const deposit = addDeposit(world, poi, { base: 37, max: 100, richness: 60 })
    const rows = Array.from({ length: 100 }, () => addRequest(world, poi, 1))
    world.write(Ship).yieldBonusPct.fill(400)
    run(world, rows)
    const units = rows.map((row) => unitsOf(world, row))
    expect(units).toEqual(rows.map((_, i) => (i < 37 ? 1 : 0)))
    expect(statusOf(world, rows[36])).toBe('yield')
    expect(statusOf(world, rows[37])).toBe('depleted')
    expect(world.read(Deposit).base[deposit]).toBe(0)
  })

  test('the result does not depend on how rows are divided into parts', () => {
    const results = [[], [20], [10, 20, 30]].map((cuts) => {
      const world = bareWorld()
      const pois = Array.from({ length: 4 }, () => world.take(Poi))
      for (const poi of pois) {
        addDeposit(world, poi, { base: 40, richness: 80, item: 1 })
        addDeposit(world, poi, { base: 30, richness: 20, item: 2, rank: 3 })
      }
      const rows = pois.flatMap((poi) =>
        Array.from({ length: 10 }, (_, i) => addRequest(world, poi, 5 + i)),
      )
      run(world, rows, cuts)
      const { deposit, status, units } = world.read(MineRequest)
      return JSON.stringify(rows.map((row) => [deposit[row], status[row], units[row]]))
    })
    expect(new Set(results).size).toBe(1)
  })

  test('a full hold gets nothing, a nearly full one what fits', () => {
    const world = bareWorld()
    const poi = world.take(Poi)
    addDeposit(world, poi, { size: 2 })
    const full = addRequest(world, poi, 5, 0)
    const nearly = addRequest(world, poi, 5, 7)
    run(world, [full, nearly])
    expect([statusOf(world, full), unitsOf(world, full)]).toEqual(['no_cargo_space', 0])
    expect([statusOf(world, nearly), unitsOf(world, nearly)]).toEqual(['yield', 3])
  })

  test('strong rigs are locked out of depleted deposits, weak ones finish them', () => {
    const world = bareWorld()
    const poi = world.take(Poi)
    addDeposit(world, poi, { base: 240 })
    const strong = addRequest(world, poi, 200)
    const weak = addRequest(world, poi, 5)
    run(world, [strong, weak])
    expect(statusOf(world, strong)).toBe('too_sparse')
    expect(statusOf(world, weak)).toBe('yield')
  })

  test('an empty deposit is depleted, an unlimited one never', () => {
    const world = bareWorld()
    const [empty, endless] = [world.take(Poi), world.take(Poi)]
    addDeposit(world, empty, { base: 0 })
    const row = addDeposit(world, endless, {
      unlimited: 1,
      base: 0,
      max: 0,
      window: 0,
      baseTick: 0,
    })
    const first = addRequest(world, empty, 5)
    const second = addRequest(world, endless, 500)
    run(world, [first, second])
    expect(statusOf(world, first)).toBe('depleted')
    expect([statusOf(world, second), unitsOf(world, second)]).toEqual(['yield', 550])
    expect(world.read(MineRequest).remaining[second]).toBe(-1)
    expect(world.read(Deposit).baseTick[row]).toBe(0)
  })

  test('a pull is filtered if a filter holds back the only rank', () => {
    const world = bareWorld()
    const poi = world.take(Poi)
    addDeposit(world, poi, { rank: 2 })
    const row = addRequest(world, poi, 5)
    world.write(Ship).filterMask[world.read(MineRequest).ship[row]] = 0b100
    run(world, [row])
    expect(statusOf(world, row)).toBe('filtered')
  })

  test('the draw follows the weights', () => {
    const world = bareWorld()
    const poi = world.take(Poi)
    const rich = addDeposit(world, poi, { richness: 75, max: 40_000, base: 40_000 })
    addDeposit(world, poi, { richness: 25, max: 40_000, base: 40_000, item: 1 })
    const row = addRequest(world, poi, 5)
    let picked = 0
    for (let tick = 51; tick <= 2050; tick++) {
      world.tick = tick
      run(world, [row])
      if (world.read(MineRequest).deposit[row] === rich) picked++
    }
    expect(picked).toBeGreaterThan(1400)
    expect(picked).toBeLessThan(1600)
  })
})
