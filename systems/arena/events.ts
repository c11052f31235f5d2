/** What players are told of the arena. Neither can be muted. Source: spec; combat.md section 16. */
import { defineEvent } from '../../core/event.ts'
import { bools, choice, ints, list, obj, opt, optional, strings } from '../../core/params.ts'

export const arenaChallenge = defineEvent({
  type: 'arena_challenge',
  summary: 'A challenge between you and another player came to something.',
  fields: obj({
    event: choice('What happened.', ['received', 'accepted', 'declined', 'cancelled', 'expired']),
    ...strings('challenge_id', 'challenger_id', 'challenger_name'),
    ...strings('challenged_id', 'challenged_name', 'poi_id'),
    ...ints('max_side_size', 'expires_tick'),
    ...opt(strings('battle_id')),
  }),
  queue: 'combat',
})

export const arenaObjective = defineEvent({
  type: 'arena_objective',
  summary: 'A wave has come in your match with the house, or the match is decided.',
  fields: obj({
    event: choice('What happened.', ['wave_arrived', 'objective_won', 'objective_lost']),
    ...strings('battle_id', 'challenge_id', 'message'),
    ...opt(strings('wave_name')),
    enemies: list(obj({ ...strings('npc_id', 'name', 'ship_class'), ...bools('flees') })),
    objective: optional(choice('What decided.', ['survive_ticks', 'time_limit', 'enemy_escaped'])),
  }),
  queue: 'combat',
})
