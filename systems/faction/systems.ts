/** What time does to factions. Source: factions.md sections 1, 3 and 11. */
import type { SystemDef } from '../../core/system.ts'
import { expireInvites } from './invites.ts'
import { freeNames } from './membership.ts'

export const lapsing: SystemDef = {
  name: 'faction.lapse',
  phase: 'arrive',
  reads: [],
  writes: [],
  run(world) {
    expireInvites(world)
    freeNames(world)
  },
}
