/** Bodies of the exchanges: what public books hold, by price alone. Source: WEB 1.2. */
import { GOODS, isModule, itemIndex } from '../../core/catalog/index.ts'
import { fail, ok } from '../../core/errors.ts'
import type { StationEntry } from '../../core/public/frame.ts'
import {
  type DepthBody,
  depthBody,
  type ItemMarketBody,
  itemMarketBody,
  type MarketBody,
  type MoversBody,
  marketBody,
  moversBody,
  type StationMarketBody,
  stationMarketBody,
} from '../../core/public/world.ts'
import { isoTime } from '../../core/time.ts'
import type { PublicRow } from './row.ts'
import { bookKey, docOf, type PublicBook, type PublicState } from './state.ts'
import { noteOf } from './system-rows.ts'

const categoryOf = (item: number): string => {
  const good = GOODS[item]
  return isModule(good) ? 'module' : good.category
}

const itemFields = (item: number) => ({
  item_id: GOODS[item].id,
  item_name: GOODS[item].name,
  category: categoryOf(item),
})

const priceOf = ({ levels }: PublicBook['bid']): number => levels[0] ?? 0
const atBest = ({ levels }: PublicBook['bid']): number => levels[1] ?? 0

/** Two sides of one price: nothing where either is empty. */
function spreadOf(bid: number, ask: number) {
  const spread = bid === 0 || ask === 0 ? 0 : ask - bid
  const spread_pct = spread === 0 ? 0 : Math.round((10_000 * spread) / ask) / 100
  return { spread, spread_pct }
}

/** The best of some books of one item, as if they were one. */
function quoteOf(item: number, books: readonly PublicBook[]) {
  const bids = books.map(({ bid }) => bid)
  const asks = books.map(({ ask }) => ask)
  const sum = (sides: readonly PublicBook['bid'][], of: (side: PublicBook['bid']) => number) =>
    sides.reduce((total, side) => total + of(side), 0)
  const bestBid = Math.max(0, ...bids.map(priceOf))
  const offered = asks.map(priceOf).filter((price) => price > 0)
  const bestAsk = offered.length === 0 ? 0 : Math.min(...offered)
  const best = (price: number) => (side: PublicBook['bid']) =>
    price !== 0 && priceOf(side) === price ? atBest(side) : 0
  return {
    ...itemFields(item),
    base_value: GOODS[item].base_value,
    best_bid: bestBid,
    best_ask: bestAsk,
    bid_quantity: sum(bids, ({ quantity }) => quantity),
    ask_quantity: sum(asks, ({ quantity }) => quantity),
    ...spreadOf(bestBid, bestAsk),
    bid_quantity_at_best: sum(bids, best(bestBid)),
    bid_quantity_reasonable: sum(bids, ({ reasonable }) => reasonable),
    bid_quantity_station_mgr: sum(bids, ({ manager }) => manager),
    ask_quantity_at_best: sum(asks, best(bestAsk)),
    ask_quantity_reasonable: sum(asks, ({ reasonable }) => reasonable),
    ask_quantity_station_mgr: sum(asks, ({ manager }) => manager),
  }
}

const isEmpty = ({ bid, ask }: PublicBook): boolean => bid.quantity + ask.quantity === 0

const categoriesOf = (rows: readonly { readonly category: string }[]): string[] =>
  [...new Set(rows.map(({ category }) => category))].sort()

/** Books with some order, of stations that are told of. */
const openBooks = (state: PublicState): PublicBook[] =>
  [...state.books.values()].filter((book) => !isEmpty(book) && state.docs.stations.has(book.base))

