/** Battles: who fights whom, how it goes, and what becomes of the ships. */
import type { DomainDef } from '../../core/registry.ts'
import { rebuildBattles } from './battles.ts'
import { Ammo, Attack, Battle, Fighting, Participant, Turn } from './columns.ts'
import { battleUpdate } from './feed.ts'

export const combatDomain: DomainDef = {
  name: 'combat',
  tables: [Battle, Participant, Fighting, Turn, Attack, Ammo],
  events: [battleUpdate],
  rebuild: rebuildBattles,
}
