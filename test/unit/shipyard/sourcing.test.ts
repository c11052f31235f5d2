/**
 * What commissions lack: where it is sold, when they are done, the reserve of the station, and the
 * end of those that nobody can supply. Source: balance.md section 4.
 */
import { beforeEach, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { Base } from '../../../systems/base/state.ts'
import { bookOf } from '../../../systems/market/book-model.ts'
import { bestPrice } from '../../../systems/market/model.ts'
import { ASK, Managed } from '../../../systems/market/state.ts'
import { askOf, managedOf } from '../../../systems/market/stock-model.ts'
import { gatheredUnits } from '../../../systems/shipyard/materials-model.ts'
import { commissionsOf } from '../../../systems/shipyard/model.ts'
import { reservePrice } from '../../../systems/shipyard/quote-rules.ts'
import { Commission, SOURCING_TICKS_MAX } from '../../../systems/shipyard/state.ts'
import { workYards } from '../../../systems/shipyard/yard-systems.ts'
import { asked, CLASS, commissioning, freshScene, type Scene, stored, wallet } from './scene.ts'

interface Shortage {
  readonly item_id: string
  readonly need: number
  readonly on_sale_here: number
  readonly nearest_seller?: string
  readonly jumps?: number
}

let scene: Scene
let base: Eid
beforeEach(async () => {
  scene = await freshScene()
  base = scene.base
})

const { commission } = commissioning(() => scene)

/** The part that the station keeps and could sell. */
const KEPT = 'circuit_board'
/** A part that it does not keep. */
const FOREIGN = 'life_support_unit'

/** Leaves the station so much of a good, none of it on offer. */
function leave(id: string, pct: number): void {
  const { world } = scene.small
  const row = managedOf(world, base, itemIndex(id))
  const { stock, target } = world.write(Managed)
  const store = world.read(Base).stock[base]
  const held = unitsIn(world, store, itemIndex(id))
  const left = Math.floor((target[row] * pct) / 100)
  const delta = Math.min(held, stock[row] - left)
  moveItems(world, store, namedContainer('consumption'), itemIndex(id), Math.max(0, delta))
  stock[row] -= Math.max(0, delta)
  world.write(Managed).supply[row] = 0
}

test('a quote says what is not on sale here, and where it is', () => {
  const quote = asked(scene, scene.player, 'commission_quote', { ship_class: CLASS })
  const missing = quote.missing as Shortage[]
  const foreign = missing.find(({ item_id }) => item_id === FOREIGN)
  expect(foreign).toMatchObject({ on_sale_here: 0 })
  expect(foreign?.nearest_seller).toBeDefined()
  expect(foreign?.jumps).toBeGreaterThan(0)
  expect(quote.eta_ticks).toBeUndefined()
  expect(quote.warning).toContain(GOODS[itemIndex(FOREIGN)].name)
  const kept = missing.find(({ item_id }) => item_id === KEPT)
  expect(kept?.on_sale_here).toBeGreaterThan(0)
})

test('an open commission says the same of what it still lacks', () => {
  commission()
  const { commissions } = asked(scene, scene.player, 'commission_status') as unknown as {
    commissions: { missing: Shortage[]; warning: string; eta_ticks?: number }[]
  }
  expect(commissions[0].missing.map(({ item_id }) => item_id)).toContain(FOREIGN)
  expect(commissions[0].warning).toContain('Nobody sells')
  expect(commissions[0].eta_ticks).toBeUndefined()
})

test('with all materials there it says when it is done', () => {
  const { offerBill } = commissioning(() => scene)
  offerBill(1.4)
  const quote = asked(scene, scene.player, 'commission_quote', { ship_class: CLASS })
  expect(quote.warning).toBeUndefined()
  expect(quote.eta_ticks).toBe(100 + (quote.build_time as number))
})

test('goods without an ask are sold to commissions out of the reserve, at a higher price', () => {
  const { small, player } = scene
  const { world } = small
  const item = itemIndex(KEPT)
  leave(KEPT, 15)
  small.ticks(31)
  expect(bestPrice(world, bookOf(world, base, item), ASK)).toBe(0)
  const price = reservePrice(world, base, item)
  expect(price).toBe(Math.ceil((askOf(world, base, item) * 115) / 100))
  commission()
  const [row] = commissionsOf(world, player)
  small.ticks(100)
  const bought = gatheredUnits(world, row, item)
  expect(bought).toBeGreaterThan(0)
  expect(world.read(Commission).spent[row]).toBeGreaterThanOrEqual(bought * price)
})

test('a commission that lacks materials for eight hours ends, and all of it comes back', () => {
  const { small, player } = scene
  const before = wallet(scene, player)
  commission()
  const [row] = commissionsOf(small.world, player)
  const { openedTick, spent } = small.world.read(Commission)
  expect(openedTick[row]).toBe(small.world.tick)
  small.ticks(100)
  const paid = spent[row]
  const kept = gatheredUnits(small.world, row, itemIndex(KEPT))
  // The yard's turn after the time is up; nothing else of the world lives through it.
  const now = small.world.tick
  const late = Math.ceil((openedTick[row] + SOURCING_TICKS_MAX + base) / 100) * 100 - base
  small.world.tick = late - 100
  workYards.run?.(small.world)
  expect(commissionsOf(small.world, player)).toEqual([row])
  small.world.tick = late
  workYards.run?.(small.world)
  small.world.tick = now
  expect(commissionsOf(small.world, player)).toEqual([])
  expect(stored(scene, player, KEPT)).toBe(kept)
  const tax = before - wallet(scene, player) - paid
  expect(tax).toBeGreaterThanOrEqual(0)
  expect(tax).toBeLessThan(paid / 5)
})
