/** Actions of `facility` that build, change and hand on. Source: crafting.md section 7. */

import { answerAs } from '../../core/command.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { Type, words } from '../../core/params.ts'
import { MAY_TRADE } from '../combat/needs.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { DOCKED } from '../travel/needs.ts'
import { build, upgrade } from './build-commands.ts'
import { dismantle, repair, transfer } from './disposal-commands.ts'
import { type FacilityAction, facilityAction } from './model.ts'
import { buyListing, cancelListing, listForSale } from './sale-commands.ts'
import {
  buildSchema,
  buyListingSchema,
  cancelListingSchema,
  dismantleSchema,
  factionBuildSchema,
  factionUpgradeSchema,
  listForSaleSchema,
  personalBuildSchema,
  personalDecorateSchema,
  repairSchema,
  setAccessSchema,
  setDescriptionSchema,
  setNameSchema,
  setOutputPriceSchema,
  transferSchema,
  upgradeSchema,
} from './schemas.ts'
import {
  decorate,
  setAccess,
  setDescription,
  setName,
  setOutputPrice,
} from './settings-commands.ts'

const PAYING = ['missing_materials', 'not_found', 'package_mismatch'] as const
const GATES = ['skill_too_low', 'no_life_support', 'limit_reached'] as const
const BUILDING = [
  'unknown_facility_type',
  'build_not_allowed',
  'upgrade_only',
  'already_exists',
  'requires_service',
  'invalid_payload',
  ...GATES,
  ...PAYING,
] as const
const FOUND = ['facility_not_found', 'not_owner', 'no_permission', 'not_in_faction'] as const
const WORKED_ON = ['facility_busy', 'facility_damaged', 'facility_offline'] as const
const OF_FACTIONS = [
  'not_in_faction',
  'no_permission',
  'no_faction_storage',
  'bucket_not_found',
  'faction_no_credits',
] as const
const UPGRADING = [
  ...FOUND,
  ...WORKED_ON,
  ...OF_FACTIONS,
  'unknown_facility_type',
  'already_max',
  'upgrade_only',
  'no_credits',
  ...GATES,
  ...PAYING,
] as const
const unique = <const E extends ErrorCode>(codes: readonly E[]): E[] => [...new Set(codes)]

const MAKING_ERRORS = unique([...BUILDING, ...OF_FACTIONS, 'no_quarters', 'no_credits'])

const builtSchema = Type.Union([buildSchema, factionBuildSchema])
const upgradedSchema = Type.Union([upgradeSchema, factionUpgradeSchema])

/** An answer is by who builds, and by whose the upgraded facility is: `answerAs` says so. */
const MAKING: readonly FacilityAction[] = [
  facilityAction({
    name: 'build',
    kind: 'mutation',
    summary: 'Build a works or a shop of your own here; a faction type is built for your faction.',
    required: ['facility_type'],
    optional: ['bucket', 'package_ids'],
    needs: [DOCKED],
    errors: MAKING_ERRORS,
    result: builtSchema,
    run: (world, player, asked) => answerAs(builtSchema, build(world, player, asked, 'player')),
  }),
  facilityAction({
    name: 'faction_build',
    kind: 'mutation',
    summary: 'Build something for your faction here, from its treasury and store.',
    required: ['facility_type'],
    optional: ['bucket', 'package_ids', 'species'],
    needs: [DOCKED],
    errors: MAKING_ERRORS,
    result: factionBuildSchema,
    run: (world, player, asked) =>
      answerAs(factionBuildSchema, build(world, player, asked, 'faction')),
  }),
  facilityAction({
    name: 'personal_build',
    kind: 'mutation',
    summary: 'Build quarters here, or something to put into them.',
    required: ['facility_type'],
    needs: [DOCKED],
    errors: MAKING_ERRORS,
    result: personalBuildSchema,
    run: (world, player, asked) =>
      answerAs(personalBuildSchema, build(world, player, asked, 'personal')),
  }),
  facilityAction({
    name: 'upgrade',
    kind: 'mutation',
    summary: 'Make a facility its next tier; it works as before until that is done.',
    required: ['facility_id', 'facility_type'],
    optional: ['bucket', 'package_ids'],
    needs: [DOCKED],
    errors: unique(UPGRADING),
    result: upgradedSchema,
    run: (world, player, asked) => answerAs(upgradedSchema, upgrade(world, player, asked, false)),
  }),
  facilityAction({
    name: 'faction_upgrade',
    kind: 'mutation',
    summary: 'Make a facility of your faction its next tier.',
    required: ['facility_id', 'facility_type'],
    optional: ['bucket', 'package_ids'],
    needs: [DOCKED],
    errors: unique(UPGRADING),
    result: factionUpgradeSchema,
    run: (world, player, asked) =>
      answerAs(factionUpgradeSchema, upgrade(world, player, asked, true)),
  }),
]

const DISMANTLING = unique([
  ...FOUND,
  ...WORKED_ON,
  'cannot_dismantle',
  'outpost_builtin',
  'bucket_not_empty',
  'no_cargo_container',
  'package_storage_full',
  'arrears_due',
  'already_listed',
  'no_faction_storage',
  'bucket_not_found',
  'limit_reached',
])

