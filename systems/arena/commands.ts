/**
 * The command `arena`: v1 takes the action as a parameter, v2 has an address for each action.
 * Source: spec; combat.md sections 14, 17.
 */
import { actionCommands, actionRow } from '../../core/action-table.ts'
import { challengeById } from '../../core/catalog/index.ts'
import type { CommandDef } from '../../core/command.ts'
import { type ErrorCode, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { int, str, words } from '../../core/params.ts'
import { playerNumber } from '../../core/pending.ts'
import { say } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { battleId, combatantOf } from '../combat/model.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { logAction } from '../log/rules.ts'
import { playerMeant } from '../sensing/model.ts'
import { activeShip } from '../ship/model.ts'
import { inTransit, poiOf } from '../travel/location-model.ts'
import { poiId } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import {
  acceptDuel,
  challenge,
  challengeRefusal,
  closeDuel,
  duelById,
  loadoutRefusal,
  matchRefusal,
  sideOf,
} from './duels-commands.ts'
import { beginMatch } from './matches-systems.ts'
import { arenaOf, duelId, isArena, lockedRefusal } from './model.ts'
import { challengesSchema, doneSchema, statusSchema } from './schemas.ts'
import { ARENA_SIDE_SIZE_MAX, type Duel, ShipMatch } from './state.ts'
import { renderChallenges, renderStatus } from './views.ts'

interface ArenaParams {
  readonly challenge_id?: string
  readonly max_side_size?: number
  readonly player_id?: string
}

/* Refusals */

/**
 * Returns the arena where the player is, or refuses one who may not begin a match: they must be at
 * liberty and in no battle.
 */
function enterArena(world: World, player: Eid) {
  const jailed = AT_LIBERTY.ensure(world, player, {})
  if (typeof jailed === 'object') return jailed
  const ship = activeShip(world, player)
  if (world.read(ShipMatch).match[ship] !== 0) return fail('already_in_match')
  if (combatantOf(world, player) !== 0) return fail('in_combat')
  const transit = inTransit(world, player)
  if (transit) return transit
  const poi = poiOf(world, player)
  return isArena(world, poi) ? poi : fail('not_at_arena')
}

/** Finds an open challenge in which the player has this role. Refusal: challenge_not_found. */
function ownDuel(
  view: WorldView,
  player: Eid,
  id: string,
  role: 'challenger' | 'challenged',
): Duel | Failure<'challenge_not_found'> {
  const duel = duelById(view, id)
  const isOwn = duel?.[role] === playerNumber(view, player)
  return duel && isOwn ? duel : fail('challenge_not_found', { challenge_id: id })
}

const isFailure = (found: object): found is Failure => 'code' in found

/* Actions that change something */

const makeChallenge = (
  world: World,
  player: Eid,
  { player_id = '', max_side_size = 1 }: ArenaParams,
) => {
  const poi = enterArena(world, player)
  if (typeof poi !== 'number') return poi
  const other = playerMeant(world, player, player_id)
  const refused = challengeRefusal(world, player, other, poi)
  if (refused) return refused
  const duel = challenge(world, player, other, { poi, maxSideSize: max_side_size })
  return ok({
    challenge_id: duelId(world, duel),
    expires_tick: duel.expiresTick,
    max_side_size,
    poi_id: poiId(world, poi),
    message: 'The challenge is made.',
  })
}

const accept = (world: World, player: Eid, { challenge_id = '' }: ArenaParams) => {
  const duel = ownDuel(world, player, challenge_id, 'challenged')
  if (isFailure(duel)) return duel
  const poi = enterArena(world, player)
  if (typeof poi !== 'number') return poi
  const place = world.rowOf(Poi, duel.poi)
  if (place !== poi) return fail('not_at_arena', { poi_id: poiId(world, place) })
  const battle = acceptDuel(world, duel)
  if (!battle.ok) return battle
  const battle_id = battleId(world, battle.result)
  return ok({ challenge_id, battle_id, message: 'The match begins.' })
}

/** Makes the action that ends an open challenge of one's own, in this role. */
const endChallenge =
  (role: 'challenger' | 'challenged', event: 'declined' | 'cancelled') =>
  (world: World, player: Eid, { challenge_id = '' }: ArenaParams) => {
    const duel = ownDuel(world, player, challenge_id, role)
    if (isFailure(duel)) return duel
    closeDuel(world, duel, event)
    return ok({ challenge_id, message: `The challenge is ${event}.` })
  }

const decline = endChallenge('challenged', 'declined')
const cancel = endChallenge('challenger', 'cancelled')

const fight = (world: World, player: Eid, { challenge_id = '' }: ArenaParams) => {
  const row = challengeById(challenge_id)
  if (row === undefined) return fail('challenge_not_found', { challenge_id })
  const poi = enterArena(world, player)
  if (typeof poi !== 'number') return poi
  const arena = arenaOf(world, row, player)
  if (arena !== poi) {
    return fail('not_at_arena', { poi_id: poiId(world, arena) })
  }
  const side = sideOf(world, player, ARENA_SIDE_SIZE_MAX)
  const refused =
    lockedRefusal(world, player, row) ??
    loadoutRefusal(world, row, side) ??
    matchRefusal(world, poi, row.enemies.length)
  if (refused) return refused
  const battle = beginMatch(world, poi, [side, []], row)
  return ok({
    challenge_id,
    battle_id: battleId(world, battle),
    poi_id: poiId(world, poi),
    message: `${row.name} begins.`,
  })
}

/** Writes what was done into the player's log, and adds the action to the answer. */
function logOutcome<
  A extends string,
  R extends { readonly message: string; readonly challenge_id: string },
  E extends ErrorCode,
>(world: World, player: Eid, action: A, outcome: Outcome<R, E>): Outcome<R & { action: A }, E> {
  if (!outcome.ok) return outcome
  const { message, challenge_id } = outcome.result
  logAction(world, player, 'combat', `arena_${action}`, message, { challenge_id })
  return ok({ ...outcome.result, action })
}

/* Definitions */

const ENTRY_ERRORS = [
  'detained',
  'already_in_match',
  'in_combat',
  'in_transit',
  'not_at_arena',
] as const
const RULE_ERRORS = words(
  'rule_hull_tier rule_hull_scale rule_max_speed rule_max_weapons rule_damage_type',
  'rule_no_ammo_weapons rule_no_drones rule_no_boosters rule_no_shield_modules rule_no_repair',
  'rule_no_tackle rule_empty_hold rule_side_size',
)

const action = actionRow<ArenaParams>()
const MUTATION = { kind: 'mutation', needs: [], result: doneSchema } as const
const QUERY = { kind: 'query', needs: [], errors: [] } as const

const ACTIONS = [
  action({
    ...QUERY,
    name: 'challenges',
    summary: 'List the challenges of the house: place, enemies, rules, and your wins.',
    result: challengesSchema,
    run: (view, player) => ok(renderChallenges(view, player)),
  }),
  action({
    ...MUTATION,
    name: 'fight',
    summary: 'Begin a challenge of the house at its arena.',
    required: ['challenge_id'],
    errors: [
      ...ENTRY_ERRORS,
      'challenge_not_found',
      'challenge_locked',
      'limit_reached',
      ...RULE_ERRORS,
    ],
    run: (world, player, params) =>
      logOutcome(world, player, 'fight', fight(world, player, params)),
  }),
  action({
    ...MUTATION,
    name: 'challenge',
    summary: 'Challenge a player at your arena to a match without consequences.',
    required: ['player_id'],
    optional: ['max_side_size'],
    errors: [...ENTRY_ERRORS, 'invalid_target', 'limit_reached', 'rate_limited'],
    run: (world, player, params) =>
      logOutcome(world, player, 'challenge', makeChallenge(world, player, params)),
  }),
  action({
    ...MUTATION,
    name: 'accept',
    summary: 'Accept a challenge: the match begins at once.',
    required: ['challenge_id'],
    errors: [...ENTRY_ERRORS, 'challenge_not_found', 'invalid_target', 'limit_reached'],
    run: (world, player, params) =>
      logOutcome(world, player, 'accept', accept(world, player, params)),
  }),
  action({
    ...MUTATION,
    name: 'decline',
    summary: 'Decline a challenge.',
    required: ['challenge_id'],
    errors: ['challenge_not_found'],
    run: (world, player, params) =>
      logOutcome(world, player, 'decline', decline(world, player, params)),
  }),
  action({
    ...MUTATION,
    name: 'cancel',
    summary: 'Withdraw your own challenge.',
    required: ['challenge_id'],
    errors: ['challenge_not_found'],
    run: (world, player, params) =>
      logOutcome(world, player, 'cancel', cancel(world, player, params)),
  }),
  action({
    ...QUERY,
    name: 'status',
    summary: 'Show your match, and the open challenges to you and by you.',
    result: statusSchema,
    run: (view, player) => ok(renderStatus(view, player)),
  }),
]

export const arenaCommands = actionCommands<ArenaParams>({
  name: 'arena',
  tool: 'game_arena',
  category: 'combat',
  summary: 'Fight other players, or the house, in an arena: nothing is lost there.',
  params: {
    challenge_id: str('Id of a challenge: of a player, or of the house.', { min: 1 }),
    max_side_size: int('Maximum number of ships per side.', {
      min: 1,
      max: ARENA_SIDE_SIZE_MAX,
      example: 1,
    }),
    player_id: str('A player at your arena, by id or name.', { min: 1 }),
  },
  rename: { challenge_id: 'id', player_id: 'id' },
  rows: ACTIONS,
  changes: ['player', 'ship', 'location', 'queue'],
  inBattle: true,
  isMutation: true,
  help: {
    description: 'Fights without consequences, against players or the house.',
    notes: [
      'Hull, shield, fuel, ammunition, hold, people and place are as before when a match is over.',
      say`In a match you give battle orders, attack, reload, {use_item} and scan; nothing else.`,
      'The loser is knocked out: no wreck, no bounty, no crime. Experience has a daily limit.',
      'A challenge between players lapses after 30 ticks; a match ends after 360 at the latest.',
    ],
  },
})

/** Mutations allowed in a match; the actions of `arena` have their own refusals there. */
const ALLOWED_IN_MATCH: ReadonlySet<string> = new Set([
  'attack',
  'reload',
  'use_item',
  'scan',
  'arena',
  ...arenaCommands.map(({ name }) => name),
])

/** Refuses most mutations of a player in a match: in_combat. Source: combat.md section 14. */
export function matchAdmission(
  view: WorldView,
  player: Eid,
  def: CommandDef,
): Failure<'in_combat'> | undefined {
  if (view.read(ShipMatch).match[activeShip(view, player)] === 0) return undefined
  return def.kind !== 'mutation' || ALLOWED_IN_MATCH.has(def.name) ? undefined : fail('in_combat')
}
