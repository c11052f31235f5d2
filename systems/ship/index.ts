/** Ships: hulls, fits, derived figures, repair. Where they are belongs to travel. */
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { namesAreUnique, shipRanges, shipsConsistent, shipsListed } from './checks.ts'
import { Module, SHIP_NAMES, Ship } from './columns.ts'
import { repair } from './commands.ts'
import { repairedBy } from './events.ts'
import { recomputeOnLevel } from './observers.ts'
import { ownShips } from './references.ts'
import { trackShield } from './rules.ts'
import { regenerate } from './systems.ts'
import { modulesSection, renderModulesSection, renderShipSection, shipSection } from './views.ts'

/** Tags follow the saved shields. */
function rebuildTags(world: World): void {
  const { alive } = world.read(Ship)
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (alive[ship] === 1) trackShield(world, ship)
  }
}

export const shipDomain: DomainDef = {
  name: 'ship',
  tables: [Ship, Module],
  records: [SHIP_NAMES],
  commands: [repair],
  references: [ownShips],
  events: [repairedBy],
  systems: [regenerate],
  observers: [recomputeOnLevel],
  checks: [shipRanges, shipsConsistent, shipsListed, namesAreUnique],
  rebuild: rebuildTags,
  sections: { ship: renderShipSection, modules: renderModulesSection },
  sectionSchemas: { ship: shipSection, modules: modulesSection },
}
