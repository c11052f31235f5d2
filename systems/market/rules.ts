/**
 * Figures of the exchange: sales tax and listing fee by base and buyer, gates of a base and an
 * item, price of the best level. Writes nothing.
 */
import { EMPIRES, GOODS, type ItemRow, isModule } from '../../core/catalog/index.ts'
import { wireId } from '../../core/entity.ts'
import { fail, type Outcome } from '../../core/errors.ts'
import { ORDERS_PER_BASE_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { BASE_KINDS, Base } from '../base/columns.ts'
import { empireOfBase, hasService } from '../base/rules.ts'
import { findGood } from '../cargo/rules.ts'
import { storefrontTier } from '../facility/rules.ts'
import { domicileOf } from '../faction/rules.ts'
import { isPackageId } from '../package/rules.ts'
import { refusesService, stationFeeBps } from '../station/access-rules.ts'
import { FEE_BPS_DEFAULT } from '../station/terms-rules.ts'
import { salesTaxIn, salesTaxOf } from '../tax/rules.ts'
import { bestLevel } from './book.ts'
import { Book, Level, Order, type Side } from './columns.ts'

export { salesTax } from './figures.ts'

/** Listing fee at pirate bases. Source: market.md section 3. */
const FEE_BPS_PIRATE = 300

export const isPirateBase = (view: WorldView, base: Eid): boolean =>
  BASE_KINDS[view.read(Base).kind[base]] === 'pirate'

/** Sales tax a player pays at a base, basis points: none in lawless space. market.md 3. */
export function salesTaxBps(view: WorldView, player: Eid, base: Eid): number {
  const empire = empireOfBase(view, base)
  return empire < 0 ? 0 : salesTaxIn(view, player, empire).bps
}

/** The same for a faction: it is taxed as a citizen of its domicile. */
export function factionTaxBps(view: WorldView, faction: Row, base: Eid): number {
  const empire = empireOfBase(view, base)
  return empire < 0 ? 0 : salesTaxOf(empire, [domicileOf(view, faction)]).bps
}

/* Storefronts */

/** Open orders that a tier of a storefront adds. Source: crafting.md section 6. */
const STOREFRONT_ORDERS = 50

/** Open orders a player may have at a base. Source: market.md section 1. */
export const ordersMax = (view: WorldView, player: Eid, base: Eid): number =>
  ORDERS_PER_BASE_MAX + (player === 0 ? 0 : STOREFRONT_ORDERS * storefrontTier(view, player, base))

/** Whoever has no storefront. */
const NOBODY = { player: 0, faction: 0 }

/**
 * Listing fee at a base, basis points: half of it for whoever has a storefront there. Source:
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

/** True if exchanges take the item at all. Source: trade-storage.md section 1, item flags. */
export function isTradeable(item: number): boolean {
  const good = GOODS[item]
  return isModule(good) ? good.quest_item !== true : good.tradeable
}

export const isQuestItem = (item: number): boolean => GOODS[item].quest_item === true

/** Banned by the empire the base belongs to. Source: market.md section 9. */
export function isContraband(view: WorldView, base: Eid, item: number): boolean {
  const empire = empireOfBase(view, base)
  return empire >= 0 && EMPIRES[empire].policy.contraband_items.includes(GOODS[item].id)
}

/**
 * Left out of feeds and of what changed since a cursor: banned here, or contraband by its nature,
 * also where it is traded freely. Source: market.md section 9.
 */
export const isHushed = (view: WorldView, base: Eid, item: number): boolean =>
  categoryOf(item) === 'contraband' || isContraband(view, base, item)

/** Category as the market lists it. */
export function categoryOf(item: number): string {
  const good = GOODS[item]
  return isModule(good) ? 'module' : (good as ItemRow).category
}

export const noMarket = (view: WorldView, base: Eid): boolean => !hasService(view, base, 'market')

/**
 * The item a trade of a player is about, if it may be traded here.
 * Refusals: no_market, service_restricted, unknown_item, quest_item (selling), not_tradeable,
 * contraband_restricted.
 */
export function tradedItem(
  view: WorldView,
  base: Eid,
  { player, text, selling }: { player: Eid; text: string; selling: boolean },
): Outcome<number> {
  if (noMarket(view, base)) return fail('no_market')
  const barred = refusesService(view, player, base, 'market')
  if (barred) return barred
  if (isPackageId(text)) {
    const words = 'Packages and notes change hands by trade, gift and storage, not on an exchange.'
    return fail('not_tradeable', { item_id: text }, words)
  }
  const found = findGood(text)
  if (!found.ok) return found
  const item = found.result
  if (selling && isQuestItem(item)) return fail('quest_item')
  if (!isTradeable(item)) return fail('not_tradeable')
  if (isContraband(view, base, item)) return fail('contraband_restricted')
  return found
}

/** Price of the best level of a side; 0 when it is empty. */
export function bestPrice(view: WorldView, book: Row, side: Side): number {
  const level = bestLevel(view, book, side)
  return level === 0 ? 0 : view.read(Level).price[level]
}

/** Wire id of an order. */
export const orderId = (view: WorldView, order: Row): string =>
  wireId(view.seed, 'order', view.read(Order).number[order])

export const baseOfBook = (view: WorldView, book: Row): Eid => view.read(Book).base[book]
