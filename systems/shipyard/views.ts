/** Commissions, listings and orders as players see them. */
import { GOODS, SHIP_CLASSES } from '../../core/catalog/index.ts'
import type { Held } from '../../core/goods.ts'
import { isoTime, timeField } from '../../core/time.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { baseId, baseName } from '../base/model.ts'
import { modulesOf, shipClassOf, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { gatheredOf, gatheredUnits, requiredOf } from './materials-model.ts'
import { commissionId, listingId, shipOrderId, statusOf } from './model.ts'
import {
  etaOfCommission,
  type Shortage,
  shortagesOfCommission,
  sourcingWarning,
} from './sourcing-rules.ts'
import { COMMISSION_MODES, Commission, ShipListing, ShipOrder } from './state.ts'

export const renderGoods = (goods: readonly Held[]) =>
  goods.map(({ item, units }) => {
    const { id, name, size } = GOODS[item]
    return { item_id: id, name, quantity: units, size }
  })

const unitsById = (goods: readonly Held[]): Record<string, number> =>
  Object.fromEntries(goods.map(({ item, units }) => [GOODS[item].id, units]))

/** Renders what a hull lacks; nothing where it lacks nothing. */
export function renderShortages(
  view: WorldView,
  shortages: readonly Shortage[],
  eta: number | undefined,
) {
  const warning = sourcingWarning(shortages)
  return {
    ...(shortages.length > 0 && {
      missing: shortages.map(({ item, units, onSale, seller, jumps }) => ({
        item_id: GOODS[item].id,
        need: units,
        on_sale_here: onSale,
        ...(seller !== undefined && { nearest_seller: baseId(view, seller), jumps }),
      })),
    }),
    ...(eta !== undefined && { eta_ticks: eta }),
    ...(warning !== undefined && { warning }),
  }
}

export function renderCommission(view: WorldView, row: Row) {
  const columns = view.read(Commission)
  const { id, name } = SHIP_CLASSES[columns.class[row]]
  const doneTick = columns.doneTick[row]
  const shortages = shortagesOfCommission(view, row)
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
    required_materials: unitsById(requiredOf(view, row)),
    materials_gathered: unitsById(gatheredOf(view, row)),
    ...renderShortages(view, shortages, etaOfCommission(view, row, shortages)),
    ...(doneTick !== 0 && {
      build_start_tick: columns.startTick[row],
      build_complete_tick: doneTick,
      ticks_remaining: Math.max(0, doneTick - view.tick),
    }),
  }
}

/** Renders how much of each material is gathered. */
export const renderMaterials = (view: WorldView, row: Row) =>
  requiredOf(view, row).map(({ item, units }) => {
    const gathered = gatheredUnits(view, row, item)
    const { id, name } = GOODS[item]
    return { item_id: id, name, gathered, needed: units, complete: gathered >= units }
  })

export function renderListing(view: WorldView, row: Row) {
  const { ship, player, base, price, createdMs } = view.read(ShipListing)
  const { hull, hullMax, shield, scale, speed, cargoCap, name } = view.read(Ship)
  const listed = ship[row]
  const { id, category, tier } = shipClassOf(view, listed)
  const custom = view.texts.get(name[listed])
  const seller = player[row]
  return {
    listing_id: listingId(view, row),
    ship_id: shipId(view, listed),
    class_id: id,
    ship_name: shipName(view, listed),
    ...(custom !== '' && { custom_name: custom }),
    category,
    tier,
    scale: scale[listed],
    price: price[row],
    hull: hull[listed],
    max_hull: hullMax[listed],
    shield: shield[listed],
    modules_count: modulesOf(view, listed).length,
    cargo_capacity: cargoCap[listed],
    speed: speed[listed],
    seller: seller === 0 ? baseName(view, base[row]) : usernameOf(view, seller),
    // Listings that a new world begins with have no time.
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
