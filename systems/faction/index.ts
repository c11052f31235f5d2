/** Factions: members and roles, the treasury, what they store. Source: factions.md. */
import type { DomainDef } from '../../core/registry.ts'
import {
  createFaction,
  factionAcceptInvite,
  factionEdit,
  factionInvite,
  factionWithdrawInvite,
  joinFaction,
  leaveFaction,
} from './commands.ts'
import { factions } from './model.ts'
import { factionDeclineInvite, factionGetInvites, factionInfo, factionList } from './queries.ts'
import {
  factionCreateRole,
  factionDeleteRole,
  factionEditRole,
  factionKick,
  factionPromote,
} from './role-commands.ts'
import { rebuildFactions, rebuildInvites } from './rules.ts'
import { factionEvent } from './schemas.ts'
import {
  ACTIVITY,
  DECLINES,
  Faction,
  FactionStore,
  INVITES,
  Membership,
  money,
  RESERVED_NAMES,
  ROLES,
} from './state.ts'
import {
  factionDepositCredits,
  factionDepositItems,
  factionWithdrawCredits,
  factionWithdrawItems,
  viewFactionStorage,
} from './store-commands.ts'
import { rebuildStores } from './store-rules.ts'
import {
  expireFactionRecords,
  factionmatesAllied,
  factionRecordsHold,
  factionStoresHold,
  factionsHold,
  reviewFactions,
} from './systems.ts'

export const factionDomain: DomainDef = {
  name: 'faction',
  references: [factions, money],
  tables: [Faction, Membership, FactionStore],
  records: [ROLES, INVITES, DECLINES, RESERVED_NAMES, ACTIVITY],
  commands: [
    createFaction,
    joinFaction,
    leaveFaction,
    factionInvite,
    factionAcceptInvite,
    factionDeclineInvite,
    factionWithdrawInvite,
    factionGetInvites,
    factionInfo,
    factionList,
    factionKick,
    factionPromote,
    factionCreateRole,
    factionEditRole,
    factionDeleteRole,
    factionEdit,
    viewFactionStorage,
    factionDepositItems,
    factionWithdrawItems,
    factionDepositCredits,
    factionWithdrawCredits,
  ],
  events: [factionEvent],
  systems: [expireFactionRecords, reviewFactions],
  checks: [factionsHold, factionRecordsHold, factionStoresHold],
  grants: [factionmatesAllied],
  rebuild(world) {
    rebuildFactions(world)
    rebuildInvites(world)
    rebuildStores(world)
  },
}
