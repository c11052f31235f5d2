/** Shipyards and the ship exchange while the tables of the world are full. */
import { beforeEach, expect, test } from 'vitest'
import { type ColumnDefs, rowsOf, type TableDef } from '../../../core/columns.ts'
import { Container } from '../../../core/goods.ts'
import { shipsOf } from '../../../systems/ship/model.ts'
import { buildTicks, commissionsOf } from '../../../systems/shipyard/model.ts'
import { Commission, ShipListing, ShipOrder } from '../../../systems/shipyard/state.ts'
import { onSmallMap } from '../../small-world.ts'
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

onSmallMap()

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
})

/** Lets a table report that this many rows are left. */
function leaveRoom(table: TableDef<ColumnDefs>, rows: number): void {
  const { world } = scene.small
  const roomIn = world.roomIn.bind(world)
  world.roomIn = (other) => (other === table ? rows : roomIn(other))
  expect(rowsOf(table, world.maxEntities)).toBeGreaterThan(rows)
}

test('limit_reached: a full table refuses a commission, a listing and an order', () => {
  const { player, other } = scene
  const ship_id = idOfShip(scene, park(scene, other))
  leaveRoom(Commission, 1)
  expect(refused(scene, player, 'commission_ship', { ship_class: CLASS }).code).toBe(
    'limit_reached',
  )
  leaveRoom(ShipListing, 1)
  expect(refused(scene, other, 'list_ship_for_sale', { ship_id, price: 5 }).code).toBe(
    'limit_reached',
  )
  leaveRoom(ShipOrder, 1)
  expect(refused(scene, player, 'place_ship_buy_order', { class_id: CLASS, price: 5 }).code).toBe(
    'limit_reached',
  )
})

test('a finished ship waits in its bay while there is no room for its hold', () => {
  const { small, player, base } = scene
  giveBill(scene, player)
  result(scene, player, 'commission_ship', { ship_class: CLASS, provide_materials: true })
  const before = shipsOf(small.world, player).length
  const realRoomIn = small.world.roomIn
  leaveRoom(Container, 0)
  small.ticks(buildTicks(small.world, base, CLASS_INDEX) + 1)
  expect(commissionsOf(small.world, player)).toHaveLength(1)
  small.world.roomIn = realRoomIn
  small.ticks(101)
  expect(commissionsOf(small.world, player)).toEqual([])
  expect(shipsOf(small.world, player)).toHaveLength(before + 1)
})
