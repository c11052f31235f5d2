/** Diplomacy: wars, alliances and enemies of factions. Source: factions.md section 5. */
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/world.ts'
import { addBond } from '../account/rules.ts'
import { onLeaving } from '../faction/member-rules.ts'
import { factionOf, onDisband } from '../faction/rules.ts'
import { relationsHold } from './checks.ts'
import { CHANGES, ENEMIES, OLD_WARS, PACTS, PROPOSALS, TRUCES } from './columns.ts'
import { diplomacyCommands } from './commands.ts'
import { forgetFaction } from './relations.ts'
import { areFactionsAllied, ENEMY_BOOK, keepOldWars, PACT_BOOK, PROPOSAL_BOOK } from './rules.ts'
import { lapsing } from './systems.ts'

/** Fills the indexes, and says who stands by whom. */
function rebuild(world: World): void {
  for (const book of [PACT_BOOK, ENEMY_BOOK, PROPOSAL_BOOK]) book.rebuild(world)
  addBond(world, (view, player, other) =>
    areFactionsAllied(view, factionOf(view, player), factionOf(view, other)),
  )
  onLeaving(world, keepOldWars)
  onDisband(world, {
    run(of, faction, heir) {
      keepOldWars(of, heir, faction)
      forgetFaction(of, faction)
    },
  })
}

export const diplomacyDomain: DomainDef = {
  name: 'diplomacy',
  records: [PACTS, ENEMIES, PROPOSALS, TRUCES, CHANGES, OLD_WARS],
  commands: diplomacyCommands,
  systems: [lapsing],
  checks: [relationsHold],
  rebuild,
}
