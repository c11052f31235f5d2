/** Intelligence: what factions know, see from afar and overhear. Source: factions.md section 6. */
import type { DomainDef } from '../../core/registry.ts'
import { onDisband } from '../faction/rules.ts'
import { onArrival } from '../travel/arrival-rules.ts'
import { factsHold, notesHold, pricesHold } from './checks.ts'
import { FACTS, PriceNote, Spy, SYSTEM_NOTES } from './columns.ts'
import { submitIntel, submitTradeIntel } from './commands.ts'
import { espionage, listening, rebuildListeners } from './espionage.ts'
import { collectSystem, dropNotes, rebuildNotes } from './note-rules.ts'
import { queryTradeIntel, tradeIntelStatus } from './price-queries.ts'
import { collectPrices, dropPrices, rebuildPrices } from './price-rules.ts'
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
  rebuild(world) {
    rebuildNotes(world)
    rebuildPrices(world)
    rebuildListeners(world)
    onArrival(world, { arrived: collectSystem, docked: collectPrices })
    onDisband(world, {
      run(at, faction) {
        dropNotes(at, faction)
        dropPrices(at, faction)
      },
    })
  },
}
