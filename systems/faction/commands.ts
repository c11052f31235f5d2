/** Founding, inviting, joining and leaving. Source: factions.md section 3. */
import { immediate, type MutationDef, mutation } from '../../core/command.ts'
import { type Failure, fail, type Outcome, ok, waitRefusal } from '../../core/errors.ts'
import { Account } from '../../core/ledger.ts'
import { ID_CHARACTERS_MAX, TEXT_CHARACTERS_MAX } from '../../core/limits.ts'
import {
  bool,
  bools,
  NO_PARAMS,
  obj,
  opt,
  optional,
  ref,
  str,
  strings,
  words,
} from '../../core/params.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { playerById, playerId, usernameOf } from '../account/model.ts'
import { nameProblem, storedUsername } from '../account/usernames-model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { activeFacility } from '../facility/model.ts'
import { logAction } from '../log/rules.ts'
import { parseColor } from '../settings/model.ts'
import { awardDutyXp } from '../skill/rules.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { declineWait, inviteOf, invitesBy, invitesTo } from './invite-model.ts'
import { addMember, disband, foundFaction, removeMember } from './member-rules.ts'
import {
  disbandingRefusal,
  factionByText,
  factionIdOf,
  factionName,
  factionOf,
  foundingWait,
  isLeader,
  isNameTaken,
  isTagTaken,
  memberCap,
  membersOf,
  needPermission,
} from './model.ts'
import { IN_FACTION } from './needs.ts'
import { dropInvite, invite, notifyFaction } from './rules.ts'
import {
  FACTION_CHARTER_CHARACTERS_MAX,
  FACTION_DESCRIPTION_CHARACTERS_MAX,
  FACTION_INVITES_OPEN_MAX,
  FACTION_NAME_CHARACTERS_MAX,
  Faction,
  INVITES,
} from './state.ts'

export const CHANGES = ['player'] as const

export const factionParam = () =>
  ref(
    'faction',
    str('Id, name or tag of the faction; case does not matter.', { min: 1, example: 'FREE' }),
  )

export const playerParam = () => str('Id or name of the player.', { min: 1, example: 'Vesna' })

const TAG = /^[A-Z0-9]{4}$/

/** Refuses the name or the tag of a new faction. */
function namesRefusal(
  view: WorldView,
  name: string,
  tag: string,
): Failure<'invalid_name' | 'invalid_tag' | 'name_taken' | 'tag_taken'> | undefined {
  const broken = nameProblem(name, FACTION_NAME_CHARACTERS_MAX)
  if (broken) return fail('invalid_name', undefined, broken)
  if (!TAG.test(tag)) {
    return fail('invalid_tag', { tag }, 'A tag is four characters, each A to Z or 0 to 9.')
  }
  if (isNameTaken(view, name)) return fail('name_taken', { name })
  return isTagTaken(view, tag) ? fail('tag_taken', { tag }) : undefined
}

export const createFaction: MutationDef = mutation({
  name: 'create_faction',
  v2: { tool: 'game_faction', action: 'create', rename: { tag: 'id', name: 'text' } },
  summary: 'Found a faction with a name and a tag of four characters, as its leader.',
  category: 'faction',
  order: 'plain',
  needs: [],
  changes: CHANGES,
  params: obj({
    name: str(`Name, 3 to ${FACTION_NAME_CHARACTERS_MAX} characters.`, {
      max: ID_CHARACTERS_MAX,
      example: 'Free Haulers',
    }),
    tag: str('Tag: four characters A-Z and 0-9; lower case becomes upper case.', {
      max: ID_CHARACTERS_MAX,
      example: 'FREE',
    }),
  }),
  result: obj(strings('action', 'faction_id', 'name', 'message')),
  errors: words(
    'already_in_faction invalid_name invalid_tag name_taken tag_taken rate_limited limit_reached',
  ),
  run(world, player, params) {
    if (factionOf(world, player) !== 0) return fail('already_in_faction')
    const name = storedUsername(params.name)
    const tag = params.tag.toUpperCase()
    const refused = namesRefusal(world, name, tag)
    if (refused) return refused
    const wait = foundingWait(world, player)
    if (wait > 0) {
      return waitRefusal(world, wait, 'You founded as many factions as one may in a day; wait.')
    }
    if (isNearlyFull(world, Faction) || isNearlyFull(world, Account)) return fail('limit_reached')
    const faction = foundFaction(world, player, name, tag)
    for (const open of invitesTo(world, player)) dropInvite(world, open)
    const message = `Founded ${name} [${tag}].`
    logAction(world, player, 'faction', 'created', message, { name, tag })
    return ok({
      action: 'create_faction',
      faction_id: factionIdOf(world, faction),
      name,
      message,
    })
  },
})

