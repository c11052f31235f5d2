/**
 * Reuses the memory of worlds between tests. A world touches some 20 MiB, and mapping that anew for
 * each test takes several times as long as loading the world.
 */
import { columnsOf } from '../core/columns.ts'
import type { World } from '../core/types.ts'

const FREE_MAX = 6
/** Memory of ended worlds: zeroed, except for rows that kernels fill before anything reads them. */
const free: SharedArrayBuffer[] = []

/** Returns memory for a world, reused from an ended world of the same size where there is one. */
export function worldMemory(bytes: number): SharedArrayBuffer {
  const index = free.findIndex(({ byteLength }) => byteLength === bytes)
  return index < 0 ? new SharedArrayBuffer(bytes) : free.splice(index, 1)[0]
}

/** Ends a world that no thread uses any more; any later read of it throws. */
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
