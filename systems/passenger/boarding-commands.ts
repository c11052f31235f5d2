/** Boarding passengers and letting them off. Source: crafting.md section 9. */
import { type Failure, fail, ok } from '../../core/errors.ts'
import { Account, balanceOf, post } from '../../core/ledger.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseById, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { citizenPool, facilityById, facilityId, facilityName } from '../facility/model.ts'
import { factionOf } from '../faction/model.ts'
import { logAction } from '../log/rules.ts'
import { activeShip, shipById, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase } from '../travel/location-model.ts'
import { Location } from '../travel/state.ts'
import { escrowCredits, guaranteedTicks, nameOf, surgeAfter } from './fare-model.ts'
import { escrowAccount, guestsOf, passengersOf, waitingAt } from './list-model.ts'
import {
  berthFor,
  cabinStat,
  extensionOf,
  freeBerths,
  isExpired,
  loungeOf,
  renderPassenger,
  rivalsDocked,
  seatsOf,
  speedBonus,
} from './model.ts'
import { board, checkIn, endJourneys, openEscrow, schedulePassenger } from './rules.ts'
import { IN_LOUNGE, Lounge, PASSENGERS_LOADED_MAX, Passenger, Terminal } from './state.ts'
import { fareNow, passengerById } from './views.ts'

/* Boarding */

const normalized = (text: string): string => text.trim().toLowerCase()

/** Returns the base with an id or a name, in any case; 0 if there is none. */
function baseByText(view: WorldView, text: string): Row {
  const byId = baseById(view, text.trim())
  if (byId !== 0) return byId
  const name = normalized(text)
  const { alive } = view.read(Base)
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (alive[base] === 1 && baseName(view, base).toLowerCase() === name) return base
  }
  return 0
}

/** Sorts passengers by class, highest first; the order within a class stays. */
function sortedByClass(view: WorldView, rows: readonly Row[]): Row[] {
  const { class: classIndex } = view.read(Passenger)
  return [...rows].sort((a, b) => classIndex[b] - classIndex[a])
}

/**
 * Returns the people who wait here for a ship to a base, highest class first; within a class,
 * guests of the lounge come first.
 */
function candidates(view: WorldView, player: Eid, base: Row, to: Row): Row[] {
  const lounge = loungeOf(view, player, base)
  const guests = lounge === 0 ? [] : guestsOf(view, lounge)
  const waiting = [...guests.filter((row) => !isExpired(view, row)), ...waitingAt(view, base)]
  return sortedByClass(
    view,
    waiting.filter((row) => view.read(Passenger).to[row] === to),
  )
}

interface Seat {
  readonly row: Row
  readonly berth: number
  /** Fare, credits; for a guest of a lounge it was agreed before. */
  readonly fare: number
}

interface SeatPlan {
  readonly seats: Seat[]
  /** People left behind because the citizens of their home cannot pay. */
  unfunded: number
}

/** Plans which of the candidates gets which berth. */
function planSeats(view: WorldView, base: Row, ship: Eid, rows: readonly Row[]): SeatPlan {
  const { home, class: classIndex, state, fare } = view.read(Passenger)
  const free = freeBerths(view, ship)
  const rivals = rivalsDocked(view, base)
  let boarded = 0
  const fundsLeft = new Map<Row, number>()
  const plan: SeatPlan = { seats: [], unfunded: 0 }
  for (const row of rows) {
    if (plan.seats.length === PASSENGERS_LOADED_MAX) break
    const berth = berthFor(free, classIndex[row])
    if (berth < 0) continue
    const isGuest = state[row] === IN_LOUNGE
    const price = isGuest ? fare[row] : fareNow(view, row, rivals, boarded)
    const pool = citizenPool(view, home[row])
    const funds = fundsLeft.get(home[row]) ?? (pool === 0 ? 0 : balanceOf(view, pool))
    const need = isGuest ? 0 : escrowCredits(price)
    if (need > funds) {
      plan.unfunded++
      continue
    }
    fundsLeft.set(home[row], funds - need)
    free[berth]--
    if (!isGuest) boarded++
    plan.seats.push({ row, berth, fare: price })
  }
  return plan
}

/** Sets fare, guarantee and deadline of a journey, and moves the fare into escrow. */
function beginJourney(world: World, row: Row, fare: number, comfort: number): void {
  const columns = world.write(Passenger)
  const home = columns.home[row]
  columns.fare[row] = fare
  columns.guarantee[row] = guaranteedTicks(columns.jumps[row], comfort)
  columns.deadline[row] = world.tick + columns.guarantee[row]
  post(world, citizenPool(world, home), openEscrow(world, home), escrowCredits(fare))
}

