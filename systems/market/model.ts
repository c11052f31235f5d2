/**
 * Lookups of exchanges: taxes, fees and limits at a base, which items it trades, what traders have
 * room for, and the result of a request.
 */
import { EMPIRES, GOODS, type ItemRow, isModule } from '../../core/catalog/index.ts'
import { rowsOf } from '../../core/columns.ts'
import { wireId } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { moveItems } from '../../core/goods.ts'
import { ORDERS_PER_BASE_MAX } from '../../core/limits.ts'
import { divFloor, MAX_SAFE } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { followedTargets, followersIn } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseName, empireOfBase, hasService } from '../base/model.ts'
import { BASE_KINDS, Base } from '../base/state.ts'
import { findGood, storedUnits } from '../cargo/model.ts'
import { isPackageId } from '../cargo/state.ts'
import { storefrontTier } from '../facility/model.ts'
import { domicileOf } from '../faction/model.ts'
import { bunkerCapacity, bunkerFuel, bunkerRoom } from '../faction/store-model.ts'
import { canCarry, cargoUnits, unitsThatFit } from '../ship/model.ts'
import { FEE_BPS_DEFAULT, serviceRefusal, stationFeeBps } from '../station/model.ts'
import { salesTaxIn, salesTaxOf } from '../tax/model.ts'
import { bestLevel, bookOf, factionOrders, isFuel } from './book-model.ts'
import { isStationCode, KIND_ROWS } from './match-kernels.ts'
import { ENTERED, FOLLOWERS } from './order-index-state.ts'
import {
  BID,
  Book,
  BY_FACTION,
  BY_PLAYER,
  BY_STATION,
  Fill,
  type FillView,
  Level,
  Lot,
  MATCH_ENDS,
  Managed,
  MarketFeed,
  Order,
  OrderRequest,
  REQUEST_KINDS,
  REQUEST_STATUS,
  type Side,
} from './state.ts'

/* Owners of orders */

/** Returns one number for an owner of orders, unique across all kinds of owners. */
const ownerCode = (kind: number, row: number): number => kind * KIND_ROWS + row
export const playerCode = (player: number): number => ownerCode(BY_PLAYER, player)
export const factionCode = (faction: number): number => ownerCode(BY_FACTION, faction)
export const stationCode = (base: number): number => ownerCode(BY_STATION, base)

/* Taxes, fees and limits of a base */

/** Listing fee at pirate bases. Source: market.md section 3. */
const FEE_BPS_PIRATE = 300

export const isPirateBase = (view: WorldView, base: Eid): boolean =>
  BASE_KINDS[view.read(Base).kind[base]] === 'pirate'

/**
 * Returns a player's sales tax at a base, basis points; 0 in lawless space. Source: market.md 3.
 */
export function salesTaxBps(view: WorldView, player: Eid, base: Eid): number {
  const empire = empireOfBase(view, base)
  return empire < 0 ? 0 : salesTaxIn(view, player, empire).bps
}

/** Returns a faction's sales tax at a base, as that of a citizen of its domicile. */
export function factionTaxBps(view: WorldView, faction: Row, base: Eid): number {
  const empire = empireOfBase(view, base)
  return empire < 0 ? 0 : salesTaxOf(empire, [domicileOf(view, faction)]).bps
}

/** Open orders that each tier of a storefront adds. Source: crafting.md section 6. */
const STOREFRONT_ORDERS = 50

/** Returns how many open orders a player may have at a base. Source: market.md section 1. */
export const ordersMax = (view: WorldView, player: Eid, base: Eid): number =>
  ORDERS_PER_BASE_MAX + (player === 0 ? 0 : STOREFRONT_ORDERS * storefrontTier(view, player, base))

/** A trader without a storefront and without a faction. */
const NOBODY = { player: 0, faction: 0 }

/**
 * Returns the listing fee at a base, basis points; halved by a storefront of the player. Source:
 * market.md section 3.
 */
export function listingFeeBps(
  view: WorldView,
  base: Eid,
  { player, faction }: { readonly player: Eid; readonly faction: Row } = NOBODY,
): number {
  const set = stationFeeBps(view, base, { player, faction })
  const bps = set ?? fullFeeBps(view, base)
  const isHalved = faction === 0 && player !== 0 && storefrontTier(view, player, base) > 0
  return isHalved ? divFloor(bps, 2) : bps
}

function fullFeeBps(view: WorldView, base: Eid): number {
  if (isPirateBase(view, base)) return FEE_BPS_PIRATE
  const empire = empireOfBase(view, base)
  return empire < 0 ? FEE_BPS_DEFAULT : EMPIRES[empire].policy.listing_fee_bps
}

/* Which items are traded */

export const lacksMarket = (view: WorldView, base: Eid): boolean =>
  !hasService(view, base, 'market')

