/**
 * Memory that the worlds of tests lie on, one after the other. A world touches some 20 MiB, and to
 * have the system map that anew for each test takes several times as long as to load the world.
 */
import { columnsOf } from '../core/columns.ts'
import type { World } from '../core/types.ts'

const FREE_MAX = 6
/** All zero, but for rows that kernels fill before anything reads them. */
const free: SharedArrayBuffer[] = []

/** Returns memory for a world: that of one which has ended where there is some of this size. */
export function worldMemory(bytes: number): SharedArrayBuffer {
  const place = free.findIndex(({ byteLength }) => byteLength === bytes)
  return place < 0 ? new SharedArrayBuffer(bytes) : free.splice(place, 1)[0]
}

/** Ends a world that nothing uses any more, threads included: what still reads it, throws. */
export function endWorld({ stores, buffer }: World): void {
  for (const store of stores.values()) {
    for (const [name, { width }] of columnsOf(store.def)) {
      store.columns[name].fill(0, 0, (store.high + 1) * width)
    }
  }
  for (const store of stores.values()) {
    Object.defineProperty(store, 'columns', {
      get() {
        throw new Error('this world has ended with the test that made it')
      },
    })
  }
  free.push(buffer as SharedArrayBuffer)
  if (free.length > FREE_MAX) free.shift()
}