/** Seats people; each one who boards from the queue lowers the fares of those who remain. */
function seatAll(world: World, ship: Eid, seats: readonly Seat[]): void {
  const { state, deadline, from } = world.read(Passenger)
  const { surge } = world.write(Terminal)
  const comfort = cabinStat(world, ship, 'passenger_comfort')
  for (const { row, berth, fare } of seats) {
    const isGuest = state[row] === IN_LOUNGE
    board(world, row, ship, berth)
    if (!isGuest) {
      surge[from[row]] = surgeAfter(100 + surge[from[row]], 1) - 100
      beginJourney(world, row, fare, comfort)
    }
    schedulePassenger(world, row, deadline[row] + 1)
  }
}

/** Returns whether escrow accounts are missing and the table has no room to open them. */
const lacksEscrow = (view: WorldView, rows: readonly Row[]): boolean =>
  isNearlyFull(view, Account) &&
  rows.some((row) => escrowAccount(view, view.read(Passenger).home[row]) === 0)

function loadMessage(view: WorldView, { seats, unfunded }: SeatPlan, to: Row): string {
  const verb = seats.length === 1 ? 'is' : 'are'
  const aboard = `${seats.length} for ${baseName(view, to)} ${verb} aboard.`
  return unfunded === 0 ? aboard : `${aboard} ${unfunded} could not pay: their home lacks credits.`
}

const NO_BERTH_FREE = say`No berth of a class they would take is free: {list_passengers} shows your berths, {catalog} with type ships which hulls have more.`

/**
 * Boards people who wait here for a ship to a base, as many as there are berths for. Refusals:
 * station_not_found, no_passengers, no_berths, limit_reached.
 */
export function load(world: World, player: Eid, destination: string) {
  const to = baseByText(world, destination)
  if (to === 0) return fail('station_not_found', { destination })
  const base = dockedBase(world, player)
  const ship = activeShip(world, player)
  const rows = candidates(world, player, base, to)
  if (rows.length === 0) return fail('no_passengers', { destination: baseName(world, to) })
  if (lacksEscrow(world, rows)) return fail('limit_reached', { full: 'accounts' })
  const plan = planSeats(world, base, ship, rows)
  const { seats, unfunded } = plan
  if (seats.length === 0 && unfunded === 0) {
    return fail('no_berths', { waiting: rows.length }, NO_BERTH_FREE)
  }
  seatAll(world, ship, seats)
  const message = loadMessage(world, plan, to)
  const total_fare = seats.reduce((sum, { fare }) => sum + fare, 0)
  if (seats.length > 0) {
    const data = { passengers: seats.length, fares: total_fare }
    logAction(world, player, 'other', 'passenger.boarded', message, data)
  }
  return ok({
    message,
    count: seats.length,
    total_fare,
    ...(unfunded === 0 ? {} : { skipped_unfunded: unfunded }),
    loaded: seats.map(({ row }) => renderPassenger(world, row)),
  })
}

/* Letting people off */

const EVERYBODY = 'all'
const LOUNGE = 'lounge'

/** Finds one passenger by id or name, or all. Refusals: passenger_not_found, no_passengers. */
function passengersByText(
  view: WorldView,
  ship: Eid,
  text: string,
): readonly Row[] | Failure<'no_passengers' | 'passenger_not_found'> {
  const rows = passengersOf(view, ship)
  if (normalized(text) === EVERYBODY) {
    return rows.length > 0
      ? rows
      : fail('no_passengers', undefined, say`Nobody is aboard; {load_passenger} boards some.`)
  }
  const byId = passengerById(view, text.trim())
  const match = rows.find(
    (row) => row === byId || normalized(nameOf(view, row)) === normalized(text),
  )
  return match === undefined ? fail('passenger_not_found', { name: text }) : [match]
}

/* To the station */

function disembarkOne(world: World, player: Eid, row: Row) {
  const name = nameOf(world, row)
  const base_fare = world.read(Passenger).fare[row]
  const speed_bonus = speedBonus(world, row)
  const arrivals = endJourneys(world, player, [row], dockedBase(world, player))
  const delivered = arrivals.delivered.length === 1
  return ok({
    kind: 'single' as const,
    name,
    message: delivered
      ? `${name} has arrived and paid ${counted(arrivals.fare, 'credit')}.`
      : `${name} was not brought to the destination in time and has paid nothing.`,
    fare_collected: arrivals.fare,
    delivered,
    ...(delivered ? { base_fare, speed_bonus } : {}),
  })
}

function disembarkAll(world: World, player: Eid, rows: readonly Row[]) {
  const arrivals = endJourneys(world, player, rows, dockedBase(world, player))
  const { delivered, stranded, fare, reputation } = arrivals
  return ok({
    kind: 'all' as const,
    message: `${delivered.length} arrived in time, ${stranded.length} did not and paid nothing.`,
    fare_collected: fare,
    delivered,
    stranded,
    ...(Object.keys(reputation).length === 0 ? {} : { reputation_changes: reputation }),
  })
}

/* To another ship */

/** Returns a ship docked here that belongs to the player or a faction member; otherwise 0. */
function shipByText(view: WorldView, player: Eid, text: string): Eid {
  const ship = shipById(view, text.trim())
  if (ship === 0 || ship === activeShip(view, player)) return 0
  if (view.read(Location).base[ship] !== dockedBase(view, player)) return 0
  const owner = view.read(Ship).owner[ship]
  if (owner === player) return ship
  const faction = factionOf(view, player)
  return owner !== 0 && faction !== 0 && factionOf(view, owner) === faction ? ship : 0
}

