/** The domain of petitions: what players, and the server about them, lay before an empire. */
import type { DomainDef } from '../../core/registry.ts'
import { petitionsHold } from './checks.ts'
import { petition } from './commands.ts'
import { PETITIONED } from './state.ts'

export const petitionDomain: DomainDef = {
  name: 'petition',
  records: [PETITIONED],
  commands: [petition],
  checks: [petitionsHold],
}
