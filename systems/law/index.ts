/** The law of empires: crimes, bounties, reputation, police, customs, detention. */
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { recordsAreSound } from './checks.ts'
import { CriminalRecord, Jailed, Offence, Warrant } from './columns.ts'
import { payBounty } from './commands.ts'
import { empireNotice } from './events.ts'
import { forgive, hunt, review } from './systems.ts'

function rebuildJail(world: World): void {
  const { alive, jailEmpire } = world.read(CriminalRecord)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && jailEmpire[player] !== 0) world.tag(Player, player, Jailed)
  }
}

export const lawDomain: DomainDef = {
  name: 'law',
  tables: [CriminalRecord, Offence, Warrant],
  commands: [payBounty],
  events: [empireNotice],
  systems: [review, hunt, forgive],
  checks: [recordsAreSound],
  rebuild: rebuildJail,
}
