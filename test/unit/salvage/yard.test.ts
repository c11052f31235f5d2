/** Selling and scrapping wrecks at a salvage yard. Source: salvage.md section 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { baseId } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { storedUnits } from '../../../systems/cargo/model.ts'
import { hintsFor } from '../../../systems/info/hints-views.ts'
import { addBounty, collectBounty } from '../../../systems/law/rules.ts'
import { hasModules, wreckModules } from '../../../systems/salvage/model.ts'
import { salvageInField } from '../../../systems/salvage/rules.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { scrapTow, sellTow, yieldOf } from '../../../systems/salvage/yard-commands.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { incomeOf } from '../../../systems/tax/model.ts'
import { hullOf } from '../combat/scene.ts'
import { beside, hullOfScale, type Lost, ORE, type Yard } from './stage.ts'

const SMALL = hullOfScale(2)
const [RARE, COMPONENTS, METAL] = ['rare_salvage', 'salvage_components', 'salvage_metal'].map(
  itemIndex,
)
let yard: Yard

beforeEach(async () => {
  yard = await beside()
})

const credits = (player: Eid) => balanceOf(yard.world, walletOf(yard.world, player))

/** Leaves a manager with this many credits. */
function fund(base: Eid, left: number): void {
  const { world } = yard
  const { manager } = world.read(Base)
  const funds = namedAccount('manager_funds')
  post(world, manager[base], funds, balanceOf(world, manager[base]))
  post(world, funds, manager[base], left)
}

/** Makes a player docked at a yard with a wreck in tow. */
function atYard(lost: Lost = {}, hasYard = true) {
  const { one, world } = yard
  yard.tug(one, hullOfScale(3))
  const wreck = yard.wreck({ shipClass: SMALL, ...lost })
  expect(yard.act(one, 'tow_wreck', { wreck_id: wreck.id })).toMatchObject({ ok: true })
  const base = yard.dockAt(one, 'salvage_yard', hasYard)
  const value = world.read(Wreck).value[wreck.row]
  return { ...wreck, base, value }
}

test('get_status names the yard as the end of a tow, and what to do with the wreck there', () => {
  const { world, one } = yard
  const hints = () => hintsFor(world, one).filter((text) => text.includes('in tow'))
  atYard({}, false)
  expect(hints()).toEqual([expect.stringMatching(/at a base with a salvage_yard/)])
  yard.dockAt(one, 'salvage_yard', true)
  expect(hints()).toEqual([expect.stringMatching(/sell_wreck.* it here\.$/)])
  yard.train(one, 'salvaging', 3)
  expect(yard.act(one, 'scrap_wreck')).toMatchObject({ ok: true })
  expect(hints()).toEqual([])
})

