/** Fitting ships and keeping several: modules, refits, the hangar. What one is belongs to ship. */
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/world.ts'
import { onDisband } from '../faction/rules.ts'
import { garagesHold } from './checks.ts'
import { Garaged } from './columns.ts'
import { installMod, repairModule, uninstallMod } from './commands.ts'
import { emptyGarages, rebuildGarages } from './garage.ts'
import { renameShip, scrapShip, switchShip } from './hangar.ts'
import { factionGarages, listShips } from './queries.ts'
import { refitShip } from './refit.ts'

export const fittingDomain: DomainDef = {
  name: 'fitting',
  tables: [Garaged],
  commands: [
    installMod,
    uninstallMod,
    repairModule,
    refitShip,
    switchShip,
    scrapShip,
    renameShip,
    listShips,
    factionGarages,
  ],
  checks: [garagesHold],
  rebuild(world: World) {
    rebuildGarages(world)
    onDisband(world, { run: emptyGarages })
  },
}
