/**
 * The command `fleet`: v1 has one with an action, v2 an address each. What only reads is answered
 * at once. Source: spec; factions.md section 8.
 */
import { answerAs, type CommandDef, mutation, query } from '../../core/command.ts'
import { type ErrorCode, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { divCeil } from '../../core/math.ts'
import {
  bool,
  choice,
  NO_PARAMS,
  obj,
  optional,
  str,
  type TSchema,
  Type,
} from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { areAllied, isBound } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { mayPush } from '../chat/model.ts'
import { logAction } from '../log/rules.ts'
import { partyOf, playerMeant, sightOf } from '../sensing/model.ts'
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
  WRITES,
} from './model.ts'
import { AS_THE_ACTION_NEEDS, needsOf, type Write } from './needs.ts'
import { type BoardAsked, board, disembark, fleetHelp } from './rides-commands.ts'
import {
  addMember,
  discharge,
  dissolve,
  dropInvite,
  formFleet,
  notifyFleet,
  openInvite,
  recordInviteDecline,
} from './rules.ts'
import {
  acceptSchema,
  boardSchema,
  createSchema,
  declineSchema,
  doneSchema,
  fleetHelpSchema,
  statusSchema,
} from './schemas.ts'
import { Fleet, INVITES, type Invite } from './state.ts'
import { renderStatus } from './views.ts'

const READS = ['status', 'help'] as const

type Asked = BoardAsked

const nameOf = (view: WorldView, player: Eid): string => partyOf(view, player).name || 'a pilot'

/* Refusals */

/** Refusals: not_in_fleet, not_leader. */
function leadingRefusal(
  view: WorldView,
  player: Eid,
): Failure<'not_in_fleet' | 'not_leader'> | undefined {
  if (fleetOf(view, player) === 0) return fail('not_in_fleet')
  return isLeader(view, player) ? undefined : fail('not_leader')
}

const isFull = (view: WorldView, fleet: Eid): boolean =>
  membersOf(view, fleet).length >= sizeMax(view, fleet)

/** Why a leader may not ask a player; nothing where they may. */
function inviteRefusal(view: WorldView, player: Eid, target: Eid) {
  const isHere = target !== 0 && target !== player && areTogether(view, player, target)
  if (!isHere || sightOf(view, player, target) === 'nothing') return fail('invalid_target')
  if (fleetOf(view, target) !== 0) return fail('already_in_fleet')
  const fleet = fleetOf(view, player)
  if (isFull(view, fleet)) return fail('fleet_full', { max: sizeMax(view, fleet) })
  if (view.records(INVITES).size >= INVITES.rowsMax) return fail('limit_reached')
  const wait = declineWait(view, player, target)
  if (wait === 0) return undefined
  return fail('rate_limited', { wait_seconds: divCeil(wait * view.tickMs, 1000) })
}

/** The invitation meant: the latest, or that of a leader. */
function inviteMeant(view: WorldView, player: Eid, { player_id }: Asked): Invite | undefined {
  const open = invitesTo(view, player)
  if (player_id === undefined) return open.at(-1)
  const by = view.read(Player).seq[playerMeant(view, player, player_id)]
  return open.find((invite) => invite.by === by)
}

/* What changes something */

type Done = { readonly message: string } & Readonly<Record<string, string | number>>
type Act = (world: World, player: Eid, asked: Asked) => Outcome<Done>

const create = (world: World, player: Eid) => {
  if (fleetOf(world, player) !== 0) return fail('already_in_fleet')
  if (isNearlyFull(world, Fleet)) return fail('limit_reached')
  const fleet = formFleet(world, player)
  const message = 'You lead a fleet.'
  return ok({ fleet_id: fleetIdOf(world, fleet), max_size: sizeMax(world, fleet), message })
}

