/** What careers should pay and train: bands of income by tier, in one table. Source: balance.md. */

export type CareerName =
  | 'mining'
  | 'lawless'
  | 'trade'
  | 'courier'
  | 'passenger'
  | 'craft'
  | 'bounty'
  | 'salvage'
  | 'exploration'
  | 'drones'

/** Least and most credits an hour. */
type Band = readonly [low: number, high: number]

/** Median income of a tier, credits an hour. A pilot starts with three hours of it. */
export const MEDIANS: readonly number[] = [7_000, 13_000, 26_000, 46_000, 80_000]

interface CareerBands {
  /** By hull tier from 0; undefined where nobody can live on the career. */
  readonly bands: readonly (Band | undefined)[]
  /** How many of a hundred day-long runs may lose a ship. */
  readonly lossPct: number
  /** The career pays while its owner gives no command, so it is not compared with the others. */
  readonly unattended?: true
}

const thousands = (...pairs: readonly (readonly [number, number] | undefined)[]) =>
  pairs.map((pair): Band | undefined => pair && [pair[0] * 1_000, pair[1] * 1_000])

/** Source: balance.md section 2. Piracy and the services of stations have no bots. */
export const BANDS: Readonly<Record<CareerName, CareerBands>> = {
  mining: { bands: thousands([5, 8], [9, 15], [18, 30], [30, 50], [50, 85]), lossPct: 1 },
  lawless: {
    bands: thousands(undefined, [13, 22], [28, 48], [50, 85], [90, 150]),
    lossPct: 25,
  },
  trade: { bands: thousands([4, 10], [9, 20], [20, 40], [36, 75], [60, 130]), lossPct: 2 },
  courier: { bands: thousands([5, 8], [10, 17], [20, 34], [36, 60], [60, 100]), lossPct: 1 },
  passenger: { bands: thousands(undefined, [10, 20], [20, 40], [35, 70], [60, 120]), lossPct: 1 },
  craft: { bands: thousands([4, 7], [7, 12], [13, 22], [23, 40], [40, 80]), lossPct: 0 },
  bounty: { bands: thousands([4, 10], [9, 20], [20, 45], [40, 85], [70, 150]), lossPct: 20 },
  salvage: { bands: thousands([3.5, 7], [9, 16], [18, 32], [30, 55], [50, 90]), lossPct: 5 },
  exploration: { bands: thousands([4, 9], [10, 20], [15, 40], [25, 70], [40, 110]), lossPct: 5 },
  drones: {
    bands: thousands([0, 1.7], [0, 3.2], [0, 6.5], [0, 11], [0, 20]),
    lossPct: 2,
    unattended: true,
  },
}

const CAREERS = Object.keys(BANDS) as CareerName[]

/** A career in a hull of a tier. */
export interface Cell {
  readonly career: CareerName
  readonly tier: number
}

export const cellName = ({ career, tier }: Cell): string => `${career}:${tier}`

export const bandOf = ({ career, tier }: Cell): Band => {
  const band = BANDS[career].bands[tier]
  if (!band) throw new Error(`there is no ${career} in tier ${tier}`)
  return band
}

/** All cells of the table, by career. */
export const CELLS: readonly Cell[] = CAREERS.flatMap((career) =>
  BANDS[career].bands.flatMap((band, tier) => (band ? [{ career, tier }] : [])),
)

/** Reads `mining` as all tiers of a career, `mining:1` as one; throws on anything else. */
export function cellsNamed(text: string): Cell[] {
  const found = CELLS.filter((cell) => cell.career === text || cellName(cell) === text)
  if (found.length === 0) throw new Error(`no cell ${text}`)
  return found
}

/** What the next hull takes: total piloting XP, its price, and the most hours from the start. */
interface Step {
  readonly tier: number
  readonly pilotingXp: number
  readonly credits: number
  readonly hoursMax: number
}

/** Source: balance.md section 3. */
export const STEPS: readonly Step[] = [
  { tier: 1, pilotingXp: 0, credits: 15_000, hoursMax: 2 },
  { tier: 2, pilotingXp: 13_725, credits: 43_000, hoursMax: 8 },
  { tier: 3, pilotingXp: 100_950, credits: 104_000, hoursMax: 32 },
  { tier: 4, pilotingXp: 331_675, credits: 377_000, hoursMax: 85 },
]

/**
 * What a pilot of a tier pays for the next hull, credits an hour: its price over the hours until it
 * may be flown. Source: balance.md section 3.
 */
export const HULL_PAYMENTS: readonly number[] = [7_500, 7_200, 4_300, 7_100, 6_000]

/** The limits that the verdict applies to all cells. Source: balance.md sections 1, 2, 9, 11. */
export const LIMITS = {
  /** Least and most pay of a career, percent of the median of its tier. */
  careerPct: [50, 200],
  unattendedPct: 25,
  /** Least and most pay in the last quarter of a run, percent of the first. */
  lastQuarterPct: [60, 150],
  /**
   * Growth of the money supply in a day, mean of seven, percent, from each of these days on. The
   * governor begins with full faucets, and the first days of a world are the mean of fewer.
   */
  growth: [
    { day: 14, pctMax: 2 },
    { day: 60, pctMax: 1 },
  ],
  /** Hours a day that a player is online in the figures of section 9. */
  dayHours: 9.6,
  /**
   * What players bring to sinks that no bot visits (construction, licences, fees), in percent of
   * what their hours pay: section 9 has 2.4M in 960 hours at 13 000 an hour.
   */
  spentPayPct: 19,
  /** Least pay of one in four, percent of a lone pilot's; most pay of ten together, in times. */
  fourPct: 60,
  tenTimes: 7,
} as const
