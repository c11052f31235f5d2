/**
 * Donations to an empire, at one of its bases: credits to its treasury, goods to the stock of the
 * station, ships, which leave the game. Source: trade-storage.md section 3.
 */
import { EMPIRES, GOODS } from '../../core/catalog/index.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { closeContainer, contentsOf, openContainer } from '../../core/goods.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName, empireOfBase, empireTreasury } from '../base/model.ts'
import { isUnderContract } from '../freight/model.ts'
import { endPolicy } from '../insurance/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import type { LogData } from '../log/state.ts'
import { addToStock } from '../market/model.ts'
import { filePetition } from '../petition/rules.ts'
import { activeShip, recountCargo, shipName } from '../ship/model.ts'
import { releaseShip } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { removeFromMap } from '../travel/rules.ts'
import { Location } from '../travel/state.ts'
import { describeShip, shipRefusal } from './giving-commands.ts'
import {
  closeEmptyLocker,
  givingRefusal,
  isNote,
  isStorageNearlyFull,
  lockerOf,
  type Place,
  packagesIn,
} from './model.ts'
import { describePackage, destroyPackage, openPackage, packageId, unitsAt } from './rules.ts'
import type { Gift, Moved } from './schemas.ts'

/** Refuses a donation at a base of another empire, or of none. */
const wrongEmpireRefusal = (
  view: WorldView,
  base: Eid,
  empire: number,
): Failure<'wrong_empire'> | undefined =>
  base !== 0 && empireOfBase(view, base) === empire ? undefined : fail('wrong_empire')

const empireFields = (world: World, base: Eid, empire: number) => ({
  base_id: baseId(world, base),
  base_name: baseName(world, base),
  empire_id: EMPIRES[empire].id,
  empire_name: EMPIRES[empire].name,
})

/** Logs a donation for the giver, and files it as a petition to the empire. */
function recordDonation(
  world: World,
  { player, message }: Gift,
  empire: number,
  description: string,
): void {
  const data: LogData = message === undefined ? {} : { note: message }
  logAction(world, player, 'storage', 'donation', description, data)
  filePetition(
    world,
    player,
    empire,
    'donation',
    message === undefined ? description : `${description} ${message}`,
  )
  addStat(world, player, 'gifts_sent', 1)
}

/** Donates credits to an empire. Refusals: wrong_empire, no_credits, amount_too_large. */
export function donateCredits(
  world: World,
  gift: Gift,
  empire: number,
  credits: number,
): Outcome<Moved, 'amount_too_large' | 'no_credits' | 'wrong_empire'> {
  const { player, base } = gift
  const refused = wrongEmpireRefusal(world, base, empire)
  if (refused) return refused
  const [from, to] = [walletOf(world, player), empireTreasury(world, empire)]
  const have = balanceOf(world, from)
  if (have < credits) return fail('no_credits', { need: credits, have })
  if (!canReceive(world, to, credits)) return fail('amount_too_large')
  const message = `Donated ${counted(credits, 'credit')} to ${EMPIRES[empire].name}.`
  creditMove(world, player, from, to, credits, 'trading', 'donation', message)
  recordDonation(world, gift, empire, message)
  addStat(world, player, 'credits_gifted', credits)
  return ok({
    action: 'empire_gift_credits',
    ...empireFields(world, base, empire),
    credits_sent: credits,
    wallet_remaining: balanceOf(world, from),
    message,
  })
}

/**
 * Moves units of a good from a player's hold or locker into the stock of the station where they
 * are docked.
 */
function moveToStock(
  world: World,
  { player, base }: Gift,
  { item, units, from }: { item: number; units: number; from: Place },
): void {
  const ship = activeShip(world, player)
  const source = from === 'cargo' ? world.read(Ship).hold[ship] : lockerOf(world, player, base)
  addToStock(world, base, source, item, units)
  if (from === 'cargo') recountCargo(world, ship)
  closeEmptyLocker(world, player, base)
}

/**
 * Donates goods to an empire. Refusals: wrong_empire, quest_item, not_tradeable,
 * insufficient_items.
 */
export function donateItem(
  world: World,
  gift: Gift,
  empire: number,
  goods: { item: number; units: number; from: Place },
) {
  const { player, base } = gift
  const { item, units, from } = goods
  const refused = wrongEmpireRefusal(world, base, empire) ?? givingRefusal(item)
  if (refused) return refused
  const have = unitsAt(world, player, base, from, item)
  if (have < units) {
    return fail('insufficient_items', { item_id: GOODS[item].id, need: units, have })
  }
  moveToStock(world, gift, goods)
  const message = `Donated ${units} ${GOODS[item].name} to ${EMPIRES[empire].name}.`
  recordDonation(world, gift, empire, message)
  return ok({
    action: 'empire_gift_items',
    ...empireFields(world, base, empire),
    item_id: GOODS[item].id,
    quantity: units,
    message,
    ...(from === 'cargo' ? { cargo_remaining: have - units } : {}),
  })
}