function renderMarket(state: PublicState): MarketBody {
  const groups = new Map<string, PublicBook[]>()
  const empires = new Map<string, string>()
  const stations = new Map<string, StationEntry | undefined>()
  for (const book of openBooks(state)) {
    if (!stations.has(book.base)) stations.set(book.base, docOf(state, 'stations', book.base))
    const { empire = '', empire_name = '' } = stations.get(book.base) ?? {}
    empires.set(empire, empire_name)
    const key = `${book.item} ${empire}`
    groups.set(key, [...(groups.get(key) ?? []), book])
  }
  const rows = [...groups].map(([key, books]) => ({
    ...quoteOf(books[0].item, books),
    empire: key.slice(key.indexOf(' ') + 1),
  }))
  rows.sort((a, b) => itemIndex(a.item_id) - itemIndex(b.item_id) || compare(a.empire, b.empire))
  return {
    items: rows,
    categories: categoriesOf(rows),
    empires: [...empires].map(([id, name]) => ({ id, name })).sort((a, b) => compare(a.id, b.id)),
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function renderStationMarket(state: PublicState, station: StationEntry): StationMarketBody {
  const books = openBooks(state).filter(({ base }) => base === station.id)
  books.sort((a, b) => a.item - b.item)
  const items = books.map((book) => quoteOf(book.item, [book]))
  const { id, name, empire, empire_name } = station
  return {
    base_id: id,
    base_name: name,
    empire,
    empire_name,
    items,
    categories: categoriesOf(items),
  }
}

function renderLevels({ levels }: PublicBook['bid']): DepthBody['bids'] {
  const rows: DepthBody['bids'] = []
  let cumulative = 0
  for (let i = 0; i < levels.length; i += 2) {
    cumulative += levels[i + 1]
    rows.push({ price: levels[i], quantity: levels[i + 1], cumulative })
  }
  return rows
}

function renderItem(state: PublicState, item: number): ItemMarketBody {
  const stations = openBooks(state).flatMap((book) => {
    const station = book.item === item ? docOf(state, 'stations', book.base) : undefined
    if (!station) return []
    const [best_bid, best_ask] = [priceOf(book.bid), priceOf(book.ask)]
    return [
      {
        base_id: station.id,
        base_name: station.name,
        system_id: station.system_id,
        empire: station.empire,
        best_bid,
        best_ask,
        bid_quantity: book.bid.quantity,
        ask_quantity: book.ask.quantity,
        ...spreadOf(best_bid, best_ask),
        vwap_24h: book.vwap,
        volume_24h: book.volume,
      },
    ]
  })
  stations.sort((a, b) => compare(a.base_id, b.base_id))
  return { ...itemFields(item), base_value: GOODS[item].base_value, stations }
}

const noMovers = ({ wallMs }: PublicState): MoversBody => ({
  generated_at: isoTime(wallMs),
  recent_hours: 6,
  baseline_hours: 18,
  volume_surges: [],
  new_demand: [],
  price_gainers: [],
  price_losers: [],
  arbitrage: [],
})

const STATION = { name: 'station_id', about: 'Id of a station.', example: 'sol_station' }
const ITEM = { name: 'item_id', about: 'Id of an item of the catalogue.', example: 'iron_ore' }

export const MARKET_ROWS: readonly PublicRow[] = [
  {
    path: '/api/market',
    operationId: 'getMarket',
    about: 'what items cost and fetch, by item and empire',
    cache: 'T',
    bucket: 'page',
    schema: marketBody,
    source: 'frame',
    reads: ['books', 'stations'],
    body: (state) => ok(renderMarket(state)),
  },
  {
    path: '/api/market/movers',
    operationId: 'getMarketMovers',
    about: 'what trades more, or at other prices, than it did',
    cache: 'M',
    bucket: 'page',
    schema: moversBody,
    source: 'frame',
    reads: ['world'],
    body: (state) => ok(noteOf(state, 'movers') ?? noMovers(state)),
  },
  {
    path: '/api/market/station/:station_id',
    operationId: 'getStationMarket',
    about: 'what items cost and fetch at a station',
    param: STATION,
    cache: 'T',
    bucket: 'page',
    schema: stationMarketBody,
    source: 'frame',
    reads: ['books', 'stations'],
    body(state, { params }) {
      const station = docOf(state, 'stations', params.station_id)
      return station ? ok(renderStationMarket(state, station)) : fail('not_found')
    },
  },
  {
    path: '/api/market/depth/:station_id/:item_id',
    operationId: 'getMarketDepth',
    about: 'what is bid and asked for an item at a station, by price',
    param: [STATION, ITEM],
    cache: 'T',
    bucket: 'page',
    schema: depthBody,
    source: 'frame',
    reads: ['books', 'stations'],
    body(state, { params }) {
      const station = docOf(state, 'stations', params.station_id)
      const item = itemIndex(params.item_id)
      if (!station || item < 0) return fail('not_found')
      const book = state.books.get(bookKey(station.id, item))
      const { item_id, item_name } = itemFields(item)
      const body: DepthBody = {
        base_id: station.id,
        base_name: station.name,
        item_id,
        item_name,
        bids: book ? renderLevels(book.bid) : [],
        asks: book ? renderLevels(book.ask) : [],
      }
      return ok(body)
    },
  },
  {
    path: '/api/market/item/:item_id',
    operationId: 'getItemQuotes',
    about: 'what an item costs and fetches at every station that trades it',
    param: ITEM,
    cache: 'T',
    bucket: 'page',
    schema: itemMarketBody,
    source: 'frame',
    reads: ['books', 'stations'],
    body(state, { params }) {
      const item = itemIndex(params.item_id)
      return item < 0 ? fail('not_found') : ok(renderItem(state, item))
    },
  },
]
