/** Facilities: industry, services and rooms at bases, and what they cost to keep. */
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { facilitiesHold, worksHold } from './checks.ts'
import { Facility, FacilityListing, Grid, Tenant } from './columns.ts'
import { facilityCommands } from './commands.ts'
import { facilityReclaimed, facilityRentWarning } from './events.ts'
import { foundFacilities } from './genesis.ts'
import { leaveStations } from './observers.ts'
import { facilities } from './references.ts'
import { rebuildFacilities } from './store.ts'
import { billRent, finishWorks, flowPower, tend } from './systems.ts'
import { rebuildWorks } from './works.ts'

function rebuild(world: World): void {
  rebuildFacilities(world)
  rebuildWorks(world)
}

export const facilityDomain: DomainDef = {
  name: 'facility',
  references: [facilities],
  tables: [Facility, FacilityListing, Grid, Tenant],
  commands: facilityCommands,
  events: [facilityRentWarning, facilityReclaimed],
  systems: [finishWorks, flowPower, billRent, tend],
  checks: [facilitiesHold, worksHold],
  genesis: foundFacilities,
  observers: [leaveStations],
  rebuild,
}
