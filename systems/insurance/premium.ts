/**
 * The arithmetic of insurance: what a ship is covered for, how likely it is lost, what that costs
 * and what a loss pays. Pure integer functions. Source: ships.md section 9.
 */
import { clamp, divFloor, mulDivCeil } from '../../core/math.ts'
import type { RiskFactorName } from './columns.ts'

const COVER_PCT = 80
const PREMIUM_LEAST_CREDITS = 50
/** Over the expected loss, %. */
const LOADING_PCT = 125
const RISK_LEAST_PPM = 3_000
const RISK_MOST_PPM = 600_000
/** Loss probability of a term by tier, millionths. */
const TIER_PPM = [60_000, 40_000, 30_000, 20_000, 12_000, 8_000] as const
const MARKET_LEAST_PCT = 80
const MARKET_MOST_PCT = 500
/** Of what the cargo was worth, and of the coverage: the lesser is paid. */
const CARGO_PCT = 25
const CARGO_COVERAGE_PCT = 20

/** What is known of a ship and its pilot; counts, but `tier`, `war`, `calm` (0 or 1), `market` %. */
export type RiskInputs = Readonly<Record<RiskFactorName, number>>

/** A factor as a fraction: of `per`, `times` are left. */
interface Factor {
  readonly times: number
  readonly per: number
}

/** Each factor but tier and market, in the order they are applied. */
export function factorOf(name: Exclude<RiskFactorName, 'tier' | 'market'>, n: number): Factor {
  switch (name) {
    case 'recent_deaths':
      return { times: 100 + 80 * n, per: 100 }
    case 'lifetime_losses':
      return { times: 100 + Math.min(100, 2 * n), per: 100 }
    case 'player_kills':
      return { times: 100 + Math.min(100, divFloor(100 * n, 40)), per: 100 }
    case 'pirate_kills':
      return { times: 2_000 + Math.min(2_000, Math.max(0, n - 10)), per: 2_000 }
    case 'war':
      return { times: n === 0 ? 100 : 125, per: 100 }
    case 'claims':
      return { times: 100 + 10 * n, per: 100 }
    case 'calm':
      return { times: n === 0 ? 100 : 85, per: 100 }
  }
}

/** The factors of a quote in order, with what each multiplies by in thousandths. */
export const APPLIED = [
  'recent_deaths',
  'lifetime_losses',
  'player_kills',
  'pirate_kills',
  'war',
  'claims',
  'calm',
] as const

/** Probability of a loss over the term, before and after it is kept within its bounds. */
export function riskPpm(inputs: RiskInputs): { readonly raw: number; readonly ppm: number } {
  let raw: number = TIER_PPM[clamp(inputs.tier, 0, TIER_PPM.length - 1)]
  for (const name of APPLIED) {
    const { times, per } = factorOf(name, inputs[name])
    // beyond its bound it stays beyond: the product must stay small
    raw = Math.min(Math.trunc((raw * times) / per), 1_000_000_000)
  }
  return { raw, ppm: clamp(raw, RISK_LEAST_PPM, RISK_MOST_PPM) }
}

/** Market factor of a tier, %: what it paid of what it took in. */
export const marketPct = (premiums: number, paid: number): number =>
  premiums === 0 ? 100 : clamp(divFloor(100 * paid, premiums), MARKET_LEAST_PCT, MARKET_MOST_PCT)

/** Most that is paid for hull and modules. */
export const coverageOf = (fittedValue: number): number => divFloor(fittedValue * COVER_PCT, 100)

export interface Quote {
  readonly fittedValue: number
  readonly coverage: number
  readonly premium: number
  readonly riskPpm: number
  readonly refused: boolean
}

/** What a policy costs now; `isIssue`: of a hull that came for nothing. */
export function quote(fittedValue: number, inputs: RiskInputs, isIssue: boolean): Quote {
  const coverage = coverageOf(fittedValue)
  const { raw, ppm } = riskPpm(inputs)
  const rate = ppm * LOADING_PCT * inputs.market
  const premium = Math.max(PREMIUM_LEAST_CREDITS, mulDivCeil(coverage, rate, 10_000_000_000))
  const refused = isIssue || premium >= coverage || raw >= RISK_MOST_PPM
  return { fittedValue, coverage, premium, riskPpm: ppm, refused }
}

/** What a loss pays: hull and modules that did not drop, and a share of the cargo destroyed. */
export function payoutOf(coverage: number, lostValue: number, cargoValue: number): number {
  const hull = Math.min(coverage, divFloor(lostValue * COVER_PCT, 100))
  const cargo = Math.min(
    divFloor(cargoValue * CARGO_PCT, 100),
    divFloor(coverage * CARGO_COVERAGE_PCT, 100),
  )
  return hull + cargo
}