const invite = (world: World, player: Eid, { player_id = '' }: Asked) => {
  const target = playerMeant(world, player, player_id)
  const refused = leadingRefusal(world, player) ?? inviteRefusal(world, player, target)
  if (refused) return refused
  const fleet = fleetOf(world, player)
  const { expiresTick } = openInvite(world, fleet, player, target)
  const isHeard = !isBound(world, target) || areAllied(world, player, target)
  if (isHeard || mayPush(world, target, player)) {
    notifyFleet(world, fleet, {
      event: 'invite_received',
      player: target,
      message: `${nameOf(world, player)} asks you to join a fleet.`,
      to: [target],
      more: { expires_tick: expiresTick },
    })
  }
  return ok({ message: `You asked ${nameOf(world, target)} to join.` })
}

const accept = (world: World, player: Eid, asked: Asked) => {
  if (fleetOf(world, player) !== 0) return fail('already_in_fleet')
  const open = inviteMeant(world, player, asked)
  if (open === undefined) return fail('no_invite')
  const fleet = world.rowOf(Fleet, open.fleet)
  const { leader } = world.read(Fleet)
  if (!areTogether(world, player, leader[fleet])) return fail('fleet_moved')
  if (isFull(world, fleet)) return fail('fleet_full', { max: sizeMax(world, fleet) })
  addMember(world, fleet, player)
  const message = `${nameOf(world, player)} joined the fleet.`
  notifyFleet(world, fleet, { event: 'member_joined', player, message })
  const leader_name = partyOf(world, leader[fleet]).name
  const fleet_id = fleetIdOf(world, fleet)
  return ok({ fleet_id, leader_name, message: 'You joined the fleet.' })
}

const decline = (world: World, player: Eid, asked: Asked) => {
  const open = inviteMeant(world, player, asked)
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
  discharge(world, player)
  const message = `${nameOf(world, player)} left the fleet.`
  notifyFleet(world, fleet, { event: 'member_left', player, message, to })
  return ok({ message: 'You left the fleet.' })
}

const kick = (world: World, player: Eid, { player_id = '' }: Asked) => {
  const refused = leadingRefusal(world, player)
  if (refused) return refused
  const target = playerMeant(world, player, player_id)
  if (!fleetmatesOf(world, player).includes(target)) return fail('invalid_target')
  const fleet = fleetOf(world, player)
  const to = [...membersOf(world, fleet)]
  discharge(world, target)
  const message = `${nameOf(world, target)} was put out of the fleet.`
  notifyFleet(world, fleet, { event: 'member_kicked', player: target, message, to })
  return ok({ message })
}

const disband = (world: World, player: Eid) => {
  const refused = leadingRefusal(world, player)
  if (refused) return refused
  const message = 'The fleet is disbanded.'
  const fleet = fleetOf(world, player)
  notifyFleet(world, fleet, { event: 'disbanded', player, message })
  dissolve(world, fleet)
  return ok({ message })
}

const ACTS = {
  create,
  invite,
  accept,
  decline,
  leave,
  kick,
  disband,
  board,
  disembark,
} satisfies Record<Write, Act>

const writeSchema = Type.Union([createSchema, acceptSchema, declineSchema, boardSchema, doneSchema])

function act(world: World, player: Eid, action: Write, asked: Asked) {
  const done = ACTS[action](world, player, asked)
  if (!done.ok) return done
  logAction(world, player, 'other', `fleet_${action}`, done.result.message)
  // each act answers by the schema of its action
  return answerAs(writeSchema, ok({ action, ...done.result }))
}

/* Definitions */

