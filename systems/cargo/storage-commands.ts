/**
 * Storage moves: goods, packages, ships and credits between hold, locker and faction store, or to
 * another player, a faction, an empire or a station. The entries are `moveStorage` for one move,
 * `moveRows` for several and `moveCredits`; deposits and withdrawals go the same way. Source:
 * trade-storage.md section 4.
 */
import { GOODS } from '../../core/catalog/index.ts'
import {
  type ErrorCode,
  type Failure,
  fail,
  invalidFields,
  type Outcome,
  ok,
} from '../../core/errors.ts'
import { say } from '../../core/say.ts'
import type { Eid, World } from '../../core/types.ts'
import { baseName, hasService } from '../base/model.ts'
import { tradeRefusal } from '../combat/model.ts'
import { factionOf, namesFaction } from '../faction/model.ts'
import { involvesFaction, transferWithFaction } from '../faction/transfer-rules.ts'
import { payIn } from '../faction/treasury-rules.ts'
import { logAction } from '../log/rules.ts'
import {
  activeShip,
  canCarry,
  freeSpace,
  loadCargo,
  ownShipById,
  shipById,
  unitsThatFit,
  unloadCargo,
} from '../ship/model.ts'
import {
  donateCredits,
  donateItem,
  donateShip,
  stationGiftRefusal,
  supplyStation,
} from './donations-commands.ts'
import {
  giveCredits,
  giveFactionCredits,
  giveItem,
  giveShip,
  giveToGarage,
} from './giving-commands.ts'
import {
  closeEmptyLocker,
  findGood,
  isStorageNearlyFull,
  lockerOf,
  openLocker,
  type Place,
  placeByName,
} from './model.ts'
import {
  moveNamedPackage,
  namesStation,
  type Recipient,
  recipientOf,
} from './package-moves-commands.ts'
import { unitsAt } from './rules.ts'
import type { Gift, Moved, StorageMove, StorageRequest, StorageVerb } from './schemas.ts'
import { moveShip } from './ship-moves-commands.ts'
import { isPackageId } from './state.ts'

/** Makes one storage move. Refusals: no_storage_service, those of moveOne. */
export function moveStorage(world: World, move: StorageMove) {
  if (lacksStorage(world, move)) return fail('no_storage_service')
  return moveOne(world, move)
}

interface MoveRow {
  readonly item_id: string
  readonly quantity: number
}

interface RowResult extends MoveRow {
  success: boolean
  error?: ErrorCode
  message?: string
  result?: Moved
}

/**
 * Makes several moves in order, each of which commits or fails alone. Refusal of the whole:
 * no_storage_service.
 */
export function moveRows(
  world: World,
  move: StorageRequest,
  rows: readonly MoveRow[],
): Outcome<Moved, 'no_storage_service'> {
  if (lacksStorage(world, move)) return fail('no_storage_service')
  const results = rows.map(({ item_id, quantity }): RowResult => {
    const moved = moveOne(world, { ...move, item_id, quantity })
    if (!moved.ok) {
      return { item_id, quantity, success: false, error: moved.code, message: moved.message }
    }
    return { item_id, quantity, success: true, result: moved.result }
  })
  const succeeded = results.filter((row) => row.success).length
  return ok({
    action: move.verb === 'deposit' ? 'bulk_deposit' : 'bulk_withdraw',
    requested: rows.length,
    succeeded,
    failed: rows.length - succeeded,
    ...(move.target === undefined ? {} : { target: move.target }),
    results,
  })
}

/**
 * Returns whether a move needs lockers at a base without them: faction stores and the stock of the
 * station need no storage service.
 */
const lacksStorage = (world: World, move: StorageRequest): boolean =>
  !involvesFaction(move) &&
  !(namesStation(move.target ?? '') && (move.source ?? 'cargo') === 'cargo') &&
  !hasService(world, move.base, 'storage')

/**
 * Makes one move for a player docked at the base. Refusals: unknown_item, not_in_faction,
 * invalid_target, trading_restricted, insufficient_items, storage_full, hazard_not_supported,
 * no_cargo_space; of packages those of package-moves-commands.ts; of ships those of moveShip; of
 * gifts those of giving-commands.ts and donations-commands.ts.
 */
