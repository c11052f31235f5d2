/**
 * The command `fleet`: v1 has one command with an action, v2 an address for each action. The action
 * that only reads is a query. Source: spec; factions.md section 8.
 */
import { actionCommands, actionRow } from '../../core/action-table.ts'
import {
  type ErrorCode,
  type Failure,
  fail,
  type Outcome,
  ok,
  waitRefusal,
} from '../../core/errors.ts'
import { bool, str, words } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { areAllied, isBound } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { mayPush } from '../chat/model.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { logAction } from '../log/rules.ts'
import { counterpartyIdentity, playerMeant, sightOf } from '../sensing/model.ts'
import { DOCKED } from '../travel/needs.ts'
import {
  areTogether,
  declineWait,
  fleetIdOf,
  fleetmatesOf,
  fleetOf,
  invitesTo,
  isLeader,
  membersOf,
  sizeMax,
} from './model.ts'
import { board, disembark, type FleetParams } from './rides-commands.ts'
import {
  addMember,
  dropInvite,
  endFleet,
  formFleet,
  notifyFleet,
  openInvite,
  recordInviteDecline,
  removeMember,
} from './rules.ts'
import {
  acceptSchema,
  boardSchema,
  createSchema,
  declineSchema,
  doneSchema,
  statusSchema,
} from './schemas.ts'
import { Fleet, INVITES, type Invite } from './state.ts'
import { renderStatus } from './views.ts'

const nameOf = (view: WorldView, player: Eid): string =>
  counterpartyIdentity(view, player).name || 'a pilot'

/* Refusals */

/** Refuses a player who leads no fleet: not_in_fleet, not_leader. */
function leadingRefusal(
  view: WorldView,
  player: Eid,
): Failure<'not_in_fleet' | 'not_leader'> | undefined {
  if (fleetOf(view, player) === 0) return fail('not_in_fleet')
  return isLeader(view, player) ? undefined : fail('not_leader')
}

const isFull = (view: WorldView, fleet: Eid): boolean =>
  membersOf(view, fleet).length >= sizeMax(view, fleet)

/**
 * Refuses an invitation: invalid_target, already_in_fleet, fleet_full, limit_reached, rate_limited.
 */
function inviteRefusal(view: WorldView, player: Eid, target: Eid) {
  const isHere = target !== 0 && target !== player && areTogether(view, player, target)
  if (!isHere || sightOf(view, player, target) === 'nothing') return fail('invalid_target')
  if (fleetOf(view, target) !== 0) return fail('already_in_fleet')
  const fleet = fleetOf(view, player)
  if (isFull(view, fleet)) return fail('fleet_full', { max: sizeMax(view, fleet) })
  if (view.records(INVITES).size >= INVITES.rowsMax) return fail('limit_reached')
  const wait = declineWait(view, player, target)
  const message = 'They declined your fleet too often lately; invite others, or wait.'
  return wait === 0 ? undefined : waitRefusal(view, wait, message)
}

/** Returns the requested invitation: that of the named leader, by default the latest. */
function requestedInvite(
  view: WorldView,
  player: Eid,
  { player_id }: FleetParams,
): Invite | undefined {
  const open = invitesTo(view, player)
  if (player_id === undefined) return open.at(-1)
  const by = view.read(Player).seq[playerMeant(view, player, player_id)]
  return open.find((invite) => invite.by === by)
}

/* Actions */

const create = (world: World, player: Eid) => {
  if (fleetOf(world, player) !== 0) return fail('already_in_fleet')
  if (isNearlyFull(world, Fleet)) return fail('limit_reached')
  const fleet = formFleet(world, player)
  const message = 'You lead a fleet.'
  return ok({ fleet_id: fleetIdOf(world, fleet), max_size: sizeMax(world, fleet), message })
}

const invite = (world: World, player: Eid, { player_id = '' }: FleetParams) => {
  const target = playerMeant(world, player, player_id)
  const refused = leadingRefusal(world, player) ?? inviteRefusal(world, player, target)
  if (refused) return refused
  const fleet = fleetOf(world, player)
  const { expiresTick } = openInvite(world, fleet, player, target)
  const isUnlimited = !isBound(world, target) || areAllied(world, player, target)
  if (isUnlimited || mayPush(world, target, player)) {
    notifyFleet(world, fleet, {
      event: 'invite_received',
      player: target,
      message: `${nameOf(world, player)} invites you into a fleet.`,
      to: [target],
      details: { expires_tick: expiresTick },
    })
  }
  return ok({ message: `You invited ${nameOf(world, target)} to join.` })
}

