/** NPC ships: pirates of lawless and hardly policed space, ships of the empires, the radio. */
import type { DomainDef } from '../../core/registry.ts'
import { npcsFly } from './checks.ts'
import { Haunt, Helm, Hunter, Npc, Outlaw } from './columns.ts'
import { rebuildCrews } from './crew-rules.ts'
import { pirateDestroyed, pirateRadio } from './events.ts'
import { populate, spawn } from './spawn.ts'
import { decide, engage } from './systems.ts'
import { rebuildWheel } from './think.ts'

export const npcDomain: DomainDef = {
  name: 'npc',
  tables: [Npc, Helm, Haunt, Hunter, Outlaw],
  events: [pirateDestroyed, pirateRadio],
  systems: [spawn, engage, decide],
  checks: [npcsFly],
  genesis: populate,
  rebuild(world) {
    rebuildCrews(world)
    rebuildWheel(world)
  },
}
