/** Canned bodies of the exchange and of stations: prices around the base values of real items. */
import { ITEMS } from '../../core/catalog/items.ts'
import type {
  FillStatsBody,
  FillsBody,
  TopFillsBody,
  VwapHistoryBody,
} from '../../core/public/past.ts'
import type {
  DepthBody,
  ItemMarketBody,
  MarketBody,
  MoversBody,
  StationBody,
  StationMarketBody,
} from '../../core/public/world.ts'
import { draw, stations } from './galaxy-bodies.ts'

const EMPIRES = [
  { id: 'solarian', name: 'Solarian Confederacy' },
  { id: 'voidborn', name: 'Voidborn Collective' },
  { id: 'crimson', name: 'Crimson Pact' },
  { id: 'nebula', name: 'Nebula Trade Federation' },
  { id: 'outerrim', name: 'Outer Rim Explorers' },
]
const GOODS = ITEMS.filter(({ base_value }) => base_value > 1).slice(0, 180)
const CATEGORIES = [...new Set(GOODS.map(({ category }) => category))].sort()
/** The item that nobody trades. */
const QUIET = GOODS[2].id
/** The item that was traded on only three days. */
const THIN = GOODS[1].id

const goodOf = (id: string | undefined): number => GOODS.findIndex((good) => good.id === id)
const stationList = () => stations().stations.slice(0, 24)

/** Makes a quote of an item at a place, by number; some have only one side, some have none. */
function quoteOf(good: number, place: number, tick: number) {
  const { id, name, category, base_value } = GOODS[good]
  const sides = id === QUIET ? 0 : draw(8, good, place)
  const shift = draw(30, good, place, Math.floor(tick / 5)) - 15
  const bid = sides > 1 ? Math.max(1, Math.round((base_value * (85 + shift)) / 100)) : 0
  const ask = sides > 0 && sides < 7 ? Math.round((base_value * (112 + shift)) / 100) + 1 : 0
  const spread = bid > 0 && ask > 0 ? ask - bid : 0
  return {
    item_id: id,
    item_name: name,
    category,
    base_value,
    best_bid: bid,
    best_ask: ask,
    bid_quantity: bid > 0 ? 5 + draw(4_000, good, place, 1) : 0,
    ask_quantity: ask > 0 ? 5 + draw(9_000, good, place, 2) : 0,
    spread,
    spread_pct: spread > 0 ? Math.round((1_000 * spread) / ask) / 10 : 0,
  }
}

export const market = (tick: number): MarketBody => ({
  items: GOODS.flatMap((_, good) =>
    EMPIRES.map(({ id }, place) => ({ ...quoteOf(good, place, tick), empire: id })),
  ),
  categories: CATEGORIES,
  empires: EMPIRES,
})

export function stationMarket(tick: number, id: string): StationMarketBody | undefined {
  const place = stationList().findIndex((station) => station.id === id)
  const station = stationList()[place]
  if (!station) return undefined
  return {
    base_id: id,
    base_name: station.name,
    empire: station.empire,
    empire_name: station.empire_name,
    items: GOODS.map((_, good) => quoteOf(good, place, tick)),
    categories: CATEGORIES,
  }
}

export function itemMarket(tick: number, id: string): ItemMarketBody | undefined {
  const good = goodOf(id)
  if (good < 0) return undefined
  const { name, category, base_value } = GOODS[good]
  return {
    item_id: id,
    item_name: name,
    category,
    base_value,
    stations:
      id === QUIET
        ? []
        : stationList().map((station, place) => ({
            ...quoteOf(good, place, tick),
            base_id: station.id,
            base_name: station.name,
            system_id: station.system_id,
            empire: station.empire,
            vwap_24h: base_value * (0.9 + draw(20, good, place) / 100),
            volume_24h: draw(3_000, good, place, 5),
          })),
  }
}

function levels(best: number, step: -1 | 1, good: number) {
  let cumulative = 0
  if (best === 0) return []
  return Array.from({ length: 26 }, (_, index) => {
    const quantity = 4 + draw(60 + 30 * index, good, index, step + 2)
    cumulative += quantity
    const gap = Math.max(1, Math.round(best * 0.012))
    return { price: best + step * index * gap, quantity, cumulative }
  }).filter(({ price }) => price > 0)
}

export function depth(tick: number, base: string, item: string): DepthBody | undefined {
  const good = goodOf(item)
  const place = stationList().findIndex(({ id }) => id === base)
  if (good < 0 || place < 0) return undefined
  const { best_bid, best_ask } = quoteOf(good, place, tick)
  return {
    base_id: base,
    base_name: stationList()[place].name,
    item_id: item,
    item_name: GOODS[good].name,
    bids: levels(best_bid, -1, good),
    asks: levels(best_ask, 1, good),
  }
}

const DAY_MS = 86_400_000
const LAST_DAY = Date.parse('2026-11-20T00:00:00Z')

export function history(item: string, query: URLSearchParams): VwapHistoryBody | undefined {
  const good = goodOf(item)
  if (good < 0) return undefined
  const dayCount = Number(query.get('days') ?? 30) || 400
  const { name, base_value } = GOODS[good]
  const isTraded = (ago: number): boolean => {
    if (item === QUIET) return false
    return item === THIN ? ago % 11 === 3 && ago < 31 : draw(14, good, ago) > 0
  }
  const days = Array.from({ length: dayCount }, (_, index) => dayCount - 1 - index).filter(isTraded)
  return {
    item_id: item,
    item_name: name,
    history: days.map((ago) => {
      const wave = Math.sin(ago / 9) * 12 + Math.sin(ago / 31) * 15 + draw(8, good, ago)
      const vwap = Math.round(base_value * (100 + wave)) / 100
      const volume = 50 + draw(2_500, good, ago, 4)
      return {
        date: new Date(LAST_DAY - ago * DAY_MS).toISOString().slice(0, 10),
        vwap,
        volume,
        notional: Math.round(vwap * volume),
        fill_count: 1 + draw(60, good, ago, 6),
      }
    }),
  }
}

