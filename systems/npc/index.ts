/** NPC ships: pirates of lawless and hardly policed space, ships of the empires, the radio. */
import type { DomainDef } from '../../core/registry.ts'
import { rebuildCrews } from './rules.ts'
import { pirateDestroyed, pirateRadio } from './schemas.ts'
import { populate, rebuildWheel, spawn } from './spawn-systems.ts'
import { Hunter, NPCS_OF, Npc, NpcPilot, Outlaw, SystemNpcs } from './state.ts'
import { decide, engage, npcsFly } from './systems.ts'

export const npcDomain: DomainDef = {
  name: 'npc',
  tables: [Npc, NpcPilot, SystemNpcs, Hunter, Outlaw],
  relations: [NPCS_OF],
  events: [pirateDestroyed, pirateRadio],
  systems: [spawn, engage, decide],
  checks: [npcsFly],
  genesis: populate,
  rebuild(world) {
    rebuildCrews(world)
    rebuildWheel(world)
  },
}
