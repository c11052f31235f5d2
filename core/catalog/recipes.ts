/** The recipe table, in the order that columns rely on: append at the end only. */
import { assert } from '../assert.ts'
import { deepFreeze } from './freeze.ts'
import type { RecipeRow } from './industry-types.ts'
import { ARMS_RECIPES } from './recipes-arms.ts'
import { BUILD_RECIPES } from './recipes-builds.ts'
import { DEEP_RECIPES } from './recipes-deep.ts'
import { LUXURY_RECIPES } from './recipes-luxury.ts'
import { MODULE_RECIPES } from './recipes-modules.ts'
import { PART_RECIPES } from './recipes-parts.ts'
import { REFINING_RECIPES } from './recipes-refining.ts'
import { STOCK_RECIPES } from './recipes-stock.ts'
import { SUPPLY_RECIPES } from './recipes-supply.ts'
import { TABLE_RECIPES } from './recipes-table.ts'
import { TRADE_RECIPES } from './recipes-trade.ts'

export const RECIPES: readonly RecipeRow[] = deepFreeze([
  ...REFINING_RECIPES,
  ...PART_RECIPES,
  ...STOCK_RECIPES,
  ...DEEP_RECIPES,
  ...TRADE_RECIPES,
  ...LUXURY_RECIPES,
  ...TABLE_RECIPES,
  ...SUPPLY_RECIPES,
  ...ARMS_RECIPES,
  ...BUILD_RECIPES,
  ...MODULE_RECIPES,
])

const INDEX = new Map(RECIPES.map((row, index) => [row.id, index]))

/** Returns the index into RECIPES; -1 when unknown. */
export const recipeIndex = (id: string): number => INDEX.get(id) ?? -1

/** Returns the row of an id that code or data names; asserts that it exists. */
export function recipeOf(id: string): RecipeRow {
  const row = RECIPES[recipeIndex(id)]
  assert(row, `catalog: no recipe ${id}`)
  return row
}

/**
 * Returns the work of a run in thousandths of a tick at speed 1, at least 1. Source: crafting.md
 * section 1.
 */
export const recipeMilliTicks = (row: RecipeRow): number =>
  Math.max(1, Math.round(row.crafting_time * 1000))
