/**
 * Journeys of passengers, from waiting and boarding to arrival or failure, and the settlement of
 * fares, standing and the spending of visitors. Source: crafting.md section 9.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { addToList, addToSum } from '../../core/groups.ts'
import { balanceOf, canReceive, openAccount, post } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName, baseTreasury, empireOfBase } from '../base/model.ts'
import { facilityName } from '../facility/model.ts'
import { openCitizenPool } from '../facility/rules.ts'
import { Facility, OF_FACTION } from '../facility/state.ts'
import { notifyFaction } from '../faction/rules.ts'
import { Faction } from '../faction/state.ts'
import { changeReputation } from '../law/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { type Attractions, tastesOf, tourismSpend } from './fare-model.ts'
import {
  enqueue,
  escrowAccount,
  isDue,
  passengersOf,
  refund,
  removePassenger,
  unlist,
} from './list-model.ts'
import {
  attractionsAt,
  checkOut,
  extensionOf,
  isExpired,
  renderPassenger,
  speedBonus,
} from './model.ts'
import {
  ABOARD,
  ARRIVED_NOW,
  type Arrivals,
  CARRIERS,
  Cabin,
  FIRST_CLASS,
  IN_LOUNGE,
  LOUNGE_WARNING_TICKS,
  Lounge,
  Passenger,
  Terminal,
  WAITING,
  WHEEL,
} from './state.ts'

/** Share of a visitor's full spending: at the destination, and at a stop on the way, percent. */
const ARRIVED_PCT = 100
const LAYOVER_PCT = 25
/** Limit of stops on the way at which a passenger visits the station. */
const STOPS_MAX = 2
/** Limits of the change of standing with one empire in one docking or command. */
const PRAISE_MAX = 3
const BLAME_MAX = 5

/** Schedules the next check of a passenger. */
export function schedulePassenger(world: World, row: Row, tick: number): void {
  assert(tick > world.tick, `passenger ${row} is due in the past`)
  world.write(Passenger).dueTick[row] = tick
  addToList(world.index(WHEEL), tick, row)
}

/** Removes the passengers due in this tick from the wheel; returns them by their numbers. */
export function takeDue(world: World): Row[] {
  const wheel = world.index(WHEEL)
  const rows = wheel.get(world.tick) ?? []
  wheel.delete(world.tick)
  const { seq } = world.read(Passenger)
  const due = rows.filter((row) => isDue(world, row, world.tick)).sort((a, b) => seq[a] - seq[b])
  return due.filter((row, i) => row !== due[i - 1])
}

/** Moves a passenger into a berth, from the list they are in. */
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

/** Moves a passenger into a lounge, from the list they are in. */
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

/** Returns the escrow account for the fares of a base's citizens; opens it if there is none. */
export function openEscrow(world: World, home: Row): Row {
  const existing = escrowAccount(world, home)
  if (existing !== 0) return existing
  const account = openAccount(world)
  world.write(Terminal).escrow[home] = account
  return account
}

interface Traveller {
  readonly home: Row
  readonly to: Row
  readonly jumps: number
  readonly classIndex: number
}

/** Adds a passenger who waits at home; the caller checks that there is room. */
export function addPassenger(world: World, { home, to, jumps, classIndex }: Traveller): Row {
  assert(home !== to, 'a passenger goes nowhere')
  const row = world.take(Passenger)
  const passenger = world.write(Passenger)
  passenger.home[row] = home
  passenger.from[row] = home
  passenger.to[row] = to
  passenger.jumps[row] = jumps
  passenger.class[row] = classIndex
  world.write(Terminal).abroad[home]++
  enqueue(world, row)
  return row
}

/** Rebuilds the wheel and the list of carriers from the columns. */
export function rebuildPassengers(world: World): void {
  world.index(WHEEL).clear()
  world.index(CARRIERS).clear()
  const { alive, state, dueTick } = world.read(Passenger)
  for (let row = 1; row <= world.highOf(Passenger); row++) {
    if (alive[row] === 1 && state[row] !== WAITING) addToList(world.index(WHEEL), dueTick[row], row)
  }
  const { alive: isShip } = world.read(Ship)
  const { count } = world.read(Cabin)
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (isShip[ship] === 1 && count[ship] > 0) world.index(CARRIERS).add(ship)
  }
}

