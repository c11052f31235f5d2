/** Intelligence: what factions know, see from afar and overhear. Source: factions.md section 6. */
import type { DomainDef } from '../../core/registry.ts'
import { factsHold, notesHold, pricesHold } from './checks.ts'
import { FACTS, PriceNote, Spy, SYSTEM_NOTES } from './columns.ts'
import { submitIntel, submitTradeIntel } from './commands.ts'
import { espionage, listening, rebuildListeners } from './espionage.ts'
import { rebuildNotes } from './note-rules.ts'
import { forgetIntel, seePrices, seeSystem } from './observers.ts'
import { queryTradeIntel, tradeIntelStatus } from './price-queries.ts'
import { rebuildPrices } from './price-rules.ts'
import { intelStatus, queryIntel } from './queries.ts'
import { scanPoi } from './sensors.ts'

export const intelDomain: DomainDef = {
  name: 'intel',
  tables: [PriceNote, Spy],
  records: [SYSTEM_NOTES, FACTS],
  commands: [
    ...[submitIntel, queryIntel, intelStatus],
    ...[submitTradeIntel, queryTradeIntel, tradeIntelStatus],
    ...[scanPoi, espionage],
  ],
  systems: [listening],
  checks: [notesHold, pricesHold, factsHold],
  observers: [seeSystem, seePrices, forgetIntel],
  rebuild(world) {
    rebuildNotes(world)
    rebuildPrices(world)
    rebuildListeners(world)
  },
}
