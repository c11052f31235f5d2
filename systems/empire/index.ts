/** Empires: treasuries, and the policies of the catalogue. */
import type { DomainDef } from '../../core/registry.ts'
import { getEmpireInfo } from './queries.ts'
import { Empire } from './state.ts'
import { foundEmpires } from './systems.ts'

export const empireDomain: DomainDef = {
  name: 'empire',
  tables: [Empire],
  commands: [getEmpireInfo],
  genesis: foundEmpires,
}
