/** Empires: their treasuries, their policies, and the balance constants of the world. */
import type { DomainDef } from '../../core/registry.ts'
import { TUNED } from './balance-state.ts'
import { getEmpireInfo } from './queries.ts'
import { Empire } from './state.ts'
import { createEmpires } from './systems.ts'

export const empireDomain: DomainDef = {
  name: 'empire',
  tables: [Empire],
  records: [TUNED],
  commands: [getEmpireInfo],
  genesis: createEmpires,
}
