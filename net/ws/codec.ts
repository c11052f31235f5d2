/**
 * Encodes frames: as JSON text, or as MessagePack for a client that requested it by subprotocol
 * (DESIGN 5); clients always send JSON. Encodes whole frames, and pieces from which frames of feeds
 * are assembled. A piece is a string with one byte per character, so that V8 can join thousands of
 * them cheaply.
 */
import { Packr } from 'msgpackr'

/** Formats of frames. `patch`: MessagePack, and a feed is sent as changes after its first frame. */
const FORMATS = ['json', 'msgpack', 'patch'] as const
export type Format = (typeof FORMATS)[number]
export type Encoding = 'json' | 'msgpack'

/** WebSocket subprotocols by name. Source: DESIGN 5. */
const SUBPROTOCOLS: Readonly<Record<string, Format>> = {
  'game.msgpack': 'msgpack',
  'game.msgpack.patch': 'patch',
}

/** Largest number of subprotocols that are read; further ones are ignored. */
const OFFERS_MAX = 32

/** Returns the first known subprotocol of a client's list; empty if there is none (JSON). */
export function chooseProtocol(offered: string): string {
  for (const name of offered.split(',', OFFERS_MAX)) {
    if (Object.hasOwn(SUBPROTOCOLS, name.trim())) return name.trim()
  }
  return ''
}

export const formatOf = (protocol: string): Format => SUBPROTOCOLS[protocol] ?? 'json'
export const encodingOf = (format: Format): Encoding => (format === 'json' ? 'json' : 'msgpack')

/** Treats `undefined` as JSON does: left out of objects, null in lists. */
const packr = new Packr({
  useRecords: false,
  variableMapSize: true,
  skipValues: [undefined],
  encodeUndefinedAsNil: true,
} as ConstructorParameters<typeof Packr>[0])

/** Encodes a whole frame. */
export function encodeFrame(encoding: Encoding, frame: Readonly<Record<string, unknown>>): Frame {
  return encoding === 'json' ? JSON.stringify(frame) : packr.pack(frame)
}

/** Returns a JSON frame whose payload is already encoded. */
export function packedFrame(type: string, requestId: string | undefined, payload: string): string {
  const id = requestId === undefined ? '' : `"request_id":${JSON.stringify(requestId)},`
  return `{"type":"${type}",${id}"payload":${payload}}`
}

/** A frame to send: bytes, or JSON text, which the socket encodes when it sends it. */
export type Frame = Buffer | string

/** Bytes as a string, one byte per character (latin1). */
export type Bytes = string

export const toBuffer = (bytes: Bytes): Buffer => Buffer.from(bytes, 'latin1')

/** Encodes the pieces of a frame. */
interface Codec {
  /** Separator between two pairs of an object, or two values of a list. */
  readonly comma: Bytes
  openMap(pairs: number): Bytes
  readonly closeMap: Bytes
  openList(values: number): Bytes
  readonly closeList: Bytes
  /** Returns a name with its separator from the value. */
  name(name: string): Bytes
  value(value: unknown): Bytes
}

const CACHED_NAMES_MAX = 1_000

/** Caches encoded names, which are the few hundred fields of our own definitions. */
function memoized(name: (name: string) => Bytes): (name: string) => Bytes {
  const known = new Map<string, Bytes>()
  return (text) => {
    let bytes = known.get(text)
    if (bytes === undefined) {
      bytes = name(text)
      if (known.size < CACHED_NAMES_MAX) known.set(text, bytes)
    }
    return bytes
  }
}

const utf8 = (text: string): Bytes => Buffer.from(text).toString('latin1')

const JSON_CODEC: Codec = {
  comma: ',',
  openMap: () => '{',
  closeMap: '}',
  openList: () => '[',
  closeList: ']',
  name: memoized((name) => `${utf8(JSON.stringify(name))}:`),
  value: (value) => utf8(JSON.stringify(value)),
}

const pack = (value: unknown): Bytes => packr.pack(value).toString('latin1')

/**
 * Returns the header of a map or list: one byte for up to 15 members, three for up to 65,535,
 * otherwise five.
 */
function header(count: number, short: number, long: number): Bytes {
  if (count < 16) return String.fromCharCode(short + count)
  const low = String.fromCharCode((count >>> 8) & 0xff, count & 0xff)
  if (count < 0x10000) return String.fromCharCode(long) + low
  return String.fromCharCode(long + 1, count >>> 24, (count >>> 16) & 0xff) + low
}

const MSGPACK_CODEC: Codec = {
  comma: '',
  openMap: (pairs) => header(pairs, 0x80, 0xde),
  closeMap: '',
  openList: (values) => header(values, 0x90, 0xdc),
  closeList: '',
  name: memoized(pack),
  value: pack,
}

export const CODECS: Readonly<Record<Encoding, Codec>> = {
  json: JSON_CODEC,
  msgpack: MSGPACK_CODEC,
}

/** Returns the pairs of an object, without those whose value is undefined. */
export function pairsOf(codec: Codec, object: Readonly<Record<string, unknown>>): Bytes[] {
  const pairs: Bytes[] = []
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined) pairs.push(codec.name(name) + codec.value(value))
  }
  return pairs
}

/** Returns a MessagePack list of integers, with nil for -1. */
export function packIntegers(values: Int32Array): Bytes {
  const bytes = Buffer.allocUnsafe(values.length * 5)
  let end = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value >= 0 && value < 0x80) bytes[end++] = value
    else end = writeInteger(bytes, end, value)
  }
  return MSGPACK_CODEC.openList(values.length) + bytes.toString('latin1', 0, end)
}

/** Writes an integer that does not fit in seven bits; returns the offset behind it. */
function writeInteger(bytes: Buffer, offset: number, value: number): number {
  if (value < 0) return bytes.writeUInt8(0xc0, offset)
  if (value < 0x100) return bytes.writeUInt16BE(0xcc00 + value, offset)
  if (value < 0x10000) return bytes.writeUInt16BE(value, bytes.writeUInt8(0xcd, offset))
  return bytes.writeUInt32BE(value, bytes.writeUInt8(0xce, offset))
}