const ERRORS_OF = {
  create: ['already_in_fleet', 'limit_reached'],
  invite: [
    ...(['not_in_fleet', 'not_leader', 'invalid_target', 'already_in_fleet'] as const),
    ...(['fleet_full', 'limit_reached', 'rate_limited'] as const),
  ],
  accept: ['already_in_fleet', 'no_invite', 'fleet_moved', 'fleet_full'],
  decline: ['no_invite'],
  leave: ['not_in_fleet', 'leader_must_disband'],
  kick: ['not_in_fleet', 'not_leader', 'invalid_target'],
  disband: ['not_in_fleet', 'not_leader'],
  board: [
    ...(['not_in_faction', 'invalid_target', 'not_same_faction', 'already_in_fleet'] as const),
    ...(['fleet_full', 'limit_reached', 'no_berths', 'drones_in_bay', 'storage_full'] as const),
    ...(['issue_item', 'no_faction_garage', 'garage_full'] as const),
    'not_docked',
  ],
  disembark: ['not_riding', 'access_denied', 'station_under_attack', 'not_docked'],
} as const satisfies Record<Write, readonly ErrorCode[]>
const SUMMARY: Readonly<Record<Write, string>> = {
  create: 'Form a fleet that you lead.',
  invite: 'Ask a player beside you to join your fleet; leaders only.',
  accept: 'Join the fleet that asked you last, while its leader is beside you.',
  decline: 'Turn down the fleet that asked you last.',
  leave: 'Leave your fleet; its leader disbands it instead.',
  kick: 'Put a member out of your fleet; leaders only.',
  disband: 'End your fleet; leaders only.',
  board: 'Ride in the ship of a member of your faction, docked beside you.',
  disembark: 'Leave the ship you ride in where it is docked.',
}
const RESULT_OF: Readonly<Record<Write, TSchema>> = {
  create: createSchema,
  invite: doneSchema,
  accept: acceptSchema,
  decline: declineSchema,
  leave: doneSchema,
  kick: doneSchema,
  disband: doneSchema,
  board: boardSchema,
  disembark: doneSchema,
}

const garageParam = bool('Of board: your ship goes to the garage of your faction here.')
const playerParam = str('A player by id or name.', { min: 1, example: 'Ada' })
const shared = { category: 'fleet', order: 'plain' } as const

const SECTIONS = ['player'] as const

export const fleet = mutation({
  ...shared,
  name: 'fleet',
  needs: [AS_THE_ACTION_NEEDS],
  summary: 'Fly and fight together: form a fleet, ask others, join, leave, see who is in it.',
  params: obj({
    action: choice('What to do.', [...READS, ...WRITES]),
    player_id: optional(playerParam),
    garage: optional(garageParam),
  }),
  result: Type.Union([
    statusSchema,
    createSchema,
    acceptSchema,
    declineSchema,
    boardSchema,
    doneSchema,
    fleetHelpSchema,
  ]),
  changes: SECTIONS,
  errors: [...new Set(Object.values(ERRORS_OF).flat())],
  readsOnly: ({ action }) => (READS as readonly string[]).includes(action),
  run(world, player, { action, ...asked }) {
    if (action === 'status') return ok(renderStatus(world, player))
    return action === 'help' ? ok(fleetHelp()) : act(world, player, action, asked)
  },
})

/** The address of an action on v2. */
function onV2(action: Write, params: Parameters<typeof mutation>[0]['params']): CommandDef {
  return mutation({
    ...shared,
    name: action,
    needs: needsOf(action),
    v1: false,
    v1Name: `fleet ${action}`,
    v2: { tool: 'game_fleet', action, rename: 'player_id' in params.properties ? BY_ID : {} },
    summary: SUMMARY[action],
    params,
    result: RESULT_OF[action],
    changes: SECTIONS,
    errors: ERRORS_OF[action],
    run: (world: World, player: Eid, asked: Asked) => act(world, player, action, asked),
  })
}

const BY_ID = { player_id: 'id' }
const named = obj({ player_id: playerParam })

export const fleetActions: readonly CommandDef[] = [
  onV2('create', NO_PARAMS),
  onV2('invite', named),
  onV2('accept', NO_PARAMS),
  onV2('decline', NO_PARAMS),
  onV2('leave', NO_PARAMS),
  onV2('kick', named),
  onV2('disband', NO_PARAMS),
  onV2('board', obj({ player_id: playerParam, garage: optional(garageParam) })),
  onV2('disembark', NO_PARAMS),
  query({
    name: 'status',
    v1: false,
    v1Name: 'fleet status',
    v2: { tool: 'game_fleet', action: 'status' },
    summary: 'Your fleet: members, leader, invitations; or the invitation that waits for you.',
    category: 'fleet',
    params: NO_PARAMS,
    result: statusSchema,
    needs: [],
    errors: [],
    run: (view, player) => ok(renderStatus(view, player)),
  }),
]
