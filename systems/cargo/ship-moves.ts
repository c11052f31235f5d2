/**
 * Ships as goods of storage moves: withdrawing one of one's own, stored here, takes it in tow, and
 * depositing the one in tow stores it at another base. Source: salvage.md section 4, own ship tow.
 */
import { badFields, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { baseName } from '../base/rules.ts'
import { logAction } from '../log/rules.ts'
import { isTowed, isTowing, tieShip, towedShip, towPenaltyPct, untie } from '../salvage/rules.ts'
import { Ship } from '../ship/columns.ts'
import { activeShip, shipId, shipName } from '../ship/rules.ts'
import { isListed } from '../shipyard/rules.ts'
import { Location } from '../travel/columns.ts'
import { dockShip } from '../travel/rules.ts'
import { freeSpace } from './rules.ts'
import type { Moved, StorageMove } from './storage.ts'

export { ownShipById } from '../ship/rules.ts'

/** Words for where a ship may go to or come from: there is no other choice. */
const WORDS = {
  withdraw: { source: ['storage', 'self'], target: ['cargo', 'tow'] },
  deposit: { source: ['cargo', 'tow'], target: ['storage', 'self'] },
} as const

/** Refusals: invalid_payload, invalid_target, active_ship. */
function refuseMove(view: WorldView, move: StorageMove, ship: Eid): Failure | undefined {
  const { verb, player, quantity, source, target } = move
  const words = WORDS[verb]
  const suits = (said: string | undefined, list: readonly string[]) =>
    said === undefined || list.includes(said.toLowerCase())
  if (quantity !== 1) return badFields({ field: 'quantity', expected: '1 ship' })
  if (!suits(source, words.source) || !suits(target, words.target)) {
    return fail('invalid_target', { source, target })
  }
  return activeShip(view, player) === ship ? fail('active_ship') : undefined
}

/** Refusals: already_towed, already_listed, not_stored_here, no_tow_rig and those of the line. */
function refuseTow(view: WorldView, { player, base }: StorageMove, ship: Eid): Failure | undefined {
  const tug = activeShip(view, player)
  if (isTowed(view, ship)) return fail('already_towed')
  if (isListed(view, ship)) return fail('already_listed')
  if (view.read(Location).base[ship] !== base) return fail('not_stored_here')
  if (towPenaltyPct(view, tug) < 0) return fail('no_tow_rig')
  if (isTowing(view, tug)) return fail('already_towing')
  const { scale } = view.read(Ship)
  return scale[ship] > scale[tug]
    ? fail('too_large', { scale: scale[ship], max_scale: scale[tug] })
    : undefined
}

function told(world: World, move: StorageMove, ship: Eid, message: string): Outcome<Moved> {
  const tug = activeShip(world, move.player)
  const id = shipId(world, ship)
  const verb = move.verb === 'withdraw' ? 'tow_ship' : 'store_ship'
  logAction(world, move.player, 'storage', verb, message, { ship_id: id })
  return ok({
    action: move.verb === 'withdraw' ? 'withdraw_items' : 'deposit_items',
    item_id: id,
    ship_id: id,
    quantity: 1,
    cargo_space: freeSpace(world, tug),
    message,
  })
}

/**
 * Takes a ship in tow, or stores the one in tow, for a player docked at the base. Further refusal
 * of a deposit: not_towing.
 */
export function moveShip(world: World, move: StorageMove, ship: Eid): Outcome<Moved> {
  const refused = refuseMove(world, move, ship)
  if (refused) return refused
  const tug = activeShip(world, move.player)
  const name = shipName(world, ship)
  const where = baseName(world, move.base)
  if (move.verb === 'deposit') {
    if (towedShip(world, tug) !== ship) return fail('not_towing')
    untie(world, tug)
    dockShip(world, ship, move.base)
    return told(world, move, ship, `Stored ${name} at ${where}.`)
  }
  const unfit = refuseTow(world, move, ship)
  if (unfit) return unfit
  tieShip(world, tug, ship)
  return told(world, move, ship, `Took ${name} in tow at ${where}.`)
}
