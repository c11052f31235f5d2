/**
 * How frames are written: JSON text, or MessagePack for a client that asked for it by subprotocol
 * (DESIGN 5). What comes in is JSON always. Besides whole frames, the pieces that frames of feeds
 * are put together from: strings of which each character is one byte, so that thousands of them are
 * joined by the engine and written at once.
 */
import { Packr } from 'msgpackr'

/** `patch`: MessagePack, and feeds as changes after the first frame. */
const FORMATS = ['json', 'msgpack', 'patch'] as const
export type Format = (typeof FORMATS)[number]
export type Encoding = 'json' | 'msgpack'

/** WebSocket subprotocols by name. Source: DESIGN 5. */
const SUBPROTOCOLS: Readonly<Record<string, Format>> = {
  'game.msgpack': 'msgpack',
  'game.msgpack.patch': 'patch',
}

/** Subprotocols read of one request: further ones are not looked at. */
const OFFERS_MAX = 32

/** The first subprotocol of a client's list that we speak; empty: none, and JSON. */
export function chooseProtocol(offered: string): string {
  for (const name of offered.split(',', OFFERS_MAX)) {
    if (Object.hasOwn(SUBPROTOCOLS, name.trim())) return name.trim()
  }
  return ''
}

export const formatOf = (protocol: string): Format => SUBPROTOCOLS[protocol] ?? 'json'
export const encodingOf = (format: Format): Encoding => (format === 'json' ? 'json' : 'msgpack')

/** As JSON has it: what is undefined is left out of objects, and null in lists. */
const packr = new Packr({
  useRecords: false,
  variableMapSize: true,
  skipValues: [undefined],
  encodeUndefinedAsNil: true,
} as ConstructorParameters<typeof Packr>[0])

/** A frame as it goes out. */
export function encodeFrame(encoding: Encoding, frame: Readonly<Record<string, unknown>>): Buffer {
  return encoding === 'json' ? Buffer.from(JSON.stringify(frame)) : packr.pack(frame)
}

/** One byte a character. */
export type Bytes = string

export const toBuffer = (bytes: Bytes): Buffer => Buffer.from(bytes, 'latin1')

/** Writes the pieces of a frame. */
interface Codec {
  /** Between two pairs of an object, or two values of a list. */
  readonly comma: Bytes
  openMap(pairs: number): Bytes
  readonly closeMap: Bytes
  openList(values: number): Bytes
  readonly closeList: Bytes
  /** A name before its value. */
  name(name: string): Bytes
  value(value: unknown): Bytes
}

/** Names are those of fields in our own definitions: a few hundred. */
function remembered(name: (name: string) => Bytes): (name: string) => Bytes {
  const known = new Map<string, Bytes>()
  return (text) => {
    let bytes = known.get(text)
    if (bytes === undefined) {
      bytes = name(text)
      if (known.size < NAMES_KEPT_MAX) known.set(text, bytes)
    }
    return bytes
  }
}

const NAMES_KEPT_MAX = 1_000

const utf8 = (text: string): Bytes => Buffer.from(text).toString('latin1')

const JSON_CODEC: Codec = {
  comma: ',',
  openMap: () => '{',
  closeMap: '}',
  openList: () => '[',
  closeList: ']',
  name: remembered((name) => `${utf8(JSON.stringify(name))}:`),
  value: (value) => utf8(JSON.stringify(value)),
}

const pack = (value: unknown): Bytes => packr.pack(value).toString('latin1')

/** The opening of a map or list: up to 15 things in one byte, up to 65,535 in three, or in five. */
function opening(count: number, short: number, long: number): Bytes {
  if (count < 16) return String.fromCharCode(short + count)
  const low = String.fromCharCode((count >>> 8) & 0xff, count & 0xff)
  if (count < 0x10000) return String.fromCharCode(long) + low
  return String.fromCharCode(long + 1, count >>> 24, (count >>> 16) & 0xff) + low
}

const MSGPACK_CODEC: Codec = {
  comma: '',
  openMap: (pairs) => opening(pairs, 0x80, 0xde),
  closeMap: '',
  openList: (values) => opening(values, 0x90, 0xdc),
  closeList: '',
  name: remembered(pack),
  value: pack,
}

export const CODECS: Readonly<Record<Encoding, Codec>> = {
  json: JSON_CODEC,
  msgpack: MSGPACK_CODEC,
}

/** The pairs of an object with what is undefined left out. */
export function pairsOf(codec: Codec, object: Readonly<Record<string, unknown>>): Bytes[] {
  const pairs: Bytes[] = []
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined) pairs.push(codec.name(name) + codec.value(value))
  }
  return pairs
}

/** A MessagePack list of integers; -1 is nil. */
export function packIntegers(values: Int32Array): Bytes {
  const bytes = Buffer.allocUnsafe(values.length * 5)
  let at = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value >= 0 && value < 0x80) bytes[at++] = value
    else at = writeInteger(bytes, at, value)
  }
  return MSGPACK_CODEC.openList(values.length) + bytes.toString('latin1', 0, at)
}

/** Writes one that does not fit in seven bits; returns where the next begins. */
function writeInteger(bytes: Buffer, at: number, value: number): number {
  if (value < 0) return bytes.writeUInt8(0xc0, at)
  if (value < 0x100) return bytes.writeUInt16BE(0xcc00 + value, at)
  if (value < 0x10000) return bytes.writeUInt16BE(value, bytes.writeUInt8(0xcd, at))
  return bytes.writeUInt32BE(value, bytes.writeUInt8(0xce, at))
}
