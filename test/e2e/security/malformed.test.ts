/**
 * Requests that break RFC 9112, with both socket libraries: our layer refuses what it can within a
 * second, the library's timeout ends the others, and bytes after an ambiguous head are never read
 * as a request. Source: RELIABILITY 5 (A1), RFC 9112 sections 2, 3.2, 5 and 6.3.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CUT, type Fate, LEFT, MALFORMED, NATIVE_BUILDS } from '../../../net/docs/malformed.ts'
import { findNative } from '../../../net/ws/native.ts'
import { sharedDatabase, type TestDatabase } from '../../databases.ts'
import { openRaw } from '../../fuzz/raw.ts'
import { LIBRARIES, type Library, newVisitor, openStage, type Stage } from './stage.ts'

const REFUSED_WITHIN_MS = 1_000
/** Longer than the libraries take to end such requests: some 12 s, the newer native build 32 s. */
const LEFT_FOR_MS = 45_000

const head = (...lines: string[]): string =>
  `${['POST /api/v2/game/help HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n`
const withHost = (...lines: string[]): string => head('Host: x', ...lines)
const TLS_HELLO = `\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03${'\0'.repeat(194)}`
/** Bytes to send, by the name of their row on the HTTP page. */
const CASES: Readonly<Record<string, string>> = {
  '`Content-Length` twice, the same': `${withHost('Content-Length: 2', 'Content-Length: 2')}{}`,
  '`Content-Length` twice, differing': `${withHost('Content-Length: 2', 'Content-Length: 9')}{}`,
  '`Content-Length: 2, 2`': `${withHost('Content-Length: 2, 2')}{}`,
  '`Content-Length` with `Transfer-Encoding`': `${withHost('Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  '`Content-Length` below zero': `${withHost('Content-Length: -1')}{}`,
  '`Content-Length` with a sign': `${withHost('Content-Length: +2')}{}`,
  '`Content-Length` of words': `${withHost('Content-Length: two')}{}`,
  '`Content-Length` of 40 digits': withHost(`Content-Length: ${'9'.repeat(40)}`),
  '`Content-Length` without a value': withHost('Content-Length:'),
  '`Content-Length` and a space before the colon': `${withHost('Content-Length : 2')}{}`,
  '`Transfer-Encoding: gzip`': `${withHost('Transfer-Encoding: gzip')}0\r\n\r\n`,
  '`Transfer-Encoding: gzip, chunked`': `${withHost('Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
  '`Transfer-Encoding` twice': `${withHost('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n`,
  'a chunk of a false size': `${withHost('Transfer-Encoding: chunked')}zz\r\nxx\r\n0\r\n\r\n`,
  'no `Host`': `${head('Content-Length: 2')}{}`,
  'no header at all': 'GET /health HTTP/1.1\r\n\r\n',
  '`Host` without a value': `${head('Host:', 'Content-Length: 2')}{}`,
  '`Host` twice': `${withHost('Host: y', 'Content-Length: 2')}{}`,
  'HTTP/1.0': 'GET /health HTTP/1.0\r\nHost: x\r\n\r\n',
  'HTTP/1.2': 'GET /health HTTP/1.2\r\nHost: x\r\n\r\n',
  'no HTTP': 'hello\r\n\r\n',
  'the first bytes of TLS': TLS_HELLO,
  'a header without a colon': `${withHost('No colon', 'Content-Length: 2')}{}`,
  'a header over two lines': `${withHost('X-A: b', ' c', 'Content-Length: 2')}{}`,
  'NUL in a header': `${withHost('X-A: b\0c', 'Content-Length: 2')}{}`,
  'lines that end without CR': 'GET /health HTTP/1.1\nHost: x\n\n',
  'a whole URI in the place of the path': 'GET http://x/health HTTP/1.1\r\nHost: x\r\n\r\n',
}

/** A request that must not be answered, hidden behind a head that may be read in two ways. */
const HIDDEN = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
const SMUGGLED: readonly string[] = [
  withHost('Content-Length: 0', `Content-Length: ${HIDDEN.length}`),
  withHost(`Content-Length: ${HIDDEN.length}`, 'Content-Length: 0'),
  withHost(`Content-Length: 0, ${HIDDEN.length}`),
  `${withHost('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  `${withHost('Transfer-Encoding: chunked', `Content-Length: ${HIDDEN.length}`)}0\r\n\r\n`,
  withHost('Content-Length : 0', `Content-Length: ${HIDDEN.length}`),
  withHost('Transfer-Encoding : chunked', `Content-Length: ${HIDDEN.length}`),
  `${withHost('Transfer-Encoding: xchunked')}0\r\n\r\n`,
  `${withHost('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n`,
  withHost(`X-A: b\nContent-Length: ${HIDDEN.length}`),
]

const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

interface Result {
  readonly statuses: readonly number[]
  readonly fate: Fate | 'open'
}

/** Sends bytes; returns the statuses of all answers, and how the request ended. */
async function send(port: number, bytes: string): Promise<Result> {
  const raw = await openRaw(port)
  const startedMs = performance.now()
  const timer = setTimeout(() => raw.destroy(), LEFT_FOR_MS)
  raw.write(Buffer.from(bytes, 'latin1'))
  await raw.until((got) => got.includes('\r\n\r\n'))
  const tookMs = performance.now() - startedMs
  const [status] = statusesIn(raw.received().toString('latin1'))
  // A refusal must end its connection; after another answer the connection may stay open.
  if (status !== 200 && status !== 404) await raw.until(() => false)
  else raw.destroy()
  clearTimeout(timer)
  const statuses = statusesIn(raw.received().toString('latin1'))
  if (tookMs < REFUSED_WITHIN_MS) return { statuses, fate: status ?? CUT }
  return { statuses, fate: tookMs < LEFT_FOR_MS && status === undefined ? LEFT : 'open' }
}

let database: TestDatabase
let stages: Readonly<Record<Library, Stage>>
/** All are sent at once, because some take as long as the library's timeout. */
let results: Readonly<
  Record<Library, { cases: Promise<[string, Result][]>; hidden: Promise<Result[]> }>
>

function sendAll({ server: { port } }: Stage) {
  const cases = Object.entries(CASES).map(
    async ([name, bytes]): Promise<[string, Result]> => [name, await send(port, bytes)],
  )
  const hidden = SMUGGLED.map((bytes) => send(port, bytes + HIDDEN))
  return { cases: Promise.all(cases), hidden: Promise.all(hidden) }
}

beforeAll(async () => {
  database = await sharedDatabase()
  const native = await openStage('native', database)
  const node = await openStage('node', database)
  stages = { native, node }
  results = { native: sendAll(native), node: sendAll(node) }
})
afterAll(async () => {
  await Promise.all(Object.values(stages).map((stage) => stage.close()))
  await database.close()
})

test('the HTTP page has a row for each case and names the pinned native builds', () => {
  expect(MALFORMED.map(([name]) => name)).toEqual(Object.keys(CASES))
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  for (const { name, version } of Object.values(NATIVE_BUILDS))
    expect(optionalDependencies[name]).toMatch(new RegExp(`(^|@)${version}(-|$)`))
})

describe.each(LIBRARIES)('with the %s library', (library) => {
  test('a malformed request ends as the HTTP page says', async () => {
    const fates = (await results[library].cases).map(([name, { fate }]) => [name, fate])
    // Where no native build loads, both libraries are Node's.
    const build = library === 'node' ? undefined : findNative().native?.build
    const expected = MALFORMED.map(([name, newer, older, node]) => {
      if (build === undefined) return [name, node]
      return [name, build === NATIVE_BUILDS.newer.name ? newer : older]
    })
    expect(fates).toEqual(expected)
  })

  test('bytes after an ambiguous head are never answered', async () => {
    for (const [i, { statuses }] of (await results[library].hidden).entries())
      expect({ head: SMUGGLED[i], isRefused: statuses.every((status) => status === 400) }).toEqual({
        head: SMUGGLED[i],
        isRefused: true,
      })
    expect((await newVisitor(stages[library]).get('/health')).status).toBe(200)
  })

  test('a head of 100 KB gets at most one answer', async () => {
    const { statuses, fate } = await send(
      stages[library].server.port,
      `${withHost(`X-Long: ${'x'.repeat(100_000)}`, 'Content-Length: 2')}{}`,
    )
    expect(library === 'native' ? [200, 431, CUT] : [431]).toContain(fate)
    expect(statuses.length).toBeLessThan(2)
  })
})
