/**
 * What `inspect` may answer with, by kind. What a faction has charted comes with its
 * domain and is absent from answers until then. Source: contract, InspectResponse.
 */
import { bools, choice, ints, list, numbers, obj, opt, strings } from '../../core/params.ts'
import { getBaseResult } from '../base/schemas.ts'
import { getPoiResult, mapSystemSchema } from '../travel/schemas.ts'
import { placeSchema } from '../travel/views.ts'
import { catalogPage } from './catalog-schemas.ts'

export const INSPECT_KINDS = [
  'package',
  'item',
  'module',
  'ship_class',
  'system',
  'poi',
  'base',
] as const

const packageInfo = obj({
  ...strings('package_id', 'label', 'created_at'),
  ...ints('size'),
  contents: list(
    obj({
      ...strings('item_id'),
      ...ints('quantity'),
      ...opt({ ...strings('name'), ...ints('size') }),
    }),
  ),
  creator: obj({
    ...strings('player_id'),
    ...opt({
      ...strings('username'),
      faction: obj({ ...strings('id', 'type'), ...opt(strings('name', 'tag')) }),
    }),
  }),
  owner: obj({ ...strings('id', 'type'), ...opt(strings('name', 'tag')) }),
})

const chartedPoi = obj({
  ...strings('id', 'name', 'type'),
  position: obj(numbers('x', 'y')),
  ...opt({
    ...strings('base_id', 'base_name', 'class', 'description'),
    resources: list(
      obj({
        ...strings('resource_id'),
        ...ints('remaining', 'richness'),
        ...opt({ ...numbers('depletion_percent'), ...ints('max_remaining') }),
        ...opt(strings('remaining_display')),
      }),
    ),
  }),
})

const chartedSystem = obj({
  ...strings('system_id', 'name', 'submitted_by', 'submitter_name'),
  ...ints('police_level', 'submitted_at_tick'),
  ...opt({
    ...strings('description', 'empire'),
    ...bools('auto_synced'),
    connections: list(
      obj({ ...strings('system_id'), ...opt({ ...strings('name'), ...ints('distance') }) }),
    ),
    pois: list(chartedPoi),
  }),
})

export const inspectResult = obj({
  ...strings('id', 'source'),
  kind: choice('What the id names.', INSPECT_KINDS),
  ...opt({
    catalog: catalogPage,
    system: mapSystemSchema,
    poi: obj(opt({ summary: placeSchema, detail: getPoiResult })),
    base: getBaseResult,
    package: packageInfo,
    faction_poi_intel: chartedPoi,
    faction_system_intel: chartedSystem,
  }),
})