/**
 * Refuses an invitation: already_member, already_invited, member_cap, limit_reached, rate_limited.
 */
function inviteRefusal(view: WorldView, player: Eid, target: Eid) {
  const faction = factionOf(view, player)
  if (factionOf(view, target) === faction) return fail('already_member')
  if (inviteOf(view, faction, target)) return fail('already_invited')
  const cap = memberCap(view, faction)
  if (view.read(Faction).members[faction] >= cap) return fail('member_cap', { cap })
  const isFull = view.records(INVITES).size >= INVITES.rowsMax
  if (isFull || invitesBy(view, faction).length >= FACTION_INVITES_OPEN_MAX) {
    return fail('limit_reached', { max: FACTION_INVITES_OPEN_MAX, of: 'open invitations' })
  }
  const wait = declineWait(view, faction, target)
  const message = 'They declined your faction too often lately; invite others, or wait.'
  return wait > 0 ? waitRefusal(view, wait, message) : undefined
}

export const factionInvite: MutationDef = mutation({
  name: 'faction_invite',
  v2: { tool: 'game_faction', action: 'invite', rename: { player_id: 'id' } },
  summary: 'Invite a player into your faction; the invitation expires after seven days.',
  category: 'faction',
  order: 'plain',
  needs: [needPermission('invite')],
  changes: CHANGES,
  params: obj({ player_id: playerParam() }),
  result: obj(strings('player_id', 'message')),
  errors: words(
    'player_not_found already_member already_invited member_cap limit_reached rate_limited',
  ),
  run(world, player, { player_id }) {
    const target = playerById(world, player_id)
    if (target === 0) return fail('player_not_found', { player_id })
    const refused = inviteRefusal(world, player, target)
    if (refused) return refused
    const faction = factionOf(world, player)
    invite(world, faction, target, player)
    awardDutyXp(world, player)
    const [inviter, invitee] = [usernameOf(world, player), usernameOf(world, target)]
    const message = `${inviter} invites ${invitee} into ${factionName(world, faction)}.`
    notifyFaction(world, faction, {
      event: 'invite_received',
      actor: player,
      target,
      message,
      to: [target],
    })
    return ok({ player_id: playerId(world, target), message })
  },
})

export const factionWithdrawInvite: MutationDef = mutation({
  name: 'faction_withdraw_invite',
  v2: { tool: 'game_faction', action: 'withdraw_invite', rename: { player_id: 'id' } },
  summary: 'Withdraw an invitation that has not been answered.',
  category: 'faction',
  order: 'plain',
  needs: [needPermission('invite')],
  changes: CHANGES,
  params: obj({ player_id: playerParam() }),
  result: obj(strings('player_id', 'message')),
  errors: ['invite_not_found'],
  run(world, player, { player_id }) {
    const faction = factionOf(world, player)
    const target = playerById(world, player_id)
    const open = target === 0 ? undefined : inviteOf(world, faction, target)
    if (!open) return fail('invite_not_found', { player_id })
    dropInvite(world, open)
    const invitee = usernameOf(world, target)
    const message = `${factionName(world, faction)} has withdrawn the invitation of ${invitee}.`
    notifyFaction(world, faction, {
      event: 'invite_withdrawn',
      actor: player,
      target,
      message,
      to: [target],
    })
    return ok({ player_id: playerId(world, target), message })
  },
})

