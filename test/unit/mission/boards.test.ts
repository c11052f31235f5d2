/** Boards depend on what was for sale when their epoch began. Source: balance.md section 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS } from '../../../core/catalog/index.ts'
import type { Eid, World } from '../../../core/types.ts'
import { Book, Managed, Order, QUOTE_LEVELS } from '../../../systems/market/state.ts'
import { boardOf } from '../../../systems/mission/offers-model.ts'
import { goodsWanted, sells } from '../../../systems/mission/pay-model.ts'
import { Advertised, BOARDS, EPOCH_TICKS, type Offer } from '../../../systems/mission/state.ts'
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

/** Returns a base, its supply offer, and the stock row of a base that sells the goods. */
function findSupply(): { base: Eid; offer: Offer; row: number } {
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
  throw new Error('no board has a supply offer for goods on sale')
}

/** Runs the first tick of the next epoch. */
function startNextEpoch(): void {
  world.tick = EPOCH_TICKS - 1
  small.ticks(1)
}

describe('a board', () => {
  test('changes neither with trade nor after a restore', async () => {
    const { base, row } = findSupply()
    const before = describeOffers(boardOf(world, base))
    const buyer = small.join('Ada')
    const { base: sellers, book, orders } = world.read(Managed)
    freighter(world, buyer)
    dockShip(world, activeShip(world, buyer), sellers[row])
    fund(world, buyer, 1_000_000)
    const askOf = () => world.read(Order).price[orders[row * QUOTE_LEVELS * 2]]
    const ask = askOf()
    const { id } = GOODS[world.read(Book).item[book[row]]]
    for (let i = 0; i < 9 && askOf() === ask; i++) {
      small.act(buyer, 'buy', { item_id: id, quantity: 10 })
    }
    expect(askOf()).not.toBe(ask)
    world.index(BOARDS).byBase.clear()
    world.index(BOARDS).sellers.clear()
    expect(describeOffers(boardOf(world, base))).toEqual(before)
    const restored = await small.reload()
    expect(describeOffers(boardOf(restored.world, base))).toEqual(before)
    expect(restored.hash()).toBe(small.hash())
  })

  test('of the next epoch is the same whenever it is first viewed', async () => {
    const { base } = findSupply()
    startNextEpoch()
    const early = describeOffers(boardOf(world, base))
    const restored = await small.reload()
    for (const copy of [small, restored]) copy.ticks(1)
    expect(describeOffers(boardOf(restored.world, base))).toEqual(early)
    expect(restored.hash()).toBe(small.hash())
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
