/**
 * Packages in storage moves: between hold and locker, to another player, to an empire. Source:
 * trade-storage.md sections 1, 5.
 */
import { badFields, fail, type Outcome, ok } from '../../core/errors.ts'
import type { Row, World } from '../../core/types.ts'
import { baseName } from '../base/rules.ts'
import { moveOfFaction } from '../faction/leg-rules.ts'
import { logAction } from '../log/rules.ts'
import {
  footprintOf,
  movePackage,
  packageById,
  packageId,
  packageRoom,
  packageWords,
  standsIn,
} from '../package/rules.ts'
import { activeShip } from '../ship/rules.ts'
import { donatePackage, refusesAsGift } from './donations.ts'
import { givePackage } from './gifts.ts'
import { containerAt, type Place } from './places-rules.ts'
import type { Recipient } from './recipients.ts'
import { freeSpace, isStoreNearlyFull } from './rules.ts'
import type { Moved, StorageMove } from './storage.ts'

/** Refusals: package_storage_full, storage_full, no_cargo_space. */
function shiftPackage(world: World, move: StorageMove, pkg: Row, to: Place): Outcome<Moved> {
  const { player, base } = move
  const ship = activeShip(world, player)
  if (to === 'cargo') {
    const [need, fits] = [footprintOf(world, pkg), freeSpace(world, ship)]
    if (fits < need) return fail('no_cargo_space', { need, fits })
    movePackage(world, pkg, { kind: 'cargo', ship })
  } else {
    if (packageRoom(world, player, base) === 0) return fail('package_storage_full')
    if (isStoreNearlyFull(world)) return fail('storage_full')
    movePackage(world, pkg, { kind: 'locker', player, base })
  }
  const verb = to === 'cargo' ? 'withdraw' : 'deposit'
  const did = to === 'cargo' ? 'Took' : 'Stored'
  const message = `${did} ${packageWords(world, pkg)} at ${baseName(world, base)}.`
  const item_id = packageId(world, pkg)
  logAction(world, player, 'storage', verb, message, { item_id, quantity: 1 })
  const common = { item_id, quantity: 1, cargo_space: freeSpace(world, ship), message }
  return ok(
    to === 'cargo'
      ? { action: 'withdraw_items', ...common, cargo_total: 1, storage_remaining: 0 }
      : { action: 'deposit_items', ...common, cargo_remaining: 0, storage_total: 1 },
  )
}

/**
 * Moves the package that the item id names. Refusals: invalid_payload (more than 1),
 * insufficient_items (it is not there), package_storage_full, storage_full, no_cargo_space,
 * wrong_empire, and those of moveOfFaction.
 */
export function movePackageOf(
  world: World,
  move: StorageMove,
  from: Place,
  to: Place | Recipient,
): Outcome<Moved> {
  if (move.quantity !== 1) {
    return badFields({ field: 'quantity', expected: '1 package' })
  }
  const pkg = packageById(world, move.item_id)
  const place = containerAt(world, move.player, move.base, from)
  if (pkg === 0 || place === 0 || !standsIn(world, place, pkg)) {
    return fail('insufficient_items', { need: 1, have: 0 })
  }
  if (typeof to !== 'object') return shiftPackage(world, move, pkg, to)
  if (to.kind === 'player') return givePackage(world, move, to.player, pkg)
  if (to.kind === 'empire') return donatePackage(world, move, to.empire, pkg)
  if (to.kind === 'station') return refusesAsGift()
  return moveOfFaction(world, move)
}
