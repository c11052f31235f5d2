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

/** A side of some books of one item, as if they were one. */
interface SideSums {
  price: number
  atBest: number
  quantity: number
  reasonable: number
  manager: number
}

interface Sums {
  readonly item: number
  readonly bid: SideSums
  readonly ask: SideSums
}

const noSide = (): SideSums => ({ price: 0, atBest: 0, quantity: 0, reasonable: 0, manager: 0 })
const noSums = (item: number): Sums => ({ item, bid: noSide(), ask: noSide() })

/** Adds a side of a book; `sign` is 1 where the higher price is the better one, else -1. */
function addSide(sums: SideSums, side: PublicBook['bid'], sign: 1 | -1): void {
  sums.quantity += side.quantity
  sums.reasonable += side.reasonable
  sums.manager += side.manager
  const price = priceOf(side)
  if (price === 0) return
  if (sums.price === 0 || (price - sums.price) * sign > 0) {
    sums.price = price
    sums.atBest = 0
  }
  if (price === sums.price) sums.atBest += atBest(side)
}

function addBook(sums: Sums, { bid, ask }: PublicBook): Sums {
  addSide(sums.bid, bid, 1)
  addSide(sums.ask, ask, -1)
  return sums
}

/** By index of the item. */
const CATEGORIES = GOODS.map((_, item) => categoryOf(item))

/** Returns the row of some books. There are thousands in a body: nothing is spread into them. */
function renderQuote({ item, bid, ask }: Sums) {
  const { id, name, base_value } = GOODS[item]
  const { spread, spread_pct } = spreadOf(bid.price, ask.price)
  return {
    item_id: id,
    item_name: name,
    category: CATEGORIES[item],
    base_value,
    best_bid: bid.price,
    best_ask: ask.price,
    bid_quantity: bid.quantity,
    ask_quantity: ask.quantity,
    spread,
    spread_pct,
    bid_quantity_at_best: bid.atBest,
    bid_quantity_reasonable: bid.reasonable,
    bid_quantity_station_mgr: bid.manager,
    ask_quantity_at_best: ask.atBest,
    ask_quantity_reasonable: ask.reasonable,
    ask_quantity_station_mgr: ask.manager,
  }
}

const isEmpty = ({ bid, ask }: PublicBook): boolean => bid.quantity + ask.quantity === 0

const categoriesOf = (rows: readonly { readonly category: string }[]): string[] =>
  [...new Set(rows.map(({ category }) => category))].sort()

/** Those of some books that have an order, of stations that are told of. */
const openBooks = (
  state: PublicState,
  books: ReadonlyMap<string, PublicBook> | undefined,
): PublicBook[] =>
  [...(books?.values() ?? [])].filter(
    (book) => !isEmpty(book) && state.docs.stations.has(book.base),
  )

function renderMarket(state: PublicState): MarketBody {
  const groups = new Map<string, Map<number, Sums>>()
  const names = new Map<string, string>()
  const empireOf = new Map<string, string>()
  for (const book of openBooks(state, state.books)) {
    let empire = empireOf.get(book.base)
    if (empire === undefined) {
      const station = docOf(state, 'stations', book.base)
      empire = station?.empire ?? ''
      empireOf.set(book.base, empire)
      names.set(empire, station?.empire_name ?? '')
    }
    const sums = groups.get(empire) ?? new Map<number, Sums>()
    groups.set(empire, sums)
    sums.set(book.item, addBook(sums.get(book.item) ?? noSums(book.item), book))
  }
  const rows = [...groups].flatMap(([empire, sums]) =>
    [...sums.values()].map((one) => ({
      item: one.item,
      row: Object.assign(renderQuote(one), { empire }),
    })),
  )
  rows.sort((a, b) => a.item - b.item || compare(a.row.empire, b.row.empire))
  const items = rows.map(({ row }) => row)
  return {
    items,
    categories: categoriesOf(items),
    empires: [...names].map(([id, name]) => ({ id, name })).sort((a, b) => compare(a.id, b.id)),
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

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
