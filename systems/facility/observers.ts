/** What becomes of a faction's facilities when it ends. Source: factions.md section 3. */
import { observe } from '../../core/occurrence.ts'
import type { Row, World } from '../../core/types.ts'
import { disbanded } from '../faction/columns.ts'
import { Facility, OF_STATION } from './columns.ts'
import { leaveToStations } from './rent.ts'
import { factionFacilities } from './store.ts'

/** Facilities of a faction that stations have locked up. It ends rarely: all are looked at. */
function lockedUp(world: World, faction: Row): Row[] {
  const { alive, ownerKind, faction: of } = world.read(Facility)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Facility); row++) {
    if (alive[row] === 1 && ownerKind[row] === OF_STATION && of[row] === faction) rows.push(row)
  }
  return rows
}

/** Leaves what a faction built to the stations. */
export const leaveStations = observe(disbanded, (world, { faction }) =>
  leaveToStations(world, [...factionFacilities(world, faction), ...lockedUp(world, faction)]),
)
