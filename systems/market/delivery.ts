/**
 * Goods between a trader's ship or locker and the exchange's escrow: what fits, delivering, taking.
 */
import { assert } from '../../core/assert.ts'
import { moveItems } from '../../core/goods.ts'
import { MAX_SAFE } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Base } from '../base/columns.ts'
import { hasService } from '../base/rules.ts'
import {
  cargoUnits,
  closeEmptyLocker,
  fitting,
  loadCargo,
  lockerOf,
  mayCarry,
  openLocker,
  storedUnits,
  unloadCargo,
} from '../cargo/rules.ts'

/** Where a buyer wants the goods: into the hold as far as they fit, or all into storage. */
export type DeliverTo = 'cargo' | 'storage'

/** Units the hold takes: none of what the ship may not carry. */
export function holdRoom(view: WorldView, player: Eid, item: number): number {
  const ship = view.read(Player).ship[player]
  return mayCarry(view, ship, item) ? fitting(view, ship, item) : 0
}

/** Units a buyer can take delivery of. Source: market.md section 4, room. */
export function deliveryRoom(view: WorldView, player: Eid, base: Eid, item: number): number {
  return hasService(view, base, 'storage') ? MAX_SAFE : holdRoom(view, player, item)
}

export interface Delivered {
  readonly toCargo: number
  readonly toStorage: number
}

/** Hands over what was bought: hold first unless storage is wanted, the rest into the locker. */
export function deliver(
  world: World,
  player: Eid,
  goods: { readonly base: Eid; readonly item: number; readonly units: number },
  to: DeliverTo,
): Delivered {
  const { base, item, units } = goods
  const escrow = world.read(Base).escrow[base]
  const ship = world.read(Player).ship[player]
  const toCargo = to === 'storage' ? 0 : Math.min(units, holdRoom(world, player, item))
  if (toCargo > 0) loadCargo(world, ship, escrow, item, toCargo)
  const toStorage = units - toCargo
  if (toStorage > 0) moveItems(world, escrow, openLocker(world, player, base), item, toStorage)
  return { toCargo, toStorage }
}

/** Units a seller has here: in the hold and in the locker. */
export function sellable(view: WorldView, player: Eid, base: Eid, item: number): number {
  const ship = view.read(Player).ship[player]
  return cargoUnits(view, ship, item) + storedUnits(view, player, base, item)
}

export interface Taken {
  readonly fromCargo: number
  readonly fromStorage: number
}

/** Takes goods to be sold into the exchange's escrow: from the hold first, then from the locker. */
export function takeGoods(
  world: World,
  player: Eid,
  base: Eid,
  item: number,
  units: number,
): Taken {
  const ship = world.read(Player).ship[player]
  const escrow = world.read(Base).escrow[base]
  const fromCargo = Math.min(units, cargoUnits(world, ship, item))
  if (fromCargo > 0) unloadCargo(world, ship, escrow, item, fromCargo)
  const fromStorage = units - fromCargo
  assert(fromStorage <= storedUnits(world, player, base, item), 'goods to sell are missing')
  if (fromStorage > 0) {
    moveItems(world, lockerOf(world, player, base), escrow, item, fromStorage)
    closeEmptyLocker(world, player, base)
  }
  return { fromCargo, fromStorage }
}
