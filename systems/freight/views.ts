/** Wire forms of contracts, quotes, tracks and carriers. Source: contract, Shipping*. */
import { GOODS } from '../../core/catalog/index.ts'
import { wireId } from '../../core/entity.ts'
import type { Static } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { packageId } from '../cargo/rules.ts'
import { poiId, systemId } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import {
  type Actor,
  actorAt,
  failureDebt,
  LISTING_TICKS,
  RECOVERY_TICKS,
  renderActor,
  speaksFor,
  TIER_TERMS,
  tierFor,
} from './actor-model.ts'
import {
  baseIdOf,
  countContracts,
  isLive,
  packageIdOf,
  policyAt,
  shipmentId,
  trackOf,
} from './model.ts'
import { debtsOf, liabilityOf, outstandingOf, type Plan, profileOf } from './plan-model.ts'
import type { quoteSchema, shipmentSchema } from './schemas.ts'
import {
  ACTOR_KINDS,
  type Beacon,
  BONDS,
  type Debt,
  END_REASONS,
  SERVICE_LEVELS,
  SHIPMENT_STATUS,
  SHIPMENTS_PER_CARRIER_MAX,
  Shipment,
  TIERS,
  type Tier,
  UNINSURABLE_REASONS,
  type UninsurableReason,
  VISIBILITIES,
} from './state.ts'

/** Returns an object with the field if the condition holds, else an empty one; to be spread. */
const given = <K extends string, V>(name: K, condition: boolean, value: () => V) =>
  (condition ? { [name]: value() } : {}) as { [P in K]?: V }

const riskBand = (exposure: number, reason: UninsurableReason): Tier | 'unpriced' =>
  reason === 'no_value' ? 'unpriced' : TIERS[tierFor(exposure)]

/** Returns whether a player is shipper, carrier or recipient, or a member of one. */
export const isParty = (view: WorldView, player: Eid, row: Row): boolean =>
  (['shipper', 'carrier', 'recipient'] as const).some((role) =>
    speaksFor(view, player, actorAt(view, row, role)),
  )

/** Renders the parties of a contract as a viewer knows them. */
function renderActors(view: WorldView, viewer: Eid, row: Row) {
  const render = (role: 'carrier' | 'invited') => {
    const actor = actorAt(view, row, role)
    return actor.kind === 'none' ? undefined : renderActor(view, viewer, actor)
  }
  const contractor = render('carrier')
  const invited = render('invited')
  const base = view.rowOf(Base, view.read(Shipment).origin[row])
  const isInsured = policyAt(view, row) !== 'none'
  return {
    shipper: renderActor(view, viewer, actorAt(view, row, 'shipper')),
    recipient: renderActor(view, viewer, actorAt(view, row, 'recipient')),
    ...(contractor ? { contractor } : {}),
    ...(invited ? { invited_carrier: invited } : {}),
    ...given('insurer', isInsured && base !== 0, () => ({
      kind: 'station' as const,
      id: baseId(view, base),
    })),
  }
}

function renderTimes(view: WorldView, row: Row) {
  const columns = view.read(Shipment)
  const status = SHIPMENT_STATUS[columns.status[row]]
  const isTaken = columns.acceptedTick[row] !== 0
  const ended = isoTime(columns.endedMs[row])
  return {
    posted_at: isoTime(columns.postedMs[row]),
    listing_expires_at: isoTime(columns.postedMs[row] + LISTING_TICKS * view.tickMs),
    ...given('accepted_at', isTaken, () => isoTime(columns.acceptedMs[row])),
    ...given('accepted_tick', isTaken, () => columns.acceptedTick[row]),
    ...given('target_tick', isTaken, () => columns.targetTick[row]),
    ...given('deadline_tick', isTaken, () => columns.deadlineTick[row]),
    ...given('recovery_deadline_tick', isTaken, () => columns.deadlineTick[row] + RECOVERY_TICKS),
    ...given('settled_at', !isLive(view, row), () => ended),
    ...given('delivered_at', status === 'delivered', () => ended),
    ...given('breached_at', status === 'breached' || status === 'defaulted', () => ended),
  }
}

function renderCover(view: WorldView, row: Row) {
  const { appraised, premium, uninsurable, policy, claim, exposure } = view.read(Shipment)
  const reason = UNINSURABLE_REASONS[uninsurable[row]]
  const isInsured = policy[row] !== 0
  const isPriced = reason === ''
  return {
    insurable: isPriced,
    policy_status: policyAt(view, row),
    failure_debt: failureDebt(isInsured ? appraised[row] : 0),
    reserved_exposure: exposure[row],
    risk_band: riskBand(exposure[row], reason),
    ...given('appraised_value', isPriced, () => appraised[row]),
    ...given('covered_value', isInsured, () => appraised[row]),
    ...given('premium', isInsured, () => premium[row]),
    ...given('claim_paid', claim[row] > 0, () => claim[row]),
    ...given('uninsurable_reason', !isPriced, () => reason),
  }
}

