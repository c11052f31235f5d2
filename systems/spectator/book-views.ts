/** Public books by price level: those that changed, as many as a frame has room for. */
import {
  PUBLIC_BOOKS_BYTES_MAX,
  PUBLIC_LEVELS_MAX,
  PUBLIC_ROUND_TICKS,
  PUBLIC_WHOLE_BOOKS_BYTES_MAX,
} from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { BOOK_HEAD, type BookPatch } from '../../core/public/frame.ts'
import { appendAll, type FloatList, newFloatList, numbersOf, oncePerRow } from '../../core/rows.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { bestLevel } from '../market/book-model.ts'
import { isHiddenFromFeeds, lacksMarket } from '../market/model.ts'
import { ASK, BID, Book, Level, type Side, TRADED_HOURS } from '../market/state.ts'
import { hourlyVolume } from '../market/vwap-model.ts'
import { isShownBase } from './station-views.ts'

/** Rows, and books, read between two yields. */
const ROWS_PER_STEP = 4_096
const BOOKS_PER_STEP = 128
/** How far from the best price a price may be and still count as reasonable, % of the best. */
const REASONABLE_PCT = 25
const NUMBER_BYTES = 8

/** Returns a function that says whether the orders at a base are public; computes it only once. */
export const shownMarkets = (view: WorldView): ((base: Eid) => boolean) =>
  oncePerRow(view.highOf(Base), (base) => isShownBase(view, base) && !lacksMarket(view, base))

/** Returns whether a book is open to all players, and shown to strangers. */
export function isShownBook(view: WorldView, isShown: (base: Eid) => boolean, book: Row): boolean {
  const { alive, faction, base, item } = view.read(Book)
  if (alive[book] === 0 || faction[book] !== 0 || !isShown(base[book])) return false
  return !isHiddenFromFeeds(view, base[book], item[book])
}

interface SideSums {
  /** Price and units of each of the best levels. */
  readonly levels: number[]
  units: number
  /** Units at a reasonable price. */
  reasonable: number
  /** Units of the station's manager. */
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
    const scaledPrice = price[level] * 100
    if (side === ASK ? scaledPrice <= limit : scaledPrice >= limit) sums.reasonable += all
    if (sums.levels.length < 2 * PUBLIC_LEVELS_MAX) sums.levels.push(price[level], all)
  }
  return sums
}

/** The parts of a patch, as far as it is drawn. */
interface Drawn {
  readonly bases: string[]
  readonly places: Map<string, number>
  readonly heads: FloatList
  readonly levels: FloatList
}

/** Returns a patch without books, in lists that keep their memory. */
function newDrawn(lists: Pick<Drawn, 'heads' | 'levels'>): Drawn {
  lists.heads.length = 0
  lists.levels.length = 0
  return { bases: [], places: new Map(), ...lists }
}

/** Identifies a book even after its row was reused. */
interface BookName {
  readonly base: string
  readonly item: number
}

/** Returns the index of a base in a patch; adds it if it is new there. */
function placeIn({ bases, places }: Drawn, base: string): number {
  let place = places.get(base)
  if (place === undefined) {
    place = bases.push(base) - 1
    places.set(base, place)
  }
  return place
}

/** Draws a book that is no longer shown, as one without orders. */
function drawGone(drawn: Drawn, { base, item }: BookName): void {
  appendAll(drawn.heads, [placeIn(drawn, base), item, ...BOOK_HEAD.slice(2).map(() => 0)])
}

function drawBook(view: WorldView, drawn: Drawn, book: Row): void {
  const { base, item } = view.read(Book)
  const place = placeIn(drawn, baseId(view, base[book]))
  const [bids, asks] = [readSide(view, book, BID), readSide(view, book, ASK)]
  const { units, credits } = hourlyVolume(view, book, TRADED_HOURS)
  const vwap = units === 0 ? 0 : divFloor(credits, units)
  appendAll(drawn.heads, [
    ...[place, item[book], bids.units, asks.units, bids.reasonable, asks.reasonable],
    ...[bids.manager, asks.manager, units, vwap, bids.levels.length / 2, asks.levels.length / 2],
  ])
  appendAll(drawn.levels, bids.levels)
  appendAll(drawn.levels, asks.levels)
}

