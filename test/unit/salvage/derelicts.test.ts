/** Derelicts that drift in, and salvage yards that report them. Source: balance.md section 8. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CARGO_CREDITS, GOODS, HULKS, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { drift, siteDue } from '../../../systems/salvage/derelict-systems.ts'
import { makeDerelict } from '../../../systems/salvage/make-rules.ts'
import { goodsOf, isDerelict, wreckId, wrecksAt } from '../../../systems/salvage/model.ts'
import { takeGoods } from '../../../systems/salvage/rules.ts'
import { DERELICT_TURNS, Wreck } from '../../../systems/salvage/state.ts'
import { depthOf } from '../../../systems/travel/depth-model.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { Location, Poi, StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { hullOf } from '../combat/scene.ts'
import { beside, hullOfScale, type Yard } from './stage.ts'

const HOUR_TICKS = 360

let small: SmallWorld
beforeAll(async () => {
  small = await smallWorld({ maxEntities: 8_000 })
})

function derelicts(): Row[] {
  const { world } = small
  const found: Row[] = []
  for (let poi = 1; poi <= world.highOf(Poi); poi++) {
    found.push(...wrecksAt(world, poi).filter((wreck) => isDerelict(world, wreck)))
  }
  return found
}

/** Returns the sites at which a derelict is due in the ticks of an hour. */
function sitesDueIn(hour: number): Eid[] {
  const ticks = Array.from({ length: HOUR_TICKS }, (_, tick) => hour * HOUR_TICKS + tick)
  return ticks.map((tick) => siteDue(small.world, tick)).filter((site) => site !== 0)
}

/** Runs only the system of derelicts until one was due at a site. */
function driftUntilDue(site: Eid): void {
  const { world } = small
  const now = world.tick
  do {
    world.tick++
    drift.run?.(world)
  } while (siteDue(world, world.tick) !== site)
  world.tick = now
}

describe('derelicts', () => {
  test('appear once an hour for each player online, but at least ten times', () => {
    const { world } = small
    const count = (hourly: number): number => {
      world.records(DERELICT_TURNS).set('hourly', hourly)
      const sites = sitesDueIn(9)
      expect(new Set(sites).size).toBe(sites.length)
      return sites.length
    }
    expect([count(10), count(40), count(80)]).toEqual([10, 40, 80])
    // No site is due twice in two hours.
    expect(count(1_000)).toBe(Math.floor(new Set(sitesDueIn(0)).size / 2))
    const before = sitesDueIn(9)
    const now = world.tick
    world.tick = HOUR_TICKS * 9
    drift.run?.(world)
    world.tick = now
    expect(world.records(DERELICT_TURNS).get('hourly')).toBe(10)
    expect(new Set([...sitesDueIn(9), ...before]).size).toBe(10 + before.length)
  })

  test('drift at every site of a new world, in debris fields and lawless systems', () => {
    const { world } = small
    const sites = new Set(sitesDueIn(0))
    expect(sites.size).toBeGreaterThan(200)
    small.ticks(HOUR_TICKS)
    const { poi } = world.read(Wreck)
    const { system, class: kind } = world.read(Poi)
    const places = derelicts().map((wreck) => poi[wreck])
    expect(new Set(places)).toEqual(sites)
    for (const place of places) {
      const isDebris = world.texts.get(kind[place]) === 'debris'
      expect(isDebris || world.read(StarSystem).police[system[place]] === 0).toBe(true)
      expect(wrecksAt(world, place).length).toBeLessThanOrEqual(2)
    }
  })

  test('have higher tiers at greater depth, and a value within that of their tier', () => {
    const { world } = small
    const { poi, value, class: shipClass } = world.read(Wreck)
    const depths = new Map<number, Set<number>>()
    for (const wreck of derelicts()) {
      const { tier } = SHIP_CLASSES[shipClass[wreck]]
      const row = HULKS.find((hulk) => hulk.tier === tier)
      expect(value[wreck]).toBeGreaterThanOrEqual(row?.credits[0] ?? Infinity)
      expect(value[wreck]).toBeLessThanOrEqual(row?.credits[1] ?? 0)
      const [{ item, units }] = goodsOf(world, wreck)
      expect(units * GOODS[item].base_value).toBeLessThanOrEqual(CARGO_CREDITS[1])
      const depth = depthOf(world, world.read(Poi).system[poi[wreck]])
      depths.set(depth, (depths.get(depth) ?? new Set()).add(tier))
    }
    const tiersAt = (depth: number) => [...(depths.get(depth) ?? [])].sort()
    expect([1, 2, 3, 4, 5].map(tiersAt)).toEqual([[1, 2], [1, 2, 3], [2, 3, 4], [3, 4], [4]])
  })

  test('are replaced once they are empty, but not while they hold goods', () => {
    const { world } = small
    const [site] = sitesDueIn(0).filter((poi) => wrecksAt(world, poi).length === 1)
    driftUntilDue(site)
    const [first, second] = wrecksAt(world, site)
    expect(second).toBeGreaterThan(0)
    driftUntilDue(site)
    expect(wrecksAt(world, site)).toEqual([first, second])
    const firstId = wreckId(world, first)
    for (const held of goodsOf(world, first)) {
      takeGoods(world, first, namedContainer('destroyed'), held)
    }
    driftUntilDue(site)
    const ids = wrecksAt(world, site).map((wreck) => wreckId(world, wreck))
    expect(ids).toHaveLength(2)
    expect(ids).toContain(wreckId(world, second))
    expect(ids).not.toContain(firstId)
  })

  test('appear the same in a reloaded world', async () => {
    const reloaded = await small.reload()
    reloaded.ticks(80)
    small.ticks(80)
    expect(reloaded.hash()).toBe(small.hash())
  })
})

