/** Judging what members submit: known ids, clean texts, bounds; nothing of it is believed. */

import { findGoods, itemIndex } from '../../core/catalog/index.ts'
import { badFields, type Failure, type Outcome, ok } from '../../core/errors.ts'
import { words } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { byteLength, cleanText, type TextError } from '../../core/text-rules.ts'
import type { WorldView } from '../../core/types.ts'
import { baseById } from '../base/model.ts'
import type { Seen, SeenExchange } from '../market/schemas.ts'
import { systemById } from '../travel/model.ts'
import type { NewNote } from './model.ts'
import type { GivenPoi, GivenStation, GivenSystem } from './schemas.ts'
import {
  INTEL_DEPOSITS_MAX,
  INTEL_LANES_MAX,
  INTEL_NAME_CHARACTERS_MAX,
  INTEL_POIS_MAX,
  INTEL_SYSTEM_BYTES_MAX,
  INTEL_SYSTEMS_MAX,
  INTEL_TEXT_CHARACTERS_MAX,
  PRICES_ITEMS_MAX,
  PRICES_STATIONS_MAX,
} from './state.ts'

const wrong = (field: string, expected: string): Failure<'invalid_payload'> =>
  badFields({ field, expected })

/** Fields of an object that are there, of those named. */
function pick<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  const kept = names.filter((name) => Object.hasOwn(from, name) && from[name] !== undefined)
  return Object.fromEntries(kept.map((name) => [name, from[name]])) as Pick<T, K>
}

const POI_FIELDS = ['id', 'name', 'type', 'class', 'description', 'base_id', 'base_name'] as const

/** What is kept of a place: the fields that are known, others are dropped. */
const keptPoi = (poi: GivenPoi): GivenPoi => ({
  ...pick(poi, ...POI_FIELDS),
  ...(poi.position === undefined ? {} : { position: pick(poi.position, 'x', 'y') }),
  ...(poi.resources === undefined
    ? {}
    : {
        resources: poi.resources.map((row) =>
          pick(
            row,
            ...words('resource_id richness remaining max_remaining'),
            ...words('depletion_percent remaining_display'),
          ),
        ),
      }),
})

const keptSystem = (given: GivenSystem): GivenSystem => ({
  ...pick(given, 'system_id', 'name', 'description', 'empire', 'police_level'),
  ...(given.connections === undefined
    ? {}
    : {
        connections: given.connections.map((lane) => pick(lane, 'system_id', 'name', 'distance')),
      }),
  ...(given.pois === undefined ? {} : { pois: given.pois.map(keptPoi) }),
})

/** Every text in a value, by the rules of free text; the first that breaks them is the refusal. */
function cleaned<T>(value: T, field: string): Outcome<T, TextError> {
  if (typeof value === 'string') {
    const max = field.endsWith('description')
      ? INTEL_TEXT_CHARACTERS_MAX
      : INTEL_NAME_CHARACTERS_MAX
    const isId = field.endsWith('id')
    const text = cleanText(value, {
      max,
      field,
      unit: 'codepoints',
      ...(isId ? {} : { mayBeEmpty: true as const }),
    })
    return text as Outcome<T, TextError>
  }
  if (typeof value !== 'object' || value === null) return ok(value)
  const parts: [string, unknown][] = []
  for (const [key, part] of Object.entries(value)) {
    const clean = cleaned(part, `${field}/${key}`)
    if (!clean.ok) return clean
    parts.push([key, clean.result])
  }
  const result = Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts)
  return ok(result as T)
}

function sizeRefusal(
  { pois = [], connections = [] }: GivenSystem,
  field: string,
): Failure<'invalid_payload'> | undefined {
  if (pois.length > INTEL_POIS_MAX) return wrong(`${field}/pois`, `at most ${INTEL_POIS_MAX}`)
  if (connections.length > INTEL_LANES_MAX) {
    return wrong(`${field}/connections`, `at most ${INTEL_LANES_MAX}`)
  }
  const full = pois.findIndex(({ resources = [] }) => resources.length > INTEL_DEPOSITS_MAX)
  if (full >= 0) return wrong(`${field}/pois/${full}/resources`, `at most ${INTEL_DEPOSITS_MAX}`)
  const ids = new Set(pois.map(({ id }) => id.trim()))
  return ids.size < pois.length ? wrong(`${field}/pois`, 'each place once') : undefined
}

