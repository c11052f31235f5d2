/**
 * Durable ids. On the wire an entity is a UUID that is a function of its kind and its number, so
 * nothing has to map one to the other: the number is enciphered by a keyed permutation, and the
 * rest of the UUID is a check on it.
 */
import type { TableDef } from './columns.ts'
import { WIRE_IDS_KEPT_MAX } from './limits.ts'
import { hash32, hashText } from './rng.ts'
import type { Eid, WorldView } from './types.ts'
import { defineIndex } from './world.ts'

const ROUNDS = 4
const HALF = 0x1000000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Permutes the 48-bit numbers (Feistel over two halves of 24 bits); returns both halves. */
function encipher(seq: number, key: number): [number, number] {
  let left = Math.floor(seq / HALF)
  let right = seq % HALF
  for (let round = 0; round < ROUNDS; round++) {
    const next = left ^ (hash32(key, right, round) >>> 8)
    left = right
    right = next
  }
  return [left, right]
}

function decipher(left: number, right: number, key: number): number {
  for (let round = ROUNDS - 1; round >= 0; round--) {
    const previous = right ^ (hash32(key, left, round) >>> 8)
    right = left
    left = previous
  }
  return left * HALF + right
}

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0')

/** Returns the UUID (version 8) of number `seq` of a kind in the world of this seed. */
export function wireId(seed: number, kind: string, seq: number): string {
  const key = hash32(seed, hashText(kind))
  const [left, right] = encipher(seq, key)
  const check = hash32(key, left, right)
  const tail = hash32(key, right, left, 1)
  const variant = 0x8000 | (tail >>> 18)
  return `${hex(left, 6)}${hex(right >>> 16, 2)}-${hex(right & 0xffff, 4)}-8${hex(check & 0xfff, 3)}-${hex(
    variant,
    4,
  )}-${hex(check >>> 12, 5)}${hex(tail & 0xfffffff, 7)}`
}

/** Returns the number encoded in a UUID, or 0 if the UUID is not of this kind and seed. */
export function seqOfWireId(seed: number, kind: string, id: string): number {
  const lower = id.toLowerCase()
  if (!UUID.test(lower)) return 0
  const left = Number.parseInt(lower.slice(0, 6), 16)
  const right = Number.parseInt(lower.slice(6, 8) + lower.slice(9, 13), 16)
  const seq = decipher(left, right, hash32(seed, hashText(kind)))
  return wireId(seed, kind, seq) === lower ? seq : 0
}

/** Returns true for a text that has the form of a wire id, which no name has. */
export const isWireId = (text: string): boolean => UUID.test(text.toLowerCase())

/** Cached ids by kind and number: computing one costs 2 µs, and long lists are sent often. */
const IDS = defineIndex('wire ids', () => new Map<string, Map<number, string>>())

/** Returns the wire id of a row. */
export function idOf(view: WorldView, table: TableDef, row: Eid): string {
  const seq = view.read(table as SeqTable).seq[row]
  const kinds = view.index(IDS)
  let ids = kinds.get(table.name)
  if (!ids || ids.size >= WIRE_IDS_KEPT_MAX) {
    ids = new Map()
    kinds.set(table.name, ids)
  }
  let id = ids.get(seq)
  if (id === undefined) {
    id = wireId(view.seed, table.name, seq)
    ids.set(seq, id)
  }
  return id
}

/** Returns the row that a wire id names, or 0. */
export function rowOfId(view: WorldView, table: TableDef, id: string): Eid {
  const seq = seqOfWireId(view.seed, table.name, id)
  return seq === 0 ? 0 : view.rowOf(table, seq)
}

type SeqTable = TableDef<{ seq: import('./columns.ts').ColumnDef<Float64Array> }>
