/**
 * Catalogue rows as clients may see them: internal fields and empty optional ones are left out.
 */
import { FACILITIES, runsRecipe } from './facilities.ts'
import type { FacilityRow, RecipeRow } from './industry-types.ts'
import type { GoodRow, ShipClassRow, SkillRow } from './types.ts'

/** Fields that rules read and that are not in the published schemas. */
const INTERNAL: readonly string[] = [
  'mining_family',
  'crew_capacity_bonus',
  'marine_capacity_bonus',
  'marine_combat_bonus',
  'crew_combat_bonus',
  'latch_strength',
  'adaptive_resistance',
  'latch_resistance_bonus',
  'boarding_defense_bonus',
  'fleet_triage_pct',
  'prerequisites',
]

/** Returns the wire entry of a row: a new object, whose arrays are shared with the frozen row. */
export function wireEntry(row: GoodRow | ShipClassRow | SkillRow): Record<string, unknown> {
  const entry: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (INTERNAL.includes(name) || value === undefined) continue
    if (name === 'faction' && value === '') continue
    entry[name] = value
  }
  return entry
}

/** Returns the wire entry of a recipe, with what runs it; `fuel_output` is an amount there. */
export function recipeEntry(recipe: RecipeRow): Record<string, unknown> {
  const { fuel_output, ...row } = recipe
  const makers = FACILITIES.filter((type) => runsRecipe(type, recipe))
  return {
    ...row,
    hand_craftable: row.facility_only !== true,
    produced_by_facility_ids: makers.map(({ id }) => id),
    ...(fuel_output ? { fuel_output: row.outputs[0]!.quantity } : {}),
  }
}

/** Returns the capacity of a type under its wire name, if it has one. */
function capacityEntry(row: FacilityRow): Record<string, unknown> {
  if (row.faction_service_type === 'faction_fuel_bunker') return { fuel_capacity: row.capacity }
  if (row.ranch !== true) return {}
  return {
    ranch_capacity: row.capacity,
    max_species_tier: row.level,
    required_xenobiology: row.level,
  }
}

/** Returns the wire entry of a facility type; a recipe is named if there is exactly one. */
export function facilityEntry(row: FacilityRow): Record<string, unknown> {
  const { service, capacity: _, recipe_categories, recipe_ids = [], ranch, ...rest } = row
  return {
    ...rest,
    always_on: row.always_on ?? false,
    ...(service === undefined ? {} : { service_type: service }),
    ...(recipe_ids.length === 1 ? { recipe_id: recipe_ids[0] } : {}),
    ...capacityEntry(row),
  }
}
