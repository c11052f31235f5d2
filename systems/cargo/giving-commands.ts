/**
 * Giving: goods, packages, credits and ships to a player; credits and ships to a faction. The
 * recipient cannot refuse. Donations to empires are in donations-commands.ts. Source:
 * trade-storage.md 3.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { contentsOf, moveItems } from '../../core/goods.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { allowanceRefusal, giftWorth, recordGiving } from '../account/giving-model.ts'
import { usernameOf, walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName } from '../base/model.ts'
import { disposalRefusal } from '../drone/model.ts'
import { factionGiftRefusal, recordFactionGift } from '../faction/giving-model.ts'
import { factionIdOf, factionName, recordFactionLog, treasuryOf } from '../faction/model.ts'
import { garageCapacity, garagedAt, garageRefusal, storingRefusal } from '../fitting/model.ts'
import { storeInGarage } from '../fitting/rules.ts'
import { endPolicy } from '../insurance/rules.ts'
import { creditMove, logAction, logCredits } from '../log/rules.ts'
import type { LogData } from '../log/state.ts'
import { hasPassengers } from '../passenger/list-model.ts'
import { isTowed } from '../salvage/model.ts'
import {
  activeShip,
  modulesOf,
  rebuildValue,
  shipClassOf,
  shipId,
  shipName,
  shipsOf,
  unloadCargo,
} from '../ship/model.ts'
import { recompute, setOwner } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { isListed } from '../shipyard/model.ts'
import { Location } from '../travel/state.ts'
import { recordGift } from './gift-notices-commands.ts'
import {
  closeEmptyLocker,
  givingRefusal,
  isStorageNearlyFull,
  lockerOf,
  manifestOf,
  openLocker,
  type Place,
  packageAllowance,
  packageRoom,
  packagesIn,
} from './model.ts'
import { describePackage, movePackage, packageId, unitsAt } from './rules.ts'
import type { Gift, Moved } from './schemas.ts'
import { SHIPS_BEFORE_GIFT_MAX } from './state.ts'

/** Returns the message of a gift as both players' action logs keep it. */
const messageData = ({ message }: Gift): LogData => (message === undefined ? {} : { note: message })

/** Counts a gift for both players and leaves a notice of it. */
function recordGiven(
  world: World,
  { player, base, message }: Gift,
  to: Eid,
  contents: Parameters<typeof recordGift>[2],
): void {
  recordGift(world, { from: player, to, base, message }, contents)
  addStat(world, player, 'gifts_sent', 1)
  addStat(world, to, 'gifts_received', 1)
}

/* Goods and packages */

/**
 * Gives units of a good out of a player's hold or locker into another player's locker here.
 * Refusals: quest_item, not_tradeable, insufficient_items, trading_restricted, storage_full.
 */
export function giveItem(
  world: World,
  gift: Gift,
  to: Eid,
  { item, units, from }: { item: number; units: number; from: Place },
) {
  const { player, base } = gift
  const refused = givingRefusal(item)
  if (refused) return refused
  const have = unitsAt(world, player, base, from, item)
  if (have < units) {
    return fail('insufficient_items', { item_id: GOODS[item].id, need: units, have })
  }
  const worth = giftWorth([{ item, units }])
  const unearned = allowanceRefusal(world, player, worth)
  if (unearned) return unearned
  if (isStorageNearlyFull(world)) return fail('storage_full')
  recordGiving(world, player, worth)
  const locker = openLocker(world, to, base)
  if (from === 'cargo') unloadCargo(world, activeShip(world, player), locker, item, units)
  else moveItems(world, lockerOf(world, player, base), locker, item, units)
  closeEmptyLocker(world, player, base)
  const good = GOODS[item]
  const data = { item_id: good.id, quantity: units, ...messageData(gift) }
  logGift(world, gift, to, `${units} ${good.name} at ${baseName(world, base)}`, data)
  recordGiven(world, gift, to, { items: [[good.id, units]] })
  const left = unitsAt(world, player, base, from, item)
  return ok({
    ...sentFields(world, gift, to),
    item_id: good.id,
    quantity: units,
    source: from,
    ...(from === 'cargo' ? { cargo_remaining: left } : { storage_remaining: left }),
  })
}

/**
 * Gives a package out of a player's hold or locker into another player's locker here. Refusals:
 * package_storage_full, trading_restricted, storage_full. ours: gifts may fill half of an allowance
 * at most, so that junk cannot take all of it.
 */
