/** Wire shapes of answers about facilities. Source: contract. */
import { bools, choice, ints, list, mapOf, numbers, obj, opt, strings } from '../../core/params.ts'
import { jobViewSchema } from '../craft/schemas.ts'

const categoryInfoSchema = obj({
  ...strings('description'),
  ...ints('count'),
  ...opt({ ...ints('buildable') }),
})

const typeFilterInfoSchema = obj({ ...strings('category', 'level', 'name') })

const typePaginationInfoSchema = obj({ ...strings('page', 'per_page') })

const typeSummarySchema = obj({
  ...strings('category', 'id', 'name'),
  ...ints('build_cost', 'level'),
  ...opt({
    ...strings('bonus_type', 'personal_service', 'recipe_id', 'service'),
    ...numbers('bonus_value'),
    ...bools('buildable'),
  }),
})

const itemQuantitySchema = obj({ ...strings('item_id', 'name'), ...ints('quantity') })

const recipeInfoSchema = obj({
  inputs: list(itemQuantitySchema),
  outputs: list(itemQuantitySchema),
  ...strings('id', 'name'),
  ...numbers('crafting_time'),
})

const stationConstructionMaterialSchema = obj({
  ...strings('item_id'),
  ...ints('quantity_in_storage', 'quantity_required'),
  ...opt({ ...strings('name'), ...ints('quantity_missing') }),
})

const stationConstructionEntrySchema = obj({
  ...strings('category', 'definition_id', 'name', 'status'),
  ...opt({
    materials: list(stationConstructionMaterialSchema),
    ...strings('reason'),
    ...ints('build_cost', 'ticks_until_complete'),
  }),
})

const stationConstructionSchema = obj({
  ...opt({
    pending: list(stationConstructionEntrySchema),
    under_construction: list(stationConstructionEntrySchema),
  }),
})

const productionSchema = obj({
  ...ints('backlog_ticks', 'queued_items', 'queued_runs'),
  ...opt({
    ...strings('recipe'),
    ...ints(
      'items_per_hour',
      'output_per_run',
      'pack_operations_per_hour',
      'rental_fee_per_run',
      'unpack_operations_per_hour',
    ),
    ...numbers('output_price_per_operation', 'output_price_per_unit', 'ticks_per_run'),
    ...bools('public'),
  }),
})

const entrySchema = obj({
  ...strings('category', 'description', 'facility_id', 'name', 'type'),
  ...ints('level'),
  ...opt({
    maintenance_per_cycle: list(itemQuantitySchema),
    production: productionSchema,
    ...strings(
      'bonus_type',
      'custom_name',
      'faction_id',
      'faction_service',
      'owner_id',
      'personal_service',
      'recipe_id',
      'service',
    ),
    ...ints(
      'capacity',
      'dining_points',
      'labor_per_cycle',
      'leisure_points',
      'missed_rent_cycles',
      'rent_paid_until_tick',
      'rent_per_cycle',
      'repair_complete_tick',
    ),
    ...numbers('bonus_value', 'maintenance_level'),
    ...bools(
      'damaged',
      'is_recycler',
      'maintenance_satisfied',
      'power_throttled',
      'tourism_upkeep',
      'under_construction',
    ),
  }),
})

const rentSummarySchema = obj({
  ...ints('est_rent_per_day', 'facilities', 'total_rent_per_cycle'),
  ...opt({ ...strings('note'), ...ints('arrears_owed', 'grace_cycles') }),
})

const stationLifeSupportInputSchema = obj({
  ...strings('item_id'),
  ...ints('quantity_per_cycle'),
  ...opt({ ...strings('name') }),
})

const stationLifeSupportStatusSchema = obj({
  ...ints('demand', 'maintenance_cycle_ticks', 'plants', 'supply'),
  ...opt({
    maintenance: list(stationLifeSupportInputSchema),
    starved: list(stationLifeSupportInputSchema),
    ...strings('remediation'),
  }),
})

const stationPowerInputSchema = obj({
  ...strings('item_id'),
  ...ints('quantity_per_cycle'),
  ...opt({ ...strings('name') }),
})

const stationPowerStatusSchema = obj({
  ...ints('battery_capacity', 'battery_stored', 'current_draw', 'supply'),
  ...numbers('efficiency'),
  ...opt({ fuel_inputs: list(stationPowerInputSchema), ...strings('remediation') }),
})

const ownedEntrySchema = obj({
  ...strings('base_id', 'base_name', 'facility_id', 'name', 'type'),
  ...ints('rent_per_cycle'),
  ...opt({
    ...strings('custom_name', 'system_id'),
    ...ints(
      'arrears_owed',
      'labor_per_run',
      'missed_rent_cycles',
      'rental_fee_per_run',
      'repair_complete_tick',
    ),
    ...bools('damaged', 'power_throttled', 'under_construction'),
  }),
})

const factionOwnedEntrySchema = obj({
  ...strings('base_id', 'base_name', 'facility_id', 'name', 'type'),
  ...ints('labor_per_run', 'rent_per_cycle'),
  ...opt({
    ...strings('custom_name', 'system_id'),
    ...ints('arrears_owed', 'missed_rent_cycles', 'rental_fee_per_run', 'repair_complete_tick'),
    ...bools('damaged', 'power_throttled', 'under_construction'),
  }),
})

const factionEntrySchema = obj({
  ...strings('facility_id', 'faction_service', 'name', 'status', 'type'),
  ...ints('level', 'rent_per_cycle'),
  ...opt({
    ...strings('custom_name'),
    ...ints('capacity', 'missed_rent_cycles', 'rental_fee_per_run', 'ticks_until_complete'),
  }),
})

const factionStorageSchema = obj({ ...ints('credits', 'item_types', 'rooms') })

const defSummarySchema = obj({
  ...strings('category', 'description', 'name', 'type_id'),
  ...ints('build_cost', 'build_time', 'labor_cost', 'level', 'rent_per_cycle'),
  ...opt({
    build_materials: list(itemQuantitySchema),
    maintenance_per_cycle: list(itemQuantitySchema),
    ...strings('faction_service', 'recipe_id'),
    ...ints('faction_cap'),
  }),
})

const upgradeEntrySchema = obj({
  upgrade_to: defSummarySchema,
  ...strings('your_facility_id', 'your_facility_name', 'your_facility_type'),
  ...ints('current_level'),
  ...opt({ ...strings('requires') }),
})

const listingEntrySchema = obj({
  ...strings('definition_id', 'facility_id', 'listed_at', 'listing_id', 'seller_type'),
  ...ints('price'),
  ...opt({
    ...strings('category', 'compatibility_note', 'facility_name', 'recipe_id', 'seller_name'),
    ...ints('build_cost', 'build_time', 'fuel_capacity_bonus', 'level', 'required_skill_level'),
    ...bools('fuel_output', 'skill_met', 'station_or_faction_only', 'under_construction'),
  }),
})

const ranchFeedInfoSchema = obj({
  ...strings('resource'),
  ...ints('cycles_left', 'per_cycle', 'stocked'),
})

const ranchYieldInfoSchema = obj({ ...strings('item'), ...numbers('per_cycle') })

export const dismantleMaterialSchema = obj({ ...strings('item_id'), ...ints('quantity') })

export const repairMaterialSchema = obj({ ...strings('item_id'), ...ints('quantity') })

/* Answers to reads */

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
