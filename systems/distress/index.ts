/** Distress signals: calls for help, who hears and answers them. Source: missions.md section 4. */
import type { DomainDef } from '../../core/registry.ts'
import { distressSignal } from './commands.ts'
import { rebuildSignals } from './rules.ts'
import { Airwave, Caller, Signal } from './state.ts'
import { signalsHold, sweep } from './systems.ts'

export const distressDomain: DomainDef = {
  name: 'distress',
  tables: [Signal, Caller, Airwave],
  commands: [distressSignal],
  systems: [sweep],
  checks: [signalsHold],
  rebuild: rebuildSignals,
}
