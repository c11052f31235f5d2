/** Goods outside the exchange: holds, lockers, and what drifts after a jettison. */
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/world.ts'
import { rebuildAdrift } from './adrift-rules.ts'
import { cargoAddsUp, lockersFound } from './checks.ts'
import { JettisonContainer, Locker } from './columns.ts'
import {
  depositItems,
  depositV2,
  jettison,
  jettisonV2,
  withdrawItems,
  withdrawV2,
} from './commands.ts'
import { sweep } from './jettison.ts'
import { getCargo, viewStorage, viewStorageV2 } from './queries.ts'
import { rebuildLockers } from './rules.ts'
import { cargoSection, renderCargo } from './views.ts'

export const cargoDomain: DomainDef = {
  name: 'cargo',
  tables: [Locker, JettisonContainer],
  commands: [
    getCargo,
    viewStorage,
    viewStorageV2,
    depositItems,
    depositV2,
    withdrawItems,
    withdrawV2,
    jettison,
    jettisonV2,
  ],
  systems: [sweep],
  checks: [cargoAddsUp, lockersFound],
  rebuild(world: World) {
    rebuildLockers(world)
    rebuildAdrift(world)
  },
  sections: { cargo: renderCargo },
  sectionSchemas: { cargo: cargoSection },
}
