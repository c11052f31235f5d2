/**
 * Writing the tape, and taking it for the archive. Parties are not named: a trade shows at most
 * that the station was one. Trades of related parties are left out, as they count in no average.
 * Source: WEB 1.3, market.md section 7.
 */
import type { ArchiveWriteArgs } from '../../core/archive-calls.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { FILL_ROWS_PER_TICK_MAX } from '../../core/limits.ts'
import { MAX_SAFE } from '../../core/math.ts'
import type { World } from '../../core/types.ts'
import { baseId } from '../base/model.ts'
import { NOTIONAL_MAX } from './rules.ts'
import { BID, Book } from './state.ts'
import { TAPE, type TapeEntry } from './tape-state.ts'
import { isTradedOnChart } from './vwap-model.ts'

type Trade = Omit<TapeEntry, 'trades'>

const kindOf = ({ book, side, isBoughtByStation, isSoldByStation }: Trade): string =>
  `${book}/${side}/${isBoughtByStation ? 1 : 0}/${isSoldByStation ? 1 : 0}`

/** Adds a trade, or several, to the entry of a key. */
function addTo(entries: Map<string, TapeEntry>, key: string, trade: Trade, trades: number): void {
  const entry = entries.get(key)
  if (!entry) {
    entries.set(key, { ...trade, trades })
    return
  }
  entry.units = Math.min(MAX_SAFE, entry.units + trade.units)
  entry.credits = Math.min(MAX_SAFE, entry.credits + trade.credits)
  entry.trades += trades
}

/** Records a trade in a book that is open to all; one at a place off the chart is left out. */
export function recordOnTape(world: World, trade: Trade, price: number): void {
  if (trade.credits > NOTIONAL_MAX || !isTradedOnChart(world, trade.book)) return
  addTo(world.index(TAPE), `${kindOf(trade)}/${price}`, trade, 1)
}

/** Merges entries that differ in price alone. */
function mergeByBook(entries: readonly TapeEntry[]): TapeEntry[] {
  const merged = new Map<string, TapeEntry>()
  for (const entry of entries) addTo(merged, kindOf(entry), entry, entry.trades)
  return [...merged.values()]
}

/** Keeps the entries of the larger trade, in their order. */
function largest(entries: TapeEntry[], max: number): TapeEntry[] {
  if (entries.length <= max) return entries
  const places = entries.map((_, place) => place)
  places.sort((a, b) => entries[b].credits - entries[a].credits || a - b)
  return places
    .slice(0, max)
    .sort((a, b) => a - b)
    .map((place) => entries[place])
}

/** Takes what the tick has traded, in its order, and empties the tape. */
export function takeTape(world: World): ArchiveWriteArgs['recordFills'] {
  const tape = world.index(TAPE)
  const all = [...tape.values()]
  tape.clear()
  const rows = all.length > FILL_ROWS_PER_TICK_MAX ? mergeByBook(all) : all
  const entries = largest(rows, FILL_ROWS_PER_TICK_MAX)
  const { base, item } = world.read(Book)
  return {
    bases: entries.map(({ book }) => baseId(world, base[book])),
    items: entries.map(({ book }) => GOODS[item[book]].id),
    bought: entries.map(({ side }) => side === BID),
    byStation: entries.map(({ isBoughtByStation }) => isBoughtByStation),
    fromStation: entries.map(({ isSoldByStation }) => isSoldByStation),
    units: entries.map(({ units }) => units),
    credits: entries.map(({ credits }) => credits),
    trades: entries.map(({ trades }) => trades),
  }
}
