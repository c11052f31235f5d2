/**
 * Roles of a faction: creating, editing and deleting them, promoting and kicking members, handing
 * over the leadership. Source: factions.md sections 2, 3.
 */
import { immediate, type MutationDef, mutation } from '../../core/command.ts'
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { TEXT_CHARACTERS_MAX } from '../../core/limits.ts'
import {
  bools,
  int,
  ints,
  obj,
  opt,
  optional,
  str,
  strings,
  Type,
  words,
} from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerById, playerId, usernameOf } from '../account/model.ts'
import { recordPeak } from '../achievement/rules.ts'
import { logAction } from '../log/rules.ts'
import { awardDutyXp } from '../skill/rules.ts'
import { CHANGES, playerParam } from './commands.ts'
import { removeMember } from './member-rules.ts'
import {
  factionKey,
  factionName,
  factionOf,
  hasPermission,
  isLeader,
  membersOf,
  needPermission,
  roleByText,
  roleIdOf,
  roleOf,
  rolesOf,
} from './model.ts'
import {
  bitsOf,
  isDefaultRole,
  LEADER,
  MEMBER,
  OFFICER,
  type Permission,
  renderPermissions,
} from './role-model.ts'
import { notifyFaction } from './rules.ts'
import { type FactionEventName, PERMISSIONS } from './schemas.ts'
import {
  FACTION_ROLE_NAME_CHARACTERS_MAX,
  FACTION_ROLES_MAX,
  Faction,
  Membership,
  ROLES,
  type Role,
} from './state.ts'

const PRIORITY_MIN = 2
const PRIORITY_MAX = 99
/** Limit on flags in a request, above the number of permissions. */
const FLAGS_MAX = 32

const permissionsParam = optional(
  Type.Record(Type.String(), Type.Boolean(), {
    description: `What the role allows: true or false by name (${PERMISSIONS.join(', ')}).`,
    maxProperties: FLAGS_MAX,
    examples: [{ invite: true }],
  }),
)

const roleNameParam = () =>
  str(`Name, at most ${FACTION_ROLE_NAME_CHARACTERS_MAX} characters.`, {
    max: TEXT_CHARACTERS_MAX,
    example: 'Quartermaster',
  })

const roleParam = () =>
  str('Id or name of a role of your faction.', { min: 1, example: 'Quartermaster' })

const isPermission = (name: string): name is Permission =>
  (PERMISSIONS as readonly string[]).includes(name)

const customRoles = (view: WorldView, faction: Row): readonly Role[] =>
  view.records(ROLES).get(factionKey(view, faction)) ?? []

/**
 * Returns the permission bits after a change of flags. Refusals: invalid_payload (unknown flag),
 * no_permission (one the player lacks themselves).
 */
function changedBits(
  view: WorldView,
  player: Eid,
  before: number,
  flags: Readonly<Record<string, boolean>>,
): Outcome<number, 'invalid_payload' | 'no_permission'> {
  let bits = before
  for (const [name, isOn] of Object.entries(flags)) {
    if (!isPermission(name)) {
      const expected = `one of ${PERMISSIONS.join(', ')}`
      return invalidFields({ field: `permissions.${name}`, expected })
    }
    const bit = bitsOf([name])
    if (isOn && (before & bit) === 0 && !hasPermission(view, player, name)) {
      return fail('no_permission', { required: name })
    }
    bits = isOn ? bits | bit : bits & ~bit
  }
  return ok(bits)
}

/** Returns the cleaned name of a role. Refusals: invalid_payload, too_long, name_taken. */
function checkName(
  view: WorldView,
  faction: Row,
  name: string,
  except = 0,
): Outcome<string, 'invalid_payload' | 'name_taken' | 'too_long'> {
  const max = FACTION_ROLE_NAME_CHARACTERS_MAX
  const clean = cleanText(name, { max, unit: 'codepoints', field: 'name', oneLine: true })
  if (!clean.ok) return clean
  const key = clean.result.toLowerCase()
  const isTaken = rolesOf(view, faction).some(
    (role) => role.number !== except && role.name.toLowerCase() === key,
  )
  return isTaken ? fail('name_taken', { name: clean.result }) : clean
}

const ROLE_VERBS = {
  role_created: 'created',
  role_edited: 'changed',
  role_deleted: 'deleted',
} as const satisfies Partial<Record<FactionEventName, string>>
type RoleEvent = keyof typeof ROLE_VERBS

