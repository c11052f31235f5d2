/** Prizes: ships taken by boarding, claimed and brought home. */
import type { DomainDef } from '../../core/registry.ts'
import { claimPrize } from './claim-commands.ts'
import { servicePrize } from './commands.ts'
import { prizes } from './model.ts'
import { rebuildPrizes } from './rules.ts'
import { prizeUpdate } from './schemas.ts'
import { PlayerPrizes, Prize } from './state.ts'
import { expire, journey, prizesHold } from './systems.ts'

export const prizeDomain: DomainDef = {
  name: 'prize',
  references: [prizes],
  tables: [Prize, PlayerPrizes],
  commands: [claimPrize, servicePrize],
  events: [prizeUpdate],
  systems: [expire, journey],
  checks: [prizesHold],
  rebuild: rebuildPrizes,
}
