/** Invariants of taxes. Source: market.md section 11, prepaid pools. */
import { assert } from '../../core/assert.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Player } from '../account/columns.ts'
import { TaxLedger } from './columns.ts'
import { poolOf } from './rules.ts'

export const poolHolds: CheckDef = {
  name: 'taxes paid ahead: the pool holds the sum of all shares',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Player)
    const { prepaid } = view.read(TaxLedger)
    let sum = 0
    for (let player = 1; player <= view.highOf(Player); player++) {
      if (alive[player] === 1) sum += prepaid[player]
    }
    const pool = poolOf(view)
    const held = pool === 0 ? 0 : balanceOf(view, pool)
    assert(sum === held, `the tax pool holds ${held} credits of ${sum}`)
  },
}
