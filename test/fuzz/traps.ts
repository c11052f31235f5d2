/**
 * JSON that parsers, copiers and stores stumble over, as it is written on the wire.
 * Source: RELIABILITY 5, B4.
 */

interface Trap {
  readonly what: string
  /** Text in the place of a JSON value; need not be valid JSON. */
  readonly raw: string
}

const DEEP = 8_000
const deep = (open: string, close: string): string => open.repeat(DEEP) + close.repeat(DEEP)

export const TRAPS: readonly Trap[] = [
  { what: 'a list 8,000 deep', raw: deep('[', ']') },
  { what: 'an object 8,000 deep', raw: `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}` },
  { what: 'a list 8,000 deep that never ends', raw: '['.repeat(DEEP) },
  { what: '__proto__', raw: '{"__proto__":{"polluted":true}}' },
  { what: '__proto__ as a list', raw: '{"__proto__":[]}' },
  { what: 'constructor', raw: '{"constructor":{"prototype":{"polluted":true}}}' },
  { what: 'toString', raw: '{"toString":1,"valueOf":2,"hasOwnProperty":3,"toJSON":4}' },
  { what: 'duplicate keys', raw: '{"a":1,"a":2,"a":{"a":3}}' },
  { what: 'a lone high surrogate', raw: '"\\ud800"' },
  { what: 'a lone low surrogate', raw: '"x\\udc00y"' },
  { what: 'surrogates in the wrong order', raw: '"\\udc00\\ud800"' },
  { what: '2^53 + 1', raw: '9007199254740993' },
  { what: '-(2^53 + 1)', raw: '-9007199254740993' },
  { what: '1e400', raw: '1e400' },
  { what: '-1e400', raw: '-1e400' },
  { what: '-0', raw: '-0' },
  { what: '0.1', raw: '0.1' },
  { what: 'a number of 400 digits', raw: '9'.repeat(400) },
  { what: 'NaN', raw: 'NaN' },
  { what: 'Infinity', raw: '-Infinity' },
  { what: 'NaN as text', raw: '"NaN"' },
  { what: 'nothing', raw: '' },
  { what: 'an empty text', raw: '""' },
  { what: 'a byte order mark', raw: '\ufeff1' },
  { what: 'a byte order mark as text', raw: '"\\ufeff"' },
  { what: 'NUL as text', raw: '"a\\u0000b"' },
  { what: 'NUL bare', raw: '"a\u0000b"' },
  { what: 'a line break bare', raw: '"a\nb"' },
  { what: 'a leading zero', raw: '007' },
  { what: 'hexadecimal', raw: '0x10' },
  { what: 'a comment', raw: '/* 1 */ 1' },
  { what: 'a trailing comma', raw: '[1,]' },
  { what: 'undefined', raw: 'undefined' },
  { what: 'an invalid escape', raw: '"\\x41"' },
  { what: 'exponents', raw: '1E+2' },
]
