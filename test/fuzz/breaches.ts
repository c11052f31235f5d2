/** Breaches of RFC 6455, and frames that only just comply with it. Source: RELIABILITY 5, B3. */
import { BINARY, CLOSE, frameOf, MORE, PING, PONG, TEXT } from './raw.ts'

export interface Breach {
  readonly what: string
  readonly bytes: Buffer
  /**
   * `ends`: the connection is closed; `answers`: a text frame with that code, or with any answer
   * when there is none; `pongs`: a pong; `either`: one of these.
   */
  readonly reaction: 'ends' | 'answers' | 'pongs' | 'either'
  readonly code?: string
  /** The client ends its side after these bytes. */
  readonly isLast?: true
}

const VERSION = '{"type":"get_version","tool":"game","action":"get_version","request_id":"b"}'
const MIB = 1024 * 1024
const frames = (...parts: Buffer[]): Buffer => Buffer.concat(parts)
const length = (...bytes: number[]): { length: Buffer } => ({ length: Buffer.from(bytes) })

function emptyFragments(count: number): Buffer {
  const middle = Array.from({ length: count }, () => frameOf(MORE, '', { fin: false }))
  return frames(frameOf(TEXT, VERSION, { fin: false }), ...middle, frameOf(MORE, ''))
}

const ENDS: readonly (readonly [string, Buffer])[] = [
  ['reserved bit 1', frameOf(TEXT, VERSION, { rsv: 4 })],
  ['reserved bit 2', frameOf(TEXT, VERSION, { rsv: 2 })],
  ['reserved bit 3', frameOf(TEXT, VERSION, { rsv: 1 })],
  ['opcode 3', frameOf(3, VERSION)],
  ['opcode 7', frameOf(7, VERSION)],
  ['opcode 11', frameOf(11, '')],
  ['opcode 15', frameOf(15, '')],
  ['a continuation of nothing', frameOf(MORE, VERSION)],
  ['a text within a text', frames(frameOf(TEXT, '{', { fin: false }), frameOf(TEXT, VERSION))],
  ['a ping of 126 bytes', frameOf(PING, 'x'.repeat(126))],
  ['a ping in fragments', frameOf(PING, 'x', { fin: false })],
  ['a close in fragments', frameOf(CLOSE, Buffer.from([3, 232]), { fin: false })],
  ['a close of one byte', frameOf(CLOSE, Buffer.from([3]))],
  ['a close with code 999', frameOf(CLOSE, Buffer.from([3, 231]))],
  ['a close with code 1005', frameOf(CLOSE, Buffer.from([3, 237]))],
  ['a close with a reason that is no UTF-8', frameOf(CLOSE, Buffer.from([3, 232, 0xff, 0xfe]))],
  ['a close', frameOf(CLOSE, Buffer.from([3, 232]))],
  ['a close without a code', frameOf(CLOSE, '')],
  ['a text that is no UTF-8', frameOf(TEXT, Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
  ['a surrogate as UTF-8', frameOf(TEXT, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))],
  ['a length with the highest bit set', frameOf(TEXT, '', length(127, 0x80, 0, 0, 0, 0, 0, 0, 1))],
  ['a length of 2^40', frameOf(TEXT, '', length(127, 0, 0, 1, 0, 0, 0, 0, 0))],
  ['a message of 1 MiB + 1', frameOf(TEXT, 'x'.repeat(MIB + 1))],
  [
    'fragments of more than 1 MiB',
    frames(
      frameOf(TEXT, 'x'.repeat(MIB / 2), { fin: false }),
      frameOf(MORE, 'x'.repeat(MIB / 2 + 1)),
    ),
  ],
]

const ANSWERS: readonly (readonly [string, Buffer, string?])[] = [
  ['a text', frameOf(TEXT, VERSION)],
  [
    'a text in three fragments',
    frames(
      frameOf(TEXT, VERSION.slice(0, 5), { fin: false }),
      frameOf(MORE, VERSION.slice(5, 9), { fin: false }),
      frameOf(MORE, VERSION.slice(9)),
    ),
  ],
  ['an empty text', frameOf(TEXT, ''), 'invalid_json'],
  ['a binary message', frameOf(BINARY, VERSION), 'invalid_json'],
  ['an empty binary message', frameOf(BINARY, ''), 'invalid_json'],
  ['5,000 empty fragments', emptyFragments(5_000)],
  ['an unsolicited pong, then a text', frames(frameOf(PONG, 'x'), frameOf(TEXT, VERSION))],
  [
    '100 pings, then a text',
    frames(...Array(100).fill(frameOf(PING, 'x')), frameOf(TEXT, VERSION)),
  ],
  ['a message of 512 KiB + 1', frameOf(TEXT, ' '.repeat(MIB / 2 + 1)), 'payload_too_large'],
  ['a message of 512 KiB', frameOf(TEXT, ' '.repeat(MIB / 2)), ''],
  ['a message of 1 MiB', frameOf(TEXT, ' '.repeat(MIB)), ''],
]

export const BREACHES: readonly Breach[] = [
  ...ENDS.map(([what, bytes]) => ({ what, bytes, reaction: 'ends' as const })),
  ...ANSWERS.map(([what, bytes, code]) => ({ what, bytes, reaction: 'answers' as const, code })),
  { what: 'a ping of 125 bytes', bytes: frameOf(PING, 'x'.repeat(125)), reaction: 'pongs' },
  {
    what: 'a ping between fragments',
    bytes: frames(
      frameOf(TEXT, VERSION.slice(0, 5), { fin: false }),
      frameOf(PING, 'x'),
      frameOf(MORE, VERSION.slice(5)),
    ),
    reaction: 'pongs',
  },
  {
    // The parser reads four bytes as a mask whatever the bit says: the rest is garbage to it.
    what: 'an unmasked text, then more',
    bytes: frames(frameOf(TEXT, VERSION, { mask: false }), frameOf(TEXT, VERSION)),
    reaction: 'either',
  },
  {
    what: 'a length in more bytes than it needs',
    bytes: frameOf(TEXT, 'x'.repeat(5), length(126, 0, 5)),
    reaction: 'either',
  },
  {
    what: 'half a header, and the end',
    bytes: Buffer.from([0x81]),
    reaction: 'ends',
    isLast: true,
  },
  {
    what: 'half a frame, and the end',
    bytes: frameOf(TEXT, VERSION).subarray(0, 12),
    reaction: 'ends',
    isLast: true,
  },
]
