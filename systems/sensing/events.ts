/** What sensing tells. Source: spec, events; travel.md section 9. */
import { defineEvent } from '../../core/event.ts'
import { list, obj, opt, strings, Type } from '../../core/params.ts'
import { observationFields, scanFields } from './schemas.ts'

export const scanResultEvent = defineEvent({
  type: 'scan_result',
  summary: 'What your scan revealed of its target.',
  queue: 'combat',
  fields: obj(scanFields),
})

export const scanDetected = defineEvent({
  type: 'scan_detected',
  summary: 'Somebody has scanned your ship; of a scanner you cannot see nothing is told.',
  queue: 'combat',
  channel: () => 'battle_events',
  fields: obj({
    ...strings('scanner_id', 'scanner_username', 'message'),
    ...opt(strings('scanner_ship_class')),
    revealed_info: list(Type.String()),
  }),
})

export const observationUpdate = defineEvent({
  type: 'observation_update',
  summary: 'What changed at the place you watch, and who came and went in its system.',
  queue: 'observation',
  fields: observationFields,
})
