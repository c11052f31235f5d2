/** Systems and invariants of passengers. Source: crafting.md sections 9, 11, 12. */
import { assert } from '../../core/assert.ts'
import { GOODS, isModule } from '../../core/catalog/index.ts'
import { contentsOf, GOODS_WRITES, namedContainer } from '../../core/goods.ts'
import { addToList, addToSum } from '../../core/groups.ts'
import { Account, balanceOf } from '../../core/ledger.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { citizenPool } from '../facility/model.ts'
import { Facility, Grid } from '../facility/state.ts'
import { CriminalRecord } from '../law/state.ts'
import { payPlayer } from '../log/rules.ts'
import { unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { Location } from '../travel/state.ts'
import { escrowCredits, eveningPrice, mealPrice, tastesOf } from './fare-model.ts'
import { carriersOf, duePassengers, escrowAccount, passengersOf, waitingAt } from './list-model.ts'
import { updateMarkets } from './market-rules.ts'
import { berthsOf, cabinStat, isExpired, takenBerths } from './model.ts'
import { endJourneys, remindGuest, schedulePassenger, takeDue } from './rules.ts'
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

/** Asserts that the columns of one passenger are consistent. */
function checkPassenger(view: WorldView, row: Row): void {
  const { home, to, from, state, ship, lounge, fare, guarantee, spent } = view.read(Passenger)
  const { alive: isBase } = view.read(Base)
  assert(isBase[home[row]] === 1 && isBase[to[row]] === 1, `passenger ${row} has no base`)
  assert(from[row] !== to[row], `passenger ${row} goes nowhere`)
  assert((state[row] === ABOARD) === (ship[row] !== 0), `passenger ${row} is in no ship`)
  assert((state[row] === IN_LOUNGE) === (lounge[row] !== 0), `passenger ${row} is in no lounge`)
  assert(ship[row] === 0 || view.read(Ship).alive[ship[row]] === 1, `ship of ${row} is gone`)
  assert(lounge[row] === 0 || view.read(Facility).alive[lounge[row]] === 1, 'a lounge is gone')
  assert(
    (state[row] === WAITING) === (guarantee[row] === 0),
    `passenger ${row} waits with a guarantee or travels without one`,
  )
  assert(spent[row] <= fare[row], `passenger ${row} spent more than the fare`)
}

/** Adds an amount to a sum that is kept by key. */
/** Counts rows by their holder: a base, a ship or a lounge. */
function countBy(rows: readonly Row[], holderOf: (row: Row) => Row) {
  const counts = new Map<Row, number>()
  for (const row of rows) addToSum(counts, holderOf(row), 1)
  return counts
}

function allPassengers(view: WorldView): Row[] {
  const { alive } = view.read(Passenger)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Passenger); row++) if (alive[row] === 1) rows.push(row)
  return rows
}

/** Checks every passenger and the counts of their holders. O(passengers). */
export const passengersHold: CheckDef = {
  name: 'passengers: each in one place, counted there, on the wheel while on a journey',
  run(view, full) {
    if (!full) return
    const { state, from, ship, lounge, home } = view.read(Passenger)
    const rows = allPassengers(view)
    for (const row of rows) checkPassenger(view, row)
    const rowsIn = (value: number) => rows.filter((row) => state[row] === value)
    const aboard = countBy(rowsIn(ABOARD), (row) => ship[row])
    const seated = countBy(rowsIn(IN_LOUNGE), (row) => lounge[row])
    const waiting = countBy(rowsIn(WAITING), (row) => from[row])
    const abroad = countBy(rows, (row) => home[row])
    for (let base = 1; base <= view.highOf(Base); base++) {
      const terminal = view.read(Terminal)
      assert(
        terminal.waiting[base] === (waiting.get(base) ?? 0),
        `passengers waiting at ${base} are miscounted`,
      )
      assert(
        terminal.abroad[base] === (abroad.get(base) ?? 0),
        `citizens of ${base} are miscounted`,
      )
      assert(waitingAt(view, base).length === terminal.waiting[base], `base ${base} lists others`)
    }
    for (const [hull, people] of aboard) {
      assert(view.read(Cabin).count[hull] === people, `ship ${hull} miscounts its passengers`)
      const total = berthsOf(view, hull)
      assert(
        takenBerths(view, hull).every((taken, i) => taken <= total[i]),
        `ship ${hull} has more passengers than berths`,
      )
    }
    assert(carriersOf(view).size === aboard.size, 'a ship with passengers is not listed')
    for (const [room, people] of seated) {
      assert(view.read(Lounge).count[room] === people, `lounge ${room} miscounts its guests`)
    }
    checkWheel(view, rows.length - rowsIn(WAITING).length)
  },
}

