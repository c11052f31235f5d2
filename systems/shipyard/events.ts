/** What players are told of hulls made for them. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj, strings } from '../../core/params.ts'

/** To the owner of a hull that is built, or bought by an order of his. Never muted. ships.md 10. */
export const shipCommissionComplete = defineEvent({
  type: 'ship_commission_complete',
  summary: 'A ship that you commissioned, or wanted to buy, is docked and yours.',
  fields: obj({
    ...ints('tick'),
    ...strings('commission_id', 'ship_id', 'ship_class', 'ship_name', 'base_id', 'base_name'),
  }),
  queue: 'system',
})