describe('a salvage yard', () => {
  let yard: Yard
  beforeEach(async () => {
    yard = await beside()
  })

  interface Report {
    readonly id: string
    readonly jumps: number
    readonly towable: boolean
  }

  const reported = (): readonly Report[] | undefined => {
    const seen = yard.small.ask(yard.one, 'get_wrecks') as { result: { reported?: Report[] } }
    return seen.result.reported
  }
  const classOfScale = (scale: number): number =>
    SHIP_CLASSES.findIndex(({ id }) => id === hullOfScale(scale))

  /** Leaves a derelict in the system where the player is docked. */
  function leaveDerelict(scale: number): string {
    const { world, one } = yard
    const system = world.read(Location).system[hullOf(world, one)]
    const poi = poisOf(world, system).find((row) => world.read(Poi).hidden[row] === 0) ?? 0
    const shipClass = classOfScale(scale)
    return wreckId(world, makeDerelict(world, { poi, shipClass, value: 900, cargo: [] }))
  }

  test('lists nearby derelicts to docked players and marks those that they can tow', () => {
    yard.tug(yard.one)
    yard.dockAt(yard.one, 'salvage_yard')
    const [light, heavy] = [leaveDerelict(2), leaveDerelict(3)]
    const rows = reported() ?? []
    expect(rows.slice(0, 2)).toMatchObject([
      { id: light, jumps: 0, towable: true, salvage_value: 900, cargo_count: 0 },
      { id: heavy, jumps: 0, towable: false },
    ])
    yard.tug(yard.one, undefined, [])
    yard.dockAt(yard.one, 'salvage_yard')
    expect(reported()?.find(({ id }) => id === light)).toMatchObject({ towable: false })
  })

  test('reports no wrecks of lost ships, and nothing to players elsewhere', () => {
    yard.tug(yard.one)
    const { id } = yard.wreck()
    expect(reported()).toBeUndefined()
    yard.dockAt(yard.one, 'salvage_yard', false)
    expect(reported()).toBeUndefined()
    yard.dockAt(yard.one, 'salvage_yard')
    expect(reported()?.map((row) => row.id)).not.toContain(id)
  })
})
