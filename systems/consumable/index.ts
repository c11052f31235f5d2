/** Consumables: kits, cells, boosters, and devices that throw a ship elsewhere. */
import type { DomainDef } from '../../core/registry.ts'
import { useItem } from './commands.ts'
import { rebuildBuffs } from './rules.ts'
import { Buff, Buffed } from './state.ts'
import { buffsHold, fading } from './systems.ts'

export const consumableDomain: DomainDef = {
  name: 'consumable',
  tables: [Buff, Buffed],
  commands: [useItem],
  systems: [fading],
  checks: [buffsHold],
  rebuild: rebuildBuffs,
}
