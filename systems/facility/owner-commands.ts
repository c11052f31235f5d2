/** The owner's actions of `facility`: building, disposal, sale, settings. Source: crafting.md 7. */
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
  decorateQuarters,
  setAccess,
  setDescription,
  setName,
  setOutputPrice,
} from './settings-commands.ts'

const PAYMENT_ERRORS = ['missing_materials', 'not_found', 'package_mismatch'] as const
const TYPE_ERRORS = ['skill_too_low', 'no_life_support', 'limit_reached'] as const
const PLACEMENT_ERRORS = [
  'unknown_facility_type',
  'build_not_allowed',
  'upgrade_only',
  'already_exists',
  'requires_service',
  'invalid_payload',
  ...TYPE_ERRORS,
  ...PAYMENT_ERRORS,
] as const
const MANAGING_ERRORS = [
  'facility_not_found',
  'not_owner',
  'no_permission',
  'not_in_faction',
] as const
const BUSY_ERRORS = ['facility_busy', 'facility_damaged', 'facility_offline'] as const
const FACTION_ERRORS = [
  'not_in_faction',
  'no_permission',
  'no_faction_storage',
  'bucket_not_found',
  'faction_no_credits',
] as const
const UPGRADE_ERRORS = [
  ...MANAGING_ERRORS,
  ...BUSY_ERRORS,
  ...FACTION_ERRORS,
  'unknown_facility_type',
  'already_max',
  'upgrade_only',
  'already_listed',
  'no_credits',
  ...TYPE_ERRORS,
  ...PAYMENT_ERRORS,
] as const
const unique = <const E extends ErrorCode>(codes: readonly E[]): E[] => [...new Set(codes)]

const BUILD_ERRORS = unique([
  ...PLACEMENT_ERRORS,
  ...BUSY_ERRORS,
  ...FACTION_ERRORS,
  'no_quarters',
  'no_credits',
])

const builtSchema = Type.Union([buildSchema, factionBuildSchema])
const upgradedSchema = Type.Union([upgradeSchema, factionUpgradeSchema])

/**
 * `build` and `upgrade` serve several actions, and the owner decides what they answer: hence
 * `answerAs`.
 */
const BUILD_ACTIONS: readonly FacilityAction[] = [
  facilityAction({
    name: 'build',
    kind: 'mutation',
    summary: 'Build a production facility or shop here; a faction type is built for your faction.',
    required: ['facility_type'],
    optional: ['bucket', 'package_ids'],
    needs: [DOCKED],
    errors: BUILD_ERRORS,
    result: builtSchema,
    run: (world, player, request) => answerAs(builtSchema, build(world, player, request, 'player')),
  }),
  facilityAction({
    name: 'faction_build',
    kind: 'mutation',
    summary: 'Build something for your faction here, from its treasury and store.',
    required: ['facility_type'],
    optional: ['bucket', 'package_ids', 'species'],
    needs: [DOCKED],
    errors: BUILD_ERRORS,
    result: factionBuildSchema,
    run: (world, player, request) =>
      answerAs(factionBuildSchema, build(world, player, request, 'faction')),
  }),
  facilityAction({
    name: 'personal_build',
    kind: 'mutation',
    summary: 'Build quarters here, or something to put into them.',
    required: ['facility_type'],
    needs: [DOCKED],
    errors: BUILD_ERRORS,
    result: personalBuildSchema,
    run: (world, player, request) =>
      answerAs(personalBuildSchema, build(world, player, request, 'personal')),
  }),
  facilityAction({
    name: 'upgrade',
    kind: 'mutation',
    summary: 'Upgrade a facility to its next tier; it keeps working meanwhile.',
    required: ['facility_id', 'facility_type'],
    optional: ['bucket', 'package_ids'],
    needs: [DOCKED],
    errors: unique(UPGRADE_ERRORS),
    result: upgradedSchema,
    run: (world, player, request) =>
      answerAs(upgradedSchema, upgrade(world, player, request, false)),
  }),
  facilityAction({
    name: 'faction_upgrade',
    kind: 'mutation',
    summary: 'Upgrade a facility of your faction to its next tier.',
    required: ['facility_id', 'facility_type'],
    optional: ['bucket', 'package_ids'],
    needs: [DOCKED],
    errors: unique(UPGRADE_ERRORS),
    result: factionUpgradeSchema,
    run: (world, player, request) =>
      answerAs(factionUpgradeSchema, upgrade(world, player, request, true)),
  }),
]

