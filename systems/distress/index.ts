/** Distress signals: calls for help, who is asked, and who came. Source: missions.md section 4. */
import type { DomainDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { signalsHold } from './checks.ts'
import { Airwave, Caller, Signal } from './columns.ts'
import { distressSignal } from './commands.ts'
import { rebuildSignals, sweepSignals } from './rules.ts'

/** Signals that are over end once a tick. */
const sweep: SystemDef = {
  name: 'distress.sweep',
  phase: 'produce',
  reads: [],
  writes: [Signal, Caller],
  run: sweepSignals,
}

export const distressDomain: DomainDef = {
  name: 'distress',
  tables: [Signal, Caller, Airwave],
  commands: [distressSignal],
  systems: [sweep],
  checks: [signalsHold],
  rebuild: rebuildSignals,
}
