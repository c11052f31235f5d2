/**
 * Moves goods into and out of faction stores: one handler for the v1 commands and for the faction
 * side of v2 storage moves. Source: trade-storage.md section 4.
 */
import { GOODS, type ItemRow, isModule, itemIndex } from '../../core/catalog/index.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { moveItems, unitsIn } from '../../core/goods.ts'
import { divFloor } from '../../core/math.ts'
import { say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { giftWorth } from '../account/giving-model.ts'
import { Player } from '../account/state.ts'
import { baseName, hasService } from '../base/model.ts'
import {
  closeEmptyLocker,
  findGood,
  isNearlyFull,
  isStorageNearlyFull,
  lockerOf,
  openLocker,
  storedUnits,
} from '../cargo/model.ts'
import { isPackageId } from '../cargo/state.ts'
import { tradeRefusal } from '../combat/model.ts'
import { logAction } from '../log/rules.ts'
import {
  canCarry,
  cargoUnits,
  freeSpace,
  loadCargo,
  unitsThatFit,
  unloadCargo,
} from '../ship/model.ts'
import { factionGiftRefusal, recordFactionGift } from './giving-model.ts'
import { factionIdOf, factionName, factionOf, permissionRefusal, renderBucket } from './model.ts'
import { packageFromFaction, packageToFaction } from './package-moves-rules.ts'
import { notifyWithdrawal, recordStoreMove } from './rules.ts'
import { FactionStore } from './state.ts'
import {
  capOfStore,
  closeEmptyStore,
  facilityOfStore,
  findStore,
  openStore,
  roomInStore,
  type StorePlace,
  storeContainer,
  unitsInStore,
} from './store-model.ts'
import { depositFuel } from './store-rules.ts'

const FUEL = itemIndex('fuel')

interface Moved {
  readonly action: string
  readonly [field: string]: unknown
}

interface FactionMove {
  readonly player: Eid
  readonly base: Row
  readonly item_id: string
  readonly quantity: number
  readonly bucket?: string
}

interface FactionDeposit extends FactionMove {
  readonly from: 'cargo' | 'storage'
  /** Faction that receives the goods; the player's own if absent. */
  readonly faction?: Row
}

interface FactionWithdrawal extends FactionMove {
  readonly to: 'cargo' | 'storage' | { readonly bucket: string | undefined }
}

/* Refusals */

/**
 * Refuses quest items, and untradeable items given to another faction. Source: trade-storage.md
 * section 1, item flags.
 */
function itemRefusal(
  item: number,
  isOwn: boolean,
): Failure<'not_tradeable' | 'quest_item'> | undefined {
  const good = GOODS[item]
  if (good.quest_item === true) return fail('quest_item')
  const isUntradeableGift = !isOwn && !isModule(good) && !(good as ItemRow).tradeable
  return isUntradeableGift ? fail('not_tradeable') : undefined
}

/** Returns whether the tables lack rows for goods in one more faction store. */
const areTablesFull = (view: WorldView): boolean =>
  isStorageNearlyFull(view) || isNearlyFull(view, FactionStore)

/** Refuses goods beyond the cap of a store; outsiders may fill only half of it. */
function roomRefusal(
  view: WorldView,
  place: StorePlace,
  { item, units, isOwn }: { item: number; units: number; isOwn: boolean },
): Failure<'storage_full'> | undefined {
  const cap = isOwn ? capOfStore(view, place) : divFloor(capOfStore(view, place), 2)
  const have = unitsInStore(view, place, item)
  if (have + units > cap) return fail('storage_full', { cap, have })
  return areTablesFull(view) ? fail('storage_full') : undefined
}

/** Returns the units of an item at the source of a deposit. */
const unitsAt = (view: WorldView, move: FactionDeposit, item: number): number =>
  move.from === 'cargo'
    ? cargoUnits(view, view.read(Player).ship[move.player], item)
    : storedUnits(view, move.player, move.base, item)

/* Deposits */

/** Returns the units of an item and the free space in the player's hold, for the answer. */
const holdFigures = (view: WorldView, player: Eid, item: number) => {
  const ship = view.read(Player).ship[player]
  return { units: cargoUnits(view, ship, item), cargo_space: freeSpace(view, ship) }
}

/** Returns the item and the store of a deposit of goods, or the refusal. */
function checkDeposit(view: WorldView, move: FactionDeposit, faction: Row) {
  const store = findStore(view, faction, move.base, move.bucket)
  if (!store.ok) return store
  const found = findGood(move.item_id)
  if (!found.ok) return found
  const item = found.result
  const isOwn = faction === factionOf(view, move.player)
  const itemRefused = itemRefusal(item, isOwn)
  if (itemRefused) return itemRefused
  const have = unitsAt(view, move, item)
  if (have < move.quantity) {
    const item_id = GOODS[item].id
    return fail('insufficient_items', { item_id, need: move.quantity, have })
  }
  const roomRefused = roomRefusal(view, store.result, { item, units: move.quantity, isOwn })
  const worth = giftWorth([{ item, units: move.quantity }])
  const refused = roomRefused ?? factionGiftRefusal(view, move.player, faction, worth)
  return refused ?? ok({ item, place: store.result })
}

/**
 * Puts goods, fuel or a package into the store of a faction here. Refusals: not_in_faction,
 * trading_restricted, no_faction_storage, bucket_not_found, unknown_item, quest_item,
 * not_tradeable, insufficient_items, storage_full, issue_item, package_storage_full.
 */
export function depositToFaction(world: World, move: FactionDeposit) {
  const { player, base, quantity } = move
  const faction = move.faction ?? factionOf(world, player)
  if (faction === 0) return fail('not_in_faction')
  const restricted = tradeRefusal(world, player)
  if (restricted) return restricted
  if (isPackageId(move.item_id)) return packageToFaction(world, { ...move, faction })
  if (move.item_id.toLowerCase() === GOODS[FUEL].id && move.from === 'cargo') {
    return depositFuel(world, { player, base, faction, units: quantity })
  }
  const checked = checkDeposit(world, move, faction)
  if (!checked.ok) return checked
  const { item, place } = checked.result
  recordFactionGift(world, player, faction, giftWorth([{ item, units: quantity }]))
  const container = openStore(world, place)
  if (move.from === 'cargo') {
    unloadCargo(world, world.read(Player).ship[player], container, item, quantity)
  } else {
    moveItems(world, lockerOf(world, player, base), container, item, quantity)
    closeEmptyLocker(world, player, base)
  }
  recordGoodsMove(world, { move, faction, item, verb: 'deposit_items' })
  if (faction !== factionOf(world, player)) return ok(renderGift(world, faction, item, quantity))
  const { units, cargo_space } = holdFigures(world, player, item)
  return ok({
    action: 'faction_deposit_items',
    item_id: GOODS[item].id,
    quantity,
    ...renderBucket(world, facilityOfStore(world, place)),
    storage_total: unitsIn(world, container, item),
    cargo_remaining: units,
    cargo_space,
  })
}

/** Returns the answer to a gift to another faction. */
function renderGift(world: WorldView, faction: Row, item: number, quantity: number): Moved {
  return {
    action: 'faction_gift',
    faction_id: factionIdOf(world, faction),
    faction_name: factionName(world, faction),
    items_sent: quantity,
    credits_sent: 0,
    message: `Gave ${quantity} ${GOODS[item].name} to ${factionName(world, faction)}.`,
  }
}

const VERBS = { deposit_items: 'Put', withdraw_items: 'Took' } as const

interface GoodsMove {
  readonly move: FactionMove
  readonly faction: Row
  readonly item: number
  readonly verb: keyof typeof VERBS
}

/** Records a move of goods in the activity of the faction and in the player's log. */
function recordGoodsMove(world: World, { move, faction, item, verb }: GoodsMove): void {
  const { player, base, quantity } = move
  const where = verb === 'deposit_items' ? 'into' : 'out of'
  const store = `the store of ${factionName(world, faction)} at ${baseName(world, base)}`
  const summary = `${VERBS[verb]} ${quantity} ${GOODS[item].name} ${where} ${store}.`
  const record = { faction, player, action: verb, summary, item, quantity, base }
  recordStoreMove(world, record)
  const data = { item_id: GOODS[item].id, quantity }
  logAction(world, player, 'storage', `faction_${verb}`, summary, data)
  if (verb === 'withdraw_items') notifyWithdrawal(world, record)
}

/* Withdrawals */

/**
 * Refuses a withdrawal whose target cannot take the goods. Refusals: no_storage_service,
 * storage_full, hazard_not_supported, no_cargo_space.
 */
function targetRefusal(
  view: WorldView,
  { player, base, to, quantity }: FactionWithdrawal,
  item: number,
) {
  if (to === 'storage') {
    if (!hasService(view, base, 'storage')) return fail('no_storage_service')
    return isStorageNearlyFull(view) ? fail('storage_full') : undefined
  }
  if (to !== 'cargo') return undefined
  const ship = view.read(Player).ship[player]
  if (!canCarry(view, ship, item)) return fail('hazard_not_supported')
  const fits = unitsThatFit(view, ship, item)
  return fits < quantity ? fail('no_cargo_space', { need: quantity, fits }) : undefined
}

/**
 * Takes goods or a package out of a store of the player's faction here, into the player's hold or
 * locker, or into another store of the faction. Refusals: not_in_faction, no_permission,
 * no_faction_storage, bucket_not_found, unknown_item, insufficient_items, no_storage_service,
 * storage_full, hazard_not_supported, no_cargo_space, invalid_target.
 */
export function withdrawFromFaction(world: World, move: FactionWithdrawal) {
  const { player, base, quantity, to } = move
  const refused = permissionRefusal(world, player, 'manage_treasury')
  if (refused) return refused
  const faction = factionOf(world, player)
  const store = findStore(world, faction, base, move.bucket)
  if (!store.ok) return store
  if (isPackageId(move.item_id)) return packageFromFaction(world, { ...move, store: store.result })
  const found = findGood(move.item_id)
  if (!found.ok) return found
  const item = found.result
  const have = unitsInStore(world, store.result, item)
  if (have < quantity) {
    const message = say`The store of your faction here holds ${have} ${GOODS[item].name}, not ${quantity}; {view_faction_storage} lists what is there.`
    return fail('insufficient_items', { need: quantity, have }, message)
  }
  if (typeof to === 'object') return transfer(world, { move, item, from: store.result }, to.bucket)
  const targetRefused = targetRefusal(world, move, item)
  if (targetRefused) return targetRefused
  const container = storeContainer(world, store.result)
  if (to === 'cargo') {
    loadCargo(world, world.read(Player).ship[player], container, item, quantity)
  } else {
    moveItems(world, container, openLocker(world, player, base), item, quantity)
  }
  const left = have - quantity
  closeEmptyStore(world, store.result)
  recordGoodsMove(world, { move, faction, item, verb: 'withdraw_items' })
  if (to === 'storage') {
    return ok(renderLockerTransfer(world, move, { item, left, place: store.result }))
  }
  const { units, cargo_space } = holdFigures(world, player, item)
  return ok({
    action: 'faction_withdraw_items',
    item_id: GOODS[item].id,
    quantity,
    ...renderBucket(world, facilityOfStore(world, store.result)),
    storage_remaining: left,
    cargo_total: units,
    cargo_space,
  })
}

/** Returns the answer to a withdrawal into the player's locker. */
function renderLockerTransfer(
  view: WorldView,
  { player, base, quantity }: FactionWithdrawal,
  { item, left, place }: { item: number; left: number; place: StorePlace },
): Moved {
  return {
    action: 'transfer',
    source: 'faction',
    destination: 'storage',
    item_id: GOODS[item].id,
    quantity,
    ...renderBucket(view, facilityOfStore(view, place)),
    source_remaining: left,
    dest_total: storedUnits(view, player, base, item),
  }
}

interface Transfer {
  readonly move: FactionWithdrawal
  readonly item: number
  readonly from: StorePlace
}

/** Moves goods from one store of the faction at a base to another there. */
function transfer(world: World, { move, item, from }: Transfer, destBucket: string | undefined) {
  const { quantity } = move
  const found = findStore(world, from.faction, from.base, destBucket)
  if (!found.ok) return found
  const to = found.result
  if (to.bucket === from.bucket) {
    const message = 'That is the same bucket; name another as dest_bucket.'
    return fail('invalid_target', { source: 'faction', target: 'faction' }, message)
  }
  if (roomInStore(world, to, item) < quantity) {
    const cap = capOfStore(world, to)
    return fail('storage_full', { cap, have: cap - roomInStore(world, to, item) })
  }
  if (areTablesFull(world)) return fail('storage_full')
  const [source, dest] = [storeContainer(world, from), openStore(world, to)]
  moveItems(world, source, dest, item, quantity)
  const left = unitsIn(world, source, item)
  const total = unitsIn(world, dest, item)
  closeEmptyStore(world, from)
  const name = `${quantity} ${GOODS[item].name}`
  recordStoreMove(world, {
    faction: from.faction,
    player: move.player,
    action: 'transfer',
    item,
    quantity,
    base: from.base,
    summary: `Moved ${name} between stores.`,
  })
  return ok({
    action: 'transfer',
    source: 'faction',
    destination: 'faction',
    item_id: GOODS[item].id,
    quantity,
    ...renderBucket(world, facilityOfStore(world, from)),
    ...renderBucket(world, facilityOfStore(world, to), 'dest_'),
    source_remaining: left,
    dest_total: total,
  })
}
