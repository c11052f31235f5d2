/** Empires: their treasuries. Their policies are catalogue data. */
import type { DomainDef } from '../../core/registry.ts'
import { getEmpireInfo } from './queries.ts'
import { foundEmpires } from './rules.ts'
import { Empire } from './state.ts'

export const empireDomain: DomainDef = {
  name: 'empire',
  tables: [Empire],
  commands: [getEmpireInfo],
  genesis: foundEmpires,
}
