/** Lookups of deposits: which are at a place, and how much is left in them. */
import { divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Poi } from '../travel/state.ts'
import { depositState, remainingAt } from './kernels.ts'
import { Deposit } from './state.ts'

/** Returns the depletion in percent with one decimal; 0 means full. */
export function depletionPercent(remaining: number, max: number): number {
  return max === 0 ? 0 : divFloor((max - remaining) * 1000, max) / 10
}

/** Returns the text of an amount for the wire; -1 means unlimited. */
export function remainingDisplay(remaining: number): string {
  if (remaining < 0) return 'unlimited'
  return remaining === 0 ? 'depleted' : counted(remaining, 'unit')
}

/** Returns the deposits of a place, in the order in which they were made. */
export function depositsOf(view: WorldView, poi: Eid): Row[] {
  const { firstDeposit, depositCount } = view.read(Poi)
  return Array.from({ length: depositCount[poi] }, (_, i) => firstDeposit[poi] + i)
}

/** Returns the units in a deposit now; -1 means unlimited. */
export function unitsRemaining(view: WorldView, row: Row): number {
  const columns = view.read(Deposit)
  if (columns.unlimited[row] === 1) return -1
  return remainingAt(depositState(columns, row), view.tick)
}
