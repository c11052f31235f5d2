/**
 * The command `arena`: v1 has one with an action, v2 an address each. What only reads is answered
 * at once. Source: spec; combat.md sections 14, 17.
 */
import { challengeById } from '../../core/catalog/index.ts'
import { type CommandDef, mutation, query } from '../../core/command.ts'
import { type ErrorCode, type Failure, fail, ok } from '../../core/errors.ts'
import { choice, int, NO_PARAMS, obj, optional, str, Type } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { battleId, combatantOf } from '../combat/model.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { logAction } from '../log/rules.ts'
import { playerMeant } from '../sensing/model.ts'
import { activeShip } from '../ship/model.ts'
import { inTransit, poiOf } from '../travel/drift-model.ts'
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
import { arenaHelpSchema, challengesSchema, doneSchema, statusSchema } from './schemas.ts'
import { ARENA_SIDE_SIZE_MAX, type Duel, ShipMatch } from './state.ts'
import { renderChallenges, renderStatus } from './views.ts'

const READS = ['challenges', 'status', 'help'] as const
const WRITES = ['challenge', 'accept', 'decline', 'cancel', 'fight'] as const
type Write = (typeof WRITES)[number]
type Action = (typeof READS)[number] | Write

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

const ACTS = {
  challenge: makeChallenge,
  accept,
  decline: end('challenged', 'declined'),
  cancel: end('challenger', 'cancelled'),
  fight,
}

function act(world: World, player: Eid, action: Write, asked: Asked) {
  const done = ACTS[action](world, player, asked)
  if (!done.ok) return done
  const message = String(done.result.message)
  const data = { challenge_id: String(done.result.challenge_id) }
  logAction(world, player, 'combat', `arena_${action}`, message, data)
  return ok({ action, ...done.result })
}

/* Definitions */

const ENTERING = [
  'detained',
  'already_in_match',
  'in_combat',
  'in_transit',
  'not_at_arena',
] as const
const RULES = [
  ...(['rule_hull_tier', 'rule_hull_scale', 'rule_max_speed', 'rule_max_weapons'] as const),
  ...(['rule_damage_type', 'rule_no_ammo_weapons', 'rule_no_drones'] as const),
  ...(['rule_no_boosters', 'rule_no_shield_modules', 'rule_no_repair'] as const),
  ...(['rule_no_tackle', 'rule_empty_hold', 'rule_side_size'] as const),
]
const ERRORS_OF = {
  challenge: [...ENTERING, 'invalid_target', 'limit_reached', 'rate_limited'],
  accept: [...ENTERING, 'challenge_not_found', 'invalid_target', 'limit_reached'],
  decline: ['challenge_not_found'],
  cancel: ['challenge_not_found'],
  fight: [...ENTERING, 'challenge_not_found', 'challenge_locked', 'limit_reached', ...RULES],
} as const satisfies Record<Write, readonly ErrorCode[]>
const SUMMARY: Readonly<Record<Write, string>> = {
  challenge: 'Challenge a player at your arena to a match without consequences.',
  accept: 'Take up a challenge: the match begins at once.',
  decline: 'Turn a challenge down.',
  cancel: 'Take back your own challenge.',
  fight: 'Take up a challenge of the house at its arena.',
}

const challengeParam = str('Id of a challenge: of a player, or of the house.', { min: 1 })
const sizeParam = int('Most ships a side.', { min: 1, max: ARENA_SIDE_SIZE_MAX, example: 1 })
const playerParam = str('A player at your arena, by id or name.', { min: 1 })

const shared = { category: 'combat', order: 'plain', needs: [], inBattle: true } as const
const SECTIONS = ['player', 'ship', 'location', 'queue'] as const

