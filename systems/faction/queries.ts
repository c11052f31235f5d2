/** Looking at factions and invitations. Source: factions.md section 3. */
import { type CommandDef, immediate, query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { list, NO_PARAMS, obj, strings } from '../../core/params.ts'
import { isoTime } from '../../core/time.ts'
import { Player } from '../account/columns.ts'
import { usernameOf } from '../account/rules.ts'
import { Faction } from './columns.ts'
import { factionParam } from './commands.ts'
import { dropInvite, inviteOf, invitesTo, noteDecline } from './invites.ts'
import { factionByText, factionIdOf, factionName, factionTag } from './rules.ts'
import { tellFaction } from './tell.ts'

export const factionGetInvites: CommandDef = query({
  name: 'faction_get_invites',
  v2: { tool: 'game_faction', action: 'get_invites' },
  summary: 'List the factions that invite you.',
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
    noteDecline(world, open)
    const message = `${usernameOf(world, player)} declines to join ${factionName(world, faction)}.`
    const inviter = world.rowOf(Player, open.by)
    const news = { actor: player, message, to: [inviter] }
    tellFaction(world, faction, { event: 'invite_declined', ...news })
    return ok({ faction_id: factionIdOf(world, faction), message })
  },
})