function moveOne(world: World, move: StorageMove) {
  const ship = ownShipById(world, move.player, move.item_id)
  if (ship === 0 && involvesFaction(move)) return transferWithFaction(world, move)
  if (ship !== 0 && !isGift(move)) return moveShip(world, move, ship)
  const route = routeOf(world, move)
  if (!route.ok) return route
  const { from, to } = route.result
  if (ship !== 0) return depositShipAsGift(world, move, ship, to)
  if (isPackageId(move.item_id)) return moveNamedPackage(world, move, from, to)
  return typeof to === 'object'
    ? giveGoods(world, move, from, to)
    : transferGoods(world, move, from, to)
}

/** Returns true for a deposit whose target is somebody else: neither an own place nor the tow. */
const isGift = ({ target, verb }: StorageMove): boolean =>
  verb === 'deposit' &&
  target !== undefined &&
  !['cargo', 'storage', 'self', 'tow'].includes(target.toLowerCase())

/* Where a move goes */

/**
 * Returns where a move goes from and to: between hold and locker, or to a recipient. Refusals:
 * invalid_target, those of giftRecipient.
 */
function routeOf(world: World, move: StorageMove) {
  const source = move.source ?? (move.verb === 'deposit' ? 'cargo' : 'storage')
  const target = move.target ?? (move.verb === 'deposit' ? 'storage' : 'cargo')
  const from = placeByName(source)
  const words = 'source is cargo, storage or faction; send one of these.'
  if (from === undefined) return fail('invalid_target', { source: move.source }, words)
  const to = placeByName(target)
  if (to === undefined) return routeToRecipient(world, move, from, target)
  const same = `Source and target are both ${source}; name two different places.`
  return from === to ? fail('invalid_target', { source, target }, same) : ok({ from, to })
}

/** Returns the route of a gift. Refusals: those of giftRecipient. */
function routeToRecipient(world: World, move: StorageMove, from: Place, target: string) {
  const to = giftRecipient(world, { ...move, target })
  return to.ok ? ok({ from, to: to.result }) : to
}

/**
 * Returns whom a gift is for. Refusals: not_in_faction, station_not_found, invalid_target,
 * trading_restricted.
 */
function giftRecipient(
  world: World,
  { player, target = '' }: Pick<StorageMove, 'player' | 'target'>,
) {
  const to = recipientOf(world, player, target)
  if (!to.ok) return explainsMore(to) ? to : fail('invalid_target', { target })
  return tradeRefusal(world, player) ?? to
}

/** Returns true for a refusal that explains more than `invalid_target` would. */
const explainsMore = ({ code }: Failure): boolean =>
  code === 'not_in_faction' || code === 'station_not_found'

/* Goods */

/** Moves goods between hold and locker. */
function transferGoods(world: World, move: StorageMove, from: Place, to: Place) {
  const judged = judgeTransfer(world, move, from, to)
  if (!judged.ok) return judged
  const item = judged.result
  const { player, base, quantity } = move
  const ship = activeShip(world, player)
  if (to === 'cargo') loadCargo(world, ship, lockerOf(world, player, base), item, quantity)
  else unloadCargo(world, ship, openLocker(world, player, base), item, quantity)
  closeEmptyLocker(world, player, base)
  const verb = to === 'cargo' ? 'withdraw' : 'deposit'
  const done = verb === 'withdraw' ? 'Took' : 'Stored'
  const message = `${done} ${quantity} ${GOODS[item].name} at ${baseName(world, base)}.`
  logAction(world, player, 'storage', verb, message, { item_id: GOODS[item].id, quantity })
  return ok(transferResult(world, move, item, verb, message))
}

/** Returns the good to move between a player's own places, or refuses the move. */
function judgeTransfer(world: World, move: StorageMove, from: Place, to: Place) {
  const found = findGood(move.item_id)
  if (!found.ok) return found
  const item = found.result
  const have = unitsAt(world, move.player, move.base, from, item)
  if (have < move.quantity) {
    const where = from === 'cargo' ? 'in the hold' : 'in your storage here'
    const name = GOODS[item].name
    return fail(
      'insufficient_items',
      { item_id: GOODS[item].id, need: move.quantity, have },
      say`There ${have === 1 ? 'is' : 'are'} ${have} ${name} ${where}, and you asked to move ${move.quantity}; {get_cargo} and {view_storage} list what you hold.`,
    )
  }
  if (to !== 'cargo') return isStorageNearlyFull(world) ? fail('storage_full') : ok(item)
  const ship = activeShip(world, move.player)
  if (!canCarry(world, ship, item)) return fail('hazard_not_supported')
  const fits = unitsThatFit(world, ship, item)
  if (fits < move.quantity) {
    return fail('no_cargo_space', { need: move.quantity, fits, size: GOODS[item].size })
  }
  return ok(item)
}

