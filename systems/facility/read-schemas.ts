/** Wire shapes of what `facility` tells. Source: contract. */
import { bools, choice, ints, list, mapOf, numbers, obj, opt, strings } from '../../core/params.ts'
import { jobViewSchema } from '../craft/schemas.ts'
import {
  categoryInfoSchema,
  entrySchema,
  factionEntrySchema,
  factionOwnedEntrySchema,
  factionStorageSchema,
  itemQuantitySchema,
  listingEntrySchema,
  ownedEntrySchema,
  ranchFeedInfoSchema,
  ranchYieldInfoSchema,
  recipeInfoSchema,
  rentSummarySchema,
  stationConstructionSchema,
  stationLifeSupportStatusSchema,
  stationPowerStatusSchema,
  typeFilterInfoSchema,
  typePaginationInfoSchema,
  typeSummarySchema,
  upgradeEntrySchema,
} from './result-schemas.ts'

export const typeDiscoverySchema = obj({
  action: choice('What was done.', ['types']),
  categories: mapOf(categoryInfoSchema),
  filters: typeFilterInfoSchema,
  kind: choice('Kind of answer.', ['discovery']),
  pagination: typePaginationInfoSchema,
  ...strings('hint'),
  ...ints('total'),
})

export const typeListSchema = obj({
  action: choice('What was done.', ['types']),
  kind: choice('Kind of answer.', ['list']),
  types: list(typeSummarySchema),
  ...strings('hint'),
  ...ints('page', 'per_page', 'total', 'total_pages'),
})

export const typeDetailSchema = obj({
  action: choice('What was done.', ['types']),
  kind: choice('Kind of answer.', ['detail']),
  ...strings('category', 'description', 'name', 'type_id'),
  ...ints('build_cost', 'build_time', 'labor_cost', 'level', 'rent_per_cycle'),
  ...bools('buildable'),
  ...opt({
    build_materials: list(itemQuantitySchema),
    maintenance_per_cycle: list(itemQuantitySchema),
    recipe: recipeInfoSchema,
    ...strings(
      'bonus_type',
      'degraded_description',
      'faction_service',
      'hint',
      'lore',
      'personal_service',
      'recipe_id',
      'requires_service_name',
      'requires_service_type',
      'satisfied_description',
      'upgrades_from',
      'upgrades_from_name',
      'upgrades_to',
      'upgrades_to_name',
    ),
    ...ints('faction_cap'),
    ...numbers('bonus_value'),
  }),
})

export const listSchema = obj({
  action: choice('What was done.', ['list']),
  faction_facilities: list(entrySchema),
  player_facilities: list(entrySchema),
  station_facilities: list(entrySchema),
  ...strings('base_id'),
  ...opt({
    construction: stationConstructionSchema,
    faction_rent: rentSummarySchema,
    life_support: stationLifeSupportStatusSchema,
    player_rent: rentSummarySchema,
    power: stationPowerStatusSchema,
    public_facilities: list(entrySchema),
  }),
})

export const ownedSchema = obj({
  action: choice('What was done.', ['owned']),
  facilities: list(ownedEntrySchema),
  rent: rentSummarySchema,
  ...opt({ ...strings('hint') }),
})

export const factionOwnedSchema = obj({
  action: choice('What was done.', ['faction_owned']),
  facilities: list(factionOwnedEntrySchema),
  faction_rent: rentSummarySchema,
  ...strings('faction_id'),
  ...ints('total_rent_per_cycle'),
  ...opt({ ...strings('hint', 'note'), ...ints('arrears_owed', 'grace_cycles') }),
})

export const factionListSchema = obj({
  action: choice('What was done.', ['faction_list']),
  faction_facilities: list(factionEntrySchema),
  ...strings('base_id', 'faction_id', 'hint'),
  ...opt({ faction_rent: rentSummarySchema, faction_storage: factionStorageSchema }),
})

export const upgradesSchema = obj({
  action: choice('What was done.', ['upgrades']),
  upgrades: list(upgradeEntrySchema),
  ...strings('base_id', 'hint'),
  ...opt({
    faction_locked_upgrades: list(upgradeEntrySchema),
    faction_upgrades: list(upgradeEntrySchema),
    locked_upgrades: list(upgradeEntrySchema),
    ...strings('faction_upgrade_hint'),
  }),
})

export const browseForSaleSchema = obj({
  action: choice('What was done.', ['browse_for_sale']),
  listings: list(listingEntrySchema),
  ...strings('base_id', 'base_name'),
  ...ints('count'),
})

export const personalVisitSchema = obj({
  action: choice('What was done.', ['personal_visit']),
  ...strings('base_id', 'description', 'facility_name', 'owner'),
  ...opt({ ...strings('access', 'hint') }),
})

export const ranchStatusSchema = obj({
  action: choice('What was done.', ['ranch_status']),
  feed: list(ranchFeedInfoSchema),
  ...strings(
    'anchor_name',
    'anchor_poi',
    'base_id',
    'base_name',
    'facility_id',
    'facility_name',
    'message',
    'species',
    'species_name',
  ),
  ...ints(
    'capacity',
    'cull_target',
    'domestication_reserve',
    'herd',
    'level',
    'max_cull_per_cycle',
    'wild_population',
  ),
  ...numbers('fed_fraction', 'growth_per_cycle', 'range_health'),
  ...bools('domestication_active', 'supplies_ok'),
  ...opt({ produces: list(ranchYieldInfoSchema) }),
})

export const jobListSchema = obj({
  action: choice('What was done.', ['job_list']),
  jobs: list(jobViewSchema),
  ...strings('facility_id', 'venue'),
  ...ints('total_jobs'),
  ...opt({ ...strings('message') }),
})
