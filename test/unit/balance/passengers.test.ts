/** Berths of liners, and the waiting passengers of a new galaxy. Source: balance.md section 6. */
import { describe, expect, test } from 'vitest'
import { SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { Base } from '../../../systems/base/state.ts'
import { Passenger, Terminal } from '../../../systems/passenger/state.ts'
import { galaxyWorld } from './worlds.ts'

const FIGURES = [
  'passenger_economy_berths',
  'passenger_business_berths',
  'passenger_first_berths',
] as const

describe('liners', () => {
  test.each([
    [1, [4, 1, 0]],
    [2, [6, 2, 1]],
    [3, [8, 5, 1]],
    [4, [10, 8, 16]],
  ])('of tier %i have these economy, business and first class berths: %j', (tier, berths) => {
    const liners = SHIP_CLASSES.filter(
      (row) => row.category === 'passenger' && row.tier === tier && !row.legacy,
    )
    expect(liners).not.toHaveLength(0)
    for (const { id, inherent_capabilities } of liners) {
      const own = FIGURES.map(
        (name) => inherent_capabilities.find(({ type }) => type === name)?.value ?? 0,
      )
      expect(own, id).toEqual(berths)
    }
  })
})

describe('a new galaxy', () => {
  test('starts with a sixth of the passengers that can wait at a base', async () => {
    const world = await galaxyWorld(1)
    const { alive, level, kind } = world.read(Base)
    const { waiting } = world.read(Terminal)
    for (let base = 1; base <= world.highOf(Base); base++) {
      if (alive[base] === 0 || waiting[base] === 0 || kind[base] > 1) continue
      expect(waiting[base]).toBe(Math.floor((2 + 2 * level[base]) / 6))
    }
  })

  test('sends more than half of its passengers at most four jumps', async () => {
    const world = await galaxyWorld(1)
    const { alive, jumps } = world.read(Passenger)
    let [near, all] = [0, 0]
    for (let row = 1; row <= world.highOf(Passenger); row++) {
      if (alive[row] === 0) continue
      all++
      if (jumps[row] <= 4) near++
    }
    expect(all).toBeGreaterThan(80)
    expect(near / all).toBeGreaterThan(0.5)
  })
})
