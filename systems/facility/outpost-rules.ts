/**
 * What an outpost is built with, and what goes with it: a store and a bunker of its faction, which
 * cost nothing to keep. Source: crafting.md section 8, build_outpost.
 */
import { assert } from '../../core/assert.ts'
import { facilityTypeIndex } from '../../core/catalog/index.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { cancelJobsOf } from '../craft/rules.ts'
import { Facility, Grid, OF_FACTION, ONLINE } from './columns.ts'
import { facilityTypeAt } from './rules.ts'
import { addFacility, awakeBases, facilitiesAt, removeFacility } from './store.ts'
import { dropWork } from './works.ts'

const BUILT_IN = ['faction_lockbox', 'faction_fuel_bunker'].map((id) => {
  const type = facilityTypeIndex(id)
  assert(type >= 0, `there is no facility type ${id}`)
  return type
})

const BUILT_IN_SERVICES: readonly (string | undefined)[] = [
  'faction_storage',
  'faction_fuel_bunker',
]

/** True for what an outpost cannot be without; which facilities stand at one is the caller's. */
export const isBuiltIn = (view: WorldView, row: Row): boolean =>
  BUILT_IN_SERVICES.includes(facilityTypeAt(view, row).faction_service_type)

/** Gives an outpost its store and its bunker. The caller has made sure of room for the rows. */
export function furnishOutpost(world: World, base: Row, faction: Row): void {
  const owner = { kind: OF_FACTION, player: 0, faction }
  for (const type of BUILT_IN) addFacility(world, { type, base, owner, status: ONLINE })
}

/** True while something at a base is being built, upgraded or taken apart. */
export const isWorkedOn = (view: WorldView, base: Row): boolean =>
  facilitiesAt(view, base).some((row) => view.read(Facility).dueTick[row] !== 0)

/** Takes away all that stands at an outpost; it holds nothing any more. */
export function clearOutpost(world: World, base: Row): void {
  for (const row of [...facilitiesAt(world, base)]) {
    cancelJobsOf(world, row, 'all')
    dropWork(world, row)
    removeFacility(world, row)
  }
  awakeBases(world).delete(base)
  const grid = world.write(Grid)
  grid.battery[base] = 0
  grid.lack[base] = 0
}
