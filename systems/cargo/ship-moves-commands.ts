/**
 * Ships in storage moves: withdrawing a ship of one's own that is stored at the base takes it in
 * tow, and depositing the towed ship stores it at another base. Source: salvage.md section 4, own
 * ship tow.
 */
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { baseName } from '../base/model.ts'
import { logAction } from '../log/rules.ts'
import { isTowed, isTowing, towedShip, towPenaltyPct } from '../salvage/model.ts'
import { tieShip, untie } from '../salvage/tow-rules.ts'
import { activeShip, freeSpace, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { isListed } from '../shipyard/model.ts'
import { dockShip } from '../travel/rules.ts'
import { Location } from '../travel/state.ts'
import type { Moved, StorageMove } from './schemas.ts'

/** Words that name where a ship comes from and goes to. */
const SHIP_PLACE_WORDS = {
  withdraw: { source: ['storage', 'self'], target: ['cargo', 'tow'] },
  deposit: { source: ['cargo', 'tow'], target: ['storage', 'self'] },
} as const

/** Refuses a move that no ship can make: invalid_payload, invalid_target, active_ship. */
function moveRefusal(
  view: WorldView,
  move: StorageMove,
  ship: Eid,
): Failure<'active_ship' | 'invalid_payload' | 'invalid_target'> | undefined {
  const { verb, player, quantity, source, target } = move
  const words = SHIP_PLACE_WORDS[verb]
  const isAllowed = (word: string | undefined, list: readonly string[]) =>
    word === undefined || list.includes(word.toLowerCase())
  if (quantity !== 1) return invalidFields({ field: 'quantity', expected: '1 ship' })
  if (!isAllowed(source, words.source) || !isAllowed(target, words.target)) {
    return fail('invalid_target', { source, target })
  }
  return activeShip(view, player) === ship ? fail('active_ship') : undefined
}

/**
 * Refuses to take a ship in tow: already_towed, already_listed, not_stored_here, no_tow_rig,
 * already_towing, too_large.
 */
function towRefusal(view: WorldView, { player, base }: StorageMove, ship: Eid) {
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

function moveResult(
  world: World,
  move: StorageMove,
  ship: Eid,
  message: string,
): Outcome<Moved, never> {
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
 * Takes a ship in tow, or stores the towed one, for a player docked at the base. Further refusal of
 * a deposit: not_towing.
 */
export function moveShip(world: World, move: StorageMove, ship: Eid) {
  const refused = moveRefusal(world, move, ship)
  if (refused) return refused
  const tug = activeShip(world, move.player)
  const name = shipName(world, ship)
  const where = baseName(world, move.base)
  if (move.verb === 'deposit') {
    if (towedShip(world, tug) !== ship) return fail('not_towing')
    untie(world, tug)
    dockShip(world, ship, move.base)
    return moveResult(world, move, ship, `Stored ${name} at ${where}.`)
  }
  const towRefused = towRefusal(world, move, ship)
  if (towRefused) return towRefused
  tieShip(world, tug, ship)
  return moveResult(world, move, ship, `Took ${name} in tow at ${where}.`)
}
