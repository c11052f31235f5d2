/**
 * The log of the process: pino, with what no line may hold taken out or written in a form that a
 * terminal shows and does not obey. Source: RELIABILITY 6.
 */
import { createRequire } from 'node:module'
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
const UNLOGGED: ReadonlySet<string> = new Set([
  'detail',
  'where',
  'internal_query',
  'query',
  'parameters',
  'args',
  'input',
])

function errorFields(error: Error): object {
  const fields: unknown = pino.stdSerializers.err(error)
  if (typeof fields !== 'object' || fields === null) return { message: String(fields) }
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !UNLOGGED.has(name)))
}

/**
 * A line of JSON whose texts keep their control characters as escapes when they are shown: a
 * terminal neither obeys them nor breaks the line. The lines of a stack alone stay lines.
 */
export const escapeForTerminal = (line: string): string =>
  escapeControls(line).replace(/\\(u[0-9a-f]{4}|.)( {4}at )?/g, (found, code, stack = '') => {
    if (code === 'n' && stack !== '') return found
    const isControl = /^([bfnrt]|u00[01].|u00[7-9].|u20..)$/.test(code)
    return isControl ? `\\\\${code}${stack}` : found
  })

/** Makes lines readable on a terminal; undefined where that is none, or pino-pretty is missing. */
function prettyStream(): NodeJS.WritableStream | undefined {
  if (!process.stdout.isTTY) return undefined
  try {
    return createRequire(import.meta.url)('pino-pretty')({ sync: true })
  } catch {
    return undefined
  }
}

/** Writes to standard output, at least this level: JSON, or readable lines on a terminal. */
export function createLog(level: string): Logger {
  const pretty = prettyStream()
  const options = {
    level,
    serializers: { err: errorFields },
    hooks: { streamWrite: pretty ? escapeForTerminal : escapeControls },
  }
  return pretty ? pino(options, pretty) : pino(options)
}

/** An error with its stack, for the standard error of a tool. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
