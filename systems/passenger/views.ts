/** Wire forms of passengers. Source: contract. */
import { EMPIRES } from '../../core/catalog/index.ts'
import { rowOfId } from '../../core/entity.ts'
import type { Static } from '../../core/params.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseName, empireOfBase } from '../base/model.ts'
import { facilityName } from '../facility/model.ts'
import { fareOf, isShortOfShips, remoteFarePct, surgeAfter } from './fare-model.ts'
import { guestsOf, passengersOf, waitingAt } from './list-model.ts'
import {
  cabinStat,
  renderBerths,
  renderPassenger,
  renderWho,
  rivalsDocked,
  seatsOf,
} from './model.ts'
import type { aboardSchema, loungeSchema, stationSchema, waitingSchema } from './schemas.ts'
import { Passenger, SERVICE_TICKS, Terminal } from './state.ts'

/** Returns the passenger with a wire id; 0 if there is none. */
export const passengerById = (view: WorldView, id: string): Row => rowOfId(view, Passenger, id)

/** Returns the fares at a base by its market, percent of normal. */
const surgePctOf = (view: WorldView, base: Row): number => 100 + view.read(Terminal).surge[base]

/**
 * Returns the credits that a waiting passenger would pay if they boarded after this many others;
 * `rivals`: see `rivalsDocked`.
 */
export function fareNow(view: WorldView, row: Row, rivals: number, boarded = 0): number {
  const { jumps, class: classIndex, from } = view.read(Passenger)
  return fareOf({
    jumps: jumps[row],
    classIndex: classIndex[row],
    remoteFarePct: remoteFarePct(rivals),
    surgePct: surgeAfter(surgePctOf(view, from[row]), boarded),
  })
}

function renderWaiting(view: WorldView, row: Row, rivals: number): Static<typeof waitingSchema> {
  const empire = empireOfBase(view, view.read(Passenger).home[row])
  return {
    ...renderWho(view, row),
    citizenship: empire < 0 ? 'independent' : EMPIRES[empire].id,
    estimated_fare: fareNow(view, row, rivals),
  }
}

function renderLounge(view: WorldView, lounge: Row): Static<typeof loungeSchema> {
  const guests = guestsOf(view, lounge)
  return {
    lounge: facilityName(view, lounge),
    capacity: seatsOf(view, lounge),
    occupancy: guests.length,
    passengers: guests.map((row) => renderPassenger(view, row)),
  }
}

const DEMAND = [
  { from: 160, level: 'desperate', text: 'People pay almost anything to leave.' },
  { from: 120, level: 'high', text: 'More people want to leave than ships can take.' },
  { from: 90, level: 'normal', text: 'There are about as many ships as people need.' },
  { from: 0, level: 'low', text: 'Ships leave half empty; fares are low.' },
] as const

/** Renders the terminal of a base; `lounge` is that of the viewer's faction, 0 if it has none. */
export function renderTerminal(
  view: WorldView,
  base: Row,
  lounge: Row,
): Static<typeof stationSchema> {
  const rows = waitingAt(view, base)
  const surge = surgePctOf(view, base)
  const { level, text } = DEMAND.find(({ from }) => surge >= from) ?? DEMAND[DEMAND.length - 1]
  const longest = rows.length === 0 ? 0 : view.tick - view.read(Passenger).sinceTick[rows[0]]
  const trend = isShortOfShips(rows.length, longest) ? 'Fares are rising.' : 'Fares are falling.'
  const rivals = rivalsDocked(view, base)
  return {
    station: baseName(view, base),
    demand_level: level,
    market_conditions: `${text} ${trend}`,
    fare_surge: surge / 100,
    count: rows.length,
    waiting: rows.map((row) => renderWaiting(view, row, rivals)),
    ...(lounge === 0 ? {} : { transit_lounge: renderLounge(view, lounge) }),
  }
}

/** Describes what passengers spend on meals and in the saloon of a ship. */
function onboardService(view: WorldView, ship: Eid): string {
  const dining = cabinStat(view, ship, 'dining_points')
  const leisure = cabinStat(view, ship, 'leisure_points')
  if (dining + leisure === 0) return 'No galley and no saloon: passengers spend nothing aboard.'
  return (
    `Dining ${dining}, leisure ${leisure}: every ${SERVICE_TICKS} ticks in space ` +
    `(${HOUR_TICKS / SERVICE_TICKS} times an hour) each passenger consumes a dish or a drink, ` +
    'and a drink or spirits, from your hold and pays you for them, up to the fare.'
  )
}

/** Renders the passengers of a ship, and its berths. */
export function renderAboard(view: WorldView, ship: Eid): Static<typeof aboardSchema> {
  const rows = passengersOf(view, ship)
  const berths = renderBerths(view, ship)
  return {
    count: rows.length,
    passengers: rows.map((row) => renderPassenger(view, row)),
    ...(berths ? { berths, onboard_service: onboardService(view, ship) } : {}),
  }
}
