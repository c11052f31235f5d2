/** What pilots are told of flights that no command waits for. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj, strings } from '../../core/params.ts'
import { jumpedResult } from './schemas.ts'

/** In the form of a result, since `jump` itself was answered at once. Source: travel.md section 4. */
export const driftEnded = defineEvent({
  type: 'action_result',
  summary: 'Your drift has ended: the ship dropped out in a system.',
  fields: obj({ ...strings('command'), ...ints('tick'), result: jumpedResult }),
  queue: 'system',
})
