/** Lookups of contracts by package, party and base, and their payouts and insurance. */
import { type ActionRow, actionRow } from '../../core/action-table.ts'
import { idOf, rowOfId, wireId } from '../../core/entity.ts'
import type { Held } from '../../core/goods.ts'
import { type ReferenceDef, referenceById } from '../../core/reference.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { packageOwner, packagePlace } from '../cargo/model.ts'
import { Package } from '../cargo/state.ts'
import type { TradeVolume, VolumeSpan } from '../market/schemas.ts'
import {
  type Actor,
  actorAt,
  actorsOf,
  bonusAt,
  type Deputy,
  factionActor,
  keyOf,
  lateFee,
  NOBODY,
  playerActor,
  rowOfActor,
} from './actor-model.ts'
import type { OWNERS, RECIPIENTS, SORTS, SOURCES } from './schemas.ts'
import {
  CONTRACTS,
  IN_TRANSIT,
  POLICY_STATUS,
  POSTED,
  type PolicyStatus,
  type ServiceLevel,
  type Sets,
  Shipment,
  TRACKS,
  type Track,
  type UninsurableReason,
  type Visibility,
} from './state.ts'

export type OwnerKind = (typeof OWNERS)[number]

export type SourceKind = (typeof SOURCES)[number]

export type SortOrder = (typeof SORTS)[number]

/** The parameters of any action of `shipping`. */
export interface FreightRequest {
  readonly amount?: number
  readonly base_reward?: number
  readonly carrier?: OwnerKind
  readonly destination_base_id?: string
  readonly eligible_as?: OwnerKind
  readonly filter_destination?: string
  readonly filter_service_level?: ServiceLevel
  readonly filter_shipper?: string
  readonly insured?: boolean
  readonly invited_carrier_id?: string
  readonly invited_carrier_type?: OwnerKind
  readonly limit?: number
  readonly max_total_cost?: number
  readonly package_id?: string
  readonly page?: number
  readonly per_page?: number
  readonly recipient_id?: string
  readonly recipient_type?: (typeof RECIPIENTS)[number]
  readonly service_level?: ServiceLevel
  readonly shipment_id?: string
  readonly shipper?: OwnerKind
  readonly sort?: SortOrder
  readonly source?: SourceKind
  readonly source_bucket_id?: string
  readonly speed_bonus?: number
  readonly visibility?: Visibility
}

/** A row of the table of actions. */
export type FreightAction = ActionRow<FreightRequest>
export const freightAction = actionRow<FreightRequest>()

const FILLS_MIN = 3
const TRADED_CREDITS_MIN = 500
/**
 * Maximum appraisal of a unit, in base values of the good. ours: trades may be staged to raise the
 * price.
 */
export const BASE_VALUES_MAX = 2

/** Spans of trades that may give a price, the shortest first, with the confidence in it. */
export const LOOKBACKS = [
  { name: '24h', confidence: 'high', span: { hours: 24 } },
  { name: '7d', confidence: 'medium', span: { days: 7 } },
  { name: '30d', confidence: 'low', span: { days: 30 } },
] as const satisfies readonly { name: string; confidence: string; span: VolumeSpan }[]
type Lookback = (typeof LOOKBACKS)[number]

/** Goods of a package with their price. */
export interface AppraisedLine extends Held {
  /** Credits a unit: the traded price, else the base value; 0 without either. */
  readonly unitValue: number
  readonly reason: UninsurableReason
  /** Trades that give the price, and their span. */
  readonly traded?: TradeVolume
  readonly lookback?: Lookback
}

/** The appraised worth of a package. */
export interface Appraisal {
  readonly lines: readonly AppraisedLine[]
  /** Insurable value, credits; 0 if some good hardly trades. */
  readonly value: number
  /** Liability of a carrier, credits; 0 if some good has no value. */
  readonly liability: number
  readonly reason: UninsurableReason
}

/** Returns whether trades suffice for a price: enough fills, credits and units. */
export const isEnoughTrade = ({ fills, credits, units }: TradeVolume, unitsMin: number): boolean =>
  fills >= FILLS_MIN && credits >= TRADED_CREDITS_MIN && units >= unitsMin

