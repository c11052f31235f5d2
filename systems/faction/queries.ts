/** Queries of factions and invitations, and declining one. Source: factions.md section 3. */
import { type CommandDef, immediate, query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { offsetParams, rowsFrom } from '../../core/paging.ts'
import { ints, list, NO_PARAMS, obj, optional, strings } from '../../core/params.ts'
import { isoTime } from '../../core/time.ts'
import { usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { factionParam } from './commands.ts'
import { inviteOf, invitesTo } from './invite-model.ts'
import {
  factionByText,
  factionIdOf,
  factionName,
  factionOf,
  factionsByAge,
  factionTag,
  memberCap,
} from './model.ts'
import { dropInvite, notifyFaction, recordInviteDecline } from './rules.ts'
import { factionInfoSchema, factionRowSchema } from './schemas.ts'
import { FACTION_PAGE, Faction } from './state.ts'
import { renderFactionRow, renderForMembers, renderPublic } from './views.ts'

export const factionGetInvites: CommandDef = query({
  name: 'faction_get_invites',
  v2: { tool: 'game_faction', action: 'get_invites' },
  summary: 'List your invitations from factions.',
  category: 'faction',
  needs: [],
  params: NO_PARAMS,
  result: obj({
    invites: list(
      obj(strings('faction_id', 'faction_name', 'faction_tag', 'invited_at', 'invited_by')),
    ),
  }),
  errors: [],
  run(view, player) {
    const invites = invitesTo(view, player).map(({ faction: number, by, atMs }) => {
      const faction = view.rowOf(Faction, number)
      return {
        faction_id: factionIdOf(view, faction),
        faction_name: factionName(view, faction),
        faction_tag: factionTag(view, faction),
        invited_at: isoTime(atMs),
        invited_by: usernameOf(view, view.rowOf(Player, by)),
      }
    })
    return ok({ invites })
  },
})

export const factionDeclineInvite: CommandDef = immediate({
  name: 'faction_decline_invite',
  v2: { tool: 'game_faction', action: 'decline_invite', rename: { faction_id: 'id' } },
  summary: 'Decline the invitation of a faction.',
  category: 'faction',
  needs: [],
  params: obj({ faction_id: factionParam() }),
  result: obj(strings('faction_id', 'message')),
  errors: ['invite_not_found'],
  run(world, player, { faction_id }) {
    const faction = factionByText(world, faction_id)
    const open = inviteOf(world, faction, player)
    if (!open) return fail('invite_not_found', { faction_id })
    dropInvite(world, open)
    recordInviteDecline(world, open)
    const message = `${usernameOf(world, player)} declines to join ${factionName(world, faction)}.`
    const inviter = world.rowOf(Player, open.by)
    const notice = { actor: player, message, to: [inviter] }
    notifyFaction(world, faction, { event: 'invite_declined', ...notice })
    return ok({ faction_id: factionIdOf(world, faction), message })
  },
})

const paging = offsetParams(FACTION_PAGE.max)

export const factionInfo: CommandDef = query({
  name: 'faction_info',
  v2: { tool: 'game_faction', action: 'info', rename: { faction_id: 'id' } },
  summary: 'Show the profile of a faction; for your own also members, roles and treasury.',
  category: 'faction',
  needs: [],
  params: obj({ faction_id: optional(factionParam()), ...paging }),
  result: factionInfoSchema,
  errors: ['not_in_faction', 'faction_not_found'],
  run(view, player, { faction_id, ...page }) {
    const own = factionOf(view, player)
    const faction = faction_id === undefined ? own : factionByText(view, faction_id)
    if (faction === 0) {
      return faction_id === undefined
        ? fail('not_in_faction')
        : fail('faction_not_found', { faction_id })
    }
    const known = renderPublic(view, faction, player)
    if (faction !== own) return ok(known)
    const memberFields = renderForMembers(view, faction, page)
    return ok({ ...known, ...memberFields, member_cap: memberCap(view, faction) })
  },
})

export const factionList: CommandDef = query({
  name: 'faction_list',
  v2: { tool: 'game_faction', action: 'list' },
  summary: 'List all factions, the oldest first.',
  category: 'faction',
  needs: [],
  params: obj(paging),
  result: obj({ ...ints('limit', 'offset', 'total_count'), factions: list(factionRowSchema) }),
  errors: [],
  run(view, _player, params) {
    const { items, limit, offset } = rowsFrom(factionsByAge(view), params, FACTION_PAGE)
    return ok({
      factions: items.map((faction) => renderFactionRow(view, faction)),
      limit,
      offset,
      total_count: view.countOf(Faction),
    })
  },
})