/** Returns whether exchanges trade an item. Source: trade-storage.md section 1, item flags. */
export function isTradeable(item: number): boolean {
  const good = GOODS[item]
  return isModule(good) ? good.quest_item !== true : good.tradeable
}

const isQuestItem = (item: number): boolean => GOODS[item].quest_item === true

/** Returns whether the empire of the base bans the item. Source: market.md section 9. */
export function isContraband(view: WorldView, base: Eid, item: number): boolean {
  const empire = empireOfBase(view, base)
  return empire >= 0 && EMPIRES[empire].policy.contraband_items.includes(GOODS[item].id)
}

/** Returns the category of an item as the market lists it. */
export function categoryOf(item: number): string {
  const good = GOODS[item]
  return isModule(good) ? 'module' : (good as ItemRow).category
}

/**
 * Returns whether an item is left out of feeds and of incremental listings: it is banned at the
 * base or of the category contraband, even where that is traded freely. Source: market.md section
 * 9.
 */
export const isHiddenFromFeeds = (view: WorldView, base: Eid, item: number): boolean =>
  categoryOf(item) === 'contraband' || isContraband(view, base, item)

/** Returns whether selling the item at the base is smuggling. */
export const isSmuggling = (view: WorldView, base: Eid, item: number): boolean =>
  isPirateBase(view, base) && (GOODS[item] as ItemRow).category === 'contraband'

/**
 * Finds the item that a player wants to trade, if it may be traded here. Refusals: no_market,
 * service_restricted, unknown_item, quest_item (selling), not_tradeable, contraband_restricted.
 */
export function findTradeableItem(
  view: WorldView,
  base: Eid,
  { player, text, selling }: { player: Eid; text: string; selling: boolean },
) {
  if (lacksMarket(view, base)) return fail('no_market')
  const barred = serviceRefusal(view, player, base, 'market')
  if (barred) return barred
  if (isPackageId(text)) {
    const message = 'Exchanges do not take packages and notes; trade, give or store them instead.'
    return fail('not_tradeable', { item_id: text }, message)
  }
  const found = findGood(text)
  if (!found.ok) return found
  const item = found.result
  if (selling && isQuestItem(item)) return fail('quest_item')
  if (!isTradeable(item)) return fail('not_tradeable')
  if (isContraband(view, base, item)) return fail('contraband_restricted')
  return found
}

/* Room of buyers and goods of sellers */

/** Returns the units that fit in the hold; 0 if the ship may not carry the item. */
export function holdRoom(view: WorldView, player: Eid, item: number): number {
  const ship = view.read(Player).ship[player]
  return canCarry(view, ship, item) ? unitsThatFit(view, ship, item) : 0
}

/** Returns the units that can be delivered to a buyer. Source: market.md section 4, room. */
export function deliveryRoom(view: WorldView, player: Eid, base: Eid, item: number): number {
  return hasService(view, base, 'storage') ? MAX_SAFE : holdRoom(view, player, item)
}

/** Returns the units that a seller has here, in the hold and in the locker. */
export function sellableUnits(view: WorldView, player: Eid, base: Eid, item: number): number {
  const ship = view.read(Player).ship[player]
  return cargoUnits(view, ship, item) + storedUnits(view, player, base, item)
}

/*
 * Room in the bunkers of factions, less the fuel on order for them: fuel that a faction buys goes
 * nowhere else. Source: market.md section 4. ours: open bids reserve their room, so that their
 * fills never find a full bunker.
 */

/**
 * Returns the units of fuel that open bids of a faction at a base can still buy. O(its orders).
 */
function fuelOnOrder(view: WorldView, faction: Row, base: Eid): number {
  const { book, side, remaining } = view.read(Order)
  const { base: baseOf, item } = view.read(Book)
  return factionOrders(view, faction)
    .filter((row) => side[row] === BID && baseOf[book[row]] === base && isFuel(item[book[row]]))
    .reduce((sum, row) => sum + remaining[row], 0)
}

/** Returns the units of fuel that a bunker has room for besides what is on order. */
export const freeBunkerUnits = (view: WorldView, faction: Row, base: Eid): number =>
  Math.max(0, bunkerRoom(view, faction, base) - fuelOnOrder(view, faction, base))

/**
 * Refuses fuel that a bunker has no room for; `free` is the room that it has. Refusals:
 * no_faction_storage (there is no working bunker), storage_full.
 */
