/**
 * Materials that commissions lack: their sellers, the time of delivery, the reserve of the station,
 * and commissions that nobody can supply. Source: balance.md section 4.
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
import { answerOf, CLASS, commissioning, freshScene, type Scene, stored, wallet } from './scene.ts'

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

/** A part that the station stocks and could sell. */
const STOCKED = 'circuit_board'
/** A part that the station does not stock. */
const FOREIGN = 'life_support_unit'

/** Reduces the stock of a good to a percentage of its target, with nothing on offer. */
function reduceStock(id: string, pct: number): void {
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

test('a quote names materials that are not on sale here, and their nearest seller', () => {
  const quote = answerOf(scene, scene.player, 'commission_quote', { ship_class: CLASS })
  const missing = quote.missing as Shortage[]
  const foreign = missing.find(({ item_id }) => item_id === FOREIGN)
  expect(foreign).toMatchObject({ on_sale_here: 0 })
  expect(foreign?.nearest_seller).toBeDefined()
  expect(foreign?.jumps).toBeGreaterThan(0)
  expect(quote.eta_ticks).toBeUndefined()
  expect(quote.warning).toContain(GOODS[itemIndex(FOREIGN)].name)
  const stocked = missing.find(({ item_id }) => item_id === STOCKED)
  expect(stocked?.on_sale_here).toBeGreaterThan(0)
})

test('commission_status names materials that a commission lacks', () => {
  commission()
  const { commissions } = answerOf(scene, scene.player, 'commission_status') as unknown as {
    commissions: { missing: Shortage[]; warning: string; eta_ticks?: number }[]
  }
  expect(commissions[0].missing.map(({ item_id }) => item_id)).toContain(FOREIGN)
  expect(commissions[0].warning).toContain('Nobody sells')
  expect(commissions[0].eta_ticks).toBeUndefined()
})

test('a quote has the time of delivery when all materials are on sale', () => {
  const { offerBill } = commissioning(() => scene)
  offerBill(1.4)
  const quote = answerOf(scene, scene.player, 'commission_quote', { ship_class: CLASS })
  expect(quote.warning).toBeUndefined()
  expect(quote.eta_ticks).toBe(100 + (quote.build_time as number))
})

test('the station sells commissions goods from its reserve at a higher price', () => {
  const { small, player } = scene
  const { world } = small
  const item = itemIndex(STOCKED)
  reduceStock(STOCKED, 15)
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

test('a commission that lacks materials for eight hours ends and is refunded', () => {
  const { small, player } = scene
  const before = wallet(scene, player)
  commission()
  const [row] = commissionsOf(small.world, player)
  const { openedTick, spent } = small.world.read(Commission)
  expect(openedTick[row]).toBe(small.world.tick)
  small.ticks(100)
  const paid = spent[row]
  const returned = gatheredUnits(small.world, row, itemIndex(STOCKED))
  // Only the yards run at the tick after the time is up, not the rest of the world.
  const now = small.world.tick
  const expiryTick = Math.ceil((openedTick[row] + SOURCING_TICKS_MAX + base) / 100) * 100 - base
  small.world.tick = expiryTick - 100
  workYards.run?.(small.world)
  expect(commissionsOf(small.world, player)).toEqual([row])
  small.world.tick = expiryTick
  workYards.run?.(small.world)
  small.world.tick = now
  expect(commissionsOf(small.world, player)).toEqual([])
  expect(stored(scene, player, STOCKED)).toBe(returned)
  const tax = before - wallet(scene, player) - paid
  expect(tax).toBeGreaterThanOrEqual(0)
  expect(tax).toBeLessThan(paid / 5)
})
