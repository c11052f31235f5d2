/** Yards and the ship exchange in a world that has room for nothing more. */
import { beforeEach, expect, test } from 'vitest'
import { type ColumnDefs, rowsOf, type TableDef } from '../../../core/columns.ts'
import { Container } from '../../../core/goods.ts'
import { shipsOf } from '../../../systems/ship/model.ts'
import { buildTicks, commissionsOf } from '../../../systems/shipyard/model.ts'
import { Commission, ShipListing, ShipOrder } from '../../../systems/shipyard/state.ts'
import {
  CLASS,
  CLASS_INDEX,
  freshScene,
  giveBill,
  idOfShip,
  park,
  refused,
  result,
  type Scene,
} from './scene.ts'

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
})

/** Says of a table that it has so few rows left. */
function leave(table: TableDef<ColumnDefs>, rows: number): void {
  const { world } = scene.small
  const full = world.roomIn.bind(world)
  world.roomIn = (asked) => (asked === table ? rows : full(asked))
  expect(rowsOf(table, world.maxEntities)).toBeGreaterThan(rows)
}

test('a commission, a listing and an order are refused: limit_reached', () => {
  const { player, other } = scene
  const ship_id = idOfShip(scene, park(scene, other))
  leave(Commission, 1)
  expect(refused(scene, player, 'commission_ship', { ship_class: CLASS }).code).toBe(
    'limit_reached',
  )
  leave(ShipListing, 1)
  expect(refused(scene, other, 'list_ship_for_sale', { ship_id, price: 5 }).code).toBe(
    'limit_reached',
  )
  leave(ShipOrder, 1)
  expect(refused(scene, player, 'place_ship_buy_order', { class_id: CLASS, price: 5 }).code).toBe(
    'limit_reached',
  )
})

test('a hull that finds no room waits in its bay until there is some', () => {
  const { small, player, base } = scene
  giveBill(scene, player)
  result(scene, player, 'commission_ship', { ship_class: CLASS, provide_materials: true })
  const before = shipsOf(small.world, player).length
  const real = small.world.roomIn
  leave(Container, 0)
  small.ticks(buildTicks(small.world, base, CLASS_INDEX) + 1)
  expect(commissionsOf(small.world, player)).toHaveLength(1)
  small.world.roomIn = real
  small.ticks(101)
  expect(commissionsOf(small.world, player)).toEqual([])
  expect(shipsOf(small.world, player)).toHaveLength(before + 1)
})
