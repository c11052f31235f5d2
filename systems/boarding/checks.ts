/** Invariants of boardings. Source: combat.md section 10. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Battle, Participant, STANCES } from '../combat/state.ts'
import { Ship } from '../ship/state.ts'
import { LATCHED, STALLED_TICKS } from './assault-kernels.ts'
import { linksOf } from './model.ts'
import { BattleBoarding, Boarding, LINK_PHASES, Link } from './state.ts'

const BOARD = STANCES.indexOf('board')
const ASSAULT = LINK_PHASES.indexOf('assault')

function linkHolds(view: WorldView, row: Row, battle: Row): void {
  const link = view.read(Link)
  const boarding = view.read(Boarding)
  const { battle: of, side, ship, stance } = view.read(Participant)
  const [attacker, target] = [link.attacker[row], link.target[row]]
  assert(link.battle[row] === battle, `boarding ${row} is listed in another battle`)
  assert(of[attacker] === battle && of[target] === battle, `boarding ${row} reaches beyond it`)
  assert(side[attacker] !== side[target], `boarding ${row} is of friends`)
  assert(
    boarding.link[attacker] === row && boarding.link[target] === row,
    'a hull in two boardings',
  )
  assert(stance[attacker] === BOARD, `the boarder of ${row} does not board`)
  assert(boarding.locked[target] === link.attached[row], `boarding ${row} locks wrongly`)
  assert(link.phase[row] !== ASSAULT || link.attached[row] === 1, `boarding ${row} storms nothing`)
  assert(
    link.progress[row] <= LATCHED && link.timer[row] < STALLED_TICKS,
    `boarding ${row} is over`,
  )
  const aboard = view.read(Ship).marinesFit[ship[attacker]]
  assert(
    link.committed[row] >= 1 && link.committed[row] <= aboard,
    `boarding ${row} has no marines`,
  )
  assert(link.outcome[row] === 0, `boarding ${row} outlives its end`)
}

export const boardingsHold: CheckDef = {
  name: 'boardings: a hull in one at most, listed in their battle, with marines who are aboard',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Battle)
    const { first } = view.read(BattleBoarding)
    let listed = 0
    for (let battle = 1; battle <= view.highOf(Battle); battle++) {
      if (alive[battle] === 0 || first[battle] === 0) continue
      for (const row of linksOf(view, battle)) {
        linkHolds(view, row, battle)
        listed++
      }
    }
    assert(listed === view.countOf(Link), 'a boarding stands in no list')
    const { link, locked } = view.read(Boarding)
    const row = view.read(Participant)
    for (let part = 1; part <= view.highOf(Participant); part++) {
      if (row.alive[part] === 0) continue
      if (link[part] === 0 && locked[part] === 1)
        assert(false, `participant ${part} is held by none`)
      if (link[part] === 0 && row.stance[part] === BOARD) assert(false, `${part} boards nobody`)
    }
  },
}