function checkWheel(view: WorldView, travelling: number): void {
  let due = 0
  for (const [tick, row] of duePassengers(view)) {
    due++
    assert(tick > view.tick, `passenger ${row} is overdue`)
  }
  assert(due === travelling, `${due} passengers are on the wheel, of ${travelling}`)
}

/** Checks the escrow of every base. Source: crafting.md section 12, passenger escrow. */
export const faresHold: CheckDef = {
  name: 'passengers: escrow of a base is fare and bonus of its citizens who travel',
  run(view, full) {
    if (!full) return
    const { state, home, fare } = view.read(Passenger)
    const sums = new Map<Row, number>()
    for (const row of allPassengers(view)) {
      if (state[row] === WAITING) continue
      addToSum(sums, home[row], escrowCredits(fare[row]))
    }
    for (let base = 1; base <= view.highOf(Base); base++) {
      const account = escrowAccount(view, base)
      const held = account === 0 ? 0 : balanceOf(view, account)
      assert(held === (sums.get(base) ?? 0), `base ${base} has ${held} credits in escrow`)
    }
  },
}

/* Ends of journeys */

/**
 * Ticks past the deadline after which passengers leave a ship even in space. ours: otherwise a ship
 * that never docks would keep people, and their fares, forever.
 */
const PATIENCE_TICKS = DAY_TICKS

/** Handles the passengers who are due: guests are reminded, late ones leave their ship together. */
export function handleDue(world: World): void {
  const { state, ship, deadline } = world.read(Passenger)
  const { owner } = world.read(Ship)
  const { base } = world.read(Location)
  const leaving = new Map<Eid, Row[]>()
  for (const row of takeDue(world)) {
    const patienceEnd = deadline[row] + PATIENCE_TICKS
    if (state[row] !== ABOARD) remindGuest(world, row)
    else if (base[ship[row]] !== 0 || world.tick > patienceEnd) addToList(leaving, ship[row], row)
    else schedulePassenger(world, row, patienceEnd + 1)
  }
  for (const [hull, rows] of leaving) endJourneys(world, owner[hull], rows, base[hull])
}

/* Meals and evening drinks aboard. Source: crafting.md section 9, onboard. */

type FoodType = 'dish' | 'drink' | 'alcohol'

/** What is served at a meal and in the evening, in order of preference. */
const MEAL_TYPES: readonly FoodType[] = ['dish', 'drink']
const EVENING_TYPES: readonly FoodType[] = ['alcohol', 'drink']

/** Food and drink in a hold by type, each in the order of the catalogue. */
type Larder = Map<string, { readonly item: number; units: number }[]>

function larderOf(view: WorldView, ship: Eid): Larder {
  const larder: Larder = new Map()
  for (const { item, units } of contentsOf(view, view.read(Ship).hold[ship])) {
    const good = GOODS[item]
    if (!isModule(good) && good.food_type) addToList(larder, good.food_type, { item, units })
  }
  return larder
}

/** Takes a unit of the first type that is in stock; returns the item, or -1 if none is. */
function takeFood(larder: Larder, types: readonly FoodType[]): number {
  for (const type of types) {
    const stock = larder.get(type)?.find(({ units }) => units > 0)
    if (!stock) continue
    stock.units--
    return stock.item
  }
  return -1
}

