/**
 * Works out what can be made at all: from goods that are mined, hunted, salvaged or kept in supply
 * by the stations, recipe by recipe, up to the hulls and the stations themselves.
 */
import {
  CREATURES,
  FACILITIES,
  GOODS,
  isModule,
  RECIPES,
  type RecipeRow,
  SHIP_CLASSES,
} from '../../core/catalog/index.ts'
import type { GalaxyPlan } from '../../core/catalog/types.ts'

/** Goods from wrecks, hulks and the yards that break them. Source: salvage.md sections 2 and 5. */
const SALVAGED = GOODS.filter((row) => !isModule(row) && row.category === 'salvage')

type Origin = 'dug' | 'hunted' | 'salvaged' | 'supplied' | 'made'

interface Reached {
  readonly origin: Origin
  /** Recipes that lead to the good, one after another; 0 for what is found. */
  readonly depth: number
  readonly recipe?: RecipeRow
}

interface Reach {
  readonly reached: ReadonlyMap<string, Reached>
  /** Goods out of reach, each with the list that requires it. */
  readonly missing: readonly string[]
  readonly counts: Readonly<Record<Origin, number>>
  /** The longest chain, from the raw good to the product. */
  readonly deepest: readonly string[]
  readonly recipes: number
}

function sourcesOf(plan: GalaxyPlan): Map<string, Reached> {
  const reached = new Map<string, Reached>()
  const add = (id: string, origin: Origin) => {
    if (!reached.has(id)) reached.set(id, { origin, depth: 0 })
  }
  const pois = plan.systems.flatMap((system) => system.pois)
  for (const poi of pois) for (const { item } of poi.deposits) add(item, 'dug')
  for (const row of CREATURES) {
    for (const drop of row.drops) for (const item of drop.items) add(item, 'hunted')
  }
  for (const row of SALVAGED) add(row.id, 'salvaged')
  const managed = pois.flatMap((poi) => poi.base?.managed ?? [])
  for (const row of managed) if (row.supply) add(row.item, 'supplied')
  return reached
}

/** Applies all recipes whose inputs are reached, until none adds a good. */
function closure(reached: Map<string, Reached>): void {
  for (let grew = true; grew; ) {
    grew = false
    for (const recipe of RECIPES) {
      if (recipe.hidden) continue
      const inputs = recipe.inputs.map((row) => reached.get(row.item_id))
      if (inputs.some((row) => row === undefined)) continue
      const depth = 1 + Math.max(...inputs.map((row) => row?.depth ?? 0))
      for (const { item_id } of recipe.outputs) {
        if (reached.has(item_id)) continue
        reached.set(item_id, { origin: 'made', depth, recipe })
        grew = true
      }
    }
  }
}

function chainTo(reached: ReadonlyMap<string, Reached>, id: string): string[] {
  const entry = reached.get(id)
  if (!entry?.recipe) return [id]
  const parts = entry.recipe.inputs.map((row) => row.item_id)
  const depth = (part: string) => reached.get(part)?.depth ?? 0
  const next = parts.reduce((a, b) => (depth(b) > depth(a) ? b : a))
  return [...chainTo(reached, next), id]
}

/** A list of materials: what it is for, and its goods. */
type MaterialList = [string, readonly { item_id: string }[]]

/** Returns every good that a list of materials requires, with the name of the list. */
function wanted(): [string, string][] {
  const lists: MaterialList[] = [
    ...RECIPES.filter((row) => !row.hidden).map(
      (row): MaterialList => [`recipe ${row.id}`, [...row.inputs, ...row.outputs]],
    ),
    ...SHIP_CLASSES.map((row): MaterialList => [`hull ${row.id}`, row.build_materials]),
    ...FACILITIES.map(
      (row): MaterialList => [
        `facility ${row.id}`,
        [...row.build_materials, ...row.maintenance_inputs],
      ],
    ),
  ]
  const modules = GOODS.filter((row) => isModule(row) && !row.hidden)
  return [
    ...lists.flatMap(([from, rows]) => rows.map((row): [string, string] => [row.item_id, from])),
    ...modules.map((row): [string, string] => [row.id, 'the modules']),
  ]
}

/**
 * Computes what can be reached. `without` names goods that nobody finds, to test that their lack is
 * reported.
 */
export function reachOf(plan: GalaxyPlan, without: readonly string[] = []): Reach {
  const reached = sourcesOf(plan)
  for (const id of without) reached.delete(id)
  closure(reached)
  const missing = wanted().flatMap(([id, from]) => (reached.has(id) ? [] : [`${id} for ${from}`]))
  const counts = { dug: 0, hunted: 0, salvaged: 0, supplied: 0, made: 0 }
  let deepest = ''
  for (const [id, { origin, depth }] of reached) {
    counts[origin]++
    if (depth > (reached.get(deepest)?.depth ?? -1)) deepest = id
  }
  return {
    reached,
    missing,
    counts,
    deepest: chainTo(reached, deepest),
    recipes: RECIPES.filter((row) => !row.hidden).length,
  }
}
