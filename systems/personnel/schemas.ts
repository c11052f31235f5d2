/** Wire shapes of personnel; they are sent only to the owner of a ship. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj, opt, strings } from '../../core/params.ts'

export const countsSchema = obj(ints('fit_crew', 'fit_marines', 'injured_crew', 'injured_marines'))
export const berthsSchema = obj(ints('crew_capacity', 'minimum_crew', 'marine_capacity'))
export const stateSchema = obj(
  ints('fit_crew', 'fit_marines', 'injured_crew', 'injured_marines', 'version'),
)

/** Sent to an ally who got people, or whose injured people were treated. Source: spec. */
export const personnelUpdate = defineEvent({
  type: 'personnel_update',
  summary: 'An ally has sent people to your ship, or treated injured people aboard it.',
  fields: obj({
    ...strings('action', 'ship_id', 'source_player_id', 'source_username'),
    counts: countsSchema,
    capacities: berthsSchema,
    personnel: stateSchema,
  }),
  queue: 'system',
})

export const poolsSchema = obj({
  ...ints('crew', 'marines', 'medical'),
  ...ints('crew_price', 'marine_price', 'treat_crew_price', 'treat_marine_price'),
})

export const recruitSchema = obj({
  ...strings('action', 'base_id', 'message'),
  ...ints('crew', 'marines', 'cost'),
  personnel: stateSchema,
  capacities: berthsSchema,
  pool: poolsSchema,
})

export const transferSchema = obj({
  ...strings('action', 'ship_id', 'message'),
  ...opt(strings('target_player_id', 'target_player_name', 'target_ship_id', 'prize_id')),
  counts: countsSchema,
  personnel: stateSchema,
})

export const treatSchema = obj({
  ...strings('action', 'provider', 'ship_id', 'message'),
  ...opt(strings('target_player_id', 'target_player_name', 'base_id')),
  ...ints('crew', 'marines', 'cost', 'supplies_used'),
  personnel: stateSchema,
  ...opt({ reserve: countsSchema }),
})

/** The reserve of a faction at a base, and the people aboard the player's ship. */
export const reserveSchema = obj({
  ...strings('action', 'personnel_action', 'faction_id', 'base_id', 'message'),
  ...ints('crew_room', 'marine_room'),
  ...opt(ints('cost')),
  reserve: countsSchema,
  ...opt({ personnel: stateSchema }),
})
