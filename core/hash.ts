/**
 * The state hash: 64 bits over everything that is saved. Each table caches its part, which is
 * computed again only after the table was requested for writing, so static tables cost nothing. Row
 * numbers are part of the deterministic state (they are allocated and restored exactly), so hashing
 * by row is hashing by durable id. Batch numbers and wall time are left out: the same commands in
 * other batches give the same hash.
 */
import { columnsOf } from './columns.ts'
import { hash32, hashText } from './rng.ts'
import { runSteps } from './steps.ts'
import type { Store, World } from './types.ts'

const P1 = 0x9e3779b1 | 0
const P2 = 0x85ebca6b | 0

/** Hashes the 32-bit words of a column in two lanes. About 1 ns a word. */
function hashWords(words: Uint32Array, seed: number): readonly [number, number] {
  let a = seed | 0
  let b = ~seed
  for (let i = 0; i < words.length; i++) {
    const w = words[i]
    a = Math.imul(a ^ w, P1)
    a ^= a >>> 15
    b = Math.imul((b + w) | 0, P2)
    b ^= b >>> 13
  }
  return [a, b]
}

function hashStore(world: World, store: Store): readonly [number, number] {
  let low = hash32(hashText(store.def.name), store.high, store.nextSeq, store.free.length)
  let high = hash32(low, store.count)
  for (const [name, def] of columnsOf(store.def)) {
    if (def.derived) continue
    const column = store.columns[name]
    const bytes = (store.high + 1) * def.width * column.BYTES_PER_ELEMENT
    const words = new Uint32Array(world.buffer, column.byteOffset, Math.ceil(bytes / 4))
    const [a, b] = hashWords(words, hashText(name))
    low = hash32(low, a >>> 0)
    high = hash32(high, b >>> 0)
  }
  return [low, high]
}

/** Returns the hash of the state, as 16 hexadecimal digits. */
export const stateHash = (world: World): string => runSteps(hashSteps(world))

/** Computes the hash of the state in steps of one table. Nothing may be written in between. */
export function* hashSteps(world: World): Generator<void, string> {
  let low = hash32(world.seed, world.tick)
  let high = hash32(low, world.tick)
  const fold = ([a, b]: readonly [number, number]): void => {
    low = hash32(low, a)
    high = hash32(high, b)
  }
  for (const store of world.stores.values()) {
    if (store.dirty) {
      store.hash = hashStore(world, store)
      store.dirty = false
      yield
    }
    fold(store.hash)
  }
  for (const records of world.recordStores.values()) {
    if (!records.isRare || records.table.size > 0) fold(records.hash())
  }
  fold(world.texts.hash())
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
}

/** Forgets all cached parts, so that the next hash reads every byte; tests compare the two. */
export function forgetHashes(world: World): void {
  for (const store of world.stores.values()) store.dirty = true
}
