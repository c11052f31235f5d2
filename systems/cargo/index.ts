/** Goods outside the exchange: holds, lockers, packages, and containers adrift after a jettison. */
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { rebuildAdrift } from './adrift-rules.ts'
import {
  depositItems,
  depositV2,
  jettison,
  jettisonV2,
  withdrawItems,
  withdrawV2,
} from './commands.ts'
import { giftsSeen, sendGift } from './gift-commands.ts'
import { rebuildGifts } from './gift-notices-commands.ts'
import { getCargo, viewStorage, viewStorageV2 } from './queries.ts'
import { rebuildLockers, rebuildPackages } from './rules.ts'
import { cargoSection, giftReceived } from './schemas.ts'
import { GIFTS, JettisonContainer, Locker, Package, packages } from './state.ts'
import { cargoAddsUp, lockersFound, notifyOfGifts, packagesAreSound, sweep } from './systems.ts'
import { renderCargo } from './views.ts'

export const cargoDomain: DomainDef = {
  name: 'cargo',
  tables: [Locker, JettisonContainer],
  records: [GIFTS],
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
    sendGift,
    giftsSeen,
  ],
  events: [giftReceived],
  systems: [sweep, notifyOfGifts],
  checks: [cargoAddsUp, lockersFound],
  rebuild(world: World) {
    rebuildLockers(world)
    rebuildAdrift(world)
    rebuildGifts(world)
  },
  sections: { cargo: renderCargo },
  sectionSchemas: { cargo: cargoSection },
}

export const packageDomain: DomainDef = {
  name: 'package',
  tables: [Package],
  references: [packages],
  checks: [packagesAreSound],
  rebuild: rebuildPackages,
}
