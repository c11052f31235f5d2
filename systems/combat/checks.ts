/** Invariants of battles. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Row, WorldView } from '../../core/world.ts'
import { Ship } from '../ship/columns.ts'
import { AT_POI, Location, TRAVELLING } from '../travel/columns.ts'
import { areHostile, battleIn, battles, hasNews } from './battles.ts'
import { BATTLE_KINDS, Battle, Fighting, HeldUp, Participant } from './columns.ts'

/** Walks the list of a battle; returns the sides that have members. */
function checkList(view: WorldView, battle: Row): Set<number> {
  const { first, last, count, sides } = view.read(Battle)
  const part = view.read(Participant)
  const manned = new Set<number>()
  let before = 0
  let length = 0
  for (let row = first[battle]; row !== 0; row = part.next[row]) {
    assert(part.alive[row] === 1, `participant ${row} is listed and gone`)
    assert(part.battle[row] === battle, `participant ${row} stands in the list of another battle`)
    assert(part.previous[row] === before, `participant ${row} is linked one way only`)
    assert(before === 0 || part.seq[row] > part.seq[before], 'a list of participants is unordered')
    assert(part.side[row] >= 1 && part.side[row] <= sides[battle], `row ${row} is on no side`)
    checkShip(view, battle, row)
    manned.add(part.side[row])
    before = row
    length++
  }
  assert(last[battle] === before, `battle ${battle} ends elsewhere than its list`)
  assert(count[battle] === length, `battle ${battle} counts ${count[battle]} of ${length}`)
  return manned
}

function checkShip(view: WorldView, battle: Row, row: Row): void {
  const ship = view.read(Participant).ship[row]
  const { state, system } = view.read(Location)
  const { alive, hull } = view.read(Ship)
  assert(alive[ship] === 1 && hull[ship] > 0, `ship ${ship} fights and is destroyed`)
  assert(view.read(Fighting).participant[ship] === row, `ship ${ship} is in two battles`)
  assert(system[ship] === view.read(Battle).system[battle], `ship ${ship} fights elsewhere`)
  assert(state[ship] === AT_POI || state[ship] === TRAVELLING, `ship ${ship} fights in a dock`)
  const isHeldUp = state[ship] === TRAVELLING
  assert(view.has(Ship, ship, HeldUp) === isHeldUp, `the flight of ship ${ship} goes on`)
}

/** Enemies on both sides of a battle, and somebody to fight. */
function checkSides(view: WorldView, battle: Row, manned: ReadonlySet<number>): void {
  const { sides } = view.read(Battle)
  for (let side = 1; side <= sides[battle]; side++) {
    assert(!areHostile(view, battle, side, side), `side ${side} is its own enemy`)
    for (let other = 1; other < side; other++) {
      const isMutual =
        areHostile(view, battle, side, other) === areHostile(view, battle, other, side)
      assert(isMutual, `sides ${side} and ${other} disagree`)
    }
  }
  const isFought = [...manned].some((side) =>
    [...manned].some((other) => areHostile(view, battle, side, other)),
  )
  assert(isFought, `battle ${battle} has nobody left to fight`)
}

export const battlesAreSound: CheckDef = {
  name: 'battles: lists, sides and ships agree; everyone told of is told',
  run(view, full) {
    if (!full) return
    assert(!hasNews(view), 'something of a battle was not told in its tick')
    let members = 0
    const { kind, system, count } = view.read(Battle)
    for (const battle of battles(view)) {
      checkSides(view, battle, checkList(view, battle))
      members += count[battle]
      if (BATTLE_KINDS[kind[battle]] !== 'general') continue
      assert(battleIn(view, system[battle]) === battle, `system ${system[battle]} has two battles`)
    }
    assert(members === view.countOf(Participant), 'a participant stands in no battle')
  },
}

/** One read a ship: every ship. */
export const fightersAreListed: CheckDef = {
  name: 'battles: a ship that fights is the one its participant says',
  run(view, full) {
    if (!full) return
    const { participant } = view.read(Fighting)
    const { alive } = view.read(Ship)
    const { ship, alive: listed } = view.read(Participant)
    for (let row = 1; row <= view.highOf(Ship); row++) {
      if (alive[row] === 0 || participant[row] === 0) continue
      const at = participant[row]
      if (listed[at] === 0 || ship[at] !== row) assert(false, `ship ${row} fights as nobody`)
    }
  },
}
