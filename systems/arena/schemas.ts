/** Wire shapes of the arena's answers. ours: the reference has none of these commands. */
import { defineEvent } from '../../core/event.ts'
import { bools, choice, ints, list, obj, opt, optional, strings } from '../../core/params.ts'

/* Events of the arena. Neither can be muted. Source: spec; combat.md section 16. */

export const arenaChallenge = defineEvent({
  type: 'arena_challenge',
  summary: 'A challenge between you and another player was made, answered or ended.',
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

const enemySchema = obj({ ...strings('npc', 'name', 'ship_class'), ...bools('flees') })

const houseChallengeSchema = obj({
  ...strings('id', 'name', 'lore', 'poi_id', 'poi_name', 'system_id'),
  ...ints('wins'),
  ...bools('locked', 'here'),
  rules: list(obj({ ...strings('rule'), ...opt({ ...ints('max'), ...strings('type') }) })),
  objective: obj({ ...strings('type'), ...opt(ints('ticks')) }),
  enemies: list(enemySchema),
  waves: list(
    obj({
      ...strings('name'),
      npc: list(enemySchema),
      ...opt(ints('after_ticks', 'when_enemies_remaining')),
    }),
  ),
  requires: list(obj({ ...strings('id'), ...bools('locked') })),
})

export const challengesSchema = obj({
  action: choice('Always challenges.', ['challenges']),
  ...ints('count'),
  challenges: list(houseChallengeSchema),
})

const duelSchema = obj({
  ...strings('challenge_id', 'challenger_id', 'challenger_name'),
  ...strings('challenged_id', 'challenged_name', 'poi_id'),
  ...ints('max_side_size', 'expires_tick'),
})

export const statusSchema = obj({
  action: choice('Always status.', ['status']),
  ...bools('in_match', 'at_arena'),
  ...opt({
    match: obj({
      ...strings('battle_id', 'kind'),
      ...opt(strings('challenge_id')),
      ...ints('elapsed_ticks', 'ticks_remaining', 'enemies_remaining', 'waves_remaining'),
    }),
  }),
  incoming: list(duelSchema),
  outgoing: list(duelSchema),
})

/** Answer of the actions that change something. */
export const doneSchema = obj({
  action: choice('What was done.', ['challenge', 'accept', 'decline', 'cancel', 'fight']),
  ...strings('challenge_id', 'message'),
  ...opt({ ...strings('battle_id', 'poi_id'), ...ints('expires_tick', 'max_side_size') }),
})
