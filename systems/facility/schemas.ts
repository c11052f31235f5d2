/**
 * Wire shapes of the command `facility`: its parameters, the events about rent, which cannot be
 * muted, and the answers of actions that change something. Source: crafting.md section 7.
 */
import { defineEvent } from '../../core/event.ts'
import {
  BUILD_PACKAGES_MAX,
  FACILITY_TEXT_CHARACTERS_MAX,
  ID_CHARACTERS_MAX,
  PAGE_MAX,
} from '../../core/limits.ts'
import {
  bool,
  bools,
  choice,
  int,
  ints,
  itemId,
  list,
  mapOf,
  numbers,
  obj,
  opt,
  quantity,
  ref,
  str,
  strings,
  type TSchema,
  Type,
} from '../../core/params.ts'
import { dismantleMaterialSchema, repairMaterialSchema } from './result-schemas.ts'

const ids = (description: string) => ({
  ...list(str(description, { min: 1 })),
  description,
  maxItems: BUILD_PACKAGES_MAX,
  examples: [['x']],
})

function number(description: string) {
  return { ...int(description, { example: 1000 }), type: 'number' as const }
}

/** Every parameter that an action may take, by its name of v1. */
export const FACILITY_PARAMS = {
  access: choice('Who may use it.', ['private', 'public']),
  bucket: str('Bucket of the faction store that materials come from.', { min: 1, max: 64 }),
  category: choice('Category of types.', [
    'infrastructure',
    'service',
    'production',
    'faction',
    'personal',
    'sales',
  ]),
  cull_target: int('Animals above which a ranch slaughters; 0 = never.', {
    min: 0,
    max: 1_000_000,
    example: 10,
  }),
  custom_name: str('Name that you give it; an empty text removes the name.', { max: 64 }),
  deliver_to: str('Where products go: storage, faction or faction:<bucket>.', { min: 1 }),
  description: str('What visitors read.', { max: FACILITY_TEXT_CHARACTERS_MAX * 2 }),
  direction: choice('Direction of a transfer or a job.', [
    'to_faction',
    'to_player',
    'forward',
    'reverse',
  ]),
  facility_id: ref('facility', str('Id of a facility.', { min: 1 })),
  facility_type: ref(
    'facility_type',
    str('Id of a facility type.', { min: 1, example: 'crew_quarters' }),
  ),
  faction: bool('On behalf of your faction.'),
  items: {
    ...list(obj({ item_id: itemId(), quantity: quantity() })),
    description: 'Goods to pack.',
    maxItems: BUILD_PACKAGES_MAX,
    examples: [[{ item_id: 'iron_ore', quantity: 1 }]],
  },
  job_id: ref('job', str('Id of a job.', { min: 1 })),
  job_ids: ids('Ids of jobs.'),
  label: str('A label for the package.', { max: ID_CHARACTERS_MAX }),
  level: int('Tier, from 1.', { min: 1, max: 10, example: 1 }),
  listing_id: str('Id of an offer.', { min: 1 }),
  max_price: int('Highest price of an offer, credits.', { min: 0, example: 100_000 }),
  name: str('Part of a name.', { max: 64 }),
  package_id: str('Id of a package.', { min: 1 }),
  package_ids: ids('Packages that hold exactly the materials.'),
  page: int('Page, from 1.', { min: 1, max: PAGE_MAX * PAGE_MAX, example: 1 }),
  per_page: int('Rows a page, at most 50.', { min: 1, max: PAGE_MAX, example: 20 }),
  player_id: str('A player, by id or name.', { min: 1 }),
  position: int('Place in the queue, from 1.', { min: 1, max: 1_000_000, example: 1 }),
  price: number('Credits; a rental may have up to three decimals.'),
  quantity: quantity('Units of the product.'),
  recipe_id: ref('recipe', str('Id of a recipe.', { min: 1, example: 'smelt_iron' })),
  source: str('Where inputs come from: storage, faction or faction:<bucket>.', { min: 1 }),
  species: str('Id of a kind of creature.', { min: 1 }),
  target: str('Where a package goes.', { min: 1 }),
  username: str('A player, by name or id.', { min: 1 }),
} as const satisfies Record<string, TSchema>

export const facilityRentWarning = defineEvent({
  type: 'facility_rent_warning',
  summary: 'Rent of your facilities at a base is unpaid; after the grace period they are taken.',
  fields: obj({
    ...strings('base_id', 'base_name', 'message'),
    ...opt({
      ...ints('missed_cycles', 'grace_cycles', 'credits_owed', 'facilities_behind'),
      ...strings('faction_id'),
    }),
  }),
  queue: 'system',
})

export const facilityReclaimed = defineEvent({
  type: 'facility_reclaimed',
  summary: 'A station has taken facilities of yours for unpaid rent, or has given them back.',
  fields: obj({
    ...strings('base_id', 'base_name', 'message'),
    ...opt({ ...ints('facilities'), ...strings('faction_id') }),
  }),
  queue: 'system',
})

/* Answers to actions */

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
