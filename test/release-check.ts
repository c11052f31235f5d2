/**
 * The release check: `npm run release-check -- --budget 120`. Each row of RELIABILITY 5 gets its
 * share of the minutes; the table at the end shows how much of its count each row reached. A check
 * stopped with Ctrl-C can be resumed: its state is in a file. Exits with 1 after any failure.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { InvalidArgumentError } from 'commander'
import { aboveZero, newTool, wholeFrom } from '../cli/command-line.ts'
import { createProgress } from '../cli/progress.ts'
import { CHECKS, type Check, fileOf, hindrance } from './release/checks.ts'
import { type Ended, releaseCode, releaseTable, runChecks } from './release/plan.ts'
import { currentCommit, openState, saveState } from './release/state.ts'

const STATE_FILE = 'data/release-check.json'
/** Characters of a run's output that are kept; its last lines are shown when it fails. */
const KEPT_CHARACTERS = 100_000
/** Time that a stopped run has to end its servers and databases. */
const STOP_MS_MAX = 15_000
/** Exit code after a signal. */
const STOPPED_CODE = 130

const PROGRESS_MS = 1_000

const progress = createProgress()

function say(line: string): void {
  progress.end()
  console.log(line)
}

let isStopping = false
let running: ChildProcess | undefined
/** Row of the run under way. */
let row = ''

/** Runs a check in a process group of its own, so that its servers end with it. */
function run(check: Check, count: number, seed: number): Promise<Ended> {
  const since = performance.now()
  const child = spawn(process.execPath, [fileOf(check), ...check.args(count, seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running = child
  row = check.id
  let text = ''
  const keep = (chunk: Buffer): void => {
    text = (text + String(chunk)).slice(-KEPT_CHARACTERS)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve) => {
    const done = (code: number | string): void => {
      running = undefined
      resolve({ code, text, seconds: (performance.now() - since) / 1000 })
    }
    child.once('error', (error) => done(String(error)))
    child.once('close', (code, signal) => done(code ?? signal ?? 'gone'))
  })
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has already ended.
  }
}

/** Ends the run under way at the first signal; results of earlier runs are kept. */
function stop(signal: NodeJS.Signals): void {
  if (isStopping) return
  isStopping = true
  say(`${signal}: stops; the run under way does not count`)
  const child = running
  if (!child) return
  endGroup(child, 'SIGTERM')
  setTimeout(() => endGroup(child, 'SIGKILL'), STOP_MS_MAX).unref()
}

const IDS = CHECKS.map(({ id, what, asked }) => {
  const count = asked.toLocaleString('en').padStart(10)
  return `  ${id.padEnd(15)}${count} ${what}`
}).join('\n')

function parseRows(only: string): readonly Check[] {
  const ids = only.split(',').map((id) => id.trim())
  const checks = CHECKS.filter(({ id: rowIds }) =>
    rowIds.split(', ').some((id) => ids.includes(id)),
  )
  if (checks.length === 0) throw new InvalidArgumentError('There are no such rows.')
  return checks
}

interface Options {
  readonly budget: number
  readonly only?: readonly Check[]
  readonly seed: number
  readonly state: string
  readonly fresh?: boolean
  readonly continueAnyway?: boolean
  readonly list?: boolean
}

function readOptions(): Options {
  return newTool(
    'npm run release-check --',
    'Runs as much of the release checks as the minutes allow.',
  )
    .option('--budget <minutes>', 'minutes shared among the rows', aboveZero, 120)
    .option('--only <ids>', 'rows to run, separated by commas; failed ones are retried', parseRows)
    .option(
      '--seed <n>',
      'first seed',
      wholeFrom(1),
      1 + (Math.floor(Date.now() / 60_000) % 1_000_000),
    )
    .option('--state <file>', 'file with what has been reached so far', STATE_FILE)
    .option('--fresh', 'starts a new state')
    .option('--continue-anyway', 'continues the state of another commit')
    .option('--list', 'prints the table and runs nothing')
    .addHelpText('after', `\nRows:\n${IDS}`)
    .parse()
    .opts<Options>()
}

async function main(): Promise<number> {
  const options = readOptions()
  const { budget, only, seed: firstSeed, state: file, list } = options
  const checks = only ?? CHECKS
  const isAnyway = options.continueAnyway === true || list === true
  const isFresh = options.fresh === true
  const opened = openState({ file, commit: currentCommit(), firstSeed, isFresh, isAnyway })
  const { state } = opened
  const show = (): void => console.log(`\n${releaseTable(checks, state, hindrance).join('\n')}`)
  if (list) {
    show()
    return 0
  }
  if (only) for (const { id } of checks) if (state.rows[id]) delete state.rows[id].failure
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  console.log(`${budget} minutes; ${opened.origin}`)
  const save = (): void => saveState(file, state)
  save()
  const since = performance.now()
  const timer = setInterval(() => {
    const spentS = Math.round((performance.now() - since) / 1_000)
    progress.progress(`seconds spent, now on ${row}`, spentS, budget * 60)
  }, PROGRESS_MS)
  await runChecks({
    checks,
    state,
    hindrance,
    run,
    save,
    say,
    budgetS: budget * 60,
    isStopping: () => isStopping,
  })
  clearInterval(timer)
  progress.end()
  save()
  show()
  if (isStopping) console.log(`stopped; the same command continues ${file}`)
  return isStopping ? STOPPED_CODE : releaseCode(checks, state, hindrance)
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
