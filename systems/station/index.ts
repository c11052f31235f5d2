/** Stations and outposts that factions found, own and open to others. Source: crafting.md 8. */
import type { DomainDef } from '../../core/registry.ts'
import { buildBase, buildOutpost, dismantleOutpost, getBaseCost } from './base-commands.ts'
import { stationCommands } from './commands.ts'
import { rebuildStations } from './rules.ts'
import { GUESTS, Station } from './state.ts'
import { madePlacesHold, refuseWhileOwningBases, stationsHold } from './systems.ts'

export const stationDomain: DomainDef = {
  name: 'station',
  tables: [Station],
  records: [GUESTS],
  commands: [buildBase, buildOutpost, dismantleOutpost, getBaseCost, ...stationCommands],
  checks: [stationsHold, madePlacesHold],
  guards: [refuseWhileOwningBases],
  rebuild: rebuildStations,
}
