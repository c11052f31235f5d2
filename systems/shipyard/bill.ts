/**
 * What a hull takes and costs at a yard: bill of materials, prices, labour, time. Writes nothing.
 * Source: ships.md section 7.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, itemIndex, SHIP_CLASSES, type ShipClassRow } from '../../core/catalog/index.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import type { Held } from '../../core/goods.ts'
import { divCeil, mulDivCeil, mulDivFloor } from '../../core/math.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { ASK } from '../market/columns.ts'
import { bookOf } from '../market/purse-rules.ts'
import { bestPrice } from '../market/rules.ts'

/** What the yard adds to the price of materials, and to the whole for itself, percent. */
const MATERIAL_PCT = 110
const MARGIN_PCT = 10
/** A yard never pays more than so many times the base value. */
const PRICE_FACTOR_MAX = 4
/** Nor with the station's own credits more than this share of it, percent. */
const OWN_PRICE_PCT = 150
/** Share of the build time by level of the yard, percent. */
const BUILD_TIME_PCT = [100, 85, 65, 45, 30] as const

/** A hull that yards build to order: no starters, no pirates' hulls, nothing withdrawn. */
export function isBuildable(row: ShipClassRow): boolean {
  return row.shipyard_tier > 0 && !row.starter_ship && !row.legacy && row.category !== 'pirate'
}

/** Index of a class by id or name, of hulls players may have. Refusal: unknown_class. */
export function findClass(text: string): Outcome<number> {
  const wanted = text.trim().toLowerCase()
  const byId = SHIP_CLASSES.findIndex((row) => row.id === wanted)
  const found =
    byId >= 0 ? byId : SHIP_CLASSES.findIndex((row) => row.name.toLowerCase() === wanted)
  return found < 0 ? fail('unknown_class', { ship_class: text }) : ok(found)
}

/** As `findClass`, of hulls that yards build. Refusal: unknown_class. */
export function findBuildable(text: string): Outcome<number> {
  const found = findClass(text)
  if (!found.ok || isBuildable(SHIP_CLASSES[found.result])) return found
  return fail('unknown_class', { ship_class: text }, 'No yard builds ships of this class.')
}

/** Materials of a hull by good, ascending; default modules are among them unless it is bare. */
export function billOf(shipClass: number, bare: boolean): Held[] {
  const { build_materials, default_modules } = SHIP_CLASSES[shipClass]
  const units = new Map<number, number>()
  const add = (id: string, n: number) =>
    units.set(itemIndex(id), (units.get(itemIndex(id)) ?? 0) + n)
  for (const { item_id, quantity } of build_materials) add(item_id, quantity)
  if (!bare) for (const id of default_modules) add(id, 1)
  return [...units].map(([item, n]) => ({ item, units: n })).sort((a, b) => a.item - b.item)
}

/** Goods among a bill that are modules fitted by default, by good. */
export function fittedOf(shipClass: number, bare: boolean): number[] {
  return bare ? [] : SHIP_CLASSES[shipClass].default_modules.map(itemIndex)
}

const worthOf = (item: number): number => Math.max(1, GOODS[item].base_value)

/** Most that a yard pays for a unit, credits. */
export const priceLimit = (item: number): number => PRICE_FACTOR_MAX * worthOf(item)

/**
 * As `priceLimit`, of a yard that buys with the station's own credits. ours: the order it builds for
 * can be withdrawn, so goods put up at any price by who placed it would empty the station's purse.
 */
export const ownPriceLimit = (item: number): number =>
  mulDivFloor(worthOf(item), OWN_PRICE_PCT, 100)

/** Credits of goods at base value. */
export const baseValueOf = (goods: readonly Held[]): number =>
  goods.reduce((sum, { item, units }) => sum + worthOf(item) * units, 0)

/** What the yard reckons a unit at: the station's best ask, within its bounds. */
function unitPrice(view: WorldView, base: Eid, item: number): number {
  const book = bookOf(view, base, item)
  const ask = book === 0 ? 0 : bestPrice(view, book, ASK)
  return Math.max(worthOf(item), Math.min(ask, priceLimit(item)))
}

/** Credits the yard asks for materials, before they are bought. */
export function materialCost(view: WorldView, base: Eid, goods: readonly Held[]): number {
  const sum = goods.reduce((total, { item, units }) => {
    return total + unitPrice(view, base, item) * units
  }, 0)
  return mulDivCeil(sum, MATERIAL_PCT, 100)
}

/** Credits of labour. */
export function laborCost(shipClass: number): number {
  const { build_time, tier } = SHIP_CLASSES[shipClass]
  return build_time * (5 * tier + 5)
}

/** What the yard itself earns of materials and labour, credits. */
export const marginOf = (material: number, labor: number): number =>
  mulDivFloor(material + labor, MARGIN_PCT, 100)

export const levelOfYard = (view: WorldView, base: Eid): number => {
  const level = view.read(Base).level[base]
  assert(level >= 1 && level <= BUILD_TIME_PCT.length, `base ${base} has level ${level}`)
  return level
}

/** Ticks a hull is in the bay. */
export function buildTicks(view: WorldView, base: Eid, shipClass: number): number {
  const pct = BUILD_TIME_PCT[levelOfYard(view, base) - 1]
  return Math.max(1, divCeil(SHIP_CLASSES[shipClass].build_time * pct, 100))
}

/** Price of a whole hull at base values, the yard's part included: what a showroom asks. */
export function showroomPrice(shipClass: number): number {
  const material = mulDivCeil(baseValueOf(billOf(shipClass, false)), MATERIAL_PCT, 100)
  const labor = laborCost(shipClass)
  return material + labor + marginOf(material, labor)
}
