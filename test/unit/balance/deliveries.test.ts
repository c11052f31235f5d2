/** Pay of deliveries, compared with the cost of the goods. Source: balance.md sections 5, 6, 11. */
import { describe, expect, test } from 'vitest'
import { errandSize, GOODS, MISSIONS } from '../../../core/catalog/index.ts'
import { CREDITS_PER_DAY_MAX } from '../../../core/limits.ts'
import type { Eid, World } from '../../../core/types.ts'
import { hasService } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { Book, Managed, Order, QUOTE_LEVELS } from '../../../systems/market/state.ts'
import { jumpsTo, systemOfBase } from '../../../systems/mission/model.ts'
import { boardOf } from '../../../systems/mission/offers-model.ts'
import { goodsWanted } from '../../../systems/mission/pay-model.ts'
import type { Offer } from '../../../systems/mission/state.ts'
import { galaxyWorld } from './worlds.ts'

/** Returns the managers' lowest asks by item, then by base. */
function asksOf(world: World): Map<number, Map<Eid, number>> {
  const { base, book, orders } = world.read(Managed)
  const { price } = world.read(Order)
  const asks = new Map<number, Map<Eid, number>>()
  for (let row = 1; row <= world.highOf(Managed); row++) {
    const first = orders[row * QUOTE_LEVELS * 2]
    if (base[row] === 0 || first === 0) continue
    const item = world.read(Book).item[book[row]]
    const byBase = asks.get(item) ?? new Map<Eid, number>()
    asks.set(item, byBase.set(base[row], price[first]))
  }
  return asks
}

const boards = (world: World): Eid[] =>
  Array.from({ length: world.highOf(Base) }, (_, i) => i + 1).filter(
    (base) => world.read(Base).alive[base] === 1 && hasService(world, base, 'missions'),
  )

/** Returns the most that an offer may pay: a tenth above the goods, 250, and 500 a jump. */
function payMax(world: World, asks: Map<number, Map<Eid, number>>, offer: Offer): number {
  const { pirateRepRequired } = world.read(Base)
  let cost = 0
  let jumpsToGoods = 0
  for (const { item, units } of goodsWanted(offer.template)) {
    const sellers = [...(asks.get(item) ?? [])]
      .filter(([base]) => pirateRepRequired[base] === 0)
      .map(([base, ask]) => ({
        ask,
        jumps: jumpsTo(world, offer.base, systemOfBase(world, base)),
      }))
      .sort((a, b) => a.jumps - b.jumps || a.ask - b.ask)
    expect(sellers, GOODS[item].id).not.toHaveLength(0)
    cost += units * Math.max(GOODS[item].base_value, sellers[0].ask)
    jumpsToGoods = Math.max(jumpsToGoods, sellers[0].jumps)
  }
  return 1.1 * cost + 250 + 500 * (jumpsToGoods + offer.jumps)
}

const isDelivery = ({ template }: Offer): boolean =>
  template.repeatable &&
  goodsWanted(template).length > 0 &&
  template.objectives.every(({ type }) => type === 'deliver_item')

describe('deliveries', () => {
  test.each([1, 2, 3, 4, 5])('of seed %i pay no more than goods and travel cost', async (seed) => {
    const world = await galaxyWorld(seed)
    const asks = asksOf(world)
    let deliveries = 0
    for (const base of boards(world)) {
      for (const offer of boardOf(world, base).filter(isDelivery)) {
        deliveries++
        const name = `${offer.template.template_id} at ${base}`
        expect(offer.credits, name).toBeLessThanOrEqual(payMax(world, asks, offer))
        const sold = goodsWanted(offer.template).filter(({ item }) =>
          offer.toBase.some((target) => asks.get(item)?.has(target)),
        )
        expect(sold, name).toEqual([])
        if (offer.template.type !== 'supply') continue
        expect(offer.credits, name).toBeGreaterThanOrEqual(1_500)
        expect(offer.credits, name).toBeLessThanOrEqual(4_000)
      }
    }
    expect(deliveries).toBeGreaterThan(boards(world).length)
  })

  test('of a supply mission fit into the hold of a starter ship', () => {
    for (const { template_id, type, objectives } of MISSIONS) {
      if (type !== 'supply') continue
      const space = objectives.reduce(
        (sum, { item = '', quantity }) =>
          sum + (GOODS.find(({ id }) => id === item)?.size ?? 0) * quantity,
        0,
      )
      expect(space, template_id).toBeLessThanOrEqual(66)
    }
  })
})

test('every collection is offered on a board', async () => {
  const world = await galaxyWorld(1)
  const offered = new Set(
    boards(world).flatMap((base) =>
      boardOf(world, base).flatMap(({ template }) =>
        template.community ? [template.template_id] : [],
      ),
    ),
  )
  const all = MISSIONS.filter(({ community }) => community).map((row) => row.template_id)
  expect([...offered].sort()).toEqual(all.sort())
})

describe('errands', () => {
  test('come in seven sizes, with three templates of each larger one', () => {
    const sizes = MISSIONS.filter(({ type }) => type === 'courier').map(errandSize)
    const countOf = (size: number) => sizes.filter((other) => other === size).length
    expect([1, 2, 3, 4, 5, 6].map(countOf)).toEqual([3, 3, 3, 3, 3, 3])
    expect(sizes).not.toContain(-1)
  })

  test('pay by size and jumps', () => {
    const rows = MISSIONS.filter(({ type }) => type === 'courier')
    const pays = new Set(rows.map((row) => `${row.credits}+${row.creditsPerJump}`))
    expect(pays).toEqual(
      new Set(['36+45', '66+82', '138+172', '228+285', '348+435', '816+1020', '1200+1500']),
    )
  })

  test('are on every board in as many sizes as the base has levels, plus four', async () => {
    const world = await galaxyWorld(1)
    for (const base of boards(world)) {
      const sizes = boardOf(world, base).map(({ template }) => errandSize(template))
      const count = Math.min(7, world.read(Base).level[base] + 4)
      for (let size = 0; size < count; size++) expect(sizes, `base ${base}`).toContain(size)
    }
  })
})

test('the daily limit of credits grows with the licence', () => {
  const credits = CREDITS_PER_DAY_MAX.map((row) => row.credits)
  expect(credits).toEqual([2_000_000, 1_200_000, 700_000, 300_000])
})
