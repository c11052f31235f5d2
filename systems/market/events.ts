/** What makers are told of fills. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj, strings } from '../../core/params.ts'

/** Source: market.md section 6. */
export const tradeFill = defineEvent({
  type: 'trade_fill',
  summary: 'An order of the player was filled, in whole or in part.',
  queue: 'trade',
  fields: obj({
    ...strings('type', 'item_id', 'item_name', 'timestamp'),
    ...ints('price_each', 'quantity', 'total'),
  }),
})
