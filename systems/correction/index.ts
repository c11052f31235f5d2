/** Corrections by operators: granting, taking back, moving and restoring; each with its reason. */
import type { DomainDef } from '../../core/registry.ts'
import { grant, move, restoreShip } from './commands.ts'
import { operatorCorrection } from './schemas.ts'
import { RESTORED_SHIPS } from './state.ts'

export const correctionDomain: DomainDef = {
  name: 'correction',
  records: [RESTORED_SHIPS],
  commands: [grant, move, restoreShip],
  events: [operatorCorrection],
}
