/**
 * Addresses that read the world without a login: the one table that their routes, OpenAPI and the
 * page of HTTP are made from. Source: WIRE 6.6-6.8, newer.md section 3.
 */
import { itemIndex } from '../../core/catalog/index.ts'

export interface PublicData {
  /** As the router has it; a segment `:name` is the query's parameter of that name. */
  readonly path: string
  readonly operationId: string
  /** The internal query that answers; its result is the body. */
  readonly query: string
  readonly about: string
  /** The parameter in the path, and whether a value of it can have an answer. */
  readonly param?: {
    readonly name: string
    readonly about: string
    readonly example: string
    isKnown(value: string): boolean
  }
}

export const PUBLIC_DATA: readonly PublicData[] = [
  {
    path: '/api/stats',
    operationId: 'getStats',
    query: 'internal:stats',
    about: 'players, systems and forum in numbers, and the tick',
  },
  {
    path: '/api/map',
    operationId: 'getPublicMap',
    query: 'internal:map',
    about: 'all systems with place, lanes and how many players are online there',
  },
  {
    path: '/api/stations',
    operationId: 'getPublicStations',
    query: 'internal:stations',
    about: 'all stations with services and condition',
  },
  {
    path: '/api/market/item/:item_id',
    operationId: 'getItemQuotes',
    query: 'internal:item_quotes',
    about: 'what an item costs and fetches at every station that trades it',
    param: {
      name: 'item_id',
      about: 'Id of an item of the catalogue.',
      example: 'iron_ore',
      isKnown: (id) => itemIndex(id) >= 0,
    },
  },
]

/** A path of the router as documents write it: `:name` is `{name}`. */
export const shownPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}')
