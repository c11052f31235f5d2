/**
 * Intelligence of factions: charts, prices, sensors and espionage. Source: factions.md section 6.
 */
import type { DomainDef } from '../../core/registry.ts'
import { submitIntel, submitTradeIntel } from './commands.ts'
import { endDueListening, espionage, rebuildListeners, scanPoi } from './espionage-commands.ts'
import { findItem } from './find-queries.ts'
import { intelMap, intelSystem } from './map-queries.ts'
import { intelStatus, queryIntel, queryTradeIntel, tradeIntelStatus } from './queries.ts'
import { rebuildNotes, rebuildPrices } from './rules.ts'
import { FACTS, PriceNote, Spy, SYSTEM_NOTES } from './state.ts'
import { factsHold, forgetIntel, notesHold, pricesHold, seePrices, seeSystem } from './systems.ts'

export const intelDomain: DomainDef = {
  name: 'intel',
  tables: [PriceNote, Spy],
  records: [SYSTEM_NOTES, FACTS],
  commands: [
    submitIntel,
    queryIntel,
    intelStatus,
    submitTradeIntel,
    queryTradeIntel,
    tradeIntelStatus,
    scanPoi,
    espionage,
    findItem,
    intelMap,
    intelSystem,
  ],
  systems: [endDueListening],
  checks: [notesHold, pricesHold, factsHold],
  observers: [seeSystem, seePrices, forgetIntel],
  rebuild(world) {
    rebuildNotes(world)
    rebuildPrices(world)
    rebuildListeners(world)
  },
}
