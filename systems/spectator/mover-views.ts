/** Movers: goods that trade more or at other prices than before, by the hours of public books. */
import { EMPIRES, GOODS } from '../../core/catalog/index.ts'
import { PUBLIC_MOVERS_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { MoversBody } from '../../core/public/world.ts'
import { HOUR_TICKS, isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId, baseName, empireOfBase } from '../base/model.ts'
import { bestLevel } from '../market/book-model.ts'
import { categoryOf } from '../market/model.ts'
import { ASK, BID, Book, Level, TRADED_HOURS } from '../market/state.ts'
import { hourlyVolume } from '../market/vwap-model.ts'
import { isShownBook, shownMarkets } from './book-views.ts'

const RECENT_HOURS = 6
const BOOKS_PER_STEP = 128

type Mover = MoversBody['price_gainers'][number]
type Arbitrage = MoversBody['arbitrage'][number]

/** Units and credits of an item in the recent hours, and in those before. */
interface Traded {
  recentUnits: number
  recentCredits: number
  earlierUnits: number
  earlierCredits: number
}

interface Offer {
  readonly base: Eid
  readonly price: number
  readonly units: number
}

interface Gathered {
  readonly traded: Map<number, Traded>
  readonly cheapest: Map<number, Offer>
  readonly dearest: Map<number, Offer>
}

/** Returns a ratio with two decimals. */
const ratio = (over: number, under: number): number =>
  under === 0 ? 0 : divFloor(Math.round(over * 100), under) / 100

const average = (credits: number, units: number): number => ratio(credits, units)

function addTrade(view: WorldView, { traded }: Gathered, book: Row): void {
  const { item } = view.read(Book)
  const day = hourlyVolume(view, book, TRADED_HOURS)
  if (day.units === 0) return
  const recent = hourlyVolume(view, book, RECENT_HOURS)
  const sums = traded.get(item[book]) ?? {
    recentUnits: 0,
    recentCredits: 0,
    earlierUnits: 0,
    earlierCredits: 0,
  }
  sums.recentUnits += recent.units
  sums.recentCredits += recent.credits
  sums.earlierUnits += day.units - recent.units
  sums.earlierCredits += day.credits - recent.credits
  traded.set(item[book], sums)
}

function addOffers(view: WorldView, { cheapest, dearest }: Gathered, book: Row): void {
  const { base, item } = view.read(Book)
  const { price, units, stationUnits } = view.read(Level)
  const offerOf = (level: Row): Offer => ({
    base: base[book],
    price: price[level],
    units: units[level] + stationUnits[level],
  })
  const [ask, bid] = [bestLevel(view, book, ASK), bestLevel(view, book, BID)]
  if (ask !== 0 && price[ask] < (cheapest.get(item[book])?.price ?? Number.MAX_SAFE_INTEGER))
    cheapest.set(item[book], offerOf(ask))
  if (bid !== 0 && price[bid] > (dearest.get(item[book])?.price ?? 0))
    dearest.set(item[book], offerOf(bid))
}

const itemFields = (item: number) => ({
  item_id: GOODS[item].id,
  item_name: GOODS[item].name,
  category: categoryOf(item),
})

function moverOf([item, sums]: readonly [number, Traded]): Mover {
  const { recentUnits, recentCredits, earlierUnits, earlierCredits } = sums
  const recent_vwap = average(recentCredits, recentUnits)
  const previous_vwap = average(earlierCredits, earlierUnits)
  const earlierHours = TRADED_HOURS - RECENT_HOURS
  return {
    ...itemFields(item),
    recent_units: recentUnits,
    recent_volume: recentCredits,
    surge_ratio: ratio(recentCredits * earlierHours, earlierCredits * RECENT_HOURS),
    recent_vwap,
    previous_vwap,
    price_change_pct:
      recent_vwap === 0 ? 0 : ratio((recent_vwap - previous_vwap) * 100, previous_vwap),
  }
}

const empireFields = <S extends 'buy' | 'sell'>(view: WorldView, side: S, base: Eid) => {
  const empire = EMPIRES[empireOfBase(view, base)]
  return {
    [`${side}_base`]: baseId(view, base),
    [`${side}_base_name`]: baseName(view, base),
    [`${side}_empire`]: empire?.id ?? '',
    [`${side}_empire_name`]: empire?.name ?? '',
  }
}

function findArbitrage(view: WorldView, { cheapest, dearest }: Gathered): Arbitrage[] {
  const found: Arbitrage[] = []
  for (const [item, buy] of cheapest) {
    const sell = dearest.get(item)
    if (!sell || sell.price <= buy.price || sell.base === buy.base) continue
    const margin = sell.price - buy.price
    found.push({
      ...itemFields(item),
      ...empireFields(view, 'buy', buy.base),
      ...empireFields(view, 'sell', sell.base),
      buy_price: buy.price,
      sell_price: sell.price,
      margin,
      margin_pct: ratio(margin * 100, buy.price),
      depth: Math.min(buy.units, sell.units),
    } as Arbitrage)
  }
  return topBy(found, ({ margin_pct }) => margin_pct)
}

/**
 * Returns the rows with the highest figures above 0; rows of the same figure are in the order of
 * their items.
 */
function topBy<T extends { readonly item_id: string }>(
  rows: readonly T[],
  figureOf: (row: T) => number,
): T[] {
  const compare = (a: T, b: T) => figureOf(b) - figureOf(a) || (a.item_id < b.item_id ? -1 : 1)
  return rows
    .filter((row) => figureOf(row) > 0)
    .sort(compare)
    .slice(0, PUBLIC_MOVERS_MAX)
}

/** Gathers trades and offers of all public books; yields between steps. */
export function* renderMovers(view: WorldView): Generator<void, MoversBody> {
  const gathered: Gathered = { traded: new Map(), cheapest: new Map(), dearest: new Map() }
  const isShown = shownMarkets(view)
  const oldest = divFloor(view.tick, HOUR_TICKS) - TRADED_HOURS
  const { hour } = view.read(Book)
  for (let book = 1; book <= view.highOf(Book); book++) {
    if (isShownBook(view, isShown, book)) {
      if (hour[book] > oldest) addTrade(view, gathered, book)
      addOffers(view, gathered, book)
    }
    if (book % BOOKS_PER_STEP === 0) yield
  }
  const movers = [...gathered.traded].map(moverOf)
  const known = movers.filter(({ recent_vwap, previous_vwap }) => recent_vwap * previous_vwap > 0)
  const fresh = movers.filter(({ previous_vwap }) => previous_vwap === 0)
  return {
    generated_at: isoTime(view.wallMs),
    recent_hours: RECENT_HOURS,
    baseline_hours: TRADED_HOURS - RECENT_HOURS,
    volume_surges: topBy(
      known.filter(({ surge_ratio }) => surge_ratio > 1),
      ({ surge_ratio }) => surge_ratio,
    ),
    new_demand: topBy(fresh, ({ recent_volume }) => recent_volume),
    price_gainers: topBy(known, ({ price_change_pct }) => price_change_pct),
    price_losers: topBy(known, ({ price_change_pct }) => -price_change_pct),
    arbitrage: findArbitrage(view, gathered),
  }
}
