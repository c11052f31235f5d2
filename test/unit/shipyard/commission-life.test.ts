/** What becomes of commissions: bays, donations, cancelling. Source: ships.md 7, 10. */
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
import {
  asked,
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
  station,
  stored,
  untilBegun,
  wallet,
} from './scene.ts'

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
})

const { commission, provided, cost, taxed, offerBill } = commissioning(() => scene)

describe('bays', () => {
  test('as many build as the level of the yard; the next in line begins when one is free', () => {
    const { small, player, base } = scene
    const level = small.world.read(Base).level[base]
    const made = Array.from({ length: level + 2 }, () => provided().commission_id)
    const statuses = () =>
      (
        asked(scene, player, 'commission_status') as unknown as {
          commissions: { commission_id: string; status: string }[]
        }
      ).commissions.map((row) => [row.commission_id, row.status])
    expect(statuses()).toEqual(made.map((id, i) => [id, i < level ? 'building' : 'pending']))
    result(scene, player, 'cancel_commission', { commission_id: made[level - 1] })
    expect(statuses().slice(-2)).toEqual([
      [made[level], 'building'],
      [made[level + 1], 'pending'],
    ])
    small.ticks(buildTicks(small.world, base, CLASS_INDEX))
    expect(statuses().at(-1)).toEqual([made[level + 1], 'building'])
  })

  test('a hull waits in its bay while the fleet of its owner is full', () => {
    const { small, player, base } = scene
    provided()
    const extra = []
    for (let i = shipsOf(small.world, player).length; i < SHIPS_PER_PLAYER_MAX; i++) {
      extra.push(park(scene, player))
    }
    small.ticks(buildTicks(small.world, base, CLASS_INDEX) + 1)
    expect(commissionsOf(small.world, player)).toHaveLength(1)
    expect(shipsOf(small.world, player)).toHaveLength(SHIPS_PER_PLAYER_MAX)
    result(scene, player, 'scrap_ship', {
      ship_id: String(asked(scene, player, 'list_ships').count && idOf(extra[0])),
    })
    small.ticks(101)
    expect(commissionsOf(small.world, player)).toHaveLength(0)
  })
})

const idOf = (ship: number) => {
  const { small } = scene
  const ships = asked(scene, scene.player, 'list_ships') as unknown as {
    ships: { ship_id: string }[]
  }
  const found = ships.ships.find((row) => shipById(small.world, row.ship_id) === ship)
  return found?.ship_id
}

describe('commission_status', () => {
  test('lists own ones, of one base if it is named: station_not_found', () => {
    const { small, player, other, base } = scene
    commission()
    expect(
      asked(scene, player, 'commission_status', { base_id: baseId(small.world, base) }),
    ).toMatchObject({
      count: 1,
      commissions: [{ materials_provided: false, ship_class_id: CLASS, status: 'sourcing' }],
    })
    const elsewhere = otherBase(scene, () => true)
    expect(
      asked(scene, player, 'commission_status', { base_id: baseId(small.world, elsewhere) }).count,
    ).toBe(0)
    expect(asked(scene, other, 'commission_status').count).toBe(0)
    expect(small.ask(player, 'commission_status', { base_id: 'nowhere' })).toMatchObject({
      code: 'station_not_found',
    })
  })
})

describe('supply_commission', () => {
  const supply = (commission_id: string, item_id: string, quantity: number) =>
    result(scene, scene.player, 'supply_commission', { commission_id, item_id, quantity })

  test('gives one material, no more than is lacking; the last one begins the building', () => {
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
    expect(wallet(scene, player)).toBe(before + (credits_paid as number) - charged - taxed(charged))
  })

  test('is refused: commission_not_found, unknown_item, not_needed, wrong_station …', () => {
    const { player, other, base } = scene
    const { commission_id } = commission()
    const code = (params: object, who = player) =>
      refused(scene, who, 'supply_commission', {
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
    const done = provided()
    expect(code({ commission_id: done.commission_id })).toBe('not_sourcing')
  })
})

describe('cancel_commission', () => {
  const drop = (commission_id: string) =>
    result(scene, scene.player, 'cancel_commission', { commission_id })

  test('while sourcing returns all unspent credits and materials but donations', () => {
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
    const answer = drop(commission_id)
    expect(wallet(scene, player)).toBe(before - spent - taxed(spent))
    expect(stored(scene, player, 'mining_head')).toBe(4)
    expect(stored(scene, player, 'power_cell')).toBe(2)
    expect(stored(scene, player, 'hull_frame')).toBe(0)
    expect(answer.materials_returned).toContainEqual(
      expect.objectContaining({ item_id: 'power_cell', quantity: 2 }),
    )
    expect(escrowBalance(small.world, scene.base)).toBe(0)
  })

  test('once begun returns half of labour, the yard’s part and what was provided', () => {
    const { player } = scene
    const before = wallet(scene, player)
    const { commission_id } = provided()
    const margin = marginOf(0, LABOR)
    const answer = drop(commission_id)
    expect(answer.refund).toBe(Math.floor(LABOR / 2) + margin)
    expect(wallet(scene, player)).toBe(before - LABOR - margin + (answer.refund as number))
    expect(stored(scene, player, 'hull_frame')).toBe(4)
  })

  test('once begun returns half of what bought materials are worth, which the yard keeps', () => {
    const { small, player } = scene
    const { commission_id, yard_margin } = commission()
    offerBill(1)
    const row = untilBegun(scene)
    const spent = small.world.read(Commission).spent[row]
    const value = BILL.reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)
    const answer = drop(commission_id)
    const half = Math.floor((Math.min(spent, value) + LABOR) / 2)
    expect(answer.refund).toBe(half + (yard_margin as number))
    expect(stored(scene, player, 'hull_frame')).toBe(0)
  })

  test('a station that has nothing pays back what the commission holds', () => {
    const { small, base } = scene
    const { commission_id, yard_margin } = commission()
    offerBill(1)
    untilBegun(scene)
    const { treasury, manager } = small.world.read(Base)
    for (const account of [treasury[base], manager[base]]) {
      const left = small.world.stores.get('account')?.columns.credits[account] ?? 0
      post(small.world, account, namedAccount('fee_sink'), left)
    }
    expect(station(scene)).toBe(0)
    expect(drop(commission_id).refund).toBe(LABOR + (yard_margin as number))
  })

  test('is anybody’s own: commission_not_found', () => {
    const { commission_id } = commission()
    const params = { commission_id }
    expect(refused(scene, scene.other, 'cancel_commission', params).code).toBe(
      'commission_not_found',
    )
    expect(drop(commission_id).refund).toBeGreaterThan(0)
    expect(refused(scene, scene.player, 'cancel_commission', params).code).toBe(
      'commission_not_found',
    )
  })

  test('in the tick of the delivery comes before it', () => {
    const { small, player, base } = scene
    const { commission_id } = provided()
    small.ticks(buildTicks(small.world, base, CLASS_INDEX) - 1)
    small.takeEmissions()
    const answer = drop(commission_id)
    expect(answer.refund).toBeGreaterThan(0)
    small.ticks(2)
    expect(payloadsTo(scene, player, 'ship_commission_complete')).toEqual([])
    expect(SHIP_CLASSES[CLASS_INDEX].id).toBe(CLASS)
  })
})
