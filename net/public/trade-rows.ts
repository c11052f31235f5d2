/** Bodies of past trade: fills without names of players, and prices by day. Source: WEB 1.3. */
import type { ArchivedFill } from '../../core/archive-calls.ts'
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { fail } from '../../core/errors.ts'
import {
  type FillStatsBody,
  type FillsBody,
  fillStatsBody,
  fillsBody,
  type TopFillsBody,
  topFillsBody,
  type VwapHistoryBody,
  vwapHistoryBody,
} from '../../core/public/past.ts'
import { isoTime } from '../../core/time.ts'
import { DAY_MS, HOUR_MS, readPast, tickBefore } from './past.ts'
import type { PublicContext, PublicRow, QueryParam } from './row.ts'
import { docOf, type PublicState } from './state.ts'

const nameOfItem = (id: string): string => GOODS[itemIndex(id)]?.name ?? id

/** Returns the names of stations by id; a station that no longer exists is named by its id. */
const stationNames = (state: PublicState, bases: readonly string[]): Map<string, string> =>
  new Map([...new Set(bases)].map((base) => [base, docOf(state, 'stations', base)?.name ?? base]))

function renderFill(fill: ArchivedFill, names: ReadonlyMap<string, string>) {
  const { tick, n, item, base, bought, byStation, fromStation, units, credits, atMs } = fill
  const station = names.get(base) ?? base
  return {
    id: `${tick}-${n}`,
    timestamp: isoTime(atMs),
    item_id: item,
    item_name: nameOfItem(item),
    station_id: base,
    station_name: station,
    quantity: units,
    price_each: Math.floor(credits / units),
    total: credits,
    buyer_name: byStation ? station : '',
    seller_name: fromStation ? station : '',
    is_npc: byStation || fromStation,
    order_type: bought ? 'buy' : 'sell',
  }
}

/** Returns the first tick of the requested hours. */
const sinceOf = ({ tick }: PublicState, { query, about }: PublicContext): number =>
  tickBefore(tick, Number(query.hours) * HOUR_MS, about.tickMs)

function listFills(state: PublicState, context: PublicContext) {
  const { item, station, limit, hours } = context.query
  const args = {
    tick: state.tick,
    since: sinceOf(state, context),
    limit: Number(limit),
    // By wall time too: ticks may have lasted longer than tickMs.
    sinceMs: state.wallMs - Number(hours) * HOUR_MS,
    ...(item === '' ? {} : { item: String(item) }),
    ...(station === '' ? {} : { base: String(station) }),
  }
  return readPast<{ fills: ArchivedFill[] }>(
    context,
    { method: 'publicFills', args },
    ({ fills }): FillsBody => {
      const names = stationNames(
        state,
        fills.map(({ base }) => base),
      )
      return { fills: fills.map((fill) => renderFill(fill, names)) }
    },
  )
}

interface TopItem {
  readonly item: string
  readonly trades: number
  readonly units: number
  readonly vwap: number
}

function topFills(state: PublicState, context: PublicContext) {
  const limit = Number(context.query.limit)
  const args = { tick: state.tick, since: sinceOf(state, context), limit }
  return readPast<{ items: TopItem[] }>(
    context,
    { method: 'topFills', args },
    ({ items }): TopFillsBody => ({
      items: items.map(({ item, trades, units, vwap }) => ({
        item_id: item,
        item_name: nameOfItem(item),
        trade_count: trades,
        volume: units,
        vwap,
      })),
    }),
  )
}

interface FillSums {
  readonly trades: number
  readonly units: number
  readonly npcTrades: number
  readonly npcUnits: number
}

function sumFills(state: PublicState, context: PublicContext) {
  const args = { tick: state.tick, since: sinceOf(state, context) }
  return readPast<FillSums>(
    context,
    { method: 'fillStats', args },
    ({ trades, units, npcTrades, npcUnits }): FillStatsBody => ({
      total_count: trades,
      total_volume: units,
      npc_fill_count: npcTrades,
      npc_fill_volume: npcUnits,
      player_fill_count: trades - npcTrades,
      player_fill_volume: units - npcUnits,
    }),
  )
}

/** Days for which sums per day may not be stored yet. */
const UNSUMMED_DAYS = 3

function priceHistory(state: PublicState, context: PublicContext) {
  const id = context.params.item_id
  if (itemIndex(id) < 0) return fail('not_found')
  const { days, station } = context.query
  const { tick, wallMs: atMs } = state
  const args = {
    tick,
    atMs,
    item: id,
    since: tickBefore(tick, UNSUMMED_DAYS * DAY_MS, context.about.tickMs),
    ...(station === '' ? {} : { base: String(station) }),
    ...(days === 0 ? {} : { days: Number(days) }),
  }
  return readPast<{ history: VwapHistoryBody['history'] }>(
    context,
    { method: 'priceHistory', args },
    ({ history }): VwapHistoryBody => ({ item_id: id, item_name: nameOfItem(id), history }),
  )
}

const stationParam: QueryParam = {
  name: 'station',
  about: 'Id of a station: only what traded there.',
  kind: 'text',
  max: 64,
}
const hoursParam: QueryParam = {
  name: 'hours',
  about: 'Hours back from the public tick.',
  kind: 'int',
  min: 1,
  max: 168,
  fallback: 24,
}
const wholeHoursParam: QueryParam = {
  ...hoursParam,
  about: 'Hours back from the public tick; the first of them counts in full.',
}
const limitParam = (max: number, fallback: number): QueryParam => ({
  name: 'limit',
  about: 'Maximum number of rows.',
  kind: 'int',
  min: 1,
  max,
  fallback,
})

export const TRADE_ROWS: readonly PublicRow[] = [
  {
    path: '/api/market/vwap-history/:item_id',
    operationId: 'getPriceHistory',
    about: 'the price of an item by day: volume-weighted average, units, credits, trades',
    param: { name: 'item_id', about: 'Id of an item of the catalogue.', example: 'iron_ore' },
    query: [
      {
        name: 'days',
        about: 'Days back; 0: all.',
        kind: 'int',
        min: 0,
        max: 365,
        fallback: 30,
      },
      stationParam,
    ],
    cache: 'M',
    bucket: 'public',
    schema: vwapHistoryBody,
    source: 'archive',
    body: priceHistory,
  },
  {
    path: '/api/market/fills',
    operationId: 'getFills',
    about: 'trades of the last hours, the latest first; players are not named',
    query: [
      hoursParam,
      limitParam(200, 50),
      { name: 'item', about: 'Id of an item: only its trades.', kind: 'text', max: 64 },
      stationParam,
    ],
    cache: 'T',
    bucket: 'public',
    schema: fillsBody,
    source: 'archive',
    body: listFills,
  },
  {
    path: '/api/market/fills/top',
    operationId: 'getTopFills',
    about: 'the items traded most often in the last hours',
    query: [wholeHoursParam, limitParam(50, 10)],
    cache: 'M',
    bucket: 'public',
    schema: topFillsBody,
    source: 'archive',
    body: topFills,
  },
  {
    path: '/api/market/fills/stats',
    operationId: 'getFillStats',
    about: 'how much was traded in the last hours, with stations and among players',
    query: [wholeHoursParam],
    cache: 'M',
    bucket: 'public',
    schema: fillStatsBody,
    source: 'archive',
    body: sumFills,
  },
]
