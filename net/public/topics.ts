/**
 * The topics besides the feed, and their updates at each public tick: the changes since the
 * previous one, as lists of integers. Built only for topics with readers. Source: WEB 2.
 */
import { GOODS } from '../../core/catalog/index.ts'
import {
  BOOK_HEAD,
  type PublicChart,
  type PublicFrame,
  type ThinTurn,
} from '../../core/public/frame.ts'
import type { Topic, TopicData, TopicMessage, TopicType } from '../../core/public/topics.ts'
import type { TopicSource } from './feed.ts'
import type { FrameHandler } from './frames.ts'
import { bookKey, eachGroup, type PublicBook, type PublicState } from './state.ts'

type Turn = TopicData['battle']
type Lists = Pick<PublicFrame, 'presence' | 'flights' | 'heat' | 'battles'>

/** The public state and its predecessor, kept apart because the state is updated in place. */
interface TickView {
  readonly state: PublicState
  /** Undefined for the first tick. */
  readonly before: (Lists & { readonly tick: number }) | undefined
  readonly frame: PublicFrame
  readonly isNewChart: boolean
  /** Ids of all stations, and whether the set has changed. */
  readonly stations: readonly string[]
  readonly hasNewStations: boolean
  /** Returns the books that changed since the previous frame; computed at the first call. */
  readonly changed: () => ReadonlyMap<string, PublicBook>
  /** Turns of the battles, each with its ships. */
  readonly turns: readonly Turn[]
  /** Changes by system, computed for the first topic of a system. */
  bySystem?: ReadonlyMap<number, SystemChanges>
  /** First messages for new readers of these topics, the same for all of them. */
  readonly tables: { map?: readonly TopicMessage[]; market?: readonly TopicMessage[] }
}

/** Changes in a system; places are numbered by their order in its table. */
interface SystemChanges {
  readonly before: Map<number, number>
  readonly now: Map<number, number>
  readonly flights: number[]
}

interface Topics extends TopicSource {
  readonly take: FrameHandler
}

const message = <T extends TopicType>(type: T, data: TopicData[T]): TopicMessage => ({
  type,
  data: Object.fromEntries(
    // Undefined means unchanged and is left out.
    Object.entries(data).filter(([, value]) => value !== undefined),
  ) as TopicData[T],
})

/* Differences */

function pairsOf(list: Int32Array, width = 2): Map<number, number> {
  const pairs = new Map<number, number>()
  eachGroup(list, width, (key, ...values) => {
    pairs.set(
      key,
      values.reduce((sum, value) => sum + value, 0),
    )
  })
  return pairs
}

/**
 * Lists [key, value] of all values that differ, with 0 for removed keys; undefined if none does.
 */
function changes(
  before: ReadonlyMap<number, number>,
  now: ReadonlyMap<number, number>,
): number[] | undefined {
  const changed: number[] = []
  for (const [key, value] of now) if (before.get(key) !== value) changed.push(key, value)
  for (const key of before.keys()) if (!now.has(key)) changed.push(key, 0)
  return changed.length === 0 ? undefined : changed
}

/** Lists the flights that departed after a tick; undefined if there are none. */
function departed(list: Int32Array, after: number): number[] | undefined {
  const found: number[] = []
  eachGroup(list, 5, (from, to, depart, arrive, count) => {
    if (depart > after) found.push(from, to, depart, arrive, count)
  })
  return found.length === 0 ? undefined : found
}