export function givePackage(
  world: World,
  gift: Gift,
  to: Eid,
  pkg: Row,
): Outcome<Moved, 'package_storage_full' | 'storage_full' | 'trading_restricted'> {
  const { base, player } = gift
  const half = divFloor(packageAllowance(world, base), 2)
  if (packageRoom(world, to, base) <= packageAllowance(world, base) - half) {
    return fail('package_storage_full', { max: half })
  }
  const worth = giftWorth(manifestOf(world, pkg))
  const unearned = allowanceRefusal(world, player, worth)
  if (unearned) return unearned
  if (isStorageNearlyFull(world)) return fail('storage_full')
  recordGiving(world, player, worth)
  movePackage(world, pkg, { kind: 'locker', player: to, base })
  const id = packageId(world, pkg)
  const data = { item_id: id, quantity: 1, ...messageData(gift) }
  logGift(world, gift, to, `${describePackage(world, pkg)} at ${baseName(world, base)}`, data)
  recordGiven(world, gift, to, { items: [[id, 1]] })
  return ok({ ...sentFields(world, gift, to), item_id: id, quantity: 1 })
}

/** Logs a gift, which `goods` describes, in the action logs of both players. */
function logGift(world: World, { player }: Gift, to: Eid, goods: string, data: LogData): void {
  const given = `Gave ${goods} to ${usernameOf(world, to)}.`
  logAction(world, player, 'storage', 'gift_sent', given, data)
  const received = `Got ${goods} from ${usernameOf(world, player)}.`
  logAction(world, to, 'storage', 'gift_received', received, data)
}

const sentFields = (world: World, { base }: Gift, to: Eid) => ({
  action: 'send_gift',
  base_id: baseId(world, base),
  recipient: usernameOf(world, to),
  message: `The gift is in the storage of ${usernameOf(world, to)} at ${baseName(world, base)}.`,
})

/* Credits */

/** Refuses a payment that the player or the receiving account cannot make or take. */
function creditsRefusal(
  view: WorldView,
  player: Eid,
  to: Row,
  credits: number,
): Failure<'amount_too_large' | 'no_credits'> | undefined {
  const have = balanceOf(view, walletOf(view, player))
  if (have < credits) return fail('no_credits', { need: credits, have })
  return canReceive(view, to, credits) ? undefined : fail('amount_too_large')
}

/**
 * Gives credits to another player, wherever they are. Refusals: no_credits, amount_too_large,
 * trading_restricted.
 */
export function giveCredits(
  world: World,
  gift: Gift,
  to: Eid,
  credits: number,
): Outcome<Moved, 'amount_too_large' | 'no_credits' | 'trading_restricted'> {
  const { player, base } = gift
  const [from, wallet] = [walletOf(world, player), walletOf(world, to)]
  const refused =
    creditsRefusal(world, player, wallet, credits) ?? allowanceRefusal(world, player, credits)
  if (refused) return refused
  recordGiving(world, player, credits)
  const data = messageData(gift)
  const message = `Gave ${counted(credits, 'credit')} to ${usernameOf(world, to)}.`
  creditMove(world, player, from, wallet, credits, 'trading', 'gift_sent', message, data)
  const received = `Got ${counted(credits, 'credit')} from ${usernameOf(world, player)}.`
  logCredits(world, to, credits, 'trading', 'gift_received', received, data)
  addStat(world, player, 'credits_gifted', credits)
  recordGiven(world, gift, to, { credits })
  return ok({
    action: 'send_gift',
    base_id: baseId(world, base),
    recipient: usernameOf(world, to),
    credits_sent: credits,
    wallet_remaining: balanceOf(world, from),
    message,
  })
}

/**
 * Gives credits to the treasury of a faction. Refusals: no_credits, amount_too_large,
 * trading_restricted.
 */
export function giveFactionCredits(
  world: World,
  gift: Gift,
  faction: Row,
  credits: number,
): Outcome<Moved, 'amount_too_large' | 'no_credits' | 'trading_restricted'> {
  const { player } = gift
  const treasury = treasuryOf(world, faction)
  const refused =
    creditsRefusal(world, player, treasury, credits) ??
    factionGiftRefusal(world, player, faction, credits)
  if (refused) return refused
  recordFactionGift(world, player, faction, credits)
  const name = factionName(world, faction)
  const message = `Gave ${counted(credits, 'credit')} to ${name}.`
  const [from, data] = [walletOf(world, player), messageData(gift)]
  creditMove(world, player, from, treasury, credits, 'faction', 'gift_sent', message, data)
  const summary = `${usernameOf(world, player)} gave ${counted(credits, 'credit')}.`
  recordFactionLog(world, faction, player, { verb: 'gift', summary, data: { credits } })
  addStat(world, player, 'gifts_sent', 1)
  addStat(world, player, 'credits_gifted', credits)
  return ok({
    action: 'faction_gift',
    faction_id: factionIdOf(world, faction),
    faction_name: name,
    credits_sent: credits,
    items_sent: 0,
    message,
  })
}

/* Ships */

/**
 * Refuses to give away a ship in its present state: ship_not_found, active_ship, issue_item,
 * already_listed, already_towed, ship_occupied, not_stored_here, drones_in_bay, quest_item.
 */
