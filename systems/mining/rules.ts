/**
 * The arithmetic of mining: what a deposit holds at a tick, what a rig may pull, how much it
 * yields, and how a scarce deposit is shared. Pure integer functions on plain numbers, for the
 * kernel and for the views alike.
 * Source: mining.md sections 1-4, 7.
 */
import { assert } from '../../core/assert.ts'
import { DEPLETION_FLOOR_PCT, OVERKILL_RATIO, PRECISION_K } from '../../core/catalog/mining.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'

export const RARITY_WEIGHT_PCT = 10

/** Ticks from empty to full, by rarity rank. */
export const REGROWTH_WINDOW_TICKS = [8_640, 17_280, 43_200, 86_400, 172_800] as const

/** A deposit's saved figures. */
export interface DepositState {
  readonly max: number
  readonly base: number
  readonly baseTick: number
  /** Part-unit at baseTick, in 1/window units. */
  readonly frac: number
  readonly window: number
}

/** Part-units by `tick`, in 1/window units: below 2^53, for max < 2^31 and window < 2^18. */
function grownParts(deposit: DepositState, tick: number): number {
  // full after a window at most: the rest of a long absence need not be multiplied out
  const ticks = Math.min(tick - deposit.baseTick, deposit.window)
  return deposit.frac + ticks * deposit.max
}

/** Units in a limited deposit at a tick. */
export function remainingAt(deposit: DepositState, tick: number): number {
  assert(tick >= deposit.baseTick, 'a deposit is read before its last change')
  const grown = divFloor(grownParts(deposit, tick), deposit.window)
  return Math.min(deposit.max, deposit.base + grown)
}

/** Part-unit to keep when the amount is written at a tick; a full deposit keeps none. */
export function fractionAt(deposit: DepositState, tick: number): number {
  if (remainingAt(deposit, tick) >= deposit.max) return 0
  return grownParts(deposit, tick) % deposit.window
}

/** Power a deposit sustains, for a rig of this weighted precision (×1000). */
export function supportedPower(remaining: number, fine: number): number {
  if (remaining <= 0) return 0
  return Math.max(1, divFloor(remaining * 1000, PRECISION_K * fine))
}

/** True for a rig strong enough to be locked out of depleted deposits. */
export const canLock = (power: number, fine: number): boolean => power * fine > PRECISION_K * 1000

/** Stock below which a depleted deposit locks the rig out; 0 for a rig that is never locked out. */
export function lockMinimumStock(power: number, fine: number): number {
  return canLock(power, fine) ? divCeil(power * PRECISION_K * fine, OVERKILL_RATIO * 1000) : 0
}

export interface Rig {
  readonly power: number
  /** Weighted precision ×1000. */
  readonly fine: number
}

/** True if the deposit is too far gone for the rig. Deep-core places never are. */
export function isTooSparse(rig: Rig, remaining: number, max: number, deepCore: boolean): boolean {
  const isDepleted = remaining * 100 < max * DEPLETION_FLOOR_PCT
  return !deepCore && isDepleted && remaining < lockMinimumStock(rig.power, rig.fine)
}

/** Weight of a deposit in the draw. */
export function pickWeight(richness: number, miningLevel: number, rank: number): number {
  return Math.max(1, richness * (RARITY_WEIGHT_PCT + miningLevel * rank))
}

export interface Pull {
  /** Power after the deposit's cap. */
  readonly power: number
  readonly richness: number
  /** Skill level. */
  readonly mining: number
  /** Skill level at a deep-core place, 0 elsewhere. */
  readonly deepCoreMining: number
  /** Yield bonus of hull, modules and origin, %. */
  readonly bonusPct: number
  /** Crew efficiency, %. */
  readonly crewPct: number
}

const YIELD_DIVISOR = 100_000_000

/**
 * Units of a pull before hold and contention, at least 1. Exact: the product may pass 2^53, so it
 * is split.
 */
export function yieldOf(pull: Pull): number {
  const skill = 100 + pull.mining + 5 * pull.deepCoreMining
  const left = pull.power * (50 + pull.richness) * skill
  const right = (100 + pull.bonusPct) * pull.crewPct
  const whole = divFloor(left, YIELD_DIVISOR)
  const rest = divFloor((left % YIELD_DIVISOR) * right, YIELD_DIVISOR)
  return Math.max(1, whole * right + rest)
}

/**
 * Share of one of several pulls on a deposit that cannot satisfy them all; the caller hands out the
 * units left over, one each by initiative.
 */
export function shareOf(wanted: number, remaining: number, wantedByAll: number): number {
  return wantedByAll <= remaining ? wanted : divFloor(wanted * remaining, wantedByAll)
}

/** Depletion in percent with one decimal, 0 = full. */
export function depletionPercent(remaining: number, max: number): number {
  return max === 0 ? 0 : divFloor((max - remaining) * 1000, max) / 10
}

/** Wire text of an amount; -1 = unlimited. */
export function remainingDisplay(remaining: number): string {
  if (remaining < 0) return 'unlimited'
  return remaining === 0 ? 'depleted' : `${counted(remaining, 'unit')}`
}
