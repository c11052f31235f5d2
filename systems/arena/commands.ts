/**
 * The command `arena`: v1 has one with an action, v2 an address each. What only reads is answered
 * at once. Source: spec; combat.md sections 14, 17.
 */

import { actionCommands, actionRow } from '../../core/action-table.ts'
import { challengeById } from '../../core/catalog/index.ts'
import type { CommandDef } from '../../core/command.ts'
import { type ErrorCode, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { int, str, words } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
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
  dropDuel,
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

interface Asked {
  readonly challenge_id?: string
  readonly max_side_size?: number
  readonly player_id?: string
}

/* Refusals */

/** Free to enter the ring: at liberty, at an arena, in no battle. Returns the place. */
function enter(world: World, player: Eid) {
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

/** A challenge that is open, of the player's on this side of it. */
function ownDuel(
  view: WorldView,
  player: Eid,
  id: string,
  as: 'challenger' | 'challenged',
): Duel | Failure<'challenge_not_found'> {
  const duel = duelById(view, id)
  const isOwn = duel?.[as] === view.read(Player).seq[player]
  return duel && isOwn ? duel : fail('challenge_not_found', { challenge_id: id })
}

const isFailure = (found: object): found is Failure => 'code' in found

/* What changes something */

const makeChallenge = (world: World, player: Eid, { player_id = '', max_side_size = 1 }: Asked) => {
  const poi = enter(world, player)
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

const accept = (world: World, player: Eid, { challenge_id = '' }: Asked) => {
  const duel = ownDuel(world, player, challenge_id, 'challenged')
  if (isFailure(duel)) return duel
  const poi = enter(world, player)
  if (typeof poi !== 'number') return poi
  if (world.rowOf(Poi, duel.poi) !== poi) return fail('not_at_arena')
  const begun = acceptDuel(world, duel)
  if (!begun.ok) return begun
  const battle_id = battleId(world, begun.result)
  return ok({ challenge_id, battle_id, message: 'The match begins.' })
}

/** Ends a challenge that is open. */
const end =
  (as: 'challenger' | 'challenged', event: 'declined' | 'cancelled') =>
  (world: World, player: Eid, { challenge_id = '' }: Asked) => {
    const duel = ownDuel(world, player, challenge_id, as)
    if (isFailure(duel)) return duel
    dropDuel(world, duel, event)
    return ok({ challenge_id, message: `The challenge is ${event}.` })
  }

const decline = end('challenged', 'declined')
const cancel = end('challenger', 'cancelled')

const fight = (world: World, player: Eid, { challenge_id = '' }: Asked) => {
  const row = challengeById(challenge_id)
  if (row === undefined) return fail('challenge_not_found', { challenge_id })
  const poi = enter(world, player)
  if (typeof poi !== 'number') return poi
  if (arenaOf(world, row) !== poi) {
    return fail('not_at_arena', { poi_id: poiId(world, arenaOf(world, row)) })
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

/** Has an act tell the pilot's log, and its answer name the action. */
function logged<
  A extends string,
  R extends { readonly message: string; readonly challenge_id: string },
  E extends ErrorCode,
>(world: World, player: Eid, action: A, done: Outcome<R, E>): Outcome<R & { action: A }, E> {
  if (!done.ok) return done
  const { message, challenge_id } = done.result
  logAction(world, player, 'combat', `arena_${action}`, message, { challenge_id })
  return ok({ ...done.result, action })
}

/* Definitions */

const ENTERING = [
  'detained',
  'already_in_match',
  'in_combat',
  'in_transit',
  'not_at_arena',
] as const
const RULES = words(
  'rule_hull_tier rule_hull_scale rule_max_speed rule_max_weapons rule_damage_type',
  'rule_no_ammo_weapons rule_no_drones rule_no_boosters rule_no_shield_modules rule_no_repair',
  'rule_no_tackle rule_empty_hold rule_side_size',
)

const action = actionRow<Asked>()
const WRITING = { kind: 'mutation', needs: [], result: doneSchema } as const
const READING = { kind: 'query', needs: [], errors: [] } as const

const ACTIONS = [
  action({
    ...READING,
    name: 'challenges',
    summary: 'List the challenges of the house: where, against whom, by which rules, your wins.',
    result: challengesSchema,
    run: (view, player) => ok(renderChallenges(view, player)),
  }),
  action({
    ...WRITING,
    name: 'fight',
    summary: 'Take up a challenge of the house at its arena.',
    required: ['challenge_id'],
    errors: [...ENTERING, 'challenge_not_found', 'challenge_locked', 'limit_reached', ...RULES],
    run: (world, player, asked) => logged(world, player, 'fight', fight(world, player, asked)),
  }),
  action({
    ...WRITING,
    name: 'challenge',
    summary: 'Challenge a player at your arena to a match without consequences.',
    required: ['player_id'],
    optional: ['max_side_size'],
    errors: [...ENTERING, 'invalid_target', 'limit_reached', 'rate_limited'],
    run: (world, player, asked) =>
      logged(world, player, 'challenge', makeChallenge(world, player, asked)),
  }),
  action({
    ...WRITING,
    name: 'accept',
    summary: 'Take up a challenge: the match begins at once.',
    required: ['challenge_id'],
    errors: [...ENTERING, 'challenge_not_found', 'invalid_target', 'limit_reached'],
    run: (world, player, asked) => logged(world, player, 'accept', accept(world, player, asked)),
  }),
  action({
    ...WRITING,
    name: 'decline',
    summary: 'Turn a challenge down.',
    required: ['challenge_id'],
    errors: ['challenge_not_found'],
    run: (world, player, asked) => logged(world, player, 'decline', decline(world, player, asked)),
  }),
  action({
    ...WRITING,
    name: 'cancel',
    summary: 'Take back your own challenge.',
    required: ['challenge_id'],
    errors: ['challenge_not_found'],
    run: (world, player, asked) => logged(world, player, 'cancel', cancel(world, player, asked)),
  }),
  action({
    ...READING,
    name: 'status',
    summary: 'Show your match, and challenges that wait for an answer.',
    result: statusSchema,
    run: (view, player) => ok(renderStatus(view, player)),
  }),
]

export const arenaCommands = actionCommands<Asked>({
  name: 'arena',
  tool: 'game_arena',
  category: 'combat',
  summary: 'Fight other players, or for the house, in an arena: nothing is lost there.',
  params: {
    challenge_id: str('Id of a challenge: of a player, or of the house.', { min: 1 }),
    max_side_size: int('Most ships a side.', { min: 1, max: ARENA_SIDE_SIZE_MAX, example: 1 }),
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
      'Whoever is beaten is knocked out: no wreck, no bounty, no crime. Experience counts, so much a day.',
      'A challenge between players lapses after 30 ticks; a match ends after 360 at the latest.',
    ],
  },
})

/** Mutations of a pilot in the ring; `arena` itself says what is wrong with it there. */
const IN_THE_RING: ReadonlySet<string> = new Set([
  ...['attack', 'reload', 'use_item', 'scan', 'arena'],
  ...arenaCommands.map(({ name }) => name),
])

/** In a match nearly nothing is left to a pilot. Source: combat.md section 14. */
export function matchAdmission(
  view: WorldView,
  player: Eid,
  def: CommandDef,
): Failure<'in_combat'> | undefined {
  if (view.read(ShipMatch).match[activeShip(view, player)] === 0) return undefined
  return def.kind !== 'mutation' || IN_THE_RING.has(def.name) ? undefined : fail('in_combat')
}
