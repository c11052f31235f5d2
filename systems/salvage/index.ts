/** Wrecks of ships, creatures and bases: looting, towing, selling and scrapping them. */
import { countGauge, type DomainDef } from '../../core/registry.ts'
import {
  getWrecks,
  lootV2,
  lootWreck,
  releaseTow,
  scrapWreck,
  sellWreck,
  towWreck,
} from './commands.ts'
import { drift } from './derelict-systems.ts'
import { wrecks } from './model.ts'
import { rebuildWrecks } from './rules.ts'
import { DERELICT_TURNS, Tow, Wreck } from './state.ts'
import { abandon, decay, towsAreConsistent, wrecksAreSound } from './systems.ts'
import { rebuildTugs } from './tow-rules.ts'

export const salvageDomain: DomainDef = {
  name: 'salvage',
  references: [wrecks],
  tables: [Wreck, Tow],
  records: [DERELICT_TURNS],
  commands: [getWrecks, lootWreck, lootV2, towWreck, releaseTow, sellWreck, scrapWreck],
  systems: [abandon, decay, drift],
  checks: [wrecksAreSound, towsAreConsistent],
  gauges: [countGauge('wrecks', Wreck, 'Wrecks adrift or in tow.')],
  rebuild(world) {
    rebuildWrecks(world)
    rebuildTugs(world)
  },
}
