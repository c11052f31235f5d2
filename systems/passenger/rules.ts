/** Rules of passengers that reach other domains. */

import { assert } from '../../core/assert.ts'
import { append } from '../../core/groups.ts'
import { openAccount } from '../../core/ledger.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { facilityName } from '../facility/model.ts'
import { Facility, OF_FACTION } from '../facility/state.ts'
import { notifyFaction } from '../faction/rules.ts'
import { Faction } from '../faction/state.ts'
import { Ship } from '../ship/state.ts'
import { escrowAccount, isDue, queue, unlist } from './list-model.ts'
import { checkOut, extensionOf } from './model.ts'
import {
  ABOARD,
  CARRIERS,
  Cabin,
  IN_LOUNGE,
  LOUNGE_WARNING_TICKS,
  Lounge,
  Passenger,
  Terminal,
  WAITING,
  WHEEL,
} from './state.ts'

/** What of a visit is spent when the journey ends here, and on the way, percent. */
export const ARRIVED_PCT = 100
export const LAYOVER_PCT = 25
/** Docks on the way at which people go ashore. */
export const STOPS_MAX = 2

/** Credits its citizens have between them below which nobody sets out. */
export const POOL_MIN = 50_000

function scheduleDeparture(world: World, row: Row): void {
  const tick = world.read(Passenger).dueTick[row]
  const wheel = world.index(WHEEL)
  append(wheel, tick, row)
}

/** Has the wheel look at a passenger in a later tick. */
export function scheduleAt(world: World, row: Row, tick: number): void {
  assert(tick > world.tick, `passenger ${row} is due in the past`)
  world.write(Passenger).dueTick[row] = tick
  scheduleDeparture(world, row)
}

/** Who is due in this tick, by number; they are on the wheel no longer. */
export function takeDue(world: World): Row[] {
  const wheel = world.index(WHEEL)
  const found = wheel.get(world.tick)
  if (!found) return []
  wheel.delete(world.tick)
  const { seq } = world.read(Passenger)
  const due = found.filter((row) => isDue(world, row, world.tick)).sort((a, b) => seq[a] - seq[b])
  return due.filter((row, i) => row !== due[i - 1])
}

/** Gives somebody a berth, from wherever they are. */
export function board(world: World, row: Row, hull: Eid, berth: number): void {
  assert(world.read(Ship).alive[hull] === 1, `passenger ${row} boards no ship`)
  unlist(world, row)
  const passenger = world.write(Passenger)
  const cabin = world.write(Cabin)
  passenger.state[row] = ABOARD
  passenger.ship[row] = hull
  passenger.berth[row] = berth
  passenger.next[row] = cabin.first[hull]
  cabin.first[hull] = row
  cabin.count[hull]++
  world.index(CARRIERS).add(hull)
}

/** Gives somebody a seat in a lounge. */
function seat(world: World, row: Row, lounge: Row): void {
  unlist(world, row)
  const passenger = world.write(Passenger)
  const room = world.write(Lounge)
  passenger.state[row] = IN_LOUNGE
  passenger.lounge[row] = lounge
  passenger.next[row] = room.first[lounge]
  room.first[lounge] = row
  room.count[lounge]++
}

export function openEscrow(world: World, home: Row): Row {
  const found = escrowAccount(world, home)
  if (found !== 0) return found
  const account = openAccount(world)
  world.write(Terminal).escrow[home] = account
  return account
}

/* Beginnings and ends */

interface Traveller {
  readonly home: Row
  readonly to: Row
  readonly jumps: number
  readonly travelClass: number
}

/** Somebody sets out from home. The caller has seen that there is room. */
export function appear(world: World, { home, to, jumps, travelClass }: Traveller): Row {
  assert(home !== to, 'a passenger goes nowhere')
  const row = world.take(Passenger)
  const passenger = world.write(Passenger)
  passenger.home[row] = home
  passenger.from[row] = home
  passenger.to[row] = to
  passenger.jumps[row] = jumps
  passenger.class[row] = travelClass
  world.write(Terminal).abroad[home]++
  queue(world, row)
  return row
}

/** Ticks past the deadline after which somebody leaves a ship that never docks. */
export const PATIENCE_TICKS = DAY_TICKS

/** Fills the wheel and the list of ships from the columns. */
export function rebuildPassengers(world: World): void {
  world.index(WHEEL).clear()
  world.index(CARRIERS).clear()
  const { alive, state } = world.read(Passenger)
  for (let row = 1; row <= world.highOf(Passenger); row++) {
    if (alive[row] === 1 && state[row] !== WAITING) scheduleDeparture(world, row)
  }
  const { alive: floats } = world.read(Ship)
  const { count } = world.read(Cabin)
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (floats[ship] === 1 && count[ship] > 0) world.index(CARRIERS).add(ship)
  }
}

/** Has the wheel look at a guest: first to warn their hosts, then at the end of their time. */
function scheduleGuest(world: World, row: Row): void {
  const deadline = world.read(Passenger).deadline[row]
  const warn = Math.max(world.tick + 1, deadline - LOUNGE_WARNING_TICKS)
  scheduleAt(world, row, warn < deadline ? warn : Math.max(world.tick, deadline) + 1)
}

/** Somebody takes a seat. */
export function checkIn(world: World, row: Row, lounge: Row): void {
  seat(world, row, lounge)
  const { deadline, extended } = world.write(Passenger)
  const ticks = extensionOf(world, lounge)
  if (ticks > 0 && extended[row] === 0) {
    deadline[row] += ticks
    extended[row] = 1
  }
  scheduleGuest(world, row)
}

/** Guests run out of time: their hosts hear of it, at most once in so many ticks. */
function warn(world: World, lounge: Row): void {
  const { warnedTick } = world.write(Lounge)
  const { ownerKind, faction, base } = world.read(Facility)
  const last = warnedTick[lounge]
  if (last !== 0 && world.tick - last < LOUNGE_WARNING_TICKS) return
  warnedTick[lounge] = world.tick
  if (ownerKind[lounge] !== OF_FACTION) return
  const place = baseName(world, base[lounge])
  notifyFaction(world, faction[lounge], {
    event: 'lounge_warning',
    // nobody did it: it stands in the name of the leader
    actor: world.read(Faction).leader[faction[lounge]],
    message:
      `Guests of ${facilityName(world, lounge)} at ${place} have ${LOUNGE_WARNING_TICKS} ticks ` +
      'or less left: take them along, or they find another ship.',
    more: { base_id: baseId(world, base[lounge]) },
  })
}

/** The wheel has come to a guest. */
export function remindGuest(world: World, row: Row): void {
  const { lounge, deadline } = world.read(Passenger)
  if (world.tick > deadline[row]) {
    checkOut(world, row, world.read(Facility).base[lounge[row]])
    return
  }
  warn(world, lounge[row])
  scheduleAt(world, row, deadline[row] + 1)
}