export function fills(tick: number, query: URLSearchParams): FillsBody {
  const wanted = query.get('item')
  if (wanted === QUIET) return { fills: [] }
  const limit = Math.min(200, Number(query.get('limit') ?? 50))
  return {
    fills: Array.from({ length: limit }, (_, index) => {
      const good = wanted ? Math.max(0, goodOf(wanted)) : draw(GOODS.length, index, 9)
      const station = stationList()[draw(24, index, 10)]
      const price = Math.max(1, Math.round((GOODS[good].base_value * (90 + draw(25, index))) / 100))
      const quantity = 1 + draw(200, index, 3)
      const isNpc = draw(3, index) === 0
      return {
        id: `fill-${tick - index}`,
        timestamp: new Date(Date.now() - index * 93_000).toISOString(),
        item_id: GOODS[good].id,
        item_name: GOODS[good].name,
        station_id: station.id,
        station_name: station.name,
        quantity,
        price_each: price,
        total: price * quantity,
        buyer_name: isNpc ? station.name : '',
        seller_name: '',
        is_npc: isNpc,
        order_type: index % 2 === 0 ? 'sell' : 'buy',
      }
    }),
  }
}

export const topFills = (): TopFillsBody => ({
  items: GOODS.slice(0, 20).map(({ id, name, base_value }, index) => ({
    item_id: id,
    item_name: name,
    trade_count: 400 - 17 * index,
    volume: 90_000 - 3_300 * index,
    vwap: base_value * 1.04,
  })),
})

export const fillStats = (): FillStatsBody => ({
  total_count: 5_214,
  total_volume: 918_200,
  npc_fill_count: 1_722,
  npc_fill_volume: 301_090,
  player_fill_count: 3_492,
  player_fill_volume: 617_110,
})

const mover = (good: number, pct: number) => ({
  item_id: GOODS[good].id,
  item_name: GOODS[good].name,
  category: GOODS[good].category,
  recent_units: 120 + draw(900, good),
  recent_volume: 120 + draw(900, good),
  surge_ratio: 1.5 + draw(70, good) / 10,
  recent_vwap: GOODS[good].base_value * (1 + pct / 100),
  previous_vwap: GOODS[good].base_value,
  price_change_pct: pct,
})

export function movers(): MoversBody {
  const places = stationList()
  return {
    generated_at: new Date(Date.now() - 40_000).toISOString(),
    recent_hours: 6,
    baseline_hours: 18,
    volume_surges: [4, 9, 14, 21, 28, 33].map((good) => mover(good, 2)),
    new_demand: [],
    price_gainers: [5, 17, 23, 40, 61].map((good, index) => mover(good, 31.4 - 5 * index)),
    price_losers: [6, 18, 24, 41].map((good, index) => mover(good, -24.2 + 4 * index)),
    arbitrage: [3, 8, 12, 27, 55, 70, 99].map((good, index) => {
      const { id, name, category, base_value } = GOODS[good]
      const margin = Math.max(1, Math.round(base_value * (0.4 - index * 0.04)))
      return {
        item_id: id,
        item_name: name,
        category,
        buy_base: places[index].id,
        buy_base_name: places[index].name,
        buy_empire: places[index].empire,
        buy_empire_name: places[index].empire_name,
        buy_price: base_value,
        sell_base: places[index + 8].id,
        sell_base_name: places[index + 8].name,
        sell_empire: places[index + 8].empire,
        sell_empire_name: places[index + 8].empire_name,
        sell_price: base_value + margin,
        margin,
        margin_pct: (100 * margin) / base_value,
        depth: 20 + draw(800, good),
      }
    }),
  }
}

const FACILITIES = [
  ['Smelter', 'production', 'Turns ore into ingots.'],
  ['Assembly hall', 'production', 'Builds modules of common size.'],
  ['Repair dock', 'service', 'Mends hulls that come in.'],
  ['Fuel depot', 'service', 'Sells fuel to whoever docks.'],
  ['Gun battery', 'defense', 'Keeps raiders at a distance.'],
  ['Market floor', 'trade', 'Where orders meet.'],
] as const

/** Makes the body of a station; the second station is wrecked. */
export function station(id: string): StationBody | undefined {
  const index = stationList().findIndex((entry) => entry.id === id)
  const found = stationList()[index]
  if (!found) return undefined
  const { facility_count: _, ...head } = found
  const wrecked = index === 1
  return {
    ...head,
    ...(wrecked ? { condition: 'wrecked', condition_text: 'A hull without air.', wrecked } : {}),
    hull: wrecked ? 0 : 42_000,
    max_hull: 60_000,
    shield: wrecked ? 0 : 18_500,
    max_shield: 20_000,
    armor: 45,
    weapon_reach: 3,
    public_access: true,
    facilities: FACILITIES.map(([name, category, description], place) => ({
      id: `facility-${place}`,
      name,
      description,
      active_description: description,
      category,
      level: 1 + (place % 3),
      service_type: 'none',
      empire: head.empire,
      lore: '',
      unique: place === 4,
      maintenance_satisfied: place !== 1,
      active: !wrecked && place !== 2,
    })),
  }
}

/** Ids that tests use. */
export const SAMPLE = {
  station: () => stationList()[0].id,
  wreck: () => stationList()[1].id,
  item: GOODS[0].id,
  thin: THIN,
  quiet: QUIET,
}
