/** Parameters, events and answers of freight. Source: contract, Shipping*. */
import { defineEvent } from '../../core/event.ts'
import { PRICE_CREDITS_MAX } from '../../core/limits.ts'
import {
  bool,
  bools,
  choice,
  int,
  ints,
  list,
  named,
  obj,
  opt,
  page,
  pageSize,
  ref,
  str,
  strings,
  type TSchema,
  words,
} from '../../core/params.ts'
import {
  SERVICE_LEVELS,
  SHIPMENT_BEACONS_MAX,
  SHIPMENT_STATUS,
  SHIPMENTS_LISTED_MAX,
  TIERS,
  VISIBILITIES,
} from './state.ts'

export const OWNERS = ['player', 'faction'] as const
export const RECIPIENTS = ['player', 'faction', 'station'] as const
export const SOURCES = ['cargo', 'storage', 'faction'] as const
export const SORTS = ['reward', 'distance', 'age'] as const

const credits = (description: string, min: number, example: number) =>
  int(description, { min, max: 4 * PRICE_CREDITS_MAX, example })

/** Every parameter that an action may take. */
export const FREIGHT_PARAMS = {
  amount: credits('Credits to pay; by default all that you owe.', 1, 500),
  base_reward: credits('Credits for the carrier, at least 1.', -PRICE_CREDITS_MAX, 1_500),
  carrier: choice('Who carries: yourself, or your faction.', OWNERS),
  destination_base_id: ref(
    'base',
    str('Id of the destination base.', { min: 1, example: 'sol_station' }),
  ),
  eligible_as: choice('Carrier to list for: yourself, or your faction.', OWNERS),
  filter_destination: ref('base', str('Only contracts to the base of this id.', { min: 1 })),
  filter_service_level: choice('Only contracts of this speed.', SERVICE_LEVELS),
  filter_shipper: str('Only contracts of this shipper: id or name of a player, id or tag.', {
    min: 1,
  }),
  insured: bool('True: the package is insured for its appraised value.'),
  invited_carrier_id: str('Only carrier allowed: player id or name, faction id or tag.', {
    min: 1,
  }),
  invited_carrier_type: choice('What the invited carrier is.', OWNERS),
  // The sheet takes up to 200, so more than are kept is no mistake.
  limit: int(`Events shown, the latest; a package keeps its last ${SHIPMENT_BEACONS_MAX}.`, {
    min: 1,
    max: 200,
    example: 20,
  }),
  max_total_cost: credits('Do not post if it costs more, credits.', 0, 5_000),
  package_id: str('Id of a package.', { min: 1, example: 'package:0' }),
  page: page(),
  per_page: pageSize(SHIPMENTS_LISTED_MAX),
  recipient_id: str('Player id or name, faction id or tag; the shipper by default.', {
    min: 1,
  }),
  recipient_type: choice('What the recipient is.', RECIPIENTS),
  service_level: choice('How fast it has to be.', SERVICE_LEVELS),
  shipment_id: ref('shipment', str('Id of a contract.', { min: 1 })),
  shipper: choice('Who ships and pays: yourself, or your faction.', OWNERS),
  sort: choice('Order: highest reward, shortest route, or oldest first.', SORTS),
  source: choice('Where the package is.', SOURCES),
  source_bucket_id: str('Bucket of the faction store that the package is in.', { min: 1 }),
  speed_bonus: int('Additional credits for a fast delivery.', {
    min: 0,
    max: PRICE_CREDITS_MAX,
    example: 500,
  }),
  visibility: choice('Who may carry it.', VISIBILITIES),
} as const satisfies Record<string, TSchema>

/* Events, which cannot be muted. Source: crafting.md sections 10, 15. */

/** Names of events (append only). */
const SHIPMENT_CHANGES = [
  'accepted',
  'delivered',
  'returned',
  'canceled',
  'expired',
  'breached',
  'defaulted',
] as const
export type ShipmentChange = (typeof SHIPMENT_CHANGES)[number]

