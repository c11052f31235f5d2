/** Facilities: industry, services and rooms at bases, and what they cost to keep. */
import type { DomainDef } from '../../core/registry.ts'
import { facilitiesHold } from './checks.ts'
import { Facility, FacilityListing, Grid } from './columns.ts'
import { foundFacilities } from './genesis.ts'
import { rebuildFacilities } from './store.ts'

export const facilityDomain: DomainDef = {
  name: 'facility',
  tables: [Facility, FacilityListing, Grid],
  checks: [facilitiesHold],
  genesis: foundFacilities,
  rebuild: rebuildFacilities,
}
