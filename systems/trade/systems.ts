/** What trades do in a tick: those nobody answered lapse, after the mutations. */
import type { SystemDef } from '../../core/system.ts'
import { sweepTrades } from './book.ts'

export const lapseTrades: SystemDef = {
  name: 'trade.lapse',
  phase: 'produce',
  reads: [],
  writes: [],
  run: sweepTrades,
}
