/** Trades between related parties bring no experience or standing, and set no price. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import { reputationOf, statOf, walletOf } from '../../../systems/account/model.ts'
import { empireOfBase } from '../../../systems/base/model.ts'
import { openLocker } from '../../../systems/cargo/model.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { areRelated } from '../../../systems/market/book-model.ts'
import { vwapOf } from '../../../systems/market/vwap-model.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { onSmallMap } from '../../small-world.ts'
import { type FactionScene, stock, withFaction } from './faction-scene.ts'
import { bid, freshScene, result, type Scene, sell } from './scene.ts'

onSmallMap()

let scene: Scene

beforeEach(async () => {
  scene = await freshScene()
})

/** Puts the two traders into one faction. */
function befriend(): void {
  const { world } = scene.small
  const faction = foundFaction(world, scene.player, 'Two Friends', 'TWOF')
  addMember(world, scene.other, faction)
}

/** Returns what both traders have gained by trade, and the average price. */
function gains({ small, player, other, base, item }: Scene) {
  const { world } = small
  const empire = empireOfBase(world, base)
  const gainOf = (trader: number) => ({
    xp: xpOf(world, trader, 'trading'),
    standing: reputationOf(world, trader, empire),
  })
  const vwap = vwapOf(world, base, item, { hours: 24 })
  return { player: gainOf(player), other: gainOf(other), vwap }
}

/** Sells 100 units to a resting bid, and buys 100 from a resting ask. */
function tradeBothWays(): void {
  const { item_id, player, other } = scene
  bid(scene, other, 100, 1_000)
  result(scene, player, 'sell', { item_id, quantity: 100 })
  sell(scene, other, 100, 1_000)
  result(scene, player, 'buy', { item_id, quantity: 100 })
}

describe('a trade between players', () => {
  test('without a relation brings both experience and standing, and sets a price', () => {
    const before = gains(scene)
    tradeBothWays()
    const after = gains(scene)
    expect(after.vwap).toBe(1_000)
    for (const trader of ['player', 'other'] as const) {
      expect(after[trader].xp).toBeGreaterThan(before[trader].xp)
      expect(after[trader].standing).toBeGreaterThan(before[trader].standing)
    }
  })

  test('of one faction is counted but brings no experience, standing or price', () => {
    befriend()
    const { world } = scene.small
    expect(areRelated(world, party(scene.player), party(scene.other))).toBe(true)
    const before = gains(scene)
    tradeBothWays()
    expect(gains(scene)).toEqual(before)
    expect(statOf(world, scene.player, 'exchange_items_sold')).toBe(100)
    expect(statOf(world, scene.other, 'exchange_items_bought')).toBe(100)
  })

  test('brings experience only for its fills with strangers', () => {
    befriend()
    const { small, item_id, player } = scene
    const stranger = small.join('Stranger')
    moveItems(
      small.world,
      namedContainer('supply'),
      openLocker(small.world, stranger, scene.base),
      itemIndex(item_id),
      50,
    )
    post(small.world, namedAccount('rescue'), walletOf(small.world, stranger), 10_000)
    sell(scene, scene.other, 10, 400)
    sell(scene, stranger, 50, 500)
    const before = gains(scene)
    const answer = result(scene, player, 'buy', { item_id, quantity: 60 })
    expect(answer.fills).toMatchObject([{ quantity: 10 }, { quantity: 50 }])
    expect(answer.xp_gained).toBe(500)
    expect(gains(scene).other).toEqual(before.other)
    expect(gains(scene).vwap).toBe(500)
  })
})

const party = (player: number, faction = 0) => ({ player, faction })

describe('a faction', () => {
  let company: FactionScene
  beforeEach(() => {
    company = withFaction(scene)
    stock(company, 100)
  })

  test('is related to its member, but may trade with them', () => {
    const { small, player, item_id, faction } = company
    expect(areRelated(small.world, party(player), party(player, faction))).toBe(true)
    const order = { item_id, quantity: 20, price_each: 900 }
    result(company, player, 'faction_create_sell_order', order)
    const before = gains(company)
    const answer = result(company, player, 'buy', { item_id, quantity: 20 })
    expect(answer).toMatchObject({ quantity: 20, xp_gained: 0 })
    expect(gains(company)).toEqual(before)
  })

  test('is not related to a stranger', () => {
    const { small, player, other, item_id, faction } = company
    expect(areRelated(small.world, party(other), party(player, faction))).toBe(false)
    const order = { item_id, quantity: 20, price_each: 900 }
    result(company, player, 'faction_create_sell_order', order)
    expect(result(company, other, 'buy', { item_id, quantity: 20 }).xp_gained).toBe(500)
    expect(gains(company).vwap).toBe(900)
  })

  test('is not related to a faction of another leader', () => {
    const { small, player, other, faction } = company
    const second = foundFaction(small.world, other, 'Second House', 'SECO')
    expect(areRelated(small.world, party(player, faction), party(other, second))).toBe(false)
    expect(areRelated(small.world, party(player, faction), party(other, faction))).toBe(true)
  })
})