/** Renders the latest beacon; only parties see it. */
function renderLatest(view: WorldView, viewer: Eid, row: Row) {
  if (!isParty(view, viewer, row)) return {}
  const { beacons, print } = trackOf(view, row)
  const last = beacons.at(-1)
  if (!last) return {}
  return { latest_beacon_at: isoTime(last.atMs), latest_beacon_fingerprint: print }
}

/** Renders a contract as a viewer may see it. */
export function renderShipment(
  view: WorldView,
  viewer: Eid,
  row: Row,
): Static<typeof shipmentSchema> {
  const columns = view.read(Shipment)
  const isRunning = isLive(view, row)
  const origin = baseIdOf(view, columns.origin[row])
  return {
    id: shipmentId(view, row),
    package_id: packageIdOf(view, row),
    status: SHIPMENT_STATUS[columns.status[row]],
    origin_base_id: origin,
    shipping_house_id: origin,
    destination_base_id: baseIdOf(view, columns.destination[row]),
    ...renderActors(view, viewer, row),
    base_reward: columns.reward[row],
    max_speed_bonus: columns.bonus[row],
    reward_escrow: isRunning ? columns.reward[row] : 0,
    speed_bonus_escrow: isRunning ? columns.bonus[row] : 0,
    service_fee: columns.fee[row],
    service_level: SERVICE_LEVELS[columns.service[row]],
    visibility: VISIBILITIES[columns.visibility[row]],
    route_hops: columns.hops[row],
    ...renderCover(view, row),
    ...renderTimes(view, row),
    ...renderLatest(view, viewer, row),
    ...given('reputation_eligible', columns.acceptedTick[row] !== 0, () =>
      isForStrangers(view, row),
    ),
    ...given('carrier_payout', columns.payout[row] > 0, () => columns.payout[row]),
    ...given('terminal_reason', columns.reason[row] !== 0, () => END_REASONS[columns.reason[row]]),
  }
}

const isForStrangers = (view: WorldView, row: Row): boolean =>
  BONDS[view.read(Shipment).bond[row]] === 'strangers'

/* Quotes */

function renderLines({ appraisal }: Plan) {
  return appraisal.lines.map(({ item, units, unitValue, reason, traded, lookback }) => ({
    item_id: GOODS[item].id,
    quantity: units,
    unit_value: unitValue,
    total_value: unitValue * units,
    insurable: reason === '',
    ...(reason === '' ? {} : { uninsurable_reason: reason }),
    ...(traded && lookback
      ? {
          basis: 'fill_vwap',
          confidence: lookback.confidence,
          lookback: lookback.name,
          fill_count: traded.fills,
          traded_units: traded.units,
          traded_notional: traded.credits,
        }
      : {}),
  }))
}

function consequencesOf({ failureDebt: debt, isInsured, appraisal }: Plan): string {
  const payout = isInsured
    ? `If the package is lost, the insurer pays you ${counted(appraisal.value, 'credit')}`
    : 'If the package is lost, nobody pays you'
  return `${payout}; the carrier then owes ${counted(debt, 'credit')}, goes unpaid and falls by one tier.`
}

/** Renders a planned contract as a quote. */
export function renderQuote(
  view: WorldView,
  viewer: Eid,
  plan: Plan,
): Static<typeof quoteSchema>['quote'] {
  const { appraisal, isInsured, invited, estimate } = plan
  const isPriced = appraisal.reason === ''
  return {
    package_id: packageId(view, plan.pkg),
    origin_base_id: baseId(view, plan.origin),
    destination_base_id: baseId(view, plan.destination),
    shipper: renderActor(view, viewer, plan.shipper),
    recipient: renderActor(view, viewer, plan.recipient),
    ...given('invited_carrier', invited.kind !== 'none', () => renderActor(view, viewer, invited)),
    appraisal_lines: renderLines(plan),
    appraised_value: appraisal.value,
    insurable: isPriced,
    insurance_selected: isInsured,
    covered_value: isInsured ? appraisal.value : 0,
    premium: plan.premium,
    ...given('uninsurable_reason', !isPriced, () => appraisal.reason),
    base_reward: plan.reward,
    max_speed_bonus: plan.bonus,
    estimated_reward: estimate.reward,
    estimate_samples: estimate.samples,
    service_fee: plan.fee,
    total_cost: plan.total,
    failure_debt: plan.failureDebt,
    reserved_exposure: plan.exposure,
    risk_band: riskBand(plan.exposure, appraisal.reason),
    required_carrier_tier: TIERS[tierFor(plan.exposure)],
    route_hops: plan.hops,
    target_ticks: plan.target,
    deadline_ticks: plan.deadline,
    service_level: plan.service,
    visibility: plan.visibility,
    consequences: consequencesOf(plan),
  }
}

