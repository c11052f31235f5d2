/** Wire shapes of what `facility` has done. Source: contract. */
import {
  bools,
  choice,
  ints,
  list,
  mapOf,
  numbers,
  obj,
  opt,
  strings,
  Type,
} from '../../core/params.ts'
import { dismantleMaterialSchema, repairMaterialSchema } from './result-schemas.ts'

export const buildSchema = obj({
  action: choice('What was done.', ['build']),
  ...strings('base_id', 'facility_id', 'facility_name', 'facility_type', 'hint'),
  ...ints('rent_per_cycle'),
  ...opt({ skill_xp: mapOf(Type.Integer()), ...strings('recipe_id') }),
})

export const factionBuildSchema = obj({
  action: choice('What was done.', ['faction_build']),
  ...strings('base_id', 'facility_id', 'facility_name', 'facility_type', 'faction_service', 'hint'),
  ...ints('rent_per_cycle'),
  ...opt({
    skill_xp: mapOf(Type.Integer()),
    ...strings('recipe_id'),
    ...ints('capacity', 'members_awarded_xp'),
    ...bools('under_construction'),
  }),
})

export const personalBuildSchema = obj({
  action: choice('What was done.', ['personal_build']),
  ...strings(
    'base_id',
    'facility_id',
    'facility_name',
    'facility_type',
    'hint',
    'personal_service',
  ),
  ...ints('rent_per_cycle'),
  ...opt({
    skill_xp: mapOf(Type.Integer()),
    ...strings('bonus_type'),
    ...numbers('bonus_value'),
    ...bools('home_base_set', 'under_construction'),
  }),
})

export const upgradeSchema = obj({
  action: choice('What was done.', ['upgrade']),
  ...strings('base_id', 'facility_id', 'facility_name', 'facility_type', 'hint'),
  ...ints('level', 'rent_per_cycle'),
  ...opt({ ...strings('bonus_type', 'personal_service', 'recipe_id'), ...numbers('bonus_value') }),
})

export const factionUpgradeSchema = obj({
  action: choice('What was done.', ['faction_upgrade']),
  ...strings('base_id', 'facility_id', 'facility_name', 'facility_type', 'faction_service', 'hint'),
  ...ints('level'),
  ...opt({ skill_xp: mapOf(Type.Integer()), ...ints('capacity', 'members_awarded_xp') }),
})

export const personalDecorateSchema = obj({
  action: choice('What was done.', ['personal_decorate']),
  ...strings('access', 'facility_id', 'facility_name'),
  ...opt({ ...strings('hint', 'message') }),
})

export const dismantleSchema = obj({
  action: choice('What was done.', ['dismantle', 'faction_dismantle']),
  materials_to_package: list(dismantleMaterialSchema),
  ...strings('base_id', 'facility_id', 'facility_name', 'facility_type', 'hint'),
  ...ints('complete_tick', 'package_count', 'ticks_to_complete'),
})

export const repairSchema = obj({
  action: choice('What was done.', ['repair']),
  materials_used: list(repairMaterialSchema),
  ...strings('facility_id', 'facility_name', 'hint'),
  ...ints('complete_tick', 'ticks_to_complete'),
})

export const transferSchema = obj({
  action: choice('What was done.', ['transfer']),
  ...strings('direction', 'facility_id', 'hint'),
  ...opt({ ...strings('new_owner') }),
})

export const listForSaleSchema = obj({
  action: choice('What was done.', ['list_for_sale']),
  ...strings('definition_id', 'facility_id', 'listing_id', 'message'),
  ...ints('fee', 'price'),
  ...opt({ ...ints('credits_left') }),
})

export const cancelListingSchema = obj({
  action: choice('What was done.', ['cancel_listing']),
  ...strings('facility_id', 'message'),
})

export const buyListingSchema = obj({
  action: choice('What was done.', ['buy_listing']),
  ...strings('definition_id', 'facility_id', 'message'),
  ...ints('credits_left', 'price'),
  ...opt({ ...ints('sales_tax') }),
})

export const setOutputPriceSchema = obj({
  action: choice('What was done.', ['set_output_price']),
  ...strings('facility_id', 'message'),
  ...numbers('price'),
})

export const setAccessSchema = obj({
  action: choice('What was done.', ['set_access']),
  ...strings('access', 'facility_id', 'message'),
})

export const setNameSchema = obj({
  action: choice('What was done.', ['set_name']),
  ...strings('facility_id', 'message'),
  ...opt({ ...strings('custom_name') }),
})

export const setDescriptionSchema = obj({
  action: choice('What was done.', ['set_description']),
  ...strings('facility_id', 'message'),
  ...opt({ ...strings('description') }),
})

export const ranchSetCullSchema = obj({
  action: choice('What was done.', ['ranch_set_cull']),
  ...strings('facility_id', 'message'),
  ...ints('cull_target', 'herd'),
})

export const jobReorderSchema = obj({
  action: choice('What was done.', ['job_reorder']),
  ...strings('facility_id', 'job_id', 'message'),
  ...ints('position'),
})
