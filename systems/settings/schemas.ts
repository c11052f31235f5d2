/** The internal event that sends net a player's mute mask; it never leaves the server. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj } from '../../core/params.ts'

export const maskChanged = defineEvent({
  type: 'internal:mask',
  summary: 'The mute mask of a player: bit i mutes the i-th channel on WebSockets.',
  fields: obj(ints('mask')),
  queue: 'system',
})
