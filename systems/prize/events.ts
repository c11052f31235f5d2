/** What the claimant of a prize is told. */
import { defineEvent } from '../../core/event.ts'
import { obj } from '../../core/params.ts'
import { prizeUpdateFields } from './schemas.ts'

/** To the claimant alone; a stall of the same reason at the same place once. Source: spec. */
export const prizeUpdate = defineEvent({
  type: 'prize_update',
  summary: 'A prize of yours has set out, waits for something, is home or is lost.',
  fields: obj(prizeUpdateFields),
  queue: 'combat',
})
