/** Invariants of taxes. Source: market.md section 11, prepaid pools. */
import { assert } from '../../core/assert.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Player } from '../account/columns.ts'
import { Faction } from '../faction/columns.ts'
import { CorporateLedger, TaxLedger } from './columns.ts'
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
    const factions = view.read(Faction)
    const { prepaid: ahead } = view.read(CorporateLedger)
    for (let faction = 1; faction <= view.highOf(Faction); faction++) {
      if (factions.alive[faction] === 1) sum += ahead[faction]
    }
    const pool = poolOf(view)
    const held = pool === 0 ? 0 : balanceOf(view, pool)
    assert(sum === held, `the tax pool holds ${held} credits of ${sum}`)
  },
}
