/**
 * Passengers: people who wait at a base, sit in a lounge or travel in a berth. Each is in one
 * list: that of the base, the lounge or the ship. Who they are follows from their number.
 */
import { defineComponent, defineEntity, i8, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS, ROWS_MIN } from '../../core/limits.ts'
import { bools, ints, named, opt, type Static, strings } from '../../core/params.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/state.ts'
import { Facility } from '../facility/state.ts'
import { Ship } from '../ship/state.ts'

/** People waiting at one base. */
export const PASSENGERS_WAITING_MAX = 200
/**
 * People of one base who wait or travel. ours: a ship that takes hundreds aboard and brings them
 * nowhere empties one base, not the world.
 */
export const PASSENGERS_OF_BASE_MAX = 400
/** People taken aboard by one command. */
export const PASSENGERS_LOADED_MAX = 100
/** Bases that the people of a base travel to: the nearest. */
export const DESTINATIONS_MAX = 24
/** Jumps to the farthest of them. */
export const DESTINATION_JUMPS_MAX = 15
/** Ticks before the end of a journey at which a faction is notified of guests in its lounge. */
export const LOUNGE_WARNING_TICKS = 60
/** Parts in which ships serve their passengers, one a tick. Source: crafting.md section 9. */
export const SERVICE_TICKS = 30

/** Outcome of the journeys of those who left a ship. */
export interface Arrivals {
  readonly delivered: PassengerSeen[]
  readonly stranded: PassengerSeen[]
  fare: number
  /** Points of standing by empire id. */
  reputation: Record<string, number>
}

/** Arrivals of the pilots who docked in this tick, for their briefings. */
export const ARRIVED_NOW = defineIndex('passenger.arrivals', () => ({
  tick: -1,
  byPilot: new Map<Eid, Arrivals>(),
}))

/** Classes of travel and of berths, the cheapest first. */
export const CLASSES = ['economy', 'business', 'first'] as const
export type TravelClass = (typeof CLASSES)[number]
export const FIRST_CLASS = 2

/** Values of `state`. */
export const WAITING = 0
export const ABOARD = 1
export const IN_LOUNGE = 2

export const Passenger = defineEntity(
  'passenger',
  ROWS.passengers,
  {
    home: ref('base', 'whose citizen it is, and whose pool pays'),
    from: ref('base', 'where it waits, or began the journey that is paid for'),
    to: ref('base', 'where it wants to be'),
    jumps: u16('of the shortest way between the two'),
    class: u8('index into CLASSES'),
    state: u8('0 waits at `from`, 1 aboard `ship`, 2 in `lounge`'),
    sinceTick: u32('tick from which it waits'),
    next: ref('passenger', 'next of the list it is in'),
    ship: ref('ship', 'that it is aboard of; 0 none'),
    lounge: ref('facility', 'that it sits in; 0 none'),
    berth: u8('aboard: class of its berth, index into CLASSES'),
    fare: u32('credits, agreed at boarding; half as much again is in escrow'),
    guarantee: u32('ticks that the journey may take'),
    deadline: u32('tick by which it must be there'),
    dueTick: u32('tick in which the wheel looks at it; 0 while it waits'),
    extended: u8('1 once a lounge has given it more time'),
    stops: u8('docks on the way at which it went ashore'),
    spent: u32('credits it has left in the ship’s saloon'),
  },
  { rowsMin: ROWS_MIN.passengers },
)

/** The travellers of a base. */
export const Terminal = defineComponent(Base, 'terminal', {
  escrow: ref('account', 'fares of its citizens who travel; 0 before the first'),
  first: ref('passenger', 'who has waited longest'),
  last: ref('passenger', 'who came last'),
  waiting: u16('people in that list'),
  abroad: u16('its citizens who wait anywhere or travel'),
  surge: i8('fares above the usual, percent: -40 to 100'),
  trips: i8('wish to travel above the usual, percent: -50 to 100'),
})

/** The passengers of a ship. */
export const Cabin = defineComponent(Ship, 'cabin', {
  first: ref('passenger', 'who came aboard last'),
  count: u16('people'),
})

/** The guests of a lounge. */
export const Lounge = defineComponent(Facility, 'lounge', {
  first: ref('passenger', 'who came in last'),
  count: u16('people'),
  warnedTick: u32('tick in which its faction was last warned; 0 = never'),
})

/* The wheel */

/** Rows by tick; an entry whose row is due at another tick by now is passed over. */
export const WHEEL = defineIndex('passenger.due', () => new Map<number, Row[]>())
/** Ships with passengers. */
export const CARRIERS = defineIndex('passenger.carriers', () => new Set<Eid>())

export const passengerSchema = named('Passenger', {
  ...strings('citizen_id', 'name', 'bio', 'class', 'destination', 'destination_name'),
  ...ints('base_fare', 'ticks_remaining'),
  ...opt(strings('berth_class', 'destination_system')),
  ...opt(ints('speed_bonus')),
  ...opt(bools('connecting')),
})

export type PassengerSeen = Static<typeof passengerSchema>
