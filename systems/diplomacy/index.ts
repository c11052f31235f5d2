/** Diplomacy: wars, alliances and enemies of factions. Source: factions.md section 5. */
import type { DomainDef } from '../../core/registry.ts'
import { diplomacyCommands } from './commands.ts'
import { rebuild } from './rules.ts'
import { CHANGES, ENEMIES, OLD_WARS, PACTS, PROPOSALS, TRUCES } from './state.ts'
import {
  alliesGrant,
  endRelations,
  expireRelations,
  keepWarsOnLeaving,
  relationsHold,
} from './systems.ts'

export const diplomacyDomain: DomainDef = {
  name: 'diplomacy',
  records: [PACTS, ENEMIES, PROPOSALS, TRUCES, CHANGES, OLD_WARS],
  commands: diplomacyCommands,
  systems: [expireRelations],
  checks: [relationsHold],
  observers: [keepWarsOnLeaving, endRelations],
  grants: [alliesGrant],
  rebuild,
}
