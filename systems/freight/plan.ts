/**
 * A contract as it would be posted: whose package, from where to where, for whom, and what it
 * costs. Quote and post ask the same questions. Source: crafting.md section 10, quote / post.
 */
import { badFields, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { SHIPMENT_REWARD_MAX } from '../../core/limits-freight.ts'
import { withArticle } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { baseById, hasService, offersService } from '../base/rules.ts'
import { lockerOf } from '../cargo/rules.ts'
import { activeFacility } from '../facility/rules.ts'
import { factionByText, factionOf, refusesPermission } from '../faction/rules.ts'
import { findStore, type StorePlace, storeContainer, storesAt } from '../faction/store-rules.ts'
import { packageById, standsIn } from '../package/rules.ts'
import { playerMeant, seesPoi } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { activeShip } from '../ship/rules.ts'
import { refusesService } from '../station/access-rules.ts'
import { Poi, StarSystem } from '../travel/columns.ts'
import { dockedBase, routeBetween } from '../travel/rules.ts'
import type { Asked, SourceWord } from './action.ts'
import {
  type Actor,
  factionActor,
  NOBODY,
  playerActor,
  rowOfActor,
  stationActor,
} from './actor-rules.ts'
import { type Appraisal, appraise } from './appraisal.ts'
import { RATES, type ServiceLevel, type Visibility } from './columns.ts'
import { isLive, shipmentOf } from './store.ts'
import {
  distanceKey,
  failureDebt,
  medianOf,
  premiumOf,
  RISKY_POLICE_BELOW,
  serviceFee,
  type Times,
  timesOf,
  UNPRICED_EXPOSURE,
} from './terms.ts'

/** The package and where it stands. */
export interface Found {
  readonly pkg: Row
  /** Of a faction: the store. */
  readonly store?: StorePlace
}

export interface Way {
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

const isFailure = (found: object): found is Failure => 'ok' in found && found.ok === false

/* Who ships */

/** Refusals: not_in_faction, no_permission, no_faction_market. */
function shipperOf(view: WorldView, player: Eid, base: Eid, asked: Asked): Actor | Failure {
  if (asked.shipper !== 'faction') return playerActor(view, player)
  const refused = refusesPermission(view, player, 'manage_treasury')
  if (refused) return refused
  const faction = factionOf(view, player)
  const hasDesk = activeFacility(view, faction, base, 'faction_market') !== 0
  return hasDesk ? factionActor(view, faction) : fail('no_faction_market')
}

/** In the hold or locker of a player; 0 nowhere. */
function ownPackage(view: WorldView, player: Eid, base: Eid, pkg: Row, source?: SourceWord): Row {
  const hold = view.read(Ship).hold[activeShip(view, player)]
  if (source !== 'storage' && source !== 'faction' && standsIn(view, hold, pkg)) return pkg
  const locker = lockerOf(view, player, base)
  const isStored = locker !== 0 && standsIn(view, locker, pkg)
  return isStored && source !== 'cargo' && source !== 'faction' ? pkg : 0
}

/** In a store of a faction that can be reached. Refusals: no_faction_storage, bucket_not_found. */
function storedPackage(
  view: WorldView,
  faction: Row,
  base: Eid,
  pkg: Row,
  bucket?: string,
): Outcome<StorePlace | undefined> {
  const named = findStore(view, faction, base, bucket)
  if (!named.ok) return named
  const places = bucket === undefined ? storesAt(view, faction, base) : [named.result]
  return ok(places.find((place) => standsIn(view, storeContainer(view, place), pkg)))
}

/**
 * The package meant, where the shipper has it here. Refusals: package_not_found, freight_locked,
 * no_faction_storage, bucket_not_found.
 */
function findPackage(
  view: WorldView,
  player: Eid,
  { shipper, base }: { shipper: Actor; base: Eid },
  asked: Asked,
): Found | Failure {
  const { package_id = '', source, source_bucket_id } = asked
  const missing = () => fail('package_not_found', { package_id })
  const pkg = packageById(view, package_id)
  if (pkg === 0) return missing()
  let store: StorePlace | undefined
  if (shipper.kind === 'faction') {
    if (source !== undefined && source !== 'faction') return missing()
    const found = storedPackage(view, factionOf(view, player), base, pkg, source_bucket_id)
    if (!found.ok) return found
    store = found.result
    if (store === undefined) return missing()
  } else if (ownPackage(view, player, base, pkg, source) === 0) return missing()
  const running = shipmentOf(view, pkg)
  if (running !== 0 && isLive(view, running)) return fail('freight_locked', { package_id })
  return { pkg, store }
}

/* Where it goes */

/** Refusals: station_not_found, same_base, invalid_base. */
function wayTo(view: WorldView, player: Eid, origin: Eid, id: string): Way | Failure {
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

const refuseRecipient = (field: string, expected: string): Failure =>
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
function recipientOf(
  view: WorldView,
  player: Eid,
  shipper: Actor,
  { destination }: Way,
  asked: Asked,
): Actor | Failure {
  const { recipient_id: id, recipient_type: type } = asked
  if (type === 'station') {
    const isHere = id === undefined || baseById(view, id.trim()) === destination
    const station = stationActor(view, destination)
    return isHere ? station : refuseRecipient('recipient_id', 'the destination')
  }
  let recipient: Actor | undefined
  if (id !== undefined) recipient = namedActor(view, player, type ?? 'player', id)
  else if (type === undefined || type === shipper.kind) recipient = shipper
  if (recipient === undefined) return refuseRecipient('recipient_id', 'a player or faction')
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
function audienceOf(
  view: WorldView,
  player: Eid,
  shipper: Actor,
  asked: Asked,
): Audience | Failure {
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
  if (invited === undefined) return refuseRecipient('invited_carrier_id', `${withArticle(type)}`)
  return { invited, visibility }
}

/* What it costs */

/** The middle of what was paid lately for as long a way; 0 of no contracts. */
function estimateOf(view: WorldView, hops: number) {
  const rates = view.records(RATES).get(distanceKey(hops)) ?? []
  return { reward: medianOf(rates), samples: rates.length }
}

/** Refusals: reward_required, amount_too_large. */
function rewardOf(asked: Asked, estimate: number): number | Failure {
  const reward = asked.base_reward ?? estimate
  if (asked.base_reward !== undefined && reward < 1) return fail('reward_required')
  if (reward > SHIPMENT_REWARD_MAX) return fail('amount_too_large', { max: SHIPMENT_REWARD_MAX })
  return reward
}

/**
 * ours: who asks for insurance that there is not, is told before he pays for the rest. Refusal:
 * invalid_payload.
 */
function refusesCover({ insured }: Asked, { reason }: Appraisal): Failure | undefined {
  if (insured !== true || reason === '') return undefined
  const fields = [{ field: 'insured', expected: 'false' }]
  const details = { fields, uninsurable_reason: reason }
  return fail('invalid_payload', details, 'This package cannot be insured; ship it uninsured.')
}

type Sums = Pick<Plan, 'fee' | 'premium' | 'exposure' | 'failureDebt' | 'total'>

function sumsOf(way: Way, cover: { value: number; isInsured: boolean }, paid: Paid): Sums {
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

/**
 * The contract that a call asks for. Refusals: no_missions_service, service_restricted, and those
 * of its parts. A quote for a package that cannot be insured says so instead of refusing.
 */
export function planShipment(
  view: WorldView,
  player: Eid,
  asked: Asked,
  isQuote: boolean,
): Outcome<Plan> {
  const origin = dockedBase(view, player)
  if (!hasService(view, origin, 'missions')) return fail('no_missions_service')
  const barred = refusesService(view, player, origin, 'missions')
  if (barred) return barred
  const shipper = shipperOf(view, player, origin, asked)
  if (isFailure(shipper)) return shipper
  const found = findPackage(view, player, { shipper, base: origin }, asked)
  if (isFailure(found)) return found
  const way = wayTo(view, player, origin, asked.destination_base_id ?? '')
  if (isFailure(way)) return way
  const recipient = recipientOf(view, player, shipper, way, asked)
  if (isFailure(recipient)) return recipient
  const audience = audienceOf(view, player, shipper, asked)
  if (isFailure(audience)) return audience
  const estimate = estimateOf(view, way.hops)
  const reward = rewardOf(asked, estimate.reward)
  if (typeof reward !== 'number') return reward
  const appraisal = appraise(view, origin, found.pkg)
  const refused = isQuote ? undefined : refusesCover(asked, appraisal)
  if (refused) return refused
  const { service_level: service = 'standard', speed_bonus: bonus = 0, insured } = asked
  const isInsured = insured === true && appraisal.reason === ''
  return ok({
    ...{ player, shipper, recipient, service, reward, bonus, isInsured, appraisal, estimate },
    ...found,
    ...way,
    ...audience,
    ...timesOf(service, way.hops),
    ...sumsOf(way, { value: appraisal.value, isInsured }, { reward, bonus }),
  })
}