export const shipmentUpdate = defineEvent({
  type: 'shipment_update',
  summary: 'A freight contract of yours was accepted, settled or broken.',
  fields: obj({
    ...ints('tick'),
    event: choice('What happened.', SHIPMENT_CHANGES),
    ...strings('shipment_id', 'package_id', 'status', 'message'),
    ...strings('origin_base_id', 'destination_base_id'),
    ...opt(ints('deadline_tick', 'carrier_payout', 'shipper_refund')),
    ...opt(ints('claim_paid', 'debt_created')),
  }),
  queue: 'system',
})

export const shipmentOverdue = defineEvent({
  type: 'shipment_overdue',
  summary: 'A package under a freight contract is late; sent twice before the contract fails.',
  fields: obj({
    ...ints('tick', 'deadline_tick', 'recovery_deadline_tick', 'ticks_left', 'late_fee'),
    ...strings('shipment_id', 'package_id', 'destination_base_id', 'message'),
  }),
  queue: 'system',
})

/* Answers */

const action = <const V extends readonly string[]>(...names: V) => choice('What was done.', names)

const actorSchema = named('ShipmentActor', {
  ...strings('id'),
  kind: choice('What it is.', ['player', 'faction', 'station']),
})
const tierSchema = choice('Tier of a carrier.', TIERS)
const riskSchema = choice('Tier that the liability requires.', [...TIERS, 'unpriced'])
const visibilitySchema = choice('Who may carry it.', VISIBILITIES)
const serviceSchema = choice('How fast it has to be.', SERVICE_LEVELS)

export const shipmentSchema = named('ShipmentContract', {
  ...strings('id', 'package_id', 'origin_base_id', 'destination_base_id', 'shipping_house_id'),
  ...strings('listing_expires_at', 'posted_at'),
  ...ints('base_reward', 'failure_debt', 'max_speed_bonus', 'reserved_exposure'),
  ...ints('reward_escrow', 'service_fee', 'speed_bonus_escrow'),
  ...bools('insurable'),
  policy_status: choice(
    'Status of the insurance.',
    words('none pending active expired claimed released'),
  ),
  recipient: actorSchema,
  shipper: actorSchema,
  risk_band: riskSchema,
  service_level: serviceSchema,
  status: choice('Its state.', SHIPMENT_STATUS),
  visibility: visibilitySchema,
  ...opt(strings('accepted_at', 'breached_at', 'delivered_at', 'settled_at')),
  ...opt(strings('latest_beacon_at', 'latest_beacon_fingerprint')),
  ...opt(strings('terminal_reason', 'uninsurable_reason')),
  ...opt(ints('accepted_tick', 'target_tick', 'deadline_tick', 'recovery_deadline_tick')),
  ...opt(ints('appraised_value', 'covered_value', 'premium', 'claim_paid', 'carrier_payout')),
  ...opt(ints('route_hops')),
  ...opt(bools('reputation_eligible')),
  ...opt({
    contractor: actorSchema,
    insurer: actorSchema,
    invited_carrier: actorSchema,
    salvage_owner: actorSchema,
  }),
})

const lineSchema = named('FreightAppraisalLine', {
  ...strings('item_id'),
  ...ints('quantity', 'unit_value', 'total_value'),
  ...bools('insurable'),
  ...opt(strings('basis', 'confidence', 'lookback', 'uninsurable_reason', 'latest_fill_at')),
  ...opt(ints('fill_count', 'traded_notional', 'traded_units')),
})

export const quoteSchema = named('ShippingQuoteResponse', {
  action: action('quote'),
  quote: named('ShippingQuote', {
    ...strings('package_id', 'origin_base_id', 'destination_base_id', 'consequences'),
    ...ints('appraised_value', 'base_reward', 'covered_value', 'deadline_ticks'),
    ...ints('estimate_samples', 'estimated_reward', 'failure_debt', 'max_speed_bonus'),
    ...ints('premium', 'reserved_exposure', 'route_hops', 'service_fee', 'target_ticks'),
    ...ints('total_cost'),
    ...bools('insurable', 'insurance_selected'),
    appraisal_lines: list(lineSchema),
    recipient: actorSchema,
    shipper: actorSchema,
    required_carrier_tier: tierSchema,
    risk_band: riskSchema,
    service_level: serviceSchema,
    visibility: visibilitySchema,
    ...opt(strings('uninsurable_reason')),
    ...opt({ invited_carrier: actorSchema }),
  }),
})

