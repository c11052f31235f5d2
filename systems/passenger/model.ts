/** Lookups of passengers; writes only to its own columns. */
import type { ModuleRow } from '../../core/catalog/index.ts'
import { idOf } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
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
import { playersDockedAt, poisOf, routeBetween, systemId } from '../travel/model.ts'
import { Lane, Poi, StarSystem } from '../travel/state.ts'
import { type Attractions, bioOf, bonusOf, classOf, nameOf, tierFitPct } from './fare-model.ts'
import { guestsOf, hasPassengers, passengersOf, queueAnew, refund, vanish } from './list-model.ts'
import {
  ABOARD,
  CLASSES,
  DESTINATION_JUMPS_MAX,
  DESTINATIONS_MAX,
  IN_LOUNGE,
  Lounge,
  PASSENGERS_WAITING_MAX,
  Passenger,
  type PassengerSeen,
  Terminal,
  TODAY,
} from './state.ts'

/** What a pilot's docking in this tick came to, as the briefing has it. */
export function renderArrivals(view: WorldView, player: Eid) {
  const { tick, of } = view.index(TODAY)
  const found = tick === view.tick ? of.get(player) : undefined
  if (!found) return {}
  const { delivered, stranded, fare, reputation } = found
  return {
    passenger_arrivals: {
      ...(delivered.length === 0 ? {} : { delivered }),
      ...(stranded.length === 0 ? {} : { stranded }),
      fare_collected: fare,
      ...(Object.keys(reputation).length === 0 ? {} : { reputation_changes: reputation }),
    },
  }
}

const BERTH_FIGURES = [
  'passenger_economy_berths',
  'passenger_business_berths',
  'passenger_first_berths',
] as const

type CabinFigure =
  | (typeof BERTH_FIGURES)[number]
  | 'passenger_comfort'
  | 'dining_points'
  | 'leisure_points'

/** What hull and modules have of a figure together; `fit` is that of the ship unless given. */
export function cabinFigure(
  view: WorldView,
  ship: Eid,
  name: CabinFigure,
  fit: readonly ModuleRow[] = fitOf(view, ship),
): number {
  const own = shipClassOf(view, ship).inherent_capabilities
  const ofHull = own.reduce((sum, { type, value }) => sum + (type === name ? value : 0), 0)
  return fit.reduce((sum, row) => sum + (row[name] ?? 0), ofHull)
}

/** Berths by CLASSES. */
type Berths = readonly number[]

export function berthsOf(
  view: WorldView,
  ship: Eid,
  fit: readonly ModuleRow[] = fitOf(view, ship),
): Berths {
  return BERTH_FIGURES.map((name) => cabinFigure(view, ship, name, fit))
}

/** Berths that paying passengers lie in, by CLASSES. */
export function takenBerths(view: WorldView, ship: Eid): Berths {
  const taken = CLASSES.map(() => 0)
  if (!hasPassengers(view, ship)) return taken
  const { berth } = view.read(Passenger)
  for (const row of passengersOf(view, ship)) taken[berth[row]]++
  return taken
}

/** Berths without a paying passenger, by CLASSES: what riders can have, and what is left of it. */
function unsoldBerths(view: WorldView, ship: Eid): number[] {
  const taken = takenBerths(view, ship)
  return berthsOf(view, ship).map((total, of) => Math.max(0, total - taken[of]))
}

/** Players who ride along in this ship. */
function ridersIn(view: WorldView, ship: Eid): number {
  const pilot = view.read(Ship).owner[ship]
  return pilot !== 0 && view.read(Player).ship[pilot] === ship ? ridersOf(view, pilot).length : 0
}

/** Free berths by CLASSES. ours: players who ride along lie in the simplest that are not sold. */
export function freeBerths(view: WorldView, ship: Eid): number[] {
  let riders = ridersIn(view, ship)
  return unsoldBerths(view, ship).map((berths) => {
    const ridden = Math.min(berths, riders)
    riders -= ridden
    return berths - ridden
  })
}

