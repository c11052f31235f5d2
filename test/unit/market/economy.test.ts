/**
 * The starting economy: every capital buys the ore that miners bring. Source: market.md
 * section 7.
 */
import { describe, expect, test } from 'vitest'
import { EMPIRE_IDS, GOODS } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { openLocker } from '../../../systems/cargo/model.ts'
import { bookOf } from '../../../systems/market/book-model.ts'
import { bestPrice } from '../../../systems/market/model.ts'
import { BID, Book, Managed } from '../../../systems/market/state.ts'
import { depositsOf } from '../../../systems/mining/model.ts'
import { Deposit } from '../../../systems/mining/state.ts'
import { FAMILIES } from '../../../systems/ship/state.ts'
import { dockedBase, systemOf } from '../../../systems/travel/location-model.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

const TICKS = 1_000
/** The units that twenty miners in starter ships bring in a tick: 43 measured, rounded up. */
const UNITS_A_TICK = 45
/** Within these ticks, every manager renews its quotes. */
const QUOTE_ROUND_TICKS = 31

interface Seller {
  readonly player: Eid
  readonly base: Eid
  /** The ores of the first belt of the system. */
  readonly ores: readonly number[]
}

/** Stores ores of the first belt in the locker of a player, enough for every tick of a test. */
function stockSeller(small: SmallWorld, player: Eid): Seller {
  const { world } = small
  const { item, family } = world.read(Deposit)
  const rocks = (poi: Eid) =>
    depositsOf(world, poi).filter((row) => FAMILIES[family[row]] === 'mining')
  const belt = poisOf(world, systemOf(world, player)).find((poi) => rocks(poi).length > 0)
  const ores = rocks(belt as Eid).map((row) => item[row])
  const base = dockedBase(world, player)
  const locker = openLocker(world, player, base)
  for (const ore of ores) {
    moveItems(world, namedContainer('mined'), locker, ore, TICKS * UNITS_A_TICK)
  }
  return { player, base, ores }
}

/** Returns the world, and a player with a store of ore docked at each capital. */
async function capitals() {
  const small = await smallWorld()
  const sellers = EMPIRE_IDS.map((empire) => {
    return stockSeller(small, small.join(`Digger ${empire.slice(1, 5)}`, empire))
  })
  return { small, sellers }
}

const sale = ({ player, ores }: Seller, tick: number, quantity: number) => ({
  player,
  command: 'sell',
  params: { item_id: GOODS[ores[tick % ores.length]].id, quantity },
})

describe('a capital', () => {
  test('buys the ore of twenty miners every tick and keeps bidding for it', async () => {
    const { small, sellers } = await capitals()
    const { world } = small
    for (let tick = 0; tick < TICKS; tick++) {
      const answers = small.tick(...sellers.map((seller) => sale(seller, tick, UNITS_A_TICK)))
      for (const { player } of sellers) {
        expect(answers.get(player)).toMatchObject({ ok: true, result: { unsold: 0 } })
      }
    }
    for (const { base, ores } of sellers) {
      for (const ore of ores) {
        expect(bestPrice(world, bookOf(world, base, ore), BID)).toBeGreaterThan(0)
      }
    }
  })

  test('buys the loads of a hundred miners who dock in the same tick', async () => {
    const { small, sellers } = await capitals()
    for (const seller of sellers) {
      // A hundred full holds, spread over the ores of the belt, bring about 2,000 units of each.
      const answer = small.tick(sale(seller, 0, 2_000)).get(seller.player)
      expect(answer).toMatchObject({ ok: true, result: { unsold: 0 } })
    }
  })

  test('buys again after a glut as soon as its manager renews its quotes', async () => {
    const { small, sellers } = await capitals()
    const { world } = small
    const [seller] = sellers
    const book = bookOf(world, seller.base, seller.ores[0])
    const row = world.read(Book).managed[book]
    const { stock, target } = world.read(Managed)
    while (stock[row] < 2 * target[row]) {
      const missing = 2 * target[row] - stock[row]
      const locker = openLocker(world, seller.player, seller.base)
      moveItems(world, namedContainer('mined'), locker, seller.ores[0], missing)
      small.tick(sale(seller, 0, missing))
    }
    const price = () => bestPrice(world, book, BID)
    for (let tick = 0; tick < QUOTE_ROUND_TICKS && price() === 0; tick++) small.ticks(1)
    expect(price()).toBeGreaterThan(0)
  })
})
