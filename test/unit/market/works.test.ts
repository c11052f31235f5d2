/** Goods that stations produce, consume and order. Source: balance.md sections 4, 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { MAKINGS } from '../../../core/catalog/essentials.ts'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { POPULATION } from '../../../systems/account/state.ts'
import { capitalOf } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { citizenPool } from '../../../systems/facility/model.ts'
import { sendConvoys } from '../../../systems/market/convoys-rules.ts'
import { managedAt, managedValue, midOf } from '../../../systems/market/quote-model.ts'
import { Book, Managed, PARTS } from '../../../systems/market/state.ts'
import { managedOf } from '../../../systems/market/stock-model.ts'
import { workAt } from '../../../systems/market/works-rules.ts'
import { citizenWealth } from '../../../systems/passenger/model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let small: SmallWorld
let base: Eid

/** Sets the stock of a good to a percentage of its target without touching its asks. */
function fill(id: string, pct: number, station = base): void {
  const { world } = small
  const item = itemIndex(id)
  const row = managedOf(world, station, item)
  const { stock, target } = world.write(Managed)
  const delta = Math.floor((target[row] * pct) / 100) - stock[row]
  const store = world.read(Base).stock[station]
  if (delta >= 0) moveItems(world, namedContainer('supply'), store, item, delta)
  else moveItems(world, store, namedContainer('consumption'), item, -delta)
  stock[row] += delta
}

const stockOf = (id: string, station = base): number =>
  small.world.read(Managed).stock[managedOf(small.world, station, itemIndex(id))]
const targetOf = (id: string, station = base): number =>
  small.world.read(Managed).target[managedOf(small.world, station, itemIndex(id))]
const pool = (): number => balanceOf(small.world, citizenPool(small.world, base))
const manager = (station = base): number =>
  balanceOf(small.world, small.world.read(Base).manager[station])

/** Makes a good neither export nor import nor supply of the capital. */
function makePlain(id: string): void {
  const row = managedOf(small.world, base, itemIndex(id))
  const columns = small.world.write(Managed)
  columns.part[row] = 0
  columns.supply[row] = 0
}

/** Marks all that the works of the capital could make as supplied, so that they make nothing. */
function makeNothing(): void {
  const { part, supply, book } = small.world.write(Managed)
  const { item } = small.world.read(Book)
  for (const row of managedAt(small.world, base)) {
    part[row] = 0
    if (MAKINGS.has(GOODS[item[book[row]]].id)) supply[row] = 1
  }
}

/** Leaves the citizens exactly these credits. */
function leaveCitizens(credits: number): void {
  const account = citizenPool(small.world, base)
  post(small.world, account, namedAccount('fee_sink'), balanceOf(small.world, account))
  post(small.world, namedAccount('citizens'), account, credits)
}

beforeEach(async () => {
  small = await smallWorld()
  base = capitalOf(small.world, 0)
  small.world.records(POPULATION).set('active', 100)
  makeNothing()
  makePlain('copper_wire')
  makePlain('power_cell')
  leaveCitizens(0)
})

describe('the works of a station', () => {
  test('make goods that run short and pay the citizens for the work', () => {
    fill('copper_wire', 41)
    fill('copper_ore', 100)
    const [wire, ore, credits, wages] = [
      stockOf('copper_wire'),
      stockOf('copper_ore'),
      manager(),
      pool(),
    ]
    workAt(small.world, base)
    const made = stockOf('copper_wire') - wire
    expect(made).toBe(Math.floor((Math.min(targetOf('copper_wire'), 8_000) * 3) / 100))
    expect(ore - stockOf('copper_ore')).toBeGreaterThanOrEqual(2 * made)
    const { base_value: value } = GOODS[itemIndex('copper_wire')]
    const added = value - 2 * GOODS[itemIndex('copper_ore')].base_value
    expect(pool() - wages).toBeGreaterThanOrEqual(made * Math.floor(added / 2))
    expect(credits - manager()).toBe(pool() - wages)
  })

  test('make no more for a target beyond 8,000 units', () => {
    fill('copper_ore', 100)
    const madeOf = (target: number): number => {
      const row = managedOf(small.world, base, itemIndex('copper_wire'))
      small.world.write(Managed).target[row] = target
      fill('copper_wire', 60)
      const before = stockOf('copper_wire')
      workAt(small.world, base)
      return stockOf('copper_wire') - before
    }
    const madeForBound = madeOf(8_000)
    expect(madeForBound).toBe(240)
    expect(madeOf(60_000)).toBe(madeForBound)
  })

  test('stop at the target at capitals, elsewhere at three fifths of it', () => {
    const makes = (pct: number): boolean => {
      fill('copper_wire', pct)
      fill('power_cell', 100)
      const before = stockOf('copper_wire')
      workAt(small.world, base)
      return stockOf('copper_wire') > before
    }
    expect([makes(100), makes(99)]).toEqual([false, true])
    small.world.write(Base).capital[base] = 0
    expect([makes(60), makes(59)]).toEqual([false, true])
  })

  test('leave 35 % of the target of each input', () => {
    fill('copper_wire', 30)
    fill('copper_ore', 35)
    const wire = stockOf('copper_wire')
    workAt(small.world, base)
    expect(stockOf('copper_wire')).toBe(wire)
    fill('copper_ore', 36)
    workAt(small.world, base)
    expect(stockOf('copper_wire')).toBeGreaterThan(wire)
  })

  test('make exports even beyond the target', () => {
    const row = managedOf(small.world, base, itemIndex('copper_wire'))
    small.world.write(Managed).part[row] = PARTS.indexOf('export')
    small.world.write(Base).capital[base] = 0
    fill('copper_wire', 110)
    const wire = stockOf('copper_wire')
    workAt(small.world, base)
    expect(stockOf('copper_wire')).toBeGreaterThan(wire)
  })

  test('stop if the manager cannot pay for them', () => {
    fill('copper_wire', 30)
    const account = small.world.read(Base).manager[base]
    post(small.world, account, namedAccount('fee_sink'), manager())
    const wire = stockOf('copper_wire')
    workAt(small.world, base)
    expect(stockOf('copper_wire')).toBe(wire)
  })

  test('make more the more players are active', () => {
    const madeBy = (active: number): number => {
      small.world.records(POPULATION).set('active', active)
      fill('copper_wire', 30)
      const before = stockOf('copper_wire')
      workAt(small.world, base)
      return stockOf('copper_wire') - before
    }
    const few = madeBy(25)
    expect(madeBy(100)).toBeGreaterThan(few * 3)
  })
})

