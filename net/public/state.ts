/**
 * The public state: what may be read without a login at the public tick, built from public frames
 * in order.
 */
import { GOODS } from '../../core/catalog/index.ts'
import {
  BOOK_HEAD,
  type BookPatch,
  type DocPatches,
  type DocSection,
  type EarnedAt,
  type JsonOf,
  type Patch,
  type PublicChart,
  type PublicDocs,
  type PublicFrame,
} from '../../core/public/frame.ts'
import { usernameKey } from '../../core/text-rules.ts'

const DOC_SECTIONS: readonly DocSection[] = [
  'stations',
  'factions',
  'factionRecords',
  'players',
  'playerRecords',
  'boards',
  'world',
]

/**
 * Parts of the state that change independently; a body is rebuilt when a part that it reads
 * changes.
 */
export type PublicSection = 'tick' | 'chart' | 'books' | DocSection

type Documents = { readonly [S in DocSection]: Map<string, JsonOf<PublicDocs[S]>> }

/** An order book of an item at a station. */
export interface PublicBook {
  readonly base: string
  /** Index into the goods of the catalogue. */
  readonly item: number
  readonly bid: BookSide
  readonly ask: BookSide
  readonly volume: number
  readonly vwap: number
}

interface BookSide {
  readonly quantity: number
  readonly reasonable: number
  readonly manager: number
  /** [price, units], best first. */
  readonly levels: Float64Array
}

export interface PublicState {
  /** The public tick. */
  tick: number
  /** Its wall time, ms since 1970. */
  wallMs: number
  figures: PublicFrame['figures']
  chart: PublicChart
  /** Indexes into the chart, by id. */
  systemIndexes: ReadonlyMap<string, number>
  poiIndexes: ReadonlyMap<string, number>
  presence: PublicFrame['presence']
  flights: PublicFrame['flights']
  heat: Int32Array
  battles: PublicFrame['battles']
  readonly docs: Documents
  /** Player numbers by key of the name, and faction ids by tag. */
  readonly playerNumbers: Map<string, string>
  readonly factionIds: Map<string, string>
  /** How many players and factions have earned an achievement, by its number. */
  readonly earners: { readonly players: number[]; readonly factions: number[] }
  /** Books by `station/item`. */
  readonly books: Map<string, PublicBook>
  /** The same books, by station and by item index. */
  readonly booksAt: Map<string, Map<string, PublicBook>>
  readonly booksOf: Map<number, Map<string, PublicBook>>
  /** Number of changes of each section. */
  readonly changes: Record<PublicSection, number>
}

/** Reads a document; returns undefined if there is none. */
export function docOf<S extends DocSection>(
  { docs }: Pick<PublicState, 'docs'>,
  section: S,
  key: string,
): PublicDocs[S] | undefined {
  const text = docs[section].get(key)
  return text === undefined ? undefined : (JSON.parse(text) as PublicDocs[S])
}

/** Reads all documents of a section. */
export const docsOf = <S extends DocSection>(
  { docs }: Pick<PublicState, 'docs'>,
  section: S,
): PublicDocs[S][] => [...docs[section].values()].map((text) => JSON.parse(text) as PublicDocs[S])

const indexById = (rows: readonly { readonly id: string }[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ id }, index) => [id, index]))

const sameText = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

function applyChart(state: PublicState, chart: PublicChart): void {
  if (sameText(state.chart, chart)) return
  state.chart = chart
  state.systemIndexes = indexById(chart.systems)
  state.poiIndexes = indexById(chart.pois)
  state.changes.chart++
}

/* Documents */

function countEarned(counts: number[], text: string | undefined, by: 1 | -1): void {
  if (text === undefined) return
  const { earned } = JSON.parse(text) as { readonly earned: readonly EarnedAt[] }
  for (const [no] of earned) counts[no] = (counts[no] ?? 0) + by
}

/** Updates indexes for a document that is added (1) or removed (-1). */
function index(state: PublicState, section: DocSection, key: string, by: 1 | -1): void {
  const text = state.docs[section].get(key)
  if (text === undefined) return
  if (section === 'playerRecords') countEarned(state.earners.players, text, by)
  if (section === 'factionRecords') countEarned(state.earners.factions, text, by)
  const [names, name] =
    section === 'players'
      ? [state.playerNumbers, usernameKey(JSON.parse(text).username)]
      : [state.factionIds, section === 'factions' ? String(JSON.parse(text).tag) : undefined]
  if (name === undefined) return
  if (by === 1) names.set(name, key)
  else if (names.get(name) === key) names.delete(name)
}

