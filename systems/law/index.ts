/** The law of empires: crimes, bounties, reputation, police, customs, detention. */
import type { DomainDef } from '../../core/registry.ts'
import { payBounty } from './commands.ts'
import { rebuildJail } from './rules.ts'
import { empireNotice } from './schemas.ts'
import { CriminalRecord, OFFENCES_OF, Offence, WARRANTS_OF, Warrant } from './state.ts'
import { forgive, hunt, recordsAreSound, review } from './systems.ts'

export const lawDomain: DomainDef = {
  name: 'law',
  tables: [CriminalRecord, Offence, Warrant],
  relations: [OFFENCES_OF, WARRANTS_OF],
  commands: [payBounty],
  events: [empireNotice],
  systems: [review, hunt, forgive],
  checks: [recordsAreSound],
  rebuild: rebuildJail,
}