function transferResult(
  world: World,
  move: StorageMove,
  item: number,
  verb: StorageVerb,
  message: string,
): Moved {
  const { player, base, quantity } = move
  const ship = activeShip(world, player)
  const aboard = unitsAt(world, player, base, 'cargo', item)
  const inStore = unitsAt(world, player, base, 'storage', item)
  const common = { item_id: GOODS[item].id, quantity, cargo_space: freeSpace(world, ship), message }
  return verb === 'deposit'
    ? { action: 'deposit_items', ...common, cargo_remaining: aboard, storage_total: inStore }
    : { action: 'withdraw_items', ...common, cargo_total: aboard, storage_remaining: inStore }
}

/**
 * Gives goods to somebody else. Refusals: those in giving-commands.ts and donations-commands.ts,
 * and those of transferWithFaction.
 */
function giveGoods(world: World, move: StorageMove, from: Place, to: Recipient) {
  const found = findGood(move.item_id)
  if (!found.ok) return found
  const goods = { item: found.result, units: move.quantity, from }
  if (to.kind === 'player') return giveItem(world, move, to.player, goods)
  if (to.kind === 'empire') return donateItem(world, move, to.empire, goods)
  if (to.kind === 'station') return supplyStation(world, move, to.base, goods)
  return transferWithFaction(world, move)
}

/* Ships as gifts */

/**
 * Gives a ship by a storage move. Refusals: invalid_payload, invalid_target, those of giveShipTo.
 */
function depositShipAsGift(world: World, move: StorageMove, ship: Eid, to: Place | Recipient) {
  if (move.quantity !== 1) return invalidFields({ field: 'quantity', expected: '1 ship' })
  if (typeof to !== 'object') return fail('invalid_target', { target: move.target })
  return giveShipTo(world, move, to, ship)
}

/**
 * Gives a parked ship to a recipient. Refusals: invalid_target, those of giveShip, donateShip and
 * giveToGarage.
 */
export function giveShipTo(world: World, gift: Gift, to: Recipient, ship: Eid) {
  if (to.kind === 'player') return giveShip(world, gift, to.player, ship)
  if (to.kind === 'empire') return donateShip(world, gift, to.empire, ship)
  if (to.kind === 'station') return stationGiftRefusal()
  return giveToGarage(world, gift, to.faction, ship)
}

/**
 * Gives a parked ship to the recipient that the target names, wherever the player is. Refusals:
 * those of giftRecipient and giveShipTo.
 */
export function moveGivenShip(world: World, move: StorageRequest, id: string) {
  const to = giftRecipient(world, move)
  return to.ok ? giveShipTo(world, move, to.result, shipById(world, id)) : to
}

/* Credits */

/**
 * Gives credits to the recipient that the target names, or takes them out of the treasury of the
 * player's faction. Refusals: no_storage_service, not_in_faction, invalid_target,
 * trading_restricted, wrong_empire, no_credits, amount_too_large; out of the treasury
 * no_permission, faction_no_credits. Source: trade-storage.md sections 3, 4.
 */
export function moveCredits(world: World, move: StorageRequest, credits: number) {
  const { verb, source = verb === 'withdraw' ? 'faction' : 'storage' } = move
  if (verb === 'withdraw' && !namesFaction(source)) {
    const message = 'Storage holds no credits; use source=faction to take them from a treasury.'
    return fail('invalid_target', { source }, message)
  }
  if (namesFaction(source)) {
    const target = move.target ?? 'self'
    return transferWithFaction(world, { ...move, target, item_id: 'credits', quantity: credits })
  }
  const to = giftRecipient(world, move)
  return to.ok ? giveCreditsTo(world, move, to.result, credits) : to
}

/**
 * Gives credits to a recipient from a base with storage, or pays them into the treasury of the
 * player's own faction from anywhere.
 */
export function giveCreditsTo(world: World, gift: Gift, to: Recipient, credits: number) {
  if (to.kind === 'faction' && to.faction === factionOf(world, gift.player)) {
    return payIn(world, gift.player, credits)
  }
  if (!hasService(world, gift.base, 'storage')) return fail('no_storage_service')
  if (to.kind === 'player') return giveCredits(world, gift, to.player, credits)
  if (to.kind === 'empire') return donateCredits(world, gift, to.empire, credits)
  if (to.kind === 'station') return stationGiftRefusal()
  return giveFactionCredits(world, gift, to.faction, credits)
}
