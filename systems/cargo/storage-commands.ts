/**
 * Storage moves: goods, packages, ships and credits between hold, locker and faction store, or to
 * somebody else. One handler for deposit and withdraw. Source: trade-storage.md section 4.
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
import type { Eid, World, WorldView } from '../../core/types.ts'
import { baseName, hasService } from '../base/model.ts'
import { tradeRefusal } from '../combat/model.ts'
import { namesFaction } from '../faction/model.ts'
import { involvesFaction, transferWithFaction } from '../faction/transfer-rules.ts'
import { logAction } from '../log/rules.ts'
import { isTowed, isTowing, towedShip, towPenaltyPct } from '../salvage/model.ts'
import { tieShip, untie } from '../salvage/tow-rules.ts'
import {
  activeShip,
  fitting,
  freeSpace,
  loadCargo,
  mayCarry,
  ownShipById,
  shipById,
  shipId,
  shipName,
  unloadCargo,
} from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { isListed } from '../shipyard/model.ts'
import { dockShip } from '../travel/rules.ts'
import { Location } from '../travel/state.ts'
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
  isStationWord,
  moveNamedPackage,
  type Recipient,
  recipientOf,
} from './package-moves-commands.ts'
import { unitsAt } from './rules.ts'
import type { Gift, Moved, StorageMove, StorageVerb } from './schemas.ts'
import { isPackageId } from './state.ts'

/*
 * Ships in storage moves: withdrawing a ship of one's own that is stored here takes it in tow, and
 * depositing the towed ship stores it at another base. Source: salvage.md section 4, own ship tow.
 */

/** Words for where a ship may come from and go to. */
const SHIP_PLACE_WORDS = {
  withdraw: { source: ['storage', 'self'], target: ['cargo', 'tow'] },
  deposit: { source: ['cargo', 'tow'], target: ['storage', 'self'] },
} as const

/** Refusals: invalid_payload, invalid_target, active_ship. */
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
 * Refusals: already_towed, already_listed, not_stored_here, no_tow_rig, already_towing, too_large.
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
function moveShip(world: World, move: StorageMove, ship: Eid) {
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
  const unsuited = towRefusal(world, move, ship)
  if (unsuited) return unsuited
  tieShip(world, tug, ship)
  return moveResult(world, move, ship, `Took ${name} in tow at ${where}.`)
}

/** Refusals: those of giftRecipient. */
function routeToRecipient(world: World, move: StorageMove, from: Place, target: string) {
  const to = giftRecipient(world, { ...move, target })
  return to.ok ? ok({ from, to: to.result }) : to
}

/** True for a refusal that tells more than `invalid_target` would. */
const isSpecific = ({ code }: Failure): boolean =>
  code === 'not_in_faction' || code === 'station_not_found'

/** Returns where a move goes from and to. Refusals: invalid_target, those of giftRecipient. */
function routeOf(world: World, move: StorageMove) {
  const source = move.source ?? (move.verb === 'deposit' ? 'cargo' : 'storage')
  const target = move.target ?? (move.verb === 'deposit' ? 'storage' : 'cargo')
  const from = placeByName(source)
  if (from === undefined) return fail('invalid_target', { source: move.source })
  const to = placeByName(target)
  if (to === undefined) return routeToRecipient(world, move, from, target)
  return from === to ? fail('invalid_target', { source, target }) : ok({ from, to })
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

/** Returns the good to move between a player's own places, or why it may not be moved. */
function checkTransfer(world: World, move: StorageMove, from: Place, to: Place) {
  const found = findGood(move.item_id)
  if (!found.ok) return found
  const item = found.result
  const have = unitsAt(world, move.player, move.base, from, item)
  if (have < move.quantity) return fail('insufficient_items', { need: move.quantity, have })
  if (to !== 'cargo') return isStorageNearlyFull(world) ? fail('storage_full') : ok(item)
  const ship = activeShip(world, move.player)
  if (!mayCarry(world, ship, item)) return fail('hazard_not_supported')
  const fits = fitting(world, ship, item)
  if (fits < move.quantity) return fail('no_cargo_space', { need: move.quantity, fits })
  return ok(item)
}

/** Moves goods between hold and locker. */
function transferGoods(world: World, move: StorageMove, from: Place, to: Place) {
  const checked = checkTransfer(world, move, from, to)
  if (!checked.ok) return checked
  const item = checked.result
  const { player, base, quantity } = move
  const ship = activeShip(world, player)
  if (to === 'cargo') loadCargo(world, ship, lockerOf(world, player, base), item, quantity)
  else unloadCargo(world, ship, openLocker(world, player, base), item, quantity)
  closeEmptyLocker(world, player, base)
  const verb = to === 'cargo' ? 'withdraw' : 'deposit'
  const did = verb === 'withdraw' ? 'Took' : 'Stored'
  const message = `${did} ${quantity} ${GOODS[item].name} at ${baseName(world, base)}.`
  logAction(world, player, 'storage', verb, message, { item_id: GOODS[item].id, quantity })
  return ok(transferResult(world, move, item, verb, message))
}

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
  if (ship !== 0) return giveOwnShip(world, move, ship, to)
  if (isPackageId(move.item_id)) return moveNamedPackage(world, move, from, to)
  return typeof to === 'object'
    ? giveGoods(world, move, from, to)
    : transferGoods(world, move, from, to)
}

