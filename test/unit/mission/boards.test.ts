/** Boards go by what was sold as their epoch began. Source: balance.md section 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS } from '../../../core/catalog/index.ts'
import type { Eid, World } from '../../../core/types.ts'
import { Book, Managed, Order, QUOTE_LEVELS } from '../../../systems/market/state.ts'
import { boardOf } from '../../../systems/mission/offers-model.ts'
import { goodsWanted, sells } from '../../../systems/mission/pay-model.ts'
import { Advertised, BOARDS, type Offer } from '../../../systems/mission/state.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { freighter } from '../package/stage.ts'
import { boards, fund } from './stage.ts'

let small: SmallWorld
let world: World
beforeEach(async () => {
  small = await smallWorld()
  world = small.world
})

const describeOffers = (offers: readonly Offer[]) =>
  offers.map(({ id, credits }) => `${id} ${credits}`)

/** Returns a base that wants goods, the offer, and its row in the base that sells them. */
function supplied(): { base: Eid; offer: Offer; row: number } {
  for (const base of boards(world)) {
    const offer = boardOf(world, base).find(({ template }) => template.type === 'supply')
    if (!offer) continue
    const [{ item }] = goodsWanted(offer.template)
    const { ask } = world.read(Advertised)
    const { book } = world.read(Managed)
    for (let row = 1; row <= world.highOf(Managed); row++) {
      if (ask[row] > 0 && world.read(Book).item[book[row]] === item) return { base, offer, row }
    }
  }
  throw new Error('nobody asks for anything')
}

/** Runs ticks past the end of the epoch. */
function nextEpoch(): void {
  world.tick = 359
  small.ticks(1)
}

describe('a board', () => {
  test('does not change with trade, and is the same after a restore', async () => {
    const { base, row } = supplied()
    const before = describeOffers(boardOf(world, base))
    const one = small.join('Ada')
    const { base: sellers, book, orders } = world.read(Managed)
    freighter(world, one)
    dockShip(world, activeShip(world, one), sellers[row])
    fund(world, one, 1_000_000)
    const askOf = () => world.read(Order).price[orders[row * QUOTE_LEVELS * 2]]
    const ask = askOf()
    const { id } = GOODS[world.read(Book).item[book[row]]]
    for (let i = 0; i < 9 && askOf() === ask; i++) {
      small.act(one, 'buy', { item_id: id, quantity: 10 })
    }
    expect(askOf()).not.toBe(ask)
    world.index(BOARDS).byBase.clear()
    world.index(BOARDS).sellers.clear()
    expect(describeOffers(boardOf(world, base))).toEqual(before)
    const other = await small.reload()
    expect(describeOffers(boardOf(other.world, base))).toEqual(before)
    expect(other.hash()).toBe(small.hash())
  })

  test('of the next epoch depends on what is sold then, whenever it is viewed', async () => {
    const { base } = supplied()
    nextEpoch()
    const early = describeOffers(boardOf(world, base))
    const other = await small.reload()
    for (const each of [small, other]) each.ticks(1)
    expect(describeOffers(boardOf(other.world, base))).toEqual(early)
    expect(other.hash()).toBe(small.hash())
  })

  test('requires nothing that its base or its destination sells', () => {
    for (const base of boards(world)) {
      for (const { template, toBase } of boardOf(world, base)) {
        if (!template.repeatable) continue
        const sold = goodsWanted(template).filter(({ item }) =>
          toBase.some((target) => target !== 0 && sells(world, target, item)),
        )
        expect(sold, template.template_id).toEqual([])
      }
    }
  })
})