/** Plans who gets which berth of another ship; people who are late or find no berth stay. */
function planTransfer(view: WorldView, rows: readonly Row[], target: Eid) {
  const { class: classIndex } = view.read(Passenger)
  const free = freeBerths(view, target)
  const seats: { readonly row: Row; readonly berth: number }[] = []
  const inTime = sortedByClass(view, rows).filter((row) => !isExpired(view, row))
  for (const row of inTime) {
    const berth = berthFor(free, classIndex[row])
    if (berth < 0) continue
    free[berth]--
    seats.push({ row, berth })
  }
  return { seats, expired: rows.length - inTime.length, full: inTime.length - seats.length }
}

function transferTo(world: World, player: Eid, rows: readonly Row[], target: Eid) {
  const { seats, expired, full } = planTransfer(world, rows, target)
  if (seats.length === 0) return fail(full > 0 ? 'no_berths' : 'passenger_expired')
  // Fare, escrow, deadline and the entry on the wheel stay as they are.
  for (const { row, berth } of seats) board(world, row, target, berth)
  const name = shipName(world, target)
  const message = `Moved ${counted(seats.length, 'passenger')} to ${name}.`
  const data = { ship_id: shipId(world, target), passengers: seats.length }
  logAction(world, player, 'other', 'passenger.transferred', message, data)
  return ok({
    kind: 'transfer' as const,
    message,
    target_ship: shipId(world, target),
    target_ship_name: name,
    count: seats.length,
    transferred: seats.map(({ row }) => renderPassenger(world, row)),
    ...(expired === 0 ? {} : { skipped_expired: expired }),
    ...(full === 0 ? {} : { skipped_no_berth: full }),
  })
}

/* To a lounge */

/** Returns whether a text names a lounge; `lounge` is that of the faction here, 0 if none. */
function namesLounge(view: WorldView, text: string, lounge: Row): boolean {
  const name = normalized(text)
  if (name === LOUNGE || facilityById(view, text.trim()) !== 0) return true
  return lounge !== 0 && name === normalized(facilityName(view, lounge))
}

/** Returns whether a text names the lounge of the faction here. */
const namesOwnLounge = (view: WorldView, text: string, lounge: Row): boolean =>
  lounge !== 0 &&
  [LOUNGE, normalized(facilityName(view, lounge)), facilityId(view, lounge)].includes(
    normalized(text),
  )

function seatIn(world: World, player: Eid, rows: readonly Row[], lounge: Row) {
  const capacity = seatsOf(world, lounge)
  const room = Math.max(0, capacity - world.read(Lounge).count[lounge])
  const inTime = sortedByClass(world, rows).filter((row) => !isExpired(world, row))
  const guests = inTime.slice(0, room)
  if (inTime.length === 0) return fail('passenger_expired')
  if (guests.length === 0) return fail('lounge_full', { capacity })
  for (const row of guests) checkIn(world, row, lounge)
  const name = facilityName(world, lounge)
  const message = `Checked ${counted(guests.length, 'passenger')} in at ${name}.`
  logAction(world, player, 'other', 'passenger.lounge', message, { passengers: guests.length })
  const expired = rows.length - inTime.length
  const full = inTime.length - guests.length
  const ticks = extensionOf(world, lounge)
  return ok({
    kind: 'lounge_checkin' as const,
    message,
    lounge: name,
    capacity,
    occupancy: world.read(Lounge).count[lounge],
    count: guests.length,
    checked_in: guests.map((row) => renderPassenger(world, row)),
    ...(ticks === 0 ? {} : { deadline_bonus_ticks: ticks }),
    ...(expired === 0 ? {} : { skipped_expired: expired }),
    ...(full === 0 ? {} : { skipped_full: full }),
  })
}

/**
 * Lets passengers off where the ship is docked, or moves them to another ship or a lounge there.
 * Refusals: passenger_not_found, no_passengers, ship_not_found, no_lounge, no_berths, lounge_full,
 * passenger_expired.
 */
export function unload(
  world: World,
  player: Eid,
  { name, target }: { readonly name: string; readonly target?: string },
) {
  const rows = passengersByText(world, activeShip(world, player), name)
  if ('code' in rows) return rows
  if (target === undefined) {
    return normalized(name) === EVERYBODY
      ? disembarkAll(world, player, rows)
      : disembarkOne(world, player, rows[0])
  }
  const lounge = loungeOf(world, player, dockedBase(world, player))
  if (namesLounge(world, target, lounge)) {
    return namesOwnLounge(world, target, lounge)
      ? seatIn(world, player, rows, lounge)
      : fail('no_lounge', { target })
  }
  const ship = shipByText(world, player, target)
  return ship === 0 ? fail('ship_not_found', { target }) : transferTo(world, player, rows, ship)
}
