/** What time does to relations between factions. Source: factions.md sections 5 and 11. */
import type { SystemDef } from '../../core/system.ts'
import { lapse } from './relations.ts'

/** Before the attacks of the tick: what was agreed in the last one holds from here on. */
export const lapsing: SystemDef = {
  name: 'diplomacy.lapse',
  phase: 'arrive',
  reads: [],
  writes: [],
  run: lapse,
}
