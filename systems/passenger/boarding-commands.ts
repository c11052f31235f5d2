/** Passengers come aboard and get off. Source: crafting.md section 9. */
import { type Failure, fail, ok } from '../../core/errors.ts'
import { Account, balanceOf, post } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseById, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { citizenPool, facilityById, facilityId, facilityName } from '../facility/model.ts'
import { factionOf } from '../faction/model.ts'
import { logAction } from '../log/rules.ts'
import { activeShip, shipById, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase } from '../travel/drift-model.ts'
import { Location } from '../travel/state.ts'
import { endJourneys } from './arrival-rules.ts'
import { escrowOf, guaranteeOf, nameOf } from './fare-model.ts'
import { escrowAccount, guestsOf, passengersOf, waitingAt } from './list-model.ts'
import {
  berthFor,
  cabinFigure,
  extensionOf,
  freeBerths,
  isExpired,
  loungeOf,
  renderPassenger,
  seatsOf,
  shipsDocked,
  speedBonus,
} from './model.ts'
import { board, checkIn, openEscrow, scheduleAt } from './rules.ts'
import { IN_LOUNGE, Lounge, PASSENGERS_LOADED_MAX, Passenger } from './state.ts'
import { fareNow, passengerById } from './views.ts'

/* Taking people aboard */

/** A base by id, or by its name however written; 0 none. */
function baseMeant(view: WorldView, text: string): Row {
  const found = baseById(view, text.trim())
  if (found !== 0) return found
  const wanted = text.trim().toLowerCase()
  const { alive } = view.read(Base)
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (alive[base] === 1 && baseName(view, base).toLowerCase() === wanted) return base
  }
  return 0
}

/** Who waits here for a ship to a place, the highest class first; guests before the others. */
function candidates(view: WorldView, player: Eid, base: Row, to: Row): Row[] {
  const columns = view.read(Passenger)
  const lounge = loungeOf(view, player, base)
  const guests = lounge === 0 ? [] : guestsOf(view, lounge)
  return [...guests.filter((row) => !isExpired(view, row)), ...waitingAt(view, base)]
    .filter((row) => columns.to[row] === to)
    .sort((a, b) => columns.class[b] - columns.class[a])
}

interface Seat {
  readonly row: Row
  readonly berth: number
  /** Credits; of somebody on the way what was agreed. */
  readonly fare: number
}

interface Plan {
  readonly seats: Seat[]
  unfunded: number
}

/** Who gets which berth, and who cannot pay. Changes nothing. */
function planSeats(view: WorldView, base: Row, ship: Eid, rows: readonly Row[]): Plan {
  const { home, class: travelClass, state, fare } = view.read(Passenger)
  const free = freeBerths(view, ship)
  const ships = shipsDocked(view, base)
  const left = new Map<Row, number>()
  const plan: Plan = { seats: [], unfunded: 0 }
  for (const row of rows) {
    if (plan.seats.length === PASSENGERS_LOADED_MAX) break
    const berth = berthFor(free, travelClass[row])
    if (berth < 0) continue
    const isGuest = state[row] === IN_LOUNGE
    const asked = isGuest ? fare[row] : fareNow(view, row, ships)
    const pool = citizenPool(view, home[row])
    const funds = left.get(home[row]) ?? (pool === 0 ? 0 : balanceOf(view, pool))
    const need = isGuest ? 0 : escrowOf(asked)
    if (need > funds) {
      plan.unfunded++
      continue
    }
    left.set(home[row], funds - need)
    free[berth]--
    plan.seats.push({ row, berth, fare: asked })
  }
  return plan
}

/** Agrees on a journey: fare, time, and what the people at home set aside for it. */
function agree(world: World, row: Row, fare: number, comfort: number): void {
  const columns = world.write(Passenger)
  const home = columns.home[row]
  columns.fare[row] = fare
  columns.guarantee[row] = guaranteeOf(columns.jumps[row], comfort)
  columns.deadline[row] = world.tick + columns.guarantee[row]
  post(world, citizenPool(world, home), openEscrow(world, home), escrowOf(fare))
}

function seatAll(world: World, ship: Eid, seats: readonly Seat[]): void {
  const { state, deadline } = world.read(Passenger)
  const comfort = cabinFigure(world, ship, 'passenger_comfort')
  for (const { row, berth, fare } of seats) {
    const isGuest = state[row] === IN_LOUNGE
    board(world, row, ship, berth)
    if (!isGuest) agree(world, row, fare, comfort)
    scheduleAt(world, row, deadline[row] + 1)
  }
}