/** State of the walk through all books. */
interface Reading {
  readonly view: WorldView
  readonly isShown: (base: Eid) => boolean
  readonly isFull: boolean
  /** Books last traded in this hour or later are read: trades may have left their sums. */
  readonly hourMin: number
}

interface Books {
  /** Reads what has changed, and takes as much as there is room for; in a full frame, all books. */
  take(view: WorldView, isFull: boolean): Generator<void, BookPatch | undefined>
}

/** Creates the reader of books, which remembers what was sent. */
export function createBooks(): Books {
  const pending = new Set<Row>()
  /** The books that strangers were sent, by row. */
  const sent = new Map<Row, BookName>()
  const lists = { heads: newFloatList(), levels: newFloatList() }
  let readTick = -1
  let readHour = -1
  /* Blocks of rows are plain functions: loops of a generator are compiled late. */
  function readBlock({ view, isShown, isFull, hourMin }: Reading, from: Row, to: Row): void {
    const { changedTick, hour: tradedHour } = view.read(Book)
    // Each book has a turn to be checked: it may be shown or hidden now without a new order.
    const turn = view.tick % PUBLIC_ROUND_TICKS
    for (let book = from; book <= to; book++) {
      const isDue = isFull || changedTick[book] > readTick || tradedHour[book] >= hourMin
      if (!isDue && book % PUBLIC_ROUND_TICKS !== turn) continue
      const isStale = isShownBook(view, isShown, book) ? isDue || !sent.has(book) : sent.has(book)
      if (isStale) pending.add(book)
    }
  }
  function* read(view: WorldView, isFull: boolean): Generator<void> {
    const isShown = shownMarkets(view)
    const hour = divFloor(view.tick, HOUR_TICKS)
    // In a new hour the trades of a day ago leave the sums, even without new orders.
    const hourMin = hour !== readHour ? hour - TRADED_HOURS - 1 : Number.MAX_SAFE_INTEGER
    const high = view.highOf(Book)
    for (let from = 1; from <= high; from += ROWS_PER_STEP) {
      readBlock({ view, isShown, isFull, hourMin }, from, Math.min(high, from + ROWS_PER_STEP - 1))
      yield
    }
    readTick = view.tick
    readHour = hour
  }
  function drawChange(view: WorldView, drawn: Drawn, book: Row, isShown: boolean): void {
    const before = sent.get(book)
    const { base, item } = view.read(Book)
    const current = isShown ? { base: baseId(view, base[book]), item: item[book] } : undefined
    if (before && (before.base !== current?.base || before.item !== current.item)) {
      drawGone(drawn, before)
      sent.delete(book)
    }
    if (!current) return
    drawBook(view, drawn, book)
    sent.set(book, current)
  }
  function* draw(view: WorldView, isWhole: boolean): Generator<void, BookPatch | undefined> {
    const drawn = newDrawn(lists)
    const { heads, levels } = lists
    const isShown = shownMarkets(view)
    const room = isWhole ? PUBLIC_WHOLE_BOOKS_BYTES_MAX : PUBLIC_BOOKS_BYTES_MAX
    let count = 0
    for (const book of pending) {
      if ((heads.length + levels.length) * NUMBER_BYTES > room) break
      pending.delete(book)
      drawChange(view, drawn, book, isShownBook(view, isShown, book))
      if (++count % BOOKS_PER_STEP === 0) yield
    }
    if (heads.length === 0 && !isWhole) return undefined
    const { bases } = drawn
    const isAll = isWhole && pending.size === 0
    return { isWhole: isAll, bases, heads: numbersOf(heads), levels: numbersOf(levels) }
  }
  return {
    *take(view, isFull) {
      const isWhole = isFull || readTick < 0
      yield* read(view, isWhole)
      return yield* draw(view, isWhole)
    },
  }
}
