/** Taxes of players: taxable income, prepayment, the weekly assessment. Source: market.md 9. */
import { beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES } from '../../../core/catalog/index.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { EMPIRES_WIDTH, Player } from '../../../systems/account/state.ts'
import { empireTreasury } from '../../../systems/base/model.ts'
import { bountyOf } from '../../../systems/law/model.ts'
import {
  ASSESSMENT_TICKS,
  citizenshipsOf,
  incomeOf,
  poolOf,
  salesTaxOf,
  WEEK_TICKS,
} from '../../../systems/tax/model.ts'
import { assess, recordGoodsBought, recordIncome } from '../../../systems/tax/rules.ts'
import { TaxLedger } from '../../../systems/tax/state.ts'
import { collectTax } from '../../../systems/tax/systems.ts'
import { onSmallMap, type SmallWorld } from '../../small-world.ts'
import * as market from '../market/scene.ts'

onSmallMap()

let scene: market.Scene
let small: SmallWorld
let player: Eid

beforeEach(async () => {
  scene = await market.freshScene()
  ;({ small, player } = scene)
})

const origin = (): number => small.world.read(Player).empire[player]
const wallet = (): number => balanceOf(small.world, walletOf(small.world, player))
const rate = (): number => EMPIRES[origin()].policy.income_tax_bps
const property = (): number =>
  assess(small.world, player).propertyTax.reduce((sum, { owed }) => sum + owed, 0)
const estimate = () => {
  const outcome = small.ask(player, 'get_tax_estimate')
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome.result as Record<string, never>
}

describe('taxable income', () => {
  test('includes sales on the exchange less the purchases there', () => {
    market.sell(scene, player, 10, 100)
    const bought = market.result(scene, scene.other, 'buy', { item_id: scene.item_id, quantity: 4 })
    expect(bought.quantity).toBe(4)
    expect(incomeOf(small.world, player, 'market')).toBe(400)
    expect(assess(small.world, player).income).toBe(400)
    const other = assess(small.world, scene.other)
    expect(other).toMatchObject({ bought: 400, profit: { taxable: 0, lossCarry: 400 } })
  })

  test('is shown in the stats by category and as assessed', () => {
    recordIncome(small.world, player, 'salvage', 70)
    expect(statOf(small.world, player, 'credits_earned_taxable')).toBe(70)
    collectTax(small.world, player)
    const outcome = small.ask(player, 'get_status')
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        player: {
          stats: {
            credits_earned_taxable_by_category: { salvage: 70, mission: 0 },
            credits_earned_taxable_snapshot: 70,
          },
        },
      },
    })
  })
})

describe('sales tax', () => {
  test('has a rate each for citizens, foreigners and the stateless', () => {
    const { policy } = EMPIRES[0]
    expect(salesTaxOf(0, [0])).toEqual({ bps: policy.sales_tax_bps, reason: 'citizen' })
    expect(salesTaxOf(0, [1, 2])).toEqual({
      bps: policy.default_foreign_sales_tax_bps,
      reason: 'foreign',
    })
    expect(salesTaxOf(0, [])).toEqual({ bps: policy.stateless_sales_tax_bps, reason: 'stateless' })
  })
})

describe('get_tax_estimate', () => {
  test('shows income, tax, rates and when the week ends', () => {
    recordIncome(small.world, player, 'mission', 10_000)
    recordIncome(small.world, player, 'market', 500)
    recordGoodsBought(small.world, player, 800)
    const result = estimate()
    const tax = Math.floor((10_000 * rate()) / 10_000)
    expect(result).toMatchObject({
      action: 'get_tax_estimate',
      taxable_income_to_date: 10_000,
      taxable_market_income: 0,
      market_sales_to_date: 500,
      market_cost_of_goods_deducted: 800,
      income_tax_total: tax,
      tax_prepaid: 0,
      tax_collection_active: true,
    })
    expect(result.income_tax).toEqual([
      { empire: EMPIRES[origin()].id, rate_bps: rate(), gross: tax, credit: 0, owed: tax },
    ])
    expect(result.sales_tax_rates).toHaveLength(EMPIRES.length)
    expect(result.next_assessment_approx_seconds).toBeGreaterThan(0)
    expect(result).not.toHaveProperty('last_assessed_at')
  })

  test('lists the origin first, then the other citizenships by id', () => {
    const { citizenSinceMs } = small.world.write(Player)
    for (let empire = 0; empire < EMPIRES.length; empire++) {
      citizenSinceMs[player * EMPIRES_WIDTH + empire] = 1
    }
    const ids = citizenshipsOf(small.world, player).map((empire) => EMPIRES[empire].id)
    const others = EMPIRES.map(({ id }) => id).filter((id) => id !== EMPIRES[origin()].id)
    expect(ids).toEqual([EMPIRES[origin()].id, ...others.sort()])
  })
})