const sumOf = (berths: Berths): number => berths.reduce((sum, count) => sum + count, 0)

/** Berths of a ship, whoever lies in them. */
export const berthCount = (view: WorldView, ship: Eid): number => sumOf(berthsOf(view, ship))

/** Berths that players who ride along may have: all without a paying passenger. */
export const riderBerths = (view: WorldView, ship: Eid): number => sumOf(unsoldBerths(view, ship))

/** The lowest free berth that somebody of a class takes; -1 none. */
export function berthFor(free: readonly number[], travelClass: number): number {
  return free.findIndex((berths, of) => of >= travelClass && berths > 0)
}

/** Refuses a fit with fewer berths than passengers and riders lie in. Refusal: no_berths. */
export function cabinsRefusal(
  view: WorldView,
  ship: Eid,
  fit: readonly ModuleRow[],
): Failure<'no_berths'> | undefined {
  const left = berthsOf(view, ship, fit)
  const taken = takenBerths(view, ship)
  const of = taken.findIndex((people, index) => people > left[index])
  const [riders, free] = [ridersIn(view, ship), sumOf(left) - sumOf(taken)]
  if (of < 0 && riders > free) {
    const said = `${riders} of your fleet ride with you and need a berth each; ${free} would be left.`
    return fail('no_berths', { riders, berths: free }, said)
  }
  if (of < 0) return undefined
  return fail(
    'no_berths',
    { class: CLASSES[of], passengers: taken[of], berths: left[of] },
    'Passengers have their berths there; bring them where they want to be first.',
  )
}

/** The lounge of a player's faction at a base; 0 none. */
export function loungeOf(view: WorldView, player: Eid, base: Row): Row {
  const faction = factionOf(view, player)
  return faction === 0 ? 0 : activeFacility(view, faction, base, 'transit_lounge')
}

export const seatsOf = (view: WorldView, lounge: Row): number =>
  facilityTypeAt(view, lounge).capacity ?? 0

/** Ticks a lounge adds to a deadline, once a journey. */
export const extensionOf = (view: WorldView, lounge: Row): number =>
  facilityTypeAt(view, lounge).transit_deadline_bonus ?? 0

const systemRowOf = (view: WorldView, base: Row): Eid =>
  view.read(Poi).system[view.read(Base).poi[base]]

/** A guest has had enough: they pay nothing, and look for another ship like anybody else. */
export function checkOut(world: World, row: Row, base: Row): void {
  refund(world, row)
  const { to } = world.read(Passenger)
  const route = routeBetween(world, systemRowOf(world, base), systemRowOf(world, to[row]))
  const hasRoom = world.read(Terminal).waiting[base] < PASSENGERS_WAITING_MAX
  if (route && hasRoom && to[row] !== base) queueAnew(world, row, base, route.length - 1)
  else vanish(world, row)
}

/** A lounge is pulled down: its guests are anybody's. */
export function closeLounge(world: World, lounge: Row): void {
  if (world.read(Lounge).count[lounge] === 0) return
  const base = world.read(Facility).base[lounge]
  for (const row of guestsOf(world, lounge)) checkOut(world, row, base)
}

/** True while somebody sits there. */
export const hasGuests = (view: WorldView, lounge: Row): boolean =>
  view.read(Lounge).count[lounge] > 0

/** Kinds of bases that people live at. */
const HOMES: readonly string[] = ['empire', 'independent', 'faction']

/** True for a base that people live at and travel to: neither pirates' nor an outpost. */
export function isOnTheMap(view: WorldView, base: Row): boolean {
  const { alive, kind, pirateRepRequired, poi } = view.read(Base)
  if (alive[base] === 0 || pirateRepRequired[base] > 0) return false
  if (!HOMES.includes(BASE_KINDS[kind[base]])) return false
  return view.read(Poi).hidden[poi[base]] === 0
}

