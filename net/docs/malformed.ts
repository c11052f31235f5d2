/**
 * What becomes of requests that break RFC 9112, by the socket library: ours is what it hands on,
 * the rest is its own. Checked on both by test/e2e/security/malformed.test.ts.
 */
import { table } from './page.ts'

/** The native library as package.json pins it; another version may do otherwise. */
export const NATIVE_LIBRARY = { name: 'uWebSockets.js', version: '20.30.0' } as const

/**
 * A status; or the connection is cut off at once, without an answer; or left to itself without one,
 * until the library ends it as it ends slow heads.
 */
export type Fate = number | 'cut off' | 'left to its timeout'

const CUT = 'cut off'
const LEFT = 'left to its timeout'

export const MALFORMED: readonly (readonly [request: string, native: Fate, node: Fate])[] = [
  ['`Content-Length` twice, the same', CUT, 400],
  ['`Content-Length` twice, differing', CUT, 400],
  ['`Content-Length: 2, 2`', CUT, 400],
  ['`Content-Length` with `Transfer-Encoding`', CUT, 400],
  ['`Content-Length` below zero', CUT, 400],
  ['`Content-Length` with a sign', CUT, 400],
  ['`Content-Length` of words', CUT, 400],
  ['`Content-Length` of 40 digits', CUT, 400],
  ['`Content-Length` without a value', 200, 400],
  ['`Content-Length` and a space before the colon', LEFT, 400],
  ['`Transfer-Encoding: gzip`', CUT, CUT],
  ['`Transfer-Encoding: gzip, chunked`', CUT, CUT],
  ['`Transfer-Encoding` twice', CUT, 400],
  ['a chunk of a false size', CUT, 400],
  ['no `Host`', CUT, 400],
  ['no header at all', LEFT, 400],
  ['`Host` without a value', 400, 400],
  ['`Host` twice', 400, 400],
  ['HTTP/1.0', LEFT, 200],
  ['HTTP/1.2', LEFT, 400],
  ['no HTTP', LEFT, 400],
  ['the first bytes of TLS', LEFT, 400],
  ['a header without a colon', LEFT, 400],
  ['a header over two lines', LEFT, 400],
  ['NUL in a header', LEFT, 400],
  ['lines that end without CR', LEFT, 400],
  ['a whole URI in the place of the path', LEFT, 404],
]

export const malformedTable = (): string =>
  table(
    ['Request', `${NATIVE_LIBRARY.name} ${NATIVE_LIBRARY.version}`, 'node:http, the stand-in'],
    MALFORMED.map((row) => row.map(String)),
  )
