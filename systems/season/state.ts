/** The seasons that run now, cached for speed alone: they follow from seed and tick. */
import type { SeasonRow } from '../../core/catalog/index.ts'
import { defineIndex } from '../../core/world.ts'

interface RegionSeasons {
  readonly rows: SeasonRow[]
  /**
   * Extra use of each item per cycle, in hundredths of a percent of the target stock; negative
   * where the season brings goods in.
   */
  readonly usedBps: Map<number, number>
}

/** The running seasons by region, as computed for `step`; -1 before the first time. */
export const RUNNING = defineIndex('season.running', () => ({
  step: -1,
  byRegion: new Map<number, RegionSeasons>(),
}))
