/** Public books by price level: those that changed, as many as a frame has room for. */
import {
  PUBLIC_BOOKS_BYTES_MAX,
  PUBLIC_LEVELS_MAX,
  PUBLIC_ROUND_TICKS,
  PUBLIC_WHOLE_BOOKS_BYTES_MAX,
} from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { BOOK_HEAD, type BookPatch } from '../../core/public/frame.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { bestLevel } from '../market/book-model.ts'
import { isHiddenFromFeeds, lacksMarket } from '../market/model.ts'
import { ASK, BID, Book, Level, type Side, TRADED_HOURS } from '../market/state.ts'
import { volumeIn } from '../market/vwap-model.ts'
import { isShownBase } from './station-views.ts'

/** Rows looked at between two yields. */
const ROWS_A_STEP = 4_096
const BOOKS_A_STEP = 128
/** Of the best price: what an order may cost more, or bring less, and still be reasonable. */
const REASONABLE_PCT = 25
const DAY_SPAN = { hours: TRADED_HOURS } as const
const NUMBER_BYTES = 8

/** Returns a function that says whether the orders at a base are public. */
export function shownMarkets(view: WorldView): (base: Eid) => boolean {
  const known = new Uint8Array(view.highOf(Base) + 1)
  return (base) => {
    known[base] ||= isShownBase(view, base) && !lacksMarket(view, base) ? 2 : 1
    return known[base] === 2
  }
}

/** Returns whether a book is open to all, and read by strangers. */
export function isShownBook(view: WorldView, isShown: (base: Eid) => boolean, book: Row): boolean {
  const { alive, faction, base, item } = view.read(Book)
  if (alive[book] === 0 || faction[book] !== 0 || !isShown(base[book])) return false
  return !isHiddenFromFeeds(view, base[book], item[book])
}

interface SideSums {
  readonly levels: number[]
  units: number
  reasonable: number
  manager: number
}

function readSide(view: WorldView, book: Row, side: Side): SideSums {
  const { price, worse, units, stationUnits } = view.read(Level)
  const sums: SideSums = { levels: [], units: 0, reasonable: 0, manager: 0 }
  const best = bestLevel(view, book, side)
  const limit =
    side === ASK ? price[best] * (100 + REASONABLE_PCT) : price[best] * (100 - REASONABLE_PCT)
  for (let level = best; level !== 0; level = worse[level]) {
    const all = units[level] + stationUnits[level]
    if (all === 0) continue
    sums.units += all
    sums.manager += stationUnits[level]
    const at = price[level] * 100
    if (side === ASK ? at <= limit : at >= limit) sums.reasonable += all
    if (sums.levels.length < 2 * PUBLIC_LEVELS_MAX) sums.levels.push(price[level], all)
  }
  return sums
}

interface Drawn {
  readonly bases: string[]
  readonly places: Map<string, number>
  readonly heads: number[]
  readonly levels: number[]
}

/** Names a book, whatever its row is of by now. */
interface BookName {
  readonly base: string
  readonly item: number
}

/** Returns the index of a base in what is drawn. */
function placeIn({ bases, places }: Drawn, base: string): number {
  let place = places.get(base)
  if (place === undefined) {
    place = bases.push(base) - 1
    places.set(base, place)
  }
  return place
}

/** Draws a book that is no longer shown: one in which nothing is ordered. */
function drawGone(drawn: Drawn, { base, item }: BookName): void {
  const nothing = BOOK_HEAD.slice(2).map(() => 0)
  drawn.heads.push(placeIn(drawn, base), item, ...nothing)
}

function drawBook(view: WorldView, drawn: Drawn, book: Row): void {
  const { base, item } = view.read(Book)
  const at = base[book]
  const place = placeIn(drawn, baseId(view, at))
  const [bids, asks] = [readSide(view, book, BID), readSide(view, book, ASK)]
  const { units, credits } = volumeIn(view, at, item[book], DAY_SPAN)
  const vwap = units === 0 ? 0 : divFloor(credits, units)
  drawn.heads.push(place, item[book], bids.units, asks.units, bids.reasonable, asks.reasonable)
  drawn.heads.push(bids.manager, asks.manager, units, vwap)
  drawn.heads.push(bids.levels.length / 2, asks.levels.length / 2)
  for (const number of bids.levels) drawn.levels.push(number)
  for (const number of asks.levels) drawn.levels.push(number)
}