function notifyRole(world: World, player: Eid, event: RoleEvent, role: Role): void {
  notifyFaction(world, factionOf(world, player), {
    event,
    actor: player,
    message: `${usernameOf(world, player)} has ${ROLE_VERBS[event]} the role ${role.name}.`,
    details: { role_id: roleIdOf(world, role.number), role: role.name },
  })
}

export const factionCreateRole = immediate({
  name: 'faction_create_role',
  v2: { tool: 'game_faction_admin', action: 'create_role' },
  summary: 'Create a custom role for your faction.',
  category: 'faction',
  needs: [needPermission('manage_roles')],
  params: obj({
    name: roleNameParam(),
    priority: int(`Rank, ${PRIORITY_MIN} to ${PRIORITY_MAX} and below your own.`, { example: 20 }),
    permissions: permissionsParam,
  }),
  result: obj({ ...strings('role_id', 'name', 'message'), ...ints('priority') }),
  errors: words(
    'invalid_payload too_long invalid_priority insufficient_rank name_taken limit_reached',
  ),
  run(world, player, { name, priority, permissions = {} }) {
    const faction = factionOf(world, player)
    if (priority < PRIORITY_MIN || priority > PRIORITY_MAX) return fail('invalid_priority')
    if (priority >= roleOf(world, player).priority) return fail('insufficient_rank')
    const named = checkName(world, faction, name)
    if (!named.ok) return named
    const bits = changedBits(world, player, 0, permissions)
    if (!bits.ok) return bits
    const roles = customRoles(world, faction)
    if (roles.length >= FACTION_ROLES_MAX)
      return fail('limit_reached', { max: FACTION_ROLES_MAX, of: 'roles of a faction' })
    const role = {
      number: LEADER + world.nextNumber('faction_role'),
      name: named.result,
      priority,
      permissions: bits.result,
    }
    world.records(ROLES).set(factionKey(world, faction), [...roles, role])
    recordPeak(world, faction, 'roles', roles.length + 1)
    notifyRole(world, player, 'role_created', role)
    return ok({
      role_id: roleIdOf(world, role.number),
      name: role.name,
      priority,
      message: `The role ${role.name} can be assigned now.`,
    })
  },
})

/**
 * Finds a custom role below the player's rank. Refusals: role_not_found, default_role,
 * insufficient_rank.
 */
function findOwnRole(
  view: WorldView,
  player: Eid,
  roleId: string,
): Outcome<Role, 'default_role' | 'insufficient_rank' | 'role_not_found'> {
  const role = roleByText(view, factionOf(view, player), roleId)
  if (!role) return fail('role_not_found', { role_id: roleId })
  if (isDefaultRole(role.number)) return fail('default_role', { role_id: roleId })
  return role.priority < roleOf(view, player).priority ? ok(role) : fail('insufficient_rank')
}

export const factionEditRole = immediate({
  name: 'faction_edit_role',
  v2: { tool: 'game_faction_admin', action: 'edit_role' },
  summary: 'Change the name or the permissions of a custom role.',
  category: 'faction',
  needs: [needPermission('manage_roles')],
  params: obj({
    role_id: roleParam(),
    name: optional(roleNameParam()),
    permissions: permissionsParam,
  }),
  result: obj({
    ...strings('role_id', 'message'),
    updates: obj(opt({ ...strings('name'), permissions: obj(bools(...PERMISSIONS)) })),
  }),
  errors: words(
    'invalid_payload too_long role_not_found default_role insufficient_rank name_taken',
  ),
  run(world, player, { role_id, name, permissions }) {
    const faction = factionOf(world, player)
    const found = findOwnRole(world, player, role_id)
    if (!found.ok) return found
    const before = found.result
    const named =
      name === undefined ? ok(before.name) : checkName(world, faction, name, before.number)
    if (!named.ok) return named
    const bits = changedBits(world, player, before.permissions, permissions ?? {})
    if (!bits.ok) return bits
    const role = { ...before, name: named.result, permissions: bits.result }
    const roles = customRoles(world, faction).map((row) =>
      row.number === role.number ? role : row,
    )
    world.records(ROLES).set(factionKey(world, faction), roles)
    notifyRole(world, player, 'role_edited', role)
    return ok({
      role_id: roleIdOf(world, role.number),
      message: `The role ${role.name} is changed.`,
      updates: {
        ...(name === undefined ? {} : { name: role.name }),
        ...(permissions ? { permissions: renderPermissions(role.permissions) } : {}),
      },
    })
  },
})

