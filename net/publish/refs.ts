/**
 * Refs: the numbers of commands. None is given twice in the life of a world, whatever the clocks of
 * its processes say: each process takes an incarnation from the database and counts within it, and
 * takes another before the count has run out. Source: SCALE 4.
 */
import { assert } from '../../core/assert.ts'
import { REFS_OF_INCARNATION } from '../../core/limits-cluster.ts'
import type { Log } from '../ports.ts'

/** In the second half of its refs, a process asks for more after each such part of them. */
const PARTS = 16

export interface Incarnations {
  /** The one to begin with. */
  readonly first: number
  /** Takes a later one; rejects while the database is away. */
  take(): Promise<number>
}

export interface Refs {
  /** Returns a new ref, larger than all before it. */
  next(): number
  /** Returns true of a ref of this process. */
  isOwn(ref: number): boolean
}

/** Makes a source of refs; `size`: refs of one incarnation (tests take fewer). */
export function createRefs(
  { first, take }: Incarnations,
  log: Pick<Log, 'warn'>,
  size = REFS_OF_INCARNATION,
): Refs {
  const taken = new Set([first])
  let base = first * size
  let count = 0
  let spare: number | undefined
  const renew = (): void => {
    take().then(
      (taken) => {
        spare ??= taken
      },
      (error: unknown) => log.warn({ err: error }, 'no new refs yet; they are asked for again'),
    )
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
      if (isDue && spare === undefined) renew()
      return base + count
    },
    isOwn: (ref) => taken.has(Math.floor(ref / size)),
  }
}
