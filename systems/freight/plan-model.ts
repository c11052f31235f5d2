/**
 * A contract as it would be posted: whose package, from where to where, for whom, and what it
 * costs. Quote and post ask the same questions. Source: crafting.md section 10, quote / post.
 */
import { badFields, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { withArticle } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseById, offersService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { lockerOf, standsIn } from '../cargo/model.ts'
import { activeFacility } from '../facility/model.ts'
import { factionByText, factionOf, permissionRefusal } from '../faction/model.ts'
import { findStore, type StorePlace, storeContainer, storesAt } from '../faction/store-model.ts'
import { playerMeant, seesPoi } from '../sensing/model.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { routeBetween } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import {
  type Actor,
  distanceKey,
  factionActor,
  failureDebt,
  keyOf,
  medianOf,
  NOBODY,
  playerActor,
  premiumOf,
  RISKY_POLICE_BELOW,
  rowOfActor,
  serviceFee,
  stationActor,
  TIER_TERMS,
  type Times,
  tierFor,
  UNPRICED_EXPOSURE,
} from './actor-model.ts'
import { type Appraisal, type Asked, contractsOf, countOf, type SourceWord } from './model.ts'
import {
  BONDS,
  DEBTS,
  type Debt,
  PROFILES,
  type Profile,
  RATES,
  type ServiceLevel,
  SHIPMENT_REWARD_MAX,
  SHIPMENTS_PER_CARRIER_MAX,
  Shipment,
  TIERS,
  type Visibility,
} from './state.ts'

/** The package and where it stands. */
interface Found {
  readonly pkg: Row
  /** Of a faction: the store. */
  readonly store?: StorePlace
}

interface Way {
  readonly origin: Eid
  readonly destination: Eid
  readonly hops: number
  /** Jumps into systems with little police. */
  readonly risky: number
}

export interface Plan extends Found, Way, Times {
  /** Who asks. */
  readonly player: Eid
  readonly shipper: Actor
  readonly recipient: Actor
  readonly invited: Actor
  readonly visibility: Visibility
  readonly service: ServiceLevel
  readonly reward: number
  readonly bonus: number
  readonly fee: number
  readonly premium: number
  readonly isInsured: boolean
  readonly appraisal: Appraisal
  readonly exposure: number
  readonly failureDebt: number
  readonly total: number
  readonly estimate: { readonly reward: number; readonly samples: number }
}

export const isFailure = (found: object): found is Failure => 'ok' in found && found.ok === false

/* Who ships */

/** Refusals: not_in_faction, no_permission, no_faction_market. */
export function shipperOf(
  view: WorldView,
  player: Eid,
  base: Eid,
  asked: Asked,
): Actor | Failure<'no_faction_market' | 'no_permission' | 'not_in_faction'> {
  if (asked.shipper !== 'faction') return playerActor(view, player)
  const refused = permissionRefusal(view, player, 'manage_treasury')
  if (refused) return refused
  const faction = factionOf(view, player)
  const hasDesk = activeFacility(view, faction, base, 'faction_market') !== 0
  return hasDesk ? factionActor(view, faction) : fail('no_faction_market')
}

/** In the hold or locker of a player; 0 nowhere. */
export function ownPackage(
  view: WorldView,
  player: Eid,
  base: Eid,
  pkg: Row,
  source?: SourceWord,
): Row {
  const hold = view.read(Ship).hold[activeShip(view, player)]
  if (source !== 'storage' && source !== 'faction' && standsIn(view, hold, pkg)) return pkg
  const locker = lockerOf(view, player, base)
  const isStored = locker !== 0 && standsIn(view, locker, pkg)
  return isStored && source !== 'cargo' && source !== 'faction' ? pkg : 0
}

/** In a store of a faction that can be reached. Refusals: no_faction_storage, bucket_not_found. */
export function storedPackage(
  view: WorldView,
  faction: Row,
  base: Eid,
  pkg: Row,
  bucket?: string,
): Outcome<StorePlace | undefined, 'bucket_not_found' | 'no_faction_storage'> {
  const named = findStore(view, faction, base, bucket)
  if (!named.ok) return named
  const places = bucket === undefined ? storesAt(view, faction, base) : [named.result]
  return ok(places.find((place) => standsIn(view, storeContainer(view, place), pkg)))
}

/* Where it goes */

/** Refusals: station_not_found, same_base, invalid_base. */
export function wayTo(
  view: WorldView,
  player: Eid,
  origin: Eid,
  id: string,
): Way | Failure<'invalid_base' | 'same_base' | 'station_not_found'> {
  const destination = baseById(view, id.trim())
  const { poi } = view.read(Base)
  if (destination === 0 || !seesPoi(view, player, poi[destination])) {
    return fail('station_not_found', { destination_base_id: id })
  }
  if (destination === origin) return fail('same_base')
  const { system } = view.read(Poi)
  const route = routeBetween(view, system[poi[origin]], system[poi[destination]])
  if (!route) return fail('invalid_base', { destination_base_id: id }, 'No lanes lead there.')
  const { police } = view.read(StarSystem)
  const risky = route.slice(1).filter((at) => police[at] < RISKY_POLICE_BELOW).length
  return { origin, destination, hops: route.length - 1, risky }
}

/* For whom */

const recipientRefusal = (field: string, expected: string): Failure<'invalid_recipient'> =>
  fail('invalid_recipient', { field, expected })

