/** Wrecks: what is left of ships, creatures and bases, and what can be made of it. */
import type { DomainDef } from '../../core/registry.ts'
import { linesHold, wrecksAreSound } from './checks.ts'
import { Tow, Wreck } from './columns.ts'
import { lootV2, lootWreck, releaseTow, scrapWreck, sellWreck, towWreck } from './commands.ts'
import { getWrecks } from './queries.ts'
import { wrecks } from './references.ts'
import { abandon, decay } from './systems.ts'
import { rebuildTugs } from './tow.ts'
import { rebuildWrecks } from './wrecks.ts'

export const salvageDomain: DomainDef = {
  name: 'salvage',
  references: [wrecks],
  tables: [Wreck, Tow],
  commands: [getWrecks, lootWreck, lootV2, towWreck, releaseTow, sellWreck, scrapWreck],
  systems: [abandon, decay],
  checks: [wrecksAreSound, linesHold],
  rebuild(world) {
    rebuildWrecks(world)
    rebuildTugs(world)
  },
}
