/** What players are told of their taxes. */
import { defineEvent } from '../../core/event.ts'
import { ints, mapOf, obj, Type } from '../../core/params.ts'

/** Never muted. Source: ours, market.md section 14. */
export const taxAssessed = defineEvent({
  type: 'tax_assessed',
  summary: 'The week’s tax was assessed and collected.',
  queue: 'system',
  fields: obj({
    ...ints('owed', 'paid', 'bounty'),
    by_empire: mapOf(Type.Integer()),
  }),
})
