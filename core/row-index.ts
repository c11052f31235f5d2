/**
 * A hash index of rows in shared memory: kernels look rows up, the world thread adds and removes
 * them. It uses open addressing with the hash beside each row, so that rows move without their keys
 * being read. Its size doubles so that at most half of its slots are full. It is derived state: its
 * owner fills it after a restore.
 */
import { assert } from './assert.ts'
import { u32 } from './columns.ts'

/** The column of an index: two words per slot, and a last slot for its size and count. */
export const ROW_INDEX_COLUMNS = {
  slots: u32('row in this slot, 0 none, and the hash of its key', { width: 2 }),
}

const SIZE_MIN = 1_024

/**
 * Returns the index over its column. Words 2s and 2s+1 are slot s: a row, and the hash of its key.
 * The column must have two slots for each row.
 */
export function rowIndex(slots: Uint32Array) {
  const max = slots.length / 2 - 1
  /** Index of the size in slots (0, as in cleared memory: SIZE_MIN), and of the number of rows. */
  const sizeIndex = max * 2
  const countIndex = sizeIndex + 1
  const sizeOf = (): number => slots[sizeIndex] || Math.min(max, SIZE_MIN)

  const step = (slot: number, size: number): number => (slot + 1 === size ? 0 : slot + 1)
  /** Counts the steps from the slot where a hash belongs to another slot. */
  const distance = (slot: number, hash: number, size: number): number => {
    const steps = slot - (hash % size)
    return steps < 0 ? steps + size : steps
  }
  const enter = (hash: number, row: number): void => {
    const size = sizeOf()
    let slot = hash % size
    while (slots[slot * 2] !== 0) slot = step(slot, size)
    slots[slot * 2] = row
    slots[slot * 2 + 1] = hash
  }
  const grow = (): void => {
    const before = slots.slice(0, sizeOf() * 2)
    slots.fill(0, 0, before.length)
    slots[sizeIndex] = Math.min(max, before.length)
    for (let i = 0; i < before.length; i += 2) if (before[i] !== 0) enter(before[i + 1], before[i])
  }

  return {
    /** Returns the slot after another in a search. */
    after: (slot: number): number => step(slot, sizeOf()),
    /** Returns the slot where a search begins; it ends at the first slot without a row. */
    start: (hash: number): number => hash % sizeOf(),

    put(hash: number, row: number): void {
      slots[countIndex]++
      if (slots[countIndex] * 2 > sizeOf()) grow()
      assert(slots[countIndex] * 2 <= max, 'an index of rows is full')
      enter(hash, row)
    },

    remove(hash: number, row: number): void {
      const size = sizeOf()
      let slot = hash % size
      while (slots[slot * 2] !== row) {
        if (slots[slot * 2] === 0) assert(false, `row ${row} is not in the index`)
        slot = step(slot, size)
      }
      // Later rows move up into the gap, so that no search ends too early.
      for (let from = step(slot, size); slots[from * 2] !== 0; from = step(from, size)) {
        const hash = slots[from * 2 + 1]
        if (distance(from, hash, size) < distance(from, slot, size)) continue
        slots[slot * 2] = slots[from * 2]
        slots[slot * 2 + 1] = hash
        slot = from
      }
      slots[slot * 2] = 0
      slots[slot * 2 + 1] = 0
      slots[countIndex]--
    },

    clear(): void {
      slots.fill(0, 0, sizeOf() * 2)
      slots[sizeIndex] = 0
      slots[countIndex] = 0
    },
  }
}