const KEEPING: readonly FacilityAction[] = [
  facilityAction({
    name: 'dismantle',
    kind: 'mutation',
    summary: 'Take a facility of yours apart; all its materials come back in packages.',
    required: ['facility_id'],
    needs: [DOCKED],
    errors: DISMANTLING,
    result: dismantleSchema,
    run: (world, player, asked) => dismantle(world, player, asked, 'dismantle'),
  }),
  facilityAction({
    name: 'faction_dismantle',
    kind: 'mutation',
    summary: 'Take a facility of your faction apart.',
    required: ['facility_id'],
    needs: [DOCKED],
    errors: DISMANTLING,
    result: dismantleSchema,
    run: (world, player, asked) => dismantle(world, player, asked, 'faction_dismantle'),
  }),
  facilityAction({
    name: 'repair',
    kind: 'mutation',
    summary: 'Mend a damaged facility for three tenths of its materials and time.',
    required: ['facility_id'],
    optional: ['bucket'],
    needs: [DOCKED],
    errors: unique([
      ...FOUND,
      'not_damaged',
      'facility_busy',
      'missing_materials',
      'arrears_due',
      'no_credits',
      'faction_no_credits',
      'facility_damaged',
      'facility_offline',
      'no_faction_storage',
      'bucket_not_found',
    ]),
    result: repairSchema,
    run: repair,
  }),
  facilityAction({
    name: 'transfer',
    kind: 'mutation',
    summary: 'Hand a facility to your faction, or from it to a member who is docked here.',
    required: ['facility_id', 'direction'],
    optional: ['player_id'],
    needs: [DOCKED],
    errors: unique([
      ...FOUND,
      ...WORKED_ON,
      'player_not_found',
      'invalid_target',
      'arrears_due',
      'already_listed',
      'already_exists',
      'skill_too_low',
      'limit_reached',
      'no_faction_storage',
      'invalid_payload',
    ]),
    result: transferSchema,
    run: transfer,
  }),
]

const TRADING: readonly FacilityAction[] = [
  facilityAction({
    name: 'list_for_sale',
    kind: 'mutation',
    summary: 'Offer a facility to whoever docks here; the station keeps 1 % of the price.',
    required: ['facility_id', 'price'],
    optional: ['faction'],
    needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
    errors: unique([
      ...FOUND,
      ...WORKED_ON,
      'invalid_price',
      'invalid_target',
      'already_listed',
      'no_credits',
      'faction_no_credits',
      'limit_reached',
    ]),
    result: listForSaleSchema,
    run: listForSale,
  }),
  facilityAction({
    name: 'cancel_listing',
    kind: 'mutation',
    summary: 'Take an offer back; the fee stays with the station.',
    required: ['listing_id'],
    needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
    errors: ['listing_not_found', 'not_owner', 'no_permission', 'not_in_faction'],
    result: cancelListingSchema,
    run: cancelListing,
  }),
  facilityAction({
    name: 'buy_listing',
    kind: 'mutation',
    summary: 'Buy a facility that is offered here: price and sales tax, and from now on its rent.',
    required: ['listing_id'],
    needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
    errors: [
      ...words(
        'listing_not_found own_listing no_credits skill_too_low already_exists limit_reached',
        'arrears_due amount_too_large',
      ),
      ...WORKED_ON,
    ],
    result: buyListingSchema,
    run: buyListing,
  }),
]

const SETTING: readonly FacilityAction[] = [
  facilityAction({
    name: 'set_output_price',
    kind: 'mutation',
    summary: 'What others pay you a unit, or an operation; up to three decimals, 0 is free.',
    required: ['facility_id', 'price'],
    needs: [DOCKED],
    errors: [...FOUND, 'invalid_price', 'invalid_target'],
    result: setOutputPriceSchema,
    run: setOutputPrice,
  }),
  facilityAction({
    name: 'set_access',
    kind: 'mutation',
    summary: 'Open a facility to everybody, or keep it to its owner.',
    required: ['facility_id', 'access'],
    needs: [DOCKED],
    errors: FOUND,
    result: setAccessSchema,
    run: setAccess,
  }),
  facilityAction({
    name: 'set_name',
    kind: 'mutation',
    summary: 'Name a facility; an empty name takes it away.',
    required: ['facility_id'],
    optional: ['custom_name'],
    needs: [],
    errors: [...FOUND, 'invalid_name', 'name_taken'],
    result: setNameSchema,
    run: setName,
  }),
  facilityAction({
    name: 'set_description',
    v2: 'facility_set_description',
    kind: 'immediate',
    summary: 'What visitors of a facility read.',
    required: ['facility_id'],
    optional: ['description'],
    needs: [],
    errors: [...FOUND, 'invalid_payload', 'too_long'],
    result: setDescriptionSchema,
    run: setDescription,
  }),
  facilityAction({
    name: 'personal_decorate',
    kind: 'mutation',
    summary: 'Describe your quarters here, and say who may come in.',
    optional: ['description', 'access'],
    needs: [DOCKED],
    errors: ['no_quarters', 'invalid_payload', 'too_long'],
    result: personalDecorateSchema,
    run: decorate,
  }),
]

export const BUILDING_ACTIONS: readonly FacilityAction[] = [
  ...MAKING,
  ...KEEPING,
  ...TRADING,
  ...SETTING,
]
