/** Factions: members and roles, the treasury, what they store. Source: factions.md. */
import type { DomainDef } from '../../core/registry.ts'
import { factionRecordsHold, factionsHold } from './checks.ts'
import { DECLINES, Faction, INVITES, KEPT_NAMES, Membership, ROLES } from './columns.ts'
import {
  createFaction,
  factionAcceptInvite,
  factionInvite,
  factionWithdrawInvite,
  joinFaction,
  leaveFaction,
} from './commands.ts'
import { factionEvent } from './events.ts'
import { rebuildInvites } from './invites.ts'
import { factionDeclineInvite, factionGetInvites } from './queries.ts'
import { rebuildFactions } from './rules.ts'
import { lapsing } from './systems.ts'

export const factionDomain: DomainDef = {
  name: 'faction',
  tables: [Faction, Membership],
  records: [ROLES, INVITES, DECLINES, KEPT_NAMES],
  commands: [
    createFaction,
    joinFaction,
    leaveFaction,
    factionInvite,
    factionAcceptInvite,
    factionDeclineInvite,
    factionWithdrawInvite,
    factionGetInvites,
  ],
  events: [factionEvent],
  systems: [lapsing],
  checks: [factionsHold, factionRecordsHold],
  rebuild(world) {
    rebuildFactions(world)
    rebuildInvites(world)
  },
}
