/** Stations under attack: sieges, wrecks of stations, their repair. */
import type { DomainDef } from '../../core/registry.ts'
import { Siege, StationHull } from './columns.ts'

export const siegeDomain: DomainDef = {
  name: 'siege',
  tables: [Siege, StationHull],
}
