/** docs/balance.md: what careers pay, from the data of the last full run of `npm run careers`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { assetUrl } from '../core/module-url.ts'
import { counted } from '../core/say.ts'
import { grouped, table } from '../net/docs/page.ts'

/** What `npm run careers -- --write` leaves in docs/balance.json. */
export interface BalanceReport {
  /** Version of the rules that were played. */
  readonly rules: number
  readonly worlds: number
  /** Hours each world lived, and players in it. */
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
  /** Credits that sources create and, below zero, sinks take; `anHour` is per hour of a player. */
  readonly flows: readonly {
    readonly source: string
    readonly aDay: number
    readonly anHour: number
    readonly expected: number
  }[]
  readonly creation: {
    readonly aDay: number
    readonly limitADay: number
    readonly anHour: number
    readonly limitAnHour: number
    readonly spent: number
    readonly taxes: number
    readonly judged: number
    readonly limitJudged: number
  }
  readonly days: readonly {
    readonly day: number
    readonly supply: number
    readonly growthPct: number
    readonly perMille: number
  }[]
  readonly complaints: readonly string[]
  /** Cells that reach the daily cap of a player's pay, which is within the bounds. */
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
    'Credits an hour net of fuel, repair, premiums and lost ships: the median of all pilots of a ' +
    'career in a hull of a tier, and what one in ten falls short of or passes. Lost: pilots of a ' +
    'hundred who lose a ship.'
  return ['## What an hour pays', about, table(CELL_HEAD, rows)].join('\n\n')
}

function stepsSection({ steps }: BalanceReport): string {
  const rows = steps.map(({ tier, hours, hoursMax }) => [`${tier}`, `${hours}`, `${hoursMax}`])
  const about =
    'Hours from the start until the next hull can be flown and bought, where each hull earns and ' +
    'trains as the median of its tier.'
  return ['## The next hull', about, table(['Tier', 'Hours', 'At most'], rows)].join('\n\n')
}

function moneySection({ flows, creation, days }: BalanceReport): string {
  const { aDay, limitADay, anHour, limitAnHour, spent, taxes, judged, limitJudged } = creation
  const flowRows = flows.map(({ source, ...figures }) => [
    source,
    ...[figures.aDay, figures.anHour, figures.expected].map(grouped),
  ])
  const measures = [
    ['created a day', grouped(aDay), grouped(limitADay)],
    ['created an hour', grouped(anHour), grouped(limitAnHour)],
    ['left an hour', grouped(judged), grouped(limitJudged)],
  ]
  const dayRows = days.map(({ day, supply, growthPct, perMille }) =>
    [day, grouped(supply), `${growthPct} %`, perMille].map(String),
  )
  const about =
    'What comes into the world, and, below zero, what leaves it. An hour is an hour of one player; ' +
    'the last column is what was planned for.'
  const left =
    `Pilots of the measurement spend nothing on facilities, stations, licences and fees. What is ` +
    `left an hour is what was created less ${grouped(spent)} for those, as planned, and ` +
    `${grouped(taxes)} of income taxes, which pay stipends and rewards before anything is made. It ` +
    'is held to a share of what an hour of the hulls flown pays.'
  const after =
    'What would come of it if every day were like this: all credits there are, their growth a day ' +
    'as the mean of a week, and g, what faucets pay of their figures in thousandths.'
  return [
    '## Money',
    about,
    table(['Source', 'A day', 'An hour', 'Planned an hour'], flowRows),
    left,
    table(['Measure', 'Credits', 'At most'], measures),
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
    'Missions, and kills, pay a player so much a day and no more. Pilots of the measurement play ' +
    'without sleep: who earns fast has all of it before the day is over.'
  return ['## At the caps of a day', about, capped.map((note) => `- ${note}`).join('\n')]
}

/** The pieces of the page. */
export function balancePieces(): string[] {
  const report = readReport()
  const { worlds, hours, players, rules } = report
  const about =
    `What careers pay, measured by \`npm run careers\`: ${counted(worlds, 'world')} of ${hours} hours, each ` +
    `with ${players} players who live by the careers and by trade, mining and craft, under rules ${rules}.`
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
