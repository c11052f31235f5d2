/** Seeing and hiding: scans, cloaks, surveys, and the feed of a place. */
import type { CommandDef } from '../../core/command.ts'
import type { Failure } from '../../core/errors.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { cloaksHold, watchesHold } from './checks.ts'
import { CONTACTS, Watch } from './columns.ts'
import { cloak, refuseWhileBoarded, scan } from './commands.ts'
import { observationUpdate, scanDetected, scanResultEvent } from './events.ts'
import { subscribeObservation, tellWatchers, unsubscribeObservation } from './observe.ts'
import { rebuildCloaks } from './rules.ts'
import { surveySystem } from './survey.ts'
import { upkeep } from './systems.ts'
import { forgetTold } from './told.ts'
import { rebuildWatches } from './watch-rules.ts'

export const sensingDomain: DomainDef = {
  name: 'sensing',
  tables: [Watch],
  records: [CONTACTS],
  commands: [scan, cloak, surveySystem, subscribeObservation, unsubscribeObservation],
  events: [scanResultEvent, scanDetected, observationUpdate],
  systems: [upkeep, tellWatchers],
  checks: [watchesHold, cloaksHold],
  admission: refuseCloak,
  rebuild(world) {
    rebuildCloaks(world)
    rebuildWatches(world)
    forgetTold(world)
  },
}

/** Comes before the refusal of everything in a battle: boarders are why. */
function refuseCloak(view: WorldView, player: Eid, def: CommandDef): Failure | undefined {
  return def.name === cloak.name ? refuseWhileBoarded(view, player) : undefined
}
