/** Fitting ships and keeping several: modules, refits, the hangar. What one is belongs to ship. */
import type { DomainDef } from '../../core/registry.ts'
import { installMod, repairModule, uninstallMod } from './commands.ts'
import { renameShip, scrapShip, switchShip } from './hangar.ts'
import { listShips } from './queries.ts'
import { refitShip } from './refit.ts'

export const fittingDomain: DomainDef = {
  name: 'fitting',
  commands: [
    installMod,
    uninstallMod,
    repairModule,
    refitShip,
    switchShip,
    scrapShip,
    renameShip,
    listShips,
  ],
}
