/** Invariants of settings: mute masks name channels that exist, colours fit in 24 bits. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Player } from '../account/state.ts'
import { ALL_MUTED } from './model.ts'

export const settingsInRange: CheckDef = {
  name: 'settings are in range',
  run(view, full) {
    if (!full) return
    const { alive, muteMask, primaryColor, secondaryColor } = view.read(Player)
    for (let row = 1; row <= view.highOf(Player); row++) {
      if (alive[row] === 0) continue
      assert(muteMask[row] <= ALL_MUTED, `player row ${row} mutes an unknown channel`)
      assert(primaryColor[row] <= 0xffffff, `player row ${row} has an impossible colour`)
      assert(secondaryColor[row] <= 0xffffff, `player row ${row} has an impossible colour`)
    }
  },
}
