/**
 * A catalogue row as clients may see it: the fields that are ours alone are left out, so are empty
 * optional ones.
 */
import { FACILITIES, runsRecipe } from './facilities.ts'
import type { FacilityRow, RecipeRow } from './industry-types.ts'
import type { GoodRow, ShipClassRow, SkillRow } from './types.ts'

/** Known to the rules, absent from the published schemas. */
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

/** Arrays are shared with the frozen row; the object is new. */
export function wireEntry(row: GoodRow | ShipClassRow | SkillRow): Record<string, unknown> {
  const entry: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (INTERNAL.includes(name) || value === undefined) continue
    if (name === 'faction' && value === '') continue
    entry[name] = value
  }
  return entry
}

/** Returns a recipe with what runs it; `fuel_output` is the amount of fuel on the wire. */
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

/** Returns what the capacity of a type is called on the wire, where it has a name there. */
function capacityEntry(row: FacilityRow): Record<string, unknown> {
  if (row.faction_service_type === 'faction_fuel_bunker') return { fuel_capacity: row.capacity }
  if (row.ranch !== true) return {}
  return {
    ranch_capacity: row.capacity,
    max_species_tier: row.level,
    required_xenobiology: row.level,
  }
}

/** Returns a facility type; recipes are named where there is exactly one. */
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
