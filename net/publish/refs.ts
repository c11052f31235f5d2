/**
 * Refs: unique numbers of commands. None is used twice in the life of a world, independent of
 * clocks: each process takes an incarnation from the database and counts within it, and takes
 * another before the count is exhausted. Source: SCALE 4.
 */
import { assert } from '../../core/assert.ts'
import { REFS_OF_INCARNATION } from '../../core/limits-cluster.ts'
import type { Log } from '../ports.ts'

/**
 * In the second half of its refs, a process tries to take a new incarnation once every `size /
 * PARTS` refs.
 */
const PARTS = 16

export interface Incarnations {
  /** The incarnation to start with. */
  readonly first: number
  /** Takes a later incarnation; rejects while the database is away. */
  take(): Promise<number>
}

export interface Refs {
  /** Returns a new ref, larger than all before it. */
  next(): number
  /** Returns true for a ref of this process. */
  isOwn(ref: number): boolean
}

/** Creates a source of refs. `size`: refs per incarnation (smaller in tests). */
export function createRefs(
  { first, take }: Incarnations,
  log: Pick<Log, 'warn'>,
  size = REFS_OF_INCARNATION,
): Refs {
  const taken = new Set([first])
  let base = first * size
  let count = 0
  let spare: number | undefined
  let isTaking = false
  const renew = (): void => {
    isTaking = true
    take()
      .then(
        (taken) => {
          spare = taken
        },
        (error: unknown) => log.warn({ err: error }, 'no new refs yet; they are asked for again'),
      )
      .finally(() => {
        isTaking = false
      })
  }
  return {
    next() {
      if (count + 1 === size) {
        assert(spare !== undefined, 'the refs have run out: the database gives no new ones')
        taken.add(spare)
        base = spare * size
        spare = undefined
        count = 0
      }
      count += 1
      const isDue = count >= size / 2 && count % (size / PARTS) === 0
      if (isDue && spare === undefined && !isTaking) renew()
      return base + count
    },
    isOwn: (ref) => taken.has(Math.floor(ref / size)),
  }
}