const accept = (world: World, player: Eid, request: FleetParams) => {
  if (fleetOf(world, player) !== 0) return fail('already_in_fleet')
  const open = requestedInvite(world, player, request)
  if (open === undefined) return fail('no_invite')
  const fleet = world.rowOf(Fleet, open.fleet)
  const { leader } = world.read(Fleet)
  if (!areTogether(world, player, leader[fleet])) return fail('fleet_moved')
  if (isFull(world, fleet)) return fail('fleet_full', { max: sizeMax(world, fleet) })
  addMember(world, fleet, player)
  const message = `${nameOf(world, player)} joined the fleet.`
  notifyFleet(world, fleet, { event: 'member_joined', player, message })
  const leader_name = counterpartyIdentity(world, leader[fleet]).name
  const fleet_id = fleetIdOf(world, fleet)
  return ok({ fleet_id, leader_name, message: 'You joined the fleet.' })
}

const decline = (world: World, player: Eid, request: FleetParams) => {
  const open = requestedInvite(world, player, request)
  if (open === undefined) return fail('no_invite')
  const fleet = world.rowOf(Fleet, open.fleet)
  dropInvite(world, open)
  recordInviteDecline(world, open)
  const message = `${nameOf(world, player)} declined to join the fleet.`
  const to = [world.read(Fleet).leader[fleet]]
  notifyFleet(world, fleet, { event: 'invite_declined', player, message, to })
  return ok({ message: 'You declined the invitation.' })
}

const leave = (world: World, player: Eid) => {
  const fleet = fleetOf(world, player)
  if (fleet === 0) return fail('not_in_fleet')
  if (isLeader(world, player)) return fail('leader_must_disband')
  const to = [...membersOf(world, fleet)]
  removeMember(world, player)
  const message = `${nameOf(world, player)} left the fleet.`
  notifyFleet(world, fleet, { event: 'member_left', player, message, to })
  return ok({ message: 'You left the fleet.' })
}

const kick = (world: World, player: Eid, { player_id = '' }: FleetParams) => {
  const refused = leadingRefusal(world, player)
  if (refused) return refused
  const target = playerMeant(world, player, player_id)
  if (!fleetmatesOf(world, player).includes(target)) return fail('invalid_target')
  const fleet = fleetOf(world, player)
  const to = [...membersOf(world, fleet)]
  removeMember(world, target)
  const message = `${nameOf(world, target)} was expelled from the fleet.`
  notifyFleet(world, fleet, { event: 'member_kicked', player: target, message, to })
  return ok({ message })
}

const disband = (world: World, player: Eid) => {
  const refused = leadingRefusal(world, player)
  if (refused) return refused
  const message = 'The fleet is disbanded.'
  const fleet = fleetOf(world, player)
  notifyFleet(world, fleet, { event: 'disbanded', player, message })
  endFleet(world, fleet)
  return ok({ message })
}

/** Logs an action that succeeded, and adds its name to the result. */
function logged<A extends string, R extends { readonly message: string }, E extends ErrorCode>(
  world: World,
  player: Eid,
  action: A,
  outcome: Outcome<R, E>,
): Outcome<R & { action: A }, E> {
  if (!outcome.ok) return outcome
  logAction(world, player, 'other', `fleet_${action}`, outcome.result.message)
  return ok({ ...outcome.result, action })
}

/* Definitions */

const action = actionRow<FleetParams>()
const WRITING = { kind: 'mutation', needs: [], result: doneSchema } as const
const NAMED = [{ player_id: 'Ada' }] as const

