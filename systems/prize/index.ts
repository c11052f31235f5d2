/** Prizes: ships taken by boarding, claimed and brought home. */
import type { DomainDef } from '../../core/registry.ts'
import { prizesHold } from './checks.ts'
import { claimPrize } from './claim.ts'
import { Flotilla, Prize } from './columns.ts'
import { prizeUpdate } from './events.ts'
import { rebuildPrizes } from './holdings.ts'
import { prizes } from './references.ts'
import { servicePrize } from './service.ts'
import { expire, journey } from './systems.ts'

export const prizeDomain: DomainDef = {
  name: 'prize',
  references: [prizes],
  tables: [Prize, Flotilla],
  commands: [claimPrize, servicePrize],
  events: [prizeUpdate],
  systems: [expire, journey],
  checks: [prizesHold],
  rebuild: rebuildPrizes,
}
