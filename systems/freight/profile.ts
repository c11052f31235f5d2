/**
 * Carriers: what they have done, which tier that makes them, what they have taken on and what they
 * owe. Source: crafting.md section 10, tiers.
 */
import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import {
  SHIPMENT_DELIVERIES_REMEMBERED,
  SHIPMENTS_PER_CARRIER_MAX,
} from '../../core/limits-freight.ts'
import { MAX_SAFE } from '../../core/math.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { type Actor, actorAt, keyOf } from './actor-rules.ts'
import { BONDS, DEBTS, type Debt, PROFILES, type Profile, Shipment, TIERS } from './columns.ts'
import { contractsOf, countOf } from './store.ts'
import { failureDebt, TIER_TERMS, tierFor } from './terms.ts'

const NEWCOMER: Profile = {
  tier: 0,
  counted: 0,
  countedValue: 0,
  deliveries: 0,
  value: 0,
  priority: 0,
  returns: 0,
  breaches: 0,
  defaults: 0,
  consequenceMs: 0,
  recoveryMs: 0,
  updatedMs: 0,
  latest: [],
}

export const profileOf = (view: WorldView, carrier: Actor): Profile =>
  view.records(PROFILES).get(keyOf(carrier)) ?? NEWCOMER

function save(world: World, carrier: Actor, profile: Profile): void {
  assert(TIERS[profile.tier] !== undefined, `a carrier of tier ${profile.tier}`)
  world.records(PROFILES).set(keyOf(carrier), { ...profile, updatedMs: world.wallMs })
}

const plus = (sum: number, more: number): number => Math.min(MAX_SAFE, sum + more)

/* Debts */

/** What a carrier owes, the oldest first. */
export const debtsOf = (view: WorldView, carrier: Actor): readonly Debt[] =>
  view.records(DEBTS).get(keyOf(carrier)) ?? []

export const outstandingOf = (view: WorldView, carrier: Actor): number =>
  debtsOf(view, carrier).reduce((sum, { outstanding }) => sum + outstanding, 0)

export function saveDebts(world: World, carrier: Actor, debts: readonly Debt[]): void {
  if (debts.length === 0) world.records(DEBTS).delete(keyOf(carrier))
  else world.records(DEBTS).set(keyOf(carrier), debts)
}

/** Notes that a carrier owes nothing any more. */
export const noteRecovery = (world: World, carrier: Actor): void =>
  save(world, carrier, { ...profileOf(world, carrier), recoveryMs: world.wallMs })

/* What a carrier may take on */

/** Contracts of its own that a carrier carries for itself bind nobody. */
const isForItself = (view: WorldView, row: Row): boolean =>
  BONDS[view.read(Shipment).bond[row]] === 'self'

/** Liability of what a carrier has under way, credits. O(its contracts). */
export function liabilityOf(view: WorldView, carrier: Actor): number {
  const { exposure } = view.read(Shipment)
  return contractsOf(view, 'carried', carrier).reduce(
    (sum, row) => sum + (isForItself(view, row) ? 0 : exposure[row]),
    0,
  )
}

/** Refusal: limit_reached. */
export function refusesMore(view: WorldView, carrier: Actor): Failure | undefined {
  if (countOf(view, 'carried', carrier) < SHIPMENTS_PER_CARRIER_MAX) return undefined
  return fail('limit_reached', { max: SHIPMENTS_PER_CARRIER_MAX, of: 'contracts at a time' })
}

/** What the gates for strangers' packages are judged by; worked out once for a list. */
export interface Standing {
  readonly owes: number
  readonly tier: number
  readonly liability: number
}

export const standingOf = (view: WorldView, carrier: Actor): Standing => ({
  owes: outstandingOf(view, carrier),
  tier: profileOf(view, carrier).tier,
  liability: liabilityOf(view, carrier),
})

