/**
 * Quotes of order books by price only, and the market of all stations derived from them. Source:
 * WEB 1.2.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, isModule } from '../../core/catalog/index.ts'
import type { StationEntry } from '../../core/public/frame.ts'
import type { PublicBook, PublicState } from './state.ts'

export const categoryOf = (item: number): string => {
  const good = GOODS[item]
  return isModule(good) ? 'module' : good.category
}

/** Returns the best price of a side; 0 if it is empty. */
export const priceOf = ({ levels }: PublicBook['bid']): number => levels[0] ?? 0
const atBest = ({ levels }: PublicBook['bid']): number => levels[1] ?? 0

/** Returns the spread between the best prices; 0 if a side is empty. */
export function spreadOf(bid: number, ask: number) {
  const spread = bid === 0 || ask === 0 ? 0 : ask - bid
  const spread_pct = spread === 0 ? 0 : Math.round((10_000 * spread) / ask) / 100
  return { spread, spread_pct }
}

/** Sums of one side over several books of an item. */
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
/** Returns the sums of no books. */
export const noSums = (item: number): Sums => ({ item, bid: noSide(), ask: noSide() })

/**
 * Adds a side of a book. `sign` is 1 if a higher price is better (bids), -1 if a lower one is
 * (asks).
 */
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

/** Adds both sides of a book to sums; returns the sums. */
export function addBook(sums: Sums, { bid, ask }: PublicBook): Sums {
  addSide(sums.bid, bid, 1)
  addSide(sums.ask, ask, -1)
  return sums
}

/** Category by item index. */
const CATEGORIES = GOODS.map((_, item) => categoryOf(item))

/**
 * Renders the row of several books. A body has thousands of rows, so object spreads are avoided
 * here.
 */
export function renderQuote({ item, bid, ask }: Sums) {
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

export const categoriesOf = (rows: readonly { readonly category: string }[]): string[] =>
  [...new Set(rows.map(({ category }) => category))].sort()

/** Returns the books that have an order and whose station is public. */
export const openBooks = (
  state: PublicState,
  books: ReadonlyMap<string, PublicBook> | undefined,
): PublicBook[] =>
  [...(books?.values() ?? [])].filter(
    (book) => !isEmpty(book) && state.docs.stations.has(book.base),
  )

/** Compares texts by code unit, the same in every locale. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/* The market of all stations: most of it is as it was a tick ago, so each item's rows are kept */

interface Empire {
  readonly id: string
  readonly name: string
}

/** The rows of an item, and the books they were made from. */
interface ItemRows {
  readonly books: readonly PublicBook[]
  readonly empires: readonly Empire[]
  /** JSON of the rows, with commas between them. */
  readonly text: string
}

interface Kept {
  /** The public entry of each station as text, and its empire. */
  readonly stations: Map<string, { readonly entry: string; readonly empire: Empire }>
  readonly items: Map<number, ItemRows>
}

const KEPT = new WeakMap<PublicState, Kept>()

/**
 * Updates the stations. Rows stay valid unless a station is added, removed or changes its empire.
 */
function followStations({ docs }: PublicState, { stations, items }: Kept): void {
  let isChanged = stations.size > docs.stations.size
  if (isChanged) stations.clear()
  for (const [base, entry] of docs.stations) {
    const known = stations.get(base)
    if (known?.entry === entry) continue
    const { empire: id, empire_name: name } = JSON.parse(entry) as StationEntry
    isChanged ||= known?.empire.id !== id || known.empire.name !== name
    stations.set(base, { entry, empire: { id, name } })
  }
  if (isChanged) items.clear()
}

function keptOf(state: PublicState): Kept {
  const kept = KEPT.get(state) ?? { stations: new Map(), items: new Map() }
  KEPT.set(state, kept)
  followStations(state, kept)
  return kept
}

/**
 * Returns whether rows were made from these books, compared by identity: a changed book is a new
 * object.
 */
function isMadeOf({ books }: ItemRows, now: ReadonlyMap<string, PublicBook>): boolean {
  if (books.length !== now.size) return false
  let index = 0
  for (const book of now.values()) if (books[index++] !== book) return false
  return true
}

/** Renders the rows of an item: one per empire with an order at any of its stations. */
function makeRows(
  state: PublicState,
  kept: Kept,
  item: number,
  books: ReadonlyMap<string, PublicBook>,
): ItemRows {
  const sums = new Map<string, Sums>()
  const empires: Empire[] = []
  for (const book of openBooks(state, books)) {
    const empire = kept.stations.get(book.base)?.empire
    assert(empire, 'a book of a station that is not public was not left out')
    empires.push(empire)
    sums.set(empire.id, addBook(sums.get(empire.id) ?? noSums(item), book))
  }
  const rows = [...sums].sort(([a], [b]) => compare(a, b))
  const text = rows.map(([empire, ofEmpire]) =>
    JSON.stringify(Object.assign(renderQuote(ofEmpire), { empire })),
  )
  return { books: [...books.values()], empires, text: text.join() }
}

/** Returns the JSON of the market of all stations (MarketBody). */
export function marketText(state: PublicState): string {
  const kept = keptOf(state)
  const texts: string[] = []
  const categories = new Set<string>()
  const names = new Map<string, string>()
  for (const [item, books] of [...state.booksOf].sort(([a], [b]) => a - b)) {
    const known = kept.items.get(item)
    const rows = known && isMadeOf(known, books) ? known : makeRows(state, kept, item, books)
    kept.items.set(item, rows)
    if (rows.text === '') continue
    texts.push(rows.text)
    categories.add(CATEGORIES[item])
    for (const { id, name } of rows.empires) names.set(id, name)
  }
  const empires = [...names].map(([id, name]) => ({ id, name }))
  empires.sort((a, b) => compare(a.id, b.id))
  const rest = JSON.stringify({ categories: [...categories].sort(), empires })
  return `{"items":[${texts.join()}],${rest.slice(1)}`
}
