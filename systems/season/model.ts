/**
 * Finds which seasons run where. They follow from the seed and the tick alone, so nothing about
 * them is saved. Each empire is a region, and the free stations together are one more.
 */
import {
  EMPIRES,
  itemIndex,
  SEASON_ROUND_TICKS,
  SEASON_STEP_TICKS,
  SEASON_TICKS,
  SEASONS,
  SEASONS_AT_ONCE,
  type SeasonRow,
} from '../../core/catalog/index.ts'
import { divFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { WorldView } from '../../core/types.ts'
import { RUNNING } from './state.ts'

/** Regions by number: the empires, then the free stations. */
export const FREE_STATIONS = EMPIRES.length
const REGIONS_COUNT = EMPIRES.length + 1

export const regionName = (region: number): string =>
  region === FREE_STATIONS ? 'the free stations' : EMPIRES[region].name

export interface Season {
  readonly row: SeasonRow
  readonly region: number
  readonly startTick: number
  readonly endTick: number
}

const SEASON = hashText('season')
const START_STEPS = (SEASON_ROUND_TICKS - SEASON_TICKS) / SEASON_STEP_TICKS + 1

/** Returns the season of a round in a slot; the rounds of the slots are staggered. */
export function seasonOf(seed: number, slot: number, round: number): Season {
  const draw = (what: number, bound: number): number =>
    drawBelow(bound, hash32(seed, SEASON, slot, round, what))
  const offset = divFloor(SEASON_ROUND_TICKS * slot, SEASONS_AT_ONCE)
  const begin = round * SEASON_ROUND_TICKS - offset
  const startTick = begin + draw(2, START_STEPS) * SEASON_STEP_TICKS
  return {
    row: SEASONS[draw(0, SEASONS.length)],
    region: draw(1, REGIONS_COUNT),
    startTick,
    endTick: startTick + SEASON_TICKS,
  }
}

/** Returns the season that runs in a slot at a tick, or the next one there. */
function seasonAt(seed: number, slot: number, tick: number): Season {
  const offset = divFloor(SEASON_ROUND_TICKS * slot, SEASONS_AT_ONCE)
  const round = divFloor(tick + offset, SEASON_ROUND_TICKS)
  const season = seasonOf(seed, slot, round)
  return season.endTick > tick ? season : seasonOf(seed, slot, round + 1)
}

/** Returns the seasons that run now or come next, one per slot. */
export const seasonsAhead = (view: WorldView): Season[] =>
  Array.from({ length: SEASONS_AT_ONCE }, (_, slot) => seasonAt(view.seed, slot, view.tick))

/** Returns the seasons that run now, by region; computes them once per step. */
function running(view: WorldView) {
  const kept = view.index(RUNNING)
  const step = divFloor(view.tick, SEASON_STEP_TICKS)
  if (kept.step !== step) {
    kept.step = step
    kept.byRegion.clear()
    for (const season of seasonsAhead(view)) {
      if (season.startTick > view.tick) continue
      const { row, region } = season
      const here = kept.byRegion.get(region) ?? { rows: [], usedBps: new Map<number, number>() }
      // Two slots may draw the same season for a region; it counts once.
      if (here.rows.includes(row)) continue
      here.rows.push(row)
      for (const id of row.uses) here.usedBps.set(itemIndex(id), row.usedBps)
      for (const id of row.grows) here.usedBps.set(itemIndex(id), -row.grownBps)
      kept.byRegion.set(region, here)
    }
  }
  return kept.byRegion
}

/** Returns the seasons that run in a region. */
export const seasonsIn = (view: WorldView, region: number): readonly SeasonRow[] =>
  running(view).get(region)?.rows ?? []

/**
 * Returns by how much the seasons of a region raise its residents' use of a good, in hundredths of
 * a percent of the target stock per cycle; negative where they bring more of it in.
 */
export const seasonalUseBps = (view: WorldView, region: number, item: number): number =>
  running(view).get(region)?.usedBps.get(item) ?? 0

const percentOf = (view: WorldView, region: number, key: 'travellersPct' | 'bountyPct'): number =>
  seasonsIn(view, region).reduce((pct, row) => divFloor(pct * row[key], 100), 100)

/** Returns how many travellers a region has, in percent of the usual number. */
export const travellersPct = (view: WorldView, region: number): number =>
  percentOf(view, region, 'travellersPct')

/** Returns the bounty that a region pays for pirates, in percent of the usual one. */
export const bountyPct = (view: WorldView, region: number): number =>
  percentOf(view, region, 'bountyPct')
