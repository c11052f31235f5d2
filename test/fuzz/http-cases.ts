/** Requests that are wrong, odd or cut short, as bytes. Source: RELIABILITY 5, B7. */

export interface HttpCase {
  readonly what: string
  readonly bytes: string
  /** Status of the first answer; `any` is an answer or the end of the connection. */
  readonly status: number | 'any'
  /** Error code in the body. */
  readonly code?: string
  /** Number of answers, when it is not one. */
  readonly answers?: number
  /** The client ends its side after these bytes. */
  readonly isLast?: true
  /** The client disconnects at once. */
  readonly isAborted?: true
}

/** Ids of the sessions that the cases use. */
interface Sessions {
  /** v1 and v2, logged in. */
  readonly v1: string
  readonly v2: string
  /** v1, not logged in. */
  readonly fresh: string
  /** v1, expired. */
  readonly expired: string
}

const KIB = 1024

function request(method: string, path: string, parts: { headers?: string; body?: string } = {}) {
  const { headers = '', body = '' } = parts
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${length}${headers}\r\n${body}`
}

const V1 = '/api/v1/get_status'

function sessionCases({ v1, v2, fresh, expired }: Sessions): HttpCase[] {
  const withId = (id: string, path = V1) =>
    request('POST', path, { headers: `X-Session-Id: ${id}\r\n` })
  return [
    { what: 'no session', bytes: request('POST', V1), status: 401, code: 'session_required' },
    { what: 'an unknown session', bytes: withId('no-such'), status: 401, code: 'session_invalid' },
    { what: 'an expired session', bytes: withId(expired), status: 401, code: 'session_invalid' },
    {
      what: 'a session of v1 on v2',
      bytes: withId(v1, '/api/v2/game/get_status'),
      status: 401,
      code: 'session_invalid',
    },
    { what: 'a session of v2 on v1', bytes: withId(v2), status: 401, code: 'session_invalid' },
    {
      what: 'a session that is not logged in',
      bytes: withId(fresh),
      status: 401,
      code: 'not_authenticated',
    },
    {
      what: 'a session of 10 KiB',
      bytes: request('POST', V1, { headers: `X-Session-Id: ${'x'.repeat(10 * KIB)}\r\n` }),
      status: 'any',
    },
    { what: 'a good request', bytes: withId(v1), status: 200 },
    {
      what: 'a lower-case header',
      bytes: request('POST', V1, { headers: `x-session-id: ${v1}\r\n` }),
      status: 200,
    },
  ]
}

function addressCases({ v1, v2 }: Sessions): HttpCase[] {
  const own = `X-Session-Id: ${v1}\r\n`
  const own2 = `X-Session-Id: ${v2}\r\n`
  const post = (path: string, headers = own) => request('POST', path, { headers })
  return [
    ...['GET', 'PUT', 'DELETE', 'PATCH'].map((method) => ({
      what: `${method} of a command`,
      bytes: request(method, V1, { headers: own }),
      status: 405,
      code: 'method_not_allowed',
    })),
    { what: 'HEAD', bytes: 'HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n', status: 200 },
    { what: 'a made-up method', bytes: request('BREW', V1), status: 'any' },
    { what: 'an unknown path', bytes: request('GET', '/nowhere'), status: 404 },
    {
      what: 'an unknown command',
      bytes: post('/api/v1/no_such'),
      status: 404,
      code: 'unknown_command',
    },
    {
      what: 'an internal command',
      bytes: post('/api/v1/internal:unbind_all'),
      status: 404,
      code: 'unknown_command',
    },
    {
      what: 'an unknown tool',
      bytes: post('/api/v2/no_such/x', own2),
      status: 404,
      code: 'unknown_tool',
    },
    {
      what: 'an unknown action',
      bytes: post('/api/v2/game/no_such', own2),
      status: 404,
      code: 'invalid_action',
    },
    { what: 'no action', bytes: post('/api/v2/game', own2), status: 400, code: 'missing_action' },
    { what: 'a path of 4 KiB', bytes: request('GET', `/${'a'.repeat(4 * KIB)}`), status: 'any' },
    { what: 'a path that climbs', bytes: request('GET', '/../../etc/passwd'), status: 404 },
    { what: 'a broken escape', bytes: post('/api/v1/%zz'), status: 404, code: 'unknown_command' },
    {
      what: 'a foreign origin on MCP',
      bytes: request('POST', '/mcp', { headers: 'Origin: https://elsewhere.example\r\n' }),
      status: 403,
    },
    {
      what: 'a null origin on MCP',
      bytes: request('POST', '/mcp', { headers: 'Origin: null\r\n' }),
      status: 403,
    },
    {
      what: 'a foreign host on MCP',
      bytes: 'POST /mcp HTTP/1.1\r\nHost: elsewhere.example\r\nContent-Length: 2\r\n\r\n{}',
      status: 403,
    },
  ]
}

function bodyCases({ v1 }: Sessions): HttpCase[] {
  const own = `X-Session-Id: ${v1}\r\n`
  const json = (body: string) => request('POST', V1, { headers: own, body })
  const invalid = ['{', '[]', '7', '"x"', 'null', 'a=b', '\u0000', '{}{}', '{"a":1,}']
  const large = '{"content":"'.padEnd(513 * KIB, 'x')
  return [
    ...invalid.map((body) => ({
      what: `a body ${JSON.stringify(body)}`,
      bytes: json(body),
      status: 400,
      code: 'invalid_json',
    })),
    { what: 'an empty body', bytes: json(''), status: 200 },
    {
      what: 'a body of text/plain',
      bytes: request('POST', V1, { headers: `${own}Content-Type: text/plain\r\n`, body: '{}' }),
      status: 'any',
    },
    { what: '513 KiB', bytes: json(large), status: 413, code: 'payload_too_large' },
    {
      what: '17 KiB before login',
      bytes: request('POST', '/api/v1/login', { body: ' '.repeat(17 * KIB) }),
      status: 413,
      code: 'payload_too_large',
    },
    {
      what: '17 KiB in chunks before login',
      bytes:
        'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n' +
        `${(17 * KIB).toString(16)}\r\n${' '.repeat(17 * KIB)}\r\n0\r\n\r\n`,
      status: 'any',
    },
  ]
}

const head = (lines: string) => `POST ${V1} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines}\r\n`

function framingCases(): HttpCase[] {
  const any = (what: string, bytes: string): HttpCase => ({ what, bytes, status: 'any' })
  const cut = (what: string, bytes: string): HttpCase => ({
    what,
    bytes,
    status: 'any',
    isLast: true,
  })
  return [
    cut('a length longer than the body, and the end', `${head('Content-Length: 100\r\n')}{}`),
    any('a length shorter than the body', `${head('Content-Length: 2\r\n')}{}{"more":1}`),
    any('a negative length', head('Content-Length: -1\r\n')),
    any('a length that is no number', head('Content-Length: many\r\n')),
    any('two lengths', `${head('Content-Length: 2\r\nContent-Length: 4\r\n')}{}{}`),
    any(
      'a length and chunks',
      `${head('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n`,
    ),
    any('a chunk size that is no number', `${head('Transfer-Encoding: chunked\r\n')}zz\r\n`),
    any('a chunk size of 2^64', `${head('Transfer-Encoding: chunked\r\n')}${'f'.repeat(17)}\r\n`),
    cut('chunks that never end', `${head('Transfer-Encoding: chunked\r\n')}2\r\n{}\r\n`),
    // To the library's parser these, HTTP/1.0 and no host are unfinished: it ends them after 12 s.
    cut('200 headers', head('X-A: b\r\n'.repeat(200))),
    any('a header of 64 KiB', head(`X-A: ${'b'.repeat(64 * KIB)}\r\n`)),
    cut('a header without a colon', head('nonsense\r\n')),
    cut('a header with NUL', head('X-A: a\u0000b\r\n')),
    cut('bare line feeds', `GET /health HTTP/1.1\nHost: x\n\n`),
    cut('HTTP/1.0', 'GET /health HTTP/1.0\r\nHost: x\r\n\r\n'),
    cut('no version', 'GET /health\r\n\r\n'),
    cut('no host', 'GET /health HTTP/1.1\r\n\r\n'),
    cut('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    cut('a greeting of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001'),
    cut('half a request line, and the end', 'GET /hea'),
    {
      what: 'three requests at once',
      bytes: 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3),
      status: 200,
      answers: 3,
    },
    {
      what: 'gone after the headers',
      bytes: head('Content-Length: 9\r\n'),
      status: 'any',
      isAborted: true,
    },
    {
      what: 'gone in the body',
      bytes: `${head('Content-Length: 9\r\n')}{"a`,
      status: 'any',
      isAborted: true,
    },
  ]
}

export const httpCases = (sessions: Sessions): HttpCase[] => [
  ...sessionCases(sessions),
  ...addressCases(sessions),
  ...bodyCases(sessions),
  ...framingCases(),
  {
    what: 'gone before the answer of a mutation',
    bytes: request('POST', '/api/v1/mine', { headers: `X-Session-Id: ${sessions.v1}\r\n` }),
    status: 'any',
    isAborted: true,
  },
]
