/**
 * The arithmetic of insurance: what a ship is covered for, how likely it is lost, what that costs
 * and what a loss pays. Pure integer functions. Source: ships.md section 9.
 */
import { idOf } from '../../core/entity.ts'
import { INSURANCE_MARKET_DAYS } from '../../core/limits.ts'
import { clamp, divFloor, mulDivCeil } from '../../core/math.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { areAllied } from '../account/model.ts'
import {
  Cover,
  DEATH_DAYS,
  INSURANCE_MARKET,
  POLICIES,
  Policy,
  Risk,
  type RiskFactorName,
} from './state.ts'

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

/** Days that count as recent. */
const RECENT_DAYS = 7

export const dayOf = (tick: number): number => divFloor(tick, DAY_TICKS)

/** The active policy of a ship; 0 none. */
export const policyOf = (view: WorldView, ship: Eid): Row => view.read(Cover).policy[ship]

export const policyId = (view: WorldView, policy: Row): string => idOf(view, Policy, policy)

/** Wire id of a ship's policy; empty without one. */
export function policyIdOf(view: WorldView, ship: Eid): string {
  const policy = policyOf(view, ship)
  return policy === 0 ? '' : policyId(view, policy)
}

/** Active policies of a player, in the order of their making. */
export const policiesOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(POLICIES).of.get(player) ?? []

/* What a premium depends on */

/** Deaths of the last seven days, today included. */
export function recentDeaths(view: WorldView, player: Eid): number {
  const { deaths, deathDay } = view.read(Risk)
  const today = dayOf(view.tick)
  let sum = 0
  for (let day = Math.max(0, today - RECENT_DAYS + 1); day <= today; day++) {
    // slots of days since the last death hold counts of days long gone
    const isKept = day <= deathDay[player] && day > deathDay[player] - DEATH_DAYS
    if (isKept) sum += deaths[player * DEATH_DAYS + (day % DEATH_DAYS)]
  }
  return sum
}

/** Market factor of a tier, %, of the thirty days before today: it changes once a day. */
export function marketOf(view: WorldView, tier: number): number {
  const today = dayOf(view.tick)
  const days = (view.records(INSURANCE_MARKET).get(String(tier)) ?? []).filter(
    ({ day }) => day < today && day >= today - INSURANCE_MARKET_DAYS,
  )
  const sum = (of: 'premiums' | 'paid') => days.reduce((total, entry) => total + entry[of], 0)
  return marketPct(sum('premiums'), sum('paid'))
}

/**
 * True for players who could share what one of them is paid for a loss: the same person as far as
 * the world knows, or allied. Source: ships.md section 9, related parties.
 */
export const areRelated = (view: WorldView, one: Eid, other: Eid): boolean =>
  one !== 0 && (one === other || areAllied(view, one, other))
