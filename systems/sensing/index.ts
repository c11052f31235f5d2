/** Seeing and hiding: scans, cloaks, surveys, and the feed of a place. */
import type { DomainDef } from '../../core/registry.ts'
import { cloak, cloakAdmission, scan, surveySystem } from './commands.ts'
import { notifyWatchers, subscribeObservation, unsubscribeObservation } from './observe-commands.ts'
import { rebuildCloaks, rebuildWatches } from './rules.ts'
import { observationUpdate, scanDetected, scanResultEvent } from './schemas.ts'
import { clearSentState } from './sent-state-commands.ts'
import { CHART_EPOCHS, CONTACTS, SURVEYED, Watch } from './state.ts'
import { cloaksHold, upkeep, watchesHold } from './systems.ts'

export const sensingDomain: DomainDef = {
  name: 'sensing',
  tables: [Watch],
  records: [CHART_EPOCHS, CONTACTS, SURVEYED],
  commands: [scan, cloak, surveySystem, subscribeObservation, unsubscribeObservation],
  events: [scanResultEvent, scanDetected, observationUpdate],
  systems: [upkeep, notifyWatchers],
  checks: [watchesHold, cloaksHold],
  admission: cloakAdmission,
  rebuild(world) {
    rebuildCloaks(world)
    rebuildWatches(world)
    clearSentState(world)
  },
}
