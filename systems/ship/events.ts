/** What players are told about their ships. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj, strings } from '../../core/params.ts'

/** To the player whose ship another one has mended. Source: spec, Combat and ships. */
export const repairedBy = defineEvent({
  type: 'repaired_by',
  summary: 'Another player has repaired your ship.',
  fields: obj({
    ...strings('source_player_id', 'source_username'),
    ...ints('repaired', 'hull', 'max_hull'),
  }),
  queue: 'system',
  channel: () => 'support',
})
