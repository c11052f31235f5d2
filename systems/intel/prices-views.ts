/** Prices that factions know: notes, and the live order books at their own facilities. */
import type { Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { lacksMarket } from '../market/model.ts'
import type { ItemQuote } from '../market/schemas.ts'
import { quotesOfSight, snapshotExchange } from '../market/sight-model.ts'
import { liveBases, priceNoteOf } from './model.ts'
import { PriceNote } from './state.ts'

/** Prices of a base that a faction knows: a note, or the live order books. */
export interface KnownPrices {
  readonly base: Row
  /** Row of the note; 0 for the live books. */
  readonly note: Row
}

/** Returns all prices that a faction knows, in the order of the bases. */
export function knownPrices(view: WorldView, faction: Row): KnownPrices[] {
  const live = new Set(liveBases(view, faction, 'faction_trade_intel'))
  const entries: KnownPrices[] = []
  const { alive } = view.read(Base)
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (alive[base] === 0) continue
    const note = priceNoteOf(view, faction, base)
    if (live.has(base) && !lacksMarket(view, base)) entries.push({ base, note: 0 })
    else if (note !== 0) entries.push({ base, note })
  }
  return entries
}

/** Returns the quotes of an entry. */
export const knownItems = (view: WorldView, { base, note }: KnownPrices): readonly ItemQuote[] =>
  note === 0
    ? snapshotExchange(view, base).items
    : quotesOfSight(view, view.read(PriceNote).sight[note])
