/** Invariants of bases. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Poi } from '../travel/columns.ts'
import { Base } from './columns.ts'

export const basesAreSound: CheckDef = {
  name: 'I6 bases: tanks, hulls and shields in range, one base a place',
  run(view, full) {
    if (!full) return
    const base = view.read(Base)
    const at = view.read(Poi).base
    for (let row = 1; row <= view.highOf(Base); row++) {
      if (base.alive[row] === 0) continue
      assert(at[base.poi[row]] === row, `base ${row} is not at its place`)
      assert(base.fuel[row] >= 0 && base.fuel[row] <= base.fuelMax[row], `tank of base ${row}`)
      assert(base.hull[row] >= 0 && base.hull[row] <= base.hullMax[row], `hull of base ${row}`)
      assert(base.shield[row] >= 0 && base.shield[row] <= base.shieldMax[row], `shield ${row}`)
    }
  },
}
