/** Petitions to the rulers of empires. */
import type { DomainDef } from '../../core/registry.ts'
import { petition, petitionsHold } from './commands.ts'
import { PETITIONED } from './state.ts'

export const petitionDomain: DomainDef = {
  name: 'petition',
  records: [PETITIONED],
  commands: [petition],
  checks: [petitionsHold],
}
