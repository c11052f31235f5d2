/** Commissions after they were placed: bays, donations and cancelling. Source: ships.md 7, 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import { SHIPS_PER_PLAYER_MAX } from '../../../core/limits.ts'
import { baseId } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { shipById, shipsOf } from '../../../systems/ship/model.ts'
import {
  buildTicks,
  commissionsOf,
  escrowBalance,
  marginOf,
} from '../../../systems/shipyard/model.ts'
import { Commission } from '../../../systems/shipyard/state.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  answerOf,
  BILL,
  CLASS,
  CLASS_INDEX,
  commissioning,
  freshScene,
  give,
  giveBill,
  goTo,
  LABOR,
  otherBase,
  park,
  payloadsTo,
  refused,
  result,
  type Scene,
  stationCredits,
  stored,
  untilBegun,
  wallet,
} from './scene.ts'

onSmallMap()

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
})

const { commission, commissionProvided, cost, salesTaxOn, offerBill } = commissioning(() => scene)

describe('bays', () => {
  test('a yard builds as many ships at once as its level, and the others wait in line', () => {
    const { small, player, base } = scene
    const level = small.world.read(Base).level[base]
    const ids = Array.from({ length: level + 2 }, () => commissionProvided().commission_id)
    const statuses = () =>
      (
        answerOf(scene, player, 'commission_status') as unknown as {
          commissions: { commission_id: string; status: string }[]
        }
      ).commissions.map((row) => [row.commission_id, row.status])
    expect(statuses()).toEqual(ids.map((id, i) => [id, i < level ? 'building' : 'pending']))
    result(scene, player, 'cancel_commission', { commission_id: ids[level - 1] })
    expect(statuses().slice(-2)).toEqual([
      [ids[level], 'building'],
      [ids[level + 1], 'pending'],
    ])
    small.ticks(buildTicks(small.world, base, CLASS_INDEX))
    expect(statuses().at(-1)).toEqual([ids[level + 1], 'building'])
  })

  test('a finished ship waits in its bay while its owner has the most ships allowed', () => {
    const { small, player, base } = scene
    commissionProvided()
    const extra = []
    for (let i = shipsOf(small.world, player).length; i < SHIPS_PER_PLAYER_MAX; i++) {
      extra.push(park(scene, player))
    }
    small.ticks(buildTicks(small.world, base, CLASS_INDEX) + 1)
    expect(commissionsOf(small.world, player)).toHaveLength(1)
    expect(shipsOf(small.world, player)).toHaveLength(SHIPS_PER_PLAYER_MAX)
    result(scene, player, 'scrap_ship', { ship_id: idOf(extra[0]) })
    small.ticks(101)
    expect(commissionsOf(small.world, player)).toHaveLength(0)
  })
})

const idOf = (ship: number) => {
  const { small } = scene
  const ships = answerOf(scene, scene.player, 'list_ships') as unknown as {
    ships: { ship_id: string }[]
  }
  const found = ships.ships.find((row) => shipById(small.world, row.ship_id) === ship)
  return found?.ship_id
}

describe('commission_status', () => {
  test('lists the commissions of the player, or only those at a base', () => {
    const { small, player, other, base } = scene
    commission()
    expect(
      answerOf(scene, player, 'commission_status', { base_id: baseId(small.world, base) }),
    ).toMatchObject({
      count: 1,
      commissions: [{ materials_provided: false, ship_class_id: CLASS, status: 'sourcing' }],
    })
    const elsewhere = otherBase(scene, () => true)
    expect(
      answerOf(scene, player, 'commission_status', { base_id: baseId(small.world, elsewhere) })
        .count,
    ).toBe(0)
    expect(answerOf(scene, other, 'commission_status').count).toBe(0)
    expect(small.ask(player, 'commission_status', { base_id: 'nowhere' })).toMatchObject({
      code: 'station_not_found',
    })
  })
})

describe('supply_commission', () => {
  const supply = (commission_id: string, item_id: string, quantity: number) =>
    result(scene, scene.player, 'supply_commission', { commission_id, item_id, quantity })

  test('takes no more units than are lacking, and the last material starts building', () => {
    const { player } = scene
    const { commission_id, credits_paid } = commission()
    giveBill(scene, player)
    const before = wallet(scene, player)
    expect(supply(commission_id, 'hull_frame', 1)).toMatchObject({
      supplied: 1,
      all_sourced: false,
      commission_status: 'sourcing',
    })
    let last = supply(commission_id, 'hull_frame', 1_000)
    expect(last.supplied).toBe(3)
    for (const { item, units } of BILL) {
      if (GOODS[item].id !== 'hull_frame') last = supply(commission_id, GOODS[item].id, units)
    }
    expect(last).toMatchObject({ all_sourced: true, commission_status: 'building' })
    const charged = LABOR + marginOf(cost(), LABOR)
    expect(wallet(scene, player)).toBe(
      before + (credits_paid as number) - charged - salesTaxOn(charged),
    )
  })

  test('is refused for unknown or complete commissions, wrong items and elsewhere', () => {
    const { player, other, base } = scene
    const { commission_id } = commission()
    const code = (params: object, pilot = player) =>
      refused(scene, pilot, 'supply_commission', {
        commission_id,
        item_id: 'hull_frame',
        quantity: 1,
        ...params,
      }).code
    expect(code({ commission_id: 'x' })).toBe('commission_not_found')
    expect(code({}, other)).toBe('commission_not_found')
    expect(code({ item_id: 'no such' })).toBe('unknown_item')
    expect(code({ item_id: 'iron_ore' })).toBe('not_needed')
    expect(code({})).toBe('insufficient_items')
    goTo(
      scene,
      player,
      otherBase(scene, () => true),
    )
    expect(code({})).toBe('wrong_station')
    goTo(scene, player, base)
    const done = commissionProvided()
    expect(code({ commission_id: done.commission_id })).toBe('not_sourcing')
  })
})

describe('cancel_commission', () => {
  const cancel = (commission_id: string) =>
    result(scene, scene.player, 'cancel_commission', { commission_id })

  test('returns unspent credits and materials except donations while sourcing', () => {
    const { small, player } = scene
    const before = wallet(scene, player)
    give(scene, player, 'mining_head', 4)
    give(scene, player, 'power_cell', 1)
    const { commission_id } = commission({ source_missing_materials: true })
    give(scene, player, 'hull_frame', 2)
    result(scene, player, 'supply_commission', {
      commission_id,
      item_id: 'hull_frame',
      quantity: 2,
    })
    offerBill(1, ['hull_frame', 'life_support_unit'])
    small.ticks(101)
    const row = commissionsOf(small.world, player)[0]
    const spent = small.world.read(Commission).spent[row]
    expect(spent).toBeGreaterThan(0)
    const answer = cancel(commission_id)
    expect(wallet(scene, player)).toBe(before - spent - salesTaxOn(spent))
    expect(stored(scene, player, 'mining_head')).toBe(4)
    expect(stored(scene, player, 'power_cell')).toBe(2)
    expect(stored(scene, player, 'hull_frame')).toBe(0)
    expect(answer.materials_returned).toContainEqual(
      expect.objectContaining({ item_id: 'power_cell', quantity: 2 }),
    )
    expect(escrowBalance(small.world, scene.base)).toBe(0)
  })

  test('returns half the labour, the margin and provided materials once building', () => {
    const { player } = scene
    const before = wallet(scene, player)
    const { commission_id } = commissionProvided()
    const margin = marginOf(0, LABOR)
    const answer = cancel(commission_id)
    expect(answer.refund).toBe(Math.floor(LABOR / 2) + margin)
    expect(wallet(scene, player)).toBe(before - LABOR - margin + (answer.refund as number))
    expect(stored(scene, player, 'hull_frame')).toBe(4)
  })

  test('returns half the worth of bought materials once building', () => {
    const { small, player } = scene
    const { commission_id, yard_margin } = commission()
    offerBill(1)
    const row = untilBegun(scene)
    const spent = small.world.read(Commission).spent[row]
    const value = BILL.reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)
    const answer = cancel(commission_id)
    const half = Math.floor((Math.min(spent, value) + LABOR) / 2)
    expect(answer.refund).toBe(half + (yard_margin as number))
    expect(stored(scene, player, 'hull_frame')).toBe(0)
  })

  test('returns what the commission holds when the station has no credits', () => {
    const { small, base } = scene
    const { commission_id, yard_margin } = commission()
    offerBill(1)
    untilBegun(scene)
    const { treasury, manager } = small.world.read(Base)
    for (const account of [treasury[base], manager[base]]) {
      const left = small.world.stores.get('account')?.columns.credits[account] ?? 0
      post(small.world, account, namedAccount('fee_sink'), left)
    }
    expect(stationCredits(scene)).toBe(0)
    expect(cancel(commission_id).refund).toBe(LABOR + (yard_margin as number))
  })

  test('commission_not_found: only the owner may cancel, and only once', () => {
    const { commission_id } = commission()
    const params = { commission_id }
    expect(refused(scene, scene.other, 'cancel_commission', params).code).toBe(
      'commission_not_found',
    )
    expect(cancel(commission_id).refund).toBeGreaterThan(0)
    expect(refused(scene, scene.player, 'cancel_commission', params).code).toBe(
      'commission_not_found',
    )
  })

  test('comes before the delivery in the same tick', () => {
    const { small, player, base } = scene
    const { commission_id } = commissionProvided()
    small.ticks(buildTicks(small.world, base, CLASS_INDEX) - 1)
    small.takeEmissions()
    const answer = cancel(commission_id)
    expect(answer.refund).toBeGreaterThan(0)
    small.ticks(2)
    expect(payloadsTo(scene, player, 'ship_commission_complete')).toEqual([])
    expect(SHIP_CLASSES[CLASS_INDEX].id).toBe(CLASS)
  })
})
