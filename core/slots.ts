/**
 * A hash index of rows in shared memory: kernels look rows up, the world thread puts them in and
 * takes them out. Open addressing with the hash beside each row, so removal never reads a key.
 * Derived: whoever owns it fills it after a restore.
 */
import { assert } from './assert.ts'
import { u32 } from './columns.ts'

export const SLOT_COLUMNS = {
  row: u32('row that stands here; 0 none'),
  hash: u32('hash of its key'),
}

export interface SlotArrays {
  readonly row: Uint32Array
  readonly hash: Uint32Array
}

export type Slots = ReturnType<typeof rowSlots>

/** Slots 0 … length-2 of the columns are used; at most half of them may be taken. */
export function rowSlots({ row, hash }: SlotArrays) {
  const size = row.length - 1
  const after = (slot: number): number => (slot + 1 === size ? 0 : slot + 1)
  /** Steps from the slot a hash belongs to until another one. */
  const distance = (slot: number, key: number): number => {
    const steps = slot - (key % size)
    return steps < 0 ? steps + size : steps
  }

  return {
    after,
    /** Where a search begins; it ends at the first slot without a row. */
    start: (key: number): number => key % size,

    put(key: number, wanted: number): void {
      let slot = key % size
      while (row[slot] !== 0) slot = after(slot)
      row[slot] = wanted
      hash[slot] = key
    },

    remove(key: number, wanted: number): void {
      let slot = key % size
      while (row[slot] !== wanted) {
        if (row[slot] === 0) assert(false, `row ${wanted} is not in the index`)
        slot = after(slot)
      }
      // What stands behind moves up, so that no search ends too early.
      for (let from = after(slot); row[from] !== 0; from = after(from)) {
        if (distance(from, hash[from]) < distance(from, slot)) continue
        row[slot] = row[from]
        hash[slot] = hash[from]
        slot = from
      }
      row[slot] = 0
      hash[slot] = 0
    },

    /** Empties it. Pages that nobody has written to stay untouched. */
    clear(): void {
      for (let slot = 0; slot < size; slot++) if (row[slot] !== 0) row[slot] = 0
    },
  }
}
