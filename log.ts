/**
 * The log of the process: pino, with fields that must not be logged removed, and control characters
 * escaped so that a terminal shows them instead of obeying them. Source: RELIABILITY 6.
 */
import { createRequire } from 'node:module'
import pino, { type Logger } from 'pino'

/**
 * Control characters that JSON does not escape: DEL, the 8-bit ones (such as CSI), line separators
 * and marks that change the text direction.
 */
const CONTROLS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Returns a line of JSON with these characters as escapes; its meaning is the same. */
export const escapeControls = (line: string): string =>
  line.replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Fields of errors that repeat stored or sent data: PostgreSQL quotes the row that violates a
 * constraint, the driver the statement, node the URL with its password.
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
 * Returns a line of JSON with control characters escaped twice, so that they are still escapes once
 * it is pretty-printed on a terminal. Only the lines of a stack stay lines.
 */
export const escapeForTerminal = (line: string): string =>
  escapeControls(line).replace(/\\(u[0-9a-f]{4}|.)( {4}at )?/g, (found, code, stack = '') => {
    if (code === 'n' && stack !== '') return found
    const isControl = /^([bfnrt]|u00[01].|u00[7-9].|u061c|u20..)$/.test(code)
    return isControl ? `\\\\${code}${stack}` : found
  })

/**
 * Returns a stream that formats lines for a terminal; undefined if stdout is not a terminal or
 * pino-pretty is missing.
 */
function prettyStream(): NodeJS.WritableStream | undefined {
  if (!process.stdout.isTTY) return undefined
  try {
    return createRequire(import.meta.url)('pino-pretty')({ sync: true })
  } catch {
    return undefined
  }
}

/**
 * Creates the log: lines of this level and above on stdout, as JSON or, on a terminal, readable.
 */
export function createLog(level: string): Logger {
  const pretty = prettyStream()
  const options = {
    level,
    serializers: { err: errorFields },
    hooks: { streamWrite: pretty ? escapeForTerminal : escapeControls },
  }
  return pretty ? pino(options, pretty) : pino(options)
}

/** Returns an error with its stack, for the stderr of a tool. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
