/**
 * Planning contracts, and the steps that every change of one shares: moving credits, placing
 * packages, logging, and notifying the parties. Source: crafting.md section 10.
 */
import type { Static } from 'typebox'
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { fail, ok } from '../../core/errors.ts'
import { emit } from '../../core/event.ts'
import type { Held } from '../../core/goods.ts'
import { canReceive, namedAccount, post } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { hasService } from '../base/model.ts'
import { manifestOf, type PackageHolder } from '../cargo/model.ts'
import { packageById } from '../cargo/rules.ts'
import { factionOf, recordFactionLog } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { facilityOfStore, openStore, type StorePlace } from '../faction/store-model.ts'
import { creditMove, logAction, payPlayer } from '../log/rules.ts'
import type { LogData } from '../log/state.ts'
import { volumeIn } from '../market/vwap-model.ts'
import { serviceRefusal } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import {
  type Actor,
  type ActorRole,
  accountOf,
  actorAt,
  lateFee,
  notifiedOf,
  RECOVERY_TICKS,
  rowOfActor,
  timesOf,
} from './actor-model.ts'
import {
  type Appraisal,
  type AppraisedLine,
  BASE_VALUES_MAX,
  baseIdOf,
  destinationName,
  type FreightRequest,
  isEnoughTrade,
  isLive,
  LOOKBACKS,
  packageIdOf,
  shipmentId,
  shipmentOf,
} from './model.ts'
import {
  audienceOf,
  coverRefusal,
  estimateOf,
  isFailure,
  ownPackage,
  recipientOf,
  rewardOf,
  routeTo,
  shipperOf,
  storedPackage,
  sumsOf,
} from './plan-model.ts'
import { type ShipmentChange, shipmentOverdue, shipmentUpdate } from './schemas.ts'
import { ACTOR_KINDS, SHIPMENT_STATUS, Shipment } from './state.ts'

/** Writes the party of a contract in a role. */
export function setActor(world: World, row: Row, role: ActorRole, { kind, number }: Actor): void {
  const columns = world.write(Shipment)
  columns[`${role}Kind`][row] = ACTOR_KINDS.indexOf(kind)
  columns[role][row] = number
}

interface Entry {
  readonly verb: string
  readonly summary: string
  readonly data?: LogData
}

const verbOf = ({ verb }: Entry): string => `freight_${verb}`

/** Writes an entry into the log of a party. */
export function recordFor(world: World, actor: Actor, entry: Entry, agent: Eid = 0): void {
  const row = rowOfActor(world, actor)
  if (row === 0 || actor.kind === 'station') return
  const { summary, data = {} } = entry
  const verb = verbOf(entry)
  if (actor.kind === 'player') {
    logAction(world, row, 'trading', verb, summary, data)
    return
  }
  const author = agent !== 0 ? agent : world.read(Faction).leader[row]
  recordFactionLog(world, row, author, { verb, summary, data })
}

/** Moves credits from a party, which has them, to an account. `agent` acts for a faction. */
export function charge(
  world: World,
  actor: Actor,
  to: Row,
  credits: number,
  entry: Entry & { readonly agent: Eid },
): void {
  const from = accountOf(world, actor)
  const { verb, summary, data = {}, agent } = entry
  if (actor.kind === 'player') {
    const player = rowOfActor(world, actor)
    creditMove(world, player, from, to, credits, 'trading', verbOf(entry), summary, data)
    return
  }
  post(world, from, to, credits)
  if (credits > 0) {
    recordFor(world, actor, { verb, summary, data: { ...data, credits: -credits } }, agent)
  }
}

/**
 * Pays credits to a party, or to the fee sink if the party cannot receive them. ours: so that a
 * contract can end even if a wallet is full or a faction is gone.
 */
export function pay(world: World, actor: Actor, from: Row, credits: number, entry: Entry): void {
  if (credits === 0) return
  const { verb, summary, data = {} } = entry
  if (actor.kind === 'player') {
    const player = rowOfActor(world, actor)
    payPlayer(world, player, from, credits, 'trading', verbOf(entry), summary, data)
    return
  }
  const to = accountOf(world, actor)
  if (to === 0 || !canReceive(world, to, credits)) {
    post(world, from, namedAccount('fee_sink'), credits)
    return
  }
  post(world, from, to, credits)
  recordFor(world, actor, { verb, summary, data: { ...data, credits } })
}

/* Packages */

/**
 * Returns where a party keeps a package at a base, even if that place is full. `bucket`: one of a
 * faction's stores; if its facility is gone, the main store is used.
 */
export function placeAt(world: World, actor: Actor, base: Eid, bucket = 0): PackageHolder {
  const row = rowOfActor(world, actor)
  assert(row !== 0 && actor.kind !== 'station', 'a package has no receiver')
  if (actor.kind === 'player') return { kind: 'locker', player: row, base }
  const store: StorePlace = { faction: row, base, bucket }
  const place = facilityOfStore(world, store) === 0 ? { ...store, bucket: 0 } : store
  return { kind: 'store', faction: row, base, container: openStore(world, place) }
}

