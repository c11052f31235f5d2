/** Invariants of the arena. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Player } from '../account/columns.ts'
import { BATTLE_KINDS, Battle, Fighting, Participant } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Contest, MATCHES, STAKES } from './columns.ts'

const ARENA = BATTLE_KINDS.indexOf('arena')

/** A handful of reads a ship: every ship. */
export const matchesAreSound: CheckDef = {
  name: 'arena: who is in a match fights in it and has a stake; every match is a battle',
  run(view, full) {
    if (!full) return
    const { alive, owner } = view.read(Ship)
    const { match, fighter } = view.read(Contest)
    const { participant } = view.read(Fighting)
    const { battle } = view.read(Participant)
    const stakes = view.records(STAKES)
    let staked = 0
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || match[ship] === 0) continue
      const row = participant[ship]
      if (row === 0 || battle[row] !== match[ship]) assert(false, `ship ${ship} left the ring`)
      if (fighter[ship] !== 0) continue
      const key = String(view.read(Player).seq[owner[ship]])
      if (!stakes.has(key)) assert(false, `ship ${ship} has no stake`)
      staked++
    }
    assert(staked === stakes.size, 'a stake belongs to nobody in a match')
    const { alive: isBattle, kind } = view.read(Battle)
    let arenas = 0
    for (let row = 1; row <= view.highOf(Battle); row++) {
      if (isBattle[row] === 1 && kind[row] === ARENA) arenas++
    }
    assert(arenas === view.records(MATCHES).size, 'a match is no battle, or a battle no match')
  },
}
