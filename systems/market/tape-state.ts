/** The tape: what traded in a tick, as everybody may read it. */
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import type { Side } from './state.ts'

/** Trades of a tick that everybody reads as one. */
export interface TapeEntry {
  readonly book: Row
  /** Of the order that took what another offered. */
  readonly side: Side
  readonly isBoughtByStation: boolean
  readonly isSoldByStation: boolean
  units: number
  credits: number
  trades: number
}

/** By book, side, who of them is the station, and price. Empty between batches. */
export const TAPE = defineIndex('market.tape', () => new Map<string, TapeEntry>())
