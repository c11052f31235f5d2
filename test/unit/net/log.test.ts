/**
 * Lines of the log: without control characters, without the data that errors quote, and formatted
 * for reading only on a terminal.
 */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createLog, errorText, escapeControls, escapeForTerminal } from '../../../log.ts'
import { withContext } from '../../../net/ports.ts'

test('control characters that JSON allows are escaped without changing the text', () => {
  const text = 'a\u001b[2J\r\n\u007f\u009b31m\u2028\u202e\u2066b'
  const line = JSON.stringify({ msg: text })
  const escaped = escapeControls(line)
  expect(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(escaped)).toBe(false)
  expect(JSON.parse(escaped)).toEqual({ msg: text })
})

test('an error is logged without rows, statements or addresses', () => {
  const lines: string[] = []
  const log = createLog('trace')
  // pino keeps its output stream under a symbol.
  const stream = log[Object.getOwnPropertySymbols(log).find(isStream) as never] as {
    write(line: string): void
  }
  stream.write = (line) => void lines.push(line)
  const quoted = { code: '23514', detail: 'Failing row contains (s3cret)', query: 's3cret' }
  log.error({ err: Object.assign(new Error('refused'), quoted, { input: 's3cret' }) }, 'no')
  log.info({ name: '\u009b31m' }, 'x\ny')
  expect(lines).toHaveLength(2)
  expect(lines.join('')).not.toContain('s3cret')
  expect(JSON.parse(lines[0]).err).toMatchObject({ message: 'refused', code: '23514' })
  expect(lines[1]).toContain('\\u009b31m')
  expect(lines[1].indexOf('\n')).toBe(lines[1].length - 1)
})

const isStream = (symbol: symbol): boolean => symbol.description === 'pino.stream'

test('servers that share a log each name their own world and tick', () => {
  const lines: object[] = []
  const add = (fields: object): void => void lines.push(fields)
  const shared = { debug: add, info: add, warn: add, error: add }
  let tick = 3
  const [north, south] = [
    withContext(shared, () => ({ world: 'north', tick })),
    withContext(shared, () => ({ world: 'south' })),
  ]
  north.info({ port: 1 }, '')
  tick = 4
  south.warn({}, '')
  north.error({ requestId: 'a' }, '')
  north.debug({ tick: 2 }, '')
  expect(lines).toEqual([
    { world: 'north', tick: 3, port: 1 },
    { world: 'south' },
    { world: 'north', tick: 4, requestId: 'a' },
    { world: 'north', tick: 2 },
  ])
})

test('a failed start logs its error without the properties of the error', () => {
  const error = Object.assign(new TypeError('Invalid URL'), { input: 'postgres://u:s3cret@h' })
  expect(errorText(error)).toContain('TypeError: Invalid URL')
  expect(errorText(error)).not.toContain('s3cret')
})

test('text for a terminal cannot forge lines or control codes, and stacks keep their lines', () => {
  const shown = (text: string): string =>
    JSON.parse(escapeForTerminal(JSON.stringify({ text }))).text
  expect(shown('a\u001b[31m\nINFO forged\r\u009b')).toBe('a\\u001b[31m\\nINFO forged\\r\\u009b')
  expect(shown('Error: x\n    at here\n    at there')).toBe('Error: x\n    at here\n    at there')
  expect(shown('C:\\new "quoted"')).toBe('C:\\new "quoted"')
})

const LOG = JSON.stringify(new URL('../../../log.js', import.meta.url).href)
const ON_TERMINAL = "Object.defineProperty(process.stdout, 'isTTY', { value: true });"
const WITHOUT_PRETTY = `
  const Module = require('node:module');
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, ...rest) => {
    if (name === 'pino-pretty') throw new Error('not installed');
    return resolve(name, ...rest);
  };`

/** Returns the output of a process that logs a line after it has run `before`. */
const logged = (before: string): string =>
  execFileSync(
    process.execPath,
    [
      '-e',
      `${before} import(${LOG}).then(({ createLog }) => createLog('info').info({ port: 7 }, 'up'))`,
    ],
    { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  )

test('lines are formatted on a terminal if pino-pretty is installed, and JSON otherwise', () => {
  const asJson = (text: string) => {
    expect(text).toMatch(/^[^\n]+\n$/)
    return JSON.parse(text)
  }
  const line = { level: 30, port: 7, msg: 'up' }
  expect(asJson(logged(''))).toMatchObject(line)
  expect(asJson(logged(ON_TERMINAL + WITHOUT_PRETTY))).toMatchObject(line)
  expect(logged(ON_TERMINAL)).toMatch(/^\[[^\n]+\] INFO[^\n]*: up\n {4}port: 7\n$/)
})