export const contractSchema = named('ShippingContractResponse', {
  action: action('post', 'get', 'accept'),
  contract: shipmentSchema,
  ...opt(strings('message')),
})

export const listSchema = named('ShippingListResponse', {
  action: action('list'),
  ...ints('page', 'per_page', 'total'),
  shipments: list(
    named('ShippingListing', {
      contract: shipmentSchema,
      ...bools('eligible'),
      ...opt(strings('reason')),
    }),
  ),
  ...opt(strings('empty_reason', 'empty_reason_code')),
})

export const activeSchema = named('ShippingActiveResponse', {
  action: action('active'),
  ...ints('total'),
  shipments: list(shipmentSchema),
})

export const trackSchema = named('ShippingTrackResponse', {
  action: action('track'),
  contract: shipmentSchema,
  events: list(
    named('ShipmentTrackingEvent', {
      ...strings('id', 'package_id', 'shipment_id', 'fingerprint', 'observed_at'),
      ...ints('observed_tick'),
      class: choice(
        'Where the package was moved.',
        words(
          'shipping_house_escrow ship player_storage faction_storage faction_bucket wreck',
          'unpack_job_escrow destroyed unknown',
        ),
      ),
      ...opt(strings('base_id', 'poi_id', 'system_id', 'reference_id')),
      ...opt({ custodian: actorSchema }),
    }),
  ),
})

const debtSchema = named('FreightDebt', {
  ...strings('id', 'shipment_id', 'created_at'),
  ...ints('original', 'outstanding'),
  creditor: actorSchema,
  debtor: actorSchema,
  ...opt(strings('paid_at')),
})

const standing = {
  profile: named('CarrierProfile', {
    ...ints('active_contracts', 'active_liability', 'breaches', 'defaults', 'delivered_value'),
    ...ints('outstanding_debt', 'priority_deliveries', 'returns', 'successful_deliveries'),
    ...strings('updated_at'),
    actor: actorSchema,
    tier: tierSchema,
    ...opt(strings('last_consequence_at', 'last_recovery_at')),
  }),
  capacity: named('CarrierCapacity', {
    ...ints('active_contracts', 'active_liability'),
    ...bools('active_contracts_unlimited', 'liability_unlimited'),
    ...opt(ints('active_contract_limit', 'aggregate_liability_limit')),
    ...opt(ints('remaining_aggregate_liability', 'single_package_liability_limit')),
  }),
  progression: named('CarrierTierProgress', {
    ...bools('at_maximum_tier'),
    current_tier: tierSchema,
    ...ints('delivered_value', 'remaining_delivered_value', 'remaining_successful_deliveries'),
    ...ints('required_delivered_value', 'required_successful_deliveries'),
    ...ints('successful_deliveries'),
    ...opt({ next_tier: tierSchema }),
  }),
  ...bools('debt_blocks_acceptance'),
  ...opt(strings('debt_block_reason')),
}

export const profileSchema = named('ShippingProfileResponse', {
  action: action('profile'),
  ...standing,
  debts: list(debtSchema),
})

export const debtPaidSchema = named('ShippingDebtPaymentResponse', {
  action: action('pay_debt'),
  ...standing,
  ...ints('amount_paid'),
  outstanding_debts: list(debtSchema),
  updated_debts: list(debtSchema),
})

export const settlementSchema = named('ShippingSettlementResponse', {
  action: action('deliver', 'return', 'cancel'),
  contract: shipmentSchema,
  ...opt(ints('carrier_payout', 'claim_paid', 'debt_created', 'shipper_refund')),
})