describe('prepay_tax', () => {
  test('moves credits into the pool and reports it', () => {
    const before = wallet()
    const result = market.result(scene, player, 'prepay_tax', { amount: 300 })
    expect(result).toMatchObject({
      action: 'prepay_tax',
      amount_prepaid: 300,
      tax_prepaid_balance: 300,
      credits: before - 300,
    })
    expect(balanceOf(small.world, poolOf(small.world))).toBe(300)
    expect(statOf(small.world, player, 'tax_prepaid')).toBe(300)
  })

  test('refuses more than the wallet holds and invalid amounts, and changes nothing', () => {
    expect(market.code(scene, player, 'prepay_tax', { amount: wallet() + 1 })).toBe('no_credits')
    expect(market.code(scene, player, 'prepay_tax', { amount: 0 })).toBe('invalid_payload')
    expect(poolOf(small.world)).toBe(0)
  })

  test('refuses credits that would lift the pool past the largest exact integer', () => {
    market.result(scene, player, 'prepay_tax', { amount: 100 })
    const full = Number.MAX_SAFE_INTEGER - 100
    small.world.write(TaxLedger).prepaid[scene.other] = full
    post(small.world, namedAccount('missions'), poolOf(small.world), full)
    expect(market.code(scene, player, 'prepay_tax', { amount: 1 })).toBe('amount_too_large')
  })
})

describe('the assessment', () => {
  const tax = (income: number): number => Math.floor((income * rate()) / 10_000) + property()
  const treasury = (): number => balanceOf(small.world, empireTreasury(small.world, origin()))

  test('uses prepaid credits first, then the wallet, and returns the rest', () => {
    recordIncome(small.world, player, 'rescue', 100_000)
    const due = tax(100_000)
    market.result(scene, player, 'prepay_tax', { amount: due + 40 })
    const before = wallet()
    const held = treasury()
    small.takeEmissions()
    collectTax(small.world, player)
    expect(wallet()).toBe(before + 40)
    expect(treasury()).toBe(held + due)
    expect(balanceOf(small.world, poolOf(small.world))).toBe(0)
    expect(assess(small.world, player).income).toBe(0)
  })

  test('puts a bounty on the player for unpaid tax and sends tax_assessed', () => {
    recordIncome(small.world, player, 'ship_sale', 100_000)
    const due = tax(100_000)
    post(small.world, walletOf(small.world, player), namedAccount('fee_sink'), wallet() - 10)
    small.takeEmissions()
    small.world.tick = WEEK_TICKS - ASSESSMENT_TICKS + player - 1
    small.ticks(1)
    expect(wallet()).toBe(0)
    expect(bountyOf(small.world, player, origin())).toBe(due - 10)
    const event = small.takeEmissions().find(({ type }) => type === 'tax_assessed')
    expect(event?.payload).toEqual({
      owed: due,
      paid: 10,
      bounty: due - 10,
      by_empire: { [EMPIRES[origin()].id]: due },
      message: expect.stringMatching(/10 of them paid. The rest became a bounty .*pay_bounty/),
    })
  })

  test('leaves a statement and a bounty, and the statement survives a restore', async () => {
    expect(estimate()).toMatchObject({ inactivity_exempt: false, outstanding_bounties: [] })
    expect(estimate()).not.toHaveProperty('latest_statement')
    expect(estimate()).not.toHaveProperty('payment_guidance')
    const { createdMs } = small.world.read(Player)
    recordIncome(small.world, player, 'ship_sale', 100_000)
    const due = tax(100_000)
    post(small.world, walletOf(small.world, player), namedAccount('fee_sink'), wallet() - 10)
    collectTax(small.world, player)
    const { id } = EMPIRES[origin()]
    const statement = {
      period_started_at: new Date(createdMs[player]).toISOString(),
      income_by_category: { ship_sale: 100_000, market: 0 },
      empires: [{ empire: id, owed: due, paid: 10, unpaid: due - 10 }],
      total_owed: due,
      total_unpaid: due - 10,
    }
    const bounties = [{ empire: id, amount: bountyOf(small.world, player, origin()) }]
    expect(estimate()).toMatchObject({
      outstanding_bounties: bounties,
      payment_guidance: expect.stringMatching(/pay_bounty/),
      latest_statement: statement,
    })
    const twin = await small.reload()
    expect(twin.ask(player, 'get_tax_estimate')).toMatchObject({
      result: { latest_statement: statement },
    })
    collectTax(small.world, player)
    expect(estimate()).not.toHaveProperty('latest_statement')
  })

  test('is due once a week, on the turn of the player', () => {
    recordIncome(small.world, player, 'mission', 100_000)
    const before = wallet()
    small.world.tick = WEEK_TICKS * 2 - ASSESSMENT_TICKS + player - 3
    small.ticks(2)
    expect(wallet()).toBe(before)
    small.ticks(1)
    expect(wallet()).toBe(before - tax(100_000))
    expect(small.world.read(TaxLedger).assessedTick[player]).toBe(
      WEEK_TICKS * 2 - ASSESSMENT_TICKS + player,
    )
    expect(estimate()).toMatchObject({ taxable_income_to_date: 0 })
    expect(estimate().last_assessed_at).toBeGreaterThan(0)
  })

  test('carries market losses to the next week', () => {
    recordIncome(small.world, player, 'market', 100)
    recordGoodsBought(small.world, player, 250)
    collectTax(small.world, player)
    expect(estimate()).toMatchObject({ market_loss_carryforward: 150, taxable_market_income: 0 })
    recordIncome(small.world, player, 'market', 200)
    expect(assess(small.world, player).profit).toEqual({ taxable: 50, lossCarry: 0 })
  })
})
