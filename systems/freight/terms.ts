/** The arithmetic of contracts: times, fees, premiums, tiers. Source: crafting.md section 10. */
import { clamp, divCeil, mulDivCeil, mulDivFloor } from '../../core/math.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { ServiceLevel } from './columns.ts'

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

const FEE_LEAST = 25
const FEE_PCT = 5

/** What the station takes for posting, of reward and bonus together. */
export const serviceFee = (reward: number, bonus: number): number =>
  Math.max(FEE_LEAST, mulDivCeil(reward + bonus, FEE_PCT, 100))

/** `risky`: jumps into systems whose police level is below 20. */
export const premiumOf = (covered: number, risky: number): number =>
  mulDivCeil(covered, 20 + 5 * risky, 1_000)

/** Police level below which a jump is risky. */
export const RISKY_POLICE_BELOW = 20

/** The share of the bonus that is paid at a tick. */
export function bonusAt(
  bonus: number,
  times: { readonly targetTick: number; readonly deadlineTick: number },
  tick: number,
): number {
  const span = times.deadlineTick - times.targetTick
  return mulDivFloor(bonus, clamp(times.deadlineTick - tick, 0, span), span)
}

/** What is kept of the reward at a tick: nothing in time. */
export function lateFee(reward: number, deadlineTick: number, tick: number): number {
  const late = Math.max(0, tick - deadlineTick)
  return Math.min(reward, mulDivCeil(reward, late, RECOVERY_TICKS))
}

const UNINSURED_DEBT = 500
const DEBT_LEAST = 100

/** What a carrier owes for a package that it loses: `covered` 0 where nothing was insured. */
export const failureDebt = (covered: number): number =>
  covered === 0 ? UNINSURED_DEBT : covered + Math.max(DEBT_LEAST, divCeil(covered, 10))

export interface TierTerms {
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

/** Liability of a package that nobody can put a price on. */
export const UNPRICED_EXPOSURE = 1_000_000

/** Lowest tier whose carriers may take on that liability. */
export const tierFor = (exposure: number): number =>
  TIER_TERMS.findIndex(({ single }) => single === undefined || exposure <= single)

/** Classes of distance: most jumps of each, the last without bound. */
const DISTANCES: readonly number[] = [0, 2, 5, 10, 20]

/** Key of the class of a distance. */
export function distanceKey(hops: number): string {
  const index = DISTANCES.findIndex((most) => hops <= most)
  return String(index < 0 ? DISTANCES.length : index)
}

/** The middle one of some figures; of an even number the lower of the two; 0 of none. */
export function medianOf(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  return sorted.length === 0 ? 0 : sorted[(sorted.length - 1) >> 1]
}
