/**
 * Where passengers are: the lists of bases, ships and lounges, and the wheel of their deadlines.
 * The only writer of those. A passenger is in one list, and on the wheel while on a journey.
 */
import { assert } from '../../core/assert.ts'
import { post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Grid } from '../facility/state.ts'
import { escrowOf } from './fare-model.ts'
import { ABOARD, CARRIERS, Cabin, Lounge, Passenger, Terminal, WAITING, WHEEL } from './state.ts'

export const carriersOf = (view: WorldView): ReadonlySet<Eid> => view.index(CARRIERS)

export const isDue = (view: WorldView, row: Row, tick: number): boolean => {
  const { alive, dueTick, state } = view.read(Passenger)
  return alive[row] === 1 && state[row] !== WAITING && dueTick[row] === tick
}

/** Everybody on the wheel with the tick. */
export function* expected(view: WorldView): Generator<[tick: number, row: Row]> {
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

/** People who wait at a base, the longest first. */
export const waitingAt = (view: WorldView, base: Row): Row[] =>
  listFrom(view, view.read(Terminal).first[base])

/** Passengers of a ship, by number. */
export function passengersOf(view: WorldView, ship: Eid): Row[] {
  const { seq } = view.read(Passenger)
  return listFrom(view, view.read(Cabin).first[ship]).sort((a, b) => seq[a] - seq[b])
}

/** Guests of a lounge, by number. */
export function guestsOf(view: WorldView, lounge: Row): Row[] {
  const { seq } = view.read(Passenger)
  return listFrom(view, view.read(Lounge).first[lounge]).sort((a, b) => seq[a] - seq[b])
}

/** Puts somebody at the end of those who wait at `from`. */
export function queue(world: World, row: Row): void {
  const terminal = world.write(Terminal)
  const passenger = world.write(Passenger)
  const base = passenger.from[row]
  assert(base !== 0, `passenger ${row} waits nowhere`)
  passenger.state[row] = WAITING
  passenger.sinceTick[row] = world.tick
  passenger.next[row] = 0
  const last = terminal.last[base]
  if (last === 0) terminal.first[base] = row
  else passenger.next[last] = row
  terminal.last[base] = row
  terminal.waiting[base]++
}

/** Takes somebody out of the list they stand in. O(people in it). */
export function unlist(world: World, row: Row): void {
  const { state, from, ship, lounge, next } = world.write(Passenger)
  const heads =
    state[row] === WAITING
      ? world.write(Terminal).first
      : (state[row] === ABOARD ? world.write(Cabin) : world.write(Lounge)).first
  const holder = state[row] === WAITING ? from[row] : ship[row] || lounge[row]
  let before = 0
  for (let at = heads[holder]; at !== row; at = next[at]) {
    assert(at !== 0, `passenger ${row} is not in the list of its place`)
    before = at
  }
  if (before === 0) heads[holder] = next[row]
  else next[before] = next[row]
  if (state[row] === WAITING && world.read(Terminal).last[holder] === row) {
    world.write(Terminal).last[holder] = before
  }
  next[row] = 0
  leave(world, row, holder)
}

/** Counts somebody out. */
function leave(world: World, row: Row, holder: Row): void {
  const { state, ship, lounge } = world.write(Passenger)
  if (state[row] === WAITING) world.write(Terminal).waiting[holder]--
  else if (state[row] === ABOARD) {
    const { count } = world.write(Cabin)
    count[holder]--
    if (count[holder] === 0) world.index(CARRIERS).delete(holder)
  } else world.write(Lounge).count[holder]--
  ship[row] = 0
  lounge[row] = 0
}

/* Money */

/** Where the fares of a base's citizens are while they travel; 0 before the first. */
export const escrowAccount = (view: WorldView, home: Row): Row => view.read(Terminal).escrow[home]

/** Gives what is set aside for a journey back to the citizens at home, but for what was paid. */
export function refund(world: World, row: Row, paid = 0): void {
  const { home, fare } = world.read(Passenger)
  const left = escrowOf(fare[row]) - paid
  assert(left >= 0, `the journey of passenger ${row} was paid twice`)
  post(world, escrowAccount(world, home[row]), world.read(Grid).pool[home[row]], left)
}

/** Somebody is gone: arrived, or left. What was in escrow has been settled. */
export function vanish(world: World, row: Row): void {
  unlist(world, row)
  world.write(Terminal).abroad[world.read(Passenger).home[row]]--
  world.release(Passenger, row)
}

/** Ends a journey before its end: they wait where they are for another ship, at `base`. */
export function queueAnew(world: World, row: Row, base: Row, jumps: number): void {
  unlist(world, row)
  const passenger = world.write(Passenger)
  const clear = ['fare', 'guarantee', 'deadline', 'dueTick', 'extended', 'stops', 'spent'] as const
  for (const name of clear) passenger[name][row] = 0
  passenger.berth[row] = 0
  passenger.from[row] = base
  passenger.jumps[row] = jumps
  queue(world, row)
}

/* What becomes of those aboard of a ship that changes hands */

/** A ship is lost to its owner: its passengers are brought home, and nobody blames anybody. */
export function evacuate(world: World, ship: Eid): void {
  for (const row of passengersOf(world, ship)) {
    refund(world, row)
    vanish(world, row)
  }
}

/** True while somebody has a berth aboard. */
export const hasPassengers = (view: WorldView, ship: Eid): boolean =>
  view.read(Cabin).count[ship] > 0
