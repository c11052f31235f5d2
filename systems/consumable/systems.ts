/** Buffs that end. Source: missions.md section 8. */
import type { SystemDef } from '../../core/system.ts'
import { refreshFit } from '../combat/rules.ts'
import { Ship } from '../ship/columns.ts'
import { recompute } from '../ship/rules.ts'
import { Buff, Buffed } from './columns.ts'
import { endBuffs } from './rules.ts'

export const fading: SystemDef = {
  name: 'consumable.fade',
  phase: 'produce',
  reads: [],
  writes: [Buff, Buffed, Ship],
  run(world) {
    for (const ship of endBuffs(world)) {
      recompute(world, ship)
      refreshFit(world, ship)
    }
  },
}
