/** What a player owns, wherever it is, and what their faction has for them. */
import { query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { NO_PARAMS, type Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/model.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { factionFacilities } from '../facility/model.ts'
import { Facility } from '../facility/state.ts'
import { factionOf } from '../faction/model.ts'
import { IN_FACTION } from '../faction/needs.ts'
import { isTowed } from '../salvage/model.ts'
import { activeShip, modulesOf, shipClassOf, shipId, shipsOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { renderSale } from '../shipyard/model.ts'
import { dockedBase } from '../travel/drift-model.ts'
import { poiName, systemName } from '../travel/model.ts'
import { Location, Poi } from '../travel/state.ts'
import { garageCapacity, garagedAt, garagedShips } from './model.ts'
import { factionGaragesSchema, listShipsSchema } from './schemas.ts'
import { Garaged } from './state.ts'

/** Where a ship is, in words; the id of the base where it is docked. */
function whereabouts(view: WorldView, ship: Eid) {
  const { base, poi } = view.read(Location)
  if (base[ship] !== 0) {
    const [at, id] = [baseName(view, base[ship]), baseId(view, base[ship])]
    return { location: at, location_base_id: id }
  }
  if (isTowed(view, ship)) return { location: 'in tow' }
  return { location: poi[ship] === 0 ? 'under way' : poiName(view, poi[ship]) }
}

function renderOwned(view: WorldView, player: Eid, ship: Eid) {
  const columns = view.read(Ship)
  const { id, name } = shipClassOf(view, ship)
  const given = view.texts.get(columns.name[ship])
  return {
    ship_id: shipId(view, ship),
    class_id: id,
    class_name: name,
    ...(given === '' ? {} : { custom_name: given }),
    is_active: activeShip(view, player) === ship,
    hull: `${columns.hull[ship]}/${columns.hullMax[ship]}`,
    fuel: `${columns.fuel[ship]}/${columns.fuelMax[ship]}`,
    cargo_used: columns.cargoUsed[ship],
    modules: modulesOf(view, ship).length,
    ...whereabouts(view, ship),
    ...renderSale(view, ship),
  }
}

/** The ship flown first, then by age. */
function fleetOf(view: WorldView, player: Eid): Eid[] {
  const { seq } = view.read(Ship)
  const flown = activeShip(view, player)
  const isParked = (ship: Eid) => (ship === flown ? 0 : 1)
  return shipsOf(view, player).sort((a, b) => isParked(a) - isParked(b) || seq[a] - seq[b])
}

/** A hull in a garage, as every member sees it. */
function renderGaraged(view: WorldView, ship: Eid) {
  const { depositor, depositTick } = view.read(Garaged)
  const { id, name } = shipClassOf(view, ship)
  const given = view.texts.get(view.read(Ship).name[ship])
  return {
    ship_id: shipId(view, ship),
    class_id: id,
    class_name: name,
    ...(given === '' ? {} : { custom_name: given }),
    depositor_id: playerId(view, depositor[ship]),
    depositor_name: usernameOf(view, depositor[ship]),
    deposited_tick: depositTick[ship],
  }
}

/** The garage of the player's faction where they are docked. */
function garageHere(view: WorldView, player: Eid) {
  const [faction, base] = [factionOf(view, player), dockedBase(view, player)]
  const capacity = faction === 0 || base === 0 ? 0 : garageCapacity(view, faction, base)
  if (capacity === 0) return {}
  const ships = garagedAt(view, faction, base)
  return {
    faction_garage: ships.map((ship) => renderGaraged(view, ship)),
    faction_garage_capacity: capacity,
    faction_garage_used: ships.length,
  }
}

export const listShips = query({
  name: 'list_ships',
  v2: { tool: 'game_ship', action: 'list_ships' },
  summary: 'All ships of yours, the one you fly first: where they are and what is fitted.',
  category: 'ship',
  params: NO_PARAMS,
  result: listShipsSchema,
  errors: [],
  needs: [],
  run(view, player) {
    const ships = fleetOf(view, player)
    const flown = activeShip(view, player)
    const result: Static<typeof listShipsSchema> = {
      ships: ships.map((ship) => renderOwned(view, player, ship)),
      count: ships.length,
      ...(flown === 0
        ? {}
        : { active_ship_id: shipId(view, flown), active_ship_class: shipClassOf(view, flown).id }),
      ...garageHere(view, player),
    }
    return ok(result)
  },
})

/** Bases where a faction has hulls or a garage, in the order of their rows. */
function garageBases(view: WorldView, faction: Row): Row[] {
  const { base } = view.read(Location)
  const built = factionFacilities(view, faction)
    .map((facility) => view.read(Facility).base[facility])
    .filter((at) => garageCapacity(view, faction, at) > 0)
  const stood = garagedShips(view, faction).map((ship) => base[ship])
  return [...new Set([...built, ...stood])].sort((a, b) => a - b)
}

export const factionGarages = query({
  name: 'faction_garages',
  v2: { tool: 'game_faction', action: 'garages' },
  summary: 'The hulls in the garages of your faction, and how many each takes.',
  category: 'faction',
  params: NO_PARAMS,
  result: factionGaragesSchema,
  errors: IN_FACTION.errors,
  needs: [IN_FACTION],
  run(view, player) {
    const faction = factionOf(view, player)
    const stations = garageBases(view, faction).map((base) => {
      const ships = garagedAt(view, faction, base)
      return {
        base_id: baseId(view, base),
        base_name: baseName(view, base),
        system_name: systemName(view, view.read(Poi).system[view.read(Base).poi[base]]),
        capacity: garageCapacity(view, faction, base),
        used: ships.length,
        ships: ships.map((ship) => renderGaraged(view, ship)),
      }
    })
    const result: Static<typeof factionGaragesSchema> = {
      stations,
      station_count: stations.length,
      total_ships: garagedShips(view, faction).length,
    }
    return ok(result)
  },
})
