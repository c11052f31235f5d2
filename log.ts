/**
 * The log of the process: pino, with what no line may hold taken out or written in a form that a
 * terminal shows and does not obey. Source: RELIABILITY 6.
 */
import pino, { type Logger } from 'pino'

/**
 * Control characters that JSON leaves as they are: DEL, the 8-bit ones (CSI among them), and what
 * breaks or turns a line around.
 */
const CONTROLS = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A line of JSON with these written as escapes: it means the same. */
export const escapeControls = (line: string): string =>
  line.replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Members of errors that repeat what was stored or sent: PostgreSQL quotes the row that a rule
 * refused, the driver the statement, node the address with its password.
 */
const UNSAID: ReadonlySet<string> = new Set([
  'detail',
  'where',
  'internal_query',
  'query',
  'parameters',
  'args',
  'input',
])

function errorFields(error: Error): object {
  const said: unknown = pino.stdSerializers.err(error)
  if (typeof said !== 'object' || said === null) return { message: String(said) }
  return Object.fromEntries(Object.entries(said).filter(([name]) => !UNSAID.has(name)))
}

/** Writes to standard output, at least this level. */
export const createLog = (level: string): Logger =>
  pino({ level, serializers: { err: errorFields }, hooks: { streamWrite: escapeControls } })

/** An error for the one line of a start that failed. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
