/** What players are told about fuel. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj, strings } from '../../core/params.ts'

/** Source: spec, Events; travel.md section 9. */
export const refueledBy = defineEvent({
  type: 'refueled_by',
  summary: 'Another player pumped fuel into your tank.',
  fields: obj({
    ...strings('source_player_id', 'source_username'),
    ...ints('fuel', 'fuel_now', 'fuel_max'),
  }),
  queue: 'system',
  channel: () => 'support',
})
