/** Taxes of factions. Source: market.md sections 5, 9. */
import { beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES, FACILITIES, facilityTypeIndex, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { CYCLE_TICKS } from '../../../core/time.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { empireOfBase, empireTreasury } from '../../../systems/base/model.ts'
import { facilityId, factionFacilities } from '../../../systems/facility/model.ts'
import { Facility } from '../../../systems/facility/state.ts'
import { addMember } from '../../../systems/faction/member-rules.ts'
import { domicileOf, treasuryOf } from '../../../systems/faction/model.ts'
import { openStore } from '../../../systems/faction/store-model.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import {
  ASSESSMENT_TICKS,
  type CorporateSource,
  corporateTaxes,
  debtOf,
  poolOf,
  WEEK_TICKS,
} from '../../../systems/tax/model.ts'
import { recordCorporateExpense, recordCorporateIncome } from '../../../systems/tax/rules.ts'
import { CorporateLedger } from '../../../systems/tax/state.ts'
import { collectCorporateTax, settleTaxes } from '../../../systems/tax/systems.ts'
import { onSmallMap } from '../../small-world.ts'
import { type FactionScene, treasury, withFaction } from '../market/faction-scene.ts'
import * as market from '../market/scene.ts'

onSmallMap()

let scene: FactionScene

beforeEach(async () => {
  scene = withFaction(await market.freshScene())
})

const source = (
  empire: string,
  rate: number,
  overrides: Partial<CorporateSource> = {},
): CorporateSource => ({
  empire,
  rate,
  earned: 0,
  spent: 0,
  isTaxing: false,
  isDomicile: false,
  ...overrides,
})

const earn = (credits: number): void =>
  recordCorporateIncome(scene.small.world, scene.faction, scene.base, credits)
const spend = (credits: number): void =>
  recordCorporateExpense(scene.small.world, scene.faction, scene.base, credits)
const estimate = (who = scene.player) => {
  const outcome = scene.small.ask(who, 'get_faction_tax_estimate')
  return outcome.ok ? (outcome.result as Record<string, unknown>) : { code: outcome.code }
}
/** Returns the tax on a profit: the empire of the base takes its share, home takes the rest. */
function taxOn(profit: number): number {
  const rate = (empire: number): number => EMPIRES[empire].policy.faction_income_tax_bps
  const here = Math.floor((profit * rate(empireOfBase(scene.small.world, scene.base))) / 10_000)
  const home = Math.floor((profit * rate(domicileOf(scene.small.world, scene.faction))) / 10_000)
  return Math.max(here, home)
}

describe('corporate arithmetic', () => {
  test('the home empire credits the taxes of empires with a facility', () => {
    const { taxes } = corporateTaxes(
      [
        source('a', 200, { earned: 10_000, spent: 4_000, isTaxing: true }),
        source('b', 300, { earned: 5_000, isDomicile: true }),
        source('c', 900, { earned: 1_000 }),
      ],
      2_000,
    )
    expect(taxes).toEqual([
      {
        empire: 'a',
        basis: 'source',
        rate_bps: 200,
        taxed_profit: 6_000,
        gross: 120,
        credit: 0,
        owed: 120,
      },
      {
        empire: 'b',
        basis: 'domicile',
        rate_bps: 300,
        taxed_profit: 10_000,
        gross: 300,
        credit: 120,
        owed: 180,
      },
    ])
  })

  test('a loss is carried forward and not taxed', () => {
    const assessed = corporateTaxes(
      [source('a', 500, { earned: 100, spent: 400, isDomicile: true })],
      50,
    )
    expect(assessed.profit).toEqual({ taxable: 0, lossCarry: 350 })
    expect(assessed.taxes[0].owed).toBe(0)
  })
})

describe('get_faction_tax_estimate', () => {
  test('shows profit, tax and prepaid credits', () => {
    earn(20_000)
    spend(5_000)
    expect(estimate()).toMatchObject({
      action: 'get_faction_tax_estimate',
      faction_name: 'Tally House',
      taxable_income_to_date: 20_000,
      deductible_expenses_to_date: 5_000,
      net_taxable_profit: 15_000,
      income_tax_total: taxOn(15_000),
      tax_prepaid: 0,
      tax_collection_active: true,
    })
  })

  test('refuses outsiders (not_in_faction)', () => {
    expect(estimate(scene.other)).toEqual({ code: 'not_in_faction' })
  })
})

describe('faction_prepay_tax', () => {
  const pay = (amount: number, who = scene.player) =>
    market.code(scene, who, 'faction_prepay_tax', { amount })

  test('moves credits of the treasury into the pool', () => {
    const before = treasury(scene)
    const result = market.result(scene, scene.player, 'faction_prepay_tax', { amount: 400 })
    expect(result).toMatchObject({
      action: 'faction_prepay_tax',
      amount_prepaid: 400,
      faction_credits: before - 400,
      tax_prepaid_balance: 400,
    })
    expect(balanceOf(scene.small.world, poolOf(scene.small.world))).toBe(400)
  })

  test('refuses outsiders, recruits, more than the treasury holds and invalid amounts', () => {
    expect(pay(1, scene.other)).toBe('not_in_faction')
    addMember(scene.small.world, scene.other, scene.faction)
    expect(pay(1, scene.other)).toBe('no_permission')
    expect(pay(treasury(scene) + 1)).toBe('faction_no_credits')
    expect(pay(0)).toBe('invalid_payload')
  })

  test('refuses credits that would lift the pool past the largest exact integer', () => {
    const { world } = scene.small
    expect(pay(100)).toBe('ok')
    const full = Number.MAX_SAFE_INTEGER - 100
    post(world, namedAccount('rescue'), poolOf(world), full)
    world.write(CorporateLedger).prepaid[scene.faction] += full
    expect(pay(1)).toBe('amount_too_large')
  })
})

