/**
 * Packs the public frame on its way from the world thread to main: its lists, which differ little
 * from row to row, become bytes of these differences. Source: WEB 3.
 */
import type { PublicFrame } from './frame.ts'

/** A frame whose lists are packed. */
export type PackedFrame = Omit<PublicFrame, keyof Lists> & { readonly lists: Uint8Array }

type Lists = Pick<PublicFrame, 'presence' | 'flights' | 'heat'>

/** Numbers in a row of each list, in the order in which they are packed. */
const WIDTHS = {
  online: 2,
  onlineBySystem: 2,
  named: 2,
  namedFlying: 2,
  bound: 1,
  npcs: 3,
  jumps: 5,
  local: 5,
  heat: 2,
} as const satisfies Record<ListName, number>
const NAMES = Object.keys(WIDTHS) as ListName[]

type ListName = keyof Lists['presence'] | keyof Lists['flights'] | 'heat'

interface Bytes {
  readonly bytes: Uint8Array
  offset: number
}

/** Zigzag encoding: small negative numbers are small too. */
const zigzag = (step: number): number => ((step << 1) ^ (step >> 31)) >>> 0

/** Returns how many bytes a number takes, at seven bits in each. */
const byteCountOf = (number: number): number =>
  number < 1 << 7 ? 1 : number < 1 << 14 ? 2 : number < 1 << 21 ? 3 : number < 1 << 28 ? 4 : 5

/** Returns the difference of a number in a list from the one a row above. */
const stepAt = (list: Int32Array, width: number, i: number): number =>
  (list[i] - (i < width ? 0 : list[i - width])) | 0

function putNumber(to: Bytes, number: number): void {
  let rest = number
  while (rest > 0x7f) {
    to.bytes[to.offset++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  to.bytes[to.offset++] = rest
}

function takeNumber(from: Bytes): number {
  let number = 0
  for (let shift = 0; ; shift += 7) {
    const byte = from.bytes[from.offset++]
    number |= (byte & 0x7f) << shift
    if (byte < 0x80) return number >>> 0
  }
}

/** Returns how many bytes `putList` writes. */
function byteCountOfList(list: Int32Array, width: number): number {
  let bytes = byteCountOf(list.length)
  for (let i = 0; i < list.length; i++) bytes += byteCountOf(zigzag(stepAt(list, width, i)))
  return bytes
}

/** Writes the length of a list, then the difference of each number from the one a row above. */
function putList(to: Bytes, list: Int32Array, width: number): void {
  putNumber(to, list.length)
  for (let i = 0; i < list.length; i++) putNumber(to, zigzag(stepAt(list, width, i)))
}

function takeList(from: Bytes, width: number): Int32Array {
  const list = new Int32Array(takeNumber(from))
  for (let i = 0; i < list.length; i++) {
    const step = takeNumber(from)
    list[i] = (i < width ? 0 : list[i - width]) + ((step >>> 1) ^ -(step & 1))
  }
  return list
}

/** Packs the lists of a frame. */
export function packFrame({ presence, flights, heat, ...rest }: PublicFrame): PackedFrame {
  const lists: Readonly<Record<ListName, Int32Array>> = { ...presence, ...flights, heat }
  const length = NAMES.reduce((sum, name) => sum + byteCountOfList(lists[name], WIDTHS[name]), 0)
  const to = { bytes: new Uint8Array(length), offset: 0 }
  for (const name of NAMES) putList(to, lists[name], WIDTHS[name])
  return { ...rest, lists: to.bytes }
}

/** Returns the frame with its lists unpacked. */
export function unpackFrame({ lists: bytes, ...rest }: PackedFrame): PublicFrame {
  const from = { bytes, offset: 0 }
  const taken = NAMES.map((name) => [name, takeList(from, WIDTHS[name])])
  const { jumps, local, heat, ...presence } = Object.fromEntries(taken)
  return { ...rest, presence, flights: { jumps, local }, heat }
}
