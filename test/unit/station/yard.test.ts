/** Ships that a faction commissions at its own shipyard. Source: ships.md 7; crafting.md 8. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES, GOODS, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { World } from '../../../core/types.ts'
import { empireTreasury } from '../../../systems/base/model.ts'
import { citizenPool } from '../../../systems/facility/model.ts'
import { factionOf, treasuryOf } from '../../../systems/faction/model.ts'
import { storeContainer } from '../../../systems/faction/store-model.ts'
import { billOf } from '../../../systems/shipyard/materials-model.ts'
import { laborCost, royaltyOf } from '../../../systems/shipyard/model.ts'
import { Commission } from '../../../systems/shipyard/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { addService, does, type Port, port, refuses, stock, stranger } from './scene.ts'

let small: SmallWorld
let world: World
let home: Port
beforeAll(async () => {
  small = await smallWorld()
  world = small.world
})
beforeEach(() => {
  home = port(small)
  for (const type of ['faction_lockbox', 'shipyard_slip']) addService(small, home, type)
})

const isEasy = ({ shipyard_tier, piloting_required, tier }: (typeof SHIP_CLASSES)[number]) =>
  shipyard_tier <= 1 && piloting_required <= 1 && tier === 1
const licensedClass = SHIP_CLASSES.findIndex((row) => isEasy(row) && row.faction !== '')
const treasury = () => balanceOf(world, treasuryOf(world, home.faction))
const params = {
  ship_class: SHIP_CLASSES[licensedClass].id,
  fund_from_faction: true,
  bare_hull: true,
}
const stockMaterials = (): void => {
  for (const { item, units } of billOf(licensedClass, true))
    stock(small, home, GOODS[item].id, units)
}

describe('a ship commissioned for the faction', () => {
  test('needs a licence, materials from the store, and labor and royalty from the treasury', () => {
    const call = ['commission_ship', params] as const
    refuses(small, home.leader, call, { code: 'commission_blocked' })
    does(small, home.leader, 'buy_ship_license', { ship_class: params.ship_class })
    refuses(small, home.leader, call, 'missing_faction_materials')
    stockMaterials()
    const before = treasury()
    const { empire, credits } = royaltyOf(licensedClass, true)
    expect(EMPIRES[empire].id).toBe(SHIP_CLASSES[licensedClass].faction)
    const paidBefore = balanceOf(world, empireTreasury(world, empire))
    const outcome = does(small, home.leader, 'commission_ship', params)
    const labor = laborCost(licensedClass)
    expect(outcome).toMatchObject({ status: 'building', credits_paid: labor + credits })
    const status = small.ask(home.leader, 'commission_status')
    expect(status).toMatchObject({ result: { commissions: [{ credits_paid: labor + credits }] } })
    expect(treasury()).toBe(before - labor - credits)
    expect(balanceOf(world, empireTreasury(world, empire))).toBe(paidBefore + credits)
    const pool = balanceOf(world, citizenPool(world, home.base))
    const { doneTick, base } = world.read(Commission)
    let row = 1
    while (base[row] !== home.base) row++
    small.ticks(Math.min(400, doneTick[row] - world.tick))
    expect(balanceOf(world, citizenPool(world, home.base))).toBe(pool + labor)
    const listed = small.ask(home.leader, 'list_ships') as { result: { ships: object[] } }
    expect(listed.result.ships.length).toBeGreaterThan(1)
  }, 60_000)

  test('returns all materials and half the labor cost when it is cancelled', () => {
    does(small, home.leader, 'buy_ship_license', { ship_class: params.ship_class })
    stockMaterials()
    const outcome = does(small, home.leader, 'commission_ship', params)
    const before = treasury()
    const cancelled = does(small, home.leader, 'cancel_commission', {
      commission_id: outcome.commission_id,
    })
    const half = Math.floor(laborCost(licensedClass) / 2)
    expect(cancelled).toMatchObject({ refund: half })
    expect(treasury()).toBe(before + half)
    const store = storeContainer(world, { faction: home.faction, base: home.base, bucket: 0 })
    for (const { item, units } of billOf(licensedClass, true)) {
      expect(unitsIn(world, store, item)).toBe(units)
    }
  })

  test('is refused without fund_from_faction, to outsiders and with an empty treasury', () => {
    does(small, home.leader, 'buy_ship_license', { ship_class: params.ship_class })
    stockMaterials()
    const { ship_class } = params
    refuses(small, home.leader, ['commission_ship', { ship_class }], 'invalid_payload')
    const outsider = stranger(small, home)
    expect(factionOf(world, outsider)).toBe(0)
    refuses(small, outsider, ['commission_ship', params], 'not_in_faction')
    post(world, treasuryOf(world, home.faction), namedAccount('fee_sink'), treasury())
    refuses(small, home.leader, ['commission_ship', params], 'faction_no_credits')
  })
})
