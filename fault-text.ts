/**
 * Explains faults to the operator, at the start of the server and in every tool. A fault that is
 * not covered here is a bug and is shown with its stack.
 */
import { isTransient } from './storage/db.ts'
import { remedyFor, systemFault } from './storage/system-fault.ts'

/** Errors whose message says all an operator needs. */
const EXPECTED: ReadonlySet<string> = new Set([
  'ToolError',
  'UsageError',
  'ConfigError',
  'ListenError',
  'DatabaseSetupError',
  'WorldLockedError',
  'StorageDamageError',
  'RulesVersionError',
])
/** Finds such an error in the text of a thread that has ended. */
const LINE = new RegExp(`\\b(${[...EXPECTED].join('|')}): ([^\\n]*)`)
/** PostgreSQL codes of a missing table, column or schema. */
const MISSING = new Set(['42P01', '42703', '3F000'])

/** Returns the line in the error text of a thread that names an expected error. */
export const faultLineIn = (text: string): string | undefined => LINE.exec(text)?.[0]

/** Returns what went wrong, and what to do; undefined when it is a bug. */
export function sentenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { name, message } = error
  if (EXPECTED.has(name)) return message
  const { code } = error as { code?: string }
  if (code !== undefined && MISSING.has(code)) {
    return `The tables are not those of this release (${message}): run "npx orrery migrate".`
  }
  if (name === 'PostgresError') return `The database refuses: ${message}.${remedyFor(message)}`
  return systemFault(error) ?? (isTransient(error) ? awayText(message) : LINE.exec(message)?.[2])
}

const awayText = (message: string): string =>
  `The database went away (${message}): check that it is running, then try again.`
