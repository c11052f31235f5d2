/** What passengers do by themselves. Source: crafting.md section 11. */

import { assert } from '../../core/assert.ts'
import { GOODS, isModule } from '../../core/catalog/index.ts'
import { contentsOf, GOODS_WRITES, namedContainer } from '../../core/goods.ts'
import { append } from '../../core/groups.ts'
import { Account, balanceOf, canReceive } from '../../core/ledger.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { citizenPool } from '../facility/model.ts'
import { Facility, Grid } from '../facility/state.ts'
import { CriminalRecord } from '../law/state.ts'
import { creditMove } from '../log/rules.ts'
import { unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { Location } from '../travel/state.ts'
import { endJourneys } from './arrival-rules.ts'
import { escrowOf, eveningOf, mealOf, tastesOf } from './fare-model.ts'
import { carriersOf, escrowAccount, expected, passengersOf, waitingAt } from './list-model.ts'
import { updateMarkets } from './market-rules.ts'
import { berthsOf, cabinFigure, isExpired, takenBerths } from './model.ts'
import { PATIENCE_TICKS, remindGuest, scheduleAt, takeDue } from './rules.ts'
import {
  ABOARD,
  Cabin,
  IN_LOUNGE,
  Lounge,
  Passenger,
  SERVICE_TICKS,
  Terminal,
  WAITING,
} from './state.ts'

/* Invariants of passengers. Source: crafting.md section 12. */

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

/* What happens when the time of a journey is over. Source: crafting.md sections 9, 11. */

/**
 * True for somebody who leaves now: aboard of a ship in dock, or after a day past the deadline also
 * in space. ours: a ship that never docks does not keep people, and their fares, for ever.
 */
function leavesNow(world: World, row: Row): boolean {
  const { ship, deadline } = world.read(Passenger)
  if (world.read(Location).base[ship[row]] !== 0) return true
  return world.tick > deadline[row] + PATIENCE_TICKS
}

/** Looks at everybody whose time it is; those of one ship leave it together. */
export function remind(world: World): void {
  const { state, ship, deadline } = world.read(Passenger)
  const leaving = new Map<Eid, Row[]>()
  for (const row of takeDue(world)) {
    if (state[row] !== ABOARD) remindGuest(world, row)
    else if (leavesNow(world, row)) {
      append(leaving, ship[row], row)
    } else scheduleAt(world, row, deadline[row] + PATIENCE_TICKS + 1)
  }
  const { owner } = world.read(Ship)
  const { base } = world.read(Location)
  for (const [hull, rows] of leaving) endJourneys(world, owner[hull], rows, base[hull])
}

/*
 * Meals and evenings aboard: every thirty ticks in space passengers eat and drink out of the hold,
 * and pay for it. Source: crafting.md section 9, onboard.
 */

type Fare = 'dish' | 'drink' | 'alcohol'

const TABLE: readonly Fare[] = ['dish', 'drink']
const SALOON: readonly Fare[] = ['alcohol', 'drink']

const kindOf = (item: number): string | undefined => {
  const good = GOODS[item]
  return isModule(good) ? undefined : good.food_type
}

/** What of the hold can be served, by kind, items in order of the catalogue. */
type Larder = Map<string, { readonly item: number; units: number }[]>

function larderOf(view: WorldView, ship: Eid): Larder {
  const larder: Larder = new Map()
  for (const { item, units } of contentsOf(view, view.read(Ship).hold[ship])) {
    const kind = kindOf(item)
    if (kind === undefined) continue
    append(larder, kind, { item, units })
  }
  return larder
}

/** Takes a unit of the first kind there is; the item, or -1 for none. */
function take(larder: Larder, kinds: readonly Fare[]): number {
  for (const kind of kinds) {
    const found = larder.get(kind)?.find(({ units }) => units > 0)
    if (!found) continue
    found.units--
    return found.item
  }
  return -1
}

/** What a round comes to. */
interface Round {
  readonly larder: Larder
  readonly eaten: Map<number, number>
  readonly paid: Map<Row, number>
  total: number
}

function add(counts: Map<number, number>, key: number, n: number): void {
  counts.set(key, (counts.get(key) ?? 0) + n)
}

/** One thing for one passenger; nothing where nothing is left, or they cannot pay. */
function serve(world: World, row: Row, round: Round, kinds: readonly Fare[], price: number): void {
  const { home, fare, spent } = world.write(Passenger)
  const pool = citizenPool(world, home[row])
  const left = balanceOf(world, pool) - (round.paid.get(home[row]) ?? 0)
  const credits = Math.min(price, left, fare[row] - spent[row])
  if (credits <= 0) return
  const item = take(round.larder, kinds)
  if (item < 0) return
  add(round.eaten, item, 1)
  add(round.paid, home[row], credits)
  round.total += credits
  spent[row] += credits
}

/** A round in one ship. ours: nobody spends more aboard than their fare, however long it waits. */
function serveShip(world: World, ship: Eid): void {
  const dining = cabinFigure(world, ship, 'dining_points')
  const leisure = cabinFigure(world, ship, 'leisure_points')
  if (dining + leisure === 0) return
  const { class: travelClass } = world.read(Passenger)
  const round: Round = {
    larder: larderOf(world, ship),
    eaten: new Map(),
    paid: new Map(),
    total: 0,
  }
  if (round.larder.size === 0) return
  for (const row of passengersOf(world, ship)) {
    if (isExpired(world, row)) continue
    const tastes = tastesOf(world, row)
    serve(world, row, round, TABLE, mealOf(dining, tastes.dining, travelClass[row]))
    serve(world, row, round, SALOON, eveningOf(leisure, tastes.leisure, travelClass[row]))
  }
  settle(world, ship, round)
}

function settle(world: World, ship: Eid, { eaten, paid }: Round): void {
  const owner = world.read(Ship).owner[ship]
  const wallet = walletOf(world, owner)
  for (const [item, units] of eaten) {
    unloadCargo(world, ship, namedContainer('consumption'), item, units)
  }
  for (const [home, credits] of paid) {
    if (!canReceive(world, wallet, credits)) continue
    const said = `Passengers from ${baseName(world, home)} ate and drank aboard.`
    const pool = citizenPool(world, home)
    creditMove(world, owner, pool, wallet, credits, 'other', 'passenger.service', said)
  }
}

/** Serves the ships whose turn it is and that are not docked. O(ships with passengers). */
export function serveShips(world: World): void {
  const carriers = carriersOf(world)
  if (carriers.size === 0) return
  const { seq, owner } = world.read(Ship)
  const { base } = world.read(Location)
  const turn = [...carriers].filter(
    (ship) =>
      (world.tick + seq[ship]) % SERVICE_TICKS === 0 && base[ship] === 0 && owner[ship] !== 0,
  )
  for (const ship of turn.sort((a, b) => seq[a] - seq[b])) serveShip(world, ship)
}

export const remindPassengers: SystemDef = {
  name: 'passenger.due',
  phase: 'arrive',
  writes: [Account, Cabin, CriminalRecord, Grid, Lounge, Passenger, Player, Terminal],
  run: remind,
}

export const servePassengers: SystemDef = {
  name: 'passenger.service',
  phase: 'produce',
  writes: [...GOODS_WRITES, Account, Passenger, Ship],
  run: serveShips,
}

/** After rent, before ranches. */
export const moveMarkets: SystemDef = {
  name: 'passenger.market',
  phase: 'settle',
  after: 'facility.rent',
  writes: [Account, Cabin, Grid, Lounge, Passenger, Terminal],
  run: updateMarkets,
}
