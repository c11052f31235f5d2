/** The standing that sales bring with an empire. Source: market.md section 6. */
import { beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES, empireIndex, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { DAY_TICKS } from '../../../core/time.ts'
import type { Eid } from '../../../core/types.ts'
import { reputationOf } from '../../../systems/account/model.ts'
import { EMPIRES_WIDTH, Player } from '../../../systems/account/state.ts'
import { openLocker } from '../../../systems/cargo/model.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

const CRIMSON = empireIndex('crimson')
const { rep_trade_fill_cap: CAP } = EMPIRES[CRIMSON].policy

let small: SmallWorld
let seller: Eid

beforeEach(async () => {
  small = await smallWorld()
  seller = small.join('Seller', 'crimson')
  const { world } = small
  const locker = openLocker(world, seller, dockedBase(world, seller))
  moveItems(world, namedContainer('mined'), locker, itemIndex('tungsten_ore'), 2_000)
})

const standing = () => reputationOf(small.world, seller, CRIMSON)
const sell = (quantity: number) => small.act(seller, 'sell', { item_id: 'tungsten_ore', quantity })

describe('a sale', () => {
  test('too small for a point of standing brings none', () => {
    const before = standing()
    expect(sell(1)).toMatchObject({ ok: true })
    expect(standing()).toBe(before)
  })

  test('raises the standing with the empire of the base, up to a cap a day', () => {
    const before = standing()
    for (let i = 0; i < 3; i++) expect(sell(100)).toMatchObject({ ok: true })
    expect(standing()).toBe(before + CAP)
    small.world.tick += DAY_TICKS
    expect(sell(100)).toMatchObject({ ok: true })
    expect(standing()).toBe(before + 2 * CAP)
  })

  test('never lifts a standing past a hundred', () => {
    small.world.write(Player).reputation[seller * EMPIRES_WIDTH + CRIMSON] = 99
    expect(sell(100)).toMatchObject({ ok: true })
    expect(standing()).toBe(100)
  })
})
