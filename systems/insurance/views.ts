/**
 * Wire forms of quotes and policies; only the owner sees them. Source: contract, InsurancePolicy.
 */
import { tickTime } from '../../core/time.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { baseId } from '../base/model.ts'
import { shipClassOf } from '../ship/model.ts'
import { multiplierOf, policyId, type RiskInputs } from './model.ts'
import { POLICY_TICKS, type ShipQuote } from './rules.ts'
import { MULTIPLIERS, Policy, RISK_FACTORS, type RiskFactorName } from './state.ts'

const DETAILS: Readonly<Record<RiskFactorName, (n: number) => string>> = {
  tier: (n) => `Base risk of a tier ${n} hull.`,
  recent_deaths: (n) => `Ships lost in the last seven days: ${n}.`,
  lifetime_losses: (n) => `Ships lost in total: ${n}.`,
  player_kills: (n) => `Ships of players destroyed: ${n}.`,
  pirate_kills: (n) => `Pirates destroyed: ${n}.`,
  war: (n) => (n === 0 ? 'Your faction is at peace.' : 'Your faction is at war.'),
  claims: (n) => `Payouts received before: ${n}.`,
  calm: (n) => (n === 0 ? 'Not yet thirty days without a loss.' : 'Thirty days without a loss.'),
  market: (n) => `Payouts for this tier as a percentage of its premiums: ${n}.`,
}

/** Renders the factors in the order they are applied, each with its multiplier of the risk. */
export function renderFactors(inputs: RiskInputs) {
  const row = (name: RiskFactorName, multiplier: number) => ({
    name,
    multiplier,
    detail: DETAILS[name](inputs[name]),
  })
  const multipliers = MULTIPLIERS.map((name) => {
    const { numerator, denominator } = multiplierOf(name, inputs[name])
    return row(name, numerator / denominator)
  })
  return [row('tier', 1), ...multipliers, row('market', inputs.market / 100)]
}

export const renderQuote = (quote: ShipQuote) => ({
  fitted_value: quote.fittedValue,
  risk_score: quote.riskPpm,
  refused: quote.refused,
  coverage: quote.coverage,
  premium: quote.premium,
  expires_in: `${POLICY_TICKS} ticks after it is bought`,
  factors: renderFactors(quote.inputs),
})

/** Returns the wall time at which a policy expires if ticks keep their length, RFC 3339. */
export const expiryOf = (view: WorldView, policy: Row): string =>
  tickTime(view, view.read(Policy).expireTick[policy])

/** Returns the inputs of a policy's premium at the time of purchase. */
function inputsOf(view: WorldView, policy: Row): RiskInputs {
  const { inputs } = view.read(Policy)
  const width = RISK_FACTORS.length
  return Object.fromEntries(
    RISK_FACTORS.map((name, index) => [name, inputs[policy * width + index]]),
  ) as unknown as RiskInputs
}

export function renderPolicy(view: WorldView, policy: Row) {
  const { ship, base, coverage, premium, riskPpm } = view.read(Policy)
  return {
    policy_id: policyId(view, policy),
    ship_class: shipClassOf(view, ship[policy]).id,
    base_id: baseId(view, base[policy]),
    coverage: coverage[policy],
    premium: premium[policy],
    risk_score: riskPpm[policy],
    risk_factors: renderFactors(inputsOf(view, policy)),
    expires_at: expiryOf(view, policy),
    self_destruct_excluded: true,
  }
}
