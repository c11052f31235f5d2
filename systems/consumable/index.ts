/** Consumables: kits, cells, boosters, and devices that throw a ship elsewhere. */
import type { DomainDef } from '../../core/registry.ts'
import { buffsHold } from './checks.ts'
import { Buff, Buffed } from './columns.ts'
import { useItem } from './commands.ts'
import { rebuildBuffs } from './rules.ts'
import { fading } from './systems.ts'

export const consumableDomain: DomainDef = {
  name: 'consumable',
  tables: [Buff, Buffed],
  commands: [useItem],
  systems: [fading],
  checks: [buffsHold],
  rebuild: rebuildBuffs,
}
