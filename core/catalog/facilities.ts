/** The facility types; in the one order columns rely on: append at the end only. */
import { assert } from '../assert.ts'
import { deepFreeze } from './freeze.ts'
import type { FacilityRow } from './industry-types.ts'

export const FACILITIES: readonly FacilityRow[] = deepFreeze([
  {
    id: 'crew_quarters',
    name: 'Crew Quarters',
    description: 'A bunk, a locker and a door that locks.',
    category: 'personal',
    level: 1,
    build_cost: 10_000,
    build_materials: [{ item_id: 'steel_plate', quantity: 20 }],
    build_time: 30,
    labor_cost: 0,
    power_draw: 1,
    power_supply: 0,
    battery_capacity: 0,
    life_support_draw: 1,
    life_support_supply: 0,
    maintenance_inputs: [],
    personal_service_type: 'quarters',
  },
])

const INDEX = new Map(FACILITIES.map((row, index) => [row.id, index]))

/** Index into FACILITIES; -1 when unknown. */
export const facilityTypeIndex = (id: string): number => INDEX.get(id) ?? -1

/** The row of an id that our own code or data names: an unknown one is a bug. */
export function facilityTypeOf(id: string): FacilityRow {
  const row = FACILITIES[facilityTypeIndex(id)]
  assert(row, `catalog: no facility type ${id}`)
  return row
}
