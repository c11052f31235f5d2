/** Invariants of deposits and requests. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Deposit, MineRequest } from './columns.ts'

export const depositsAreSound: CheckDef = {
  name: 'I6 deposits: amounts and part-units in range; no request outlives its tick',
  run(view, full) {
    assert(view.countOf(MineRequest) === 0, 'a mine request outlives its tick')
    if (!full) return
    const deposit = view.read(Deposit)
    for (let row = 1; row <= view.highOf(Deposit); row++) {
      if (deposit.alive[row] === 0) continue
      const isSized = deposit.size[row] >= 1 && deposit.richness[row] >= 1
      assert(isSized, `deposit ${row} has no size or richness`)
      if (deposit.unlimited[row] === 1) {
        assert(deposit.baseTick[row] === 0, `unlimited deposit ${row} was written`)
        continue
      }
      const { base, max, frac, window, baseTick } = deposit
      assert(base[row] >= 0 && base[row] <= max[row], `deposit ${row} holds ${base[row]}`)
      assert(frac[row] >= 0 && frac[row] < window[row], `deposit ${row} has a part-unit too many`)
      assert(baseTick[row] <= view.tick, `deposit ${row} was written in the future`)
    }
  },
}
