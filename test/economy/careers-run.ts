/**
 * `npm run careers -- --seeds 20 --hours 24`: lets pilots of every career and tier live side by
 * side, prints what an hour of each is worth, and fails outside the bands of careers/bands.ts.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listOf, newTool, oneOf, wholeFrom } from '../../cli/command-line.ts'
import { BANDS, CELLS, type Cell, cellName, cellsNamed, LIMITS } from './careers/bands.ts'
import { creationOf } from './careers/creation.ts'
import { flowsOf, reportOf, writeReport } from './careers/report.ts'
import { judge, median, progress, type Verdict } from './careers/verdict.ts'
import { playCareers, type Round } from './careers.ts'

const readCells = (text: string): Cell[] =>
  cellsNamed(oneOf([...Object.keys(BANDS), ...CELLS.map(cellName)])(text))

interface Flags {
  readonly seeds: number
  readonly first: number
  readonly hours: number
  readonly jobs: number
  readonly only?: Cell[][]
  readonly scale?: number[]
  readonly json?: true
  readonly answers?: true
  readonly resume?: true
  readonly write?: true
}

const { seeds, first, hours, jobs, only, scale, json, answers, resume, write } = newTool(
  'npm run careers --',
  'Lets pilots of every career and tier live side by side, and fails where one pays too much.',
)
  .option('--seeds <n>', 'worlds, one after another', wholeFrom(1), 20)
  .option('--first <n>', 'seed of the first world', wholeFrom(0), 1)
  .option('--hours <n>', 'how long each lives', wholeFrom(1), 24)
  .option('--jobs <n>', 'worlds that live at the same time', wholeFrom(1), 2)
  .option('--only <cells>', 'careers or cells, by comma: mining:1,courier', listOf(readCells))
  .option('--scale <list>', 'how many of one career share a region: 1,4,10', listOf(wholeFrom(1)))
  .option('--answers', 'print what the server answered, by cell and command')
  .option('--resume', 'take worlds of earlier runs of the same length and cells from dist/careers')
  .option('--write', 'write what was found to docs/balance.json, of which docs/balance.md is made')
  .option('--json', 'print the verdict and all runs as JSON alone')
  .addHelpText(
    'after',
    `
Careers: ${Object.keys(BANDS).join(', ')}. Piracy and the services of stations have no bots.
Exit code 1 where a cell leaves its band, a career of a tier pays more than twice its median or less
than half of it, drones pay more than a quarter of it, the last quarter of a run pays too much or
too little, the money of sixty such days grows too fast, or the next hull is reached too late. A
cell whose pilots had all that missions, or kills, pay a player in a day may run dry: it is printed
as CAPPED.

Each world that has been played is kept in dist/careers, so a long run may be stopped and continued
with --resume; without it, all worlds are played anew, as is right after any change of the game.`,
  )
  .parse()
  .opts<Flags>()

const cells = only?.flat() ?? CELLS
const print = (line: string): void => {
  if (!json) console.log(line)
}
const seedsPlayed = Array.from({ length: seeds }, (_, index) => first + index)

function table({ rows }: Verdict): string {
  const head = [
    'cell'.padEnd(16),
    ...['10th', 'median', '90th', 'XP/h', 'piloting', 'lost'].map((name) => name.padStart(9)),
    '  band and verdict',
  ]
  const lines = rows.map((row) => {
    const { p10, median: middle, p90 } = row.credits
    const figures = [p10, middle, p90, row.xp, row.pilotingXp, `${row.losses}/${row.runs}`]
    const shown = figures.map((figure) => String(figure).padStart(9))
    return [row.cell.padEnd(16), ...shown, `  ${row.band.join('-')} ${row.verdict}`].join('')
  })
  return [head.join(''), ...lines].join('\n')
}

function printAnswers(rounds: readonly Round[]): void {
  const runs = rounds.flatMap((round) => round.runs)
  for (const { cell, seed, credits, hourly, answers: counts } of runs) {
    const tallies = Object.entries(counts).map(([answer, times]) => `${answer} ${times}`)
    print(`${cell} of seed ${seed}: ${credits} cr/h (${hourly.join(' ')}); ${tallies.join(', ')}`)
  }
}

/** Plays a world in a process of its own, so that several run side by side. */
async function playApart(seed: number): Promise<Round> {
  const args = ['--seeds', '1', '--first', String(seed), '--hours', String(hours), '--json']
  const named = only ? ['--only', cells.map(cellName).join(',')] : []
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1], ...args, ...named], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const parts: string[] = []
  for await (const part of child.stdout.setEncoding('utf8')) parts.push(part)
  return JSON.parse(parts.join('')).rounds[0]
}

/** Directory of the worlds that were played. */
const KEPT = 'dist/careers'
const keptFile = (seed: number): string => {
  const named = only ? `-${cells.map(cellName).join('-').replaceAll(':', '')}` : ''
  return join(KEPT, `${seed}-${hours}h${named}.json`)
}