function appraiseLine(view: WorldView, base: Eid, held: Held): AppraisedLine {
  for (const lookback of LOOKBACKS) {
    const traded = volumeIn(view, base, held.item, lookback.span)
    if (!isEnoughTrade(traded, held.units)) continue
    const max = BASE_VALUES_MAX * GOODS[held.item].base_value
    const unitValue = Math.min(max, divFloor(traded.credits, traded.units))
    const reason = unitValue === 0 ? 'no_value' : ''
    return { ...held, unitValue, reason, traded, lookback }
  }
  const unitValue = GOODS[held.item].base_value
  return { ...held, unitValue, reason: unitValue === 0 ? 'no_value' : 'too_few_trades' }
}

/**
 * Appraises a package by the trades at a base. Goods that hardly trade there cannot be insured, and
 * a carrier is liable for their base value. ours: one line without a value makes the whole package
 * unpriced, since otherwise an expensive good would count as worthless. Source: balance.md
 * section 10.
 */
function appraise(view: WorldView, base: Eid, pkg: Row): Appraisal {
  const lines = manifestOf(view, pkg).map((held) => appraiseLine(view, base, held))
  const reasons = lines.map((line) => line.reason)
  const reason = reasons.includes('no_value') ? 'no_value' : (reasons.find((one) => one) ?? '')
  const worth = lines.reduce((sum, { unitValue, units }) => sum + unitValue * units, 0)
  const value = reason === '' ? worth : 0
  return { lines, value, liability: reason === 'no_value' ? 0 : worth, reason }
}

/** Finds the package of a request if the shipper has it here. */
function findPackage(
  view: WorldView,
  player: Eid,
  { shipper, base }: { shipper: Actor; base: Eid },
  request: FreightRequest,
) {
  const { package_id = '', source, source_bucket_id } = request
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

/**
 * Plans the contract of a request. A quote for a package that cannot be insured reports that
 * instead of refusing.
 */
export function planShipment(
  view: WorldView,
  player: Eid,
  request: FreightRequest,
  isQuote: boolean,
) {
  const origin = dockedBase(view, player)
  if (!hasService(view, origin, 'missions')) return fail('no_missions_service')
  const restricted = serviceRefusal(view, player, origin, 'missions')
  if (restricted) return restricted
  const shipper = shipperOf(view, player, origin, request)
  if (isFailure(shipper)) return shipper
  const found = findPackage(view, player, { shipper, base: origin }, request)
  if (isFailure(found)) return found
  const route = routeTo(view, player, origin, request.destination_base_id ?? '')
  if (isFailure(route)) return route
  const recipient = recipientOf(view, player, shipper, route, request)
  if (isFailure(recipient)) return recipient
  const audience = audienceOf(view, player, shipper, request)
  if (isFailure(audience)) return audience
  const estimate = estimateOf(view, route.hops)
  const reward = rewardOf(request, estimate.reward)
  if (typeof reward !== 'number') return reward
  const appraisal = appraise(view, origin, found.pkg)
  const refused = isQuote ? undefined : coverRefusal(request, appraisal)
  if (refused) return refused
  const { service_level: service = 'standard', speed_bonus: bonus = 0, insured } = request
  const isInsured = insured === true && appraisal.reason === ''
  return ok({
    player,
    shipper,
    recipient,
    service,
    reward,
    bonus,
    isInsured,
    appraisal,
    estimate,
    ...found,
    ...route,
    ...audience,
    ...timesOf(service, route.hops),
    ...sumsOf(route, { ...appraisal, isInsured }, { reward, bonus }),
  })
}

/* Notices */

/** Returns all players to notify about a contract, each once. */
function playersToNotify(view: WorldView, row: Row): Eid[] {
  const roles = ['shipper', 'carrier', 'recipient'] as const
  return [...new Set(roles.flatMap((role) => notifiedOf(view, actorAt(view, row, role))))]
}

type Figures = Partial<
  Pick<
    Static<typeof shipmentUpdate.fields>,
    'deadline_tick' | 'carrier_payout' | 'shipper_refund' | 'claim_paid' | 'debt_created'
  >
>

/** Notifies the parties of a change of their contract. */
export function notifyUpdate(
  world: World,
  row: Row,
  event: ShipmentChange,
  message: string,
  figures: Figures = {},
): void {
  const rows = playersToNotify(world, row)
  if (rows.length === 0) return
  const { status, origin, destination } = world.read(Shipment)
  const payload = {
    tick: world.tick,
    event,
    shipment_id: shipmentId(world, row),
    package_id: packageIdOf(world, row),
    status: SHIPMENT_STATUS[status[row]],
    message,
    origin_base_id: baseIdOf(world, origin[row]),
    destination_base_id: baseIdOf(world, destination[row]),
    ...figures,
  }
  emit(world, shipmentUpdate, payload, { kind: 'players', rows })
}

/** Warns the parties that their package is late. */
export function notifyOverdue(world: World, row: Row): void {
  const rows = playersToNotify(world, row)
  if (rows.length === 0) return
  const { deadlineTick, destination, reward } = world.read(Shipment)
  const deadline = deadlineTick[row]
  const left = deadline + RECOVERY_TICKS - world.tick
  const payload = {
    tick: world.tick,
    deadline_tick: deadline,
    recovery_deadline_tick: deadline + RECOVERY_TICKS,
    ticks_left: left,
    late_fee: lateFee(reward[row], deadline, world.tick),
    shipment_id: shipmentId(world, row),
    package_id: packageIdOf(world, row),
    destination_base_id: baseIdOf(world, destination[row]),
    message: `The package for ${destinationName(world, row)} is late: deliver it within ${counted(left, 'tick')}.`,
  }
  emit(world, shipmentOverdue, payload, { kind: 'players', rows })
}
