/** The policies of empires, which are public. Source: factions.md section 10. */
import { EMPIRE_IDS, EMPIRES, empireIndex } from '../../core/catalog/index.ts'
import { query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { divFloor } from '../../core/math.ts'
import {
  bools,
  choice,
  ints,
  list,
  mapOf,
  obj,
  opt,
  optional,
  ref,
  type Static,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import type { WorldView } from '../../core/types.ts'
import { faucetPerMille } from '../account/governor-model.ts'
import { tuned } from './balance-model.ts'

const policySchema = obj({
  ...strings('empire_id'),
  ...ints('bounty_attack', 'bounty_kill', 'bounty_rep_restoration_bps'),
  ...ints('bounty_rep_restoration_cap', 'citizenship_fee', 'citizenship_min_balance'),
  ...ints('citizenship_min_reputation', 'customs_fine_multiplier_bps'),
  ...ints('default_foreign_sales_tax_bps', 'eviction_grace_cycles', 'faction_income_tax_bps'),
  ...ints('fuel_tax_per_unit', 'income_tax_bps', 'jail_duration_hours', 'listing_fee_bps'),
  ...ints('property_tax_bps', 'rep_baseline_citizen', 'rep_baseline_outsider'),
  ...ints('rep_decay_amount', 'rep_penalty_attack', 'rep_penalty_kill', 'rep_trade_fill_cap'),
  ...ints('rep_trade_fill_divisor', 'repair_cost_per_hull', 'sales_tax_bps'),
  ...ints('ship_listing_fee_bps', 'shoot_on_sight_threshold', 'starting_credits'),
  ...ints('stateless_sales_tax_bps', 'tax_delinquency_bounty_per_credit'),
  ...bools('citizenship_auto_approve', 'citizenship_exclusive', 'citizenship_open'),
  contraband_items: list(Type.String()),
  foreign_income_tax_deduction: mapOf(Type.Integer()),
  foreign_sales_tax_bps: mapOf(Type.Integer()),
  ...opt(ints('policy_updated_at')),
})

/** Leaves out `policy_updated_at`: policies never change after genesis. */
function renderPolicy(empire: number): Static<typeof policySchema> {
  const { id, policy } = EMPIRES[empire]
  return { empire_id: id, ...policy, contraband_items: [...policy.contraband_items] }
}

/** Describes which share of their full amounts faucets pay now. Source: balance.md section 9. */
function describeFaucets(view: WorldView): string {
  const perMille = faucetPerMille(view)
  const pct = divFloor(perMille * tuned(view, 'faucets_pct'), 1_000)
  const why = perMille < 1_000 ? ': the money supply grew too fast' : ''
  if (pct === 100 && why === '') {
    return 'Stipends, couriers, surveys and bounties are paid in full.'
  }
  return `Stipends, couriers, surveys and bounties pay ${pct} % of their full amounts${why}.`
}

export const getEmpireInfo = query({
  name: 'get_empire_info',
  v2: { tool: 'game', action: 'get_empire_info', rename: { empire_id: 'id' } },
  summary: 'The policies of one empire or of all: taxes, law, customs, citizenship.',
  category: 'info',
  open: true,
  params: obj({
    empire_id: optional(
      ref(
        'empire',
        str(`One of ${EMPIRE_IDS.join(', ')}; all without it.`, { example: EMPIRE_IDS[0] }),
      ),
    ),
  }),
  result: obj({
    action: choice('Always get_empire_info.', ['get_empire_info']),
    empires: list(policySchema),
    message: Type.String(),
  }),
  needs: [],
  errors: ['invalid_empire'],
  run(view, _player, { empire_id }) {
    const all = EMPIRES.map((_, empire) => empire)
    const named = empire_id === undefined ? all : [empireIndex(empire_id.trim().toLowerCase())]
    if (named[0] < 0) return fail('invalid_empire', { empires: [...EMPIRE_IDS] })
    return ok({
      action: 'get_empire_info' as const,
      empires: named.map(renderPolicy),
      message: describeFaucets(view),
    })
  },
})
