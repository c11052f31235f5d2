/** What players are told about the people of their ships. */
import { defineEvent } from '../../core/event.ts'
import { obj, strings } from '../../core/params.ts'
import { berthsSchema, countsSchema, stateSchema } from './schemas.ts'

/** To the ally who got people, or whose injured were treated; to nobody else. Source: spec. */
export const personnelUpdate = defineEvent({
  type: 'personnel_update',
  summary: 'An ally has sent people to your ship, or treated its injured.',
  fields: obj({
    ...strings('action', 'ship_id', 'source_player_id', 'source_username'),
    counts: countsSchema,
    capacities: berthsSchema,
    personnel: stateSchema,
  }),
  queue: 'system',
})
