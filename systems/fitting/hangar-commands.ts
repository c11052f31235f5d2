/** Parked ships: switch_ship, scrap_ship, name_ship. Source: ships.md sections 8, 10. */
import { GOODS } from '../../core/catalog/index.ts'
import { mutation } from '../../core/command.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { SHIP_NAME_CHARACTERS_MAX } from '../../core/limits.ts'
import { obj, ref, type Static, str, words } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { nameProblem, storedUsername } from '../account/usernames-model.ts'
import { baseName, hasService } from '../base/model.ts'
import { packageId, packageName } from '../cargo/rules.ts'
import { disposalRefusal, switchRefusal } from '../drone/model.ts'
import { logAction } from '../log/rules.ts'
import { hasPassengers } from '../passenger/list-model.ts'
import { isTowed } from '../salvage/model.ts'
import { markAppearance } from '../sensing/model.ts'
import {
  activeShip,
  ownShipById,
  shipClassOf,
  shipId,
  shipName,
  shipNamed,
  shipsOf,
} from '../ship/model.ts'
import { clearShipName, nameShip } from '../ship/rules.ts'
import { isListed } from '../shipyard/model.ts'
import { levelOf } from '../skill/model.ts'
import { serviceRefusal } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { AT_PLACE, DOCKED } from '../travel/needs.ts'
import { Location } from '../travel/state.ts'
import { activateShip } from './activation-rules.ts'
import { garagedById, garageOf, isParked, storingRefusal } from './model.ts'
import { claimGaraged, claimRefusal, dismantle, type HoldContents } from './rules.ts'
import { nameSchema, scrapSchema, switchSchema } from './schemas.ts'

const shipParam = obj({
  ship_id: ref('own_ship', str(say`Id of a ship of yours, from {list_ships}.`, { min: 1 })),
})

/** Renders what was moved from a hold into a locker; nothing for an empty hold. */
function holdSummary(view: WorldView, { goods, packages }: HoldContents, where: string) {
  const cargo = [
    ...goods.map(({ item, units }) => ({
      item_id: GOODS[item].id,
      name: GOODS[item].name,
      quantity: units,
    })),
    ...packages.map((pkg) => ({
      item_id: packageId(view, pkg),
      name: packageName(view, pkg),
      quantity: 1,
    })),
  ]
  if (cargo.length === 0) return {}
  return { cargo_to_storage: cargo, cargo_note: `The cargo is in your storage at ${where}.` }
}

/* Switching */

/**
 * Refuses a ship that needs more piloting skill: piloting_required. Source: ships.md section 1,
 * checked on acquire and switch.
 */
function pilotingRefusal(
  view: WorldView,
  player: Eid,
  ship: Eid,
): Failure<'piloting_required'> | undefined {
  const need = shipClassOf(view, ship).piloting_required
  const have = levelOf(view, player, 'piloting')
  return have < need ? fail('piloting_required', { need, have }) : undefined
}

function switchingRefusal(view: WorldView, player: Eid, ship: Eid) {
  const base = dockedBase(view, player)
  const from = activeShip(view, player)
  if (ship === from) return fail('active_ship')
  const isGaraged = garageOf(view, ship) !== 0
  const isHere = view.read(Location).base[ship] === base
  if (!isHere || !(isGaraged || isParked(view, ship))) return fail('not_stored_here')
  if (isListed(view, ship)) return fail('already_listed')
  const unclaimed = isGaraged ? claimRefusal(view, player, ship) : undefined
  if (unclaimed) return unclaimed
  // ours: a player without a ship may activate one at any base; otherwise they could be stuck there
  if (from === 0) return pilotingRefusal(view, player, ship)
  if (!hasService(view, base, 'shipyard')) return fail('no_shipyard')
  const refused =
    serviceRefusal(view, player, base, 'shipyard') ??
    pilotingRefusal(view, player, ship) ??
    switchRefusal(view, from, ship)
  return refused ?? storingRefusal(view, from, base)
}

function switchTo(world: World, player: Eid, ship: Eid): Static<typeof switchSchema> {
  const from = activeShip(world, player)
  const where = baseName(world, dockedBase(world, player))
  const isGaraged = garageOf(world, ship) !== 0
  if (isGaraged) claimGaraged(world, player, ship)
  const stored = activateShip(world, player, ship)
  const parkedText = from === 0 ? '.' : `; ${shipName(world, from)} stays at ${where}.`
  const message = `You fly ${shipName(world, ship)}${parkedText}`
  logAction(world, player, 'ship', 'switch_ship', message, { ship_id: shipId(world, ship) })
  return {
    active_ship_id: shipId(world, ship),
    active_ship_class: shipClassOf(world, ship).id,
    stored_ship_id: from === 0 ? '' : shipId(world, from),
    stored_ship_class: from === 0 ? '' : shipClassOf(world, from).id,
    ...holdSummary(world, stored, where),
    ...(isGaraged ? { claimed_from_faction_garage: true } : {}),
    message,
  }
}

