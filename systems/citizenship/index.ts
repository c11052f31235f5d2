/** Citizenship: what players ask of empires, and what becomes of it. */
import type { DomainDef } from '../../core/registry.ts'
import { feesAreHeld } from './checks.ts'
import { CITIZEN_BOOKS, CitizenOffice, CitizenPetition } from './columns.ts'
import { citizenship, citizenshipActions } from './commands.ts'
import { decide } from './decide.ts'
import { rebuildPetitions } from './rules.ts'

export const citizenshipDomain: DomainDef = {
  name: 'citizenship',
  tables: [CitizenOffice, CitizenPetition],
  records: [CITIZEN_BOOKS],
  commands: [citizenship, ...citizenshipActions],
  systems: [decide],
  checks: [feesAreHeld],
  rebuild: rebuildPetitions,
}
