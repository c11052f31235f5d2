/** Fitting ships and owning several: modules, refits, the hangar, garages of factions. */
import type { DomainDef } from '../../core/registry.ts'
import { factionGarages, installMod, listShips, repairModule, uninstallMod } from './commands.ts'
import { renameShip, scrapShip, switchShip } from './hangar-commands.ts'
import { refitShip } from './refit-commands.ts'
import { rebuildGarages } from './rules.ts'
import { Garaged } from './state.ts'
import { clearGarages, garagesHold } from './systems.ts'

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
