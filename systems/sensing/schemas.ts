/** Wire shapes of sensing. Source: contract; spec, scan_result; travel.md sections 8, 9. */
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
import { wildlifeSchema } from '../creature/views.ts'
import { depositSchema } from '../mining/views.ts'
import { nearbyPlayerSchema } from '../travel/schemas.ts'

const texts = list(Type.String())

/** What a sweep or an active watch shows of a cloaked ship. */
export const contactSchema = named('ScanContact', {
  ...strings('target_id'),
  revealed_info: texts,
  ...opt(strings('username', 'faction_id', 'ship_class', 'ship_name')),
  ...opt(ints('hull', 'shield')),
  ...opt(bools('cloaked')),
})

/** Of a creature: what it is, instead of who. */
const creatureFields = opt({ ...strings('species', 'role'), ...ints('danger') })

export const scanFields = {
  ...strings('target_id'),
  ...bools('success'),
  revealed_info: texts,
  ...opt(strings('username', 'faction_id', 'ship_class', 'ship_name', 'description')),
  ...opt(ints('hull', 'shield')),
  ...opt(bools('cloaked')),
  ...opt({ cargo_types: texts }),
  ...creatureFields,
}

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

const players = list(nearbyPlayerSchema)

export const observationResult = named('SubscribeObservationResponse', {
  ...strings('action', 'poi_id', 'system_id'),
  ...bools('active_scan', 'unknown_signature'),
  nearby: players,
  system_agents: players,
  ...opt({ cloaked_contacts: list(contactSchema) }),
  ...opt(strings('message')),
})

export const observationFields = obj({
  ...strings('poi_id', 'system_id'),
  ...ints('tick'),
  ...bools('unknown_signature', 'active_scan'),
  nearby_changed: players,
  nearby_departed: texts,
  system_changed: players,
  system_departed: texts,
  cloaked_resolved: list(contactSchema),
  cloaked_lost: texts,
})