const DISMANTLE_ERRORS = unique([
  ...MANAGING_ERRORS,
  ...BUSY_ERRORS,
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

const DISPOSAL_ACTIONS: readonly FacilityAction[] = [
  facilityAction({
    name: 'dismantle',
    kind: 'mutation',
    summary: 'Dismantle a facility of yours; all its materials come back in packages.',
    required: ['facility_id'],
    needs: [DOCKED],
    errors: DISMANTLE_ERRORS,
    result: dismantleSchema,
    run: (world, player, request) => dismantle(world, player, request, 'dismantle'),
  }),
  facilityAction({
    name: 'faction_dismantle',
    kind: 'mutation',
    summary: 'Dismantle a facility of your faction.',
    required: ['facility_id'],
    needs: [DOCKED],
    errors: DISMANTLE_ERRORS,
    result: dismantleSchema,
    run: (world, player, request) => dismantle(world, player, request, 'faction_dismantle'),
  }),
  facilityAction({
    name: 'repair',
    kind: 'mutation',
    summary: 'Repair a damaged facility for 30 % of its materials and building time.',
    required: ['facility_id'],
    optional: ['bucket'],
    needs: [DOCKED],
    errors: unique([
      ...MANAGING_ERRORS,
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
      ...MANAGING_ERRORS,
      ...BUSY_ERRORS,
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

const SALE_ACTIONS: readonly FacilityAction[] = [
  facilityAction({
    name: 'list_for_sale',
    kind: 'mutation',
    summary: 'Offer a facility to anyone who docks here; the station keeps 1 % of the price.',
    required: ['facility_id', 'price'],
    optional: ['faction'],
    needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
    errors: unique([
      ...MANAGING_ERRORS,
      ...BUSY_ERRORS,
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
    summary: 'Withdraw an offer; the station keeps the fee.',
    required: ['listing_id'],
    needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
    errors: ['listing_not_found', 'not_owner', 'no_permission', 'not_in_faction'],
    result: cancelListingSchema,
    run: cancelListing,
  }),
  facilityAction({
    name: 'buy_listing',
    kind: 'mutation',
    summary: 'Buy a facility offered here for price and sales tax; you pay its rent from then on.',
    required: ['listing_id'],
    needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
    errors: [
      ...words(
        'listing_not_found own_listing no_credits skill_too_low already_exists limit_reached',
        'arrears_due amount_too_large',
      ),
      ...BUSY_ERRORS,
    ],
    result: buyListingSchema,
    run: buyListing,
  }),
]

const SETTINGS_ACTIONS: readonly FacilityAction[] = [
  facilityAction({
    name: 'set_output_price',
    kind: 'mutation',
    summary: 'Set what others pay you per unit or operation; up to three decimals, 0 is free.',
    required: ['facility_id', 'price'],
    needs: [DOCKED],
    errors: [...MANAGING_ERRORS, 'invalid_price', 'invalid_target'],
    result: setOutputPriceSchema,
    run: setOutputPrice,
  }),
  facilityAction({
    name: 'set_access',
    kind: 'mutation',
    summary: 'Open a facility to everybody, or keep it to its owner.',
    required: ['facility_id', 'access'],
    needs: [DOCKED],
    errors: MANAGING_ERRORS,
    result: setAccessSchema,
    run: setAccess,
  }),
  facilityAction({
    name: 'set_name',
    kind: 'mutation',
    summary: 'Name a facility; an empty name clears it.',
    required: ['facility_id'],
    optional: ['custom_name'],
    needs: [],
    errors: [...MANAGING_ERRORS, 'invalid_name', 'name_taken'],
    result: setNameSchema,
    run: setName,
  }),
  facilityAction({
    name: 'set_description',
    v2: 'facility_set_description',
    kind: 'immediate',
    summary: 'Set what visitors of a facility read.',
    required: ['facility_id'],
    optional: ['description'],
    needs: [],
    errors: [...MANAGING_ERRORS, 'invalid_payload', 'too_long'],
    result: setDescriptionSchema,
    run: setDescription,
  }),
  facilityAction({
    name: 'personal_decorate',
    kind: 'mutation',
    summary: 'Describe your quarters here, and set who may enter them.',
    optional: ['description', 'access'],
    needs: [DOCKED],
    errors: ['no_quarters', 'invalid_payload', 'too_long'],
    result: personalDecorateSchema,
    run: decorateQuarters,
  }),
]

export const OWNER_ACTIONS: readonly FacilityAction[] = [
  ...BUILD_ACTIONS,
  ...DISPOSAL_ACTIONS,
  ...SALE_ACTIONS,
  ...SETTINGS_ACTIONS,
]
