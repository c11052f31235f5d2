/**
 * Buffs that end. Source: missions.md section 8.
 *
 * Invariants of buffs. Source: missions.md section 10.
 */

import { assert } from '../../core/assert.ts'
import { BUFFS_PER_SHIP_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { refreshFit } from '../combat/fit-rules.ts'
import { Participant } from '../combat/state.ts'
import { recompute } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { buffsOf } from './model.ts'
import { BUFF_WRITES, endBuffs } from './rules.ts'
import { Buff, Buffed } from './state.ts'

export const buffsHold: CheckDef = {
  name: 'buffs: by expiry, none past its tick, each in the list of one ship',
  run(view, full) {
    if (!full || view.countOf(Buff) === 0) return
    const { alive } = view.read(Ship)
    const { first } = view.read(Buffed)
    const { ship: of, expireTick } = view.read(Buff)
    let listed = 0
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || first[ship] === 0) continue
      const rows = buffsOf(view, ship)
      assert(rows.length <= BUFFS_PER_SHIP_MAX, `ship ${ship} has too many buffs`)
      for (const [i, row] of rows.entries()) {
        assert(of[row] === ship, `buff ${row} is listed by another ship`)
        assert(expireTick[row] >= view.tick, `buff ${row} is over`)
        assert(i === 0 || expireTick[rows[i - 1]] <= expireTick[row], 'buffs are unordered')
      }
      listed += rows.length
    }
    assert(listed === view.countOf(Buff), 'a buff works on no ship')
  },
}

export const fading: SystemDef = {
  name: 'consumable.fade',
  phase: 'produce',
  writes: [...BUFF_WRITES, Participant, Ship],
  run(world) {
    for (const ship of endBuffs(world)) {
      recompute(world, ship)
      refreshFit(world, ship)
    }
  },
}
