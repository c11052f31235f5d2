/**
 * The counts of a release: `npm run release-check -- --budget 120`. Each row of RELIABILITY 5 that
 * has a runner gets its share of the minutes, in runs of a growing count and ever new seeds; the
 * table at the end says the count reached of the count asked. Ends with 1 after any failure.
 */
import { spawn } from 'node:child_process'
import { Command, InvalidArgumentError } from 'commander'

interface Check {
  readonly id: string
  readonly what: string
  /** Count that the table asks for. */
  readonly asked: number
  /** Of the minutes, against the other rows. */
  readonly share: number
  /** Count of the first run; later ones fill about CHUNK_S. */
  readonly first: number
  /** Smallest count that a run takes. */
  readonly least?: number
  /** File below dist/, and its arguments. */
  readonly file: string
  args(count: number, seed: number): string[]
}

const counted = (count: number, seed: number): string[] => [
  '--count',
  String(count),
  '--seed',
  String(seed),
]

const CHECKS: readonly Check[] = [
  {
    id: 'L1',
    what: 'minutes of 2,220 players on all channels',
    asked: 10,
    share: 8,
    first: 10,
    file: 'bench/load-alone.js',
    args: (minutes) => [
      ...['--channels', 'ws1:1000,ws2:1000,http1:100,http2:100,mcp:20'],
      ...['--minutes', String(minutes), '--judge'],
    ],
  },
  {
    id: 'F1',
    what: 'kill -9 under load',
    asked: 500,
    share: 25,
    first: 10,
    least: 2,
    file: 'test/fault/kill.js',
    args: counted,
  },
  {
    id: 'F7',
    what: 'world thread ended, each way',
    asked: 50,
    share: 12,
    first: 2,
    file: 'test/fault/world-thread.js',
    args: counted,
  },
  {
    id: 'F14',
    what: 'clients that vanish',
    asked: 5_000,
    share: 5,
    first: 100,
    file: 'test/fault/vanish.js',
    args: counted,
  },
  {
    id: 'B1, B2',
    what: 'hostile frames and requests',
    asked: 1_500_000,
    share: 25,
    first: 5_000,
    least: 1_000,
    file: 'test/fuzz/run.js',
    args: counted,
  },
  {
    id: 'M1',
    what: 'market operations against the model',
    asked: 300_000,
    share: 4,
    first: 5_000,
    file: 'test/property/market-random.js',
    args: counted,
  },
  {
    id: 'M2',
    what: 'rows of a storm of orders',
    asked: 1_000_000,
    share: 4,
    first: 10_000,
    file: 'test/property/market-storm-run.js',
    args: counted,
  },
  {
    id: 'sim',
    what: 'seeds of 500 ticks',
    asked: 20_000,
    share: 25,
    first: 2,
    file: 'test/sim/run.js',
    args: (seeds, seed) => ['--seeds', String(seeds), '--seed', String(seed), '--ticks', '500'],
  },
]

/** A run takes about this long, so that a failure shows early and little is lost at the end. */
const CHUNK_S = 120
const TAIL_LINES = 30

interface Row {
  readonly check: Check
  reached: number
  seconds: number
  failure: string | undefined
}

interface Ended {
  readonly code: number | string
  readonly text: string
  readonly seconds: number
}

function run(check: Check, count: number, seed: number): Promise<Ended> {
  const file = new URL(`../${check.file}`, import.meta.url).pathname
  const since = performance.now()
  const child = spawn(process.execPath, [file, ...check.args(count, seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const keep = (chunk: Buffer): void => {
    text = (text + String(chunk)).slice(-100_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      const seconds = (performance.now() - since) / 1000
      resolve({ code: code ?? signal ?? 'gone', text, seconds })
    })
  })
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

/** Runs a check until its count is reached, its seconds are spent, or it fails. */
async function spend(row: Row, seconds: number, firstSeed: number): Promise<void> {
  const { check } = row
  let seed = firstSeed
  let count = Math.min(check.first, check.asked)
  while (row.reached < check.asked) {
    // A run is begun when at least half of it fits.
    const left = seconds - row.seconds
    const rate = row.seconds > 0 ? row.reached / row.seconds : 0
    if (rate > 0) {
      const fits = Math.floor(rate * Math.min(CHUNK_S, left))
      count = Math.min(Math.max(fits, check.least ?? 1), check.asked - row.reached)
      if (left <= 0 || count / rate > 2 * left) return
    }
    const ended = await run(check, count, seed)
    row.seconds += ended.seconds
    const args = check.args(count, seed).join(' ')
    console.log(`${check.id}: ${count} in ${ended.seconds.toFixed(0)} s; ${lastLine(ended.text)}`)
    if (ended.code !== 0) {
      row.failure = `node dist/${check.file} ${args} ended with ${ended.code}`
      console.log(ended.text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n'))
      return
    }
    row.reached += count
    seed += check.file.includes('/sim/') ? count : 1
  }
}

function table(rows: readonly Row[]): string[] {
  return rows.map(({ check, reached, seconds, failure }) => {
    const counts = `${reached.toLocaleString('en')} of ${check.asked.toLocaleString('en')}`
    const state = failure ? `FAILED: ${failure}` : 'ok'
    const minutes = `${(seconds / 60).toFixed(1)} min`
    return [check.id.padEnd(8), check.what.padEnd(42), counts.padStart(24), minutes.padStart(10)]
      .concat(`  ${state}`)
      .join('')
  })
}

function minutes(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('Not a number.')
  return value
}

const IDS = CHECKS.map(({ id, what }) => `  ${id.padEnd(8)} ${what}`).join('\n')

async function main(): Promise<void> {
  const program = new Command('release-check')
    .description('Runs the counts that a release asks for, as far as the minutes go.')
    .option('--budget <minutes>', 'shared among the rows', minutes, 120)
    .option('--only <ids>', 'rows to run, by comma')
    .option('--seed <n>', 'first seed', Number, 1 + (Math.floor(Date.now() / 60_000) % 1_000_000))
    .addHelpText('after', `\nRows:\n${IDS}`)
  const { budget, only, seed } = program.parse().opts<{
    budget: number
    only?: string
    seed: number
  }>()
  const ids = only?.split(',').map((id) => id.trim())
  const checks = CHECKS.filter(({ id }) => !ids || ids.some((one) => id.split(', ').includes(one)))
  if (checks.length === 0) throw new Error(`no such rows; there are:\n${IDS}`)
  const shares = checks.reduce((sum, { share }) => sum + share, 0)
  const rows: Row[] = checks.map((check) => ({
    check,
    reached: 0,
    seconds: 0,
    failure: undefined,
  }))
  console.log(`${budget} minutes, first seed ${seed}`)
  for (const row of rows) await spend(row, (budget * 60 * row.check.share) / shares, seed)
  console.log(`\n${table(rows).join('\n')}`)
  process.exit(rows.some(({ failure }) => failure !== undefined) ? 1 : 0)
}

await main()
