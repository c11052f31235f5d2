/**
 * The fate of requests that violate RFC 9112, by socket library: some are handled by the library,
 * some by us. test/e2e/security/malformed.test.ts checks the installed ones.
 */
import { table } from './page.ts'

/** The native builds as package.json pins them; other versions may behave differently. */
export const NATIVE_BUILDS = {
  newer: { name: '@btc-vision/uwebsockets.js', version: '20.57.0' },
  older: { name: 'uWebSockets.js', version: '20.30.0' },
} as const

/**
 * A status; or the connection is cut off at once without an answer; or it stays open without one
 * until the library closes it like one with a slow head.
 */
export type Fate = number | 'cut off' | 'left to its timeout'

export const CUT = 'cut off'
export const LEFT = 'left to its timeout'

export const MALFORMED: readonly (readonly [
  request: string,
  newer: Fate,
  older: Fate,
  node: Fate,
])[] = [
  ['`Content-Length` twice, the same', CUT, CUT, 400],
  ['`Content-Length` twice, differing', CUT, CUT, 400],
  ['`Content-Length: 2, 2`', CUT, CUT, 400],
  ['`Content-Length` with `Transfer-Encoding`', 400, CUT, 400],
  ['`Content-Length` below zero', CUT, CUT, 400],
  ['`Content-Length` with a sign', CUT, CUT, 400],
  ['`Content-Length` of words', CUT, CUT, 400],
  ['`Content-Length` of 40 digits', CUT, CUT, 400],
  ['`Content-Length` without a value', 200, 200, 400],
  ['`Content-Length` and a space before the colon', 400, LEFT, 400],
  ['`Transfer-Encoding: gzip`', CUT, CUT, CUT],
  ['`Transfer-Encoding: gzip, chunked`', CUT, CUT, CUT],
  ['`Transfer-Encoding` twice', CUT, CUT, 400],
  ['a chunk of a false size', 400, CUT, 400],
  ['no `Host`', 400, CUT, 400],
  ['no header at all', 400, LEFT, 400],
  ['`Host` without a value', 400, 400, 400],
  ['`Host` twice', 400, 400, 400],
  ['HTTP/1.0', 505, LEFT, 200],
  ['HTTP/1.2', 505, LEFT, 400],
  ['no HTTP', LEFT, LEFT, 400],
  ['the first bytes of TLS', 505, LEFT, 400],
  ['a header without a colon', 400, LEFT, 400],
  ['a header over two lines', 400, LEFT, 400],
  ['NUL in a header', 400, LEFT, 400],
  ['lines that end without CR', 505, LEFT, 400],
  ['a whole URI in the place of the path', 505, LEFT, 404],
]

export const malformedTable = (): string =>
  table(
    [
      'Request',
      ...Object.values(NATIVE_BUILDS).map(({ name, version }) => `${name} ${version}`),
      'node:http, the fallback',
    ],
    MALFORMED.map((row) => row.map(String)),
  )
