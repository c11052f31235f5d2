/**
 * The arithmetic of insurance (coverage, risk, premium and payout) and lookups of policies. Source:
 * ships.md section 9.
 */
import { idOf } from '../../core/entity.ts'
import { INSURANCE_MARKET_DAYS } from '../../core/limits.ts'
import { clamp, divFloor, mulDivCeil } from '../../core/math.ts'
import { dayOfTick } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { areAllied } from '../account/model.ts'
import {
  Cover,
  DEATH_DAYS,
  INSURANCE_MARKET,
  MULTIPLIERS,
  POLICIES,
  Policy,
  Risk,
  type RiskFactorName,
} from './state.ts'

/** Share of a ship's value that a policy covers, %. */
const COVER_PCT = 80
const PREMIUM_MIN_CREDITS = 50
/** Premium as a share of the expected loss, %. */
const LOADING_PCT = 125
const RISK_MIN_PPM = 3_000
const RISK_MAX_PPM = 600_000
/** Loss probability of a term by tier, millionths. */
const TIER_PPM = [60_000, 40_000, 30_000, 20_000, 12_000, 8_000] as const
const MARKET_MIN_PCT = 80
const MARKET_MAX_PCT = 500
/** Shares of the cargo's value and of the coverage, %; the lower amount is paid for cargo. */
const CARGO_PCT = 25
const CARGO_COVERAGE_PCT = 20

/** Inputs of a premium: counts, except that `war` and `calm` are 0 or 1 and `market` is in %. */
export type RiskInputs = Readonly<Record<RiskFactorName, number>>

interface Fraction {
  readonly numerator: number
  readonly denominator: number
}

/** Returns the multiplier of the risk for an input with the value `n`. */
export function multiplierOf(name: (typeof MULTIPLIERS)[number], n: number): Fraction {
  switch (name) {
    case 'recent_deaths':
      return { numerator: 100 + 80 * n, denominator: 100 }
    case 'lifetime_losses':
      return { numerator: 100 + Math.min(100, 2 * n), denominator: 100 }
    case 'player_kills':
      return { numerator: 100 + Math.min(100, divFloor(100 * n, 40)), denominator: 100 }
    case 'pirate_kills':
      return { numerator: 2_000 + Math.min(2_000, Math.max(0, n - 10)), denominator: 2_000 }
    case 'war':
      return { numerator: n === 0 ? 100 : 125, denominator: 100 }
    case 'claims':
      return { numerator: 100 + 10 * n, denominator: 100 }
    case 'calm':
      return { numerator: n === 0 ? 100 : 85, denominator: 100 }
  }
}

/** Returns the probability of a loss over the term, in millionths, before and after clamping. */
export function riskOf(inputs: RiskInputs): { readonly raw: number; readonly ppm: number } {
  let raw: number = TIER_PPM[clamp(inputs.tier, 0, TIER_PPM.length - 1)]
  for (const name of MULTIPLIERS) {
    const { numerator, denominator } = multiplierOf(name, inputs[name])
    // Capped far above RISK_MAX_PPM, so that the products stay safe integers.
    raw = Math.min(Math.trunc((raw * numerator) / denominator), 1_000_000_000)
  }
  return { raw, ppm: clamp(raw, RISK_MIN_PPM, RISK_MAX_PPM) }
}

/** Returns the market factor of a tier, %: payouts as a share of premiums, clamped. */
export const marketFactorPct = (premiums: number, paid: number): number =>
  premiums === 0 ? 100 : clamp(divFloor(100 * paid, premiums), MARKET_MIN_PCT, MARKET_MAX_PCT)

/** Returns the maximum payout for hull and modules, credits. */
export const coverageOf = (fittedValue: number): number => divFloor(fittedValue * COVER_PCT, 100)

/** Terms of a policy; `refused` means that it is not sold. */
export interface Quote {
  readonly fittedValue: number
  readonly coverage: number
  readonly premium: number
  readonly riskPpm: number
  readonly refused: boolean
}

/** Returns a quote for a policy; one for a hull that was issued for free (`isIssue`) is refused. */
export function quotePolicy(fittedValue: number, inputs: RiskInputs, isIssue: boolean): Quote {
  const coverage = coverageOf(fittedValue)
  const { raw, ppm } = riskOf(inputs)
  const rate = ppm * LOADING_PCT * inputs.market
  const premium = Math.max(PREMIUM_MIN_CREDITS, mulDivCeil(coverage, rate, 10_000_000_000))
  const refused = isIssue || premium >= coverage || raw >= RISK_MAX_PPM
  return { fittedValue, coverage, premium, riskPpm: ppm, refused }
}

/** Returns the payout for a loss: for hull and modules that did not drop, and destroyed cargo. */
export function payoutOf(coverage: number, lostValue: number, cargoValue: number): number {
  const hull = Math.min(coverage, divFloor(lostValue * COVER_PCT, 100))
  const cargo = Math.min(
    divFloor(cargoValue * CARGO_PCT, 100),
    divFloor(coverage * CARGO_COVERAGE_PCT, 100),
  )
  return hull + cargo
}

/** Days for which deaths count as recent. */
const RECENT_DAYS = 7

/* Policies */

/** Returns the active policy of a ship; 0 for none. */
export const policyOf = (view: WorldView, ship: Eid): Row => view.read(Cover).policy[ship]

export const policyId = (view: WorldView, policy: Row): string => idOf(view, Policy, policy)

/** Returns the wire id of a ship's policy; empty without one. */
export function policyIdOf(view: WorldView, ship: Eid): string {
  const policy = policyOf(view, ship)
  return policy === 0 ? '' : policyId(view, policy)
}

/** Returns the active policies of a player, in the order they were bought. */
export const policiesOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(POLICIES).byPlayer.get(player) ?? []

/* What a premium depends on */

/** Returns the deaths of the last seven days, today included. */
export function recentDeaths(view: WorldView, player: Eid): number {
  const { deaths, deathDay } = view.read(Risk)
  const today = dayOfTick(view.tick)
  let sum = 0
  for (let day = Math.max(0, today - RECENT_DAYS + 1); day <= today; day++) {
    // Slots for days after the last death still hold counts from an earlier lap of the ring.
    const isCurrent = day <= deathDay[player] && day > deathDay[player] - DEATH_DAYS
    if (isCurrent) sum += deaths[player * DEATH_DAYS + (day % DEATH_DAYS)]
  }
  return sum
}

/** Returns the market factor of a tier, %, over the thirty days before today. */
export function tierMarketPct(view: WorldView, tier: number): number {
  const today = dayOfTick(view.tick)
  const days = (view.records(INSURANCE_MARKET).get(String(tier)) ?? []).filter(
    ({ day }) => day < today && day >= today - INSURANCE_MARKET_DAYS,
  )
  const sum = (column: 'premiums' | 'paid') =>
    days.reduce((total, entry) => total + entry[column], 0)
  return marketFactorPct(sum('premiums'), sum('paid'))
}

/**
 * Returns whether two players could share a payout: they are the same player or allied. Source:
 * ships.md section 9, related parties.
 */
export const areRelated = (view: WorldView, one: Eid, other: Eid): boolean =>
  one !== 0 && (one === other || areAllied(view, one, other))
