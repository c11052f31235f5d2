/** What players are told of their missions. Source: missions.md section 5, events. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj, strings } from '../../core/params.ts'

export const missionUpdate = defineEvent({
  type: 'mission_update',
  summary: 'An objective of one of your missions moved on.',
  fields: obj({ ...strings('mission_id', 'objective'), ...ints('current', 'required') }),
  queue: 'system',
  channel: () => 'activity',
})
