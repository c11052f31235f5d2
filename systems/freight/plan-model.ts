/**
 * Planning a contract for quote and post: shipper, package, route, recipient, audience and costs;
 * and the standing of carriers. Source: crafting.md section 10, quote / post.
 */
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { divFloor } from '../../core/math.ts'
import { withArticle } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { giftPart } from '../account/giving-model.ts'
import { baseById, offersService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isPackageIn, lockerOf } from '../cargo/model.ts'
import { activeFacility } from '../facility/model.ts'
import { factionByText, factionOf, permissionRefusal } from '../faction/model.ts'
import {
  findMainStore,
  findStore,
  type StorePlace,
  storeContainer,
  storesAt,
} from '../faction/store-model.ts'
import { playerMeant, seesPoi } from '../sensing/model.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { isOutpost } from '../station/model.ts'
import { routeBetween } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import {
  type Actor,
  actorAt,
  distanceKey,
  factionActor,
  failureDebt,
  isSame,
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
import {
  type Appraisal,
  contractsOf,
  countContracts,
  type FreightRequest,
  type SourceKind,
} from './model.ts'
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

/* Pay that is a gift. ours: balance.md section 10 limits gifts, and freight was a way around it. */

/** What boards pay for a haul, credits, and what carrying a value is worth, percent of it. */
const HAUL = { base: 250, perJump: 350, valuePct: 10 } as const

/** Returns how much of what a carrier is paid is a gift; 0 for a fair pay. */
function giftOfPay(pay: number, hops: number, value: number): number {
  return giftPart(pay, HAUL.base + HAUL.perJump * hops + divFloor(HAUL.valuePct * value, 100))
}

/** Returns how much of the pay of a planned contract is a gift of its shipper; 0 from a faction. */
export const giftOfPlan = ({ shipper, reward, bonus, hops, appraisal }: Plan): number =>
  shipper.kind === 'player' ? giftOfPay(reward + bonus, hops, appraisal.value) : 0

/** Returns how much of the pay of a contract is a gift of its shipper to a carrier. */
export function giftTo(view: WorldView, row: Row, carrier: Actor): number {
  const shipper = actorAt(view, row, 'shipper')
  if (shipper.kind !== 'player' || isSame(shipper, carrier)) return 0
  const { reward, bonus, hops, appraised } = view.read(Shipment)
  return giftOfPay(reward[row] + bonus[row], hops[row], appraised[row])
}

/** A package and where it is. */
interface PackagePlace {
  readonly pkg: Row
  /** Store of the faction that ships the package. */
  readonly store?: StorePlace
}

interface Route {
  readonly origin: Eid
  readonly destination: Eid
  readonly hops: number
  /** Jumps into systems with little police. */
  readonly riskyJumps: number
}

/** A planned contract: everything that posting it needs. */
export interface Plan extends PackagePlace, Route, Times {
  /** The player who plans it. */
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

/** Returns whether a step of planning was refused. */
export const isFailure = (result: object): result is Failure =>
  'ok' in result && result.ok === false

/* Shipper and package */

/** Returns the shipper of a request: the player, or their faction. */
export function shipperOf(
  view: WorldView,
  player: Eid,
  base: Eid,
  request: FreightRequest,
): Actor | Failure<'no_faction_market' | 'no_permission' | 'not_in_faction'> {
  if (request.shipper !== 'faction') return playerActor(view, player)
  const refused = permissionRefusal(view, player, 'manage_treasury')
  if (refused) return refused
  const faction = factionOf(view, player)
  const hasDesk = activeFacility(view, faction, base, 'faction_market') !== 0
  return hasDesk ? factionActor(view, faction) : fail('no_faction_market')
}

/** Returns the package if it is in the player's hold or locker and `source` allows; else 0. */
export function ownPackage(
  view: WorldView,
  player: Eid,
  base: Eid,
  pkg: Row,
  source?: SourceKind,
): Row {
  const hold = view.read(Ship).hold[activeShip(view, player)]
  if (source !== 'storage' && source !== 'faction' && isPackageIn(view, hold, pkg)) return pkg
  const locker = lockerOf(view, player, base)
  const isStored = locker !== 0 && isPackageIn(view, locker, pkg)
  return isStored && source !== 'cargo' && source !== 'faction' ? pkg : 0
}

/** Finds the faction's store at a base that a package is in; undefined if it is in none. */
export function storedPackage(
  view: WorldView,
  faction: Row,
  base: Eid,
  pkg: Row,
  bucket?: string,
): Outcome<StorePlace | undefined, 'bucket_not_found' | 'no_faction_storage'> {
  const store = findStore(view, faction, base, bucket)
  if (!store.ok) return store
  const places = bucket === undefined ? storesAt(view, faction, base) : [store.result]
  return ok(places.find((place) => isPackageIn(view, storeContainer(view, place), pkg)))
}

/* Route */

/** Finds the route to the base with this id. */
export function routeTo(
  view: WorldView,
  player: Eid,
  origin: Eid,
  id: string,
): Route | Failure<'invalid_base' | 'same_base' | 'station_not_found'> {
  const destination = baseById(view, id.trim())
  const { poi } = view.read(Base)
  if (destination === 0 || !seesPoi(view, player, poi[destination])) {
    return fail('station_not_found', { destination_base_id: id })
  }
  if (destination === origin) return fail('same_base')
  const { system } = view.read(Poi)
  const route = routeBetween(view, system[poi[origin]], system[poi[destination]])
  if (!route) {
    const hint = 'No lanes lead to that station; choose another destination.'
    return fail('invalid_base', { destination_base_id: id }, hint)
  }
  const { police } = view.read(StarSystem)
  const riskyJumps = route.slice(1).filter((next) => police[next] < RISKY_POLICE_BELOW).length
  return { origin, destination, hops: route.length - 1, riskyJumps }
}

/* Recipient and audience */

const recipientRefusal = (field: string, expected: string): Failure<'invalid_recipient'> =>
  fail('invalid_recipient', { field, expected })

/** Returns the player or faction with this id or name; undefined if there is none. */
function namedActor(view: WorldView, player: Eid, kind: string, id: string): Actor | undefined {
  if (kind === 'faction') {
    const faction = factionByText(view, id.trim())
    return faction === 0 ? undefined : factionActor(view, faction)
  }
  const named = playerMeant(view, player, id.trim())
  return named === 0 ? undefined : playerActor(view, named)
}

/** Returns the recipient of a request, who must be able to store the package at the destination. */
export function recipientOf(
  view: WorldView,
  player: Eid,
  shipper: Actor,
  { destination }: Route,
  request: FreightRequest,
) {
  const { recipient_id: id, recipient_type: type } = request
  if (type === 'station') {
    // An outpost has no exchange: nobody could take the goods out of its stock.
    if (isOutpost(view, destination)) return recipientRefusal('recipient_type', 'faction')
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
  const store = findMainStore(view, rowOfActor(view, recipient), destination)
  return store.ok ? recipient : store
}

interface Audience {
  readonly invited: Actor
  readonly visibility: Visibility
}

/** Returns which carriers a request is open to. */
export function audienceOf(
  view: WorldView,
  player: Eid,
  shipper: Actor,
  request: FreightRequest,
): Audience | Failure<'invalid_payload' | 'invalid_recipient' | 'not_in_faction'> {
  const { invited_carrier_id: id, invited_carrier_type: type = 'player' } = request
  const visibility = request.visibility ?? (id === undefined ? 'public' : 'invited')
  if (visibility !== 'invited') {
    if (id !== undefined) return invalidFields({ field: 'visibility', expected: 'invited' })
    const isAlone = shipper.kind === 'player' && factionOf(view, player) === 0
    if (visibility === 'faction' && isAlone) return fail('not_in_faction')
    return { invited: NOBODY, visibility }
  }
  const invited = id === undefined ? undefined : namedActor(view, player, type, id)
  if (invited === undefined) return recipientRefusal('invited_carrier_id', withArticle(type))
  return { invited, visibility }
}

/* Costs */

/** Estimates a reward: the median of recent ones for a similar distance; 0 without any. */
export function estimateOf(view: WorldView, hops: number) {
  const rates = view.records(RATES).get(distanceKey(hops)) ?? []
  return { reward: medianOf(rates), samples: rates.length }
}

/** Returns the requested reward, by default the estimate. */
export function rewardOf(
  request: FreightRequest,
  estimate: number,
): number | Failure<'amount_too_large' | 'reward_required'> {
  const reward = request.base_reward ?? estimate
  if (request.base_reward !== undefined && reward < 1) return fail('reward_required')
  if (reward > SHIPMENT_REWARD_MAX) return fail('amount_too_large', { max: SHIPMENT_REWARD_MAX })
  return reward
}

/** Refuses to insure a package that cannot be insured. ours: checked before anything is paid. */
export function coverRefusal(
  { insured }: FreightRequest,
  { reason }: Appraisal,
): Failure<'invalid_payload'> | undefined {
  if (insured !== true || reason === '') return undefined
  const fields = [{ field: 'insured', expected: 'false' }]
  const details = { fields, uninsurable_reason: reason }
  return fail('invalid_payload', details, 'This package cannot be insured; ship it uninsured.')
}

type Sums = Pick<Plan, 'fee' | 'premium' | 'exposure' | 'failureDebt' | 'total'>

/** Computes fee, premium, liability, debt on failure and total cost of a contract. */
export function sumsOf(
  { riskyJumps }: Route,
  cover: Pick<Appraisal, 'value' | 'liability'> & { readonly isInsured: boolean },
  { reward, bonus }: { readonly reward: number; readonly bonus: number },
): Sums {
  const covered = cover.isInsured ? cover.value : 0
  const fee = serviceFee(reward, bonus)
  const premium = premiumOf(covered, riskyJumps)
  return {
    fee,
    premium,
    exposure: cover.liability === 0 ? UNPRICED_EXPOSURE : cover.liability,
    failureDebt: failureDebt(covered),
    total: reward + bonus + fee + premium,
  }
}

/* Carriers */

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

/** Returns the debts of a carrier, the oldest first. */
export const debtsOf = (view: WorldView, carrier: Actor): readonly Debt[] =>
  view.records(DEBTS).get(keyOf(carrier)) ?? []

export const outstandingOf = (view: WorldView, carrier: Actor): number =>
  debtsOf(view, carrier).reduce((sum, { outstanding }) => sum + outstanding, 0)

/** Sums the exposure of a carrier's contracts in transit for others. O(its contracts). */
export function liabilityOf(view: WorldView, carrier: Actor): number {
  const { bond, exposure } = view.read(Shipment)
  return contractsOf(view, 'carried', carrier)
    .filter((row) => BONDS[bond[row]] !== 'self')
    .reduce((sum, row) => sum + exposure[row], 0)
}

/** Refuses a carrier with the maximum number of contracts at a time. */
export function contractLimitRefusal(
  view: WorldView,
  carrier: Actor,
): Failure<'limit_reached'> | undefined {
  if (countContracts(view, 'carried', carrier) < SHIPMENTS_PER_CARRIER_MAX) return undefined
  return fail('limit_reached', { max: SHIPMENTS_PER_CARRIER_MAX, of: 'contracts at a time' })
}

/** What decides whether a carrier may accept others' contracts; computed once per list. */
export interface Standing {
  readonly debt: number
  readonly tier: number
  readonly liability: number
}

export const standingOf = (view: WorldView, carrier: Actor): Standing => ({
  debt: outstandingOf(view, carrier),
  tier: profileOf(view, carrier).tier,
  liability: liabilityOf(view, carrier),
})

/** Refuses a carrier who has debts, too low a tier or too much liability. */
export function standingRefusal(
  { debt, tier, liability }: Standing,
  exposure: number,
): Failure<'freight_debt' | 'liability_limit' | 'tier_too_low'> | undefined {
  if (debt > 0) return fail('freight_debt', { outstanding: debt })
  const required = tierFor(exposure)
  if (tier < required) {
    return fail('tier_too_low', { tier: TIERS[tier], required: TIERS[required] })
  }
  const { aggregate } = TIER_TERMS[tier]
  if (aggregate === undefined || liability + exposure <= aggregate) return undefined
  return fail('liability_limit', { liability, exposure, limit: aggregate })
}
