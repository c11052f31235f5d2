/** Invariants of passengers. Source: crafting.md section 12. */
import { assert } from '../../core/assert.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { Facility } from '../facility/state.ts'
import { Ship } from '../ship/state.ts'
import { escrowOf } from './fare-model.ts'
import { carriersOf, escrowAccount, expected, waitingAt } from './list-model.ts'
import { berthsOf, takenBerths } from './model.ts'
import { ABOARD, Cabin, IN_LOUNGE, Lounge, Passenger, Terminal, WAITING } from './state.ts'

function holdsOne(view: WorldView, row: Row): void {
  const { home, to, from, state, ship, lounge, fare, guarantee, spent } = view.read(Passenger)
  const { alive: isBase } = view.read(Base)
  assert(isBase[home[row]] === 1 && isBase[to[row]] === 1, `passenger ${row} has no base`)
  assert(from[row] !== to[row], `passenger ${row} goes nowhere`)
  assert((state[row] === ABOARD) === (ship[row] !== 0), `passenger ${row} is in no ship`)
  assert((state[row] === IN_LOUNGE) === (lounge[row] !== 0), `passenger ${row} is in no lounge`)
  assert(ship[row] === 0 || view.read(Ship).alive[ship[row]] === 1, `ship of ${row} is gone`)
  assert(lounge[row] === 0 || view.read(Facility).alive[lounge[row]] === 1, 'a lounge is gone')
  assert((state[row] === WAITING) === (guarantee[row] === 0), `journey of passenger ${row}`)
  assert(spent[row] <= fare[row], `passenger ${row} spent more than the fare`)
}

/** Counts of a column by the row it names. */
function countsBy(rows: readonly Row[], of: (row: Row) => Row) {
  const counts = new Map<Row, number>()
  for (const row of rows) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1)
  return counts
}

function rowsOf(view: WorldView): Row[] {
  const { alive } = view.read(Passenger)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Passenger); row++) if (alive[row] === 1) rows.push(row)
  return rows
}

/** O(passengers). */
export const passengersHold: CheckDef = {
  name: 'passengers: each in one place, counted there, on the wheel while on a journey',
  run(view, full) {
    if (!full) return
    const { state, from, ship, lounge, home } = view.read(Passenger)
    const rows = rowsOf(view)
    for (const row of rows) holdsOne(view, row)
    const stateOf = (wanted: number) => rows.filter((row) => state[row] === wanted)
    const aboard = countsBy(stateOf(ABOARD), (row) => ship[row])
    const seated = countsBy(stateOf(IN_LOUNGE), (row) => lounge[row])
    const waiting = countsBy(stateOf(WAITING), (row) => from[row])
    const abroad = countsBy(rows, (row) => home[row])
    for (let base = 1; base <= view.highOf(Base); base++) {
      const terminal = view.read(Terminal)
      assert(terminal.waiting[base] === (waiting.get(base) ?? 0), `base ${base} miscounts`)
      assert(
        terminal.abroad[base] === (abroad.get(base) ?? 0),
        `citizens of ${base} are miscounted`,
      )
      assert(waitingAt(view, base).length === terminal.waiting[base], `the list of base ${base}`)
    }
    for (const [hull, people] of aboard) {
      assert(view.read(Cabin).count[hull] === people, `ship ${hull} miscounts its passengers`)
      const total = berthsOf(view, hull)
      assert(
        takenBerths(view, hull).every((taken, of) => taken <= total[of]),
        `ship ${hull} has more passengers than berths`,
      )
    }
    assert(carriersOf(view).size === aboard.size, 'a ship with passengers is not listed')
    for (const [room, people] of seated) {
      assert(view.read(Lounge).count[room] === people, `lounge ${room} miscounts its guests`)
    }
    checkWheel(view, rows.length - stateOf(WAITING).length)
  },
}

function checkWheel(view: WorldView, travelling: number): void {
  let due = 0
  for (const [tick, row] of expected(view)) {
    due++
    assert(tick > view.tick, `passenger ${row} is overdue`)
  }
  assert(due === travelling, `${due} passengers are on the wheel, of ${travelling}`)
}

/** Source: crafting.md section 12, passenger escrow. */
export const faresHold: CheckDef = {
  name: 'passengers: escrow of a base is fare and bonus of its citizens who travel',
  run(view, full) {
    if (!full) return
    const { state, home, fare } = view.read(Passenger)
    const sums = new Map<Row, number>()
    for (const row of rowsOf(view)) {
      if (state[row] === WAITING) continue
      sums.set(home[row], (sums.get(home[row]) ?? 0) + escrowOf(fare[row]))
    }
    for (let base = 1; base <= view.highOf(Base); base++) {
      const account = escrowAccount(view, base)
      const held = account === 0 ? 0 : balanceOf(view, account)
      assert(held === (sums.get(base) ?? 0), `base ${base} has ${held} credits in escrow`)
    }
  },
}
