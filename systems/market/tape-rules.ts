/**
 * Writing the tape of trades and taking it for the archive. Parties are not named; a trade only
 * shows whether the station was one. Trades of related parties are left out, as in average prices.
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

/** Adds trades to the entry of a key. */
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

/** Records a trade in a public book, unless strangers may not know of it. */
export function recordOnTape(world: World, trade: Trade, price: number): void {
  if (trade.credits > NOTIONAL_MAX || !isTradedOnChart(world, trade.book)) return
  addTo(world.index(TAPE), `${kindOf(trade)}/${price}`, trade, 1)
}

/** Merges entries that differ only in price. */
function mergeByBook(entries: readonly TapeEntry[]): TapeEntry[] {
  const merged = new Map<string, TapeEntry>()
  for (const entry of entries) addTo(merged, kindOf(entry), entry, entry.trades)
  return [...merged.values()]
}

/** Returns the entries with the largest value, in their original order. */
function largest(entries: TapeEntry[], max: number): TapeEntry[] {
  if (entries.length <= max) return entries
  const indexes = entries.map((_, index) => index)
  indexes.sort((a, b) => entries[b].credits - entries[a].credits || a - b)
  return indexes
    .slice(0, max)
    .sort((a, b) => a - b)
    .map((index) => entries[index])
}

/** Takes the trades of the tick, in their order, and clears the tape. */
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
