/** Bodies of the market: public order books, by price only. Source: WEB 1.2. */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { fail, ok } from '../../core/errors.ts'
import type { StationEntry } from '../../core/public/frame.ts'
import {
  type DepthBody,
  depthBody,
  type ItemMarketBody,
  itemMarketBody,
  type MoversBody,
  marketBody,
  moversBody,
  type StationMarketBody,
  stationMarketBody,
} from '../../core/public/world.ts'
import { isoTime } from '../../core/time.ts'
import {
  addBook,
  categoriesOf,
  categoryOf,
  compare,
  marketText,
  noSums,
  openBooks,
  priceOf,
  renderQuote,
  spreadOf,
} from './quotes.ts'
import type { PublicRow } from './row.ts'
import { bookKey, docOf, type PublicBook, type PublicState } from './state.ts'
import { noteOf } from './system-rows.ts'

const itemFields = (item: number) => ({
  item_id: GOODS[item].id,
  item_name: GOODS[item].name,
  category: categoryOf(item),
})

function renderStationMarket(state: PublicState, station: StationEntry): StationMarketBody {
  const books = openBooks(state, state.booksAt.get(station.id))
  books.sort((a, b) => a.item - b.item)
  const items = books.map((book) => renderQuote(addBook(noSums(book.item), book)))
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
  const stations = openBooks(state, state.booksOf.get(item)).flatMap((book) => {
    const station = docOf(state, 'stations', book.base)
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
    about: 'best prices and quantities, by item and empire',
    cache: 'T',
    bucket: 'page',
    schema: marketBody,
    source: 'frame',
    reads: ['books', 'stations'],
    text: marketText,
    body: (state) => ok(JSON.parse(marketText(state))),
  },
  {
    path: '/api/market/movers',
    operationId: 'getMarketMovers',
    about: 'items whose trade volume or price has moved',
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
    about: 'best prices and quantities of items at a station',
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
    about: 'bids and asks for an item at a station, by price',
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
    about: 'best prices of an item at every station that trades it',
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
