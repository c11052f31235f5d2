/**
 * Every achievement, of players and of factions, and how the published ones look on the wire.
 * Source: missions.md section 6; spec, Catalog bulk download.
 */
import { type AchievementRow, rowOfSingle, rowsOfSeries } from './achievement-row.ts'
import { renderCriteria, SKILL_COUNTER } from './achievement-words.ts'
import { FACTION_SERIES, FACTION_SINGLES } from './achievements-faction.ts'
import { FIGHT_SERIES } from './achievements-fight.ts'
import { COMPANY_SERIES, ROAD_SERIES, SHIP_SERIES, TRADE_SERIES } from './achievements-life.ts'
import { SINGLES } from './achievements-single.ts'
import { SKILL_SERIES } from './achievements-skill.ts'
import { WORK_SERIES } from './achievements-work.ts'
import { deepFreeze } from './freeze.ts'

/** Maximum credits for one achievement, and for all of a player. Source: missions.md section 6. */
export const ACHIEVEMENT_CREDITS_MAX = 500
export const ACHIEVEMENT_CREDITS_SUM_MAX = 20_000

/** Achievements of players, in the order in which they are listed. */
export const ACHIEVEMENTS: readonly AchievementRow[] = deepFreeze([
  ...[FIGHT_SERIES, WORK_SERIES, ROAD_SERIES, TRADE_SERIES, SHIP_SERIES]
    .concat([COMPANY_SERIES, SKILL_SERIES])
    .flatMap((all) => all.flatMap((series) => rowsOfSeries(series))),
  ...SINGLES.map((single) => rowOfSingle(single)),
])

/** Achievements of factions. They pay nothing, since anybody may found a faction. */
export const FACTION_ACHIEVEMENTS: readonly AchievementRow[] = deepFreeze([
  ...FACTION_SERIES.flatMap((series) => rowsOfSeries(series, true)),
  ...FACTION_SINGLES.map((single) => rowOfSingle(single, true)),
])

/** Returns the published entry of an achievement, with its rewards as separate fields. */
export function achievementEntry(row: AchievementRow) {
  const { id, name, description, category, points, criteria, series, after, faction } = row
  return {
    id,
    name,
    description,
    category,
    points,
    criteria: renderCriteria(criteria, faction),
    ...(series === undefined ? {} : { series }),
    ...(after === undefined ? {} : { after }),
    ...(faction ? { faction } : {}),
    ...row.rewards,
  }
}

/** Counters that pay: not those that two players can raise for each other, or that talk raises. */
const PAYING_COUNTERS: ReadonlySet<string> = new Set([
  'pirates_destroyed',
  'bases_destroyed',
  'bounty_earned',
  'creatures_hunted',
  'arena_challenges_won',
  'void_drifts',
  'ore_mined',
  'deep_core_pois_discovered',
  'items_crafted',
  'facilities_built',
  'wrecks_scrapped',
  'wrecks_sold',
  'missions_completed',
  'drone_actions',
  'systems_visited',
  'jumps_completed',
  'distance_traveled',
  'ships_commissioned',
])
/** Skills that are trained by the presence of others. */
const TAUGHT_BY_OTHERS: ReadonlySet<string> = new Set(['skill.trading', 'skill.leadership'])

/**
 * Returns whether a counter takes effort, so that it may bring credits. Source: missions.md
 * section 6; ours: trade, gifts, talk, ships destroyed, and what takes no effort (docking,
 * cloaking, refitting, scanning) bring none.
 */
export const isPaying = (counter: string): boolean =>
  PAYING_COUNTERS.has(counter) ||
  (counter.startsWith(SKILL_COUNTER) && !TAUGHT_BY_OTHERS.has(counter))