/** Returns the refusal of a gift that a station does not take. Source: newer.md section 7. */
export const stationGiftRefusal = (): Failure<'invalid_target'> =>
  fail(
    'invalid_target',
    { expected: 'goods' },
    'A station takes goods as a gift, but no credits, ships or packages.',
  )

/**
 * Gives goods to the manager of the station where the giver is docked. Refusals: wrong_station,
 * invalid_target (the station belongs to no empire), quest_item, not_tradeable,
 * insufficient_items. Source: newer.md section 7.
 */
export function supplyStation(
  world: World,
  gift: Gift,
  to: Eid,
  goods: { item: number; units: number; from: Place },
) {
  const { player, base } = gift
  const { item, units, from } = goods
  const name = baseName(world, to)
  if (to !== base) {
    return fail(
      'wrong_station',
      { station_id: baseId(world, to) },
      `Dock at ${name} to give there.`,
    )
  }
  if (empireOfBase(world, base) < 0) {
    return fail('invalid_target', undefined, `${name} takes no gifts: it belongs to no empire.`)
  }
  const refused = givingRefusal(item)
  if (refused) return refused
  const have = unitsAt(world, player, base, from, item)
  if (have < units) {
    return fail('insufficient_items', { item_id: GOODS[item].id, need: units, have })
  }
  moveToStock(world, gift, goods)
  const message = `Gave ${units} ${GOODS[item].name} to ${name}.`
  const data = { item_id: GOODS[item].id, quantity: units, base_id: baseId(world, base) }
  logAction(world, player, 'storage', 'station_gift', message, data)
  addStat(world, player, 'gifts_sent', 1)
  return ok({
    action: 'station_gift_items',
    base_id: baseId(world, base),
    base_name: name,
    item_id: GOODS[item].id,
    quantity: units,
    source: from,
    message,
    ...(from === 'cargo' ? { cargo_remaining: have - units } : { storage_remaining: have - units }),
  })
}

/**
 * Opens a package and adds its contents and its cargo container to the stock of a station. ours: a
 * note goes to the archives of the empire and leaves the game.
 */
function unpackIntoStock(world: World, base: Eid, pkg: Row): void {
  if (isNote(world, pkg)) {
    destroyPackage(world, pkg, 'burned')
    return
  }
  const container = openContainer(world)
  openPackage(world, pkg, { kind: 'escrow', container }, true)
  for (const { item, units } of contentsOf(world, container)) {
    addToStock(world, base, container, item, units)
  }
  closeContainer(world, container)
}

/** Refuses to give away packages that a freight contract carries: freight_locked. */
const lockedRefusal = (
  view: WorldView,
  packages: readonly Row[],
): Failure<'freight_locked'> | undefined =>
  packages.some((pkg) => isUnderContract(view, pkg)) ? fail('freight_locked') : undefined

/** Donates a package to an empire. Refusals: wrong_empire, freight_locked, storage_full. */
export function donatePackage(
  world: World,
  gift: Gift,
  empire: number,
  pkg: Row,
): Outcome<Moved, 'freight_locked' | 'storage_full' | 'wrong_empire'> {
  const refused = wrongEmpireRefusal(world, gift.base, empire) ?? lockedRefusal(world, [pkg])
  if (refused) return refused
  if (isStorageNearlyFull(world)) return fail('storage_full')
  const item_id = packageId(world, pkg)
  const message = `Donated ${describePackage(world, pkg)} to ${EMPIRES[empire].name}.`
  unpackIntoStock(world, gift.base, pkg)
  recordDonation(world, gift, empire, message)
  return ok({
    action: 'empire_gift_items',
    ...empireFields(world, gift.base, empire),
    item_id,
    quantity: 1,
    message,
  })
}

/**
 * Donates a ship parked at a base of the empire: the contents of its hold go to the station, and
 * the hull leaves the game. The giver is docked at a base of that empire too. Refusals:
 * wrong_empire, freight_locked, storage_full, those of shipRefusal.
 */
export function donateShip(world: World, gift: Gift, empire: number, ship: Eid) {
  const refused =
    wrongEmpireRefusal(world, gift.base, empire) ?? shipRefusal(world, gift.player, ship)
  if (refused) return refused
  const base = world.read(Location).base[ship]
  const hold = world.read(Ship).hold[ship]
  const parkedRefusal =
    wrongEmpireRefusal(world, base, empire) ?? lockedRefusal(world, packagesIn(world, hold))
  if (parkedRefusal) return parkedRefusal
  if (isStorageNearlyFull(world)) return fail('storage_full')
  const shipFields = describeShip(world, ship)
  const message = `Donated the ship ${shipName(world, ship)} to ${EMPIRES[empire].name}.`
  for (const pkg of packagesIn(world, hold)) unpackIntoStock(world, base, pkg)
  for (const { item, units } of contentsOf(world, hold)) {
    addToStock(world, base, hold, item, units)
  }
  recountCargo(world, ship)
  endPolicy(world, ship)
  removeFromMap(world, ship)
  releaseShip(world, ship)
  recordDonation(world, gift, empire, message)
  return ok({
    action: 'empire_gift_ship',
    ...empireFields(world, base, empire),
    ...shipFields,
    message,
  })
}
