/** Stations under attack: sieges, wrecks of stations, their repair. */
import type { DomainDef } from '../../core/registry.ts'
import { rebuildSieges } from './rules.ts'
import { baseDestroyed, baseRaidUpdate, stationRepaired } from './schemas.ts'
import { Siege, StationHull } from './state.ts'
import { raid, repair, settle, stationsFight } from './systems.ts'

export const siegeDomain: DomainDef = {
  name: 'siege',
  tables: [Siege, StationHull],
  events: [baseRaidUpdate, baseDestroyed, stationRepaired],
  systems: [raid, settle, repair],
  checks: [stationsFight],
  rebuild: rebuildSieges,
}