/* Lounges */

/** Schedules the next check of a guest: to warn the hosts in time, or after the deadline. */
function scheduleGuest(world: World, row: Row): void {
  const deadline = world.read(Passenger).deadline[row]
  const warningTick = Math.max(world.tick + 1, deadline - LOUNGE_WARNING_TICKS)
  const endTick = Math.max(world.tick, deadline) + 1
  schedulePassenger(world, row, warningTick < deadline ? warningTick : endTick)
}

/** Seats a passenger in a lounge; the first lounge that can extends their deadline. */
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

/**
 * Warns the hosts of a lounge that guests will leave soon, at most once in LOUNGE_WARNING_TICKS.
 */
function warnHosts(world: World, lounge: Row): void {
  const { warnedTick } = world.write(Lounge)
  const { ownerKind, faction, base } = world.read(Facility)
  const last = warnedTick[lounge]
  if (last !== 0 && world.tick - last < LOUNGE_WARNING_TICKS) return
  warnedTick[lounge] = world.tick
  if (ownerKind[lounge] !== OF_FACTION) return
  const place = baseName(world, base[lounge])
  notifyFaction(world, faction[lounge], {
    event: 'lounge_warning',
    // No member caused this, so it is logged under the name of the leader.
    actor: world.read(Faction).leader[faction[lounge]],
    message:
      `Guests of ${facilityName(world, lounge)} at ${place} have ${LOUNGE_WARNING_TICKS} ticks ` +
      'or less left: take them aboard, or they will look for another ship.',
    details: { base_id: baseId(world, base[lounge]) },
  })
}

/** Checks a guest out when their deadline has passed; before that, warns the hosts. */
export function remindGuest(world: World, row: Row): void {
  const { lounge, deadline } = world.read(Passenger)
  if (world.tick > deadline[row]) {
    checkOut(world, row, world.read(Facility).base[lounge[row]])
    return
  }
  warnHosts(world, lounge[row])
  schedulePassenger(world, row, deadline[row] + 1)
}

/* Ends of journeys */

/** Arrivals with what is needed to settle them. */
interface Tally extends Arrivals {
  /** Credits paid, by the home of the passengers. */
  readonly paid: Map<Row, number>
  /** Number of passengers who praise the carrier, by the empire of their home. */
  readonly praise: Map<number, number>
  /** Number of passengers who blame the carrier, by the empire of their home. */
  readonly blame: Map<number, number>
}

const openTally = (): Tally => ({
  delivered: [],
  stranded: [],
  fare: 0,
  reputation: {},
  paid: new Map(),
  praise: new Map(),
  blame: new Map(),
})

/** Ends a journey at its destination in time: the carrier earns the fare and the bonus. */
function deliver(world: World, player: Eid, row: Row, tally: Tally): void {
  const { home, fare, class: classIndex } = world.read(Passenger)
  const origin = home[row]
  const earned = fare[row] + speedBonus(world, row)
  // If the wallet cannot hold the sum, the whole escrow is refunded instead.
  const paid = canReceive(world, walletOf(world, player), tally.fare + earned) ? earned : 0
  tally.delivered.push(renderPassenger(world, row))
  tally.fare += paid
  addToSum(tally.paid, origin, paid)
  if (classIndex[row] === FIRST_CLASS) addToSum(tally.praise, empireOfBase(world, origin), 1)
  refund(world, row, paid)
  removePassenger(world, row)
}

/** Ends a journey elsewhere or too late: the passenger pays nothing and blames the carrier. */
function strand(world: World, row: Row, tally: Tally): void {
  tally.stranded.push(renderPassenger(world, row))
  addToSum(tally.blame, empireOfBase(world, world.read(Passenger).home[row]), 1)
  refund(world, row)
  removePassenger(world, row)
}