describe('the weekly tax of a faction', () => {
  test('is paid on its turn out of prepaid credits, whose rest returns', () => {
    earn(100_000)
    market.result(scene, scene.player, 'faction_prepay_tax', { amount: 90_000 })
    const { world } = scene.small
    const before = treasury(scene)
    const empires = EMPIRES.map((_, empire) => empireTreasury(world, empire))
    const held = () => empires.reduce((sum, account) => sum + balanceOf(world, account), 0)
    const heldBefore = held()
    world.tick = WEEK_TICKS - ASSESSMENT_TICKS + scene.faction - 1
    scene.small.ticks(1)
    expect(treasury(scene)).toBe(before + 90_000 - taxOn(100_000))
    expect(held()).toBe(heldBefore + taxOn(100_000))
    expect(estimate()).toMatchObject({ taxable_income_to_date: 0, tax_prepaid: 0 })
  })

  test('is carried as a debt where the treasury cannot pay it', () => {
    earn(100_000)
    const { world } = scene.small
    const sink = namedAccount('fee_sink')
    post(world, treasuryOf(world, scene.faction), sink, treasury(scene) - 10)
    collectCorporateTax(world, scene.faction)
    expect(treasury(scene)).toBe(0)
    const debts = EMPIRES.map((_, empire) => debtOf(world, scene.faction, empire))
    expect(debts.reduce((sum, debt) => sum + debt, 0)).toBe(taxOn(100_000) - 10)
    expect(estimate().carried_debt_total).toBe(taxOn(100_000) - 10)
    post(world, namedAccount('missions'), treasuryOf(world, scene.faction), 1_000_000)
    collectCorporateTax(world, scene.faction)
    expect(treasury(scene)).toBe(1_000_000 - taxOn(100_000) + 10)
    expect(estimate()).not.toHaveProperty('carried_debt_total')
  })

  test('deducts the losses of the week before', () => {
    spend(700)
    collectCorporateTax(scene.small.world, scene.faction)
    earn(1_000)
    expect(estimate()).toMatchObject({
      net_taxable_profit: 300,
      loss_carryforward_applied: 700,
    })
  })

  test('returns prepaid credits at the end of the faction', () => {
    market.result(scene, scene.player, 'faction_prepay_tax', { amount: 400 })
    const { world } = scene.small
    const before = treasury(scene)
    settleTaxes(world, scene.faction)
    expect(treasury(scene)).toBe(before + 400)
    expect(balanceOf(world, walletOf(world, scene.player))).toBeGreaterThan(0)
    scene.small.ticks(1)
  })
})

describe('a faction may deduct', () => {
  const deductible = () => estimate().deductible_expenses_to_date

  test('building and upgrading', () => {
    const { small, player, base, faction } = scene
    const { world } = small
    const build = (action: string, type: string, params: object = {}) => {
      const { build_materials } = FACILITIES[facilityTypeIndex(type)]
      const store = openStore(world, { faction, base, bucket: 0 })
      for (const { item_id, quantity } of build_materials) {
        moveItems(world, namedContainer('supply'), store, itemIndex(item_id), quantity)
      }
      const before = treasury(scene)
      market.result(scene, player, 'facility', { action, facility_type: type, ...params })
      return before - treasury(scene)
    }
    const index = player * SKILLS_WIDTH + skillIndex('corporation_management')
    world.write(PlayerSkills).level[index] = 5
    post(world, namedAccount('missions'), treasuryOf(world, faction), 5_000_000)
    const built = build('faction_build', 'faction_recruitment_desk')
    expect(built).toBeGreaterThan(0)
    expect(deductible()).toBe(built)
    const desk = facilityTypeIndex('faction_market_desk')
    const { type } = world.read(Facility)
    const row = factionFacilities(world, faction).find((facility) => type[facility] === desk) ?? 0
    const next = FACILITIES.find(({ upgrades_from }) => upgrades_from === 'faction_market_desk')
    const facility_id = facilityId(world, row)
    const upgraded = build('faction_upgrade', next?.id ?? '', { facility_id })
    expect(upgraded).toBeGreaterThan(0)
    expect(deductible()).toBe(built + upgraded)
  })

  test('rent', () => {
    const { world } = scene.small
    const before = treasury(scene)
    world.tick += CYCLE_TICKS - ((world.tick + scene.base) % CYCLE_TICKS) - 1
    scene.small.ticks(1)
    const paid = before - treasury(scene)
    expect(paid).toBeGreaterThan(0)
    expect(deductible()).toBe(paid)
  })

  test('goods that it buys at once and through listed orders', () => {
    const { other, player, item_id } = scene
    market.sell(scene, other, 10, 20)
    const order = { item_id, quantity: 15, price_each: 20 }
    market.result(scene, player, 'faction_create_buy_order', order)
    expect(deductible()).toBe(200)
    market.result(scene, other, 'sell', { item_id, quantity: 5 })
    expect(deductible()).toBe(300)
  })
})
