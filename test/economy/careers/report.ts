/** The report on a full run of careers: the data of docs/balance.md. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { assetUrl } from '../../../core/module-url.ts'
import { RULES_VERSION } from '../../../core/version.ts'
import type { BalanceReport } from '../../../docs/balance.ts'
import type { Round } from '../careers.ts'
import { STEPS } from './bands.ts'
import { creationOf } from './creation.ts'
import { median, progress, type Verdict } from './verdict.ts'

/** Credits a day for 100 active players, 960 hours. Source: balance.md section 9. */
const EXPECTED_A_DAY: Readonly<Record<string, number>> = {
  missions: 2_100_000,
  pirate_bounty: 800_000,
  citizens: 1_600_000,
  station_stipend: 700_000,
  achievements: 100_000,
  insurance: 200_000,
  repair_sink: -600_000,
  construction: -1_900_000,
}
const EXPECTED_HOURS = 960

/** Returns what each source creates, as the median of all worlds; sinks are negative. */
export function flowsOf(rounds: readonly Round[]): BalanceReport['flows'] {
  const sources = new Set(rounds.flatMap(({ flows }) => Object.keys(flows)))
  const perHour = (source: string, { flows, playerHours }: Round): number =>
    (flows[source] ?? 0) / playerHours
  const perDay = (source: string, { flows, hours }: Round): number =>
    ((flows[source] ?? 0) * 24) / hours
  return [...sources].map((source) => ({
    source,
    aDay: median(rounds.map((round) => perDay(source, round))),
    anHour: median(rounds.map((round) => perHour(source, round))),
    expected: Math.round((EXPECTED_A_DAY[source] ?? 0) / EXPECTED_HOURS),
  }))
}

export function reportOf(rounds: readonly Round[], verdict: Verdict): BalanceReport {
  const creations = rounds.map(creationOf)
  const middle = (name: keyof BalanceReport['creation']): number =>
    median(creations.map((creation) => creation[name]))
  const { days, hours, players } = rounds[0]
  return {
    rules: RULES_VERSION,
    worlds: rounds.length,
    hours,
    players,
    cells: verdict.rows,
    steps: progress(verdict.rows).map((step) => ({
      ...step,
      hoursMax: STEPS[step.tier - 1].hoursMax,
    })),
    flows: flowsOf(rounds),
    creation: {
      aDay: middle('aDay'),
      anHour: middle('anHour'),
      spent: middle('spent'),
      taxes: middle('taxes'),
      left: middle('left'),
    },
    days: days
      .filter(({ day }) => day === 1 || day % 10 === 0)
      .map(({ day }) => ({
        day,
        supply: median(rounds.map((round) => round.days[day - 1].supply)),
        growthPct: median(rounds.map((round) => round.days[day - 1].growthPct * 100)) / 100,
        perMille: median(rounds.map((round) => round.days[day - 1].perMille)),
      })),
    complaints: verdict.complaints,
    capped: verdict.capped,
  }
}

const FILE = fileURLToPath(assetUrl(import.meta.url, '../../../docs/balance.json'))

/** Writes the data, of which `npm run gen` makes the page. */
export const writeReport = (report: BalanceReport): void =>
  writeFileSync(FILE, `${JSON.stringify(report, undefined, 1)}\n`)
