/**
 * Builders of the recipe tables. A line names what goes in and what comes out as
 * `2 iron_ore > 1 iron_ingot`; the time follows from the value of the output.
 */
import { assert } from '../assert.ts'
import { goodOf } from './goods.ts'
import type { RecipeCategory, RecipeRow } from './industry-types.ts'
import { materialsOf } from './materials.ts'
import type { MaterialRow } from './types.ts'

type RecipeLine = readonly [
  id: string,
  name: string,
  formula: string,
  description: string,
  options?: RecipeOptions,
]

interface RecipeOptions {
  crafting_time?: number
  facility_only?: boolean
  no_recycle?: boolean
  hidden?: boolean
  fuel_output?: boolean
  package_operation?: 'pack' | 'unpack'
}

/** Minimum ticks of a run at speed 1. Source: crafting.md section 1. */
const TIME_MIN = 0.2
const TIME_MAX = 720
const VALUE_A_TICK = 50

/** Returns the base value of a list, credits. */
export const baseValueOf = (rows: readonly MaterialRow[]): number =>
  rows.reduce((sum, row) => sum + goodOf(row.item_id).base_value * row.quantity, 0)

/** Returns the time of a recipe, rounded to thousandths of a tick, in which rules count. */
function timeOf(outputs: readonly MaterialRow[]): number {
  const ticks = baseValueOf(outputs) / VALUE_A_TICK
  return Math.round(Math.min(TIME_MAX, Math.max(TIME_MIN, ticks)) * 1000) / 1000
}

/** Expands a line into a full recipe. */
export function recipe(
  category: RecipeCategory,
  [id, name, formula, description, options]: RecipeLine,
): RecipeRow {
  const [from, to, ...more] = formula.split('>')
  assert(from && to && more.length === 0, `catalog: not a formula: ${formula}`)
  const outputs = materialsOf(to)
  return {
    id,
    name,
    description,
    category,
    inputs: materialsOf(from),
    outputs,
    crafting_time: timeOf(outputs),
    ...options,
  }
}

/** Expands lines of one category into full recipes. */
export const recipes = (category: RecipeCategory, lines: readonly RecipeLine[]): RecipeRow[] =>
  lines.map((line) => recipe(category, line))