function applyPatch(state: PublicState, section: DocSection, patch: Patch<never>): void {
  const docs = state.docs[section] as Map<string, string>
  const set = new Map<string, string>(patch.set)
  const removed = patch.isWhole ? [...docs.keys()].filter((key) => !set.has(key)) : patch.gone
  let isChanged = removed.length > 0
  for (const key of removed) {
    index(state, section, key, -1)
    docs.delete(key)
  }
  for (const [key, text] of set) {
    if (docs.get(key) === text) continue
    index(state, section, key, -1)
    docs.set(key, text)
    index(state, section, key, 1)
    isChanged = true
  }
  if (isChanged) state.changes[section]++
}

function applyDocs(state: PublicState, patches: DocPatches): void {
  for (const section of DOC_SECTIONS) {
    const patch = patches[section]
    if (patch) applyPatch(state, section, patch as Patch<never>)
  }
}

/* Books */

/** Returns the key of the book of an item (by index) at a station: `station/item`. */
export const bookKey = (base: string, item: number): string => `${base}/${GOODS[item].id}`

function putBook({ books, booksAt, booksOf }: PublicState, book: PublicBook): void {
  const key = bookKey(book.base, book.item)
  const stationBooks = booksAt.get(book.base) ?? new Map<string, PublicBook>()
  const itemBooks = booksOf.get(book.item) ?? new Map<string, PublicBook>()
  booksAt.set(book.base, stationBooks.set(key, book))
  booksOf.set(book.item, itemBooks.set(key, book))
  books.set(key, book)
}

function applyBooks(state: PublicState, patch: BookPatch): void {
  if (patch.isWhole) for (const index of [state.books, state.booksAt, state.booksOf]) index.clear()
  const width = BOOK_HEAD.length
  let offset = 0
  const levelsOf = (count: number): Float64Array => {
    const levels = patch.levels.slice(offset, offset + 2 * count)
    offset += 2 * count
    return levels
  }
  for (let i = 0; i < patch.heads.length; i += width) {
    const [place, item, bids, asks, bidReasonable, askReasonable, bidManager, askManager, ...rest] =
      patch.heads.subarray(i, i + width)
    const [volume, vwap, bidLevels, askLevels] = rest
    const base = patch.bases[place]
    const [bid, ask] = [levelsOf(bidLevels), levelsOf(askLevels)]
    putBook(state, {
      base,
      item,
      bid: { quantity: bids, reasonable: bidReasonable, manager: bidManager, levels: bid },
      ask: { quantity: asks, reasonable: askReasonable, manager: askManager, levels: ask },
      volume,
      vwap,
    })
  }
  state.changes.books++
}

/** Returns the ongoing battles: those the frame contains, and the others with a longer duration. */
function battlesOf(
  before: PublicState['battles'],
  { tick, battles, going }: PublicFrame,
): PublicState['battles'] {
  if (!going) return battles
  const known = new Map([...before, ...battles].map((battle) => [battle.battle_id, battle]))
  return going.flatMap((id) => {
    const battle = known.get(id)
    return battle ? { ...battle, duration_ticks: tick - battle.start_tick + 1 } : []
  })
}

function newState(frame: PublicFrame): PublicState {
  const { tick, wallMs, figures, presence, flights, heat, battles } = frame
  const each = <T>(make: () => T) =>
    Object.fromEntries(DOC_SECTIONS.map((section) => [section, make()]))
  return {
    tick,
    wallMs,
    figures,
    presence,
    flights,
    heat,
    battles,
    chart: { systems: [], pois: [], empires: [] },
    systemIndexes: new Map(),
    poiIndexes: new Map(),
    docs: each(() => new Map()) as Documents,
    playerNumbers: new Map(),
    factionIds: new Map(),
    earners: { players: [], factions: [] },
    books: new Map(),
    booksAt: new Map(),
    booksOf: new Map(),
    changes: { tick: 0, chart: 0, books: 0, ...each(() => 0) } as PublicState['changes'],
  }
}

/**
 * Applies a frame and returns the state of its tick; undefined if the frame depends on earlier
 * frames that are missing.
 */
export function applyFrame(
  before: PublicState | undefined,
  frame: PublicFrame,
): PublicState | undefined {
  if (!before && !frame.isFull) return undefined
  const state = before ?? newState(frame)
  const { tick, wallMs, figures, presence, flights, heat } = frame
  const battles = battlesOf(frame.isFull ? [] : state.battles, frame)
  Object.assign(state, { tick, wallMs, figures, presence, flights, heat, battles })
  if (frame.chart) applyChart(state, frame.chart)
  applyDocs(state, frame.docs)
  if (frame.books) applyBooks(state, frame.books)
  state.changes.tick++
  return state
}

/** Calls `take` for each group of `width` numbers in a list. */
export function eachGroup(
  list: Int32Array,
  width: number,
  take: (...group: number[]) => void,
): void {
  const group = new Array<number>(width)
  for (let i = 0; i < list.length; i += width) {
    for (let position = 0; position < width; position++) group[position] = list[i + position]
    take(...group)
  }
}
