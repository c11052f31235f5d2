/** Police levels and packs of pirates, as a new map has them. Source: balance.md section 8. */
import { describe, expect, test } from 'vitest'
import {
  CREATURES,
  generateGalaxy,
  PIRATES,
  packAt,
  policeAt,
  prowlerPct,
} from '../../../core/catalog/index.ts'

const SEEDS = [1, 2, 3, 4, 5]
const site = { police: 0, jumps: 1, isStronghold: false, random: 0 }

describe('police', () => {
  test('falls with the jumps from the capital', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 9].map(policeAt)).toEqual([100, 85, 70, 50, 30, 15, 5, 5])
  })

  test.each(SEEDS)('leaves systems of every band on the map of seed %i', (seed) => {
    const levels = generateGalaxy(seed).systems.map(({ police_level }) => police_level)
    const count = (min: number, max: number): number =>
      levels.filter((level) => level >= min && level <= max).length
    const bands = [count(60, 100), count(20, 59), count(1, 19), count(0, 0)]
    if (seed === 1) expect(bands).toEqual([64, 128, 65, 288])
    expect(bands[0]).toBeGreaterThanOrEqual(45)
    expect(bands[1]).toBeGreaterThanOrEqual(100)
    expect(bands[2]).toBeGreaterThanOrEqual(40)
    expect(bands[3]).toBeGreaterThanOrEqual(260)
  })
})

describe('a pack', () => {
  test('grows as police declines, and with the depth of lawless space', () => {
    expect([100, 50, 30, 21].map((police) => packAt({ ...site, police }))).toEqual(
      Array(4).fill([0, 0, 0, 0]),
    )
    expect([0, 1, 2].map((random) => packAt({ ...site, police: 15, random }))).toEqual([
      [2, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ])
    expect(packAt({ ...site, police: 5 })).toEqual([3, 0, 0, 0])
    expect([1, 2, 3, 9].map((jumps) => packAt({ ...site, jumps }))).toEqual([
      [3, 1, 0, 0],
      [4, 2, 0, 0],
      [4, 2, 2, 0],
      [4, 2, 2, 0],
    ])
    expect(packAt({ ...site, isStronghold: true })).toEqual([8, 4, 4, 1])
  })

  test('may be a lone prowler only where police is 50 or 30', () => {
    expect([100, 85, 70, 50, 30, 20, 15, 5, 0].map(prowlerPct)).toEqual([
      0, 0, 0, 25, 50, 0, 0, 0, 0,
    ])
  })

  test.each(SEEDS)('makes some two thousand pirates on the map of seed %i', (seed) => {
    const { systems } = generateGalaxy(seed)
    const sum = systems.reduce((all, { police_level, is_stronghold, depth, id }) => {
      const pack = packAt({
        police: police_level,
        jumps: depth,
        isStronghold: is_stronghold,
        random: id.length,
      })
      return all + pack.reduce((a, b) => a + b, 0)
    }, 0)
    expect(sum).toBeGreaterThan(1_500)
    expect(sum).toBeLessThan(2_100)
  })
})

describe('the opponents of a starter ship', () => {
  test('include scouts and prey of two tiers that are slow enough to flee from', () => {
    expect(PIRATES.find(({ role }) => role === 'scout')?.speed).toBeLessThanOrEqual(2)
    const prey = CREATURES.filter(
      ({ tier, nature }) => tier <= 2 && (nature === 'skittish' || nature === 'wary'),
    )
    expect(prey.length).toBeGreaterThan(10)
    expect(prey.filter(({ speed }) => speed > 2)).toEqual([])
  })

  test('carry bounties that rise with their tier', () => {
    expect(PIRATES.map(({ bountyCredits }) => bountyCredits)).toEqual([700, 2_000, 6_000, 60_000])
  })
})
