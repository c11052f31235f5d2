/** Commissions, listings and orders as players see them. */
import { GOODS, SHIP_CLASSES, type ShipClassRow } from '../../core/catalog/index.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import type { Held } from '../../core/goods.ts'
import { mulDivCeil, mulDivFloor } from '../../core/math.ts'
import { isoTime, timeField } from '../../core/time.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { baseId, baseName } from '../base/model.ts'
import { modulesOf, shipClassOf, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { gatheredOf, gatheredUnits, wantedOf } from './materials-model.ts'
import {
  baseValueOf,
  billOf,
  commissionId,
  laborCost,
  listingId,
  MATERIAL_PCT,
  marginOf,
  shipOrderId,
  statusOf,
  worthOf,
} from './model.ts'
import { COMMISSION_MODES, Commission, ShipListing, ShipOrder } from './state.ts'

/** Nor with the station's own credits more than this share of it, percent. */
const OWN_PRICE_PCT = 150

/** A hull that yards build to order: no starters, no pirates' hulls, nothing withdrawn. */
export function isBuildable(row: ShipClassRow): boolean {
  return row.shipyard_tier > 0 && !row.starter_ship && !row.legacy && row.category !== 'pirate'
}

/** Index of a class by id or name, of hulls players may have. Refusal: unknown_class. */
export function findClass(text: string): Outcome<number, 'unknown_class'> {
  const wanted = text.trim().toLowerCase()
  const byId = SHIP_CLASSES.findIndex((row) => row.id === wanted)
  const found =
    byId >= 0 ? byId : SHIP_CLASSES.findIndex((row) => row.name.toLowerCase() === wanted)
  return found < 0 ? fail('unknown_class', { ship_class: text }) : ok(found)
}

/** As `findClass`, of hulls that yards build. Refusal: unknown_class. */
export function findBuildable(text: string): Outcome<number, 'unknown_class'> {
  const found = findClass(text)
  if (!found.ok || isBuildable(SHIP_CLASSES[found.result])) return found
  return fail('unknown_class', { ship_class: text }, 'No yard builds ships of this class.')
}

/**
 * As `priceLimit`, of a yard that buys with the station's own credits. ours: the order it builds for
 * can be withdrawn, so goods put up at any price by who placed it would empty the station's purse.
 */
export const ownPriceLimit = (item: number): number =>
  mulDivFloor(worthOf(item), OWN_PRICE_PCT, 100)

/** Price of a whole hull at base values, the yard's part included: what a showroom asks. */
export function showroomPrice(shipClass: number): number {
  const material = mulDivCeil(baseValueOf(billOf(shipClass, false)), MATERIAL_PCT, 100)
  const labor = laborCost(shipClass)
  return material + labor + marginOf(material, labor)
}

export const renderGoods = (goods: readonly Held[]) =>
  goods.map(({ item, units }) => {
    const { id, name, size } = GOODS[item]
    return { item_id: id, name, quantity: units, size }
  })

const byId = (goods: readonly Held[]): Record<string, number> =>
  Object.fromEntries(goods.map(({ item, units }) => [GOODS[item].id, units]))

export function renderCommission(view: WorldView, row: Row) {
  const columns = view.read(Commission)
  const { id, name } = SHIP_CLASSES[columns.class[row]]
  const { startTick, doneTick } = columns
  const building =
    doneTick[row] === 0
      ? {}
      : {
          build_start_tick: startTick[row],
          build_complete_tick: doneTick[row],
          ticks_remaining: Math.max(0, doneTick[row] - view.tick),
        }
  return {
    commission_id: commissionId(view, row),
    ship_class_id: id,
    ship_name: name,
    status: statusOf(view, row),
    base_id: baseId(view, columns.base[row]),
    base_name: baseName(view, columns.base[row]),
    created_at: isoTime(columns.createdMs[row]),
    credits_paid: columns.paid[row],
    earmarked_credits: columns.earmark[row],
    material_cost_estimate: columns.estimate[row],
    materials_provided: COMMISSION_MODES[columns.mode[row]] === 'provide_materials',
    required_materials: byId(wantedOf(view, row)),
    materials_gathered: byId(gatheredOf(view, row)),
    ...building,
  }
}

/** How far each material of the bill is. */
export const renderMaterials = (view: WorldView, row: Row) =>
  wantedOf(view, row).map(({ item, units }) => {
    const gathered = gatheredUnits(view, row, item)
    const { id, name } = GOODS[item]
    return { item_id: id, name, gathered, needed: units, complete: gathered >= units }
  })

export function renderListing(view: WorldView, row: Row) {
  const { ship, player, base, price, createdMs } = view.read(ShipListing)
  const { hull, hullMax, shield, scale, name } = view.read(Ship)
  const own = ship[row]
  const { id, category, tier } = shipClassOf(view, own)
  const custom = view.texts.get(name[own])
  const seller = player[row]
  return {
    listing_id: listingId(view, row),
    ship_id: shipId(view, own),
    class_id: id,
    ship_name: shipName(view, own),
    ...(custom === '' ? {} : { custom_name: custom }),
    category,
    tier,
    scale: scale[own],
    price: price[row],
    hull: hull[own],
    max_hull: hullMax[own],
    shield: shield[own],
    modules_count: modulesOf(view, own).length,
    seller: seller === 0 ? baseName(view, base[row]) : usernameOf(view, seller),
    // What was for sale when the world began has no such time.
    ...timeField('listed_at', createdMs[row]),
  }
}

export function renderOrder(view: WorldView, row: Row) {
  const columns = view.read(ShipOrder)
  const { id, name } = SHIP_CLASSES[columns.class[row]]
  return {
    order_id: shipOrderId(view, row),
    class_id: id,
    class_name: name,
    price: columns.price[row],
    tax_escrow: columns.tax[row],
    buyer: usernameOf(view, columns.player[row]),
    base_id: baseId(view, columns.base[row]),
    base_name: baseName(view, columns.base[row]),
    being_built: columns.commission[row] !== 0,
    created_at: isoTime(columns.createdMs[row]),
  }
}
