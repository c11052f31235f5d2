/**
 * What `inspect` may answer with, by kind. Source: contract, InspectResponse.
 */
import { choice, ints, list, obj, opt, strings } from '../../core/params.ts'
import { getBaseResult } from '../base/schemas.ts'
import { chartedPoiSchema, chartedSystemSchema } from '../intel/schemas.ts'
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

export const inspectResult = obj({
  ...strings('id', 'source'),
  kind: choice('What the id names.', INSPECT_KINDS),
  ...opt({
    catalog: catalogPage,
    system: mapSystemSchema,
    poi: obj(opt({ summary: placeSchema, detail: getPoiResult })),
    base: getBaseResult,
    package: packageInfo,
    faction_poi_intel: chartedPoiSchema,
    faction_system_intel: chartedSystemSchema,
  }),
})
