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

export interface Actor {
  readonly kind: ActorKind
  /** Durable number; 0 without a party. */
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

/** Returns the row of a party; 0 of none, or of one that is gone. */
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

/** Renders kind and id of a party; the anonymous appear to others under their alias. */
export function renderActor(view: WorldView, viewer: Eid, actor: Actor) {
  const row = rowOfActor(view, actor)
  const { kind, number } = actor
  assert(kind !== 'none', 'a party that is none is rendered')
  if (kind === 'station') return { kind, id: row === 0 ? '' : baseId(view, row) }
  if (kind === 'faction' || row === 0 || row === viewer) {
    return { kind, id: wireId(view.seed, TABLES[kind].name, number) }
  }
  return { kind, id: counterpartyIdentity(view, row).id }
}

/* Relations of parties */

/** Returns whether a player is the party, or a member of the faction that is. */
export function speaksFor(view: WorldView, player: Eid, actor: Actor): boolean {
  const row = rowOfActor(view, actor)
  if (row === 0) return false
  if (actor.kind === 'player') return row === player
  return actor.kind === 'faction' && factionOf(view, player) === row
}

/** A party, and the player who acts for it. */
export interface Deputy {
  readonly actor: Actor
  /** Number of the player who acted. */
  readonly agent: number
}

const agentOf = (view: WorldView, { actor, agent }: Deputy): Eid =>
  view.rowOf(Player, actor.kind === 'player' ? actor.number : agent)

/**
 * Returns whether two parties could share what is paid to one of them: one account, faction or
 * fleet, or allies. Source: crafting.md section 10, related parties.
 */
export function areRelated(view: WorldView, one: Deputy, other: Deputy): boolean {
  if (isSame(one.actor, other.actor)) return true
  const [a, b] = [agentOf(view, one), agentOf(view, other)]
  if (a !== 0 && b !== 0 && (a === b || areAllied(view, a, b))) return true
  return speaksFor(view, a, other.actor) || speaksFor(view, b, one.actor)
}

/**
 * Returns whether a player may carry what a shipper leaves to their allies: of their fleet, their
 * faction, or an allied one.
 */
export function isAlly(view: WorldView, player: Eid, shipper: Deputy): boolean {
  if (speaksFor(view, player, shipper.actor)) return true
  const faction = shipper.actor.kind === 'faction' ? rowOfActor(view, shipper.actor) : 0
  if (faction !== 0) return areAllied(view, player, view.read(Faction).leader[faction])
  const agent = agentOf(view, shipper)
  return agent !== 0 && areAllied(view, player, agent)
}

/** Returns the players notified for a party: itself, or the members who manage the treasury. */
export function notifiedOf(view: WorldView, actor: Actor): Eid[] {
  const row = rowOfActor(view, actor)
  if (row === 0 || actor.kind === 'station') return []
  return actor.kind === 'player' ? [row] : membersWith(view, row, 'manage_treasury')
}

/* Money */

/** Returns the ledger account of a player or faction; 0 of one that is gone. */
export function accountOf(view: WorldView, actor: Actor): Row {
  const row = rowOfActor(view, actor)
  if (row === 0 || actor.kind === 'station') return 0
  return actor.kind === 'player' ? walletOf(view, row) : treasuryOf(view, row)
}

export const creditsOf = (view: WorldView, actor: Actor): number =>
  balanceOf(view, accountOf(view, actor))

export const canPay = (view: WorldView, actor: Actor, credits: number): boolean => {
  const account = accountOf(view, actor)
  return account !== 0 && canReceive(view, account, credits)
}

/* Arithmetic */

/** Ticks that a contract waits for a carrier. */
export const LISTING_TICKS = DAY_TICKS
/** Ticks after the deadline in which a package may still come, for a fee. */
export const RECOVERY_TICKS = 2_880

const TARGET_TICKS_MIN = 60
const DEADLINE_TICKS_MIN = 120
const PER_HOP = {
  standard: { target: 30, deadline: 60 },
  priority: { target: 20, deadline: 40 },
} as const

export interface Times {
  /** Ticks from acceptance to the last one of the whole bonus. */
  readonly target: number
  /** Ticks from acceptance to the last one in time. */
  readonly deadline: number
}

export function timesOf(service: ServiceLevel, hops: number): Times {
  const { target, deadline } = PER_HOP[service]
  return {
    target: Math.max(TARGET_TICKS_MIN, target * hops),
    deadline: Math.max(DEADLINE_TICKS_MIN, deadline * hops),
  }
}

const FEE_MIN = 25
const FEE_PCT = 5

/** Returns what the station takes for posting, a share of reward and bonus together. */
export const serviceFee = (reward: number, bonus: number): number =>
  Math.max(FEE_MIN, mulDivCeil(reward + bonus, FEE_PCT, 100))

/** Returns the premium; `risky`: jumps into systems whose police level is below 20. */
export const premiumOf = (covered: number, risky: number): number =>
  mulDivCeil(covered, 20 + 5 * risky, 1_000)

/** Police level below which a jump is risky. */
export const RISKY_POLICE_BELOW = 20

/** Returns the share of the bonus that is paid at a tick. */
export function bonusAt(
  bonus: number,
  times: { readonly targetTick: number; readonly deadlineTick: number },
  tick: number,
): number {
  const span = times.deadlineTick - times.targetTick
  return mulDivFloor(bonus, clamp(times.deadlineTick - tick, 0, span), span)
}

/** Returns what is withheld from the reward at a tick; 0 in time. */
export function lateFee(reward: number, deadlineTick: number, tick: number): number {
  const late = Math.max(0, tick - deadlineTick)
  return Math.min(reward, mulDivCeil(reward, late, RECOVERY_TICKS))
}

const UNINSURED_DEBT = 500
const DEBT_MIN = 100

/** Returns what a carrier owes for losing a package; `covered` is 0 where nothing was insured. */
export const failureDebt = (covered: number): number =>
  covered === 0 ? UNINSURED_DEBT : covered + Math.max(DEBT_MIN, divCeil(covered, 10))

interface TierTerms {
  readonly deliveries: number
  readonly value: number
  /** Most liability of one package, and of all at once; undefined without bound. */
  readonly single?: number
  readonly aggregate?: number
}

/** By index into TIERS. */
export const TIER_TERMS: readonly TierTerms[] = [
  { deliveries: 0, value: 0, single: 5_000, aggregate: 10_000 },
  { deliveries: 5, value: 250, single: 50_000, aggregate: 100_000 },
  { deliveries: 20, value: 250_000, single: 500_000, aggregate: 1_000_000 },
  { deliveries: 50, value: 2_000_000 },
]

/** Liability of a package without a price. */
export const UNPRICED_EXPOSURE = 1_000_000

/** Returns the lowest tier whose carriers may take on that liability. */
export const tierFor = (exposure: number): number =>
  TIER_TERMS.findIndex(({ single }) => single === undefined || exposure <= single)

/** Classes of distance: most jumps of each, the last without bound. */
const DISTANCES: readonly number[] = [0, 2, 5, 10, 20]

/** Returns the key of the class of a distance. */
export function distanceKey(hops: number): string {
  const index = DISTANCES.findIndex((max) => hops <= max)
  return String(index < 0 ? DISTANCES.length : index)
}

/** Returns the median of some figures, the lower one of an even number; 0 of none. */
export function medianOf(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  return sorted.length === 0 ? 0 : sorted[(sorted.length - 1) >> 1]
}
