/** Fitting the active ship: installing and removing modules. Source: ships.md section 10. */
import { GOODS } from '../../core/catalog/index.ts'
import { mutation, query } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { namedContainer } from '../../core/goods.ts'
import { NO_PARAMS, obj, ref, type Static, str, words } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { loadFitted } from '../combat/fit-rules.ts'
import { uninstallRefusal } from '../drone/model.ts'
import { factionFacilities } from '../facility/model.ts'
import { Facility } from '../facility/state.ts'
import { factionOf } from '../faction/model.ts'
import { IN_FACTION } from '../faction/needs.ts'
import { logAction } from '../log/rules.ts'
import { isTowed } from '../salvage/model.ts'
import {
  activeShip,
  loadCargo,
  moduleId,
  modulesOf,
  moduleTypeOf,
  shipClassOf,
  shipId,
  shipName,
  shipsOf,
  unloadCargo,
} from '../ship/model.ts'
import { fitModule, recompute, unfitModule } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { renderSale } from '../shipyard/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { poiName, systemName } from '../travel/model.ts'
import { DOCKED } from '../travel/needs.ts'
import { Location, Poi } from '../travel/state.ts'
import {
  findAboard,
  findFitted,
  garageCapacity,
  garagedAt,
  garagedShips,
  hasCloakDevice,
} from './model.ts'
import { installRefusal, removalRefusal, settleFit } from './rules.ts'
import {
  factionGaragesSchema,
  installSchema,
  listShipsSchema,
  repairModuleSchema,
  uninstallSchema,
} from './schemas.ts'
import { Garaged } from './state.ts'

const renderLoad = (view: WorldView, ship: Eid) => ({
  cpu_used: view.read(Ship).cpuUsed[ship],
  power_used: view.read(Ship).powerUsed[ship],
})

/* Installing */

/** Renders the magazine of a weapon; nothing for other modules. */
function renderMagazine(view: WorldView, module: Row) {
  const { ammo, ammoType } = view.read(Module)
  const size = moduleTypeOf(view, module).magazine_size
  if (size === undefined) return {}
  const loaded = ammoType[module] === 0 ? {} : { loaded_ammo: GOODS[ammoType[module] - 1].id }
  return { current_ammo: ammo[module], magazine_size: size, ...loaded }
}

function install(world: World, player: Eid, good: number): Static<typeof installSchema> {
  const ship = activeShip(world, player)
  const hadCloak = hasCloakDevice(world, ship)
  unloadCargo(world, ship, namedContainer('fitted'), good, 1)
  const module = fitModule(world, ship, good)
  recompute(world, ship)
  loadFitted(world, ship, module)
  settleFit(world, player, hadCloak)
  addStat(world, player, 'modules_installed', 1)
  const { id, name } = GOODS[good]
  const message = `Fitted ${name} to ${shipName(world, ship)}.`
  logAction(world, player, 'ship', 'install_mod', message, { module_type: id })
  return {
    module_id: moduleId(world, module),
    ...renderLoad(world, ship),
    ...renderMagazine(world, module),
    message,
  }
}

export const installMod = mutation({
  name: 'install_mod',
  v2: { tool: 'game', action: 'install_mod', rename: { module_id: 'id' } },
  summary: 'Fit a module from the hold to your ship, and load it if it is a weapon.',
  category: 'ship',
  params: obj({
    module_id: ref(
      'module',
      str(say`Type of the module, as {get_cargo} lists it.`, { min: 1, example: 'scanner_i' }),
      { isOpen: true },
    ),
  }),
  result: installSchema,
  errors: ['module_not_found', 'no_slot', 'cpu_exceeded', 'power_exceeded', 'limit_reached'],
  order: 'plain',
  needs: [DOCKED],
  changes: ['ship', 'modules', 'cargo'],
  judge(view, player, { module_id }) {
    const found = findAboard(view, player, module_id)
    return found.ok ? undefined : found
  },
  run(world, player, { module_id }) {
    const found = findAboard(world, player, module_id)
    if (!found.ok) return found
    const refused = installRefusal(world, activeShip(world, player), found.result)
    return refused ?? ok(install(world, player, found.result))
  },
})

/* Removing */

function uninstall(world: World, player: Eid, module: Row): Static<typeof uninstallSchema> {
  const ship = activeShip(world, player)
  const { type, issue } = world.read(Module)
  const [good, isIssue, id] = [type[module], issue[module] === 1, moduleId(world, module)]
  const hadCloak = hasCloakDevice(world, ship)
  unfitModule(world, module)
  recompute(world, ship)
  if (!isIssue) loadCargo(world, ship, namedContainer('fitted'), good, 1)
  settleFit(world, player, hadCloak)
  const { id: typeId, name } = GOODS[good]
  const message = isIssue
    ? `${name} was issued to you: removing it has destroyed it.`
    : say`Removed ${name}; it is in the hold, and {install_mod} ${typeId} fits it again.`
  logAction(world, player, 'ship', 'uninstall_mod', message, { module_type: typeId })
  return {
    // The instance no longer exists: removed modules of a type are interchangeable.
    module_id: typeId,
    instance_id: id,
    ...renderLoad(world, ship),
    damaged: false,
    wear: 0,
    wear_status: 'none',
    ...(isIssue ? { destroyed: true } : {}),
    message,
  }
}