/** True where the fares of somebody's home have no account yet, and the table has no room for it. */
const lacksEscrow = (view: WorldView, rows: readonly Row[]): boolean =>
  isNearlyFull(view, Account) &&
  rows.some((row) => escrowAccount(view, view.read(Passenger).home[row]) === 0)

function say(view: WorldView, { seats, unfunded }: Plan, to: Row): string {
  const aboard = `${seats.length} for ${baseName(view, to)} ${seats.length === 1 ? 'is' : 'are'} aboard.`
  return unfunded === 0 ? aboard : `${aboard} ${unfunded} could not pay: their people are short.`
}

/**
 * Takes aboard who waits here for a ship to a base, as many as there are berths for. Refusals:
 * station_not_found, no_passengers, no_berths, limit_reached.
 */
export function load(world: World, player: Eid, destination: string) {
  const to = baseMeant(world, destination)
  if (to === 0) return fail('station_not_found', { destination })
  const base = dockedBase(world, player)
  const ship = activeShip(world, player)
  const rows = candidates(world, player, base, to)
  if (rows.length === 0) return fail('no_passengers', { destination: baseName(world, to) })
  if (lacksEscrow(world, rows)) return fail('limit_reached', { full: 'accounts' })
  const plan = planSeats(world, base, ship, rows)
  const { seats, unfunded } = plan
  if (seats.length === 0 && unfunded === 0) return fail('no_berths', { waiting: rows.length })
  seatAll(world, ship, seats)
  const message = say(world, plan, to)
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

const folded = (text: string): string => text.trim().toLowerCase()

/** Who is meant aboard: one by id or name, or all. Refusals: passenger_not_found, no_passengers. */
function meant(
  view: WorldView,
  ship: Eid,
  text: string,
): readonly Row[] | Failure<'no_passengers' | 'passenger_not_found'> {
  const rows = passengersOf(view, ship)
  if (folded(text) === EVERYBODY) {
    return rows.length > 0 ? rows : fail('no_passengers', undefined, 'Nobody is aboard.')
  }
  const byId = passengerById(view, text.trim())
  const found = rows.find((row) => row === byId || folded(nameOf(view, row)) === folded(text))
  return found === undefined ? fail('passenger_not_found', { name: text }) : [found]
}

/** A request as it was understood. */
interface Move {
  readonly player: Eid
  readonly rows: readonly Row[]
  /** Of all, those who cannot go are left out; of one it is a refusal. */
  readonly isBulk: boolean
}

/** The highest class first, each class by number. */
function byClass(view: WorldView, rows: readonly Row[]): Row[] {
  const { class: travelClass } = view.read(Passenger)
  return [...rows].sort((a, b) => travelClass[b] - travelClass[a])
}

/* Here */

function disembarkHere(world: World, { player, rows, isBulk }: Move) {
  const base = dockedBase(world, player)
  const { fare } = world.read(Passenger)
  const [row] = rows
  const [name, base_fare, speed_bonus] = [nameOf(world, row), fare[row], speedBonus(world, row)]
  const {
    delivered,
    stranded,
    fare: fare_collected,
    reputation,
  } = endJourneys(world, player, rows, base)
  if (!isBulk) {
    const isThere = delivered.length === 1
    const message = isThere
      ? `${name} is where the ticket says, and has paid ${counted(fare_collected, 'credit')}.`
      : `${name} is not where the ticket says, and has paid nothing.`
    const paid = isThere ? { base_fare, speed_bonus } : {}
    return ok({
      kind: 'single' as const,
      name,
      message,
      fare_collected,
      delivered: isThere,
      ...paid,
    })
  }
  return ok({
    kind: 'all' as const,
    message: `${delivered.length} arrived, ${stranded.length} were put off on the way.`,
    fare_collected,
    delivered,
    stranded,
    ...(Object.keys(reputation).length === 0 ? {} : { reputation_changes: reputation }),
  })
}

/* Into another ship */

/** A ship beside this one, of the player or of a member of their faction; 0 for any other. */
function shipMeant(view: WorldView, player: Eid, text: string): Eid {
  const ship = shipById(view, text.trim())
  if (ship === 0 || ship === activeShip(view, player)) return 0
  if (view.read(Location).base[ship] !== dockedBase(view, player)) return 0
  const owner = view.read(Ship).owner[ship]
  if (owner === player) return ship
  const faction = factionOf(view, player)
  return owner !== 0 && faction !== 0 && factionOf(view, owner) === faction ? ship : 0
}

interface Sorted {
  readonly going: { readonly row: Row; readonly berth: number }[]
  expired: number
  full: number
}

function sortOut(view: WorldView, rows: readonly Row[], target: Eid): Sorted {
  const { class: travelClass } = view.read(Passenger)
  const free = freeBerths(view, target)
  const sorted: Sorted = { going: [], expired: 0, full: 0 }
  for (const row of byClass(view, rows)) {
    const berth = isExpired(view, row) ? -1 : berthFor(free, travelClass[row])
    if (isExpired(view, row)) sorted.expired++
    else if (berth < 0) sorted.full++
    else {
      free[berth]--
      sorted.going.push({ row, berth })
    }
  }
  return sorted
}

function transferTo(world: World, { player, rows }: Move, target: Eid) {
  const { going, expired, full } = sortOut(world, rows, target)
  if (going.length === 0) return fail(full > 0 ? 'no_berths' : 'passenger_expired')
  // fare, escrow and deadline go with them, and so does their place on the wheel
  for (const { row, berth } of going) board(world, row, target, berth)
  const name = shipName(world, target)
  const message = `${going.length} went over to ${name}.`
  const data = { ship_id: shipId(world, target), passengers: going.length }
  logAction(world, player, 'other', 'passenger.transferred', message, data)
  return ok({
    kind: 'transfer' as const,
    message,
    target_ship: shipId(world, target),
    target_ship_name: name,
    count: going.length,
    transferred: going.map(({ row }) => renderPassenger(world, row)),
    ...(expired === 0 ? {} : { skipped_expired: expired }),
    ...(full === 0 ? {} : { skipped_no_berth: full }),
  })
}

/* Into a lounge */

/** True for a text that names a lounge, or the one given. */
function namesLounge(view: WorldView, text: string, lounge: Row): boolean {
  const word = folded(text)
  if (word === LOUNGE || facilityById(view, text.trim()) !== 0) return true
  return lounge !== 0 && word === folded(facilityName(view, lounge))
}

/** The lounge of the faction here, if that is what the text names. Refusal: no_lounge. */
function loungeMeant(view: WorldView, text: string, lounge: Row): Row | Failure<'no_lounge'> {
  const word = folded(text)
  const isIt =
    lounge !== 0 &&
    [LOUNGE, folded(facilityName(view, lounge)), facilityId(view, lounge)].includes(word)
  return isIt ? lounge : fail('no_lounge', { target: text })
}

function seatIn(world: World, { player, rows }: Move, lounge: Row) {
  const capacity = seatsOf(world, lounge)
  const room = Math.max(0, capacity - world.read(Lounge).count[lounge])
  const fit = byClass(world, rows).filter((row) => !isExpired(world, row))
  const going = fit.slice(0, room)
  if (fit.length === 0) return fail('passenger_expired')
  if (going.length === 0) return fail('lounge_full', { capacity })
  for (const row of going) checkIn(world, row, lounge)
  const name = facilityName(world, lounge)
  const message = `${going.length} took a seat in ${name}.`
  logAction(world, player, 'other', 'passenger.lounge', message, { passengers: going.length })
  const [expired, full] = [rows.length - fit.length, fit.length - going.length]
  const ticks = extensionOf(world, lounge)
  return ok({
    kind: 'lounge_checkin' as const,
    message,
    lounge: name,
    capacity,
    occupancy: world.read(Lounge).count[lounge],
    count: going.length,
    checked_in: going.map((row) => renderPassenger(world, row)),
    ...(ticks === 0 ? {} : { deadline_bonus_ticks: ticks }),
    ...(expired === 0 ? {} : { skipped_expired: expired }),
    ...(full === 0 ? {} : { skipped_full: full }),
  })
}

/**
 * Lets passengers off where the ship is docked, or hands them over. Refusals: passenger_not_found,
 * no_passengers, ship_not_found, no_lounge, no_berths, lounge_full, passenger_expired.
 */
export function unload(
  world: World,
  player: Eid,
  { name, target }: { readonly name: string; readonly target?: string },
) {
  const rows = meant(world, activeShip(world, player), name)
  if ('code' in rows) return rows
  const move: Move = { player, rows, isBulk: folded(name) === EVERYBODY }
  if (target === undefined) return disembarkHere(world, move)
  const lounge = loungeOf(world, player, dockedBase(world, player))
  if (namesLounge(world, target, lounge)) {
    const room = loungeMeant(world, target, lounge)
    return typeof room === 'number' ? seatIn(world, move, room) : room
  }
  const ship = shipMeant(world, player, target)
  return ship === 0 ? fail('ship_not_found', { target }) : transferTo(world, move, ship)
}
