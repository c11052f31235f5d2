/** Taking people aboard. Source: crafting.md section 9. */
import { fail, ok } from '../../core/errors.ts'
import { Account, balanceOf, post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseById, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { citizenPool } from '../facility/model.ts'
import { logAction } from '../log/rules.ts'
import { activeShip } from '../ship/model.ts'
import { dockedBase } from '../travel/drift-model.ts'
import { escrowOf, guaranteeOf } from './fare-model.ts'
import { escrowAccount, guestsOf, waitingAt } from './list-model.ts'
import {
  berthFor,
  cabinFigure,
  freeBerths,
  isExpired,
  loungeOf,
  renderPassenger,
  shipsDocked,
} from './model.ts'
import { board, expectAt, openEscrow } from './rules.ts'
import { IN_LOUNGE, PASSENGERS_LOADED_MAX, Passenger } from './state.ts'
import { fareNow } from './views.ts'

/** A base by id, or by its name however written; 0 none. */
export function baseMeant(view: WorldView, text: string): Row {
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
    expectAt(world, row, deadline[row] + 1)
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