/** True for a deposit whose target is somebody else: neither an own place nor the tow. */
const isGift = ({ target, verb }: StorageMove): boolean =>
  verb === 'deposit' &&
  target !== undefined &&
  !['cargo', 'storage', 'self', 'tow'].includes(target.toLowerCase())

/** Gives a ship away. Refusals: invalid_payload, invalid_target, those of giveShipTo. */
function giveOwnShip(world: World, move: StorageMove, ship: Eid, to: Place | Recipient) {
  if (move.quantity !== 1) return invalidFields({ field: 'quantity', expected: '1 ship' })
  if (typeof to !== 'object') return fail('invalid_target', { target: move.target })
  return giveShipTo(world, move, to, ship)
}

/** Gives a parked ship. Refusals: invalid_target, those of giveShip, donateShip, giveToGarage. */
export function giveShipTo(world: World, gift: Gift, to: Recipient, ship: Eid) {
  if (to.kind === 'player') return giveShip(world, gift, to.player, ship)
  if (to.kind === 'empire') return donateShip(world, gift, to.empire, ship)
  if (to.kind === 'station') return stationGiftRefusal()
  return giveToGarage(world, gift, to.faction, ship)
}

/**
 * Gives a parked ship to the recipient that the target names, from anywhere. Refusals: those of
 * giftRecipient and of giveShipTo.
 */
export function moveGivenShip(
  world: World,
  move: Omit<StorageMove, 'item_id' | 'quantity'>,
  id: string,
) {
  const to = giftRecipient(world, move)
  return to.ok ? giveShipTo(world, move, to.result, shipById(world, id)) : to
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
 * Returns whom a gift is for. Refusals: not_in_faction, station_not_found, invalid_target,
 * trading_restricted.
 */
function giftRecipient(
  world: World,
  { player, target = '' }: Pick<StorageMove, 'player' | 'target'>,
) {
  const to = recipientOf(world, player, target)
  if (!to.ok) return isSpecific(to) ? to : fail('invalid_target', { target })
  return tradeRefusal(world, player) ?? to
}

/**
 * Gives credits to the recipient that the target names, or takes them out of the treasury of the
 * player's faction. Refusals: no_storage_service, not_in_faction, invalid_target,
 * trading_restricted, wrong_empire, no_credits, amount_too_large; out of the treasury
 * no_permission, faction_no_credits. Source: trade-storage.md sections 3, 4.
 */
export function moveCredits(
  world: World,
  move: Omit<StorageMove, 'item_id' | 'quantity'>,
  credits: number,
) {
  const { verb, source = verb === 'withdraw' ? 'faction' : 'storage' } = move
  if (verb === 'withdraw' && !namesFaction(source)) {
    const message = 'Credits are in no storage; source=faction takes them out of a treasury.'
    return fail('invalid_target', { source }, message)
  }
  if (namesFaction(source)) {
    const target = move.target ?? 'self'
    return transferWithFaction(world, { ...move, target, item_id: 'credits', quantity: credits })
  }
  if (!hasService(world, move.base, 'storage')) return fail('no_storage_service')
  const to = giftRecipient(world, move)
  return to.ok ? giveCreditsTo(world, move, to.result, credits) : to
}

/** Gives credits to a recipient; the player is docked at a base with storage. */
export function giveCreditsTo(
  world: World,
  gift: Gift,
  to: Recipient,
  credits: number,
): Outcome<Moved, 'amount_too_large' | 'invalid_target' | 'no_credits' | 'wrong_empire'> {
  if (to.kind === 'player') return giveCredits(world, gift, to.player, credits)
  if (to.kind === 'empire') return donateCredits(world, gift, to.empire, credits)
  if (to.kind === 'station') return stationGiftRefusal()
  return giveFactionCredits(world, gift, to.faction, credits)
}

/**
 * True for a move that needs lockers at a base without them: faction stores and the stock of the
 * station need no storage service.
 */
const lacksStorage = (world: World, move: Omit<StorageMove, 'item_id' | 'quantity'>): boolean =>
  !involvesFaction(move) &&
  !(isStationWord(move.target ?? '') && (move.source ?? 'cargo') === 'cargo') &&
  !hasService(world, move.base, 'storage')

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
  move: Omit<StorageMove, 'item_id' | 'quantity'>,
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