/** Pays the fares, changes standing with the empires, and logs what happened. */
function settleTally(world: World, player: Eid, tally: Tally): Arrivals {
  const wallet = walletOf(world, player)
  for (const [home, credits] of tally.paid) {
    const message = `Fares of passengers from ${baseName(world, home)}.`
    const escrow = escrowAccount(world, home)
    creditMove(world, player, escrow, wallet, credits, 'other', 'passenger.fares', message)
  }
  if (tally.fare > 0) addStat(world, player, 'credits_earned', tally.fare)
  for (const [empire, { id }] of EMPIRES.entries()) {
    const praise = Math.min(PRAISE_MAX, tally.praise.get(empire) ?? 0)
    const blame = Math.min(BLAME_MAX, tally.blame.get(empire) ?? 0)
    const changed = praise === blame ? 0 : changeReputation(world, player, empire, praise - blame)
    if (changed !== 0) tally.reputation[id] = changed
  }
  if (tally.stranded.length > 0) {
    const people = tally.stranded.length
    const message = `${counted(people, 'passenger')} left without paying.`
    logAction(world, player, 'other', 'passenger.stranded', message, { passengers: people })
  }
  const { delivered, stranded, fare, reputation } = tally
  return { delivered, stranded, fare, reputation }
}

/**
 * Ends the journeys of passengers at a base (0 = in space). Those who reach their destination in
 * time pay; the others do not.
 */
export function endJourneys(world: World, player: Eid, rows: readonly Row[], base: Row): Arrivals {
  const tally = openTally()
  const { to } = world.read(Passenger)
  const anyArrives = rows.some((row) => to[row] === base)
  const attractions = anyArrives ? attractionsAt(world, base) : []
  for (const row of rows) {
    if (to[row] !== base || isExpired(world, row)) {
      strand(world, row, tally)
      continue
    }
    visit(world, row, base, { attractions, sharePct: ARRIVED_PCT })
    deliver(world, player, row, tally)
  }
  return settleTally(world, player, tally)
}

/** Lets passengers who stay aboard visit the station, at their first STOPS_MAX stops. */
function goAshore(world: World, rows: readonly Row[], base: Row): void {
  const { stops } = world.read(Passenger)
  const visitors = rows.filter((row) => stops[row] < STOPS_MAX)
  if (visitors.length === 0) return
  const attractions = attractionsAt(world, base)
  for (const row of visitors) {
    world.write(Passenger).stops[row]++
    visit(world, row, base, { attractions, sharePct: LAYOVER_PCT })
  }
}

/**
 * Ends the journeys of a docked pilot's passengers who have reached their destination or are late.
 * The others visit the station and travel on.
 */
export function disembark(world: World, player: Eid, base: Row): void {
  const arrived = world.index(ARRIVED_NOW)
  if (arrived.tick !== world.tick) {
    arrived.tick = world.tick
    arrived.byPilot.clear()
  }
  arrived.byPilot.delete(player)
  const ship = activeShip(world, player)
  if (world.read(Cabin).count[ship] === 0) return
  const { to } = world.read(Passenger)
  const rows = passengersOf(world, ship)
  const leaving = rows.filter((row) => to[row] === base || isExpired(world, row))
  const staying = rows.filter((row) => !leaving.includes(row))
  goAshore(world, staying, base)
  if (leaving.length > 0) arrived.byPilot.set(player, endJourneys(world, player, leaving, base))
}

/**
 * Pays a station what a visitor spends there, from the pool of the citizens of the visitor's home
 * and limited by what it holds. Source: crafting.md section 9, tourism.
 */
function visit(
  world: World,
  row: Row,
  base: Row,
  { attractions, sharePct }: { attractions: readonly Attractions[]; sharePct: number },
): void {
  const { class: classOf, home } = world.read(Passenger)
  const classIndex = classOf[row]
  const price = tourismSpend(attractions[classIndex], tastesOf(world, row), classIndex, sharePct)
  const pool = openCitizenPool(world, home[row])
  const treasury = baseTreasury(world, base)
  const credits = Math.min(price, balanceOf(world, pool))
  if (credits > 0 && canReceive(world, treasury, credits)) post(world, pool, treasury, credits)
}
