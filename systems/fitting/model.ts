/** Lookups and refusals of fitting. */
import { findGoods, GOODS, isModule } from '../../core/catalog/index.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { contentsOf } from '../../core/goods.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { isStorageNearlyFull, packageRoom, packagesIn } from '../cargo/model.ts'
import { activeFacility, facilityTypeAt } from '../facility/model.ts'
import { factionOf } from '../faction/model.ts'
import { peopleOf } from '../personnel/model.ts'
import { isTowed } from '../salvage/model.ts'
import type { Figures } from '../ship/derive-model.ts'
import { activeShip, canCarry, moduleById, moduleId, modulesOf, shipById } from '../ship/model.ts'
import { Module, Ship } from '../ship/state.ts'
import { Location } from '../travel/state.ts'
import { GARAGES, Garaged } from './state.ts'

/**
 * Refuses to empty a hold into its owner's locker at a base: storage_full if the base has no room
 * for the packages, limit_reached if the tables have none for more goods.
 */
export function storingRefusal(
  view: WorldView,
  ship: Eid,
  base: Eid,
): Failure<'limit_reached' | 'storage_full'> | undefined {
  const { hold, owner } = view.read(Ship)
  const packages = packagesIn(view, hold[ship]).length
  const room = packageRoom(view, owner[ship], base)
  if (packages > room) return fail('storage_full', { packages, room })
  return isStorageNearlyFull(view) ? fail('limit_reached') : undefined
}

/** Returns whether a hull is parked at a base and available to its owner. */
export function isParked(view: WorldView, ship: Eid): boolean {
  const owner = view.read(Ship).owner[ship]
  const isFlown = activeShip(view, owner) === ship
  return owner !== 0 && !isFlown && view.read(Location).base[ship] !== 0 && !isTowed(view, ship)
}

/* Finding */

/** Returns the index into GOODS of a module by id or display name; -1 for anything else. */
function moduleNamed(text: string): number {
  const found = findGoods(text)
  return found.length === 1 && isModule(GOODS[found[0]]) ? found[0] : -1
}

/** Finds a module in the active ship's hold, by type id or name. Refusal: module_not_found. */
export function findAboard(
  view: WorldView,
  player: Eid,
  text: string,
): Outcome<number, 'module_not_found'> {
  const good = moduleNamed(text)
  const { hold } = view.read(Ship)
  const isAboard = contentsOf(view, hold[activeShip(view, player)]).some(
    ({ item }) => item === good,
  )
  return isAboard ? ok(good) : fail('module_not_found', { module_id: text })
}

/**
 * Finds a module fitted to the active ship, by its id, or by type or name if only one is fitted.
 * Refusals: module_not_found, ambiguous_module.
 */
export function findFitted(
  view: WorldView,
  player: Eid,
  text: string,
): Outcome<Row, 'ambiguous_module' | 'module_not_found'> {
  const ship = activeShip(view, player)
  const byId = moduleById(view, ship, text)
  if (byId !== 0) return ok(byId)
  const { type } = view.read(Module)
  const good = moduleNamed(text)
  const found = modulesOf(view, ship).filter((module) => type[module] === good)
  if (found.length === 0) return fail('module_not_found', { module_id: text })
  if (found.length === 1) return ok(found[0])
  const ids = found.map((module) => moduleId(view, module))
  return fail('ambiguous_module', { module_id: text, module_ids: ids })
}

/** Returns whether a ship has a cloaking device, fitted or built in. */
export const hasCloakDevice = (view: WorldView, ship: Eid): boolean =>
  view.read(Ship).cloakDevice[ship] === 1

/* Refusals */

/** Refuses a fit that uses more CPU or power than there is: cpu_exceeded, power_exceeded. */
export function cpuPowerRefusal({
  cpuUsed,
  cpuCap,
  powerUsed,
  powerCap,
}: Figures): Failure<'cpu_exceeded' | 'power_exceeded'> | undefined {
  if (cpuUsed > cpuCap) return fail('cpu_exceeded', { need: cpuUsed, capacity: cpuCap })
  if (powerUsed > powerCap) return fail('power_exceeded', { need: powerUsed, capacity: powerCap })
  return undefined
}

/** Refuses a fit with fewer berths than there are people: no_berths. */
export function peopleRefusal(
  view: WorldView,
  ship: Eid,
  { crewCap, marineCap }: Figures,
): Failure<'no_berths'> | undefined {
  const { fitCrew, injuredCrew, fitMarines, injuredMarines } = peopleOf(view, ship)
  const [crew, marines] = [fitCrew + injuredCrew, fitMarines + injuredMarines]
  if (crew <= crewCap && marines <= marineCap) return undefined
  return fail('no_berths', { crew, crew_capacity: crewCap, marines, marine_capacity: marineCap })
}

/** Returns whether a ship can carry the contents of its hold, by room and hazard handling. */
export function canCarryHold(view: WorldView, ship: Eid): boolean {
  const { cargoUsed, cargoCap, hold } = view.read(Ship)
  if (cargoUsed[ship] > cargoCap[ship]) return false
  return contentsOf(view, hold[ship]).every(({ item }) => canCarry(view, ship, item))
}

const GARAGE_SERVICE = 'faction_garage'

/** Returns the hulls in the garages of a faction, in the order in which they arrived. */
export const garagedShips = (view: WorldView, faction: Row): readonly Eid[] =>
  view.index(GARAGES).get(faction) ?? []

/** Returns the hulls in the garage of a faction at a base. */
export const garagedAt = (view: WorldView, faction: Row, base: Row): Eid[] =>
  garagedShips(view, faction).filter((ship) => view.read(Location).base[ship] === base)

/** Returns the capacity of a faction's garage at a base, in hulls; 0 without a running one. */
export function garageCapacity(view: WorldView, faction: Row, base: Row): number {
  const facility = activeFacility(view, faction, base, GARAGE_SERVICE)
  return facility === 0 ? 0 : (facilityTypeAt(view, facility).capacity ?? 0)
}

/** Returns the faction in whose garage a hull is; 0 for none. */
export const garageOf = (view: WorldView, ship: Eid): Row => view.read(Garaged).faction[ship]

/** Finds a hull in a garage of the player's faction, by wire id; 0 for anything else. */
export function garagedById(view: WorldView, player: Eid, id: string): Eid {
  const ship = shipById(view, id)
  const faction = factionOf(view, player)
  return ship !== 0 && faction !== 0 && garageOf(view, ship) === faction ? ship : 0
}

/** Refuses another hull in the garage at a base: no_faction_garage, garage_full. */
export function garageRefusal(
  view: WorldView,
  faction: Row,
  base: Row,
): Failure<'garage_full' | 'no_faction_garage'> | undefined {
  const capacity = garageCapacity(view, faction, base)
  if (capacity === 0) return fail('no_faction_garage')
  const used = garagedAt(view, faction, base).length
  return used < capacity ? undefined : fail('garage_full', { used, capacity })
}