export interface Destination {
  readonly base: Row
  readonly jumps: number
}

/** Bases that people of a base travel to, the nearest first: a search along the lanes. */
export function destinationsOf(view: WorldView, home: Row): Destination[] {
  const { base: baseAt, system: systemAt } = view.read(Poi)
  const { firstLane, laneCount } = view.read(StarSystem)
  const { to } = view.read(Lane)
  const start = systemAt[view.read(Base).poi[home]]
  // jumps and one, by system; 0 where the search has not been
  const reached = new Uint8Array(view.highOf(StarSystem) + 1)
  reached[start] = 1
  const systems: Eid[] = [start]
  const found: Destination[] = []
  for (let read = 0; read < systems.length && found.length < DESTINATIONS_MAX; read++) {
    const here = systems[read]
    const jumps = reached[here] - 1
    for (const poi of poisOf(view, here)) {
      const base = baseAt[poi]
      if (base !== 0 && base !== home && isOnTheMap(view, base)) found.push({ base, jumps })
    }
    if (jumps === DESTINATION_JUMPS_MAX) continue
    for (let lane = firstLane[here]; lane < firstLane[here] + laneCount[here]; lane++) {
      const next = to[lane]
      if (reached[next] !== 0) continue
      reached[next] = reached[here] + 1
      systems.push(next)
    }
  }
  return found.slice(0, DESTINATIONS_MAX)
}

/** Ticks that are left of a journey; 0 when its time is up. */
const ticksLeft = (view: WorldView, row: Row): number =>
  Math.max(0, view.read(Passenger).deadline[row] - view.tick)

/** True when the time of a journey is over. */
export const isExpired = (view: WorldView, row: Row): boolean =>
  view.tick > view.read(Passenger).deadline[row]

/** Credits that arriving now would earn besides the fare. */
export function speedBonus(view: WorldView, row: Row): number {
  const { fare, guarantee } = view.read(Passenger)
  return bonusOf(fare[row], ticksLeft(view, row), guarantee[row])
}

const systemIdOf = (view: WorldView, base: Row): string =>
  systemId(view, view.read(Poi).system[view.read(Base).poi[base]])

export function renderWho(view: WorldView, row: Row) {
  const { to } = view.read(Passenger)
  return {
    citizen_id: idOf(view, Passenger, row),
    name: nameOf(view, row),
    bio: bioOf(view, row),
    class: classOf(view, row),
    destination: baseId(view, to[row]),
    destination_name: baseName(view, to[row]),
    destination_system: systemIdOf(view, to[row]),
  }
}

/** Somebody on a journey. */
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

/** Ships that count for how busy a base is: those of pilots docked there. */
export const shipsDocked = (view: WorldView, base: Row): number =>
  playersDockedAt(view, base).length

/** Berths of a ship, all and free; undefined where it has none. */
export function renderBerths(view: WorldView, ship: Eid) {
  const totals = berthsOf(view, ship)
  if (totals.every((total) => total === 0)) return undefined
  const free = freeBerths(view, ship)
  const count = (of: number) => ({ total: totals[of], free: free[of] })
  return { economy: count(0), business: count(1), first: count(2) }
}

/** What a station has for visitors, by class of travel. O(facilities there). */
export function attractionsAt(view: WorldView, base: Row): readonly Attractions[] {
  const sums = CLASSES.map(() => ({ dining: 0, leisure: 0 }))
  for (const row of facilitiesAt(view, base)) {
    const { dining_points = 0, leisure_points = 0, level } = facilityTypeAt(view, row)
    if (dining_points + leisure_points === 0 || !isRunning(view, row)) continue
    for (const [travelClass, sum] of sums.entries()) {
      const fit = tierFitPct(travelClass, level)
      sum.dining += dining_points * fit
      sum.leisure += leisure_points * fit
    }
  }
  return sums
}