describe('citizens', () => {
  test('buy surplus goods at the middle price out of their spare credits', () => {
    fill('copper_wire', 150)
    const spare = citizenWealth(small.world, base)
    leaveCitizens(spare)
    const rows = managedAt(small.world, base)
    const { stock, target, book } = small.world.read(Managed)
    const { item } = small.world.read(Book)
    const before = rows.map((row) => stock[row])
    const prices = rows.map((row) =>
      midOf({ stock: stock[row], target: target[row], value: managedValue(small.world, row) }),
    )
    const [purse, credits] = [pool(), manager()]
    for (const row of rows) small.world.write(Managed).supply[row] = 1
    const wire = rows.indexOf(managedOf(small.world, base, itemIndex('copper_wire')))
    small.world.write(Managed).supply[rows[wire]] = 0
    workAt(small.world, base)
    const used = before[wire] - stock[rows[wire]]
    expect(item[book[rows[wire]]]).toBe(itemIndex('copper_wire'))
    expect(used).toBeGreaterThan(0)
    expect(used).toBeLessThanOrEqual(Math.ceil(target[rows[wire]] / 100))
    expect(purse - pool()).toBe(used * prices[wire])
    expect(manager() - credits).toBe(purse - pool())
  })

  test('use nothing without credits', () => {
    fill('copper_wire', 150)
    const before = stockOf('copper_wire')
    workAt(small.world, base)
    expect(stockOf('copper_wire')).toBe(before)
  })
})

describe('the upkeep of a station', () => {
  /** Returns the units of an import that a cycle uses up at no cost to the citizens. */
  function usedAt(id: string, pct: number): number {
    const row = managedOf(small.world, base, itemIndex(id))
    small.world.write(Managed).part[row] = PARTS.indexOf('import')
    fill(id, pct)
    const before = stockOf(id)
    const credits = manager() + pool()
    workAt(small.world, base)
    expect(manager() + pool()).toBe(credits)
    return before - stockOf(id)
  }

  test('consumes its imports without a payment', () => {
    const target = targetOf('copper_wire')
    expect(usedAt('copper_wire', 80)).toBe(Math.floor(Math.min(target, 32_000) / 50))
  })

  test('stops when an import runs short, and sooner for expensive goods', () => {
    expect(usedAt('copper_wire', 41)).toBeGreaterThan(0)
    expect(usedAt('copper_wire', 40)).toBe(0)
    expect(usedAt('power_cell', 65)).toBeGreaterThan(0)
    // The works may make a power cell in the meantime, so the difference can be negative.
    expect(usedAt('power_cell', 62)).toBeLessThanOrEqual(0)
  })
})

test('a station regains ore that nobody brings, up to a floor', () => {
  fill('copper_ore', 10)
  fill('power_cell', 60)
  const before = stockOf('copper_ore')
  workAt(small.world, base)
  expect(stockOf('copper_ore') - before).toBe(Math.floor((targetOf('copper_ore') * 5) / 1_000))
  fill('copper_ore', 34)
  const above = stockOf('copper_ore')
  workAt(small.world, base)
  expect(stockOf('copper_ore')).toBe(above)
})

test('a capital orders what it lacks from the station that has most, and pays for it', () => {
  const { world } = small
  const other = capitalOf(world, 1)
  fill('power_cell', 10)
  fill('power_cell', 195, other)
  const before = [stockOf('power_cell'), stockOf('power_cell', other), manager(), manager(other)]
  sendConvoys(world, base)
  const load = Math.floor(targetOf('power_cell') / 20)
  expect(stockOf('power_cell') - before[0]).toBe(load)
  expect(before[1] - stockOf('power_cell', other)).toBe(load)
  expect(manager() - before[2]).toBeLessThan(0)
  expect(before[2] - manager()).toBeGreaterThanOrEqual(manager(other) - before[3])
})

test('a capital orders ore only when its works can take no more of its own', () => {
  const { world } = small
  const other = capitalOf(world, 1)
  const getsAt = (pct: number): boolean => {
    fill('copper_ore', pct)
    fill('copper_ore', 195, other)
    const before = stockOf('copper_ore')
    sendConvoys(world, base)
    return stockOf('copper_ore') > before
  }
  expect([getsAt(35), getsAt(40)]).toEqual([true, false])
})

test('a capital without credits orders no convoy', () => {
  const { world } = small
  fill('power_cell', 10)
  fill('power_cell', 195, capitalOf(world, 1))
  post(world, world.read(Base).manager[base], namedAccount('fee_sink'), manager())
  const before = stockOf('power_cell')
  sendConvoys(world, base)
  expect(stockOf('power_cell')).toBe(before)
})
