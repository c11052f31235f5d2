/** Deeds that become facts to overhear at a base, and the disguise of spy facilities. */
import { beforeEach, expect, test } from 'vitest'
import { FACILITIES } from '../../../core/catalog/index.ts'
import { changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { factionFacilities, shownType } from '../../../systems/facility/model.ts'
import { UNDER_CONSTRUCTION } from '../../../systems/facility/state.ts'
import { factsAt } from '../../../systems/intel/model.ts'
import { FACT_KINDS } from '../../../systems/intel/state.ts'
import { dockAt } from '../faction/scene.ts'
import { setCredits } from '../law/scene.ts'
import { act, ask, type Bureau, bureau } from './scene.ts'

let scene: Bureau
beforeEach(async () => {
  scene = await bureau({ faction_espionage: 1 })
})

const facts = () => factsAt(scene.small.world, scene.base)

test('a purchase of ten thousand credits and a ship order become facts', () => {
  const { small, leader, base } = scene
  dockAt(small.world, leader, base)
  setCredits(small.world, leader, 1_000_000)
  act(small, leader, 'buy', { item_id: 'iron_ore', quantity: 1, deliver_to: 'storage' })
  expect(facts()).toEqual([])
  const { items } = ask(small, leader, 'view_market') as {
    items: { item_id: string; best_sell: number; sell_quantity: number; item_name: string }[]
  }
  const costly = items.find(
    ({ best_sell, sell_quantity }) => best_sell > 0 && best_sell * sell_quantity >= 20_000,
  )
  expect(costly).toBeDefined()
  if (!costly) return
  const quantity = Math.ceil(15_000 / costly.best_sell)
  act(small, leader, 'buy', { item_id: costly.item_id, quantity, deliver_to: 'storage' })
  expect(facts()).toMatchObject([
    { kind: FACT_KINDS.indexOf('purchase'), what: expect.stringContaining(costly.item_name) },
  ])
  act(small, leader, 'place_ship_buy_order', { class_id: 'footnote', price: 777 })
  expect(facts()[0]).toMatchObject({ kind: FACT_KINDS.indexOf('ship_order'), credits: 777 })
})

test('outsiders see the disguise of a spy facility, members its real type', () => {
  const { small, leader, stranger, base, faction } = scene
  const { world } = small
  const [cell] = factionFacilities(world, faction)
  dockAt(world, stranger, base)
  changeState(world, cell, { status: UNDER_CONSTRUCTION })
  const sitesFor = (player: number) => {
    const { construction } = ask(small, player, 'facility', { action: 'list' }) as {
      construction: { under_construction: { definition_id: string; name: string }[] }
    }
    return construction.under_construction
  }
  expect(sitesFor(leader)).toMatchObject([{ definition_id: 'faction_espionage_cell' }])
  const [disguise] = sitesFor(stranger)
  const cover = FACILITIES.find(({ id }) => id === disguise.definition_id)
  expect(cover).toMatchObject({ category: 'faction', level: 1, name: disguise.name })
  expect(cover?.disguised).toBeFalsy()
  expect(sitesFor(stranger)).toEqual([disguise])
  expect(shownType(world, cell, faction).id).toBe('faction_espionage_cell')
  expect(shownType(world, cell, scene.rivals).id).toBe(disguise.definition_id)
})
