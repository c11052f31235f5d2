/**
 * Recipes as jobs use them: items by number, what a run takes and what so many runs give.
 * Source: crafting.md sections 1, 4.
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
import { divFloor } from '../../core/math.ts'
import { CRAFT, RECYCLE } from './columns.ts'

export interface Units {
  /** Index into GOODS. */
  readonly item: number
  readonly units: number
}

interface Formula {
  readonly inputs: readonly Units[]
  readonly outputs: readonly Units[]
  readonly need: number
  /** Experience a run is worth at a workshop. */
  readonly xp: number
}

/** What recycling gives back of the inputs, in percent. Source: crafting.md section 4. */
export const RECYCLED_PCT = 50
/** Credits of output for a point of experience. Source: crafting.md section 2. */
const CREDITS_PER_XP = 20

const unitsOf = (rows: readonly MaterialRow[]): readonly Units[] =>
  rows.map(({ item_id, quantity }) => {
    const item = itemIndex(item_id)
    assert(item >= 0, `recipes name the unknown item ${item_id}`)
    return { item, units: quantity }
  })

export const countUnits = (rows: readonly Units[]): number =>
  rows.reduce((sum, { units }) => sum + units, 0)

/** Base value of goods, credits. */
export const goodsValue = (rows: readonly Units[]): number =>
  rows.reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)

const FORMULAS: readonly Formula[] = RECIPES.map((row) => {
  const outputs = unitsOf(row.outputs)
  const xp = Math.max(1, divFloor(goodsValue(outputs), CREDITS_PER_XP))
  return { inputs: unitsOf(row.inputs), outputs, need: recipeMilliTicks(row), xp }
})

/** Index of a recipe by id, not hidden ones; -1 when there is none. */
export function findRecipe(id: string): number {
  const index = recipeIndex(id)
  return index < 0 || RECIPES[index].hidden === true ? -1 : index
}

export const recipeRow = (recipe: number): RecipeRow => RECIPES[recipe]
export const needOf = (recipe: number): number => FORMULAS[recipe].need
export const xpOfRun = (recipe: number): number => FORMULAS[recipe].xp

const NOTHING: readonly Units[] = []

/** What a run takes: inputs, or, where it recycles, the outputs. Packing follows no recipe. */
export function takenBy(recipe: number, mode: number): readonly Units[] {
  if (mode !== CRAFT && mode !== RECYCLE) return NOTHING
  return mode === RECYCLE ? FORMULAS[recipe].outputs : FORMULAS[recipe].inputs
}

/** What the runs after the first `done` give, `runs` of them; rounding is by the whole job. */
export function givenBy(recipe: number, mode: number, done: number, runs: number): Units[] {
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

/** Runs that give so many units of the first output. Source: crafting.md section 2. */
export const runsFor = (recipe: number, quantity: number): number =>
  Math.ceil(quantity / FORMULAS[recipe].outputs[0].units)

/** Skill that a workshop's speed and experience come from. Source: crafting.md section 1. */
export const skillOfRecipe = (recipe: number): 'refining' | 'crafting' =>
  RECIPES[recipe].category === 'refining' ? 'refining' : 'crafting'
