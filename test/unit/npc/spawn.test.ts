/** The number of pirates and the places where they are. Source: combat.md section 13. */
import { beforeAll, describe, expect, test } from 'vitest'
import { BOSS, PIRATES, PROWLER_TICKS, packAt } from '../../../core/catalog/index.ts'
import { rowsOf } from '../../../core/columns.ts'
import { TABLE_FILL_MAX_PCT } from '../../../core/limits.ts'
import type { Eid, World } from '../../../core/types.ts'
import { npcName, npcsOf, PIRATE } from '../../../systems/npc/model.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { depthOf } from '../../../systems/travel/depth-model.ts'
import { Location, POI_TYPES, Poi, StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { pirateWorld, remove } from './scene.ts'

let small: SmallWorld
let fresh: string
beforeAll(async () => {
  small = await pirateWorld()
  fresh = small.hash()
})

const countsIn = (world: World, system: Eid): number[] => {
  const { type } = world.read(Npc)
  const { kind } = world.read(Npc)
  const there = npcsOf(world, system).filter((npc) => kind[npc] === PIRATE)
  return PIRATES.map((_, index) => there.filter((npc) => type[npc] === index).length)
}
const systems = (world: World): Eid[] =>
  Array.from({ length: world.highOf(StarSystem) }, (_, i) => i + 1)
const lawless = (world: World): Eid =>
  systems(world).find((system) => {
    const { police, stronghold } = world.read(StarSystem)
    return police[system] === 0 && stronghold[system] === 0 && depthOf(world, system) > 2
  }) as Eid

describe('the number of pirates of a system', () => {
  test('follows police level and depth of the system in a new world', () => {
    const { police, stronghold } = small.world.read(StarSystem)
    for (const system of systems(small.world)) {
      const counts = countsIn(small.world, system)
      const jumps = depthOf(small.world, system)
      const isStronghold = stronghold[system] === 1
      const packs = [0, 1].map((random) =>
        packAt({ police: police[system], jumps, isStronghold, random }),
      )
      expect(packs).toContainEqual(counts)
    }
    expect(small.world.countOf(Npc)).toBeGreaterThan(2_000)
  })

  test('is the same in two worlds of one seed', async () => {
    expect((await pirateWorld()).hash()).toBe(fresh)
  })

  test('fits the table, and no system has a second pirate in a small world', async () => {
    const { world } = await smallWorld()
    const room = Math.trunc((rowsOf(Npc, world.maxEntities) * TABLE_FILL_MAX_PCT) / 100)
    expect(world.countOf(Npc)).toBe(room)
    const maximum = Math.max(...systems(world).map((system) => npcsOf(world, system).length))
    expect(maximum).toBe(1)
  })
})

describe('pirates', () => {
  test('lurk at visible places away from bases, entries and police', () => {
    const { poi } = small.world.read(Location)
    const { ship, alive, kind, type: tier } = small.world.read(Npc)
    const { type, hidden, base } = small.world.read(Poi)
    const { entryPoi, police } = small.world.read(StarSystem)
    for (let npc = 1; npc <= small.world.highOf(Npc); npc++) {
      if (alive[npc] === 0 || poi[ship[npc]] === 0) continue
      if (kind[npc] !== PIRATE || tier[npc] === BOSS) continue
      const place = poi[ship[npc]]
      expect([hidden[place], base[place]]).toEqual([0, 0])
      expect(entryPoi).not.toContain(place)
      expect(POI_TYPES[type[place]]).not.toBe('station')
      expect(police[small.world.read(Poi).system[place]]).toBeLessThanOrEqual(20)
    }
  })

  test('have the figures of their tier, whatever their hull', () => {
    const { ship, type } = small.world.read(Npc)
    const ships = small.world.read(Ship)
    for (const npc of npcsOf(small.world, lawless(small.world))) {
      const pirate = ship[npc]
      const { hull, shield, armor, speed } = PIRATES[type[npc]]
      const figures = [ships.hull, ships.hullMax, ships.shield, ships.armor, ships.speed]
      expect(figures.map((column) => column[pirate])).toEqual([hull, hull, shield, armor, speed])
      expect(npcName(small.world, pirate)).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
      expect(ships.owner[pirate]).toBe(0)
    }
  })

  test('return one by one every 60 ticks, the lowest tier first', async () => {
    const ownSmall = await pirateWorld()
    const system = lawless(ownSmall.world)
    const { ship } = ownSmall.world.read(Npc)
    const pirates = npcsOf(ownSmall.world, system).map((npc) => ship[npc])
    expect(pirates.length).toBe(8)
    for (const hull of [pirates[0], pirates[7]]) remove(ownSmall.world, hull)
    ownSmall.ticks(60)
    expect(countsIn(ownSmall.world, system)).toEqual([4, 2, 1, 0])
    ownSmall.ticks(60)
    expect(countsIn(ownSmall.world, system)).toEqual([4, 2, 2, 0])
  })

  test('continue identically after a restart', async () => {
    const restored = await small.reload()
    expect(restored.hash()).toBe(small.hash())
    restored.ticks(5)
    small.ticks(5)
    expect(restored.hash()).toBe(small.hash())
  })
})

describe('prowlers', () => {
  test('visit some systems with a police level of 21 to 59, one each, and move on', async () => {
    const ownSmall = await pirateWorld()
    const { world } = ownSmall
    const { police } = world.read(StarSystem)
    const visited = systems(world).filter((system) => police[system] >= 21 && police[system] < 60)
    const prowlersIn = (system: Eid): number => countsIn(world, system).reduce((a, b) => a + b, 0)
    ownSmall.ticks(PROWLER_TICKS)
    const first = visited.filter((system) => prowlersIn(system) > 0)
    expect(Math.max(...visited.map(prowlersIn))).toBe(1)
    expect(first.length / visited.length).toBeGreaterThan(0.2)
    expect(first.length / visited.length).toBeLessThan(0.55)
    ownSmall.ticks(PROWLER_TICKS)
    const second = visited.filter((system) => prowlersIn(system) > 0)
    expect(Math.max(...visited.map(prowlersIn))).toBe(1)
    expect(second).not.toEqual(first)
    expect(second.length / visited.length).toBeGreaterThan(0.2)
    for (const system of systems(world)) {
      if (police[system] >= 60) expect(prowlersIn(system)).toBe(0)
    }
  })
})
