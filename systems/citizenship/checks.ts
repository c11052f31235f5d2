/** Invariants of citizenship. Source: factions.md section 12. */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { balanceOf } from '../../core/ledger.ts'
import {
  CITIZEN_DECISIONS_SHOWN_MAX,
  CITIZEN_PETITIONS_PER_DAY,
} from '../../core/limits-society.ts'
import type { CheckDef } from '../../core/registry.ts'
import { isCitizen } from '../account/rules.ts'
import { CITIZEN_BOOKS, CitizenPetition } from './columns.ts'
import { escrowOf, petitionTo } from './rules.ts'

export const feesAreHeld: CheckDef = {
  name: 'citizenship: the escrow holds the fees of pending petitions, one a player and empire',
  run(view, full) {
    if (!full) return
    const { alive, player, empire, fee, dueTick } = view.read(CitizenPetition)
    let sum = 0
    for (let row = 1; row <= view.highOf(CitizenPetition); row++) {
      if (alive[row] === 0) continue
      sum += fee[row]
      assert(empire[row] < EMPIRES.length, `petition ${row} is to nobody`)
      assert(petitionTo(view, player[row], empire[row]) === row, `petition ${row} is made twice`)
      assert(!isCitizen(view, player[row], empire[row]), `petition ${row} has been granted`)
      assert(dueTick[row] >= view.tick, `petition ${row} was forgotten`)
    }
    const escrow = escrowOf(view)
    const held = escrow === 0 ? 0 : balanceOf(view, escrow)
    assert(held === sum, `the escrow of petitions holds ${held} credits of ${sum}`)
    for (const [number, { asked, decided }] of view.records(CITIZEN_BOOKS).entries()) {
      assert(asked.length <= CITIZEN_PETITIONS_PER_DAY, `player ${number} asks too often`)
      assert(decided.length <= CITIZEN_DECISIONS_SHOWN_MAX, `player ${number} is told too much`)
    }
  },
}
