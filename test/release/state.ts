/**
 * The state file of a release check: what its rows have reached so far. It is written after each
 * run, so that a check that is stopped can be resumed, and belongs to one commit.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { VERSION } from '../../core/catalog/changelog.ts'

/** What a row has reached. */
export interface RowState {
  reached: number
  runs: number
  firstSeed: number
  /** Seed of the next run. */
  nextSeed: number
  seconds: number
  /** The command line that failed, with how it ended. */
  failure?: string
}

export interface State {
  readonly version: string
  /** Commits checked so far, the newest last: more than one after --continue-anyway. */
  readonly commits: string[]
  readonly startedAt: string
  readonly firstSeed: number
  /** By id of the row. */
  readonly rows: Record<string, RowState>
}

const FORMAT = 1

/**
 * Returns the commit that is checked out, with `+changes` if files differ; `unknown` without git.
 */
export function currentCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD')
    return git('status', '--porcelain') === '' ? commit : `${commit}+changes`
  } catch {
    return 'unknown'
  }
}

export const newState = (commit: string, firstSeed: number): State => ({
  version: VERSION,
  commits: [commit],
  startedAt: new Date().toISOString(),
  firstSeed,
  rows: {},
})

/** Returns the state of a row; a new one begins with the state's first seed. */
export function rowState(state: State, id: string): RowState {
  const { firstSeed } = state
  state.rows[id] ??= { reached: 0, runs: 0, firstSeed, nextSeed: firstSeed, seconds: 0 }
  return state.rows[id]
}

/** Replaces the file atomically: a reader finds either the old or the new file, complete. */
export function saveState(file: string, state: State): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify({ format: FORMAT, ...state }, null, 2)}\n`)
  renameSync(`${file}.new`, file)
}

/** Returns a saved state; undefined if there is no file. Throws if the file holds anything else. */
export function readState(file: string): State | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    read = undefined
  }
  const { format, ...state } = (read ?? {}) as State & { format?: number }
  const isOurs = format === FORMAT && Array.isArray(state.commits) && typeof state.rows === 'object'
  if (!isOurs) throw new Error(`${file} is no state of a release check: begin anew with --fresh`)
  return state
}

interface OpenOptions {
  readonly file: string
  readonly commit: string
  readonly firstSeed: number
  readonly isFresh: boolean
  /** Continues the state of another commit. */
  readonly isAnyway: boolean
}

/**
 * Returns the state to continue, and a sentence on its origin. Throws on another commit's state.
 */
export function openState(options: OpenOptions): { state: State; origin: string } {
  const { file, commit, firstSeed, isFresh, isAnyway } = options
  const found = isFresh ? undefined : readState(file)
  if (!found) {
    const origin = `begins anew at ${commit}, first seed ${firstSeed}; state in ${file}`
    return { state: newState(commit, firstSeed), origin }
  }
  const last = found.commits[found.commits.length - 1]
  const runs = Object.values(found.rows).reduce((all, row) => all + row.runs, 0)
  const history = `${runs} runs since ${found.startedAt}`
  if (last === commit) {
    return { state: found, origin: `continues ${file}: ${history}, at ${commit}` }
  }
  if (!isAnyway) {
    const mismatch = `${file} is of commit ${last}, and this is ${commit}`
    throw new Error(`${mismatch}: --fresh begins anew, --continue-anyway adds to it`)
  }
  found.commits.push(commit)
  return { state: found, origin: `continues ${file} of ${last} at ${commit}: ${history}` }
}