export const switchShip = mutation({
  name: 'switch_ship',
  v2: { tool: 'game_ship', action: 'switch_ship', rename: { ship_id: 'id' } },
  summary: 'Switch to another ship of yours parked here; your cargo goes to your storage.',
  category: 'ship',
  params: shipParam,
  result: switchSchema,
  errors: words(
    'ship_not_found active_ship not_stored_here no_shipyard service_restricted piloting_required',
    'drones_in_bay storage_full limit_reached already_listed no_faction_garage ship_limit',
  ),
  order: 'plain',
  needs: [DOCKED],
  changes: ['player', 'ship', 'modules', 'cargo', 'location'],
  run(world, player, { ship_id }) {
    const ship = ownShipById(world, player, ship_id) || garagedById(world, player, ship_id)
    if (ship === 0) return fail('ship_not_found', { ship_id })
    return switchingRefusal(world, player, ship) ?? ok(switchTo(world, player, ship))
  },
})

/* Scrapping */

function scrapRefusal(view: WorldView, player: Eid, ship: Eid) {
  if (shipsOf(view, player).length === 1) return fail('last_ship')
  if (activeShip(view, player) === ship) return fail('active_ship')
  if (isListed(view, ship)) return fail('already_listed')
  if (isTowed(view, ship) || !isParked(view, ship) || hasPassengers(view, ship)) {
    return fail('ship_occupied')
  }
  const refused = disposalRefusal(view, ship)
  return refused ?? storingRefusal(view, ship, view.read(Location).base[ship])
}

function scrap(world: World, player: Eid, ship: Eid): Static<typeof scrapSchema> {
  const { id: shipClass } = shipClassOf(world, ship)
  const [id, name] = [shipId(world, ship), shipName(world, ship)]
  const where = baseName(world, world.read(Location).base[ship])
  const { modules, ...stored } = dismantle(world, ship)
  const message = `${name} was scrapped at ${where}.`
  logAction(world, player, 'ship', 'scrap_ship', message, { ship_id: id, ship_class: shipClass })
  const types = modules.map((good) => ({ module_type: GOODS[good].id, name: GOODS[good].name }))
  return {
    scrapped_ship_id: id,
    scrapped_class: shipClass,
    ...holdSummary(world, stored, where),
    ...(types.length === 0
      ? {}
      : {
          modules_to_storage: types,
          modules_note: `The modules are in your storage at ${where}.`,
        }),
    message,
  }
}

export const scrapShip = mutation({
  name: 'scrap_ship',
  v2: { tool: 'game_ship', action: 'scrap_ship', rename: { ship_id: 'id' } },
  summary: 'Scrap a parked ship at any base; its cargo and modules go to your storage there.',
  category: 'ship',
  params: shipParam,
  result: scrapSchema,
  errors: words(
    'ship_not_found last_ship active_ship ship_occupied drones_in_bay storage_full limit_reached',
    'already_listed',
  ),
  order: 'plain',
  needs: [AT_PLACE],
  changes: ['player'],
  run(world, player, { ship_id }) {
    const ship = ownShipById(world, player, ship_id)
    if (ship === 0) return fail('ship_not_found', { ship_id })
    return scrapRefusal(world, player, ship) ?? ok(scrap(world, player, ship))
  },
})

/* Naming */

/** Refuses a name for a ship: invalid_name, name_taken. */
function nameRefusal(
  view: WorldView,
  ship: Eid,
  name: string,
): Failure<'invalid_name' | 'name_taken'> | undefined {
  const problem = nameProblem(name, SHIP_NAME_CHARACTERS_MAX)
  if (problem) return fail('invalid_name', undefined, problem)
  const named = shipNamed(view, name)
  return named !== 0 && named !== ship
    ? fail('name_taken', undefined, 'Another ship has this name; choose a different one.')
    : undefined
}

export const renameShip = mutation({
  name: 'name_ship',
  v2: { tool: 'game_ship', action: 'rename_ship' },
  summary: 'Give your active ship a name that no other ship has; an empty name clears it.',
  category: 'ship',
  params: obj({ name: str('3 to 32 characters that user names allow, or empty.') }),
  result: nameSchema,
  errors: ['invalid_name', 'name_taken'],
  order: 'plain',
  needs: [AT_PLACE],
  changes: ['ship'],
  run(world, player, { name }): Outcome<Static<typeof nameSchema>, 'invalid_name' | 'name_taken'> {
    const ship = activeShip(world, player)
    const given = storedUsername(name)
    const refused = given === '' ? undefined : nameRefusal(world, ship, given)
    if (refused) return refused
    if (given === '') clearShipName(world, ship)
    else nameShip(world, ship, given)
    markAppearance(world, player)
    const className = shipClassOf(world, ship).name
    const message =
      given === '' ? 'The ship has no name now.' : `This ${className} is called ${given} now.`
    logAction(world, player, 'ship', 'name_ship', message, { ship_id: shipId(world, ship) })
    const nameField = given === '' ? {} : { ship_name: given }
    return ok({ ship_id: shipId(world, ship), ...nameField, message })
  },
})