/** State of the walk through all books. */
interface Reading {
  readonly view: WorldView
  readonly isShown: (base: Eid) => boolean
  readonly isFull: boolean
  /** Hour from which on a book's last trade may have gone out of its sums. */
  readonly ages: number
}

interface Books {
  /** Reads what has changed, and takes what there is room for; of a full frame everything. */
  take(view: WorldView, isFull: boolean): Generator<void, BookPatch | undefined>
}

export function createBooks(): Books {
  const pending = new Set<Row>()
  /** What strangers know of, by row. */
  const sent = new Map<Row, BookName>()
  let readTick = -1
  let readHour = -1
  /* Blocks of rows are plain functions: loops of a generator are compiled late. */
  function readBlock({ view, isShown, isFull, ages }: Reading, from: Row, to: Row): void {
    const { changedTick, hour: tradedHour } = view.read(Book)
    // One may be shown or hidden by now, though nothing was ordered.
    const turn = view.tick % PUBLIC_ROUND_TICKS
    for (let book = from; book <= to; book++) {
      const isDue = isFull || changedTick[book] > readTick || tradedHour[book] >= ages
      if (!isDue && book % PUBLIC_ROUND_TICKS !== turn) continue
      const isNews = isShownBook(view, isShown, book) ? isDue || !sent.has(book) : sent.has(book)
      if (isNews) pending.add(book)
    }
  }
  function* read(view: WorldView, isFull: boolean): Generator<void> {
    const isShown = shownMarkets(view)
    const hour = divFloor(view.tick, HOUR_TICKS)
    // What was traded a day ago goes out of the sums, though nothing is ordered.
    const ages = hour !== readHour ? hour - TRADED_HOURS - 1 : Number.MAX_SAFE_INTEGER
    const high = view.highOf(Book)
    for (let from = 1; from <= high; from += ROWS_A_STEP) {
      readBlock({ view, isShown, isFull, ages }, from, Math.min(high, from + ROWS_A_STEP - 1))
      yield
    }
    readTick = view.tick
    readHour = hour
  }
  function drawNews(view: WorldView, drawn: Drawn, book: Row, isShown: boolean): void {
    const before = sent.get(book)
    const { base, item } = view.read(Book)
    const now = isShown ? { base: baseId(view, base[book]), item: item[book] } : undefined
    if (before && (before.base !== now?.base || before.item !== now.item)) {
      drawGone(drawn, before)
      sent.delete(book)
    }
    if (!now) return
    drawBook(view, drawn, book)
    sent.set(book, now)
  }
  function* draw(view: WorldView, isWhole: boolean): Generator<void, BookPatch | undefined> {
    const drawn: Drawn = { bases: [], places: new Map(), heads: [], levels: [] }
    const isShown = shownMarkets(view)
    const room = isWhole ? PUBLIC_WHOLE_BOOKS_BYTES_MAX : PUBLIC_BOOKS_BYTES_MAX
    let count = 0
    for (const book of pending) {
      if ((drawn.heads.length + drawn.levels.length) * NUMBER_BYTES > room) break
      pending.delete(book)
      drawNews(view, drawn, book, isShownBook(view, isShown, book))
      if (++count % BOOKS_A_STEP === 0) yield
    }
    if (drawn.heads.length === 0 && !isWhole) return undefined
    return {
      isWhole: isWhole && pending.size === 0,
      bases: drawn.bases,
      heads: new Float64Array(drawn.heads),
      levels: new Float64Array(drawn.levels),
    }
  }
  return {
    *take(view, isFull) {
      const isWhole = isFull || readTick < 0
      yield* read(view, isWhole)
      return yield* draw(view, isWhole)
    },
  }
}
