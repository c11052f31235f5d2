/** NPC ships: pirates of lawless and barely policed space, ships of the empires, pirate radio. */
import type { DomainDef } from '../../core/registry.ts'
import { Convoy } from './convoy-state.ts'
import { convoys, convoysHold } from './convoy-systems.ts'
import { rebuildCrews } from './rules.ts'
import { convoyUpdate, pirateDestroyed, pirateRadio } from './schemas.ts'
import { populate, rebuildWheel, spawn } from './spawn-systems.ts'
import { Hunter, NPCS_OF, Npc, NpcPilot, Outlaw, SystemNpcs } from './state.ts'
import { decide, engage, npcsFly } from './systems.ts'

export const npcDomain: DomainDef = {
  name: 'npc',
  tables: [Npc, NpcPilot, SystemNpcs, Hunter, Outlaw, Convoy],
  relations: [NPCS_OF],
  events: [pirateDestroyed, pirateRadio, convoyUpdate],
  systems: [spawn, engage, decide, convoys],
  checks: [npcsFly, convoysHold],
  genesis: populate,
  rebuild(world) {
    rebuildCrews(world)
    rebuildWheel(world)
  },
}
