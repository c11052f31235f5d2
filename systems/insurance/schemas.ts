/** Wire shapes of insurance. */
import {
  bools,
  ints,
  list,
  named,
  numbers,
  obj,
  opt,
  optional,
  strings,
} from '../../core/params.ts'

const riskFactorSchema = named('RiskFactor', {
  ...strings('name', 'detail'),
  ...numbers('multiplier'),
})

const factorsSchema = list(riskFactorSchema)

const policySchema = named('InsurancePolicy', {
  ...strings('policy_id'),
  ...bools('self_destruct_excluded'),
  ...opt({ ...strings('base_id', 'expires_at', 'ship_class'), ...ints('coverage', 'premium') }),
  ...opt(ints('risk_score')),
  risk_factors: optional(factorsSchema),
})

/** Answer of view_insurance and claim_insurance. Source: contract, ClaimInsuranceResponse. */
export const policiesSchema = obj({ ...strings('message'), policies: list(policySchema) })

/** Answer of get_insurance_quote. Source: contract, GetInsuranceQuoteResponse. */
export const quoteSchema = obj({
  ...strings('message'),
  ...opt(strings('notice')),
  quote: obj({
    ...ints('fitted_value', 'risk_score'),
    ...bools('refused'),
    ...opt({ ...ints('coverage', 'premium'), ...strings('expires_in') }),
    factors: factorsSchema,
  }),
})

/** Answer of buy_insurance. Source: contract, BuyInsuranceResponse. */
export const boughtSchema = obj({
  ...strings('policy_id', 'expires_at', 'message'),
  ...ints('coverage', 'premium', 'remaining_credits'),
  ...opt(ints('risk_score')),
  ...opt(bools('auto_docked', 'auto_undocked')),
  factors: optional(factorsSchema),
})
