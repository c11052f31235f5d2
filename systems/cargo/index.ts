/** Goods outside the exchange: holds, lockers, and what drifts after a jettison. */
import type { DomainDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { World } from '../../core/types.ts'
import { rebuildAdrift } from './adrift-rules.ts'
import { cargoAddsUp, lockersFound } from './checks.ts'
import { GIFTS, JettisonContainer, Locker } from './columns.ts'
import {
  depositItems,
  depositV2,
  jettison,
  jettisonV2,
  withdrawItems,
  withdrawV2,
} from './commands.ts'
import { giftReceived } from './events.ts'
import { rebuildGifts, tellGifts } from './gift-box.ts'
import { giftsSeen, sendGift } from './gift-commands.ts'
import { sweep } from './jettison.ts'
import { getCargo, viewStorage, viewStorageV2 } from './queries.ts'
import { rebuildLockers } from './rules.ts'
import { cargoSection, renderCargo } from './views.ts'

/** Once a tick, before the batch is published. */
const tellOfGifts: SystemDef = {
  name: 'cargo.tell_gifts',
  phase: 'settle',
  reads: [],
  writes: [],
  run: tellGifts,
}

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
  systems: [sweep, tellOfGifts],
  checks: [cargoAddsUp, lockersFound],
  rebuild(world: World) {
    rebuildLockers(world)
    rebuildAdrift(world)
    rebuildGifts(world)
  },
  sections: { cargo: renderCargo },
  sectionSchemas: { cargo: cargoSection },
}