export const uninstallMod = mutation({
  name: 'uninstall_mod',
  v2: { tool: 'game', action: 'uninstall_mod', rename: { module_id: 'id' } },
  summary: 'Remove a module from your ship into the hold; loaded ammunition is lost.',
  category: 'ship',
  params: obj({
    module_id: ref(
      'module',
      str('Id of the module, or its type if only one of it is fitted.', {
        min: 1,
        example: 'scanner_i',
      }),
      { isOpen: true },
    ),
  }),
  result: uninstallSchema,
  errors: words(
    'module_not_found ambiguous_module drones_in_bay no_cargo_space cpu_exceeded power_exceeded',
    'cargo_capacity_exceeded no_berths hazard_not_supported limit_reached',
  ),
  order: 'plain',
  needs: [DOCKED],
  changes: ['ship', 'modules', 'cargo'],
  judge(view, player, { module_id }) {
    const found = findFitted(view, player, module_id)
    return found.ok ? undefined : found
  },
  run(world, player, { module_id }) {
    const found = findFitted(world, player, module_id)
    if (!found.ok) return found
    const module = found.result
    const refused =
      uninstallRefusal(world, module) ?? removalRefusal(world, activeShip(world, player), module)
    return refused ?? ok(uninstall(world, player, module))
  },
})

/* Repairing */

export const repairModule = mutation({
  name: 'repair_module',
  v2: { tool: 'game', action: 'repair_module', rename: { module_id: 'id' } },
  summary: 'Repair a fitted module. Modules do not wear, so there is nothing to repair.',
  category: 'ship',
  params: obj({
    module_id: ref(
      'module',
      str('Id of the module, or its type.', { min: 1, example: 'scanner_i' }),
      { isOpen: true },
    ),
  }),
  result: repairModuleSchema,
  errors: ['module_not_found', 'not_damaged'],
  order: 'plain',
  needs: [DOCKED],
  changes: ['ship', 'modules', 'cargo', 'skills'],
  run(
    world,
    player,
    { module_id },
  ): Outcome<Static<typeof repairModuleSchema>, 'module_not_found' | 'not_damaged'> {
    const found = findFitted(world, player, module_id)
    const isMissing = !found.ok && found.code === 'module_not_found'
    return fail(isMissing ? 'module_not_found' : 'not_damaged', { module_id })
  },
})

/* Ships a player owns, wherever they are, and those in the garages of their faction. */

/** Renders where a ship is: in words, and as the id of a base where it is docked. */
function renderLocation(view: WorldView, ship: Eid) {
  const { base, poi } = view.read(Location)
  if (base[ship] !== 0) {
    const [name, id] = [baseName(view, base[ship]), baseId(view, base[ship])]
    return { location: name, location_base_id: id }
  }
  if (isTowed(view, ship)) return { location: 'in tow' }
  return { location: poi[ship] === 0 ? 'in transit' : poiName(view, poi[ship]) }
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
    ...renderLocation(view, ship),
    ...renderSale(view, ship),
  }
}

/** Returns a player's ships: the active one first, then by age. */
function listedShips(view: WorldView, player: Eid): Eid[] {
  const { seq } = view.read(Ship)
  const active = activeShip(view, player)
  const rankOf = (ship: Eid) => (ship === active ? 0 : 1)
  return shipsOf(view, player).sort((a, b) => rankOf(a) - rankOf(b) || seq[a] - seq[b])
}

/** Renders a hull in a garage as every member sees it. */
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

/** Renders the garage of the player's faction at the base where they are docked. */
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
  summary: 'List all your ships, the active one first, with their place and condition.',
  category: 'ship',
  params: NO_PARAMS,
  result: listShipsSchema,
  errors: [],
  needs: [],
  run(view, player) {
    const ships = listedShips(view, player)
    const active = activeShip(view, player)
    const result: Static<typeof listShipsSchema> = {
      ships: ships.map((ship) => renderOwned(view, player, ship)),
      count: ships.length,
      ...(active === 0
        ? {}
        : {
            active_ship_id: shipId(view, active),
            active_ship_class: shipClassOf(view, active).id,
          }),
      ...garageHere(view, player),
    }
    return ok(result)
  },
})

/** Returns the bases where a faction has hulls or a garage, in the order of their rows. */
function garageBases(view: WorldView, faction: Row): Row[] {
  const { base } = view.read(Location)
  const built = factionFacilities(view, faction)
    .map((facility) => view.read(Facility).base[facility])
    .filter((row) => garageCapacity(view, faction, row) > 0)
  const occupied = garagedShips(view, faction).map((ship) => base[ship])
  return [...new Set([...built, ...occupied])].sort((a, b) => a - b)
}

export const factionGarages = query({
  name: 'faction_garages',
  v2: { tool: 'game_faction', action: 'garages' },
  summary: 'List the garages of your faction, their capacity and the hulls in them.',
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
