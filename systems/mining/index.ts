/** Mining: deposits and pulling from them. */
import type { DomainDef } from '../../core/registry.ts'
import { depositsAreSound } from './checks.ts'
import { Deposit, MineRequest } from './columns.ts'
import { mine } from './commands.ts'
import { miningYield } from './events.ts'
import { layDeposits, sizeDeposits } from './genesis.ts'
import { extraction } from './systems.ts'

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
