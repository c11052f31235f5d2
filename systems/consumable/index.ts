/** Consumables: repair kits, shield cells, boosters, and devices that move a ship elsewhere. */
import type { DomainDef } from '../../core/registry.ts'
import { useItem } from './commands.ts'
import { rebuildBuffs } from './rules.ts'
import { BUFFS_OF, Buff, Buffed } from './state.ts'
import { buffsHold, expireBuffs } from './systems.ts'

export const consumableDomain: DomainDef = {
  name: 'consumable',
  tables: [Buff, Buffed],
  relations: [BUFFS_OF],
  commands: [useItem],
  systems: [expireBuffs],
  checks: [buffsHold],
  rebuild: rebuildBuffs,
}
