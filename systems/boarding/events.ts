/** What players are told when a ship is taken. */
import { defineEvent } from '../../core/event.ts'
import { obj } from '../../core/params.ts'
import { captureFields } from './schemas.ts'

/** Source: spec, Events; combat.md section 16. */
export const shipCaptured = defineEvent({
  type: 'ship_captured',
  summary: 'A ship of your battle was taken by boarding.',
  fields: obj(captureFields),
  queue: 'combat',
})
