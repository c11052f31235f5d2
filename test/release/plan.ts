/**
 * Plans how the minutes of a release check are spent: each row gets its share in runs of a growing
 * count and new seeds, and what a row leaves over goes to the others. It starts no process itself.
 */
import type { Check } from './checks.ts'
import { type RowState, rowState, type State } from './state.ts'

/** A run takes about this long, so that a failure shows early and little is lost at a stop. */
const CHUNK_S = 120
/** Rounds over the rows: the second one spends what the first left over. */
const ROUNDS_MAX = 5
/** A round with fewer seconds left is not worth it. */
const LEFT_S_MIN = 30
const TAIL_LINES = 30

export interface Ended {
  readonly code: number | string
  readonly text: string
  readonly seconds: number
}

interface PlanOptions {
  readonly checks: readonly Check[]
  readonly state: State
  readonly budgetS: number
  /** Why a row cannot run here. */
  hindrance(check: Check): string | undefined
  run(check: Check, count: number, seed: number): Promise<Ended>
  /** True once the check is to stop: a run that was under way then does not count. */
  isStopping(): boolean
  save(): void
  say(line: string): void
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

/**
 * Returns the count of a row's next run; 0 when it is done or no run fits into `leftS`, the seconds
 * left of its share.
 */
export function nextCount(check: Check, row: RowState, leftS: number): number {
  const { asked, first, min = 1, perMinute } = check
  const missing = asked - row.reached
  if (missing <= 0 || leftS <= 0) return 0
  const perSecond = row.seconds > 0 && row.reached > 0 ? row.reached / row.seconds : undefined
  if (perMinute !== undefined) {
    const fits = Math.floor((perMinute / 60) * leftS)
    // The first run is made in any case; a later one must be longer than the longest.
    if (row.runs > 0 && fits <= row.reached) return 0
    return Math.min(Math.max(fits, min), asked)
  }
  if (perSecond === undefined) return Math.min(first, missing)
  const fits = Math.floor(perSecond * Math.min(CHUNK_S, leftS))
  const count = Math.min(Math.max(fits, min), missing)
  // A run starts if at least half of it fits.
  return count / perSecond > 2 * leftS ? 0 : count
}

/** Returns the command line to start a run by hand. */
const commandLine = (check: Check, count: number, seed: number): string =>
  ['node', `dist/${check.file}`, ...check.args(count, seed)].join(' ')

/** Runs a row for its seconds; resolves with the seconds it took. */
async function spend(options: PlanOptions, check: Check, seconds: number): Promise<number> {
  const { state, say } = options
  const row = rowState(state, check.id)
  let spentS = 0
  while (row.failure === undefined && !options.isStopping()) {
    const count = nextCount(check, row, seconds - spentS)
    if (count === 0) break
    const seed = row.nextSeed
    const ended = await options.run(check, count, seed)
    if (options.isStopping()) break
    spentS += ended.seconds
    row.seconds += ended.seconds
    row.runs += 1
    row.nextSeed += check.isSeedEach ? count : 1
    say(`${check.id}: ${count} in ${ended.seconds.toFixed(0)} s; ${lastLine(ended.text)}`)
    if (ended.code === 0) {
      row.reached = check.perMinute ? Math.max(row.reached, count) : row.reached + count
    } else {
      row.failure = `${commandLine(check, count, seed)} ended with ${ended.code}`
      say(`${check.id} FAILED, run it again by: ${commandLine(check, count, seed)}`)
      say(ended.text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n'))
    }
    options.save()
  }
  return spentS
}

/** Runs the rows until the budget is spent; results are in the state. */
export async function runChecks(options: PlanOptions): Promise<void> {
  const { state, say } = options
  const runnable = options.checks.filter((check) => {
    const reason = options.hindrance(check)
    if (reason !== undefined) say(`${check.id}: not run: ${reason}`)
    return reason === undefined
  })
  let leftS = options.budgetS
  for (let round = 0; round < ROUNDS_MAX && leftS >= LEFT_S_MIN; round++) {
    const unfinished = runnable.filter(({ id, asked }) => {
      const row = state.rows[id]
      return row?.failure === undefined && (row?.reached ?? 0) < asked
    })
    const before = leftS
    let shares = unfinished.reduce((all, { share }) => all + share, 0)
    for (const check of unfinished) {
      if (options.isStopping()) return
      const spentS = await spend(options, check, (Math.max(0, leftS) * check.share) / shares)
      leftS -= spentS
      shares -= check.share
    }
    if (leftS === before) return
  }
}

/* ---- the table ---- */

/** Returns the state of a row as text; only text that starts with `ok` is a pass. */
function verdictOf(check: Check, row: RowState | undefined, reason?: string): string {
  if (row?.failure !== undefined) return `FAILED: ${row.failure}`
  if (reason !== undefined) return `not run: ${reason}`
  if (!row || row.runs === 0) return 'not run: no minutes were left'
  return row.reached >= check.asked ? 'ok' : 'ok so far'
}

const seedsOf = (row: RowState | undefined): string =>
  !row || row.runs === 0 ? '' : `${row.firstSeed}..${Math.max(row.firstSeed, row.nextSeed - 1)}`

/** Returns the final table as lines. */
export function releaseTable(
  checks: readonly Check[],
  state: State,
  hindrance: PlanOptions['hindrance'],
): string[] {
  const heads = ['row', 'what', 'reached of asked', 'seeds', 'minutes', 'state']
  const cells = checks.map((check) => {
    const row = state.rows[check.id]
    const reached = (row?.reached ?? 0).toLocaleString('en')
    return [
      check.id,
      check.what,
      `${reached} of ${check.asked.toLocaleString('en')}`,
      seedsOf(row),
      ((row?.seconds ?? 0) / 60).toFixed(1),
      verdictOf(check, row, hindrance(check)),
    ]
  })
  const widths = heads.map((head, i) => Math.max(head.length, ...cells.map((row) => row[i].length)))
  const isNumber = (i: number): boolean => i === 2 || i === 4
  return [heads, ...cells].map((row) =>
    row
      .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join('  ')
      .trimEnd(),
  )
}

/** Returns 1 after any failure, and if a row did not run. */
export function releaseCode(
  checks: readonly Check[],
  state: State,
  hindrance: PlanOptions['hindrance'],
): 0 | 1 {
  const verdicts = checks.map((check) => verdictOf(check, state.rows[check.id], hindrance(check)))
  return verdicts.every((verdict) => verdict.startsWith('ok')) ? 0 : 1
}
