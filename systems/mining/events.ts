/** What miners are told. */
import { defineEvent } from '../../core/event.ts'
import { obj, opt, strings } from '../../core/params.ts'
import { yieldFields } from './schemas.ts'

/** Source: spec, Events; mining.md section 8. */
export const miningYield = defineEvent({
  type: 'mining_yield',
  summary: 'A pull brought something into your hold.',
  fields: obj({ ...yieldFields, ...opt(strings('kind')) }),
  queue: 'system',
  channel: () => 'activity',
})