const lower = (values: readonly string[]): string[] => [
  ...new Set(values.map((value) => value.toLowerCase())),
]

function judgeSystem(
  view: WorldView,
  given: GivenSystem,
  field: string,
): Outcome<NewNote, TextError> {
  const system = systemById(view, given.system_id.trim())
  if (system === 0)
    return wrong(`${field}/system_id`, say`a system of the chart; {get_map} lists them`)
  const many = sizeRefusal(given, field)
  if (many) return many
  const clean = cleaned(keptSystem(given), field)
  if (!clean.ok) return clean
  const text = JSON.stringify(clean.result)
  if (byteLength(text) > INTEL_SYSTEM_BYTES_MAX) {
    return wrong(field, `at most ${INTEL_SYSTEM_BYTES_MAX} bytes; say less, or fewer places`)
  }
  const { pois = [] } = clean.result
  return ok({
    system,
    note: {
      given: text,
      pois: pois.length,
      types: lower(pois.flatMap((poi) => [poi.type ?? [], poi.class ?? []].flat())),
      finds: lower(pois.flatMap(({ resources = [] }) => resources.map((row) => row.resource_id))),
    },
  })
}

/** All of a list, or the first refusal. */
function each<T, R>(
  rows: readonly T[],
  judge: (row: T, at: number) => Outcome<R, TextError>,
): Outcome<R[], TextError> {
  const judged: R[] = []
  for (const [at, row] of rows.entries()) {
    const outcome = judge(row, at)
    if (!outcome.ok) return outcome
    judged.push(outcome.result)
  }
  return ok(judged)
}

/** What is submitted of systems. Refusals: invalid_payload, too_long. */
export function judgeSystems(
  view: WorldView,
  systems: readonly GivenSystem[],
): Outcome<NewNote[], 'invalid_payload' | 'too_long'> {
  if (systems.length < 1 || systems.length > INTEL_SYSTEMS_MAX) {
    return wrong('systems', `1 to ${INTEL_SYSTEMS_MAX} systems`)
  }
  const judged = each(systems, (given, at) => judgeSystem(view, given, `systems/${at}`))
  if (!judged.ok) return judged
  const rows = new Set(judged.result.map(({ system }) => system))
  return rows.size < systems.length ? wrong('systems', 'each system once') : judged
}

type GivenItem = GivenStation['items'][number]

function judgeItem(given: GivenItem, field: string): Outcome<Seen, 'invalid_payload'> {
  const item = itemIndex(given.item_id.trim().toLowerCase())
  if (item < 0) {
    const meant = findGoods(given.item_id).length === 1 ? ', by its id' : ''
    return wrong(`${field}/item_id`, `an item of the catalog${meant}`)
  }
  const { best_buy = 0, best_sell = 0, buy_volume = 0, sell_volume = 0 } = given
  return ok({
    item,
    price: [best_sell, best_buy],
    bestUnits: [0, 0],
    units: [sell_volume, buy_volume],
  })
}

function judgeStation(
  view: WorldView,
  given: GivenStation,
  field: string,
): Outcome<SeenExchange, TextError> {
  const base = baseById(view, given.base_id.trim())
  if (base === 0) return wrong(`${field}/base_id`, say`a station; {get_system} shows them`)
  if (given.items.length > PRICES_ITEMS_MAX) {
    return wrong(`${field}/items`, `at most ${PRICES_ITEMS_MAX}`)
  }
  const items = each(given.items, (row, at) => judgeItem(row, `${field}/items/${at}`))
  if (!items.ok) return items
  if (new Set(items.result.map(({ item }) => item)).size < given.items.length) {
    return wrong(`${field}/items`, 'each item once')
  }
  const sorted = items.result.sort((a, b) => a.item - b.item)
  return ok({ base, tick: view.tick, items: sorted })
}

/** What is submitted of prices. Refusal: invalid_payload. */
export function judgeStations(
  view: WorldView,
  stations: readonly GivenStation[],
): Outcome<SeenExchange[], 'invalid_payload' | 'too_long'> {
  if (stations.length < 1 || stations.length > PRICES_STATIONS_MAX) {
    return wrong('stations', `1 to ${PRICES_STATIONS_MAX} stations`)
  }
  const judged = each(stations, (given, at) => judgeStation(view, given, `stations/${at}`))
  if (!judged.ok) return judged
  const bases = new Set(judged.result.map(({ base }) => base))
  return bases.size < stations.length ? wrong('stations', 'each station once') : judged
}
