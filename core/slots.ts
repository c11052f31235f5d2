/**
 * A hash index of rows in shared memory: kernels look rows up, the world thread puts them in and
 * takes them out. Open addressing with the hash beside each row, so that nothing ever reads a key.
 * It uses as much of its memory as twice its rows need, so that few rows lie close together.
 * Derived: whoever owns it fills it after a restore.
 */
import { assert } from './assert.ts'
import { u32 } from './columns.ts'

/** Slots of an index, two words each, the last of them for the index itself. */
export const SLOT_COLUMNS = {
  slots: u32('row that stands here, 0 none, and the hash of its key', { width: 2 }),
}

const SIZE_MIN = 1_024

/** Words 2s and 2s+1 are slot s: its row and the hash of its key. Twice its rows must fit. */
export function rowSlots(slots: Uint32Array) {
  const max = slots.length / 2 - 1
  /** Slots in use, and rows in them; 0 slots in memory that is still clear: the least. */
  const atSize = max * 2
  const atCount = atSize + 1
  const sizeOf = (): number => slots[atSize] || Math.min(max, SIZE_MIN)

  const step = (slot: number, size: number): number => (slot + 1 === size ? 0 : slot + 1)
  /** Steps from the slot a hash belongs to until another one. */
  const distance = (slot: number, key: number, size: number): number => {
    const steps = slot - (key % size)
    return steps < 0 ? steps + size : steps
  }
  const enter = (key: number, row: number): void => {
    const size = sizeOf()
    let slot = key % size
    while (slots[slot * 2] !== 0) slot = step(slot, size)
    slots[slot * 2] = row
    slots[slot * 2 + 1] = key
  }
  const grow = (): void => {
    const before = slots.slice(0, sizeOf() * 2)
    slots.fill(0, 0, before.length)
    slots[atSize] = Math.min(max, before.length)
    for (let i = 0; i < before.length; i += 2) if (before[i] !== 0) enter(before[i + 1], before[i])
  }

  return {
    after: (slot: number): number => step(slot, sizeOf()),
    /** Where a search begins; it ends at the first slot without a row. */
    start: (key: number): number => key % sizeOf(),

    put(key: number, row: number): void {
      slots[atCount]++
      if (slots[atCount] * 2 > sizeOf()) grow()
      assert(slots[atCount] * 2 <= max, 'an index of rows is full')
      enter(key, row)
    },

    remove(key: number, row: number): void {
      const size = sizeOf()
      let slot = key % size
      while (slots[slot * 2] !== row) {
        if (slots[slot * 2] === 0) assert(false, `row ${row} is not in the index`)
        slot = step(slot, size)
      }
      // What stands behind moves up, so that no search ends too early.
      for (let from = step(slot, size); slots[from * 2] !== 0; from = step(from, size)) {
        const key = slots[from * 2 + 1]
        if (distance(from, key, size) < distance(from, slot, size)) continue
        slots[slot * 2] = slots[from * 2]
        slots[slot * 2 + 1] = key
        slot = from
      }
      slots[slot * 2] = 0
      slots[slot * 2 + 1] = 0
      slots[atCount]--
    },

    clear(): void {
      slots.fill(0, 0, sizeOf() * 2)
      slots[atSize] = 0
      slots[atCount] = 0
    },
  }
}
