/**
 * The shape of an achievement, and the short forms in which the tables are written: a series is one
 * counter with rising targets, a single has any list of criteria. Source: missions.md section 6.
 */

/** At least, or at most. Counters never fall, so only an "at least" can become true later. */
export type CriterionOp = '>=' | '<='
export type Criterion = readonly [counter: string, op: CriterionOp, target: number]

export interface AchievementRewards {
  readonly title?: string
  readonly emblem?: string
  readonly credits?: number
  readonly skill_xp?: Readonly<Record<string, number>>
}

export interface AchievementRow {
  /** Bit in the mask of earned achievements: never reused, not even if this one is removed. */
  readonly no: number
  readonly id: string
  readonly name: string
  readonly description: string
  readonly category: string
  readonly points: number
  readonly criteria: readonly Criterion[]
  readonly rewards: AchievementRewards
  /** Earned by a faction. */
  readonly faction: boolean
  readonly secret: boolean
  readonly series?: string
  /** Id of the achievement that must be earned first. */
  readonly after?: string
}

/** A step of a series, each after the one before. ours: the first is easy and pays nothing. */
type Step = readonly [
  no: number,
  target: number,
  id: string,
  name: string,
  points: number,
  description: string,
  rewards?: AchievementRewards,
]

export interface Series {
  /** Its id; the counter's name by default. */
  readonly series?: string
  readonly category: string
  readonly counter: string
  readonly steps: readonly Step[]
}

export type Single = Omit<AchievementRow, 'rewards' | 'faction' | 'secret' | 'series'> &
  Partial<Pick<AchievementRow, 'rewards' | 'secret'>>

/** Returns the rows of a series. */
export function rowsOfSeries(table: Series, faction = false): AchievementRow[] {
  const { category, counter, steps, series = counter } = table
  return steps.map(([no, target, id, name, points, description, rewards = {}], index) => ({
    no,
    id,
    name,
    description,
    category,
    points,
    rewards,
    faction,
    series,
    criteria: [[counter, '>=', target] as const],
    secret: false,
    ...(index === 0 ? {} : { after: steps[index - 1][2] }),
  }))
}

/** Returns the row of a single. */
export const rowOfSingle = (single: Single, faction = false): AchievementRow => ({
  rewards: {},
  secret: false,
  faction,
  ...single,
})
