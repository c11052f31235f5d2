/**
 * The essentials: what hulls up to tier 2 are built and supplied with, and all that goes into it,
 * down to raw materials. Stations make sure that none of it runs out. Source: balance.md section 4.
 */
import { assert } from '../assert.ts'
import { CREATURES } from './creatures.ts'
import { EMPIRE_IDS } from './empires.ts'
import { deepFreeze } from './freeze.ts'
import { GOODS, isModule } from './goods.ts'
import type { RecipeRow } from './industry-types.ts'
import { RECIPES } from './recipes.ts'
import { ORES } from './regions.ts'
import { SHIP_CLASSES } from './ships.ts'

/** Highest tier of hulls whose needs are essential. */
const TIER_MAX = 2
/** Ammunition and consumables for them: what stations up to level 3 sell. */
const SUPPLIES: readonly string[] = [
  'fuel_cell',
  'premium_fuel_cell',
  'repair_kit',
  'advanced_repair_kit',
  'hull_patch',
  'shield_cell',
  'autocannon_rounds',
  'seeker_missiles',
  'rations',
  'purified_water',
  'medical_supplies',
]
/** How many capitals keep each essential, with all that it is made of. */
const KEEPERS = 2

/** How the facilities of a station make a good. */
interface Making {
  readonly recipe: RecipeRow
  /** Length of the chain of recipes from raw materials to this one, at least 1. */
  readonly depth: number
}

/** Returns how each good is made, by the recipe that needs the fewest others before it. */
function findMakings(): Map<string, Making> {
  const depths = new Map<string, number>()
  for (const row of GOODS) {
    const isFound = !isModule(row) && (row.extracted_by !== undefined || row.category === 'salvage')
    if (isFound) depths.set(row.id, 0)
  }
  for (const { drops } of CREATURES) {
    for (const { items } of drops) for (const id of items) depths.set(id, 0)
  }
  const makings = new Map<string, Making>()
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false
    for (const recipe of RECIPES) {
      const inputs = recipe.inputs.map(({ item_id }) => depths.get(item_id) ?? -1)
      if (recipe.hidden || recipe.fuel_output || inputs.includes(-1)) continue
      for (const { item_id } of recipe.outputs) {
        if (depths.has(item_id)) continue
        const depth = 1 + Math.max(0, ...inputs)
        depths.set(item_id, depth)
        makings.set(item_id, { recipe, depth })
        hasGrown = true
      }
    }
  }
  return makings
}

/** How each good is made, by its id; goods that cannot be made are absent. */
export const MAKINGS: ReadonlyMap<string, Making> = findMakings()

/** Returns goods with all that they are made of, each once. */
export function chainOf(ids: readonly string[]): string[] {
  const chain = new Set<string>(ids)
  for (const id of chain) {
    for (const { item_id } of MAKINGS.get(id)?.recipe.inputs ?? []) chain.add(item_id)
  }
  return [...chain]
}

const HULLS = SHIP_CLASSES.filter(({ hidden, tier }) => !hidden && tier <= TIER_MAX)

/** Materials and default modules of those hulls, which every capital keeps for its shipyard. */
export const YARD_PARTS: readonly string[] = deepFreeze([
  ...new Set([
    ...HULLS.flatMap(({ build_materials }) => build_materials.map(({ item_id }) => item_id)),
    ...HULLS.flatMap(({ default_modules }) => default_modules),
  ]),
])

export const ESSENTIALS: readonly string[] = deepFreeze(chainOf([...YARD_PARTS, ...SUPPLIES]))

const isDugIn = (table: string, id: string): boolean =>
  Object.values(ORES[table] ?? {}).some((ores) => ores.includes(id))

/**
 * Assigns essentials to the capital of each empire: all parts for shipyards, and the chains of some
 * of them, so that each is made where most of its ores are mined and no capital keeps much more
 * than another.
 */
function assignShares(): Map<string, Set<string>> {
  const shares = new Map<string, Set<string>>(
    EMPIRE_IDS.map((empire) => [empire, new Set([...YARD_PARTS, ...SUPPLIES])]),
  )
  for (const id of [...YARD_PARTS, ...SUPPLIES]) {
    const chain = chainOf([id])
    const ranked = EMPIRE_IDS.map((empire, order) => {
      const share = shares.get(empire)
      assert(share, `${empire} has no share`)
      const dug = chain.filter((part) => isDugIn(empire, part)).length
      return { share, dug, size: share.size, order }
    })
    ranked.sort((a, b) => b.dug - a.dug || a.size - b.size || a.order - b.order)
    for (const { share } of ranked.slice(0, KEEPERS)) for (const part of chain) share.add(part)
  }
  return shares
}

const SHARES = assignShares()

/** Returns the essentials that the capital of an empire keeps. */
export const essentialsAt = (empire: string): ReadonlySet<string> => SHARES.get(empire) ?? new Set()