describe('sell_wreck', () => {
  test('pays for hulk and cargo from the credits of the manager', () => {
    const { world, one } = yard
    const { row, id, base, value } = atYard({ ore: 10 })
    fund(base, 1_000_000)
    const before = credits(one)
    const each = Math.max(1, Math.floor((GOODS[ORE].base_value * 60) / 100))
    const outcome = yard.act(one, 'sell_wreck')
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        action: 'sell_wreck',
        wreck_id: id,
        salvage_value: value,
        cargo_value: 10 * each,
        total_payout: value + 10 * each,
        new_balance: before + value + 10 * each,
      },
    })
    expect(credits(one)).toBe(before + value + 10 * each)
    expect(world.read(Wreck).alive[row]).toBe(0)
    expect(statOf(world, one, 'wrecks_sold')).toBe(1)
    expect(statOf(world, one, 'credits_earned_taxable')).toBe(value + 10 * each)
    expect(incomeOf(world, one, 'salvage')).toBe(value + 10 * each)
    yard.small.ticks(3)
  })

  test('adds the cargo to the stock of the manager', () => {
    const { world, small, one } = yard
    const { base } = atYard({ ore: 10 })
    fund(base, 1_000_000)
    const stock = world.read(Base).stock[base]
    const had = unitsIn(world, stock, ORE)
    expect(sellTow(world, one)).toMatchObject({ ok: true })
    expect(unitsIn(world, stock, ORE)).toBe(had + 10)
    // Each tick checks the order books against the stock.
    small.ticks(3)
  })

  test('puts the modules left aboard into the seller’s storage', () => {
    const { world, one } = yard
    const guns = ['autocannon_i', 'autocannon_i', 'autocannon_i', 'autocannon_i']
    const { row, base } = atYard({ modules: guns })
    fund(base, 1_000_000)
    const left = wreckModules(world, row).length
    expect(left).toBeGreaterThan(0)
    expect(yard.act(one, 'sell_wreck')).toMatchObject({ result: { modules_stored: left } })
    expect(storedUnits(world, one, base, itemIndex('autocannon_i'))).toBe(left)
  })

  test('yard_broke: a manager who has less than half the price refuses', () => {
    const { world, one } = yard
    const { row, base, value } = atYard()
    fund(base, Math.floor(value / 2) - 1)
    expect(yard.act(one, 'sell_wreck')).toMatchObject({ ok: false, code: 'yard_broke' })
    expect(world.read(Wreck).alive[row]).toBe(1)
    fund(base, Math.ceil(value / 2))
    const half = { total_payout: Math.ceil(value / 2) }
    expect(yard.act(one, 'sell_wreck')).toMatchObject({ ok: true, result: half })
    expect(balanceOf(world, world.read(Base).manager[base])).toBeGreaterThanOrEqual(0)
  })

  test('is refused when the wallet or the table of lockers is full', () => {
    const { world, one } = yard
    const { base } = atYard()
    fund(base, 1_000_000)
    const wallet = walletOf(world, one)
    const rest = Number.MAX_SAFE_INTEGER - balanceOf(world, wallet)
    post(world, namedAccount('insurance'), wallet, rest - 1)
    expect(yard.act(one, 'sell_wreck')).toMatchObject({ code: 'amount_too_large' })
    const lockers = world.stores.get('locker')
    const high = lockers?.high ?? 0
    if (lockers) lockers.high = lockers.rowsMax
    expect(sellTow(world, one)).toMatchObject({ code: 'limit_reached' })
    expect(scrapTow(world, one)).toMatchObject({ code: 'limit_reached' })
    if (lockers) lockers.high = high
  })

  test('sells a worthless wreck for nothing', () => {
    const { one } = yard
    const { row, base } = atYard({ issue: true, ore: 1 })
    yard.act(one, 'loot_wreck')
    expect(yard.world.read(Wreck).alive[row]).toBe(0)
    const hulk = atYard()
    yard.world.write(Wreck).value[hulk.row] = 0
    const guns = hasModules(yard.world, hulk.row)
    expect(guns).toBe(false)
    fund(base, 0)
    expect(yard.act(one, 'sell_wreck')).toMatchObject({ ok: true, result: { total_payout: 0 } })
  })

  test('is refused without a tow, without a yard and to detained players', () => {
    const { world, one } = yard
    yard.dockAt(one, 'salvage_yard')
    expect(yard.act(one, 'sell_wreck')).toMatchObject({ code: 'not_towing' })
    expect(yard.act(one, 'scrap_wreck')).toMatchObject({ code: 'not_towing' })
    atYard({}, false)
    expect(yard.act(one, 'sell_wreck')).toMatchObject({ code: 'no_salvage_yard' })
    expect(yard.act(one, 'scrap_wreck')).toMatchObject({ code: 'no_salvage_yard' })
    addBounty(world, one, 0, 900_000_000)
    collectBounty(world, one, 0)
    expect(yard.act(one, 'sell_wreck')).toMatchObject({ code: 'detained' })
  })
})

