/** Wire shapes of sensing. Source: contract; spec, scan_result; travel.md sections 8, 9. */
import { defineEvent } from '../../core/event.ts'
import {
  bools,
  choice,
  ints,
  list,
  mapOf,
  named,
  numbers,
  obj,
  opt,
  strings,
  Type,
} from '../../core/params.ts'
import { wildlifeSchema } from '../creature/schemas.ts'
import { creatureSchema } from '../creature/state.ts'
import { depositSchema } from '../mining/schemas.ts'
import { empireNpcSchema, pirateSchema } from '../npc/state.ts'
import { seenPrizeSchema } from '../prize/state.ts'
import { nearbyPlayerSchema } from '../travel/nearby-state.ts'
import { arenaNpcSchema, contactSchema, texts } from './state.ts'

/** Fields of a scanned creature. */
const creatureFields = opt({ ...strings('species', 'role'), ...ints('danger') })

const scanFields = {
  ...strings('target_id'),
  ...bools('success'),
  revealed_info: texts,
  ...opt(strings('username', 'faction_id', 'ship_class', 'ship_name', 'description')),
  ...opt(ints('hull', 'shield')),
  ...opt(bools('cloaked')),
  ...opt({ cargo_types: texts }),
  ...creatureFields,
}

/* Events. Source: spec, events; travel.md section 9. */

export const scanResultEvent = defineEvent({
  type: 'scan_result',
  summary: 'What your scan revealed of its target.',
  queue: 'combat',
  fields: obj(scanFields),
})

export const scanDetected = defineEvent({
  type: 'scan_detected',
  summary: 'Somebody has scanned your ship; a scanner that you cannot see is not named.',
  queue: 'combat',
  channel: () => 'battle_events',
  fields: obj({
    ...strings('scanner_id', 'scanner_username', 'message'),
    ...opt(strings('scanner_ship_class')),
    revealed_info: list(Type.String()),
  }),
})

const players = list(nearbyPlayerSchema)

const pirates = list(pirateSchema)
const empireNpcs = list(empireNpcSchema)
const creatures = list(creatureSchema)
const prizes = list(seenPrizeSchema)
const arenaNpcs = list(arenaNpcSchema)

/** Full rows of what changed, ids of what left; those of the server's ships only if not empty. */
export const observationFields = obj({
  ...strings('poi_id', 'system_id'),
  ...ints('tick'),
  ...bools('unknown_signature', 'active_scan'),
  nearby_changed: players,
  nearby_departed: texts,
  system_changed: players,
  system_departed: texts,
  ...opt({ pirates_changed: pirates, pirates_departed: texts }),
  ...opt({ empire_npcs_changed: empireNpcs, empire_npcs_departed: texts }),
  ...opt({ creatures_changed: creatures, creatures_departed: texts }),
  ...opt({ prizes_changed: prizes, prizes_departed: texts }),
  ...opt({ arena_npcs_changed: arenaNpcs, arena_npcs_departed: texts }),
  cloaked_resolved: list(contactSchema),
  cloaked_lost: texts,
})

export const observationUpdate = defineEvent({
  type: 'observation_update',
  summary: 'What changed at the place you watch, and who came and went in its system.',
  queue: 'observation',
  fields: observationFields,
})

export const scanResult = named('ScanResponse', {
  ...scanFields,
  ...opt(strings('message')),
  ...opt(bools('swept', 'signature_detected', 'auto_docked', 'auto_undocked')),
  ...opt({ contacts: list(contactSchema) }),
})

export const cloakResult = named('CloakResponse', {
  ...bools('enabled'),
  ...ints('cloak_strength'),
  ...strings('message'),
  ...opt(bools('auto_docked', 'auto_undocked')),
})

const surveyedSchema = named('SurveyedPOI', {
  ...strings('id', 'name', 'type'),
  ...opt(strings('class', 'description')),
  ...opt({ resources: list(depositSchema) }),
})

const faintSchema = named('FaintSignature', {
  ...strings('type', 'hint'),
  ...opt({
    difficulty: choice('How much more a survey scanner would need.', ['low', 'medium', 'high']),
  }),
})

export const surveyResult = named('SurveySystemResponse', {
  ...strings('system_id', 'system_name', 'message', 'bloom_status'),
  ...ints('survey_power'),
  ...numbers('bloom_intensity'),
  newly_revealed: list(surveyedSchema),
  already_revealed: list(surveyedSchema),
  faint_signatures: list(faintSchema),
  wildlife: list(wildlifeSchema),
  xp_gained: mapOf(Type.Integer()),
  ...opt(strings('anomaly_hint')),
  ...opt(bools('auto_docked', 'auto_undocked')),
})

export const observationResult = named('SubscribeObservationResponse', {
  ...strings('action', 'poi_id', 'system_id'),
  ...bools('active_scan', 'unknown_signature'),
  nearby: players,
  system_agents: players,
  pirates,
  empire_npcs: empireNpcs,
  creatures,
  prizes,
  arena_npcs: arenaNpcs,
  ...opt({ cloaked_contacts: list(contactSchema) }),
  ...opt(strings('message')),
})
