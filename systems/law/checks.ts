/** Invariants of the law. */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { BOUNTY_CREDITS_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import { EMPIRES_WIDTH, Player } from '../account/columns.ts'
import { dockedBase } from '../travel/rules.ts'
import { CriminalRecord, Jailed, Offence, Warrant } from './columns.ts'

/** A few reads a row: every player, warrant and offence. */
export const recordsAreSound: CheckDef = {
  name: 'law: debts are bounded, the detained are docked and owe, each row stands in one list',
  run(view, full) {
    if (!full) return
    const record = view.read(CriminalRecord)
    const { alive } = view.read(Player)
    const { next: nextWarrant, player } = view.read(Warrant)
    const { next: nextOffence, offender } = view.read(Offence)
    let [warrants, offences] = [0, 0]
    for (let row = 1; row <= view.highOf(Player); row++) {
      if (alive[row] === 0) continue
      for (let empire = 0; empire < EMPIRES.length; empire++) {
        const owed = record.bounty[row * EMPIRES_WIDTH + empire]
        if (owed > BOUNTY_CREDITS_MAX) assert(false, `player ${row} owes ${owed}`)
      }
      const jail = record.jailEmpire[row]
      const isDocked = dockedBase(view, row) !== 0
      const owes = jail === 0 || record.bounty[row * EMPIRES_WIDTH + jail - 1] > 0
      if (jail !== 0 && !isDocked) assert(false, `player ${row} is detained in space`)
      if (!owes) assert(false, `player ${row} is detained for nothing`)
      if ((jail !== 0) !== view.has(Player, row, Jailed)) assert(false, `the jail has lost ${row}`)
      for (let at = record.firstWarrant[row]; at !== 0; at = nextWarrant[at], warrants++) {
        if (player[at] !== row) assert(false, `warrant ${at} is in a strange list`)
      }
      for (let at = record.firstOffence[row]; at !== 0; at = nextOffence[at], offences++) {
        if (offender[at] !== row) assert(false, `offence ${at} is in a strange list`)
      }
    }
    assert(warrants === view.countOf(Warrant), 'a warrant is in no list')
    assert(offences === view.countOf(Offence), 'an offence is in no list')
  },
}
