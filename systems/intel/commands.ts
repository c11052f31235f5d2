/**
 * Submissions of members to the intelligence of their faction: ids must exist, texts must be clean,
 * sizes within limits; whether they are true is not checked. Source: factions.md section 6.
 */
import { findGoods, itemIndex } from '../../core/catalog/index.ts'
import { type CommandDef, mutation } from '../../core/command.ts'
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { ints, obj, strings, words } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import { byteLength, cleanText, type TextError } from '../../core/text-rules.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { baseById } from '../base/model.ts'
import { factionOf, recordFactionLog } from '../faction/model.ts'
import { IN_FACTION } from '../faction/needs.ts'
import { logAction } from '../log/rules.ts'
import type { ExchangeSnapshot, ItemQuote } from '../market/schemas.ts'
import { hasRoomForSights, storeSight } from '../market/sight-model.ts'
import { systemById } from '../travel/model.ts'
import { levelOfService, mayKeepNotes, type NewNote } from './model.ts'
import { keepNotes, keepPrices } from './rules.ts'
import {
  type GivenPoi,
  type GivenStation,
  type GivenSystem,
  stationsParam,
  systemsParam,
} from './schemas.ts'
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
  PriceNote,
} from './state.ts'

/* Validation */

const invalid = (field: string, expected: string): Failure<'invalid_payload'> =>
  invalidFields({ field, expected })

/** Returns a copy of an object with only those of the named fields that it has. */
function pick<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  const kept = names.filter((name) => Object.hasOwn(from, name) && from[name] !== undefined)
  return Object.fromEntries(kept.map((name) => [name, from[name]])) as Pick<T, K>
}

const POI_FIELDS = ['id', 'name', 'type', 'class', 'description', 'base_id', 'base_name'] as const

/** Returns a submitted POI with only the known fields. */
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

