/**
 * Lists of passengers at bases, in ships and in lounges: adding and removing passengers. Each is in
 * one list, and on the timing wheel while on a journey.
 */
import { assert } from '../../core/assert.ts'
import { post } from '../../core/ledger.ts'
import { words } from '../../core/params.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Grid } from '../facility/state.ts'
import { escrowCredits } from './fare-model.ts'
import { ABOARD, CARRIERS, Cabin, Lounge, Passenger, Terminal, WAITING, WHEEL } from './state.ts'

/** Returns the ships that have passengers. */
export const carriersOf = (view: WorldView): ReadonlySet<Eid> => view.index(CARRIERS)

/** Returns whether a passenger on a journey is due at a tick. */
export const isDue = (view: WorldView, row: Row, tick: number): boolean => {
  const { alive, dueTick, state } = view.read(Passenger)
  return alive[row] === 1 && state[row] !== WAITING && dueTick[row] === tick
}

/** Yields all passengers on the wheel with the ticks at which they are due. */
export function* duePassengers(view: WorldView): Generator<[tick: number, row: Row]> {
  for (const [tick, rows] of view.index(WHEEL)) {
    for (const row of new Set(rows)) if (isDue(view, row, tick)) yield [tick, row]
  }
}

/* Lists */

function listFrom(view: WorldView, first: Row): Row[] {
  const { next } = view.read(Passenger)
  const rows: Row[] = []
  for (let row = first; row !== 0; row = next[row]) rows.push(row)
  return rows
}

/** Returns the people waiting at a base; those who have waited longest come first. */
export const waitingAt = (view: WorldView, base: Row): Row[] =>
  listFrom(view, view.read(Terminal).first[base])

function listBySeq(view: WorldView, first: Row): Row[] {
  const { seq } = view.read(Passenger)
  return listFrom(view, first).sort((a, b) => seq[a] - seq[b])
}

/** Returns the passengers of a ship, by number. */
export const passengersOf = (view: WorldView, ship: Eid): Row[] =>
  listBySeq(view, view.read(Cabin).first[ship])

/** Returns the guests of a lounge, by number. */
export const guestsOf = (view: WorldView, lounge: Row): Row[] =>
  listBySeq(view, view.read(Lounge).first[lounge])

/** Appends a passenger to the queue at the base in their column `from`. */
export function enqueue(world: World, row: Row): void {
  const terminal = world.write(Terminal)
  const passenger = world.write(Passenger)
  const base = passenger.from[row]
  assert(base !== 0, `passenger ${row} waits at no base`)
  passenger.state[row] = WAITING
  passenger.sinceTick[row] = world.tick
  passenger.next[row] = 0
  const last = terminal.last[base]
  if (last === 0) terminal.first[base] = row
  else passenger.next[last] = row
  terminal.last[base] = row
  terminal.waiting[base]++
}

/** Removes a passenger from the list they are in. O(people in it). */
export function unlist(world: World, row: Row): void {
  const { state, from, ship, lounge, next } = world.write(Passenger)
  const isWaiting = state[row] === WAITING
  const room = state[row] === ABOARD ? world.write(Cabin) : world.write(Lounge)
  const heads = isWaiting ? world.write(Terminal).first : room.first
  const holder = isWaiting ? from[row] : ship[row] || lounge[row]
  let previous = 0
  for (let other = heads[holder]; other !== row; other = next[other]) {
    assert(other !== 0, `passenger ${row} is not in the list of its place`)
    previous = other
  }
  if (previous === 0) heads[holder] = next[row]
  else next[previous] = next[row]
  if (isWaiting) {
    const { last, waiting } = world.write(Terminal)
    if (last[holder] === row) last[holder] = previous
    waiting[holder]--
  } else {
    room.count[holder]--
    if (state[row] === ABOARD && room.count[holder] === 0) world.index(CARRIERS).delete(holder)
  }
  next[row] = 0
  ship[row] = 0
  lounge[row] = 0
}

/* Ends of journeys */

/**
 * Returns the account that holds the fares of a base's citizens while they travel; 0 if none of
 * them has travelled yet.
 */
export const escrowAccount = (view: WorldView, home: Row): Row => view.read(Terminal).escrow[home]

/** Moves the escrow of a journey, less what was `paid`, back to the citizens of the home base. */
export function refund(world: World, row: Row, paid = 0): void {
  const { home, fare } = world.read(Passenger)
  const left = escrowCredits(fare[row]) - paid
  assert(left >= 0, `the journey of passenger ${row} was paid twice`)
  post(world, escrowAccount(world, home[row]), world.read(Grid).pool[home[row]], left)
}

/** Removes a passenger who has arrived or left; the caller has settled their escrow. */
export function removePassenger(world: World, row: Row): void {
  unlist(world, row)
  world.write(Terminal).abroad[world.read(Passenger).home[row]]--
  world.release(Passenger, row)
}

/** The columns that only a journey uses. */
const JOURNEY_COLUMNS = 'fare guarantee deadline dueTick extended stops spent berth'

/** Ends a journey early: the passenger waits at `base` for another ship. */
export function requeue(world: World, row: Row, base: Row, jumps: number): void {
  unlist(world, row)
  const passenger = world.write(Passenger)
  for (const name of words(JOURNEY_COLUMNS)) passenger[name][row] = 0
  passenger.from[row] = base
  passenger.jumps[row] = jumps
  enqueue(world, row)
}

/**
 * Removes the passengers of a ship that its owner loses: fares are refunded, no standing changes.
 */
export function evacuate(world: World, ship: Eid): void {
  for (const row of passengersOf(world, ship)) {
    refund(world, row)
    removePassenger(world, row)
  }
}

export const hasPassengers = (view: WorldView, ship: Eid): boolean =>
  view.read(Cabin).count[ship] > 0
