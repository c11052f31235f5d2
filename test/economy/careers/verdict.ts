/** Judges rounds of careers by the bands: one row for each cell, one sentence for each breach. */
import type { Round, Run } from '../careers.ts'
import { BANDS, bandOf, CELLS, type Cell, cellName, LIMITS, MEDIANS, STEPS } from './bands.ts'

interface Row {
  readonly cell: string
  readonly runs: number
  readonly credits: { readonly p10: number; readonly median: number; readonly p90: number }
  readonly xp: number
  readonly pilotingXp: number
  /** Ships lost, and the share of runs that lost one, percent. */
  readonly losses: number
  readonly lossPct: number
  readonly band: readonly [number, number]
  readonly verdict: string
}

export interface Verdict {
  readonly rows: readonly Row[]
  readonly complaints: readonly string[]
  /** Cells that run dry because pilots earned all that a day pays: reported, but no breach. */
  readonly capped: readonly string[]
}

/** Returns the value below which a share of a list lies, interpolated between neighbours. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]]
  return Math.round(low + (high - low) * (position - Math.floor(position)))
}

/** Returns on which side of a band a value lies. */
export function gradeOf(value: number, [low, high]: readonly [number, number]): string {
  if (value < low) return 'poor'
  return value > high ? 'rich' : 'fair'
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

interface Slack {
  /** The bands reach this many times further on both sides. */
  readonly slack?: number
}

function rowOf(cell: Cell, runs: readonly Run[], slack: number): Row {
  const [low, high] = bandOf(cell)
  const band = [low / slack, high * slack] as const
  const credits = runs.map((run) => run.credits)
  const middle = median(credits)
  const lost = runs.filter((run) => run.losses > 0)
  return {
    cell: cellName(cell),
    runs: runs.length,
    credits: { p10: quantile(credits, 0.1), median: middle, p90: quantile(credits, 0.9) },
    xp: median(runs.map((run) => run.xp)),
    pilotingXp: median(runs.map((run) => run.pilotingXp)),
    losses: runs.reduce((sum, run) => sum + run.losses, 0),
    lossPct: Math.round((lost.length * 100) / runs.length),
    band,
    verdict: gradeOf(middle, band),
  }
}

const HOURS_A_DAY = 24

/** Returns what the last quarter of a run pays, as a percentage of the first. */
function lastQuarterPct(runs: readonly Run[]): number {
  const hours = runs[0].hourly.length
  const quarter = Math.floor(hours / 4)
  const pay = (from: number): number =>
    median(runs.map(({ hourly }) => hourly.slice(from, from + quarter).reduce((a, b) => a + b, 0)))
  return Math.round((pay(hours - quarter) * 100) / Math.max(1, pay(0)))
}

const ranDry = (cell: string, pct: number): string =>
  `${cell} pays in its last quarter ${pct} % of what it paid in the first`

/**
 * Returns whether most pilots of a cell earned all that missions or kills pay a player in a day.
 * The caps are meant for players who sleep: a hull that earns above a twenty-fourth of its cap an
 * hour, as the bands allow, reaches it before a day of play is over. Source: balance.md sections 2
 * and 6.
 */
const isCapped = (runs: readonly Run[]): boolean =>
  runs.filter(({ capped }) => capped).length * 2 >= runs.length

/** Returns a note on a cell that runs dry because its pilots reached the caps of a day. */
function cappedNote(runs: readonly Run[]): string[] {
  if (runs[0].hourly.length < HOURS_A_DAY || !isCapped(runs)) return []
  const pct = lastQuarterPct(runs)
  if (pct >= LIMITS.lastQuarterPct[0]) return []
  return [`${ranDry(runs[0].cell, pct)}: its pilots had all that a day pays`]
}

/** Returns the breaches of one cell: its band, its risk, and what its last hours pay. */
function cellFaults(cell: Cell, row: Row, runs: readonly Run[]): string[] {
  const complaints: string[] = []
  if (row.verdict !== 'fair') {
    complaints.push(`${row.cell} pays ${row.credits.median} cr/h, not ${row.band.join(' to ')}`)
  }
  if (runs[0].hourly.length < HOURS_A_DAY) return complaints
  const { lossPct } = BANDS[cell.career]
  if (row.lossPct > lossPct) {
    complaints.push(`${row.cell} loses a ship in ${row.lossPct} of 100 runs, above ${lossPct}`)
  }
  const pct = lastQuarterPct(runs)
  const [low, high] = LIMITS.lastQuarterPct
  if ((pct < low && !isCapped(runs)) || pct > high) complaints.push(ranDry(row.cell, pct))
  return complaints
}

/** Returns the breaches between the careers of a tier, whose hours should pay alike. */
function tierFaults(rows: ReadonlyMap<string, Row>, tier: number, slack: number): string[] {
  const cells = CELLS.filter((cell) => cell.tier === tier && rows.has(cellName(cell)))
  const paid = (cell: Cell): number => (rows.get(cellName(cell)) as Row).credits.median
  const attended = cells.filter(({ career }) => !BANDS[career].unattended)
  if (attended.length < 3) return []
  const middle = median(attended.map(paid))
  const pctOf = (cell: Cell): number => Math.round((paid(cell) * 100) / Math.max(1, middle))
  const [low, high] = LIMITS.careerPct
  return cells.flatMap((cell) => {
    const pct = pctOf(cell)
    const isAway = BANDS[cell.career].unattended === true
    const isFair = pct * slack >= low && pct <= high * slack
    if (isAway ? pct <= LIMITS.unattendedPct * slack : isFair) return []
    return [`${cellName(cell)} pays ${pct} % of the median of tier ${tier}`]
  })
}

function moneyFaults(round: Round): string[] {
  if (round.hours < HOURS_A_DAY) return []
  return LIMITS.growth.flatMap(({ day: from, pctMax }) => {
    const fast = round.days.find(({ day, growthPct }) => day >= from && growthPct > pctMax)
    if (!fast) return []
    const { day, growthPct } = fast
    return [`seed ${round.seed}: money grows by ${growthPct} % on day ${day}, above ${pctMax}`]
  })
}

/**
 * Returns the hours until each tier can be flown and bought, if each hull earns and trains at the
 * median of the careers of its tier; undefined where a tier was not played.
 */
export function progress(rows: readonly Row[]): { tier: number; hours: number }[] {
  const medianOf = (tier: number, read: (row: Row) => number): number | undefined => {
    const found = rows.filter(({ cell }) => cell.endsWith(`:${tier}`) && !cell.startsWith('drones'))
    return found.length >= 3 ? median(found.map(read)) : undefined
  }
  const reached: { tier: number; hours: number }[] = []
  let [hours, xp] = [0, 0]
  for (const step of STEPS) {
    const credits = medianOf(step.tier - 1, (row) => row.credits.median)
    const training = medianOf(step.tier - 1, (row) => row.pilotingXp)
    if (credits === undefined || training === undefined) return reached
    const bought = step.credits / Math.max(1, credits)
    const trained = (step.pilotingXp - xp) / Math.max(1, training)
    const spent = Math.max(bought, trained)
    hours += spent
    xp += spent * training
    reached.push({ tier: step.tier, hours: Math.round(hours * 10) / 10 })
  }
  return reached
}

export function judge(rounds: readonly Round[], { slack = 1 }: Slack = {}): Verdict {
  const runs = rounds.flatMap((round) => round.runs)
  const runsOf = (cell: Cell): readonly Run[] => runs.filter((run) => run.cell === cellName(cell))
  const played = CELLS.filter((cell) => runsOf(cell).length > 0)
  const rows = new Map(played.map((cell) => [cellName(cell), rowOf(cell, runsOf(cell), slack)]))
  const isWhole = rounds.every(({ hours }) => hours >= HOURS_A_DAY)
  const late = (isWhole ? progress([...rows.values()]) : []).flatMap(({ tier, hours }) => {
    const { hoursMax } = STEPS[tier - 1]
    return hours > hoursMax ? [`tier ${tier} is reached after ${hours} h, not ${hoursMax}`] : []
  })
  const complaints = [
    ...played.flatMap((cell) => cellFaults(cell, rows.get(cellName(cell)) as Row, runsOf(cell))),
    ...MEDIANS.flatMap((_, tier) => tierFaults(rows, tier, slack)),
    ...rounds.flatMap(moneyFaults),
    ...late,
  ]
  const capped = played.flatMap((cell) => cappedNote(runsOf(cell)))
  return { rows: [...rows.values()], complaints, capped }
}
