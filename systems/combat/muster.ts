/**
 * What the kernels of combat share: the members of the battle at hand, and what is known of each of
 * its sides.
 */
import { assert } from '../../core/assert.ts'
import type { KernelColumns } from '../../core/columns.ts'
import { Battle, Participant, SIDES_WIDTH } from './columns.ts'

export interface Muster {
  /** Rows of participants, ascending by seq; the first `gather` of them hold. */
  readonly rows: Uint32Array
  /** Reads the members of a battle; returns how many there are. */
  gather(battle: number): number
}

const MUSTERS = new WeakMap<KernelColumns, Muster>()

/** The one muster of all kernels of an isolate: they take turns. */
export function musterOf(columns: KernelColumns): Muster {
  const found = MUSTERS.get(columns) ?? createMuster(columns)
  MUSTERS.set(columns, found)
  return found
}

function createMuster(columns: KernelColumns): Muster {
  const { first, count } = columns.of(Battle)
  const { next, alive } = columns.of(Participant)
  const rows = new Uint32Array(alive.length)
  return {
    rows,
    gather(battle) {
      let n = 0
      for (let row = first[battle]; row !== 0; row = next[row]) rows[n++] = row
      assert(n === count[battle], 'the list of a battle has another length than its count')
      return n
    },
  }
}

/** For each side: the best of its enemies by a figure of each side. */
export interface Rivals {
  /** By side: the figure to be compared; set by the caller, `none` where there is nobody. */
  readonly own: Int32Array
  /** By side: the least figure of its enemies. */
  readonly least: Int32Array
  /** By side: the side that has it; 0 none. */
  readonly at: Uint8Array
  clear(battle: number): void
  compare(battle: number): void
}

export const NO_FIGURE = 0x7fffffff

/** Least figures over hostile sides. Equal ones go to the lower `tie`, which the caller sets. */
export function createRivals(columns: KernelColumns, tie?: Uint32Array): Rivals {
  const { sides, hostile } = columns.of(Battle)
  const own = new Int32Array(SIDES_WIDTH)
  const least = new Int32Array(SIDES_WIDTH)
  const at = new Uint8Array(SIDES_WIDTH)
  return {
    own,
    least,
    at,
    clear: (battle) => {
      own.fill(NO_FIGURE, 0, sides[battle] + 1)
    },
    compare(battle) {
      for (let side = 1; side <= sides[battle]; side++) {
        least[side] = NO_FIGURE
        at[side] = 0
        for (let bits = hostile[battle * SIDES_WIDTH + side]; bits !== 0; bits &= bits - 1) {
          const other = 32 - Math.clz32(bits & -bits)
          const isLess = own[other] < least[side]
          const isTied = own[other] === least[side] && tie !== undefined && at[side] !== 0
          if (isLess || (isTied && tie[other] < tie[at[side]])) {
            least[side] = own[other]
            at[side] = other
          }
        }
      }
    },
  }
}
