/** Facilities: industry, services and rooms at bases, and what they cost to keep. */
import { countGauge, type DomainDef } from '../../core/registry.ts'
import { facilityCommands } from './commands.ts'
import { facilities } from './model.ts'
import { rebuild } from './rules.ts'
import { facilityReclaimed, facilityRentWarning } from './schemas.ts'
import { Facility, FacilityListing, Grid, Tenant } from './state.ts'
import {
  billRent,
  facilitiesHold,
  finishWorks,
  flowPower,
  foundFacilities,
  leaveStations,
  tendHerds,
  worksHold,
} from './systems.ts'

export const facilityDomain: DomainDef = {
  name: 'facility',
  references: [facilities],
  tables: [Facility, FacilityListing, Grid, Tenant],
  commands: facilityCommands,
  events: [facilityRentWarning, facilityReclaimed],
  systems: [finishWorks, flowPower, billRent, tendHerds],
  checks: [facilitiesHold, worksHold],
  gauges: [countGauge('facilities', Facility, 'Facilities of stations, factions and players.')],
  genesis: foundFacilities,
  observers: [leaveStations],
  rebuild,
}
