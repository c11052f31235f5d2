/**
 * The parties of contracts (players, factions, and stations as recipients), and the arithmetic of
 * their times, fees, premiums and tiers. Source: crafting.md section 10.
 */
import { assert } from '../../core/assert.ts'
import { wireId } from '../../core/entity.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { clamp, divCeil, mulDivCeil, mulDivFloor } from '../../core/math.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { areAllied, walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseId } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { factionOf, membersWith, treasuryOf } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { counterpartyIdentity } from '../sensing/model.ts'
import { ACTOR_KINDS, type ActorKind, type ServiceLevel, Shipment } from './state.ts'

/** A party of a contract. */
export interface Actor {
  readonly kind: ActorKind
  /** Durable number; 0 for kind none. */
  readonly number: number
}

export const NOBODY: Actor = { kind: 'none', number: 0 }

export const playerActor = (view: WorldView, player: Eid): Actor => ({
  kind: 'player',
  number: view.read(Player).seq[player],
})
export const factionActor = (view: WorldView, faction: Row): Actor => ({
  kind: 'faction',
  number: view.read(Faction).seq[faction],
})
export const stationActor = (view: WorldView, base: Eid): Actor => ({
  kind: 'station',
  number: view.read(Base).seq[base],
})

/** Returns the parties that a player may act as: themselves, and their faction. */
export function actorsOf(view: WorldView, player: Eid): Actor[] {
  const own = playerActor(view, player)
  const faction = factionOf(view, player)
  return faction === 0 ? [own] : [own, factionActor(view, faction)]
}

const TABLES = { player: Player, faction: Faction, station: Base } as const

/** Returns the row of a party; 0 for none, or for one that no longer exists. */
export const rowOfActor = (view: WorldView, { kind, number }: Actor): Row =>
  kind === 'none' ? 0 : view.rowOf(TABLES[kind], number)

/** Returns the key of a party in records and indexes: one letter and the number. */
export const keyOf = ({ kind, number }: Actor): string => `${kind.charAt(0)}${number}`

export const isSame = (one: Actor, other: Actor): boolean =>
  one.kind === other.kind && one.number === other.number

export type ActorRole = 'shipper' | 'carrier' | 'recipient' | 'invited' | 'holder'

/** Returns the party of a contract in a role. */
export function actorAt(view: WorldView, row: Row, role: ActorRole): Actor {
  const columns = view.read(Shipment)
  return { kind: ACTOR_KINDS[columns[`${role}Kind`][row]], number: columns[role][row] }
}

/* On the wire */

/** Renders kind and id of a party; anonymous players appear to others under their alias. */
export function renderActor(view: WorldView, viewer: Eid, actor: Actor) {
  const row = rowOfActor(view, actor)
  const { kind, number } = actor
  assert(kind !== 'none', 'there is no party to render')
  if (kind === 'station') return { kind, id: row === 0 ? '' : baseId(view, row) }
  if (kind === 'faction' || row === 0 || row === viewer) {
    return { kind, id: wireId(view.seed, TABLES[kind].name, number) }
  }
  return { kind, id: counterpartyIdentity(view, row).id }
}

/* Relations of parties */

/** Returns whether a player is the party, or a member of the faction that is the party. */
export function speaksFor(view: WorldView, player: Eid, actor: Actor): boolean {
  const row = rowOfActor(view, actor)
  if (row === 0) return false
  if (actor.kind === 'player') return row === player
  return actor.kind === 'faction' && factionOf(view, player) === row
}

/** A party, with the player who acts for it. */
export interface Deputy {
  readonly actor: Actor
  /** Number of the player who acted. */
  readonly agent: number
}

const agentOf = (view: WorldView, { actor, agent }: Deputy): Eid =>
  view.rowOf(Player, actor.kind === 'player' ? actor.number : agent)

/**
 * Returns whether a payment to one party could benefit the other: the same account, faction or
 * fleet, or allies. Source: crafting.md section 10, related parties.
 */
export function areRelated(view: WorldView, one: Deputy, other: Deputy): boolean {
  if (isSame(one.actor, other.actor)) return true
  const [a, b] = [agentOf(view, one), agentOf(view, other)]
  if (a !== 0 && b !== 0 && (a === b || areAllied(view, a, b))) return true
  return speaksFor(view, a, other.actor) || speaksFor(view, b, one.actor)
}

/**
 * Returns whether a player may carry a contract open to the shipper's allies: members of their
 * fleet, of their faction, or of an allied one.
 */
export function isAlly(view: WorldView, player: Eid, shipper: Deputy): boolean {
  if (speaksFor(view, player, shipper.actor)) return true
  const faction = shipper.actor.kind === 'faction' ? rowOfActor(view, shipper.actor) : 0
  if (faction !== 0) return areAllied(view, player, view.read(Faction).leader[faction])
  const agent = agentOf(view, shipper)
  return agent !== 0 && areAllied(view, player, agent)
}

