/** Kernels for the test of the parallel section. */
import { isMainThread } from 'node:worker_threads'
import { defineEntity, u32 } from '../../../core/columns.ts'
import { hash32 } from '../../../core/rng.ts'
import { type Kernel, kernel } from '../../../core/system.ts'

export const Job = defineEntity('job', 1_000_000, { result: u32('what the kernel made of it') })
export const file = import.meta.url

/** Work on a row: long enough for kernel threads to get some of the rows. */
const ROW_MS = 2

const work = (isFailing: (row: number) => boolean): Kernel =>
  kernel((columns) => {
    const { result } = columns.of(Job)
    return (rows, from, to, { seed, tick }) => {
      for (let i = from; i < to; i++) {
        const until = performance.now() + ROW_MS
        while (performance.now() < until);
        if (isFailing(rows[i])) throw new Error('a bug of a kernel')
        result[rows[i]] = hash32(seed, tick, rows[i])
      }
    }
  })

export const sound = work(() => false)
export const throwing = work(() => !isMainThread)
export const exiting = work(() => {
  if (!isMainThread) process.exit(3)
  return false
})

/** Counts its runs, so fast that most threads find no work left. */
export const quick = kernel((columns) => {
  const { result } = columns.of(Job)
  return (rows, from, to) => {
    for (let i = from; i < to; i++) result[rows[i]] += 1
  }
})
