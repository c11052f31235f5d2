/** Who stands where in a faction: kicking, promoting, passing the lead. factions.md 2 and 3. */
import { type MutationDef, mutation } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { obj, str, strings } from '../../core/params.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerById, playerId, usernameOf } from '../account/model.ts'
import { logAction } from '../log/rules.ts'
import { trainByDuty } from '../skill/rules.ts'
import { CHANGES, playerParam } from './commands.ts'
import {
  factionName,
  factionOf,
  isLeader,
  membersOf,
  needPermission,
  roleByText,
  roleIdOf,
  roleOf,
} from './model.ts'
import { notifyFaction } from './rules.ts'
import { Faction, Membership } from './state.ts'
import { LEADER, OFFICER, type Role } from './store-model.ts'
import { dismiss } from './store-rules.ts'

/** A member of the faction by id or name; 0 none. */
function memberByText(view: WorldView, faction: Row, idOrName: string): Eid {
  const player = playerById(view, idOrName)
  return player !== 0 && factionOf(view, player) === faction ? player : 0
}

export const factionKick: MutationDef = mutation({
  name: 'faction_kick',
  v2: { tool: 'game_faction', action: 'kick', rename: { player_id: 'id' } },
  summary: 'Throw a member of lower rank out of your faction.',
  category: 'faction',
  order: 'plain',
  needs: [needPermission('kick')],
  changes: CHANGES,
  params: obj({ player_id: playerParam() }),
  result: obj(strings('player_id', 'message')),
  errors: ['not_a_member', 'cannot_kick_leader', 'insufficient_rank'],
  run(world, player, { player_id }) {
    const faction = factionOf(world, player)
    const target = memberByText(world, faction, player_id)
    if (target === 0) return fail('not_a_member', { player_id })
    if (isLeader(world, target)) return fail('cannot_kick_leader')
    if (roleOf(world, target).priority >= roleOf(world, player).priority) {
      return fail('insufficient_rank')
    }
    const [who, whom] = [usernameOf(world, player), usernameOf(world, target)]
    const message = `${who} has thrown ${whom} out of ${factionName(world, faction)}.`
    notifyFaction(world, faction, { event: 'member_kicked', actor: player, target, message })
    dismiss(world, target)
    trainByDuty(world, player)
    const own = { faction: factionName(world, faction) }
    logAction(world, target, 'faction', 'kicked', message, own)
    return ok({ player_id: playerId(world, target), message })
  },
})

/** Gives a member another role; the leader's makes the leader of before an officer. */
export function giveRole(world: World, faction: Row, member: Eid, role: number): void {
  const columns = world.write(Membership)
  if (role === LEADER) {
    const { leader } = world.write(Faction)
    columns.role[leader[faction]] = OFFICER
    leader[faction] = member
  }
  columns.role[member] = role
}

/** Why a member may not be given a role by this player; undefined where they may. */
function promotionRefusal(
  view: WorldView,
  player: Eid,
  target: Eid,
  role: Role,
): Failure<'insufficient_rank'> | undefined {
  const { priority } = roleOf(view, player)
  if (roleOf(view, target).priority >= priority) return fail('insufficient_rank')
  const mayGive = isLeader(view, player) || role.priority < priority
  return mayGive ? undefined : fail('insufficient_rank', { role: role.name })
}

export const factionPromote: MutationDef = mutation({
  name: 'faction_promote',
  v2: { tool: 'game_faction_admin', action: 'promote' },
  summary: 'Give a member of lower rank another role; the leader can pass the lead on.',
  category: 'faction',
  order: 'plain',
  needs: [needPermission('promote')],
  changes: CHANGES,
  params: obj({
    player_id: playerParam(),
    role_id: str('recruit, member, officer, leader, or the id or name of a role of your own.', {
      min: 1,
      example: 'officer',
    }),
  }),
  result: obj(strings('player_id', 'new_role', 'message')),
  errors: ['not_a_member', 'role_not_found', 'insufficient_rank'],
  run(world, player, { player_id, role_id }) {
    const faction = factionOf(world, player)
    const target = memberByText(world, faction, player_id)
    if (target === 0) return fail('not_a_member', { player_id })
    const role = roleByText(world, faction, role_id)
    if (!role) return fail('role_not_found', { role_id })
    const refused = promotionRefusal(world, player, target, role)
    if (refused) return refused
    giveRole(world, faction, target, role.number)
    trainByDuty(world, player)
    const [who, whom] = [usernameOf(world, player), usernameOf(world, target)]
    const isLead = role.number === LEADER
    const message = isLead
      ? `${who} has passed the lead of ${factionName(world, faction)} to ${whom}.`
      : `${who} has made ${whom} ${role.name}.`
    notifyFaction(world, faction, {
      event: isLead ? 'leader_changed' : 'member_promoted',
      actor: player,
      target,
      message,
      more: { role_id: roleIdOf(world, role.number), role: role.name },
    })
    logAction(world, target, 'faction', 'promoted', message, { role: role.name })
    return ok({ player_id: playerId(world, target), new_role: role.name, message })
  },
})

/**
 * Who leads after the leader: the highest role, of equals who joined first, of those whom
 * `isFit` lets; 0 nobody.
 */
export function successorOf(view: WorldView, faction: Row, isFit: (member: Eid) => boolean): Eid {
  let found = 0
  for (const member of membersOf(view, faction)) {
    if (isLeader(view, member) || !isFit(member)) continue
    const isHigher = found === 0 || roleOf(view, member).priority > roleOf(view, found).priority
    if (isHigher) found = member
  }
  return found
}
