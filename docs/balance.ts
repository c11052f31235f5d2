/** docs/balance.md: the pay of careers, from the data of the last full run of `npm run careers`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { assetUrl } from '../core/module-url.ts'
import { counted } from '../core/say.ts'
import { grouped, table } from '../net/docs/page.ts'

/** The data that `npm run careers -- --write` saves in docs/balance.json. */
export interface BalanceReport {
  /** The version of the rules that the worlds ran under. */
  readonly rules: number
  readonly worlds: number
  /** Simulated hours of each world, and its players. */
  readonly hours: number
  readonly players: number
  readonly cells: readonly {
    readonly cell: string
    readonly credits: { readonly p10: number; readonly median: number; readonly p90: number }
    readonly xp: number
    readonly pilotingXp: number
    readonly lossPct: number
    readonly band: readonly [number, number]
    readonly verdict: string
  }[]
  readonly steps: readonly {
    readonly tier: number
    readonly hours: number
    readonly hoursMax: number
  }[]
  /** Credits created by sources, or, below zero, removed by sinks; `anHour` is per player hour. */
  readonly flows: readonly {
    readonly source: string
    readonly aDay: number
    readonly anHour: number
    readonly expected: number
  }[]
  readonly creation: {
    readonly aDay: number
    readonly anHour: number
    readonly spent: number
    readonly taxes: number
    readonly left: number
  }
  readonly days: readonly {
    readonly day: number
    readonly supply: number
    readonly growthPct: number
    readonly perMille: number
  }[]
  readonly complaints: readonly string[]
  /** Cells that reach the daily cap on a player's pay; this is within the bounds. */
  readonly capped?: readonly string[]
}

const FILE = fileURLToPath(assetUrl(import.meta.url, '../docs/balance.json'))

const readReport = (): BalanceReport => JSON.parse(readFileSync(FILE, 'utf8'))

const CELL_HEAD = ['Career', 'Tier', 'cr/h', '10th-90th', 'Band', 'XP/h', 'Lost', 'Verdict']

function careersSection({ cells }: BalanceReport): string {
  const rows = cells.map(({ cell, credits, band, xp, lossPct, verdict }) => {
    const [career, tier] = cell.split(':')
    const spread = `${grouped(credits.p10)}-${grouped(credits.p90)}`
    const bounds = band.map(grouped).join('-')
    const paid = [grouped(credits.median), spread, bounds, grouped(xp)]
    return [career, tier, ...paid, `${lossPct} %`, verdict]
  })
  const about =
    'Credits per hour, net of fuel, repair, premiums and lost ships, for each career and tier of ' +
    'hull: the median of all pilots, and the 10th and 90th percentiles. Lost: the share of pilots ' +
    'who lose a ship.'
  return ['## What an hour pays', about, table(CELL_HEAD, rows)].join('\n\n')
}

function stepsSection({ steps }: BalanceReport): string {
  const rows = steps.map(({ tier, hours, hoursMax }) => [`${tier}`, `${hours}`, `${hoursMax}`])
  const about =
    'Hours from the start until the next hull can be bought and flown, if each hull earns and ' +
    'trains at the median of its tier.'
  return ['## The next hull', about, table(['Tier', 'Hours', 'At most'], rows)].join('\n\n')
}

function moneySection({ flows, creation, days }: BalanceReport): string {
  const { aDay, anHour, spent, taxes, left } = creation
  const flowRows = flows.map(({ source, ...figures }) => [
    source,
    ...[figures.aDay, figures.anHour, figures.expected].map(grouped),
  ])
  const measures = [
    ['created per day', grouped(aDay)],
    ['created per hour', grouped(anHour)],
    ['remaining per hour', grouped(left)],
  ]
  const dayRows = days.map(({ day, supply, growthPct, perMille }) =>
    [day, grouped(supply), `${growthPct} %`, perMille].map(String),
  )
  const about =
    'Credits that enter the world or, below zero, leave it. Hours are player hours; the last column ' +
    'is the planned value.'
  const spending =
    `Pilots of the measurement spend nothing on facilities, stations, licences and fees. Remaining ` +
    `per hour: what was created, less ${grouped(spent)} planned for these and ${grouped(taxes)} of ` +
    'income taxes, which pay stipends and rewards before new credits are created.'
  const after =
    'The projection if every day were like this, with each player online for 9.6 hours: all credits ' +
    'in the world, their growth per day averaged over a week (at most 2 % from day 14, and 1 % from ' +
    'day 60), and g, the share of their nominal amounts that faucets pay, in ‰.'
  return [
    '## Money',
    about,
    table(['Source', 'Per day', 'Per hour', 'Planned per hour'], flowRows),
    spending,
    table(['Measure', 'Credits'], measures),
    after,
    table(['Day', 'Credits', 'Growth', 'g'], dayRows),
  ].join('\n\n')
}

function complaintsSection({ complaints }: BalanceReport): string {
  const lines = complaints.map((complaint) => `- ${complaint}`)
  const list = lines.length === 0 ? 'Everything was within its bounds.' : lines.join('\n')
  return ['## Out of bounds', list].join('\n\n')
}

function cappedSection({ capped = [] }: BalanceReport): string[] {
  if (capped.length === 0) return []
  const about =
    'Missions and kills have a daily cap on what they pay a player. Pilots of the measurement play ' +
    'around the clock, so fast earners reach it before the day is over.'
  return ['## At the daily caps', about, capped.map((note) => `- ${note}`).join('\n')]
}

/** Returns the pieces of the page. */
export function balancePieces(): string[] {
  const report = readReport()
  const { worlds, hours, players, rules } = report
  const about =
    `What careers pay, measured by \`npm run careers\`: ${counted(worlds, 'world')} of ${hours} hours, each ` +
    `with ${players} players who follow the careers or trade, mine and craft, under rules ${rules}.`
  return [
    '# Balance',
    about,
    careersSection(report),
    stepsSection(report),
    moneySection(report),
    complaintsSection(report),
    ...cappedSection(report),
  ]
}