/** Cleans every text in a value; refuses the first one that violates the rules of free text. */
function cleaned<T>(value: T, field: string): Outcome<T, TextError> {
  if (typeof value === 'string') {
    const isText = field.endsWith('description')
    return cleanText(value, {
      max: isText ? INTEL_TEXT_CHARACTERS_MAX : INTEL_NAME_CHARACTERS_MAX,
      field,
      unit: 'codepoints',
      ...(field.endsWith('id') ? {} : { mayBeEmpty: true as const }),
    }) as Outcome<T, TextError>
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
  if (pois.length > INTEL_POIS_MAX) return invalid(`${field}/pois`, `at most ${INTEL_POIS_MAX}`)
  if (connections.length > INTEL_LANES_MAX) {
    return invalid(`${field}/connections`, `at most ${INTEL_LANES_MAX}`)
  }
  const full = pois.findIndex(({ resources = [] }) => resources.length > INTEL_DEPOSITS_MAX)
  if (full >= 0) return invalid(`${field}/pois/${full}/resources`, `at most ${INTEL_DEPOSITS_MAX}`)
  const ids = new Set(pois.map(({ id }) => id.trim()))
  return ids.size < pois.length ? invalid(`${field}/pois`, 'each place once') : undefined
}

const lower = (values: readonly string[]): string[] => [
  ...new Set(values.map((value) => value.toLowerCase())),
]

function checkSystem(
  view: WorldView,
  given: GivenSystem,
  field: string,
): Outcome<NewNote, TextError> {
  const system = systemById(view, given.system_id.trim())
  if (system === 0) {
    return invalid(`${field}/system_id`, say`a system of the chart; {get_map} lists them`)
  }
  const tooMany = sizeRefusal(given, field)
  if (tooMany) return tooMany
  const clean = cleaned(keptSystem(given), field)
  if (!clean.ok) return clean
  const text = JSON.stringify(clean.result)
  if (byteLength(text) > INTEL_SYSTEM_BYTES_MAX) {
    return invalid(field, `at most ${INTEL_SYSTEM_BYTES_MAX} bytes; shorten texts or omit places`)
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

/** Checks every row of a list; returns the results, or the first refusal. */
function checkEach<T, R>(
  rows: readonly T[],
  check: (row: T, index: number) => Outcome<R, TextError>,
): Outcome<R[], TextError> {
  const checked: R[] = []
  for (const [index, row] of rows.entries()) {
    const outcome = check(row, index)
    if (!outcome.ok) return outcome
    checked.push(outcome.result)
  }
  return ok(checked)
}

/** Checks the submitted systems. Refusals: invalid_payload, too_long. */
function checkSystems(
  view: WorldView,
  systems: readonly GivenSystem[],
): Outcome<NewNote[], 'invalid_payload' | 'too_long'> {
  if (systems.length < 1 || systems.length > INTEL_SYSTEMS_MAX) {
    return invalid('systems', `1 to ${INTEL_SYSTEMS_MAX} systems`)
  }
  const checked = checkEach(systems, (given, index) => checkSystem(view, given, `systems/${index}`))
  if (!checked.ok) return checked
  const rows = new Set(checked.result.map(({ system }) => system))
  return rows.size < systems.length ? invalid('systems', 'each system once') : checked
}

type GivenItem = GivenStation['items'][number]

function checkItem(given: GivenItem, field: string): Outcome<ItemQuote, 'invalid_payload'> {
  const item = itemIndex(given.item_id.trim().toLowerCase())
  if (item < 0) {
    const hint = findGoods(given.item_id).length === 1 ? ', by its id' : ''
    return invalid(`${field}/item_id`, `an item of the catalog${hint}`)
  }
  const { best_buy = 0, best_sell = 0, buy_volume = 0, sell_volume = 0 } = given
  return ok({
    item,
    price: [best_sell, best_buy],
    bestUnits: [0, 0],
    units: [sell_volume, buy_volume],
  })
}

function checkStation(
  view: WorldView,
  given: GivenStation,
  field: string,
): Outcome<ExchangeSnapshot, TextError> {
  const base = baseById(view, given.base_id.trim())
  if (base === 0) return invalid(`${field}/base_id`, say`a station; {get_system} shows them`)
  if (given.items.length > PRICES_ITEMS_MAX) {
    return invalid(`${field}/items`, `at most ${PRICES_ITEMS_MAX}`)
  }
  const items = checkEach(given.items, (row, index) => checkItem(row, `${field}/items/${index}`))
  if (!items.ok) return items
  if (new Set(items.result.map(({ item }) => item)).size < given.items.length) {
    return invalid(`${field}/items`, 'each item once')
  }
  const sorted = items.result.sort((a, b) => a.item - b.item)
  return ok({ base, tick: view.tick, items: sorted })
}

/** Checks the submitted stations. Refusal: invalid_payload. */
function checkStations(
  view: WorldView,
  stations: readonly GivenStation[],
): Outcome<ExchangeSnapshot[], 'invalid_payload' | 'too_long'> {
  if (stations.length < 1 || stations.length > PRICES_STATIONS_MAX) {
    return invalid('stations', `1 to ${PRICES_STATIONS_MAX} stations`)
  }
  const checked = checkEach(stations, (given, index) =>
    checkStation(view, given, `stations/${index}`),
  )
  if (!checked.ok) return checked
  const bases = new Set(checked.result.map(({ base }) => base))
  return bases.size < stations.length ? invalid('stations', 'each station once') : checked
}

/* Commands */

const FULL = 'The server cannot keep more entries at present; submit fewer.'

/** Returns the message for the answer and the logs; `dropped` is the number of entries dropped. */
function submissionMessage(kept: number, noun: string, dropped: number): string {
  const note = dropped === 0 ? '' : ` Older entries dropped: ${dropped}.`
  return `${counted(kept, noun)} recorded.${note}`
}

/** Logs a submission in the logs of the member and of the faction. */
function logSubmission(world: World, player: Eid, verb: string, message: string): void {
  logAction(world, player, 'faction', verb, message)
  const summary = `${usernameOf(world, player)}: ${message}`
  recordFactionLog(world, factionOf(world, player), player, { verb, summary })
}

export const submitIntel: CommandDef = mutation({
  name: 'faction_submit_intel',
  v2: { tool: 'game_intel', action: 'submit_intel' },
  summary: 'Submit what you know of systems to your faction; it keeps the latest of each system.',
  category: 'faction',
  order: 'plain',
  needs: [IN_FACTION],
  changes: [],
  params: obj({ systems: systemsParam }),
  result: obj({ ...ints('count'), ...strings('message', 'status') }),
  errors: ['no_intel_facility', 'invalid_payload', 'too_long', 'limit_reached'],
  run(world, player, { systems }) {
    const faction = factionOf(world, player)
    if (levelOfService(world, faction, 'faction_intel') === 0) return fail('no_intel_facility')
    const checked = checkSystems(world, systems)
    if (!checked.ok) return checked
    const notes = checked.result
    if (!mayKeepNotes(world, faction, notes)) return fail('limit_reached', undefined, FULL)
    const { dropped, paths } = keepNotes(world, player, notes)
    const shared = paths === 0 ? '' : ` New to the faction: ${counted(paths, 'wormhole')}.`
    const message = `${submissionMessage(notes.length, 'system', dropped)}${shared}`
    logSubmission(world, player, 'intel_submitted', message)
    return ok({ count: notes.length, message, status: 'submitted' })
  },
})

function mayKeepStations(view: WorldView, stations: readonly ExchangeSnapshot[]): boolean {
  const quotes = stations.reduce((sum, { items }) => sum + items.length, 0)
  return (
    view.roomIn(PriceNote) >= stations.length && hasRoomForSights(view, quotes, stations.length)
  )
}

/** Stores the prices of stations; returns how many older notes were dropped. */
function keepStations(world: World, player: Eid, stations: readonly ExchangeSnapshot[]): number {
  let dropped = 0
  for (const seen of stations) {
    const sight = storeSight(world, seen)
    const { base, items } = seen
    dropped += keepPrices(world, player, { base, sight, quotes: items.length, isGiven: true })
  }
  return dropped
}

export const submitTradeIntel: CommandDef = mutation({
  name: 'faction_submit_trade_intel',
  v2: { tool: 'game_intel', action: 'submit_trade_intel' },
  summary: 'Submit prices of stations to your faction; it keeps the latest of each station.',
  category: 'faction',
  order: 'plain',
  needs: [IN_FACTION],
  changes: [],
  params: obj({ stations: stationsParam }),
  result: obj({ ...ints('stations_updated'), ...strings('message', 'status') }),
  errors: ['no_trade_ledger', 'invalid_payload', 'too_long', 'limit_reached'],
  run(world, player, { stations }) {
    const faction = factionOf(world, player)
    if (levelOfService(world, faction, 'faction_trade_intel') === 0) return fail('no_trade_ledger')
    const checked = checkStations(world, stations)
    if (!checked.ok) return checked
    const seen = checked.result
    if (!mayKeepStations(world, seen)) return fail('limit_reached', undefined, FULL)
    const message = submissionMessage(seen.length, 'station', keepStations(world, player, seen))
    logSubmission(world, player, 'trade_intel_submitted', message)
    return ok({ stations_updated: seen.length, message, status: 'submitted' })
  },
})
