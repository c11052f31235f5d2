/**
 * What a hull takes and costs at a yard: bill of materials, prices, labour, time. Writes nothing.
 * Source: ships.md section 7.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, itemIndex, SHIP_CLASSES } from '../../core/catalog/index.ts'
import type { Held } from '../../core/goods.ts'
import { divCeil, mulDivFloor } from '../../core/math.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'

/** What the yard adds to the price of materials, and to the whole for itself, percent. */
export const MATERIAL_PCT = 110
const MARGIN_PCT = 10
/** A yard never pays more than so many times the base value. */
const PRICE_FACTOR_MAX = 4

/** Share of the build time by level of the yard, percent. */
const BUILD_TIME_PCT = [100, 85, 65, 45, 30] as const

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

export const worthOf = (item: number): number => Math.max(1, GOODS[item].base_value)

/** Most that a yard pays for a unit, credits. */
export const priceLimit = (item: number): number => PRICE_FACTOR_MAX * worthOf(item)

/** Credits of goods at base value. */
export const baseValueOf = (goods: readonly Held[]): number =>
  goods.reduce((sum, { item, units }) => sum + worthOf(item) * units, 0)

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