export function fuelRefusal(
  view: WorldView,
  { faction, base }: { readonly faction: Row; readonly base: Eid },
  units: number,
  free = freeBunkerUnits(view, faction, base),
): Failure<'no_faction_storage' | 'storage_full'> | undefined {
  if (units <= free) return undefined
  const cap = bunkerCapacity(view, faction, base)
  if (cap === 0) {
    return fail('no_faction_storage', undefined, 'The faction has no fuel bunker here.')
  }
  const have = bunkerFuel(view, faction, base)
  const message = `The bunker at ${baseName(view, base)} holds ${have} of ${counted(cap, 'unit')} of fuel and, besides what is on order, has room for ${free}, not for ${units}.`
  return fail('storage_full', { cap, have, need: units, fits: free }, message)
}

/* Requests and their results, read from their rows */

/** Returns whether this many more requests can be entered in this tick. */
export const hasRequestRoom = (view: WorldView, count: number): boolean =>
  view.index(ENTERED).rows + count <= rowsOf(OrderRequest, view.maxEntities)

export type Status = (typeof REQUEST_STATUS)[number]

export const kindOf = (view: WorldView, row: Row) =>
  REQUEST_KINDS[view.read(OrderRequest).kind[row]]

/** Returns the status of a take, a modification or a cancellation. */
export const statusOf = (view: WorldView, row: Row): Status =>
  REQUEST_STATUS[view.read(OrderRequest).status[row]]

/** Returns the status of a limit order. */
export const listStatusOf = (view: WorldView, row: Row): Status =>
  REQUEST_STATUS[view.read(OrderRequest).listStatus[row]]

/** Returns whether a request was refused; a refused request has changed nothing. */
export const isRefused = (view: WorldView, row: Row): boolean =>
  statusOf(view, row) !== 'ok' ||
  (kindOf(view, row) === 'limit' && listStatusOf(view, row) !== 'ok')

/** Returns what ended the match of a request. */
export const endOf = (view: WorldView, row: Row) => MATCH_ENDS[view.read(OrderRequest).end[row]]

/** Returns whether a request is a modification that changed the price of an order. */
export function isModified(view: WorldView, row: Row): boolean {
  const { price, oldPrice } = view.read(OrderRequest)
  return (
    kindOf(view, row) === 'modify' && statusOf(view, row) === 'ok' && price[row] !== oldPrice[row]
  )
}

/**
 * The `source` of levels and fills of the station manager; those of players have none. Source:
 * spec, market_update.
 */
export const STATION = 'station'

/**
 * Renders the trades of a request; consecutive ones of one price and kind are merged. Players are
 * not named, the station is. Own lots that were netted out are left out.
 */
export function renderFills(view: WorldView, row: Row): FillView[] {
  const { base, firstFill, fills: count } = view.read(OrderRequest)
  const { lot, units, price, own } = view.read(Fill)
  const { owner } = view.read(Lot)
  const fills: FillView[] = []
  for (let trade = firstFill[row]; trade < firstFill[row] + count[row]; trade++) {
    if (own[trade] === 1) continue
    const isStation = isStationCode(owner[lot[trade]])
    const last = fills.at(-1)
    if (last && last.price_each === price[trade] && (last.source === STATION) === isStation) {
      last.quantity += units[trade]
      last.subtotal += units[trade] * price[trade]
      continue
    }
    const fill: FillView = {
      price_each: price[trade],
      quantity: units[trade],
      subtotal: units[trade] * price[trade],
    }
    if (isStation) {
      fill.source = STATION
      fill.counterparty = baseName(view, base[row])
    }
    fills.push(fill)
  }
  return fills
}

/* Prices and ids */

/** Returns the price of the best level of a side; 0 if it is empty. */
export function bestPrice(view: WorldView, book: Row, side: Side): number {
  const level = bestLevel(view, book, side)
  return level === 0 ? 0 : view.read(Level).price[level]
}

/** Returns the wire id of an order. */
export const orderId = (view: WorldView, order: Row): string =>
  wireId(view.seed, 'order', view.read(Order).number[order])

/* Followers */

/** Returns the base whose exchange a player follows; 0 if none. */
export const followedBase = (view: WorldView, player: Eid): Eid =>
  view.read(MarketFeed).base[player]

/** Returns the bases whose exchanges somebody follows. */
export const followedBases = (view: WorldView): Eid[] => followedTargets(view.index(FOLLOWERS))

/** Returns the followers of a base, in durable-id order. */
export const followersOf = (view: WorldView, base: Eid): Eid[] =>
  followersIn(view, view.index(FOLLOWERS), base)

/* Goods that a station manager gets other than by trading */

/**
 * Moves goods into a manager's stock; its quotes are updated when the base is next due.
 */
export function addToStock(world: World, base: Eid, from: Row, item: number, units: number): void {
  moveItems(world, from, world.read(Base).stock[base], item, units)
  const book = bookOf(world, base, item)
  const managed = book === 0 ? 0 : world.read(Book).managed[book]
  if (managed !== 0) world.write(Managed).stock[managed] += units
}
