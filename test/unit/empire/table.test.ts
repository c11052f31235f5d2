/** The table of policies, line by line, as the sheet has it. Source: factions.md section 10. */
import { expect, test } from 'vitest'
import { EMPIRES, ITEMS } from '../../../core/catalog/index.ts'
import { smallWorld } from '../../small-world.ts'

/** Rows of the sheet: a name, then one figure for each empire, in order. */
const TABLE: readonly (readonly [string, readonly unknown[]])[] = [
  ['starting_credits', [150, 100, 100, 250, 100]],
  ['sales_tax_bps', [100, 100, 150, 50, 0]],
  ['default_foreign_sales_tax_bps', [300, 200, 300, 150, 100]],
  ['stateless_sales_tax_bps', [300, 200, 400, 200, 0]],
  ['income_tax_bps', [500, 200, 300, 250, 100]],
  ['faction_income_tax_bps', [250, 100, 200, 150, 100]],
  ['property_tax_bps', [50, 50, 50, 25, 0]],
  ['listing_fee_bps', [100, 100, 100, 100, 100]],
  ['ship_listing_fee_bps', [100, 100, 100, 100, 100]],
  ['fuel_tax_per_unit', [2, 1, 2, 1, 0]],
  ['citizenship_fee', [5_000, 0, 10_000, 25_000, 500]],
  ['citizenship_min_balance', [25_000, 0, 0, 100_000, 0]],
  ['citizenship_min_reputation', [40, 20, 50, 30, 10]],
  ['citizenship_auto_approve', [false, true, false, true, true]],
  ['citizenship_exclusive', [false, false, true, false, false]],
  ['citizenship_open', [true, true, true, true, true]],
]
/** The policies that all empires share. */
const SHARED = {
  repair_cost_per_hull: 5,
  jail_duration_hours: 24,
  shoot_on_sight_threshold: -20,
  eviction_grace_cycles: 260,
  bounty_attack: 500,
  bounty_kill: 2_000,
  rep_penalty_attack: 5,
  rep_penalty_kill: 10,
  rep_decay_amount: 1,
  rep_baseline_citizen: 20,
  rep_baseline_outsider: 10,
  bounty_rep_restoration_bps: 5_000,
  bounty_rep_restoration_cap: 10,
  customs_fine_multiplier_bps: 20_000,
  rep_trade_fill_divisor: 200,
  rep_trade_fill_cap: 2,
  tax_delinquency_bounty_per_credit: 10_000,
  foreign_sales_tax_bps: {},
  foreign_income_tax_deduction: {},
}

test('get_empire_info shows every policy of every empire as the sheet has it', async () => {
  const small = await smallWorld()
  const answer = small.ask(0, 'get_empire_info')
  if (!answer.ok) throw new Error(answer.message)
  const { empires } = answer.result as { empires: Record<string, unknown>[] }
  for (const [name, figures] of TABLE) {
    expect({ [name]: empires.map((empire) => empire[name]) }).toEqual({ [name]: figures })
  }
  for (const empire of empires) expect(empire).toMatchObject(SHARED)
  const banned = empires.map(({ contraband_items }) => (contraband_items as string[]).length)
  const all = ITEMS.filter(({ category }) => category === 'contraband').length
  const half = Math.trunc(all / 2)
  expect(all).toBeGreaterThan(1)
  expect(banned).toEqual([all, all, half, half, 0])
  const known = new Set(['empire_id', 'contraband_items', 'policy_updated_at'])
  for (const name of [...TABLE.map(([row]) => row), ...Object.keys(SHARED)]) known.add(name)
  expect(Object.keys(empires[0]).filter((name) => !known.has(name))).toEqual([])
  expect(empires.map(({ empire_id }) => empire_id)).toEqual(EMPIRES.map(({ id }) => id))
})
