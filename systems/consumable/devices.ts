/**
 * Devices that throw a ship elsewhere: the emergency warp and the way home. Source: missions.md
 * section 8, ships.md section 6.
 */
import { fail, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { matchOf } from '../arena/rules.ts'
import { baseName } from '../base/rules.ts'
import { isAttached } from '../boarding/rules.ts'
import { Fighting } from '../combat/columns.ts'
import { alertArrival, combatantOf, escapeBattle, inBattle, throwOut } from '../combat/rules.ts'
import { AT_LIBERTY, settleAtDock } from '../law/rules.ts'
import { dropTow, isTowing } from '../salvage/rules.ts'
import { activeShip } from '../ship/rules.ts'
import { Location } from '../travel/columns.ts'
import {
  dockedBase,
  dockShip,
  inTransit,
  poiId,
  refusesDocking,
  systemId,
  systemOf,
} from '../travel/rules.ts'

/** Where a ship is, as answers say it; under way the place it left. */
function originOf(view: WorldView, ship: Eid) {
  const { poi, fromPoi, system } = view.read(Location)
  const at = poi[ship] || fromPoi[ship]
  return {
    ...(at === 0 ? {} : { origin_poi: poiId(view, at) }),
    origin_system: systemId(view, system[ship]),
  }
}

/** Who leaves which battle, 0 none. Refusals: detained, boarding_locked, in_transit. */
export function planWarp(view: WorldView, player: Eid): Outcome<Row> {
  const detained = AT_LIBERTY.check(view, player)
  if (detained) return detained
  const row = combatantOf(view, player)
  if (matchOf(view, activeShip(view, player)) !== 0) return fail('in_combat')
  if (row !== 0) return isAttached(view, row) ? fail('boarding_locked') : ok(row)
  return inTransit(view, player) ?? ok(0)
}

/** Throws the player's ship into a neighbouring system, out of its battle; a tow is let go of. */
export function warpOut(world: World, player: Eid, row: Row) {
  const ship = activeShip(world, player)
  const origin = originOf(world, ship)
  dropTow(world, ship)
  if (row !== 0) escapeBattle(world, row, 'emergency_warp')
  throwOut(world, ship)
  alertArrival(world, player)
  return {
    ...origin,
    destination_poi: poiId(world, world.read(Location).poi[ship]),
    destination_system: systemId(world, systemOf(world, player)),
    message: 'The charge throws the ship into a neighbouring system.',
  }
}

/**
 * The base a homeward device leads to. Refusals: detained, in_combat (in a battle, or flagged),
 * in_transit, already_docked (there), access_denied, not_usable (with a tow).
 */
export function planReturn(view: WorldView, player: Eid): Outcome<Row> {
  const detained = AT_LIBERTY.check(view, player)
  if (detained) return detained
  const ship = activeShip(view, player)
  const isFlagged = view.read(Fighting).aggressiveUntil[ship] >= view.tick
  if (inBattle(view, player) || isFlagged) return fail('in_combat')
  const refused = inTransit(view, player)
  if (refused) return refused
  const home = view.read(Player).homeBase[player]
  if (isTowing(view, ship)) return fail('not_usable', {}, 'Let go of what you tow first.')
  if (home === 0) return fail('access_denied', {}, 'You have no home base.')
  if (dockedBase(view, player) === home) return fail('already_docked')
  return refusesDocking(view, player, home) ?? ok(home)
}

/** Takes the player's ship into the dock of its home base. */
export function returnHome(world: World, player: Eid, base: Row) {
  const ship = activeShip(world, player)
  const origin = originOf(world, ship)
  dockShip(world, ship, base)
  settleAtDock(world, player, base)
  const name = baseName(world, base)
  return {
    ...origin,
    destination_poi: poiId(world, world.read(Location).poi[ship]),
    destination_system: systemId(world, systemOf(world, player)),
    docked_at: name,
    home_base_name: name,
    message: `The ship is back in the dock of ${name}.`,
  }
}
