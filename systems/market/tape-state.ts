/** The tape: the trades of a tick in the form in which everybody may read them. */
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import type { Side } from './state.ts'

/** Trades of a tick that are published as one. */
export interface TapeEntry {
  readonly book: Row
  /** Side of the taker. */
  readonly side: Side
  readonly isBoughtByStation: boolean
  readonly isSoldByStation: boolean
  units: number
  credits: number
  trades: number
}

/** Entries by book, side, which of the parties is the station, and price. Empty between batches. */
export const TAPE = defineIndex('market.tape', () => new Map<string, TapeEntry>())
