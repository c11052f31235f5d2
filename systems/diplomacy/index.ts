/** Diplomacy: wars, alliances and enemies of factions. Source: factions.md section 5. */
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { relationsHold } from './checks.ts'
import { CHANGES, ENEMIES, OLD_WARS, PACTS, PROPOSALS, TRUCES } from './columns.ts'
import { diplomacyCommands } from './commands.ts'
import { alliesStandTogether, endRelations, keepWarsOnLeaving } from './observers.ts'
import { ENEMY_BOOK, PACT_BOOK, PROPOSAL_BOOK } from './rules.ts'
import { lapsing } from './systems.ts'

/** Fills the indexes, and says who stands by whom. */
function rebuild(world: World): void {
  for (const book of [PACT_BOOK, ENEMY_BOOK, PROPOSAL_BOOK]) book.rebuild(world)
}

export const diplomacyDomain: DomainDef = {
  name: 'diplomacy',
  records: [PACTS, ENEMIES, PROPOSALS, TRUCES, CHANGES, OLD_WARS],
  commands: diplomacyCommands,
  systems: [lapsing],
  checks: [relationsHold],
  observers: [keepWarsOnLeaving, endRelations],
  grants: [alliesStandTogether],
  rebuild,
}
