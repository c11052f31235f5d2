/** Seasons: when and where they run, what they change, and the news of them. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  itemIndex,
  SEASON_ROUND_TICKS,
  SEASON_TICKS,
  SEASONS,
  SEASONS_AT_ONCE,
  seasonFaults,
} from '../../../core/catalog/index.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { regionOf } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { openCitizenPool } from '../../../systems/facility/rules.ts'
import { Book, Managed } from '../../../systems/market/state.ts'
import { workAt } from '../../../systems/market/works-rules.ts'
import { boardOf } from '../../../systems/mission/offers-model.ts'
import { Advertised } from '../../../systems/mission/state.ts'
import { regionName, seasonOf, seasonsAhead, seasonsIn } from '../../../systems/season/model.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let small: SmallWorld
let player: Eid
beforeEach(async () => {
  small = await smallWorld({ players: 1 })
  player = small.players[0]
})

/** Sets the clock to the middle of a season of a kind in a region that has bases. */
function enter(id: string): number {
  const { world } = small
  for (let round = 0; ; round++) {
    for (let slot = 0; slot < SEASONS_AT_ONCE; slot++) {
      const season = seasonOf(world.seed, slot, round)
      if (season.row.id !== id || season.startTick < 0) continue
      world.tick = season.startTick + 1
      return season.region
    }
    if (round > 1_000) throw new Error(`${id} never occurs`)
  }
}

function baseIn(region: number): Eid {
  const { world } = small
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (world.read(Base).alive[base] === 1 && regionOf(world, base) === region) return base
  }
  throw new Error(`no base in region ${region}`)
}

function managedOf(base: Eid, item: string): number {
  const { world } = small
  const { alive, base: bases, book } = world.read(Managed)
  for (let row = 1; row <= world.highOf(Managed); row++) {
    const isHere = alive[row] === 1 && bases[row] === base
    if (isHere && world.read(Book).item[book[row]] === itemIndex(item)) return row
  }
  return 0
}

describe('the calendar', () => {
  test('names goods that exist, and has at least eight kinds', () => {
    expect(seasonFaults()).toEqual([])
    expect(SEASONS.length).toBeGreaterThanOrEqual(8)
    expect(seasonFaults([{ ...SEASONS[0], uses: ['moonbeams'] }])).toEqual([
      'ore_rush names the unknown item moonbeams',
    ])
  })

  test('every round of a slot has one season within it', () => {
    for (let slot = 0; slot < SEASONS_AT_ONCE; slot++) {
      for (let round = 1; round < 40; round++) {
        const { startTick, endTick } = seasonOf(7, slot, round)
        const begin = round * SEASON_ROUND_TICKS - (SEASON_ROUND_TICKS / SEASONS_AT_ONCE) * slot
        expect(endTick - startTick).toBe(SEASON_TICKS)
        expect(startTick).toBeGreaterThanOrEqual(begin)
        expect(endTick).toBeLessThanOrEqual(begin + SEASON_ROUND_TICKS)
      }
    }
  })

  test('every kind occurs within 100 rounds', () => {
    const seen = new Set<string>()
    for (let slot = 0; slot < SEASONS_AT_ONCE; slot++) {
      for (let round = 0; round < 100; round++) seen.add(seasonOf(3, slot, round).row.id)
    }
    expect([...seen].sort()).toEqual(SEASONS.map(({ id }) => id).sort())
  })
})

describe('a running season', () => {
  test('uses up its goods in its own region only', () => {
    const region = enter('dry_tanks')
    const { world } = small
    const { stock, target } = world.read(Managed)
    const here = managedOf(baseIn(region), 'fuel_cell')
    const elsewhere = managedOf(baseIn((region + 1) % 5), 'fuel_cell')
    expect(here * elsewhere).toBeGreaterThan(0)
    const before = [stock[here], stock[elsewhere]]
    for (const row of [here, elsewhere]) {
      const base = world.read(Managed).base[row]
      // Citizens of a new world have nothing to spend yet.
      post(world, namedAccount('starting_grant'), openCitizenPool(world, base), 1_000_000)
      workAt(world, base)
    }
    expect(before[0] - stock[here]).toBeGreaterThanOrEqual(Math.floor(target[here] / 50))
    expect(before[1] - stock[elsewhere]).toBeLessThan(target[elsewhere] / 100)
  })

  test('fills stocks with what it brings, to twice the target', () => {
    const region = enter('ice_comet')
    const { world } = small
    const { stock, target } = world.read(Managed)
    const row = managedOf(baseIn(region), 'water_ice')
    expect(row).toBeGreaterThan(0)
    for (let cycle = 0; cycle < 200; cycle++) workAt(world, world.read(Managed).base[row])
    expect(stock[row]).toBeGreaterThan(target[row] * 1.9)
  })

  test('has missions on the boards of its region where its goods are not for sale', () => {
    const region = enter('grey_cough')
    const { world } = small
    const base = baseIn(region)
    for (const item of ['antibiotics', 'medical_supplies']) {
      world.write(Advertised).ask[managedOf(base, item)] = 0
    }
    const seasonal = boardOf(world, base)
      .map(({ template }) => template.season)
      .filter((season) => season !== undefined)
    expect(seasonal).toContain('grey_cough')
    const running = seasonsIn(world, region).map(({ id }) => id)
    expect(seasonal.filter((season) => !running.includes(season))).toEqual([])
  })
})

describe('the news', () => {
  test('lists running seasons with their regions and ends', () => {
    const region = enter('blackout')
    const news = small.ask(player, 'get_news')
    const running = seasonsAhead(small.world).filter((s) => s.startTick <= small.world.tick)
    expect(news).toMatchObject({ ok: true, result: { count: running.length } })
    const { seasons } = (news as { result: { seasons: object[] } }).result
    expect(seasons).toContainEqual(
      expect.objectContaining({
        id: 'blackout',
        region: regionName(region),
        text: expect.stringContaining(regionName(region)),
        wanted: expect.arrayContaining(['Circuit Board']),
        ends_in_ticks: SEASON_TICKS - 1,
      }),
    )
  })

  test('is shown to a pilot who docks, for the region of the base', () => {
    const { world } = small
    const region = regionOf(world, dockedBase(world, player))
    const expected = seasonsIn(world, region).length
    small.act(player, 'undock')
    expect(small.act(player, 'dock')).toMatchObject({
      ok: true,
      result: { news: { length: expected } },
    })
  })
})
