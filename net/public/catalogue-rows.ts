/**
 * The body of items, with the recipes that produce and consume each. It changes only with a
 * release. WEB 1.2.
 */
import {
  FACILITIES,
  type FacilityRow,
  GOODS,
  goodOf,
  isModule,
  RECIPES,
  type RecipeRow,
  runsRecipe,
} from '../../core/catalog/index.ts'
import { ok } from '../../core/errors.ts'
import { type ItemsBody, itemsBody } from '../../core/public/world.ts'
import type { PublicRow } from './row.ts'

type Good = (typeof GOODS)[number]
type Item = ItemsBody['items'][string]
type Recipe = NonNullable<Item['produced_by']>[number]

const renderParts = (parts: RecipeRow['inputs']): Recipe['inputs'] =>
  parts.map(({ item_id, quantity }) => ({
    item_id,
    item_name: goodOf(item_id).name,
    quantity,
  }))

function renderRecipe(recipe: RecipeRow): Recipe {
  const runs = (type: FacilityRow) => !recipe.hidden && runsRecipe(type, recipe)
  const facilities = FACILITIES.filter(runs)
  return {
    recipe_id: recipe.id,
    recipe_name: recipe.name,
    recipe_category: recipe.category,
    crafting_time: Math.ceil(recipe.crafting_time),
    inputs: renderParts(recipe.inputs),
    outputs: renderParts(recipe.outputs),
    ...(facilities.length === 0
      ? {}
      : { facilities: facilities.map(({ id, name, level }) => ({ id, name, level })) }),
  }
}

/** Fields of a module that its item already has, or that are not figures. */
const NOT_OF_MODULE = ['id', 'type_id', 'name', 'description', 'size', 'base_value']

const figuresOf = (good: Good) =>
  Object.fromEntries(
    Object.entries(good).filter(
      ([name, value]) =>
        !NOT_OF_MODULE.includes(name) && (name === 'type' || typeof value === 'number'),
    ),
  )

interface Uses {
  readonly producers: Map<string, Recipe[]>
  readonly consumers: Map<string, Recipe[]>
}

function usesOf(): Uses {
  const uses: Uses = { producers: new Map(), consumers: new Map() }
  const add = (map: Map<string, Recipe[]>, id: string, recipe: Recipe) =>
    void map.set(id, [...(map.get(id) ?? []), recipe])
  for (const row of RECIPES) {
    if (row.hidden) continue
    const recipe = renderRecipe(row)
    for (const { item_id } of row.outputs) add(uses.producers, item_id, recipe)
    for (const { item_id } of row.inputs) add(uses.consumers, item_id, recipe)
  }
  return uses
}

function renderItem(good: Good, { producers, consumers }: Uses): Item {
  const { id, name, description, size, base_value } = good
  const producedBy = producers.get(id)
  const consumedBy = consumers.get(id)
  const lists = {
    ...(producedBy === undefined ? {} : { produced_by: producedBy }),
    ...(consumedBy === undefined ? {} : { consumed_by: consumedBy }),
  }
  const head = { id, name, description, size, base_value, ...lists }
  if (isModule(good)) {
    const tradeable = good.quest_item !== true
    const module = figuresOf(good)
    return { ...head, category: 'module', stackable: false, tradeable, module }
  }
  const { category, stackable, tradeable, rarity } = good
  return { ...head, category, stackable, tradeable, ...(rarity === undefined ? {} : { rarity }) }
}

function renderItems(): ItemsBody {
  const uses = usesOf()
  const shown = GOODS.filter((good) => !good.hidden)
  return { items: Object.fromEntries(shown.map((good) => [good.id, renderItem(good, uses)])) }
}

export const CATALOGUE_ROWS: readonly PublicRow[] = [
  {
    path: '/api/items',
    operationId: 'getItems',
    about: 'all items, with the recipes that produce and consume them; changed by releases only',
    cache: 'H',
    bucket: 'page',
    schema: itemsBody,
    source: 'timeless',
    body: () => ok(renderItems()),
  },
]