describe('scrap_wreck', () => {
  test('needs salvaging 2: skill_too_low', () => {
    const { one } = yard
    atYard()
    expect(yard.act(one, 'scrap_wreck')).toMatchObject({
      code: 'skill_too_low',
      details: { skill: 'salvaging', need: 2 },
    })
  })

  test('puts materials, cargo and modules into storage and trains once', () => {
    const { world, one } = yard
    const guns = ['autocannon_i', 'autocannon_i', 'autocannon_i', 'autocannon_i']
    const { row, id, base, value } = atYard({ ore: 7, modules: guns })
    yard.train(one, 'salvaging', 2)
    const left = wreckModules(world, row).length
    const scrap = namedContainer('scrap')
    const before = unitsIn(world, scrap, METAL)
    const outcome = yard.act(one, 'scrap_wreck')
    expect(outcome).toMatchObject({
      ok: true,
      result: { action: 'scrap_wreck', wreck_id: id, stored_at: baseId(world, base) },
    })
    const expected = yieldOf(value, 2, 2)
    for (const { item, units } of expected) expect(storedUnits(world, one, base, item)).toBe(units)
    expect(storedUnits(world, one, base, ORE)).toBe(7)
    expect(storedUnits(world, one, base, itemIndex('autocannon_i'))).toBe(left)
    expect(before - unitsIn(world, scrap, METAL)).toBe(storedUnits(world, one, base, METAL))
    expect(world.read(Wreck).alive[row]).toBe(0)
    expect(statOf(world, one, 'wrecks_scrapped')).toBe(1)
    expect(xpOf(world, one, 'salvaging')).toBe(10 + Math.min(500, Math.floor(value / 100)))
    yard.small.ticks(1)
  })

  test('yields no more than the hulk is worth, raised by skill and gear', () => {
    for (const value of [0, 1, 9, 100, 5_000, 123_456]) {
      for (const bonus of [0, 35, 200]) {
        const total = Math.floor((value * 90 * (100 + bonus)) / 10_000)
        const worth = yieldOf(value, bonus, 12).reduce(
          (sum, { item, units }) => sum + GOODS[item].base_value * units,
          0,
        )
        expect(worth).toBeLessThanOrEqual(Math.max(total, value > 0 ? GOODS[METAL].base_value : 0))
        expect(total - worth).toBeLessThan(GOODS[METAL].base_value + 1)
      }
    }
    expect(yieldOf(0, 200, 50)).toEqual([])
    expect(yieldOf(1, 0, 2)).toEqual([{ item: METAL, units: 1 }])
  })

  test('yields rare parts from salvaging 10 on', () => {
    expect(yieldOf(50_000, 9, 9).map(({ item }) => item)).toEqual([COMPONENTS, METAL])
    const yielded = yieldOf(50_000, 10, 10)
    expect(yielded.map(({ item }) => item)).toEqual([RARE, COMPONENTS, METAL])
    const total = Math.floor((50_000 * 90 * 110) / 10_000)
    expect(yielded[0].units).toBe(Math.floor((total * 15) / (100 * GOODS[RARE].base_value)))
  })
})

describe('field salvage', () => {
  test('takes a tenth of the initial value each time until the hulk is gone', () => {
    const { world, one } = yard
    const { row } = yard.wreck({ shipClass: SMALL })
    const first = world.read(Wreck).value[row]
    const { hold } = world.read(Ship)
    const to = hold[hullOf(world, one)]
    let units = 0
    let rounds = 0
    while (world.read(Wreck).alive[row] === 1 && rounds < 20) {
      units += salvageInField(world, row, { to, roomUnits: 1_000, bonusPct: 0 })
      rounds++
    }
    expect(rounds).toBeLessThanOrEqual(11)
    expect(units * GOODS[METAL].base_value).toBeLessThanOrEqual(first)
    expect(unitsIn(world, to, METAL)).toBe(units)
  })
})
