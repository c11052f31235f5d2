/** Packages and freighters, for tests. */
import { GOODS, itemIndex, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { closeContainer, moveItems, namedContainer, openContainer } from '../../../core/goods.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import {
  CARGO_CONTAINER,
  type PackageHolder,
  type PackageOwner,
} from '../../../systems/cargo/model.ts'
import { createPackage } from '../../../systems/cargo/rules.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { dockShip, removeFromMap } from '../../../systems/travel/rules.ts'

export const ORE = itemIndex('iron_ore')

/** Smallest hold of the ships made here. */
export const HOLD_LEAST = 500

/** Gives a player a ship with a large hold, docked at their base; returns it. */
export function freighter(world: World, player: Eid): Eid {
  const base = dockedBase(world, player)
  const shipClass = SHIP_CLASSES.findIndex(
    (row) => row.cargo_capacity >= HOLD_LEAST && row.cargo_capacity <= 3 * HOLD_LEAST,
  )
  removeFromMap(world, activeShip(world, player))
  const ship = createShip(world, { owner: player, shipClass, modules: [] })
  world.write(Player).ship[player] = ship
  dockShip(world, ship, base)
  return ship
}

interface Packing {
  readonly item?: number
  readonly units?: number
  readonly label?: string
  readonly creator?: number
  readonly owner?: PackageOwner
}

/** Makes a package of newly supplied goods, at a place. */
export function packAt(world: World, to: PackageHolder, packing: Packing = {}): Row {
  const { item = ORE, label = 'Samples', creator = 0, owner } = packing
  const units = packing.units ?? Math.floor(40 / GOODS[item].size)
  const from = openContainer(world)
  moveItems(world, namedContainer('supply'), from, item, units)
  moveItems(world, namedContainer('supply'), from, CARGO_CONTAINER, 1)
  const contents = [{ item, units }]
  const pkg = createPackage(world, { from, contents, to, label, creator, owner })
  closeContainer(world, from)
  return pkg
}