/** Returns the players to notify for a party: the player, or members who manage the treasury. */
export function notifiedOf(view: WorldView, actor: Actor): Eid[] {
  const row = rowOfActor(view, actor)
  if (row === 0 || actor.kind === 'station') return []
  return actor.kind === 'player' ? [row] : membersWith(view, row, 'manage_treasury')
}

/* Money */

/** Returns the ledger account of a player or faction; 0 if it no longer exists. */
export function accountOf(view: WorldView, actor: Actor): Row {
  const row = rowOfActor(view, actor)
  if (row === 0 || actor.kind === 'station') return 0
  return actor.kind === 'player' ? walletOf(view, row) : treasuryOf(view, row)
}

export const creditsOf = (view: WorldView, actor: Actor): number =>
  balanceOf(view, accountOf(view, actor))

/** Returns whether a party has an account that can receive these credits. */
export const canPay = (view: WorldView, actor: Actor, credits: number): boolean => {
  const account = accountOf(view, actor)
  return account !== 0 && canReceive(view, account, credits)
}

/* Arithmetic */

/** Ticks after which a contract without a carrier expires. */
export const LISTING_TICKS = DAY_TICKS
/** Ticks after the deadline in which a package may still be delivered, for a late fee. */
export const RECOVERY_TICKS = 2_880

const TARGET_TICKS_MIN = 60
const DEADLINE_TICKS_MIN = 120
const PER_HOP = {
  standard: { target: 30, deadline: 60 },
  priority: { target: 20, deadline: 40 },
} as const

/** Spans of a contract, in ticks from its acceptance. */
export interface Times {
  /** Up to here the full bonus is paid. */
  readonly target: number
  /** Up to here a delivery is in time. */
  readonly deadline: number
}

/** Returns the spans of a contract, by service level and jumps. */
export function timesOf(service: ServiceLevel, hops: number): Times {
  const { target, deadline } = PER_HOP[service]
  return {
    target: Math.max(TARGET_TICKS_MIN, target * hops),
    deadline: Math.max(DEADLINE_TICKS_MIN, deadline * hops),
  }
}

const FEE_MIN = 25
const FEE_PCT = 5

/** Returns the station's fee for posting: a share of the sum of reward and bonus. */
export const serviceFee = (reward: number, bonus: number): number =>
  Math.max(FEE_MIN, mulDivCeil(reward + bonus, FEE_PCT, 100))

/** Returns the premium for a cover; `riskyJumps` lead into systems with little police. */
export const premiumOf = (covered: number, riskyJumps: number): number =>
  mulDivCeil(covered, 20 + 5 * riskyJumps, 1_000)

/** Police level below which a jump is risky. */
export const RISKY_POLICE_BELOW = 20

/** Returns the part of the bonus that a delivery at a tick earns. */
export function bonusAt(
  bonus: number,
  times: { readonly targetTick: number; readonly deadlineTick: number },
  tick: number,
): number {
  const span = times.deadlineTick - times.targetTick
  return mulDivFloor(bonus, clamp(times.deadlineTick - tick, 0, span), span)
}

/** Returns what is withheld from the reward for a delivery at a tick; 0 up to the deadline. */
export function lateFee(reward: number, deadlineTick: number, tick: number): number {
  const late = Math.max(0, tick - deadlineTick)
  return Math.min(reward, mulDivCeil(reward, late, RECOVERY_TICKS))
}

const UNINSURED_DEBT = 500
const DEBT_MIN = 100

/** Returns what a carrier owes for losing a package; `covered` is 0 for an uninsured one. */
export const failureDebt = (covered: number): number =>
  covered === 0 ? UNINSURED_DEBT : covered + Math.max(DEBT_MIN, divCeil(covered, 10))

interface TierTerms {
  /** Deliveries, and their value in credits, that the tier requires. */
  readonly deliveries: number
  readonly value: number
  /** Maximum liability for one package, and for all at once; undefined without limit. */
  readonly single?: number
  readonly aggregate?: number
}

/** Terms by index into TIERS. */
export const TIER_TERMS: readonly TierTerms[] = [
  { deliveries: 0, value: 0, single: 5_000, aggregate: 10_000 },
  { deliveries: 5, value: 250, single: 50_000, aggregate: 100_000 },
  { deliveries: 20, value: 250_000, single: 500_000, aggregate: 1_000_000 },
  { deliveries: 50, value: 2_000_000 },
]

/** Liability for a package without a price, credits. */
export const UNPRICED_EXPOSURE = 1_000_000

/** Returns the lowest tier whose carriers may take on that liability. */
export const tierFor = (exposure: number): number =>
  TIER_TERMS.findIndex(({ single }) => single === undefined || exposure <= single)

/** Maximum jumps of each class of distance; one more class has no limit. */
const DISTANCES: readonly number[] = [0, 2, 5, 10, 20]

/** Returns the key of the class that a distance falls into. */
export function distanceKey(hops: number): string {
  const index = DISTANCES.findIndex((max) => hops <= max)
  return String(index < 0 ? DISTANCES.length : index)
}

/** Returns the median of figures, the lower one if their number is even; 0 for none. */
export function medianOf(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  return sorted.length === 0 ? 0 : sorted[(sorted.length - 1) >> 1]
}
