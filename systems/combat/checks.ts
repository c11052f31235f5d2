/** Invariants of battles. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { Ship } from '../ship/state.ts'
import { AT_POI, Location, TRAVELLING } from '../travel/state.ts'
import {
  areHostile,
  battleIn,
  battleKindOf,
  battles,
  isMatch,
  participantsOf,
  pilotOf,
} from './model.ts'
import { Battle, HeldUp, Participant, ShipCombat } from './state.ts'

/** Checks the members of a battle; the relation checks their list. */
function checkMembers(view: WorldView, battle: Row): void {
  const { count, sides } = view.read(Battle)
  const { side } = view.read(Participant)
  const rows = participantsOf(view, battle)
  for (const row of rows) {
    assert(side[row] >= 1 && side[row] <= sides[battle], `row ${row} is on no side`)
    checkShip(view, battle, row)
  }
  const { length } = rows
  assert(count[battle] === length, `battle ${battle} counts ${count[battle]} of ${length}`)
}

function checkShip(view: WorldView, battle: Row, row: Row): void {
  const ship = view.read(Participant).ship[row]
  const { state, system } = view.read(Location)
  assert(view.read(Ship).alive[ship] === 1, `ship ${ship} fights but does not exist`)
  assert(view.read(ShipCombat).participant[ship] === row, `ship ${ship} is in two battles`)
  assert(system[ship] === view.read(Battle).system[battle], `ship ${ship} fights elsewhere`)
  assert(state[ship] === AT_POI || state[ship] === TRAVELLING, `ship ${ship} fights in a dock`)
  const isHeldUp = state[ship] === TRAVELLING
  assert(view.has(Ship, ship, HeldUp) === isHeldUp, `the flight of ship ${ship} goes on`)
}

function checkSides(view: WorldView, battle: Row): void {
  const { sides } = view.read(Battle)
  for (let side = 1; side <= sides[battle]; side++) {
    assert(!areHostile(view, battle, side, side), `side ${side} is its own enemy`)
    for (let other = 1; other < side; other++) {
      const isMutual =
        areHostile(view, battle, side, other) === areHostile(view, battle, other, side)
      assert(isMutual, `sides ${side} and ${other} disagree`)
    }
  }
}

export const battlesAreSound: CheckDef = {
  name: 'battles: lists, sides and ships agree',
  run(view, full) {
    if (!full) return
    let members = 0
    const { system, count } = view.read(Battle)
    for (const battle of battles(view)) {
      checkMembers(view, battle)
      checkSides(view, battle)
      members += count[battle]
      if (battleKindOf(view, battle) !== 'general') continue
      assert(battleIn(view, system[battle]) === battle, `system ${system[battle]} has two battles`)
    }
    assert(members === view.countOf(Participant), 'a participant is in no battle')
  },
}

export const battlesAreFought: CheckDef = {
  name: 'battles: each has enemies left to fight, and no destroyed ships',
  run(view, full) {
    if (!full) return
    const { side, ship } = view.read(Participant)
    const { hull } = view.read(Ship)
    for (const battle of battles(view)) {
      const rows = participantsOf(view, battle)
      for (const row of rows) assert(hull[ship[row]] > 0, `ship ${ship[row]} fights without a hull`)
      const sides = [...new Set(rows.map((row) => side[row]))]
      const isFought = sides.some((own) =>
        sides.some((other) => areHostile(view, battle, own, other)),
      )
      // In a match with the house a wave may still be due.
      assert(isFought || isMatch(view, battle), `battle ${battle} has nobody left to fight`)
    }
  },
}

/** Checks each participant. */
export const pilotsAreThere: CheckDef = {
  name: 'battles: a ship is pilotless exactly while its pilot is offline',
  run(view, full) {
    if (!full) return
    const { pilotless } = view.read(Participant)
    for (const row of battles(view).flatMap((battle) => participantsOf(view, battle))) {
      const pilot = pilotOf(view, row)
      const isSteered = pilot === 0 || isBound(view, pilot)
      assert(pilotless[row] === (isSteered ? 0 : 1), `participant ${row} is marked wrongly`)
    }
  },
}

/** Checks each ship. */
export const fightersAreListed: CheckDef = {
  name: 'battles: a ship in a battle is the ship of its participant',
  run(view, full) {
    if (!full) return
    const { participant } = view.read(ShipCombat)
    const { alive } = view.read(Ship)
    const { ship, alive: listed } = view.read(Participant)
    for (let row = 1; row <= view.highOf(Ship); row++) {
      const own = participant[row]
      if (alive[row] === 0 || own === 0) continue
      if (listed[own] === 0 || ship[own] !== row) assert(false, `ship ${row} has no participant`)
    }
  },
}