/** Accepts an invitation. Refusals: already_in_faction, invite_not_found, member_cap. */
function join(world: World, player: Eid, idOrTag: string) {
  if (factionOf(world, player) !== 0) return fail('already_in_faction')
  const faction = factionByText(world, idOrTag)
  if (!inviteOf(world, faction, player)) return fail('invite_not_found', { faction_id: idOrTag })
  const cap = memberCap(world, faction)
  if (world.read(Faction).members[faction] >= cap) return fail('member_cap', { cap })
  for (const open of invitesTo(world, player)) dropInvite(world, open)
  addMember(world, player, faction)
  const name = factionName(world, faction)
  const message = `${usernameOf(world, player)} has joined ${name}.`
  notifyFaction(world, faction, { event: 'member_joined', actor: player, message })
  logAction(world, player, 'faction', 'joined', `Joined ${name}.`, { faction: name })
  return ok({ faction: name, faction_id: factionIdOf(world, faction), message })
}

const joining = {
  category: 'faction',
  order: 'plain',
  needs: [],
  changes: CHANGES,
  params: obj({ faction_id: factionParam() }),
  result: obj(strings('faction', 'faction_id', 'message')),
  errors: ['already_in_faction', 'invite_not_found', 'member_cap'],
} as const

export const joinFaction: MutationDef = mutation({
  ...joining,
  name: 'join_faction',
  v2: { tool: 'game_faction', action: 'join', rename: { faction_id: 'id' } },
  summary: 'Join a faction that has invited you.',
  run: (world, player, { faction_id }) => join(world, player, faction_id),
})

export const factionAcceptInvite: MutationDef = mutation({
  ...joining,
  name: 'faction_accept_invite',
  v2: { tool: 'game_faction', action: 'accept_invite', rename: { faction_id: 'id' } },
  summary: 'Accept the invitation of a faction, and join it.',
  run: (world, player, { faction_id }) => join(world, player, faction_id),
})

export const leaveFaction: MutationDef = mutation({
  name: 'leave_faction',
  v2: { tool: 'game_faction', action: 'leave' },
  summary: 'Leave your faction; if you are its last member, it ends and you get what it had.',
  category: 'faction',
  order: 'plain',
  needs: [IN_FACTION],
  changes: CHANGES,
  params: NO_PARAMS,
  result: obj(strings('message')),
  errors: ['leader_must_transfer', 'faction_owns_bases', 'limit_reached', 'amount_too_large'],
  run(world, player) {
    const faction = factionOf(world, player)
    const name = factionName(world, faction)
    const isLast = membersOf(world, faction).length === 1
    if (isLeader(world, player) && !isLast) return fail('leader_must_transfer')
    const refused = isLast ? disbandingRefusal(world, faction, player) : undefined
    if (refused) return refused
    const message = `${usernameOf(world, player)} has left ${name}.`
    const to = membersOf(world, faction).filter((member) => member !== player)
    notifyFaction(world, faction, { event: 'member_left', actor: player, message, to })
    if (isLast) disband(world, faction, player)
    else removeMember(world, player)
    logAction(world, player, 'faction', 'left', `Left ${name}.`, { faction: name })
    return ok({ message: isLast ? `${message} The faction no longer exists.` : message })
  },
})

/* The profile of a faction, and what it grants its allies. Source: factions.md section 3. */

const textParam = (what: string, max: number) =>
  optional(str(`${what}, at most ${max} characters.`, { max: TEXT_CHARACTERS_MAX, example: what }))