/* Finding contracts */

type Contracts = ReturnType<typeof CONTRACTS.make>
type Role = 'shipped' | 'carried' | 'expected' | 'ended'

/** Returns the index of contracts. */
export const contractIndex = (view: WorldView): Contracts => view.index(CONTRACTS)

/** Returns the wire id of a contract. */
export const shipmentId = (view: WorldView, row: Row): string => idOf(view, Shipment, row)

/** Returns a contract by wire id; 0 if there is none, or it is no longer kept. */
export const shipmentById = (view: WorldView, id: string): Row => rowOfId(view, Shipment, id)

export const shipments: ReferenceDef = referenceById('shipment', shipmentById, 'shipment_not_found')

/** Returns the latest contract on a package; 0 for none. */
export const shipmentOf = (view: WorldView, pkg: Row): Row =>
  contractIndex(view).byPackage.get(view.read(Package).seq[pkg]) ?? 0

/** Returns the package of a contract; 0 if it is gone. */
export const packageOf = (view: WorldView, row: Row): Row =>
  view.rowOf(Package, view.read(Shipment).pkg[row])

/** Returns whether a contract is live: posted or in transit. */
export const isLive = (view: WorldView, row: Row): boolean =>
  view.read(Shipment).status[row] <= IN_TRANSIT

/** Returns whether a package has a live contract, and so may not be removed from play. */
export function isUnderContract(view: WorldView, pkg: Row): boolean {
  const row = shipmentOf(view, pkg)
  return row !== 0 && isLive(view, row)
}

/**
 * Sorts contracts, the oldest first. Needed because a restore fills the sets of the index in
 * another order than play does.
 */
export function oldestFirst(view: WorldView, rows: Iterable<Row>): Row[] {
  const { seq } = view.read(Shipment)
  return [...rows].sort((a, b) => seq[a] - seq[b])
}

/** Returns the contracts of a party in a role, the oldest first. O(n log n) in their number. */
export const contractsOf = (view: WorldView, role: Role, actor: Actor): Row[] =>
  oldestFirst(view, contractIndex(view)[role].get(keyOf(actor)) ?? [])

/** Counts the contracts of a party in a role. */
export const countContracts = (view: WorldView, role: Role, actor: Actor): number =>
  contractIndex(view)[role].get(keyOf(actor))?.size ?? 0

/** Returns the contracts posted at a base, given by its number, the oldest first. */
export const postedAt = (view: WorldView, base: number): Row[] =>
  oldestFirst(view, contractIndex(view).posted.get(base) ?? [])

/** Counts the contracts posted at a base, given by its number. */
export const countPostedAt = (view: WorldView, base: number): number =>
  contractIndex(view).posted.get(base)?.size ?? 0

/**
 * Returns whether a player, or their faction, carries a package from or to a base, so that the base
 * lets them dock. O(their contracts). Source: crafting.md section 8, docking.
 */
export function hasContractAt(view: WorldView, player: Eid, base: Eid): boolean {
  const number = view.read(Base).seq[base]
  const { origin, destination } = view.read(Shipment)
  return actorsOf(view, player).some((carrier) =>
    contractsOf(view, 'carried', carrier).some(
      (row) => origin[row] === number || destination[row] === number,
    ),
  )
}

/** Returns whether a package is under way to a base. Scans all contracts: for rare commands. */
export function isAwaitedAt(view: WorldView, base: Eid): boolean {
  const number = view.read(Base).seq[base]
  const { alive, destination, status } = view.read(Shipment)
  for (let row = 1; row <= view.highOf(Shipment); row++) {
    const isUnderWay = alive[row] === 1 && status[row] === IN_TRANSIT
    if (isUnderWay && destination[row] === number) return true
  }
  return false
}