/* Tracks */

function renderBeacon(view: WorldView, viewer: Eid, row: Row, beacon: Beacon) {
  const poi = view.rowOf(Poi, beacon.poi)
  const system = view.rowOf(StarSystem, beacon.system)
  const holder: Actor = { kind: ACTOR_KINDS[beacon.kind], number: beacon.holder }
  return {
    id: wireId(view.seed, 'shipment_event', beacon.number),
    shipment_id: shipmentId(view, row),
    package_id: packageIdOf(view, row),
    class: beacon.class,
    fingerprint: trackOf(view, row).print,
    observed_at: isoTime(beacon.atMs),
    observed_tick: beacon.tick,
    ...given('base_id', beacon.base !== 0, () => baseIdOf(view, beacon.base)),
    ...given('poi_id', poi !== 0, () => poiId(view, poi)),
    ...given('system_id', system !== 0, () => systemId(view, system)),
    ...given('custodian', holder.kind !== 'none', () => renderActor(view, viewer, holder)),
  }
}

/** Renders the latest `limit` moves of a package, the oldest first. */
export const renderTrack = (view: WorldView, viewer: Eid, row: Row, limit: number) =>
  trackOf(view, row)
    .beacons.slice(-limit)
    .map((beacon) => renderBeacon(view, viewer, row, beacon))

/* Carriers */

export const renderDebt = (view: WorldView, viewer: Eid, carrier: Actor, debt: Debt) => ({
  id: wireId(view.seed, 'freight_debt', debt.number),
  shipment_id: wireId(view.seed, Shipment.name, debt.shipment),
  created_at: isoTime(debt.atMs),
  original: debt.original,
  outstanding: debt.outstanding,
  debtor: renderActor(view, viewer, carrier),
  creditor: { kind: 'station' as const, id: baseIdOf(view, debt.base) },
  ...given('paid_at', debt.outstanding === 0, () => isoTime(view.wallMs)),
})

export const renderDebts = (view: WorldView, viewer: Eid, carrier: Actor) =>
  debtsOf(view, carrier).map((debt) => renderDebt(view, viewer, carrier, debt))

function renderCapacity(tier: number, contracts: number, liability: number) {
  const { single, aggregate } = TIER_TERMS[tier]
  return {
    active_contract_limit: SHIPMENTS_PER_CARRIER_MAX,
    active_contracts: contracts,
    active_contracts_unlimited: false,
    active_liability: liability,
    liability_unlimited: aggregate === undefined,
    ...(aggregate === undefined
      ? {}
      : {
          aggregate_liability_limit: aggregate,
          remaining_aggregate_liability: Math.max(0, aggregate - liability),
        }),
    ...(single === undefined ? {} : { single_package_liability_limit: single }),
  }
}

function renderProgress(view: WorldView, carrier: Actor) {
  const { tier, counted, countedValue } = profileOf(view, carrier)
  const next = TIER_TERMS[tier + 1]
  const { deliveries, value } = next ?? TIER_TERMS[tier]
  return {
    at_maximum_tier: next === undefined,
    current_tier: TIERS[tier],
    ...(next ? { next_tier: TIERS[tier + 1] } : {}),
    successful_deliveries: counted,
    delivered_value: countedValue,
    required_successful_deliveries: deliveries,
    required_delivered_value: value,
    remaining_successful_deliveries: Math.max(0, deliveries - counted),
    remaining_delivered_value: Math.max(0, value - countedValue),
  }
}

/** Renders the standing of a carrier with the sum of its debts. */
export function renderStanding(view: WorldView, viewer: Eid, carrier: Actor) {
  const profile = profileOf(view, carrier)
  const contracts = countContracts(view, 'carried', carrier)
  const liability = liabilityOf(view, carrier)
  const debt = outstandingOf(view, carrier)
  return {
    profile: {
      actor: renderActor(view, viewer, carrier),
      tier: TIERS[profile.tier],
      active_contracts: contracts,
      active_liability: liability,
      successful_deliveries: profile.deliveries,
      delivered_value: profile.value,
      priority_deliveries: profile.priority,
      returns: profile.returns,
      breaches: profile.breaches,
      defaults: profile.defaults,
      outstanding_debt: debt,
      updated_at: isoTime(profile.updatedMs),
      ...given('last_consequence_at', profile.consequenceMs > 0, () =>
        isoTime(profile.consequenceMs),
      ),
      ...given('last_recovery_at', profile.recoveryMs > 0, () => isoTime(profile.recoveryMs)),
    },
    capacity: renderCapacity(profile.tier, contracts, liability),
    progression: renderProgress(view, carrier),
    debt_blocks_acceptance: debt > 0,
    ...(debt > 0 && { debt_block_reason: `Pay the debt of ${counted(debt, 'credit')} first.` }),
  }
}