/** Refusals: freight_debt, tier_too_low, liability_limit. */
export function refusesStanding(
  { owes, tier, liability }: Standing,
  exposure: number,
): Failure | undefined {
  if (owes > 0) return fail('freight_debt', { outstanding: owes })
  const required = tierFor(exposure)
  if (tier < required) {
    return fail('tier_too_low', { tier: TIERS[tier], required: TIERS[required] })
  }
  const { aggregate } = TIER_TERMS[tier]
  if (aggregate === undefined || liability + exposure <= aggregate) return undefined
  return fail('liability_limit', { liability, exposure, limit: aggregate })
}

/* What a carrier has done */

/** Deliveries for one shipper that count in a day. ours, of the sheet. */
const COUNTED_PER_SHIPPER_AND_DAY = 3

const recent = (view: WorldView, { latest }: Profile) =>
  latest.filter(([, tick]) => tick > view.tick - DAY_TICKS)

/** False for the fourth delivery for a shipper in a day. */
function mayCount(view: WorldView, profile: Profile, shipper: string): boolean {
  const today = recent(view, profile)
  // ours: who delivers more than a day's memory holds gains nothing by the rest
  if (today.length >= SHIPMENT_DELIVERIES_REMEMBERED) return false
  return today.filter(([key]) => key === shipper).length < COUNTED_PER_SHIPPER_AND_DAY
}

function promoted(profile: Profile): Profile {
  const next = TIER_TERMS[profile.tier + 1]
  if (next === undefined) return profile
  const suffices = profile.counted >= next.deliveries && profile.countedValue >= next.value
  return suffices ? promoted({ ...profile, tier: profile.tier + 1 }) : profile
}

/** Counts a delivery; only between strangers it brings the carrier on. */
export function noteDelivery(world: World, row: Row): void {
  const { bond, appraised, service } = world.read(Shipment)
  const carrier = actorAt(world, row, 'carrier')
  const before = profileOf(world, carrier)
  if (BONDS[bond[row]] === 'self') return
  const sum: Profile = {
    ...before,
    deliveries: before.deliveries + 1,
    value: plus(before.value, appraised[row]),
    priority: before.priority + service[row],
  }
  const shipper = keyOf(actorAt(world, row, 'shipper'))
  if (BONDS[bond[row]] !== 'strangers' || !mayCount(world, before, shipper)) {
    save(world, carrier, sum)
    return
  }
  const counted = { counted: sum.counted + 1, countedValue: plus(sum.countedValue, appraised[row]) }
  const latest = [...recent(world, sum), [shipper, world.tick] as const]
  save(world, carrier, promoted({ ...sum, ...counted, latest }))
}

export function noteReturn(world: World, row: Row): void {
  const carrier = actorAt(world, row, 'carrier')
  const before = profileOf(world, carrier)
  if (BONDS[world.read(Shipment).bond[row]] === 'self') return
  save(world, carrier, { ...before, returns: before.returns + 1 })
}

/**
 * Counts a package lost or opened: the tier falls by one. ours: what counted beyond the lower tier
 * is forgotten, else the next delivery would lift it again.
 */
export function noteFailure(world: World, carrier: Actor, what: 'breaches' | 'defaults'): void {
  const before = profileOf(world, carrier)
  const tier = Math.max(0, before.tier - 1)
  const { deliveries, value } = TIER_TERMS[tier]
  save(world, carrier, {
    ...before,
    tier,
    counted: Math.min(before.counted, deliveries),
    countedValue: Math.min(before.countedValue, value),
    [what]: before[what] + 1,
    consequenceMs: world.wallMs,
  })
}

/** Adds what a carrier owes for a package; the caller has ended the contract. */
export function oweFor(world: World, row: Row, covered: number): number {
  const carrier = actorAt(world, row, 'carrier')
  const { seq, origin } = world.read(Shipment)
  const original = failureDebt(covered)
  const debt: Debt = {
    number: world.nextNumber('freight_debt'),
    shipment: seq[row],
    base: origin[row],
    original,
    outstanding: original,
    atMs: world.wallMs,
  }
  saveDebts(world, carrier, [...debtsOf(world, carrier), debt])
  return original
}