function battleChanges(
  before: Lists['battles'],
  now: Lists['battles'],
): Record<string, string> | undefined {
  const byPlace = (battles: Lists['battles']) =>
    new Map(battles.map(({ system_id, battle_id }) => [system_id, battle_id]))
  const [old, fresh] = [byPlace(before), byPlace(now)]
  const changed: [string, string][] = []
  for (const [system, battle] of fresh)
    if (old.get(system) !== battle) changed.push([system, battle])
  for (const system of old.keys()) if (!fresh.has(system)) changed.push([system, ''])
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

/* Topics */

const mapTable = ({ tick, chart }: PublicState): TopicMessage =>
  message('map_table', { tick, systems: chart.systems.map(({ id }) => id) })

function mapUpdates({ state, before, isNewChart }: TickView): TopicMessage[] {
  if (!before || isNewChart) return [mapTable(state)]
  const { tick, presence, flights, heat, battles } = state
  const then = before.presence
  const update: TopicData['map'] = {
    tick,
    departures: departed(flights.jumps, before.tick),
    online: changes(pairsOf(then.onlineBySystem), pairsOf(presence.onlineBySystem)),
    npc: changes(pairsOf(then.npcs, 3), pairsOf(presence.npcs, 3)),
    heat: changes(pairsOf(before.heat), pairsOf(heat)),
    battles: battleChanges(before.battles, battles),
  }
  return [message('map', update)]
}

/** Indexes of the places of a system in the chart, by their order in its table. */
function placesOf(chart: PublicChart, system: number): number[] {
  const places: number[] = []
  for (const [place, poi] of chart.pois.entries()) if (poi.system === system) places.push(place)
  return places
}

function systemTable({ tick, chart, systemIndexes }: PublicState, id: string): TopicMessage[] {
  const system = systemIndexes.get(id)
  if (system === undefined) return []
  const pois = placesOf(chart, system).map((place) => chart.pois[place].id)
  return [message('system_table', { tick, system: id, pois })]
}

/** Groups changes of places by system, once for all topics of a tick. */
function changesBySystem(
  { chart, presence, flights }: PublicState,
  before: Lists & { readonly tick: number },
): ReadonlyMap<number, SystemChanges> {
  const bySystem = new Map<number, SystemChanges>()
  const sizes = new Map<number, number>()
  const orders = chart.pois.map(({ system }) => {
    const order = sizes.get(system) ?? 0
    sizes.set(system, order + 1)
    return order
  })
  const changesAt = (place: number): SystemChanges | undefined => {
    const system = chart.pois[place]?.system
    if (system === undefined) return undefined
    const news = bySystem.get(system) ?? { before: new Map(), now: new Map(), flights: [] }
    bySystem.set(system, news)
    return news
  }
  for (const name of ['before', 'now'] as const) {
    const { online } = name === 'now' ? presence : before.presence
    eachGroup(online, 2, (place, count) => changesAt(place)?.[name].set(orders[place], count))
  }
  eachGroup(flights.local, 5, (from, to, depart, arrive, count) => {
    if (depart <= before.tick) return
    const isWithin = chart.pois[to]?.system === chart.pois[from]?.system
    changesAt(from)?.flights.push(orders[from], isWithin ? orders[to] : -1, depart, arrive, count)
  })
  return bySystem
}

function systemUpdates(view: TickView, id: string): TopicMessage[] {
  const { state, before, isNewChart } = view
  if (!before || isNewChart) return systemTable(state, id)
  const system = state.systemIndexes.get(id)
  if (system === undefined) return []
  view.bySystem ??= changesBySystem(state, before)
  const news = view.bySystem.get(system)
  const update: TopicData['system'] = {
    tick: state.tick,
    system: id,
    places: news && changes(news.before, news.now),
    flights: news && news.flights.length > 0 ? news.flights : undefined,
  }
  return [message('system', update)]
}

/** Returns the station ids whose order numbers the stations in the market topic. */
const stationsOf = ({ docs }: PublicState): string[] => [...docs.stations.keys()].sort()

const ITEMS: readonly string[] = GOODS.map(({ id }) => id)

const marketTable = (tick: number, stations: readonly string[]): TopicMessage =>
  message('market_table', { tick, stations: [...stations], items: [...ITEMS] })

function changedBooks(state: PublicState, frame: PublicFrame): Map<string, PublicBook> {
  const changed = new Map<string, PublicBook>()
  if (!frame.books) return changed
  const { bases, heads } = frame.books
  for (let i = 0; i < heads.length; i += BOOK_HEAD.length) {
    const key = bookKey(bases[heads[i]], heads[i + 1])
    const book = state.books.get(key)
    if (book) changed.set(key, book)
  }
  return changed
}

function marketUpdates(view: TickView): TopicMessage[] {
  const { state, stations, isNewChart, before, frame } = view
  if (!before || isNewChart || view.hasNewStations || frame.books?.isWhole) {
    return [marketTable(state.tick, stations)]
  }
  const places = new Map(stations.map((id, place) => [id, place]))
  const bests = [...view.changed().values()].flatMap(({ base, item, bid, ask }) => {
    const place = places.get(base)
    if (place === undefined) return []
    return [place, item, bid.levels[0] ?? 0, ask.levels[0] ?? 0, bid.quantity, ask.quantity]
  })
  return [message('market', { tick: state.tick, ...(bests.length === 0 ? {} : { bests }) })]
}

type ItemTopic = Extract<Topic, { readonly name: 'item' }>

/** Returns the ladder of a book; empty if it has never had an order. */
function ladderOf({ tick, books }: PublicState, { station, item }: ItemTopic): TopicMessage {
  const book = books.get(`${station}/${item}`)
  const side = (levels?: Float64Array): number[] => [...(levels ?? [])]
  const [bids, asks] = [side(book?.bid.levels), side(book?.ask.levels)]
  return message('item', { tick, station, item, bids, asks })
}

function itemUpdates({ state, frame, changed }: TickView, topic: ItemTopic): TopicMessage[] {
  const isChanged = frame.books?.isWhole || changed().has(`${topic.station}/${topic.item}`)
  return isChanged ? [ladderOf(state, topic)] : []
}

const battleUpdates = ({ turns }: TickView, id: string): TopicMessage[] =>
  turns.filter(({ battle_id }) => battle_id === id).map((turn) => ({ type: 'battle', data: turn }))

function greet(view: TickView, topic: Topic): readonly TopicMessage[] | undefined {
  const { state, tables } = view
  if (topic.name === 'map') {
    tables.map ??= [mapTable(state)]
    return tables.map
  }
  if (topic.name === 'system') {
    return state.systemIndexes.has(topic.id) ? systemTable(state, topic.id) : undefined
  }
  if (topic.name === 'market') {
    tables.market ??= [marketTable(state.tick, view.stations)]
    return tables.market
  }
  if (topic.name === 'item') {
    const isKnown = state.docs.stations.has(topic.station) && ITEMS.includes(topic.item)
    return isKnown ? [ladderOf(state, topic)] : undefined
  }
  if (topic.name !== 'battle') return undefined
  return state.battles.some(({ battle_id }) => battle_id === topic.id) ? [] : undefined
}

function updatesOf(view: TickView, topic: Topic): readonly TopicMessage[] {
  if (topic.name === 'map') return mapUpdates(view)
  if (topic.name === 'system') return systemUpdates(view, topic.id)
  if (topic.name === 'market') return marketUpdates(view)
  if (topic.name === 'item') return itemUpdates(view, topic)
  return topic.name === 'battle' ? battleUpdates(view, topic.id) : []
}

/** Completes turns whose ships are unchanged with the ships of the previous turn. */
function fullTurns(known: Map<string, Turn>, turns: readonly ThinTurn[]): Turn[] {
  return turns.flatMap((turn) => {
    const before = known.get(turn.battle_id)
    if (!turn.ships && !before) return []
    const { ships, zones, damage_types } = { ...before, ...turn } as Turn
    const full = { ...turn, ships, zones, damage_types }
    known.set(turn.battle_id, full)
    return [full]
  })
}

/** Creates the topics, which follow the public state. */
export function createTopics(): Topics {
  let view: TickView | undefined
  let last: (Lists & { readonly tick: number; readonly chart: number }) | undefined
  let known = new Map<string, Turn>()
  return {
    take: (state, frame) => {
      const isNewChart = last?.chart !== state.changes.chart
      const stations = stationsOf(state)
      const hasNewStations = view?.stations.join() !== stations.join()
      let books: ReadonlyMap<string, PublicBook> | undefined
      const changed = (): ReadonlyMap<string, PublicBook> => {
        books ??= changedBooks(state, frame)
        return books
      }
      const turns = fullTurns(known, frame.turns)
      const going = new Set(state.battles.map(({ battle_id }) => battle_id))
      known = new Map([...known].filter(([id]) => going.has(id)))
      const news = { isNewChart, stations, hasNewStations, changed, turns }
      view = { state, before: last, frame, ...news, tables: {} }
      const { tick, presence, flights, heat, battles } = state
      last = { tick, presence, flights, heat, battles, chart: state.changes.chart }
    },
    greet: (topic) => view && greet(view, topic),
    updates: (topic) => (view ? updatesOf(view, topic) : []),
  }
}
