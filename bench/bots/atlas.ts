/**
 * What all bots know together: the map, the stations found so far, and the last prices seen there.
 */
import type { Params } from '../client.ts'

export interface Station {
  readonly systemId: string
  readonly poiId: string
  readonly baseId: string
}

/** Best prices of an item at a station; 0 if there is no offer. */
export interface Quote {
  /** The price to buy at. */
  readonly ask: number
  readonly askUnits: number
  /** The price to sell at. */
  readonly bid: number
  readonly bidUnits: number
}

interface Charted {
  readonly lanes: readonly string[]
  /** 0 is lawless, 100 as safe as it gets. */
  readonly police: number
}

export interface Atlas {
  readonly systems: ReadonlyMap<string, Charted>
  readonly stations: Map<string, Station>
  /** Places of a system that a bot has been to. */
  readonly places: Map<string, readonly Params[]>
  /** By station, then item. */
  readonly quotes: Map<string, ReadonlyMap<string, Quote>>
}

/** Maximum number of requests for the map until it is public, and the time between them. */
const CHART_TRIES = 120
const CHART_WAIT_MS = 1_000

/** Reads the public map, which a new world publishes only after some ticks. */
async function readChart(url: string): Promise<Params> {
  for (let i = 0; i < CHART_TRIES; i++) {
    const response = await fetch(`${url}/api/map`)
    if (response.ok) return (await response.json()) as Params
    if (response.status !== 503) throw new Error(`${url}/api/map answered ${response.status}`)
    await new Promise((resolve) => setTimeout(resolve, CHART_WAIT_MS))
  }
  throw new Error(`${url}/api/map is not ready`)
}

/** Reads the map of a server; stations, places and quotes are added as bots see them. */
export async function readAtlas(url: string): Promise<Atlas> {
  const chart = await readChart(url)
  const systems = rows(chart.systems).map((row): [string, Charted] => [
    String(row.id),
    { lanes: rows(row.connections).map(String), police: Number(row.police_level) },
  ])
  return {
    systems: new Map(systems),
    stations: new Map(),
    places: new Map(),
    quotes: new Map(),
  }
}

/**
 * Returns the shortest route to the nearest suitable system, without its start; undefined if there
 * is none.
 */
export function routeTo(
  atlas: Atlas,
  from: string,
  isSuitable: (systemId: string) => boolean,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>([[from, '']])
  for (const system of cameFrom.keys()) {
    if (isSuitable(system)) {
      const route: string[] = []
      for (let stop = system; stop !== from; stop = cameFrom.get(stop) as string) {
        route.unshift(stop)
      }
      return route
    }
    for (const next of atlas.systems.get(system)?.lanes ?? []) {
      if (!cameFrom.has(next)) cameFrom.set(next, system)
    }
  }
  return undefined
}

/** Records what get_system returned. */
export function recordSystem(atlas: Atlas, system: Params): void {
  const systemId = String(system.id)
  const places = rows(system.pois)
  atlas.places.set(systemId, places)
  for (const { has_base, base_id, id } of places) {
    if (!has_base || base_id === undefined) continue
    atlas.stations.set(String(base_id), { systemId, poiId: String(id), baseId: String(base_id) })
  }
}

/** Records what view_market returned. */
export function recordQuotes(atlas: Atlas, market: Params): void {
  if (market.base_id === undefined) return
  const quotes = rows(market.items).map((row): [string, Quote] => [
    String(row.item_id),
    {
      ask: Number(row.best_sell ?? 0),
      askUnits: Number(row.best_sell_qty ?? 0),
      bid: Number(row.best_buy ?? 0),
      bidUnits: Number(row.best_buy_qty ?? 0),
    },
  ])
  atlas.quotes.set(String(market.base_id), new Map(quotes))
}

/** Returns a list of objects from an answer; an empty one if it is not a list. */
export const rows = (value: unknown): Params[] => (Array.isArray(value) ? (value as Params[]) : [])
