/**
 * What other domains may ask of drones: which hulls are, what a loss of a ship does to them, and
 * whether a bay may go.
 */
import type { ModuleRow } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Module, Ship } from '../ship/columns.ts'
import { baysOf, dronesOfShip, inBay } from './squad.ts'

export {
  bodyById,
  droneById,
  droneId,
  droneOf,
  droneTitle,
  isDrone,
  masterOf,
} from './hull-rules.ts'
export { destroyDrone, loseBays, moveBays, scrapBays, stowBays } from './lives.ts'
export { baysOf, dronesOf, dronesOfShip } from './squad.ts'

const refusal = (drones: number, capacity: number): Failure | undefined =>
  drones > capacity ? fail('drones_in_bay', { drones, capacity }) : undefined

/**
 * Refuses to take a module off while drones need it: those in bays and those out of them. Refusal:
 * drones_in_bay. Source: drones.md section 1.
 */
export function refusesUninstall(view: WorldView, module: Row): Failure | undefined {
  const ship = view.read(Module).ship[module]
  if (ship === 0 || baysOf(view, ship).capacity === baysOf(view, ship, module).capacity) return
  return refusal(dronesOfShip(view, ship).length, baysOf(view, ship, module).capacity)
}

/**
 * Refuses another fit of a ship whose bays are too small for its drones, in them and out of them.
 * Refusal: drones_in_bay.
 */
export function refusesRefit(
  view: WorldView,
  ship: Eid,
  fit: readonly ModuleRow[],
): Failure | undefined {
  const capacity = fit.reduce((sum, row) => sum + (row.drone_capacity ?? 0), 0)
  return refusal(dronesOfShip(view, ship).length, capacity)
}

/** Drones in the bays of a ship. */
const bayed = (view: WorldView, ship: Eid): number =>
  dronesOfShip(view, ship).filter((drone) => inBay(view, drone)).length

/**
 * Refuses to change to a ship that has no room for the drones in the bays of this one. Refusal:
 * drones_in_bay. Source: drones.md section 1, ships.md section 7.
 */
export function refusesSwitch(view: WorldView, from: Eid, to: Eid): Failure | undefined {
  return refusal(bayed(view, from), baysOf(view, to).capacity)
}

/** Refuses to scrap or sell a ship with drones in its bays. Refusal: drones_in_bay. */
export function refusesDisposal(view: WorldView, ship: Eid): Failure | undefined {
  return view.read(Ship).owner[ship] === 0 ? undefined : refusal(bayed(view, ship), 0)
}
