/** Wire shapes that several answers about facilities share. Source: contract. */
import { bools, ints, list, numbers, obj, opt, strings } from '../../core/params.ts'

export const categoryInfoSchema = obj({
  ...strings('description'),
  ...ints('count'),
  ...opt({ ...ints('buildable') }),
})

export const typeFilterInfoSchema = obj({ ...strings('category', 'level', 'name') })

export const typePaginationInfoSchema = obj({ ...strings('page', 'per_page') })

export const typeSummarySchema = obj({
  ...strings('category', 'id', 'name'),
  ...ints('build_cost', 'level'),
  ...opt({
    ...strings('bonus_type', 'personal_service', 'recipe_id', 'service'),
    ...numbers('bonus_value'),
    ...bools('buildable'),
  }),
})

export const itemQuantitySchema = obj({ ...strings('item_id', 'name'), ...ints('quantity') })

export const recipeInfoSchema = obj({
  inputs: list(itemQuantitySchema),
  outputs: list(itemQuantitySchema),
  ...strings('id', 'name'),
  ...numbers('crafting_time'),
})

export const stationConstructionMaterialSchema = obj({
  ...strings('item_id'),
  ...ints('quantity_in_storage', 'quantity_required'),
  ...opt({ ...strings('name'), ...ints('quantity_missing') }),
})

export const stationConstructionEntrySchema = obj({
  ...strings('category', 'definition_id', 'name', 'status'),
  ...opt({
    materials: list(stationConstructionMaterialSchema),
    ...strings('reason'),
    ...ints('build_cost', 'ticks_until_complete'),
  }),
})

export const stationConstructionSchema = obj({
  ...opt({
    pending: list(stationConstructionEntrySchema),
    under_construction: list(stationConstructionEntrySchema),
  }),
})

export const productionSchema = obj({
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

export const entrySchema = obj({
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

export const rentSummarySchema = obj({
  ...ints('est_rent_per_day', 'facilities', 'total_rent_per_cycle'),
  ...opt({ ...strings('note'), ...ints('arrears_owed', 'grace_cycles') }),
})

export const stationLifeSupportInputSchema = obj({
  ...strings('item_id'),
  ...ints('quantity_per_cycle'),
  ...opt({ ...strings('name') }),
})

export const stationLifeSupportStatusSchema = obj({
  ...ints('demand', 'maintenance_cycle_ticks', 'plants', 'supply'),
  ...opt({
    maintenance: list(stationLifeSupportInputSchema),
    starved: list(stationLifeSupportInputSchema),
    ...strings('remediation'),
  }),
})

export const stationPowerInputSchema = obj({
  ...strings('item_id'),
  ...ints('quantity_per_cycle'),
  ...opt({ ...strings('name') }),
})

export const stationPowerStatusSchema = obj({
  ...ints('battery_capacity', 'battery_stored', 'current_draw', 'supply'),
  ...numbers('efficiency'),
  ...opt({ fuel_inputs: list(stationPowerInputSchema), ...strings('remediation') }),
})

export const ownedEntrySchema = obj({
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

export const factionOwnedEntrySchema = obj({
  ...strings('base_id', 'base_name', 'facility_id', 'name', 'type'),
  ...ints('labor_per_run', 'rent_per_cycle'),
  ...opt({
    ...strings('custom_name', 'system_id'),
    ...ints('arrears_owed', 'missed_rent_cycles', 'rental_fee_per_run', 'repair_complete_tick'),
    ...bools('damaged', 'power_throttled', 'under_construction'),
  }),
})

export const factionEntrySchema = obj({
  ...strings('facility_id', 'faction_service', 'name', 'status', 'type'),
  ...ints('level', 'rent_per_cycle'),
  ...opt({
    ...strings('custom_name'),
    ...ints('capacity', 'missed_rent_cycles', 'rental_fee_per_run', 'ticks_until_complete'),
  }),
})

export const factionStorageSchema = obj({ ...ints('credits', 'item_types', 'rooms') })

export const defSummarySchema = obj({
  ...strings('category', 'description', 'name', 'type_id'),
  ...ints('build_cost', 'build_time', 'labor_cost', 'level', 'rent_per_cycle'),
  ...opt({
    build_materials: list(itemQuantitySchema),
    maintenance_per_cycle: list(itemQuantitySchema),
    ...strings('faction_service', 'recipe_id'),
    ...ints('faction_cap'),
  }),
})

export const upgradeEntrySchema = obj({
  upgrade_to: defSummarySchema,
  ...strings('your_facility_id', 'your_facility_name', 'your_facility_type'),
  ...ints('current_level'),
  ...opt({ ...strings('requires') }),
})

export const listingEntrySchema = obj({
  ...strings('definition_id', 'facility_id', 'listed_at', 'listing_id', 'seller_type'),
  ...ints('price'),
  ...opt({
    ...strings('category', 'compatibility_note', 'facility_name', 'recipe_id', 'seller_name'),
    ...ints('build_cost', 'build_time', 'fuel_capacity_bonus', 'level', 'required_skill_level'),
    ...bools('fuel_output', 'skill_met', 'station_or_faction_only', 'under_construction'),
  }),
})

export const ranchFeedInfoSchema = obj({
  ...strings('resource'),
  ...ints('cycles_left', 'per_cycle', 'stocked'),
})

export const ranchYieldInfoSchema = obj({ ...strings('item'), ...numbers('per_cycle') })

export const dismantleMaterialSchema = obj({ ...strings('item_id'), ...ints('quantity') })

export const repairMaterialSchema = obj({ ...strings('item_id'), ...ints('quantity') })