export function shipRefusal(view: WorldView, player: Eid, ship: Eid) {
  const { owner, issue, hold } = view.read(Ship)
  if (ship === 0 || owner[ship] !== player) return fail('ship_not_found')
  if (activeShip(view, player) === ship) return fail('active_ship')
  const { issue: isIssued } = view.read(Module)
  if (issue[ship] === 1 || modulesOf(view, ship).some((row) => isIssued[row] === 1)) {
    return fail('issue_item')
  }
  if (isListed(view, ship)) return fail('already_listed')
  if (isTowed(view, ship)) return fail('already_towed')
  if (hasPassengers(view, ship)) return fail('ship_occupied')
  if (view.read(Location).base[ship] === 0) return fail('not_stored_here')
  const refused = disposalRefusal(view, ship)
  if (refused) return refused
  const contents = contentsOf(view, hold[ship])
  const hasQuestItem = contents.some(({ item }) => GOODS[item].quest_item === true)
  return hasQuestItem ? fail('quest_item') : undefined
}

/** Returns the fields that name a ship in answers and notices. */
export function describeShip(view: WorldView, ship: Eid) {
  const { id, name } = shipClassOf(view, ship)
  return { ship_id: shipId(view, ship), class_id: id, class_name: name }
}

/** Returns what a ship is worth with all that is in it. */
function shipWorth(view: WorldView, ship: Eid): number {
  const hold = view.read(Ship).hold[ship]
  const packed = packagesIn(view, hold).flatMap((pkg) => manifestOf(view, pkg))
  const contents = giftWorth([...contentsOf(view, hold), ...packed])
  return rebuildValue(view, ship, modulesOf(view, ship)) + contents
}

/**
 * Gives a parked ship with its contents to another player; it stays where it is, and its insurance
 * policy ends. Refusals: those of shipRefusal, ship_limit, trading_restricted.
 */
export function giveShip(
  world: World,
  { player, message }: Pick<Gift, 'player' | 'message'>,
  to: Eid,
  ship: Eid,
) {
  const refused = shipRefusal(world, player, ship)
  if (refused) return refused
  if (shipsOf(world, to).length > SHIPS_BEFORE_GIFT_MAX) {
    return fail('ship_limit', { max: SHIPS_BEFORE_GIFT_MAX })
  }
  const worth = shipWorth(world, ship)
  const unearned = allowanceRefusal(world, player, worth)
  if (unearned) return unearned
  recordGiving(world, player, worth)
  const base = world.read(Location).base[ship]
  const gift = { player, base, message }
  endPolicy(world, ship)
  setOwner(world, ship, to)
  // The giver's skills no longer count for its figures.
  recompute(world, ship)
  const shipFields = describeShip(world, ship)
  const description = `the ship ${shipName(world, ship)} at ${baseName(world, base)}`
  logGift(world, gift, to, description, { ship_id: shipFields.ship_id, ...messageData(gift) })
  recordGiven(world, gift, to, { ships: [shipFields] })
  return ok({
    action: 'gift_ship',
    base_id: baseId(world, base),
    recipient: usernameOf(world, to),
    ...shipFields,
    message: `Gave ${description} to ${usernameOf(world, to)}.`,
  })
}

/**
 * Gives a parked ship to the garage of a faction at its base, for any member to take; the contents
 * of its hold go to the giver's locker. Refusals: those of shipRefusal, no_faction_garage,
 * garage_full, storage_full, limit_reached, trading_restricted. Source: factions.md section 7.
 */
export function giveToGarage(
  world: World,
  { player, message: note }: Pick<Gift, 'player' | 'message'>,
  faction: Row,
  ship: Eid,
) {
  const base = world.read(Location).base[ship]
  const refused =
    shipRefusal(world, player, ship) ??
    garageRefusal(world, faction, base) ??
    storingRefusal(world, ship, base)
  if (refused) return refused
  const worth = shipWorth(world, ship)
  const unearned = factionGiftRefusal(world, player, faction, worth)
  if (unearned) return unearned
  recordFactionGift(world, player, faction, worth)
  const name = shipName(world, ship)
  storeInGarage(world, ship, faction)
  const id = shipId(world, ship)
  const message = `Gave ${name} to the garage of ${factionName(world, faction)}.`
  const data = { ship_id: id, ...(note === undefined ? {} : { note }) }
  logAction(world, player, 'faction', 'garage_store', message, data)
  addStat(world, player, 'gifts_sent', 1)
  return ok({
    action: 'faction_garage_store',
    base_id: baseId(world, base),
    ship_id: id,
    ship_name: name,
    used: garagedAt(world, faction, base).length,
    capacity: garageCapacity(world, faction, base),
    hint: say`Any member who is docked here can take it with {switch_ship}.`,
    message,
  })
}
