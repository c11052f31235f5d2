/** What a player owns, wherever it is. */
import { query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { NO_PARAMS, type Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/world.ts'
import { baseId, baseName } from '../base/rules.ts'
import { isTowed } from '../salvage/rules.ts'
import { Ship } from '../ship/columns.ts'
import { activeShip, modulesOf, shipClassOf, shipId, shipsOf } from '../ship/rules.ts'
import { Location } from '../travel/columns.ts'
import { poiName } from '../travel/rules.ts'
import { listShipsSchema } from './schemas.ts'

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
  }
}

/** The ship flown first, then by age. */
function fleetOf(view: WorldView, player: Eid): Eid[] {
  const { seq } = view.read(Ship)
  const flown = activeShip(view, player)
  const isParked = (ship: Eid) => (ship === flown ? 0 : 1)
  return shipsOf(view, player).sort((a, b) => isParked(a) - isParked(b) || seq[a] - seq[b])
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
      active_ship_id: shipId(view, flown),
      active_ship_class: shipClassOf(view, flown).id,
    }
    return ok(result)
  },
})