/** A round of service in one ship. */
interface Round {
  readonly larder: Larder
  /** Units consumed, by item. */
  readonly eaten: Map<number, number>
  /** Credits paid, by the home base of the passengers. */
  readonly paid: Map<Row, number>
}

/** Serves one passenger, if there is something to serve and they can pay. */
function serve(
  world: World,
  row: Row,
  { larder, eaten, paid }: Round,
  { types, price }: { readonly types: readonly FoodType[]; readonly price: number },
): void {
  const { home, fare, spent } = world.write(Passenger)
  const pool = citizenPool(world, home[row])
  const left = balanceOf(world, pool) - (paid.get(home[row]) ?? 0)
  const credits = Math.min(price, left, fare[row] - spent[row])
  if (credits <= 0) return
  const item = takeFood(larder, types)
  if (item < 0) return
  addToSum(eaten, item, 1)
  addToSum(paid, home[row], credits)
  spent[row] += credits
}

/** Serves all passengers of a ship. ours: none of them spends more aboard than their fare. */
function serveShip(world: World, ship: Eid): void {
  const dining = cabinStat(world, ship, 'dining_points')
  const leisure = cabinStat(world, ship, 'leisure_points')
  if (dining + leisure === 0) return
  const { class: classIndex } = world.read(Passenger)
  const round: Round = { larder: larderOf(world, ship), eaten: new Map(), paid: new Map() }
  if (round.larder.size === 0) return
  for (const row of passengersOf(world, ship)) {
    if (isExpired(world, row)) continue
    const tastes = tastesOf(world, row)
    const meal = mealPrice(dining, tastes.dining, classIndex[row])
    serve(world, row, round, { types: MEAL_TYPES, price: meal })
    const evening = eveningPrice(leisure, tastes.leisure, classIndex[row])
    serve(world, row, round, { types: EVENING_TYPES, price: evening })
  }
  settleRound(world, ship, round)
}

/** Consumes what was served, and pays the owner of the ship. */
function settleRound(world: World, ship: Eid, { eaten, paid }: Round): void {
  const owner = world.read(Ship).owner[ship]
  for (const [item, units] of eaten) {
    unloadCargo(world, ship, namedContainer('consumption'), item, units)
  }
  for (const [home, credits] of paid) {
    const message = `Passengers from ${baseName(world, home)} ate and drank aboard.`
    const pool = citizenPool(world, home)
    payPlayer(world, owner, pool, credits, 'other', 'passenger.service', message)
  }
}

/** Serves the ships that are due in this tick and not docked. O(ships with passengers). */
export function serveShips(world: World): void {
  const carriers = carriersOf(world)
  if (carriers.size === 0) return
  const { seq, owner } = world.read(Ship)
  const { base } = world.read(Location)
  const due = [...carriers].filter(
    (ship) =>
      (world.tick + seq[ship]) % SERVICE_TICKS === 0 && base[ship] === 0 && owner[ship] !== 0,
  )
  for (const ship of due.sort((a, b) => seq[a] - seq[b])) serveShip(world, ship)
}

/** Handles the passengers who are due. */
export const remindPassengers: SystemDef = {
  name: 'passenger.due',
  phase: 'arrive',
  writes: [Account, Cabin, CriminalRecord, Grid, Lounge, Passenger, Player, Terminal],
  run: handleDue,
}

/** Serves meals and evening drinks aboard. */
export const servePassengers: SystemDef = {
  name: 'passenger.service',
  phase: 'produce',
  writes: [...GOODS_WRITES, Account, Passenger, Ship],
  run: serveShips,
}

/** Runs a cycle of the travel market, after rents are paid and before ranches run. */
export const moveMarkets: SystemDef = {
  name: 'passenger.market',
  phase: 'settle',
  after: 'facility.rent',
  writes: [Account, Cabin, Grid, Lounge, Passenger, Terminal],
  run: updateMarkets,
}