/** Returns whether the index lists a contract as its state requires. */
export function isIndexed(view: WorldView, row: Row): boolean {
  const { pkg, status, origin, dueTick, fate } = view.read(Shipment)
  const index = contractIndex(view)
  const has = <K>(sets: Sets<K>, key: K) => sets.get(key)?.has(row) === true
  const shipper = keyOf(actorAt(view, row, 'shipper'))
  return (
    index.byPackage.has(pkg[row]) &&
    has(isLive(view, row) ? index.shipped : index.ended, shipper) &&
    has(index.posted, origin[row]) === (status[row] === POSTED) &&
    has(index.carried, keyOf(actorAt(view, row, 'carrier'))) === (status[row] === IN_TRANSIT) &&
    index.fated.has(row) === (fate[row] !== 0) &&
    index.due.get(dueTick[row])?.includes(row) === true
  )
}

/* One contract */

/** Returns the key of a contract's record in TRACKS. */
export const trackKey = (view: WorldView, row: Row): string => String(view.read(Shipment).seq[row])

const NO_TRACK: Track = { print: '', beacons: [] }

/** Returns the recorded moves of a contract's package. */
export const trackOf = (view: WorldView, row: Row): Track =>
  view.records(TRACKS).get(trackKey(view, row)) ?? NO_TRACK

/** Returns the status of a contract's insurance. */
export const policyAt = (view: WorldView, row: Row): PolicyStatus =>
  POLICY_STATUS[view.read(Shipment).policy[row]]

/** Returns the credits that the insurance of a contract covers; 0 if none is active. */
export const coveredBy = (view: WorldView, row: Row): number =>
  policyAt(view, row) === 'active' ? view.read(Shipment).appraised[row] : 0

/** Returns shipper and carrier with the players who acted for them. */
export function deputiesOf(view: WorldView, row: Row): { shipper: Deputy; carrier: Deputy } {
  const { shipperAgent, carrierAgent } = view.read(Shipment)
  return {
    shipper: { actor: actorAt(view, row, 'shipper'), agent: shipperAgent[row] },
    carrier: { actor: actorAt(view, row, 'carrier'), agent: carrierAgent[row] },
  }
}

/** Returns the party in whose hold or stores a package is; NOBODY if it is elsewhere. */
export function holderOf(view: WorldView, pkg: Row): Actor {
  const { player, faction } = packageOwner(view, pkg)
  const place = packagePlace(view, pkg)
  const isHeld = place === 'cargo' || place === 'locker' || place === 'store' || place === 'escrow'
  if (!isHeld) return NOBODY
  if (faction !== 0) return factionActor(view, faction)
  return player === 0 ? NOBODY : playerActor(view, player)
}

/* Deliveries */

/** Returns who receives the package: the recipient, or the shipper if the recipient is gone. */
export function receiverOf(view: WorldView, row: Row): Actor {
  const recipient = actorAt(view, row, 'recipient')
  return rowOfActor(view, recipient) === 0 ? actorAt(view, row, 'shipper') : recipient
}

/** Returns what a delivery now pays the carrier: reward less late fee, and bonus. */
export function payoutNow(view: WorldView, row: Row): number {
  const { reward, bonus, targetTick, deadlineTick } = view.read(Shipment)
  const times = { targetTick: targetTick[row], deadlineTick: deadlineTick[row] }
  const fee = lateFee(reward[row], deadlineTick[row], view.tick)
  return reward[row] - fee + bonusAt(bonus[row], times, view.tick)
}

/* Names */

/** Returns the wire id of the package of a contract, even if it is gone. */
export const packageIdOf = (view: WorldView, row: Row): string =>
  `package:${wireId(view.seed, Package.name, view.read(Shipment).pkg[row])}`

/** Returns the wire id of a base by its number; empty if it no longer exists. */
export function baseIdOf(view: WorldView, number: number): string {
  const base = view.rowOf(Base, number)
  return base === 0 ? '' : baseId(view, base)
}

/** Returns the name of the destination for use in a sentence. */
export function destinationName(view: WorldView, row: Row): string {
  const base = view.rowOf(Base, view.read(Shipment).destination[row])
  return base === 0 ? 'a base that no longer exists' : baseName(view, base)
}