/** Returns the cleaned text; undefined where none is given. */
function textOf(
  value: string | undefined,
  field: string,
  max: number,
): Outcome<string | undefined, 'invalid_payload' | 'too_long'> {
  if (value === undefined) return ok(undefined)
  return cleanText(value, { max, unit: 'codepoints', field, mayBeEmpty: true })
}

const colorOf = (
  value: string | undefined,
  field: string,
): Outcome<number | undefined, 'invalid_color'> =>
  value === undefined ? ok(undefined) : parseColor(value, field)

/** Column of each toggle, by its name on the wire. */
const TOGGLES = {
  ally_facility_access: 'allyFacilityAccess',
  ally_fuel_access: 'allyFuelAccess',
  ally_intel_opt_out: 'allyIntelOptOut',
} as const
const TOGGLE_NAMES = ['ally_facility_access', 'ally_fuel_access', 'ally_intel_opt_out'] as const

export const factionEdit = immediate({
  name: 'faction_edit',
  v2: { tool: 'game_faction_admin', action: 'edit' },
  summary: 'Change the profile of your faction and what it grants its allies, at its admin office.',
  category: 'faction',
  needs: [needPermission('manage_roles'), DOCKED],
  params: obj({
    description: textParam('What outsiders read', FACTION_DESCRIPTION_CHARACTERS_MAX),
    charter: textParam('The rules of the faction', FACTION_CHARTER_CHARACTERS_MAX),
    primary_color: optional(str('#RRGGBB or RRGGBB.', { example: '#2A6FDB' })),
    secondary_color: optional(str('#RRGGBB or RRGGBB.', { example: '#F2B134' })),
    ally_facility_access: optional(bool('Allies may use the facilities.')),
    ally_fuel_access: optional(bool('Allies may take fuel from the bunkers.')),
    ally_intel_opt_out: optional(bool('Allies do not see what the faction knows.')),
  }),
  result: obj({
    ...strings('message'),
    ...opt(strings('hint')),
    updates: obj(
      opt({
        ...strings('description', 'charter', 'primary_color', 'secondary_color'),
        ...bools(...TOGGLE_NAMES),
      }),
    ),
  }),
  errors: ['no_admin_office', 'invalid_color', 'too_long', 'invalid_payload'],
  run(world, player, params) {
    const faction = factionOf(world, player)
    if (activeFacility(world, faction, dockedBase(world, player), 'faction_admin') === 0) {
      return fail('no_admin_office')
    }
    const { description: newDescription, charter: newCharter } = params
    const description = textOf(newDescription, 'description', FACTION_DESCRIPTION_CHARACTERS_MAX)
    if (!description.ok) return description
    const charter = textOf(newCharter, 'charter', FACTION_CHARTER_CHARACTERS_MAX)
    if (!charter.ok) return charter
    const primary = colorOf(params.primary_color, 'primary_color')
    if (!primary.ok) return primary
    const secondary = colorOf(params.secondary_color, 'secondary_color')
    if (!secondary.ok) return secondary
    const columns = world.write(Faction)
    for (const [column, text] of [
      ['description', description.result],
      ['charter', charter.result],
    ] as const) {
      if (text !== undefined) world.setText(Faction, column, faction, text)
    }
    if (primary.result !== undefined) columns.primaryColor[faction] = primary.result
    if (secondary.result !== undefined) columns.secondaryColor[faction] = secondary.result
    for (const name of TOGGLE_NAMES) {
      const isOn = params[name]
      if (isOn !== undefined) columns[TOGGLES[name]][faction] = isOn ? 1 : 0
    }
    const updates = {
      ...params,
      ...(description.result === undefined ? {} : { description: description.result }),
      ...(charter.result === undefined ? {} : { charter: charter.result }),
    }
    const name = factionName(world, faction)
    const message = `${usernameOf(world, player)} has changed the profile of ${name}.`
    notifyFaction(world, faction, { event: 'edited', actor: player, message })
    return ok({ message, updates })
  },
})
