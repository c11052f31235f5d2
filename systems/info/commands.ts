/**
 * Commands about the registry or a session, which run on the main thread: help, the list of
 * commands, the notification queue. Net implements them by name. Also the context of a single
 * catalogue entry.
 */
import {
  FACILITIES,
  goodOf,
  isModule,
  type MaterialRow,
  RECIPES,
  type RecipeRow,
  recipeEntry,
  recipeIndex,
  recipeOf,
  runsRecipe,
  shipClassOf,
} from '../../core/catalog/index.ts'
import { session } from '../../core/command.ts'
import { addToList } from '../../core/groups.ts'
import { NOTIFICATIONS_MAX } from '../../core/limits.ts'
import { divCeil, mulDivFloor } from '../../core/math.ts'
import {
  bool,
  bools,
  int,
  ints,
  list,
  NO_PARAMS,
  obj,
  opt,
  optional,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import type { CatalogType } from './model.ts'

/* Context of a single catalogue entry: its ingredients, its producers and its cost. */

const PUBLISHED_RECIPES: readonly RecipeRow[] = RECIPES.filter((row) => !row.hidden)

function makersByItem(): Map<string, RecipeRow[]> {
  const makers = new Map<string, RecipeRow[]>()
  for (const row of PUBLISHED_RECIPES) {
    const item = row.outputs[0]!.item_id
    addToList(makers, item, row)
  }
  return makers
}

/** Recipes by their first output, in the order of the table; the first is the usual one. */
const MAKERS: ReadonlyMap<string, readonly RecipeRow[]> = makersByItem()

const baseValueOf = (rows: readonly MaterialRow[]): number =>
  rows.reduce((sum, row) => sum + goodOf(row.item_id).base_value * row.quantity, 0)

/** Steps of production up to an item; 0 for raw materials. Chains have no cycles (tested). */
const DEPTHS = new Map<string, number>()
function depthOf(item: string): number {
  const known = DEPTHS.get(item)
  if (known !== undefined) return known
  const inputs = MAKERS.get(item)?.[0]?.inputs ?? []
  const depth = inputs.reduce((max, part) => Math.max(max, 1 + depthOf(part.item_id)), 0)
  DEPTHS.set(item, depth)
  return depth
}

const renderMaterial = ({ item_id, quantity }: MaterialRow) => ({
  item_id,
  name: goodOf(item_id).name,
  quantity,
})

function stepOf(row: RecipeRow, batches: number) {
  const { item_id, quantity } = row.outputs[0]!
  return {
    recipe_id: row.id,
    name: row.name,
    output: item_id,
    output_qty: quantity * batches,
    batches,
    inputs: row.inputs.map((part) =>
      renderMaterial({ ...part, quantity: part.quantity * batches }),
    ),
  }
}

/** Returns alternative recipes of the goods, with the share of the input value that they keep. */
function alternatesOf(items: readonly string[]) {
  const found: [string, { recipe_id: string; name: string; efficiency: string }[]][] = []
  for (const item of items) {
    const others = (MAKERS.get(item) ?? []).slice(1)
    if (others.length === 0) continue
    const rows = others.map((row) => {
      const percent = mulDivFloor(baseValueOf(row.outputs), 100, baseValueOf(row.inputs))
      return { recipe_id: row.id, name: row.name, efficiency: `${percent} %` }
    })
    found.push([item, rows])
  }
  return found.length > 0 ? { alternates: Object.fromEntries(found) } : {}
}

/** Analyses one run, step by step from the raw materials. Source: contract (RecipeAnalysis). */
function analysisOf(recipe: RecipeRow) {
  const needs = new Map<string, number>()
  const steps = [stepOf(recipe, 1)]
  const add = (parts: readonly MaterialRow[]) => {
    for (const { item_id, quantity } of parts) {
      needs.set(item_id, (needs.get(item_id) ?? 0) + quantity)
    }
  }
  add(recipe.inputs)
  const raw: { item_id: string; name: string; category: string; quantity: number }[] = []
  const items: string[] = []
  while (needs.size > 0) {
    const item = [...needs.keys()].reduce((a, b) => (depthOf(b) > depthOf(a) ? b : a))
    const quantity = needs.get(item)!
    needs.delete(item)
    items.push(item)
    const maker = MAKERS.get(item)?.[0]
    if (maker) {
      const batches = divCeil(quantity, maker.outputs[0]!.quantity)
      const step = stepOf(maker, batches)
      steps.push(step)
      add(step.inputs)
      continue
    }
    const good = goodOf(item)
    const category = isModule(good) ? good.type : good.category
    raw.push({ ...renderMaterial({ item_id: item, quantity }), category })
  }
  return { raw_materials: raw, steps: steps.reverse(), ...alternatesOf(items) }
}

/** Returns the facility types that run a recipe. */
function facilitiesFor(recipe: RecipeRow) {
  return FACILITIES.filter((type) => runsRecipe(type, recipe)).map(({ id, name, level }) => ({
    definition_id: id,
    name,
    level,
  }))
}

/** Returns what the page of a single entry shows besides it. Source: contract (CatalogResponse). */
export function contextOf(type: CatalogType, id: string): Record<string, unknown> {
  if (type === 'recipes' && recipeIndex(id) >= 0) {
    const recipe = recipeOf(id)
    return {
      analysis: analysisOf(recipe),
      estimated_material_cost: baseValueOf(recipe.inputs),
      produced_by_facilities: facilitiesFor(recipe),
    }
  }
  if (type === 'items') {
    const recipes = PUBLISHED_RECIPES.filter((row) =>
      row.outputs.some((part) => part.item_id === id),
    )
    return recipes.length > 0 ? { recipes: recipes.map(recipeEntry) } : {}
  }
  if (type === 'ships')
    return { estimated_material_cost: baseValueOf(shipClassOf(id).build_materials) }
  return {}
}

const commandInfo = {
  ...strings('name', 'description', 'format', 'category'),
  ...bools('is_mutation', 'requires_auth'),
}

export const help = session({
  name: 'help',
  v2: { tool: 'game', action: 'help' },
  summary: 'Explains a command or a category, or searches for the given words.',
  category: 'info',
  open: true,
  params: obj({
    topic: optional(str('Command, category or words to search for.', { example: 'mine' })),
  }),
  result: obj({
    ...strings('description'),
    ...opt({
      ...strings('topic'),
      commands: list(
        obj({
          ...commandInfo,
          ...opt({
            ...strings('notes'),
            params: list(
              obj({
                ...strings('name', 'type'),
                ...bools('required'),
                ...opt(strings('description', 'v1_name')),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
  errors: ['topic_not_found'],
})

/** Defines the flat list of v1. */
export const getCommands = session({
  name: 'get_commands',
  summary: 'Lists every command.',
  category: 'info',
  open: true,
  params: NO_PARAMS,
  result: obj({ commands: list(obj({ ...commandInfo, ...strings('notes') })) }),
  errors: [],
})

/** Defines the list of v2: every tool and action. Source: social.md section 9. */
export const getActions = session({
  name: 'get_commands',
  v1: false,
  v2: { tool: 'game', action: 'get_commands' },
  summary: 'Lists every action of every tool.',
  category: 'info',
  open: true,
  params: NO_PARAMS,
  result: obj({
    actions: list(
      obj({
        ...strings('tool', 'action', 'endpoint'),
        ...opt({ ...strings('description', 'v1_name'), ...bools('is_mutation') }),
      }),
    ),
  }),
  errors: [],
})

const QUEUE_TYPES = [
  'chat',
  'combat',
  'trade',
  'market',
  'observation',
  'crafting',
  'faction',
  'system',
]

export const getNotifications = session({
  name: 'get_notifications',
  v2: { tool: 'game', action: 'get_notifications' },
  summary: 'Takes the notifications since the last call, oldest first; HTTP and MCP only.',
  category: 'info',
  params: obj({
    clear: optional(bool('False leaves the notifications shown in the queue.')),
    limit: optional(
      int(`Notifications wanted, at most ${NOTIFICATIONS_MAX}; 50 by default.`, {
        min: 1,
        max: NOTIFICATIONS_MAX,
        example: 50,
      }),
    ),
    types: optional(
      Type.Array(str('A type.', { min: 1, max: 64, example: 'chat' }), {
        description: `Only these types; others stay queued: ${QUEUE_TYPES.join(', ')}.`,
        maxItems: 16,
        examples: [['chat']],
      }),
    ),
  }),
  result: obj({
    ...ints('count', 'remaining', 'current_tick', 'timestamp'),
    notifications: list(
      obj({
        ...strings('id', 'type', 'msg_type', 'timestamp'),
        data: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
    // Part of the contract, but never set: reads are not throttled here.
    ...opt({ ...bools('throttled'), ...ints('retry_after') }),
    ...opt({ ...ints('dropped'), ...strings('message') }),
  }),
  errors: ['not_available_on_websocket'],
})
