/**
 * Passengers: people who wait at a base, sit in a lounge or travel in a berth. Each is in one list:
 * that of the base, the lounge or the ship. Names, bios and tastes are derived from their numbers.
 */
import { defineComponent, defineEntity, i8, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS, ROWS_MIN } from '../../core/limits.ts'
import { bools, ints, named, opt, type Static, strings } from '../../core/params.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/state.ts'
import { Facility } from '../facility/state.ts'
import { Ship } from '../ship/state.ts'

/** Limit of people waiting at one base. */
export const PASSENGERS_WAITING_MAX = 200
/**
 * Limit of citizens of one base who wait or travel. ours: a ship that boards hundreds of them and
 * takes them nowhere then affects one base, not the whole world.
 */
export const PASSENGERS_OF_BASE_MAX = 400
/** Limit of people boarded by one command. */
export const PASSENGERS_LOADED_MAX = 100
/** Limit of bases that the people of a base travel to; the nearest ones are taken. */
export const DESTINATIONS_MAX = 24
/** Limit of jumps to such a base. */
export const DESTINATION_JUMPS_MAX = 15
/** Ticks before the end of a journey at which a faction is notified of guests in its lounge. */
export const LOUNGE_WARNING_TICKS = 60
/** Ticks between two services aboard a ship; its number decides when. Source: crafting.md 9. */
export const SERVICE_TICKS = 30

/** Outcome of the journeys of passengers who left a ship together. */
export interface Arrivals {
  readonly delivered: PassengerSeen[]
  readonly stranded: PassengerSeen[]
  fare: number
  /** Change of standing by empire id, points. */
  reputation: Record<string, number>
}

/** Arrivals aboard the ships of pilots who docked in this tick, for their briefings. */
export const ARRIVED_NOW = defineIndex('passenger.arrivals', () => ({
  tick: -1,
  byPilot: new Map<Eid, Arrivals>(),
}))

/** Classes of travel and of berths, cheapest first. */
export const CLASSES = ['economy', 'business', 'first'] as const
export type TravelClass = (typeof CLASSES)[number]
/** Index into CLASSES of first class. */
export const FIRST_CLASS = 2

/** Values of the column `state`. */
export const WAITING = 0
export const ABOARD = 1
export const IN_LOUNGE = 2

/** A passenger. */
export const Passenger = defineEntity(
  'passenger',
  ROWS.passengers,
  {
    home: ref('base', 'base whose citizen the passenger is, and whose pool pays'),
    from: ref('base', 'where they wait, or began the journey that is paid for'),
    to: ref('base', 'destination'),
    jumps: u16('jumps on the shortest route between the two'),
    class: u8('class of travel: index into CLASSES'),
    state: u8('0 waits at `from`, 1 aboard `ship`, 2 in `lounge`'),
    sinceTick: u32('tick since which they have waited'),
    next: ref('passenger', 'next passenger in the same list'),
    ship: ref('ship', 'ship that they are aboard; 0 = none'),
    lounge: ref('facility', 'lounge that they sit in; 0 = none'),
    berth: u8('aboard: class of the berth, index into CLASSES'),
    fare: u32('fare agreed at boarding, credits; one and a half times as much is in escrow'),
    guarantee: u32('ticks that the journey may take'),
    deadline: u32('last tick for arriving in time'),
    dueTick: u32('tick of the next check by the wheel; 0 while they wait'),
    extended: u8('1 once a lounge has extended the deadline'),
    stops: u8('stops on the way at which they visited the station'),
    spent: u32('credits spent on meals and in the saloon aboard'),
  },
  { rowsMin: ROWS_MIN.passengers },
)

/** The travellers of a base, and its travel market. */
export const Terminal = defineComponent(Base, 'terminal', {
  escrow: ref('account', 'fares of its citizens who travel; 0 before the first'),
  first: ref('passenger', 'head of the queue: has waited longest'),
  last: ref('passenger', 'tail of the queue: came last'),
  waiting: u16('people in the queue'),
  abroad: u16('its citizens who wait or travel, anywhere'),
  surge: i8('fares above normal, percent: -40 to 100'),
  trips: i8('demand for travel above normal, percent: -50 to 100'),
})

/** The passengers of a ship. */
export const Cabin = defineComponent(Ship, 'cabin', {
  first: ref('passenger', 'head of the list: boarded last'),
  count: u16('passengers aboard'),
})

/** The guests of a lounge. */
export const Lounge = defineComponent(Facility, 'lounge', {
  first: ref('passenger', 'head of the list: checked in last'),
  count: u16('guests'),
  warnedTick: u32('tick in which its faction was last warned; 0 = never'),
})

/* The wheel */

/** Passengers by due tick; entries of passengers who were rescheduled since then are skipped. */
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
