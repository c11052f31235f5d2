/** Shapes of answers about freight. Source: contract, Shipping*. */
import { bools, choice, ints, list, named, opt, strings } from '../../core/params.ts'
import { SERVICE_LEVELS, SHIPMENT_STATUS, TIERS, VISIBILITIES } from './columns.ts'

const action = <const V extends readonly string[]>(...names: V) => choice('What was done.', names)

const actorSchema = named('ShipmentActor', {
  ...strings('id'),
  kind: choice('What it is.', ['player', 'faction', 'station']),
})
const tierSchema = choice('Tier of a carrier.', TIERS)
const riskSchema = choice('Tier that the liability asks for.', [...TIERS, 'unpriced'])
const visibilitySchema = choice('Who may carry it.', VISIBILITIES)
const serviceSchema = choice('How fast it has to be.', SERVICE_LEVELS)

export const shipmentSchema = named('ShipmentContract', {
  ...strings('id', 'package_id', 'origin_base_id', 'destination_base_id', 'shipping_house_id'),
  ...strings('listing_expires_at', 'posted_at'),
  ...ints('base_reward', 'failure_debt', 'max_speed_bonus', 'reserved_exposure'),
  ...ints('reward_escrow', 'service_fee', 'speed_bonus_escrow'),
  ...bools('insurable'),
  policy_status: choice('What became of the insurance.', [
    ...(['none', 'pending', 'active', 'expired', 'claimed', 'released'] as const),
  ]),
  recipient: actorSchema,
  shipper: actorSchema,
  risk_band: riskSchema,
  service_level: serviceSchema,
  status: choice('Where it stands.', SHIPMENT_STATUS),
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
      class: choice('Where it came to stand.', [
        ...(['shipping_house_escrow', 'ship', 'player_storage', 'faction_storage'] as const),
        ...(['faction_bucket', 'wreck', 'unpack_job_escrow', 'destroyed', 'unknown'] as const),
      ]),
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
