/**
 * Recipes in the form that jobs use: goods by index, what a run takes, and what several runs give.
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
import type { Held } from '../../core/goods.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import { CRAFT, RECYCLE } from './state.ts'

interface Formula {
  readonly inputs: readonly Held[]
  readonly outputs: readonly Held[]
  readonly need: number
  /** Minimum labour cost of a run in a facility, credits. */
  readonly laborMin: number
  /** Experience for a run at a workshop. */
  readonly xp: number
  /** Experience in engineering in addition; 0 unless it makes components. */
  readonly engineeringXp: number
}

/** Share of the inputs that recycling returns, percent. */
const RECYCLED_PCT = 50
/**
 * Value of output for a point of experience, credits. ours: at the 8 of balance.md section 3 a
 * beginner at a workshop is as fast as the next tier after half a day.
 */
const CREDITS_PER_XP = 12
/** Experience in engineering for a run of a component, and value of output for one point more. */
const COMPONENT_XP = 5
const CREDITS_PER_ENGINEERING_XP = 40

/**
 * Labour takes at least this percentage of the value that a run adds, and leaves at most this many
 * credits of it in an hour at speed 1, rounded down, but at least one a run: a production line pays
 * for itself, but slowly. Source: balance.md section 4.
 */
const LABOR_PCT = 60
const NET_PER_HOUR_MAX = 1_600

/** Returns the minimum labour cost of a run, by the value that it adds and the work it needs. */
function laborOf(added: number, need: number): number {
  const net = Math.max(1, divFloor(need * NET_PER_HOUR_MAX, HOUR_TICKS * 1_000))
  return Math.max(0, divFloor(added * LABOR_PCT, 100), added - net)
}

const heldOf = (rows: readonly MaterialRow[]): readonly Held[] =>
  rows.map(({ item_id, quantity }) => {
    const item = itemIndex(item_id)
    assert(item >= 0, `recipes name the unknown item ${item_id}`)
    return { item, units: quantity }
  })

/** Returns the units of all goods together. */
export const countUnits = (rows: readonly Held[]): number =>
  rows.reduce((sum, { units }) => sum + units, 0)

/** Returns the base value of goods, credits. */
export const goodsValue = (rows: readonly Held[]): number =>
  rows.reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)

const FORMULAS: readonly Formula[] = RECIPES.map((row) => {
  const inputs = heldOf(row.inputs)
  const outputs = heldOf(row.outputs)
  const value = goodsValue(outputs)
  const added = Math.max(0, value - goodsValue(inputs))
  const need = recipeMilliTicks(row)
  return {
    inputs,
    outputs,
    need,
    laborMin: laborOf(added, need),
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

/** Recipes by the id of an item that they make, without hidden ones. */
const MAKERS = new Map<string, number[]>()
for (const [recipe, { hidden, outputs }] of RECIPES.entries()) {
  if (hidden === true) continue
  for (const { item_id } of outputs) MAKERS.set(item_id, [...(MAKERS.get(item_id) ?? []), recipe])
}

/** Returns the recipes that an id names: the one with that id, else those that make that item. */
export function recipesNamed(id: string): readonly number[] {
  const recipe = findRecipe(id)
  return recipe < 0 ? (MAKERS.get(id) ?? []) : [recipe]
}

export const recipeRow = (recipe: number): RecipeRow => RECIPES[recipe]
/** Returns the work of a run, thousandths of a tick at speed 1. */
export const needOf = (recipe: number): number => FORMULAS[recipe].need
/** Returns the minimum labour cost of a run in a facility, credits; only crafting has one. */
export const laborMinOf = (recipe: number, mode: number): number =>
  mode === CRAFT ? FORMULAS[recipe].laborMin : 0

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
  divCeil(quantity, FORMULAS[recipe].outputs[0].units)

/** Returns the skill that a workshop's speed depends on and trains. Source: crafting.md 1. */
export const skillOfRecipe = (recipe: number): 'refining' | 'crafting' =>
  RECIPES[recipe].category === 'refining' ? 'refining' : 'crafting'

/** Returns whether a job gives fuel, which is not a good but goes into a tank or bunker. */
export const makesFuel = (recipe: number, mode: number): boolean =>
  mode === CRAFT && recipeRow(recipe).fuel_output === true