/** A player or faction by what a player calls it; undefined for nobody. */
function namedActor(view: WorldView, player: Eid, kind: string, id: string): Actor | undefined {
  if (kind === 'faction') {
    const faction = factionByText(view, id.trim())
    return faction === 0 ? undefined : factionActor(view, faction)
  }
  const found = playerMeant(view, player, id.trim())
  return found === 0 ? undefined : playerActor(view, found)
}

/** Refusals: invalid_recipient, no_storage_service, no_faction_storage. */
export function recipientOf(
  view: WorldView,
  player: Eid,
  shipper: Actor,
  { destination }: Way,
  asked: Asked,
) {
  const { recipient_id: id, recipient_type: type } = asked
  if (type === 'station') {
    const isHere = id === undefined || baseById(view, id.trim()) === destination
    const station = stationActor(view, destination)
    return isHere ? station : recipientRefusal('recipient_id', 'the destination')
  }
  let recipient: Actor | undefined
  if (id !== undefined) recipient = namedActor(view, player, type ?? 'player', id)
  else if (type === undefined || type === shipper.kind) recipient = shipper
  if (recipient === undefined) return recipientRefusal('recipient_id', 'a player or faction')
  if (recipient.kind === 'player') {
    return offersService(view, destination, 'storage') ? recipient : fail('no_storage_service')
  }
  const store = findStore(view, rowOfActor(view, recipient), destination)
  return store.ok ? recipient : store
}

interface Audience {
  readonly invited: Actor
  readonly visibility: Visibility
}

/** Refusals: invalid_recipient, invalid_payload, not_in_faction. */
export function audienceOf(
  view: WorldView,
  player: Eid,
  shipper: Actor,
  asked: Asked,
): Audience | Failure<'invalid_payload' | 'invalid_recipient' | 'not_in_faction'> {
  const { invited_carrier_id: id, invited_carrier_type: type = 'player' } = asked
  const visibility = asked.visibility ?? (id === undefined ? 'public' : 'invited')
  if (visibility !== 'invited') {
    if (id !== undefined) {
      return badFields({ field: 'visibility', expected: 'invited' })
    }
    const isAlone = shipper.kind === 'player' && factionOf(view, player) === 0
    if (visibility === 'faction' && isAlone) return fail('not_in_faction')
    return { invited: NOBODY, visibility }
  }
  const invited = id === undefined ? undefined : namedActor(view, player, type, id)
  if (invited === undefined) return recipientRefusal('invited_carrier_id', `${withArticle(type)}`)
  return { invited, visibility }
}

/* What it costs */

/** The middle of what was paid lately for as long a way; 0 of no contracts. */
export function estimateOf(view: WorldView, hops: number) {
  const rates = view.records(RATES).get(distanceKey(hops)) ?? []
  return { reward: medianOf(rates), samples: rates.length }
}

/** Refusals: reward_required, amount_too_large. */
export function rewardOf(
  asked: Asked,
  estimate: number,
): number | Failure<'amount_too_large' | 'reward_required'> {
  const reward = asked.base_reward ?? estimate
  if (asked.base_reward !== undefined && reward < 1) return fail('reward_required')
  if (reward > SHIPMENT_REWARD_MAX) return fail('amount_too_large', { max: SHIPMENT_REWARD_MAX })
  return reward
}

/**
 * ours: who asks for insurance that there is not, is told before they pay for the rest. Refusal:
 * invalid_payload.
 */
export function coverRefusal(
  { insured }: Asked,
  { reason }: Appraisal,
): Failure<'invalid_payload'> | undefined {
  if (insured !== true || reason === '') return undefined
  const fields = [{ field: 'insured', expected: 'false' }]
  const details = { fields, uninsurable_reason: reason }
  return fail('invalid_payload', details, 'This package cannot be insured; ship it uninsured.')
}

type Sums = Pick<Plan, 'fee' | 'premium' | 'exposure' | 'failureDebt' | 'total'>

export function sumsOf(way: Way, cover: { value: number; isInsured: boolean }, paid: Paid): Sums {
  const { reward, bonus } = paid
  const covered = cover.isInsured ? cover.value : 0
  const fee = serviceFee(reward, bonus)
  const premium = premiumOf(covered, way.risky)
  return {
    fee,
    premium,
    exposure: cover.value === 0 ? UNPRICED_EXPOSURE : cover.value,
    failureDebt: failureDebt(covered),
    total: reward + bonus + fee + premium,
  }
}

interface Paid {
  readonly reward: number
  readonly bonus: number
}

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

/* Debts */

/** What a carrier owes, the oldest first. */
export const debtsOf = (view: WorldView, carrier: Actor): readonly Debt[] =>
  view.records(DEBTS).get(keyOf(carrier)) ?? []

export const outstandingOf = (view: WorldView, carrier: Actor): number =>
  debtsOf(view, carrier).reduce((sum, { outstanding }) => sum + outstanding, 0)

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
export function tooManyRefusal(
  view: WorldView,
  carrier: Actor,
): Failure<'limit_reached'> | undefined {
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
export function standingRefusal(
  { owes, tier, liability }: Standing,
  exposure: number,
): Failure<'freight_debt' | 'liability_limit' | 'tier_too_low'> | undefined {
  if (owes > 0) return fail('freight_debt', { outstanding: owes })
  const required = tierFor(exposure)
  if (tier < required) {
    return fail('tier_too_low', { tier: TIERS[tier], required: TIERS[required] })
  }
  const { aggregate } = TIER_TERMS[tier]
  if (aggregate === undefined || liability + exposure <= aggregate) return undefined
  return fail('liability_limit', { liability, exposure, limit: aggregate })
}
