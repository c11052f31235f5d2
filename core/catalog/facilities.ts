/** The facility types. Columns hold indexes into them, so append at the end only. */
import { assert } from '../assert.ts'
import { FACTION_FACILITIES, SHELF_FACILITIES } from './facilities-faction.ts'
import { PEOPLE_FACILITIES } from './facilities-people.ts'
import { STATION_FACILITIES } from './facilities-station.ts'
import { WORKS_FACILITIES } from './facilities-works.ts'
import { deepFreeze } from './freeze.ts'
import type { FacilityRow, RecipeRow } from './industry-types.ts'

export const FACILITIES: readonly FacilityRow[] = deepFreeze([
  ...PEOPLE_FACILITIES,
  ...STATION_FACILITIES,
  ...FACTION_FACILITIES,
  ...WORKS_FACILITIES,
  ...SHELF_FACILITIES,
])

const INDEX = new Map(FACILITIES.map((row, index) => [row.id, index]))

/** Returns the index into FACILITIES; -1 when unknown. */
export const facilityTypeIndex = (id: string): number => INDEX.get(id) ?? -1

/** Returns the row of an id that code or data names; asserts that it exists. */
export function facilityTypeOf(id: string): FacilityRow {
  const row = FACILITIES[facilityTypeIndex(id)]
  assert(row, `catalog: no facility type ${id}`)
  return row
}

/**
 * Returns whether a facility of this type can run a recipe; a recycler runs only those in its row.
 */
export const runsRecipe = (type: FacilityRow, { id, category }: RecipeRow): boolean =>
  type.recipe_ids?.includes(id) === true ||
  (type.is_recycler !== true && type.recipe_categories?.includes(category) === true)