/** Plays a world, or reads one that was played. */
async function roundOf(seed: number): Promise<Round> {
  const file = keptFile(seed)
  if (resume && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const round = await (seeds === 1 ? playCareers({ seed, hours, cells }) : playApart(seed))
  if (json && seeds === 1) return round
  mkdirSync(KEPT, { recursive: true })
  writeFileSync(file, JSON.stringify(round))
  return round
}

const started = performance.now()
const minutesSince = (): number => (performance.now() - started) / 60_000

const DAYS_SHOWN = [1, 7, 14, 30, 60]

function printMoney(round: Round): void {
  const creation = creationOf(round)
  const { aDay, anHour, spent, taxes, left } = creation
  const { seed, moneyBefore, moneyAfter, perMille, days } = round
  print(
    `seed ${seed}: ${moneyBefore} credits at the start, ${moneyAfter} at the end, g ${perMille}`,
  )
  print(`  created ${aDay} a day, ${anHour} an hour of play`)
  print(`  less ${spent} spent and ${taxes} taxes: ${left} an hour of play`)
  const dayTexts = days
    .filter(({ day }) => DAYS_SHOWN.includes(day))
    .map(({ day, supply, growthPct, perMille: g }) => {
      const millions = Math.round(supply / 1_000_000)
      return `day ${day} M2 ${millions}M growing ${growthPct} % g ${g}`
    })
  print(`  if this goes on: ${dayTexts.join(', ')}`)
}

async function playSeeds(): Promise<Round[]> {
  const rounds: Round[] = []
  const left = [...seedsPlayed]
  const playOn = async (): Promise<void> => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const round = await roundOf(seed)
      rounds.push(round)
      const minutes = minutesSince()
      const rest = (minutes / rounds.length) * (seeds - rounds.length)
      print(
        `${rounds.length} of ${seeds} worlds after ${minutes.toFixed(1)} min, ` +
          `about ${rest.toFixed(1)} min to go`,
      )
      printMoney(round)
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, seeds) }, playOn))
  return rounds.sort((a, b) => a.seed - b.seed)
}

function printFlows(rounds: readonly Round[]): void {
  print(`${'credits from'.padEnd(20)}     a day   an hour  expected an hour`)
  for (const { source, aDay, anHour, expected } of flowsOf(rounds)) {
    const figures = [aDay, anHour, expected].map((figure) => String(figure).padStart(10))
    print(`${source.padEnd(20)}${figures.join('')}`)
  }
}

async function playAll(): Promise<boolean> {
  const rounds = await playSeeds()
  const verdict = judge(rounds)
  if (json) console.log(JSON.stringify({ ...verdict, rounds }, null, 1))
  print(table(verdict))
  for (const { tier, hours: after } of progress(verdict.rows))
    print(`tier ${tier} after ${after} h`)
  printFlows(rounds)
  if (answers) printAnswers(rounds)
  for (const note of verdict.capped) print(`CAPPED: ${note}`)
  for (const complaint of verdict.complaints) print(`OUT OF BOUNDS: ${complaint}`)
  if (write) writeReport(reportOf(rounds, verdict))
  return verdict.complaints.length === 0
}

const SCALED = cellsNamed('courier:1').concat(cellsNamed('trade:1'), cellsNamed('passenger:1'))

/** Measures what each pilot earns when this many share a region. */
async function playScale(counts: readonly number[]): Promise<boolean> {
  const complaints: string[] = []
  const report: object[] = []
  for (const cell of only?.flat() ?? SCALED) {
    const medians = new Map<number, number>()
    for (const pilots of counts) {
      const runs = []
      for (const seed of seedsPlayed) {
        const round = await playCareers({ seed, hours, cells: [cell], pilots, isOneRegion: true })
        runs.push(...round.runs)
      }
      medians.set(pilots, median(runs.map(({ credits }) => credits)))
      print(`${cell.career}:${cell.tier}, ${pilots} of them: ${medians.get(pilots)} cr/h each`)
    }
    report.push({ cell, each: Object.fromEntries(medians) })
    const [one, four, ten] = [medians.get(1), medians.get(4), medians.get(10)]
    if (one !== undefined && four !== undefined && four * 100 < one * LIMITS.fourPct) {
      complaints.push(`${cell.career}: one of four earns ${four}, alone ${one}`)
    }
    if (one !== undefined && ten !== undefined && ten * 10 > one * LIMITS.tenTimes) {
      complaints.push(`${cell.career}: ten together earn ${ten * 10}, alone ${one}`)
    }
  }
  if (json) console.log(JSON.stringify({ report, complaints }, null, 1))
  for (const complaint of complaints) print(`OUT OF BOUNDS: ${complaint}`)
  return complaints.length === 0
}

process.exitCode = (await (scale ? playScale(scale) : playAll())) ? 0 : 1
