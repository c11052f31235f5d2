/** Checks of petitions: one time an empire. */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import type { CheckDef } from '../../core/registry.ts'
import { PETITIONED } from './state.ts'

export const petitionsHold: CheckDef = {
  name: 'times of petitions are one an empire',
  run(view, full) {
    if (!full) return
    for (const [player, times] of view.records(PETITIONED).entries()) {
      assert(times.length === EMPIRES.length, `player ${player} petitioned ${times.length} empires`)
    }
  },
}
