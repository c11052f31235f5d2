/** Stations under attack: sieges, wrecks of stations, their repair. */
import type { DomainDef } from '../../core/registry.ts'
import { stationsFight } from './checks.ts'
import { Siege, StationHull } from './columns.ts'
import { baseDestroyed, baseRaidUpdate, stationRepaired } from './events.ts'
import { rebuildSieges } from './muster.ts'
import { raid, repair, settle } from './systems.ts'

export const siegeDomain: DomainDef = {
  name: 'siege',
  tables: [Siege, StationHull],
  events: [baseRaidUpdate, baseDestroyed, stationRepaired],
  systems: [raid, settle, repair],
  checks: [stationsFight],
  rebuild: rebuildSieges,
}
