/** Wire forms of quotes and policies, for their owner alone. Source: contract, InsurancePolicy. */
import { isoTime } from '../../core/time.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { baseId } from '../base/model.ts'
import { shipClassOf } from '../ship/model.ts'
import { APPLIED, factorOf, policyId, type RiskInputs } from './model.ts'
import { POLICY_TICKS, type QuotedShip } from './rules.ts'
import { Policy, RISK_FACTORS, type RiskFactorName } from './state.ts'

const DETAILS: Readonly<Record<RiskFactorName, (n: number) => string>> = {
  tier: (n) => `Base risk of a tier ${n} hull.`,
  recent_deaths: (n) => `Ships lost in the last seven days: ${n}.`,
  lifetime_losses: (n) => `Ships lost in all: ${n}.`,
  player_kills: (n) => `Ships of players destroyed: ${n}.`,
  pirate_kills: (n) => `Pirates destroyed: ${n}.`,
  war: (n) => (n === 0 ? 'Your faction is at peace.' : 'Your faction is at war.'),
  claims: (n) => `Payouts received before: ${n}.`,
  calm: (n) => (n === 0 ? 'No discount for a long quiet life.' : 'Thirty days without a loss.'),
  market: (n) => `What insurers paid of what they took in for this tier, in percent: ${n}.`,
}

/** Factors in the order they are applied, with what they multiply the risk, or the price, by. */
export function renderFactors(inputs: RiskInputs) {
  const applied = APPLIED.map((name) => {
    const { times, per } = factorOf(name, inputs[name])
    return { name, multiplier: times / per, detail: DETAILS[name](inputs[name]) }
  })
  const market = {
    name: 'market',
    multiplier: inputs.market / 100,
    detail: DETAILS.market(inputs.market),
  }
  return [{ name: 'tier', multiplier: 1, detail: DETAILS.tier(inputs.tier) }, ...applied, market]
}

export const renderQuote = (quoted: QuotedShip) => ({
  fitted_value: quoted.fittedValue,
  risk_score: quoted.riskPpm,
  refused: quoted.refused,
  coverage: quoted.coverage,
  premium: quoted.premium,
  expires_in: `${POLICY_TICKS} ticks after it is bought`,
  factors: renderFactors(quoted.inputs),
})

/** Wall time at which a policy ends, if ticks keep their length. */
export const expiryOf = (view: WorldView, policy: Row): string => {
  const ticks = view.read(Policy).expireTick[policy] - view.tick
  return isoTime(view.wallMs + ticks * view.tickMs)
}

/** What a policy's premium was worked out from when it was bought. */
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