export const factionDeleteRole = immediate({
  name: 'faction_delete_role',
  v2: { tool: 'game_faction', action: 'delete_role', rename: { role_id: 'id' } },
  summary: 'Delete a custom role; members with the role get the role member.',
  category: 'faction',
  needs: [needPermission('manage_roles')],
  params: obj({ role_id: roleParam() }),
  result: obj({ ...strings('role_id', 'message'), ...ints('reassigned_count') }),
  errors: ['role_not_found', 'default_role', 'insufficient_rank'],
  run(world, player, { role_id }) {
    const faction = factionOf(world, player)
    const found = findOwnRole(world, player, role_id)
    if (!found.ok) return found
    const { number, name } = found.result
    const { role } = world.write(Membership)
    const holders = membersOf(world, faction).filter((member) => role[member] === number)
    for (const member of holders) role[member] = MEMBER
    const left = customRoles(world, faction).filter((row) => row.number !== number)
    if (left.length > 0) world.records(ROLES).set(factionKey(world, faction), left)
    else world.records(ROLES).delete(factionKey(world, faction))
    notifyRole(world, player, 'role_deleted', found.result)
    return ok({
      role_id: roleIdOf(world, number),
      reassigned_count: holders.length,
      message: `The role ${name} is deleted; ${counted(holders.length, 'holder')} became members.`,
    })
  },
})

/* Ranks */

/** Returns a member of the faction by id or name; 0 for none. */
function memberByText(view: WorldView, faction: Row, idOrName: string): Eid {
  const player = playerById(view, idOrName)
  return player !== 0 && factionOf(view, player) === faction ? player : 0
}

export const factionKick: MutationDef = mutation({
  name: 'faction_kick',
  v2: { tool: 'game_faction', action: 'kick', rename: { player_id: 'id' } },
  summary: 'Expel a member of lower rank from your faction.',
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
    const [actorName, targetName] = [usernameOf(world, player), usernameOf(world, target)]
    const message = `${actorName} has expelled ${targetName} from ${factionName(world, faction)}.`
    notifyFaction(world, faction, { event: 'member_kicked', actor: player, target, message })
    removeMember(world, target)
    awardDutyXp(world, player)
    const own = { faction: factionName(world, faction) }
    logAction(world, target, 'faction', 'kicked', message, own)
    return ok({ player_id: playerId(world, target), message })
  },
})

/** Gives a member another role; a new leader makes the previous one an officer. */
export function assignRole(world: World, faction: Row, member: Eid, role: number): void {
  const columns = world.write(Membership)
  if (role === LEADER) {
    const { leader } = world.write(Faction)
    columns.role[leader[faction]] = OFFICER
    leader[faction] = member
  }
  columns.role[member] = role
}

/** Refuses to let a player give a member a role: insufficient_rank. */
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
  summary: 'Give a member of lower rank another role; a leader can hand over the leadership.',
  category: 'faction',
  order: 'plain',
  needs: [needPermission('promote')],
  changes: CHANGES,
  params: obj({
    player_id: playerParam(),
    role_id: str('recruit, member, officer, leader, or the id or name of a custom role.', {
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
    assignRole(world, faction, target, role.number)
    awardDutyXp(world, player)
    const [actorName, targetName] = [usernameOf(world, player), usernameOf(world, target)]
    const isLead = role.number === LEADER
    const message = isLead
      ? `${actorName} has handed the leadership of ${factionName(world, faction)} to ${targetName}.`
      : `${actorName} has made ${targetName} ${role.name}.`
    notifyFaction(world, faction, {
      event: isLead ? 'leader_changed' : 'member_promoted',
      actor: player,
      target,
      message,
      details: { role_id: roleIdOf(world, role.number), role: role.name },
    })
    logAction(world, target, 'faction', 'promoted', message, { role: role.name })
    return ok({ player_id: playerId(world, target), new_role: role.name, message })
  },
})

/**
 * Returns the successor of the leader among members for whom `isFit` is true: the highest rank
 * first, then the earliest to join; 0 for none.
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
