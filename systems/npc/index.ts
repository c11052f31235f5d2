/** NPC ships: pirates of lawless and hardly policed space. */
import type { DomainDef } from '../../core/registry.ts'
import { npcsFly } from './checks.ts'
import { Haunt, Helm, Hunter, Npc } from './columns.ts'
import { pirateDestroyed } from './events.ts'
import { populate, spawn } from './spawn.ts'
import { decide, engage } from './systems.ts'
import { rebuildWheel } from './think.ts'

export const npcDomain: DomainDef = {
  name: 'npc',
  tables: [Npc, Helm, Haunt, Hunter],
  events: [pirateDestroyed],
  systems: [spawn, engage, decide],
  checks: [npcsFly],
  genesis: populate,
  rebuild: rebuildWheel,
}
