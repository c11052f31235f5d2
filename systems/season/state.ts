/** What is kept of the seasons: nothing but what follows from seed and tick. */
import type { SeasonRow } from '../../core/catalog/index.ts'
import { defineIndex } from '../../core/world.ts'

interface RegionSeasons {
  readonly rows: SeasonRow[]
  /** By item: hundredths of a percent of the target stock a cycle; below 0 where more comes in. */
  readonly usedBps: Map<number, number>
}

/** Seasons that run, by region, as of a step. */
export const RUNNING = defineIndex('season.running', () => ({
  step: -1,
  byRegion: new Map<number, RegionSeasons>(),
}))
