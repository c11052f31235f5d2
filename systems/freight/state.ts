/**
 * Freight: contracts to carry a package from one base to another. Parties, package and bases are
 * referred to by their numbers, since a contract may outlive them. Each contract has its own
 * account for its credits, and its own container for the package until a carrier accepts it.
 */
import { defineEntity, f64, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Contracts at MAX_ENTITIES = 1,000,000: live ones, and ended ones that are still kept. */
const SHIPMENT_ROWS = 100_000
/** Live contracts of one shipper: posted or in transit. */
export const SHIPMENTS_PER_SHIPPER_MAX = 50
/** Contracts in transit of one carrier. */
export const SHIPMENTS_PER_CARRIER_MAX = 50
/** Live contracts for one recipient who is not their shipper. */
export const SHIPMENTS_PER_RECIPIENT_MAX = 200
/** Contracts posted at one base; limited because a list scans all of them. */
export const SHIPMENTS_POSTED_PER_BASE_MAX = 2_000
/** Ended contracts of one shipper that are kept, and for how many ticks. */
export const SHIPMENTS_ENDED_MAX = 20
export const SHIPMENT_KEPT_TICKS = 8_640
/** Contracts in a list. */
export const SHIPMENTS_LISTED_MAX = 200
/** Latest moves of a package that its track keeps. */
export const SHIPMENT_BEACONS_MAX = 50
/** Maximum base reward, and maximum bonus, of one contract, credits. */
export const SHIPMENT_REWARD_MAX = 1_000_000_000_000
/** Latest deliveries of a carrier that are kept for the limit per shipper and day. */
export const SHIPMENT_DELIVERIES_REMEMBERED = 64
/** Latest rewards for a class of distance from which an estimate is made. */
export const SHIPMENT_RATES_KEPT = 32
/** Pending claims against the insurer, and how many it pays in a tick. */
export const SHIPMENT_CLAIMS_OWED_MAX = 100_000
export const SHIPMENT_CLAIMS_PAID_PER_TICK = 20

/** Kinds of party, as stored (append only). */
export const ACTOR_KINDS = ['none', 'player', 'faction', 'station'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** State of a contract, as stored (append only). Source: crafting.md section 10. */
export const SHIPMENT_STATUS = [
  'posted',
  'in_transit',
  'delivered',
  'returned',
  'breached',
  'defaulted',
  'canceled',
] as const
export type ShipmentStatus = (typeof SHIPMENT_STATUS)[number]
export const POSTED = 0
export const IN_TRANSIT = 1

export const VISIBILITIES = ['public', 'faction', 'allies', 'invited'] as const
export type Visibility = (typeof VISIBILITIES)[number]

export const SERVICE_LEVELS = ['standard', 'priority'] as const
export type ServiceLevel = (typeof SERVICE_LEVELS)[number]

/** Status of the insurance, as stored (append only). */
export const POLICY_STATUS = [
  'none',
  'pending',
  'active',
  'expired',
  'claimed',
  'released',
] as const
export type PolicyStatus = (typeof POLICY_STATUS)[number]

/** Tiers of carriers, the lowest first. Source: crafting.md section 10. */
export const TIERS = ['probationary', 'licensed', 'trusted', 'prime'] as const
export type Tier = (typeof TIERS)[number]

/** Relation between shipper and carrier, as stored (append only); fixed at acceptance. */
export const BONDS = ['strangers', 'related', 'self'] as const
export type FreightBond = (typeof BONDS)[number]

/** Reasons why a contract ended, as stored (append only). */
export const END_REASONS = [
  '',
  'delivered',
  'delivered_late',
  'returned_by_carrier',
  'opened_by_owner',
  'seal_opened',
  'package_destroyed',
  'recovery_deadline_passed',
  'canceled_by_shipper',
  'listing_expired',
] as const
export type EndReason = (typeof END_REASONS)[number]

/** Reasons why a package cannot be insured, as stored (append only). */
export const UNINSURABLE_REASONS = ['', 'too_few_trades', 'no_value'] as const
export type UninsurableReason = (typeof UNINSURABLE_REASONS)[number]

/** Values of `fate`: what happened to a package under contract in the current tick. */
export const FATES = ['', 'opened', 'destroyed'] as const

const party = (doc: string) => ({
  kind: u8(`${doc}: index into ACTOR_KINDS`),
  number: f64(`${doc}: number of the player, faction or base; 0 none`),
})
const [shipper, carrier, recipient, invited, holder] = [
  party('shipper'),
  party('carrier'),
  party('recipient'),
  party('only carrier allowed'),
  party('holder when the package was opened or destroyed'),
]

/** A freight contract. Source: crafting.md section 10. */
export const Shipment = defineEntity('shipment', SHIPMENT_ROWS, {
  pkg: f64('number of the package'),
  status: u8('index into SHIPMENT_STATUS'),
  shipperKind: shipper.kind,
  shipper: shipper.number,
  shipperAgent: f64('number of the player who posted it'),
  carrierKind: carrier.kind,
  carrier: carrier.number,
  carrierAgent: f64('number of the player who accepted it; 0 none'),
  recipientKind: recipient.kind,
  recipient: recipient.number,
  invitedKind: invited.kind,
  invited: invited.number,
  visibility: u8('index into VISIBILITIES'),
  service: u8('index into SERVICE_LEVELS'),
  origin: f64('number of the base it is carried from'),
  destination: f64('number of the base it is carried to'),
  hops: u16('jumps of the shortest route'),
  bucket: f64('number of the faction store the package came from; 0 the main one'),
  crate: ref('container', 'holds the package until acceptance; 0 afterwards'),
  escrow: ref('account', 'credits of the contract; 0 once it has ended'),
  reward: f64('base reward, credits'),
  bonus: f64('maximum bonus for speed, credits'),
  fee: f64('service fee paid to the station, credits'),
  premium: f64('of the insurance, credits'),
  appraised: f64('value of the contents, credits; 0 unpriced'),
  uninsurable: u8('index into UNINSURABLE_REASONS; 0 insurable'),
  exposure: f64('liability a carrier takes on, credits'),
  policy: u8('index into POLICY_STATUS'),
  bond: u8('index into BONDS'),
  postedMs: f64('wall time of posting, ms since 1970'),
  postedTick: u32('tick of posting'),
  acceptedMs: f64('wall time of acceptance, ms since 1970; 0 never'),
  acceptedTick: u32('tick of acceptance; 0 never'),
  targetTick: u32('last tick of the full bonus; 0 before acceptance'),
  deadlineTick: u32('last tick in time; 0 before acceptance'),
  dueTick: u32('tick of its next timer'),
  calls: u8('warnings sent since the deadline passed'),
  endedMs: f64('wall time of its end, ms since 1970; 0 live'),
  endedTick: u32('tick of its end; 0 live'),
  reason: u8('index into END_REASONS'),
  payout: f64('paid to the carrier, credits'),
  claim: f64('paid by the insurer so far, credits'),
  fate: u8('index into FATES'),
  holderKind: holder.kind,
  holder: holder.number,
})

/** The record of a carrier, by its key: `p<number>` of a player, `f<number>` of a faction. */
export interface Profile {
  /** Index into TIERS. */
  readonly tier: number
  /** Deliveries that count towards the next tier, and their value. */
  readonly counted: number
  readonly countedValue: number
  readonly deliveries: number
  readonly value: number
  readonly priority: number
  readonly returns: number
  readonly breaches: number
  readonly defaults: number
  /** Wall times of the last failure, debt payoff and update; 0 never. */
  readonly consequenceMs: number
  readonly recoveryMs: number
  readonly updatedMs: number
  /** Latest deliveries that counted: key of the shipper and tick, the oldest first. */
  readonly latest: readonly (readonly [string, number])[]
}
export const PROFILES = defineRecords<Profile>('freight_profiles', ROWS.players + ROWS.factions)

/** Debt of a carrier to a shipping house for a lost package. */
export interface Debt {
  /** The wire id is a function of it. */
  readonly number: number
  /** Numbers of the contract, and of the base whose shipping house is the creditor. */
  readonly shipment: number
  readonly base: number
  readonly original: number
  readonly outstanding: number
  readonly atMs: number
}
/** Debts by key of the carrier, the oldest first. */
export const DEBTS = defineRecords<readonly Debt[]>('freight_debts', ROWS.players + ROWS.factions)

/** What the insurer still owes the shipper of a contract. */
interface Claim {
  readonly kind: number
  readonly number: number
  readonly credits: number
}
/** Claims by number of the contract, the oldest first. */
export const CLAIMS = defineRecords<Claim>('freight_claims', SHIPMENT_CLAIMS_OWED_MAX)

/** A report of where a package under contract was moved. */
export interface Beacon {
  readonly number: number
  readonly class: BeaconClass
  /** The party that has it, as index into ACTOR_KINDS and number; 0 for none. */
  readonly kind: number
  readonly holder: number
  /** Numbers of base, POI and system; 0 for none, or not known. */
  readonly base: number
  readonly poi: number
  readonly system: number
  readonly tick: number
  readonly atMs: number
}
export type BeaconClass =
  | 'shipping_house_escrow'
  | 'ship'
  | 'player_storage'
  | 'faction_storage'
  | 'faction_bucket'
  | 'wreck'
  | 'unpack_job_escrow'
  | 'destroyed'
  | 'unknown'

/** The moves of a package under contract. */
export interface Track {
  /** Hash of the sealed contents. */
  readonly print: string
  /** The oldest first. */
  readonly beacons: readonly Beacon[]
}
/** Tracks by number of the contract. */
export const TRACKS = defineRecords<Track>('freight_tracks', SHIPMENT_ROWS)

/** Latest rewards paid between strangers, by class of distance; the oldest first. */
export const RATES = defineRecords<readonly number[]>('freight_rates', 16)

/** Contracts grouped by a key. */
export type Sets<K> = Map<K, Set<Row>>

export const CONTRACTS = defineIndex('freight.contracts', () => ({
  /** The latest contract by number of the package, ended ones too. */
  byPackage: new Map<number, Row>(),
  shipped: new Map() as Sets<string>,
  carried: new Map() as Sets<string>,
  expected: new Map() as Sets<string>,
  ended: new Map() as Sets<string>,
  /** Contracts without a carrier, by number of the base. */
  posted: new Map() as Sets<number>,
  due: new Map<number, Row[]>(),
  /** Contracts whose package is gone. */
  fated: new Set<Row>(),
}))
