/** Mining: deposits, and extracting goods from them. */
import type { DomainDef } from '../../core/registry.ts'
import { mine } from './commands.ts'
import { miningYield } from './schemas.ts'
import { Deposit, MineRequest } from './state.ts'
import { depositsAreSound, extraction, layDeposits, sizeDeposits } from './systems.ts'

export const miningDomain: DomainDef = {
  name: 'mining',
  tables: [Deposit, MineRequest],
  commands: [mine],
  events: [miningYield],
  systems: [extraction],
  checks: [depositsAreSound],
  genesis: layDeposits,
  rebuild: sizeDeposits,
}
