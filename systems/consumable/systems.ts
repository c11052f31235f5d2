/** Buffs that end, and their invariants. Source: missions.md sections 8, 10. */
import { assert } from '../../core/assert.ts'
import { BUFFS_PER_SHIP_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { refreshFit } from '../combat/fit-rules.ts'
import { Participant } from '../combat/state.ts'
import { recompute } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { buffsOf } from './model.ts'
import { BUFF_WRITES, endDueBuffs } from './rules.ts'
import { Buff } from './state.ts'

export const buffsHold: CheckDef = {
  name: 'buffs: none has expired, and no ship has too many',
  run(view, full) {
    if (!full || view.countOf(Buff) === 0) return
    const { alive, ship, expireTick } = view.read(Buff)
    for (let row = 1; row <= view.highOf(Buff); row++) {
      if (alive[row] === 0) continue
      assert(expireTick[row] >= view.tick, `buff ${row} has expired`)
      const count = buffsOf(view, ship[row]).length
      assert(count <= BUFFS_PER_SHIP_MAX, `ship ${ship[row]} has too many buffs`)
    }
  },
}

export const expireBuffs: SystemDef = {
  name: 'consumable.fade',
  phase: 'arrive',
  writes: [...BUFF_WRITES, Participant, Ship],
  run(world) {
    for (const ship of endDueBuffs(world)) {
      recompute(world, ship)
      refreshFit(world, ship)
    }
  },
}
