/**
 * Recipes as jobs use them: items by number, what a run takes and what so many runs give. Source:
 * crafting.md sections 1, 4.
 */
import { assert } from '../../core/assert.ts'
import {
  GOODS,
  itemIndex,
  type MaterialRow,
  RECIPES,
  type RecipeRow,
  recipeIndex,
  recipeMilliTicks,
} from '../../core/catalog/index.ts'
import type { Held } from '../../core/goods.ts'
import { divFloor } from '../../core/math.ts'
import { CRAFT, RECYCLE } from './state.ts'

interface Formula {
  readonly inputs: readonly Held[]
  readonly outputs: readonly Held[]
  readonly need: number
  /** Experience for a run at a workshop. */
  readonly xp: number
  /** Experience in engineering besides; 0 unless it makes components. */
  readonly engineeringXp: number
}

/** Share of the inputs that recycling gives back, percent. */
const RECYCLED_PCT = 50
/** Value of output for a point of experience, credits. Source: balance.md section 3. */
const CREDITS_PER_XP = 8
/** Experience in engineering for a run of a component, and value of output for one point more. */
const COMPONENT_XP = 5
const CREDITS_PER_ENGINEERING_XP = 40

const heldOf = (rows: readonly MaterialRow[]): readonly Held[] =>
  rows.map(({ item_id, quantity }) => {
    const item = itemIndex(item_id)
    assert(item >= 0, `recipes name the unknown item ${item_id}`)
    return { item, units: quantity }
  })

export const countUnits = (rows: readonly Held[]): number =>
  rows.reduce((sum, { units }) => sum + units, 0)

/** Returns the base value of goods, credits. */
export const goodsValue = (rows: readonly Held[]): number =>
  rows.reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)

const FORMULAS: readonly Formula[] = RECIPES.map((row) => {
  const outputs = heldOf(row.outputs)
  const value = goodsValue(outputs)
  return {
    inputs: heldOf(row.inputs),
    outputs,
    need: recipeMilliTicks(row),
    xp: Math.max(1, divFloor(value, CREDITS_PER_XP)),
    engineeringXp:
      row.category === 'components'
        ? COMPONENT_XP + divFloor(value, CREDITS_PER_ENGINEERING_XP)
        : 0,
  }
})

/** Returns the index of a recipe that is not hidden; -1 when there is none. */
export function findRecipe(id: string): number {
  const index = recipeIndex(id)
  return index < 0 || RECIPES[index].hidden === true ? -1 : index
}

export const recipeRow = (recipe: number): RecipeRow => RECIPES[recipe]
export const needOf = (recipe: number): number => FORMULAS[recipe].need
export const xpOfRun = (recipe: number): number => FORMULAS[recipe].xp
export const engineeringXpOfRun = (recipe: number): number => FORMULAS[recipe].engineeringXp

/** Returns what a run takes: recycling takes the outputs, packing follows no recipe. */
export function takenBy(recipe: number, mode: number): readonly Held[] {
  if (mode === CRAFT) return FORMULAS[recipe].inputs
  return mode === RECYCLE ? FORMULAS[recipe].outputs : []
}

/** Returns what `runs` runs after the first `done` give; rounding is by the whole job. */
export function givenBy(recipe: number, mode: number, done: number, runs: number): Held[] {
  const { inputs, outputs } = FORMULAS[recipe]
  if (mode === CRAFT) return outputs.map(({ item, units }) => ({ item, units: units * runs }))
  if (mode !== RECYCLE) return []
  return inputs
    .map(({ item, units }) => ({
      item,
      units:
        divFloor(units * (done + runs) * RECYCLED_PCT, 100) -
        divFloor(units * done * RECYCLED_PCT, 100),
    }))
    .filter(({ units }) => units > 0)
}

/** Returns the runs that a quantity of the first output takes. Source: crafting.md section 2. */
export const runsFor = (recipe: number, quantity: number): number =>
  Math.ceil(quantity / FORMULAS[recipe].outputs[0].units)

/** Returns the skill that a workshop's speed depends on and trains. Source: crafting.md 1. */
export const skillOfRecipe = (recipe: number): 'refining' | 'crafting' =>
  RECIPES[recipe].category === 'refining' ? 'refining' : 'crafting'

/** Tells whether a job gives fuel, which is no good but goes into a tank or bunker. */
export const makesFuel = (recipe: number, mode: number): boolean =>
  mode === CRAFT && recipeRow(recipe).fuel_output === true