export const arena = mutation({
  ...shared,
  name: 'arena',
  summary: 'Fight other players, or for the house, in an arena: nothing is lost there.',
  params: obj({
    action: choice('What to do.', [...READS, ...WRITES]),
    challenge_id: optional(challengeParam),
    max_side_size: optional(sizeParam),
    player_id: optional(playerParam),
  }),
  result: Type.Union([doneSchema, challengesSchema, statusSchema, arenaHelpSchema]),
  changes: SECTIONS,
  errors: [...new Set(Object.values(ERRORS_OF).flat())],
  readsOnly: ({ action }) => (READS as readonly string[]).includes(action),
  run(world, player, { action, ...asked }) {
    if (action === 'challenges') return ok(renderChallenges(world, player))
    if (action === 'status') return ok(renderStatus(world, player))
    return action === 'help' ? ok(arenaHelp()) : act(world, player, action as Write, asked)
  },
})

/** The address of an action on v2. */
function onV2(
  action: Write,
  params: Parameters<typeof mutation>[0]['params'],
  rename: Readonly<Record<string, string>>,
): CommandDef {
  return mutation({
    ...shared,
    name: action,
    v1: false,
    v1Name: `arena ${action}`,
    v2: { tool: 'game_arena', action, rename },
    summary: SUMMARY[action],
    params,
    result: doneSchema,
    changes: SECTIONS,
    errors: ERRORS_OF[action],
    run: (world: World, player: Eid, asked: Asked) => act(world, player, action, asked),
  })
}

const BY_ID = { challenge_id: 'id' }
const named = obj({ challenge_id: challengeParam })

export const arenaActions: readonly CommandDef[] = [
  onV2('challenge', obj({ player_id: playerParam, max_side_size: optional(sizeParam) }), {
    player_id: 'id',
  }),
  onV2('accept', named, BY_ID),
  onV2('decline', named, BY_ID),
  onV2('cancel', named, BY_ID),
  onV2('fight', named, BY_ID),
  query({
    name: 'challenges',
    v1: false,
    v1Name: 'arena challenges',
    v2: { tool: 'game_arena', action: 'challenges' },
    summary: 'The challenges of the house: where, against whom, by which rules, your wins.',
    category: 'combat',
    params: NO_PARAMS,
    result: challengesSchema,
    needs: [],
    errors: [],
    run: (view, player) => ok(renderChallenges(view, player)),
  }),
  query({
    name: 'status',
    v1: false,
    v1Name: 'arena status',
    v2: { tool: 'game_arena', action: 'status' },
    summary: 'Your match, and challenges that wait for an answer.',
    category: 'combat',
    params: NO_PARAMS,
    result: statusSchema,
    needs: [],
    errors: [],
    run: (view, player) => ok(renderStatus(view, player)),
  }),
]

export type { Action }

/* What `arena help` says. */

const ACTIONS: readonly (readonly [action: string, description: string, params: string[]])[] = [
  ['challenges', 'Lists the challenges of the house.', []],
  ['fight', 'Takes up a challenge of the house, at its arena.', ['challenge_id']],
  ['challenge', 'Challenges a player at your arena.', ['player_id', 'max_side_size']],
  ['accept', 'Takes up the challenge of a player.', ['challenge_id']],
  ['decline', 'Turns the challenge of a player down.', ['challenge_id']],
  ['cancel', 'Takes back your own challenge.', ['challenge_id']],
  ['status', 'Your match, and challenges that wait.', []],
  ['help', 'This.', []],
]

const NOTES: readonly string[] = [
  'Hull, shield, fuel, ammunition, hold, people and place are as before when a match is over.',
  say`In a match you give battle orders, attack, reload, {use_item} and scan; nothing else.`,
  'Whoever is beaten is knocked out: no wreck, no bounty, no crime. Experience counts, so much a day.',
  'A challenge between players lapses after 30 ticks; a match ends after 360 at the latest.',
]

const arenaHelp = () => ({
  action: 'help' as const,
  command: 'arena',
  description: 'Fights without consequences, against players or the house.',
  actions: ACTIONS.map(([action, description, params]) => ({ action, description, params })),
  notes: [...NOTES],
})

/** Mutations of a pilot in the ring; `arena` itself says what is wrong with it there. */
const IN_THE_RING: ReadonlySet<string> = new Set([
  ...['attack', 'reload', 'use_item', 'scan', 'arena'],
  ...arenaActions.map(({ name }) => name),
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
