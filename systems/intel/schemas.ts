/** Wire shapes of intelligence. Source: contract, Intel…, TradeIntel…, FactionScan…. */
import {
  bools,
  choice,
  int,
  ints,
  itemId,
  list,
  numbers,
  obj,
  opt,
  optional,
  ref,
  type Static,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { chartedSystemSchema } from '../../core/public/intel-map.ts'
import { say } from '../../core/say.ts'
import { contactSchema } from '../sensing/state.ts'
import {
  INTEL_DEPOSITS_MAX,
  INTEL_LANES_MAX,
  INTEL_NAME_CHARACTERS_MAX,
  INTEL_POIS_MAX,
  INTEL_SYSTEMS_MAX,
  INTEL_TEXT_CHARACTERS_MAX,
  PRICES_ITEMS_MAX,
  PRICES_STATIONS_MAX,
} from './state.ts'

/* Submissions */

const name = (description: string, example: string) =>
  str(description, { max: INTEL_NAME_CHARACTERS_MAX, example })
const id = (description: string, example: string) =>
  str(description, { min: 1, max: INTEL_NAME_CHARACTERS_MAX, example })
const textField = (description: string) =>
  str(description, { max: INTEL_TEXT_CHARACTERS_MAX, example: 'Quiet, but for the wrecks.' })

const COORDINATE_MAX = 1_000_000_000
const coordinate = (axis: string) =>
  Type.Number({
    description: say`${axis} as {get_system} shows it.`,
    minimum: -COORDINATE_MAX,
    maximum: COORDINATE_MAX,
    examples: [1.5],
  })

const givenResource = obj({
  resource_id: id('Item of the deposit.', 'iron_ore'),
  richness: optional(int('Richness.', { min: 0, max: 1_000_000, example: 40 })),
  remaining: optional(int('Units left; -1 for endless.', { min: -1, example: 900 })),
  max_remaining: optional(int('Units of the full deposit.', { min: 0, example: 1_000 })),
  depletion_percent: optional(
    Type.Number({ description: 'Share mined, %.', minimum: 0, maximum: 100, examples: [10] }),
  ),
  remaining_display: optional(name('Units left in words.', 'abundant')),
})

const givenPoi = obj({
  id: id('Id of the place.', 'sol_belt'),
  name: optional(name('Its name.', 'Main Belt')),
  type: optional(name('Its type.', 'asteroid_belt')),
  class: optional(name('Its class.', 'metallic')),
  description: optional(textField('Its description.')),
  base_id: optional(name('Base there.', 'sol_station')),
  base_name: optional(name('Name of the base.', 'Sol Station')),
  position: optional(obj({ x: coordinate('x'), y: coordinate('y') })),
  resources: optional(
    Type.Array(givenResource, {
      description: 'Its deposits.',
      maxItems: INTEL_DEPOSITS_MAX,
      examples: [[{ resource_id: 'iron_ore', richness: 40, remaining: 900 }]],
    }),
  ),
})

const givenLane = obj({
  system_id: id('System to which the lane leads.', 'sol'),
  name: optional(name('Name of that system.', 'Sol')),
  distance: optional(int('Length of the lane, GU.', { min: 0, example: 12 })),
})

const givenSystem = obj({
  system_id: ref('system', id('Id of the system.', 'sol')),
  name: optional(name('Its name.', 'Sol')),
  description: optional(textField('Its description.')),
  empire: optional(name('Its empire.', 'solarian')),
  police_level: optional(int('Police level.', { min: 0, max: 100, example: 80 })),
  connections: optional(
    Type.Array(givenLane, {
      description: 'Its lanes.',
      maxItems: INTEL_LANES_MAX,
      examples: [[{ system_id: 'sol' }]],
    }),
  ),
  pois: optional(
    Type.Array(givenPoi, {
      description: `Its places, at most ${INTEL_POIS_MAX}.`,
      maxItems: INTEL_POIS_MAX,
      examples: [[{ id: 'sol_belt', name: 'Main Belt', type: 'asteroid_belt' }]],
    }),
  ),
})
export type GivenSystem = Static<typeof givenSystem>
export type GivenPoi = Static<typeof givenPoi>

export const systemsParam = Type.Array(givenSystem, {
  description: `Systems as you know them, at most ${INTEL_SYSTEMS_MAX}, each of at most 8 KiB.`,
  minItems: 1,
  maxItems: INTEL_SYSTEMS_MAX,
  examples: [[{ system_id: 'sol', description: 'Quiet.' }]],
})

const figure = (description: string) => int(description, { min: 0, example: 25 })

const givenStation = obj({
  base_id: ref('base', id('Id of the station.', 'sol_station')),
  items: Type.Array(
    obj({
      item_id: itemId(),
      best_buy: optional(figure('Best bid price; 0 for none.')),
      best_sell: optional(figure('Best ask price; 0 for none.')),
      buy_volume: optional(figure('Units bid for.')),
      sell_volume: optional(figure('Units offered.')),
    }),
    {
      description: `Items traded there, at most ${PRICES_ITEMS_MAX}, each once.`,
      maxItems: PRICES_ITEMS_MAX,
      examples: [[{ item_id: 'iron_ore', best_buy: 20, best_sell: 25 }]],
    },
  ),
})
export type GivenStation = Static<typeof givenStation>

export const stationsParam = Type.Array(givenStation, {
  description: `Stations and their prices, at most ${PRICES_STATIONS_MAX}.`,
  minItems: 1,
  maxItems: PRICES_STATIONS_MAX,
  examples: [[{ base_id: 'sol_station', items: [{ item_id: 'iron_ore', best_sell: 25 }] }]],
})

/* Results */

export const intelResult = obj({
  ...ints('count', 'current_tick', 'intel_level', 'total', 'limit', 'offset'),
  ...strings('message'),
  entries: list(chartedSystemSchema),
  live_systems: list(Type.String()),
})

const contributionFields = opt({
  ...ints('contributors', 'most_recent_tick', 'top_contributions'),
  ...strings('top_contributor'),
})

export const intelStatusResult = obj({
  ...numbers('coverage_pct'),
  ...ints('intel_level', 'pois_known', 'systems_known', 'total_systems'),
  ...contributionFields,
})

const pricesSchema = obj({
  ...strings('base_id', 'station_name', 'system_id', 'submitted_by', 'submitter_name'),
  ...ints('submitted_at_tick'),
  ...opt(bools('auto_synced')),
  items: list(
    obj({
      ...strings('item_id', 'item_name'),
      ...ints('best_buy', 'best_sell', 'buy_volume', 'sell_volume'),
    }),
  ),
})

export const tradeIntelResult = obj({
  ...ints('intel_level', 'showing', 'total', 'limit', 'offset'),
  entries: list(pricesSchema),
})

export const tradeIntelStatusResult = obj({
  ...numbers('coverage_pct'),
  ...ints('intel_level', 'items_tracked', 'stations_known', 'total_stations'),
  ...contributionFields,
})

export const sensorResult = obj({
  ...strings('poi_id', 'poi_name', 'system_id', 'facility_station', 'message'),
  ...ints('facility_level', 'hops', 'scan_power'),
  ...bools('signature_detected'),
  contacts: list(contactSchema),
  npcs: list(obj({ ...strings('id'), ...opt(strings('empire', 'name', 'role', 'ship_class')) })),
  pirates: list(obj({ ...strings('id'), ...opt(strings('name', 'role', 'ship_class')) })),
})

export const espionageResult = obj({
  ...strings('action', 'outcome', 'story'),
  ...opt({ ...strings('intel_type'), ...bools('auto_docked', 'auto_undocked') }),
})

/* Findings */

export const findItemResult = obj({
  ...strings('item_id', 'message'),
  ...ints('count', 'total', 'limit', 'offset'),
  found: list(
    obj({
      kind: choice('What was seen.', ['market', 'deposit', 'ship']),
      source: choice('Whose knowledge it is.', ['self', 'faction']),
      ...strings('system_id', 'system_name', 'poi_id', 'poi_name'),
      ...ints('seen_at_tick', 'age_ticks'),
      ...opt(strings('base_id', 'base_name')),
      ...opt(ints('jumps', 'price', 'quantity', 'bid_price', 'bid_quantity')),
    }),
  ),
})