const ACTIONS = [
  action({
    ...WRITING,
    name: 'create',
    summary: 'Form a fleet that you lead.',
    errors: ['already_in_fleet', 'limit_reached'],
    result: createSchema,
    run: (world, player) => logged(world, player, 'create', create(world, player)),
  }),
  action({
    ...WRITING,
    name: 'invite',
    summary: 'Invite a player at your place into your fleet; leaders only.',
    required: ['player_id'],
    examples: NAMED,
    errors: words(
      'not_in_fleet not_leader invalid_target already_in_fleet fleet_full limit_reached',
      'rate_limited',
    ),
    run: (world, player, request) =>
      logged(world, player, 'invite', invite(world, player, request)),
  }),
  action({
    ...WRITING,
    name: 'accept',
    summary:
      'Accept the latest invitation, or that of the named player, at the place of the leader.',
    optional: ['player_id'],
    errors: ['already_in_fleet', 'no_invite', 'fleet_moved', 'fleet_full'],
    result: acceptSchema,
    run: (world, player, request) =>
      logged(world, player, 'accept', accept(world, player, request)),
  }),
  action({
    ...WRITING,
    name: 'decline',
    summary: 'Decline the latest invitation, or that of the named player.',
    optional: ['player_id'],
    errors: ['no_invite'],
    result: declineSchema,
    run: (world, player, request) =>
      logged(world, player, 'decline', decline(world, player, request)),
  }),
  action({
    ...WRITING,
    name: 'leave',
    summary: 'Leave your fleet; a leader disbands it instead.',
    errors: ['not_in_fleet', 'leader_must_disband'],
    run: (world, player) => logged(world, player, 'leave', leave(world, player)),
  }),
  action({
    ...WRITING,
    name: 'kick',
    summary: 'Expel a member from your fleet; leaders only.',
    required: ['player_id'],
    examples: NAMED,
    errors: ['not_in_fleet', 'not_leader', 'invalid_target'],
    run: (world, player, request) => logged(world, player, 'kick', kick(world, player, request)),
  }),
  action({
    ...WRITING,
    name: 'disband',
    summary: 'Disband your fleet; leaders only.',
    errors: ['not_in_fleet', 'not_leader'],
    run: (world, player) => logged(world, player, 'disband', disband(world, player)),
  }),
  action({
    ...WRITING,
    name: 'board',
    summary: 'Ride in the ship of a member of your faction who is docked here.',
    required: ['player_id'],
    optional: ['garage'],
    examples: [...NAMED, { player_id: 'Ada', garage: 'true' }],
    needs: [AT_LIBERTY, DOCKED],
    errors: words(
      'not_in_faction invalid_target not_same_faction already_in_fleet fleet_full limit_reached',
      'no_berths drones_in_bay storage_full issue_item no_faction_garage garage_full not_docked',
      'ship_occupied',
    ),
    result: boardSchema,
    run: (world, player, request) => logged(world, player, 'board', board(world, player, request)),
  }),
  action({
    ...WRITING,
    name: 'disembark',
    summary: 'Leave the ship you ride in where it is docked.',
    needs: [DOCKED],
    errors: ['not_riding', 'access_denied', 'station_under_attack', 'not_docked'],
    run: (world, player) => logged(world, player, 'disembark', disembark(world, player)),
  }),
  action({
    kind: 'query',
    name: 'status',
    summary: 'Show your fleet with its members and invitations, or your latest invitation.',
    needs: [],
    errors: [],
    result: statusSchema,
    run: (view, player) => ok(renderStatus(view, player)),
  }),
]

export const fleetCommands = actionCommands<FleetParams>({
  name: 'fleet',
  tool: 'game_fleet',
  category: 'fleet',
  summary: 'Fly and fight together: form a fleet, invite others, join, leave, see its members.',
  params: {
    player_id: str('A player by id or name.', { min: 1, example: 'Ada' }),
    garage: bool('For board: your ship goes to the garage of your faction here.'),
  },
  rename: { player_id: 'id' },
  rows: ACTIONS,
  changes: ['player'],
  isMutation: true,
  help: {
    description: 'Pilots who fly and fight together under one leader.',
    sources: {
      parked: 'Without garage your ship stays parked at the base and remains yours.',
      garage: 'With garage: true it goes to the garage of your faction, for any member to claim.',
    },
    targets: {
      player_id: 'Id or name of the player whom you invite or expel, or who carries you.',
    },
    notes: [
      'When the leader travels, jumps, docks or undocks, every member at their place goes along.',
      'All arrive with the slowest; each uses their own fuel. If one cannot go, nobody goes.',
      'A member at the place of the leader cannot move alone; one who was left behind can.',
      'Members in a battle stay behind. If the leader attacks or a member is attacked, all join in.',
      'A passenger has no ship: they go where their carrier goes, and ship commands are refused.',
      say`Ashore, {switch_ship} activates a ship there; after 360 ticks you respawn at home.`,
      'A leader offline for 6 ticks is replaced; members offline for 360 ticks are dropped.',
    ],
  },
})
