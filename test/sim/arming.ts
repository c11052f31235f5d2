/** Gives players warships without commands: hull, weapons, people and fuel. */
import { shipClassIndex } from '../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import type { Eid, World } from '../../core/types.ts'
import { Player } from '../../systems/account/state.ts'
import { destroyPackages } from '../../systems/cargo/rules.ts'
import { trackCrew } from '../../systems/personnel/rules.ts'
import { activeShip, unloadCargo } from '../../systems/ship/model.ts'
import { createShip, recompute, releaseShip, trackShield } from '../../systems/ship/rules.ts'
import { Ship } from '../../systems/ship/state.ts'
import { removeFromMap } from '../../systems/travel/rules.ts'

/** Hull of those who fight: it can board without escorts. */
const WARSHIP = shipClassIndex('reaver')

interface Arms {
  readonly modules: readonly number[]
  /** Carries as many crew and marines as fit, to board with. */
  readonly isBoarder: boolean
}

/** Replaces the ship that a player flies; the new one is not placed anywhere yet. */
export function replaceShip(
  world: World,
  player: Eid,
  shipClass: number,
  modules: readonly number[],
) {
  const old = activeShip(world, player)
  const ship = createShip(world, { owner: player, shipClass, modules })
  world.write(Player).ship[player] = ship
  scuttle(world, old)
  return ship
}

/**
 * Puts a player in a repaired and fuelled warship with an empty hold. A new ship is not placed
 * anywhere yet.
 */
export function arm(world: World, player: Eid, { modules, isBoarder }: Arms): Eid {
  const { class: classOf } = world.read(Ship)
  if (classOf[activeShip(world, player)] !== WARSHIP) replaceShip(world, player, WARSHIP, modules)
  const ship = activeShip(world, player)
  const columns = world.write(Ship)
  columns.crewFit[ship] = isBoarder ? columns.crewCap[ship] : columns.crewMin[ship]
  columns.crewInjured[ship] = 0
  columns.marinesFit[ship] = isBoarder ? columns.marineCap[ship] : 0
  columns.marinesInjured[ship] = 0
  trackCrew(world, ship)
  recompute(world, ship)
  columns.hull[ship] = columns.hullMax[ship]
  columns.shield[ship] = columns.shieldMax[ship]
  columns.fuel[ship] = columns.fuelMax[ship]
  trackShield(world, ship)
  emptyHold(world, ship)
  return ship
}

export function emptyHold(world: World, ship: Eid): void {
  const hold = world.read(Ship).hold[ship]
  destroyPackages(world, hold, 'consumption')
  for (const { item, units } of contentsOf(world, hold)) {
    unloadCargo(world, ship, namedContainer('consumption'), item, units)
  }
}

function scuttle(world: World, ship: Eid): void {
  emptyHold(world, ship)
  removeFromMap(world, ship)
  releaseShip(world, ship)
}
