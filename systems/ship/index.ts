/** Ships: hulls, fits, derived figures, repair. Where they are belongs to travel. */
import { countGauge, type DomainDef } from '../../core/registry.ts'
import { repair } from './commands.ts'
import { ownShips } from './model.ts'
import { rebuildTags, recomputeAll } from './rules.ts'
import { modulesSection, repairedBy, shipSection } from './schemas.ts'
import { MODULES_OF, Module, SHIP_NAMES, SHIPS_OF, Ship } from './state.ts'
import {
  namesAreUnique,
  recomputeOnLevel,
  regenerate,
  shipRanges,
  shipsConsistent,
} from './systems.ts'
import { renderModulesSection, renderShipSection } from './views.ts'

export const shipDomain: DomainDef = {
  name: 'ship',
  tables: [Ship, Module],
  records: [SHIP_NAMES],
  relations: [SHIPS_OF, MODULES_OF],
  commands: [repair],
  references: [ownShips],
  events: [repairedBy],
  systems: [regenerate],
  observers: [recomputeOnLevel],
  checks: [shipRanges, shipsConsistent, namesAreUnique],
  gauges: [countGauge('ships', Ship, 'Ships of players and of the world, and creatures.')],
  rebuild: rebuildTags,
  upgrade: recomputeAll,
  sections: { ship: renderShipSection, modules: renderModulesSection },
  sectionSchemas: { ship: shipSection, modules: modulesSection },
}
