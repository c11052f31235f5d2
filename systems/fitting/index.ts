/** Fitting ships and keeping several: modules, refits, the hangar. What one is belongs to ship. */
import type { DomainDef } from '../../core/registry.ts'
import { garagesHold } from './checks.ts'
import { Garaged } from './columns.ts'
import { installMod, repairModule, uninstallMod } from './commands.ts'
import { rebuildGarages } from './garage.ts'
import { renameShip, scrapShip, switchShip } from './hangar.ts'
import { clearGarages } from './observers.ts'
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
  observers: [clearGarages],
  rebuild: rebuildGarages,
}
