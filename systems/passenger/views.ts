/** Wire forms of passengers. Source: contract. */
import { EMPIRES } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import type { Static } from '../../core/params.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { baseId, baseName, empireOfBase } from '../base/rules.ts'
import { facilityName, facilityTypeAt } from '../facility/rules.ts'
import { Poi } from '../travel/columns.ts'
import { playersDockedAt, systemId } from '../travel/rules.ts'
import { berthsOf, cabinFigure, freeBerths } from './berth-rules.ts'
import { ABOARD, CLASSES, IN_LOUNGE, Passenger, Terminal } from './columns.ts'
import { bonusOf, fareOf, isWanting, remotePct } from './fare-rules.ts'
import { guestsOf, passengersOf, waitingAt } from './list-rules.ts'
import { bioOf, classOf, nameOf } from './people.ts'
import type {
  aboardSchema,
  loungeSchema,
  passengerSchema,
  stationSchema,
  waitingSchema,
} from './schemas.ts'

export type PassengerSeen = Static<typeof passengerSchema>

/** The passenger of a wire id; 0 none. */
export const passengerById = (view: WorldView, id: string): Row => rowOfId(view, Passenger, id)

/** Ticks that are left of a journey; 0 when its time is up. */
export const ticksLeft = (view: WorldView, row: Row): number =>
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

function renderWho(view: WorldView, row: Row) {
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

/** Percent of the usual fare that is asked at a base now. */
export const surgePctOf = (view: WorldView, base: Row): number =>
  100 + view.read(Terminal).surge[base]

/** Credits that a waiting passenger would pay who boards now. */
export function fareNow(view: WorldView, row: Row, ships: number): number {
  const { jumps, class: travelClass, from } = view.read(Passenger)
  return fareOf({
    jumps: jumps[row],
    travelClass: travelClass[row],
    remotePct: remotePct(ships),
    surgePct: surgePctOf(view, from[row]),
  })
}

/** Ships that count for how busy a base is: those of pilots docked there. */
export const shipsDocked = (view: WorldView, base: Row): number =>
  playersDockedAt(view, base).length

function renderWaiting(view: WorldView, row: Row, ships: number): Static<typeof waitingSchema> {
  const empire = empireOfBase(view, view.read(Passenger).home[row])
  return {
    ...renderWho(view, row),
    citizenship: empire < 0 ? 'independent' : EMPIRES[empire].id,
    estimated_fare: fareNow(view, row, ships),
  }
}

/** A lounge with its guests; `undefined` where there is none: 0. */
export function renderLounge(view: WorldView, lounge: Row): Static<typeof loungeSchema> {
  const guests = guestsOf(view, lounge)
  return {
    lounge: facilityName(view, lounge),
    capacity: facilityTypeAt(view, lounge).capacity ?? 0,
    occupancy: guests.length,
    passengers: guests.map((row) => renderPassenger(view, row)),
  }
}

const DEMAND = [
  { from: 160, word: 'desperate', said: 'People pay almost anything to leave.' },
  { from: 120, word: 'high', said: 'More want to leave than ships take along.' },
  { from: 90, word: 'normal', said: 'Ships come and go about as they are needed.' },
  { from: 0, word: 'low', said: 'Ships go half empty; fares are low.' },
] as const

/** The terminal of a base; `lounge` is that of the viewer's faction, 0 none. */
export function renderTerminal(
  view: WorldView,
  base: Row,
  lounge: Row,
): Static<typeof stationSchema> {
  const rows = waitingAt(view, base)
  const surge = surgePctOf(view, base)
  const { word, said } = DEMAND.find(({ from }) => surge >= from) ?? DEMAND[DEMAND.length - 1]
  const longest = rows.length === 0 ? 0 : view.tick - view.read(Passenger).sinceTick[rows[0]]
  const tends = isWanting(rows.length, longest) ? 'Fares are rising.' : 'Fares are falling.'
  const ships = shipsDocked(view, base)
  return {
    station: baseName(view, base),
    demand_level: word,
    market_conditions: `${said} ${tends}`,
    fare_surge: surge / 100,
    count: rows.length,
    waiting: rows.map((row) => renderWaiting(view, row, ships)),
    ...(lounge === 0 ? {} : { transit_lounge: renderLounge(view, lounge) }),
  }
}

/** Berths of a ship, all and free; undefined where it has none. */
export function renderBerths(view: WorldView, ship: Eid) {
  const totals = berthsOf(view, ship)
  if (totals.every((total) => total === 0)) return undefined
  const free = freeBerths(view, ship)
  const count = (of: number) => ({ total: totals[of], free: free[of] })
  return { economy: count(0), business: count(1), first: count(2) }
}

/** What a ship has to offer on the way. */
function onboardService(view: WorldView, ship: Eid): string {
  const dining = cabinFigure(view, ship, 'dining_points')
  const leisure = cabinFigure(view, ship, 'leisure_points')
  if (dining + leisure === 0) return 'No galley and no saloon: passengers spend nothing aboard.'
  return (
    `Dining ${dining}, leisure ${leisure}: every 30 ticks in space a passenger takes a dish or a ` +
    `drink, and a drink or spirits, out of the hold, and pays for them; ${HOUR_TICKS / 30} times ` +
    'an hour, up to the fare.'
  )
}

/** Those aboard of a ship. */
export function renderAboard(view: WorldView, ship: Eid): Static<typeof aboardSchema> {
  const rows = passengersOf(view, ship)
  const berths = renderBerths(view, ship)
  return {
    count: rows.length,
    passengers: rows.map((row) => renderPassenger(view, row)),
    ...(berths ? { berths, onboard_service: onboardService(view, ship) } : {}),
  }
}
