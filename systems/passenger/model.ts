/** Berths, lounges and destinations, and the wire forms of passengers that lower views need. */
import type { ModuleRow } from '../../core/catalog/index.ts'
import { idOf } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseId, baseName } from '../base/model.ts'
import { BASE_KINDS, Base } from '../base/state.ts'
import { activeFacility, facilitiesAt, facilityTypeAt, isRunning } from '../facility/model.ts'
import { Facility } from '../facility/state.ts'
import { factionOf } from '../faction/model.ts'
import { ridersOf } from '../fleet/model.ts'
import { fitOf } from '../ship/derive-model.ts'
import { shipClassOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { lanesFrom, playersDockedAt, poisOf, routeBetween, systemId } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import {
  type Attractions,
  bioOf,
  bonusOf,
  classOf,
  nameOf,
  POOL_MIN,
  tierFitPct,
} from './fare-model.ts'
import {
  guestsOf,
  hasPassengers,
  passengersOf,
  refund,
  removePassenger,
  requeue,
} from './list-model.ts'
import {
  ABOARD,
  ARRIVED_NOW,
  CLASSES,
  DESTINATION_JUMPS_MAX,
  DESTINATIONS_MAX,
  IN_LOUNGE,
  Lounge,
  PASSENGERS_WAITING_MAX,
  Passenger,
  type PassengerSeen,
  Terminal,
} from './state.ts'

/** Renders the passengers who left a pilot's ship when it docked in this tick, for the briefing. */
export function renderArrivals(view: WorldView, player: Eid) {
  const { tick, byPilot } = view.index(ARRIVED_NOW)
  const arrivals = tick === view.tick ? byPilot.get(player) : undefined
  if (!arrivals) return {}
  const { delivered, stranded, fare, reputation } = arrivals
  return {
    passenger_arrivals: {
      ...(delivered.length === 0 ? {} : { delivered }),
      ...(stranded.length === 0 ? {} : { stranded }),
      fare_collected: fare,
      ...(Object.keys(reputation).length === 0 ? {} : { reputation_changes: reputation }),
    },
  }
}

const BERTH_STATS = [
  'passenger_economy_berths',
  'passenger_business_berths',
  'passenger_first_berths',
] as const

type CabinStat =
  | (typeof BERTH_STATS)[number]
  | 'passenger_comfort'
  | 'dining_points'
  | 'leisure_points'

/** Sums a stat over hull and modules; `fit` defaults to the modules of the ship. */
export function cabinStat(
  view: WorldView,
  ship: Eid,
  name: CabinStat,
  fit: readonly ModuleRow[] = fitOf(view, ship),
): number {
  let sum = 0
  for (const { type, value } of shipClassOf(view, ship).inherent_capabilities)
    if (type === name) sum += value
  for (const row of fit) sum += row[name] ?? 0
  return sum
}

/** Numbers of berths by CLASSES. */
type Berths = readonly number[]

/** Returns all berths of a ship by class; `fit` defaults to the modules of the ship. */
export function berthsOf(
  view: WorldView,
  ship: Eid,
  fit: readonly ModuleRow[] = fitOf(view, ship),
): Berths {
  return BERTH_STATS.map((name) => cabinStat(view, ship, name, fit))
}

/** Returns the berths that passengers occupy, by CLASSES. */
export function takenBerths(view: WorldView, ship: Eid): Berths {
  const taken = CLASSES.map(() => 0)
  if (!hasPassengers(view, ship)) return taken
  const { berth } = view.read(Passenger)
  for (const row of passengersOf(view, ship)) taken[berth[row]]++
  return taken
}

/** Returns the berths without passengers, by CLASSES: riders may use these. */
function unsoldBerths(view: WorldView, ship: Eid): number[] {
  const taken = takenBerths(view, ship)
  return berthsOf(view, ship).map((total, i) => Math.max(0, total - taken[i]))
}

/** Returns the number of players who ride in the pilot's ship. */
function ridersIn(view: WorldView, ship: Eid): number {
  const pilot = view.read(Ship).owner[ship]
  return pilot !== 0 && view.read(Player).ship[pilot] === ship ? ridersOf(view, pilot).length : 0
}

/** Returns the free berths by CLASSES. ours: riders occupy the cheapest berths. */
export function freeBerths(view: WorldView, ship: Eid): number[] {
  let riders = ridersIn(view, ship)
  return unsoldBerths(view, ship).map((berths) => {
    const usedByRiders = Math.min(berths, riders)
    riders -= usedByRiders
    return berths - usedByRiders
  })
}

const sumOf = (berths: Berths): number => berths.reduce((sum, count) => sum + count, 0)

/** Returns the number of all berths of a ship, occupied ones included. */
export const berthCount = (view: WorldView, ship: Eid): number => sumOf(berthsOf(view, ship))

/** Returns the number of berths that riders may use. */
export const riderBerths = (view: WorldView, ship: Eid): number => sumOf(unsoldBerths(view, ship))

/** Returns the lowest class of free berths that suits a class of travel; -1 if there is none. */
export const berthFor = (free: Berths, classIndex: number): number =>
  free.findIndex((berths, berthClass) => berthClass >= classIndex && berths > 0)

/** Refuses a fit with fewer berths than passengers and riders occupy. Refusal: no_berths. */
export function cabinsRefusal(
  view: WorldView,
  ship: Eid,
  fit: readonly ModuleRow[],
): Failure<'no_berths'> | undefined {
  const left = berthsOf(view, ship, fit)
  const taken = takenBerths(view, ship)
  const full = taken.findIndex((people, i) => people > left[i])
  if (full >= 0) {
    return fail(
      'no_berths',
      { class: CLASSES[full], passengers: taken[full], berths: left[full] },
      'Passengers occupy these berths; take them to their destinations first.',
    )
  }
  const riders = ridersIn(view, ship)
  const free = sumOf(left) - sumOf(taken)
  if (riders <= free) return undefined
  const message = `${riders} fleet members ride with you and need a berth each; only ${free} would be left.`
  return fail('no_berths', { riders, berths: free }, message)
}

/** Returns the lounge of a player's faction at a base; 0 if there is none. */
export function loungeOf(view: WorldView, player: Eid, base: Row): Row {
  const faction = factionOf(view, player)
  return faction === 0 ? 0 : activeFacility(view, faction, base, 'transit_lounge')
}

/** Returns the number of seats in a lounge. */
export const seatsOf = (view: WorldView, lounge: Row): number =>
  facilityTypeAt(view, lounge).capacity ?? 0

/** Returns the ticks that a lounge adds to a deadline; only the first lounge of a journey does. */
export const extensionOf = (view: WorldView, lounge: Row): number =>
  facilityTypeAt(view, lounge).transit_deadline_bonus ?? 0

const systemAt = (view: WorldView, base: Row): Eid =>
  view.read(Poi).system[view.read(Base).poi[base]]

/** Ends the stay of a guest, who pays nothing and waits at the base for another ship. */
export function checkOut(world: World, row: Row, base: Row): void {
  refund(world, row)
  const { to } = world.read(Passenger)
  const route = routeBetween(world, systemAt(world, base), systemAt(world, to[row]))
  const hasRoom = world.read(Terminal).waiting[base] < PASSENGERS_WAITING_MAX
  if (route && hasRoom && to[row] !== base) requeue(world, row, base, route.length - 1)
  else removePassenger(world, row)
}

/** Checks all guests out of a lounge that is removed. */
export function closeLounge(world: World, lounge: Row): void {
  if (!hasGuests(world, lounge)) return
  const base = world.read(Facility).base[lounge]
  for (const row of guestsOf(world, lounge)) checkOut(world, row, base)
}

export const hasGuests = (view: WorldView, lounge: Row): boolean =>
  view.read(Lounge).count[lounge] > 0

/** Kinds of bases that people live at. */
const HOMES: readonly string[] = ['empire', 'independent', 'faction']

/** Returns whether people live at a base and travel to it: not at pirate bases and outposts. */
export function isInhabited(view: WorldView, base: Row): boolean {
  const { alive, kind, pirateRepRequired, poi } = view.read(Base)
  if (alive[base] === 0 || pirateRepRequired[base] > 0) return false
  if (!HOMES.includes(BASE_KINDS[kind[base]])) return false
  return view.read(Poi).hidden[poi[base]] === 0
}

/** A base that people of another base travel to. */
export interface Destination {
  readonly base: Row
  readonly jumps: number
}

/** Finds the bases that people of a base travel to, nearest first, by a search along the lanes. */
export function destinationsOf(view: WorldView, home: Row): Destination[] {
  const { base: baseAt } = view.read(Poi)
  const start = systemAt(view, home)
  // Jumps plus one, by system; 0 if the search has not reached it yet.
  const reached = new Uint8Array(view.highOf(StarSystem) + 1)
  reached[start] = 1
  const systems: Eid[] = [start]
  const destinations: Destination[] = []
  for (let read = 0; read < systems.length && destinations.length < DESTINATIONS_MAX; read++) {
    const here = systems[read]
    const jumps = reached[here] - 1
    for (const poi of poisOf(view, here)) {
      const base = baseAt[poi]
      if (base !== 0 && base !== home && isInhabited(view, base)) destinations.push({ base, jumps })
    }
    if (jumps === DESTINATION_JUMPS_MAX) continue
    for (const next of lanesFrom(view, here)) {
      if (reached[next] !== 0) continue
      reached[next] = reached[here] + 1
      systems.push(next)
    }
  }
  return destinations.slice(0, DESTINATIONS_MAX)
}

/** Returns the ticks left until a passenger's deadline; 0 once it has passed. */
const ticksLeft = (view: WorldView, row: Row): number =>
  Math.max(0, view.read(Passenger).deadline[row] - view.tick)

/** Returns whether a passenger can no longer arrive in time. */
export const isExpired = (view: WorldView, row: Row): boolean =>
  view.tick > view.read(Passenger).deadline[row]

/** Returns the bonus that an arrival now would earn on top of the fare, credits. */
export function speedBonus(view: WorldView, row: Row): number {
  const { fare, guarantee } = view.read(Passenger)
  return bonusOf(fare[row], ticksLeft(view, row), guarantee[row])
}

/** Renders who a passenger is and where they want to go. */
export function renderWho(view: WorldView, row: Row) {
  const { to } = view.read(Passenger)
  return {
    citizen_id: idOf(view, Passenger, row),
    name: nameOf(view, row),
    bio: bioOf(view, row),
    class: classOf(view, row),
    destination: baseId(view, to[row]),
    destination_name: baseName(view, to[row]),
    destination_system: systemId(view, systemAt(view, to[row])),
  }
}

/** Renders a passenger on a journey. */
export function renderPassenger(view: WorldView, row: Row): PassengerSeen {
  const { fare, state, berth } = view.read(Passenger)
  return {
    ...renderWho(view, row),
    base_fare: fare[row],
    ticks_remaining: ticksLeft(view, row),
    speed_bonus: speedBonus(view, row),
    ...(state[row] === ABOARD ? { berth_class: CLASSES[berth[row]] } : {}),
    ...(state[row] === IN_LOUNGE ? { connecting: true } : {}),
  }
}

/** Returns the number of players' ships docked at a base. */
export const shipsDocked = (view: WorldView, base: Row): number =>
  playersDockedAt(view, base).length

/**
 * Returns the number of rivals that lower fares at a base: ships docked there, of which those with
 * berths count twice.
 */
export function rivalsDocked(view: WorldView, base: Row): number {
  const pilots = playersDockedAt(view, base)
  const carriers = pilots.filter((pilot) => berthCount(view, view.read(Player).ship[pilot]) > 0)
  return pilots.length + carriers.length
}

/** Renders all and free berths of a ship; undefined if it has none. */
export function renderBerths(view: WorldView, ship: Eid) {
  const totals = berthsOf(view, ship)
  if (totals.every((total) => total === 0)) return undefined
  const free = freeBerths(view, ship)
  const count = (i: number) => ({ total: totals[i], free: free[i] })
  return { economy: count(0), business: count(1), first: count(2) }
}

/** Sums the attractions of a station by class of travel. O(facilities there). */
export function attractionsAt(view: WorldView, base: Row): readonly Attractions[] {
  const sums = CLASSES.map(() => ({ dining: 0, leisure: 0 }))
  for (const row of facilitiesAt(view, base)) {
    const { dining_points = 0, leisure_points = 0, level } = facilityTypeAt(view, row)
    if (dining_points + leisure_points === 0 || !isRunning(view, row)) continue
    for (const [classIndex, sum] of sums.entries()) {
      const fit = tierFitPct(classIndex, level)
      sum.dining += dining_points * fit
      sum.leisure += leisure_points * fit
    }
  }
  return sums
}

/** Maximum wealth of all citizens of a station together, credits. Source: balance.md section 6. */
const WEALTH_MIN = 55_000
const WEALTH_PER_LEVEL = 15_000

/** The last kind of base that is made with the world; players found the kinds after it. */
export const INDEPENDENT = BASE_KINDS.indexOf('independent')

/** Returns the level of a base; a base that a player founded counts as level 1. */
export function stationLevel(view: WorldView, base: Row): number {
  const { level, kind } = view.read(Base)
  return kind[base] > INDEPENDENT ? 1 : level[base]
}

/** Returns the credits up to which the citizens of a base are paid an income. */
export const citizenWealth = (view: WorldView, base: Row): number =>
  WEALTH_MIN + WEALTH_PER_LEVEL * stationLevel(view, base)

/**
 * Returns the credits that the citizens of a base never spend on goods, so that enough is left for
 * fares: half-way between POOL_MIN and their maximum wealth. Source: balance.md section 4.
 */
export const citizenSavings = (view: WorldView, base: Row): number =>
  divFloor(POOL_MIN + citizenWealth(view, base), 2)
