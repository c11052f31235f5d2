/**
 * Materials: what a hull takes, what goods are worth to a yard, and what a commission has of them.
 * Source: ships.md section 7.
 */
import { GOODS, itemIndex, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { contentsOf, type Held, sumHeld, unitsIn } from '../../core/goods.ts'
import { mulDivFloor } from '../../core/math.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { type StorePlace, storeContainer } from '../faction/store-model.ts'
import { Commission, MATERIAL_SOURCES, type MaterialSource } from './state.ts'

/** Price limit of a yard, as a multiple of the base value. */
const PRICE_FACTOR_MAX = 4
/** Price limit of a yard that buys with the station's own credits, percent of the base value. */
const OWN_PRICE_PCT = 150

/** Returns the modules that a hull is fitted with, one entry each. */
export const fittedOf = (shipClass: number, bare: boolean): number[] =>
  bare ? [] : SHIP_CLASSES[shipClass].default_modules.map(itemIndex)

/** Returns the materials of a hull by good, ascending, default modules included. */
export function billOf(shipClass: number, bare: boolean): Held[] {
  const materials = SHIP_CLASSES[shipClass].build_materials
  return sumHeld([
    ...materials.map(({ item_id, quantity }) => ({ item: itemIndex(item_id), units: quantity })),
    ...fittedOf(shipClass, bare).map((item) => ({ item, units: 1 })),
  ])
}

/** Returns the worth of a unit to a yard, credits: its base value, at least 1. */
export const worthOf = (item: number): number => Math.max(1, GOODS[item].base_value)

/** Returns the highest price a yard pays for a unit, credits. */
export const priceLimit = (item: number): number => PRICE_FACTOR_MAX * worthOf(item)

/**
 * Returns the highest price a yard pays for a unit with the station's own credits. ours: lower than
 * `priceLimit`, since whoever commissions a ship could sell the yard overpriced goods, withdraw the
 * commission, and so empty the station's treasury.
 */
export const ownPriceLimit = (item: number): number =>
  mulDivFloor(worthOf(item), OWN_PRICE_PCT, 100)

/** Returns the base value of goods, credits. */
export const baseValueOf = (goods: readonly Held[]): number =>
  goods.reduce((sum, { item, units }) => sum + worthOf(item) * units, 0)

/** Returns the part of a bill that a stock does not cover. */
export function shortfall(bill: readonly Held[], stock: readonly Held[]): Held[] {
  const units = new Map(stock.map((held) => [held.item, held.units]))
  return bill
    .map((need) => ({ item: need.item, units: need.units - (units.get(need.item) ?? 0) }))
    .filter((need) => need.units > 0)
}

/** Renders the shortfall for the details of a refusal. */
export function missingDetails(bill: readonly Held[], stock: readonly Held[]) {
  const needed = new Map(bill.map(({ item, units }) => [item, units]))
  return shortfall(bill, stock).map(({ item, units }) => {
    const need = needed.get(item) ?? units
    return { item_id: GOODS[item].id, item_name: GOODS[item].name, need, have: need - units }
  })
}

/** Returns what the store of a faction has of a bill. */
export function storeStock(view: WorldView, place: StorePlace, bill: readonly Held[]): Held[] {
  const goods = storeContainer(view, place)
  if (goods === 0) return []
  return bill.map(({ item, units }) => ({
    item,
    units: Math.min(units, unitsIn(view, goods, item)),
  }))
}

/* Materials of a commission */

/** Returns the index into the column `goods` for the materials of a source. */
export const slotOf = (row: Row, source: MaterialSource): number =>
  row * MATERIAL_SOURCES.length + MATERIAL_SOURCES.indexOf(source)

/** Returns the container of the materials of a source; 0 if there are none. */
export const storeOf = (view: WorldView, row: Row, source: MaterialSource): Row =>
  view.read(Commission).goods[slotOf(row, source)]

/** Returns the materials of a source, by good. */
export function materialsOf(view: WorldView, row: Row, source: MaterialSource): Held[] {
  const store = storeOf(view, row, source)
  return store === 0 ? [] : contentsOf(view, store)
}

/** Returns the materials that a commission takes, by good. */
export function requiredOf(view: WorldView, row: Row): Held[] {
  const columns = view.read(Commission)
  return billOf(columns.class[row], columns.bare[row] === 1)
}

/** Returns the units gathered of a good, from all sources. */
export const gatheredUnits = (view: WorldView, row: Row, item: number): number =>
  MATERIAL_SOURCES.reduce((sum, source) => {
    const store = storeOf(view, row, source)
    return store === 0 ? sum : sum + unitsIn(view, store, item)
  }, 0)

/** Returns the units gathered of each required material, by good. */
export const gatheredOf = (view: WorldView, row: Row): Held[] =>
  requiredOf(view, row).map(({ item }) => ({ item, units: gatheredUnits(view, row, item) }))

/** Returns the units missing of each required material, by good. */
export const missingOf = (view: WorldView, row: Row): Held[] =>
  shortfall(requiredOf(view, row), gatheredOf(view, row))
