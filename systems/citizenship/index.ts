/** Citizenship: petitions to empires and their decisions. */
import type { DomainDef } from '../../core/registry.ts'
import { citizenshipCommands } from './commands.ts'
import { rebuildPetitions } from './rules.ts'
import { CITIZEN_BOOKS, CitizenOffice, CitizenPetition } from './state.ts'
import { decide, feesAreHeld } from './systems.ts'

export const citizenshipDomain: DomainDef = {
  name: 'citizenship',
  tables: [CitizenOffice, CitizenPetition],
  records: [CITIZEN_BOOKS],
  commands: citizenshipCommands,
  systems: [decide],
  checks: [feesAreHeld],
  rebuild: rebuildPetitions,
}
