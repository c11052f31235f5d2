/** Letting people off: here, into another ship, into a lounge. Source: crafting.md section 9. */
import { type Failure, fail, ok } from '../../core/errors.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { facilityById, facilityId, facilityName } from '../facility/model.ts'
import { factionOf } from '../faction/model.ts'
import { logAction } from '../log/rules.ts'
import { activeShip, shipById, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase } from '../travel/drift-model.ts'
import { Location } from '../travel/state.ts'
import { putOff } from './arrival-rules.ts'
import { nameOf } from './fare-model.ts'
import { passengersOf } from './list-model.ts'
import {
  berthFor,
  extensionOf,
  freeBerths,
  isExpired,
  loungeOf,
  renderPassenger,
  seatsOf,
  speedBonus,
} from './model.ts'
import { board, checkIn } from './rules.ts'
import { Lounge, Passenger } from './state.ts'
import { passengerById } from './views.ts'

const EVERYBODY = 'all'
const LOUNGE = 'lounge'

const folded = (text: string): string => text.trim().toLowerCase()

/** Who is meant aboard: one by id or name, or all. Refusals: passenger_not_found, no_passengers. */
function meant(
  view: WorldView,
  ship: Eid,
  text: string,
): readonly Row[] | Failure<'no_passengers' | 'passenger_not_found'> {
  const rows = passengersOf(view, ship)
  if (folded(text) === EVERYBODY) {
    return rows.length > 0 ? rows : fail('no_passengers', undefined, 'Nobody is aboard.')
  }
  const byId = passengerById(view, text.trim())
  const found = rows.find((row) => row === byId || folded(nameOf(view, row)) === folded(text))
  return found === undefined ? fail('passenger_not_found', { name: text }) : [found]
}

/** A request as it was understood. */
interface Move {
  readonly player: Eid
  readonly rows: readonly Row[]
  /** Of all, those who cannot go are left out; of one it is a refusal. */
  readonly isBulk: boolean
}

/** The highest class first, each class by number. */
function byClass(view: WorldView, rows: readonly Row[]): Row[] {
  const { class: travelClass } = view.read(Passenger)
  return [...rows].sort((a, b) => travelClass[b] - travelClass[a])
}

/* Here */

function letOff(world: World, { player, rows, isBulk }: Move) {
  const base = dockedBase(world, player)
  const { fare } = world.read(Passenger)
  const [row] = rows
  const [name, base_fare, speed_bonus] = [nameOf(world, row), fare[row], speedBonus(world, row)]
  const {
    delivered,
    stranded,
    fare: fare_collected,
    reputation,
  } = putOff(world, player, rows, base)
  if (!isBulk) {
    const isThere = delivered.length === 1
    const message = isThere
      ? `${name} is where the ticket says, and has paid ${counted(fare_collected, 'credit')}.`
      : `${name} is not where the ticket says, and has paid nothing.`
    const paid = isThere ? { base_fare, speed_bonus } : {}
    return ok({
      kind: 'single' as const,
      name,
      message,
      fare_collected,
      delivered: isThere,
      ...paid,
    })
  }
  return ok({
    kind: 'all' as const,
    message: `${delivered.length} arrived, ${stranded.length} were put off on the way.`,
    fare_collected,
    delivered,
    stranded,
    ...(Object.keys(reputation).length === 0 ? {} : { reputation_changes: reputation }),
  })
}

/* Into another ship */

/** A ship beside this one, of the player or of a member of their faction; 0 for any other. */
function shipMeant(view: WorldView, player: Eid, text: string): Eid {
  const ship = shipById(view, text.trim())
  if (ship === 0 || ship === activeShip(view, player)) return 0
  if (view.read(Location).base[ship] !== dockedBase(view, player)) return 0
  const owner = view.read(Ship).owner[ship]
  if (owner === player) return ship
  const faction = factionOf(view, player)
  return owner !== 0 && faction !== 0 && factionOf(view, owner) === faction ? ship : 0
}

interface Sorted {
  readonly going: { readonly row: Row; readonly berth: number }[]
  expired: number
  full: number
}

function sortOut(view: WorldView, rows: readonly Row[], target: Eid): Sorted {
  const { class: travelClass } = view.read(Passenger)
  const free = freeBerths(view, target)
  const sorted: Sorted = { going: [], expired: 0, full: 0 }
  for (const row of byClass(view, rows)) {
    const berth = isExpired(view, row) ? -1 : berthFor(free, travelClass[row])
    if (isExpired(view, row)) sorted.expired++
    else if (berth < 0) sorted.full++
    else {
      free[berth]--
      sorted.going.push({ row, berth })
    }
  }
  return sorted
}

function transferTo(world: World, { player, rows }: Move, target: Eid) {
  const { going, expired, full } = sortOut(world, rows, target)
  if (going.length === 0) return fail(full > 0 ? 'no_berths' : 'passenger_expired')
  // fare, escrow and deadline go with them, and so does their place on the wheel
  for (const { row, berth } of going) board(world, row, target, berth)
  const name = shipName(world, target)
  const message = `${going.length} went over to ${name}.`
  const data = { ship_id: shipId(world, target), passengers: going.length }
  logAction(world, player, 'other', 'passenger.transferred', message, data)
  return ok({
    kind: 'transfer' as const,
    message,
    target_ship: shipId(world, target),
    target_ship_name: name,
    count: going.length,
    transferred: going.map(({ row }) => renderPassenger(world, row)),
    ...(expired === 0 ? {} : { skipped_expired: expired }),
    ...(full === 0 ? {} : { skipped_no_berth: full }),
  })
}

/* Into a lounge */

/** True for a text that names a lounge, or the one given. */
function namesLounge(view: WorldView, text: string, lounge: Row): boolean {
  const word = folded(text)
  if (word === LOUNGE || facilityById(view, text.trim()) !== 0) return true
  return lounge !== 0 && word === folded(facilityName(view, lounge))
}

/** The lounge of the faction here, if that is what the text names. Refusal: no_lounge. */
function loungeMeant(view: WorldView, text: string, lounge: Row): Row | Failure<'no_lounge'> {
  const word = folded(text)
  const isIt =
    lounge !== 0 &&
    [LOUNGE, folded(facilityName(view, lounge)), facilityId(view, lounge)].includes(word)
  return isIt ? lounge : fail('no_lounge', { target: text })
}

function seatIn(world: World, { player, rows }: Move, lounge: Row) {
  const capacity = seatsOf(world, lounge)
  const room = Math.max(0, capacity - world.read(Lounge).count[lounge])
  const fit = byClass(world, rows).filter((row) => !isExpired(world, row))
  const going = fit.slice(0, room)
  if (fit.length === 0) return fail('passenger_expired')
  if (going.length === 0) return fail('lounge_full', { capacity })
  for (const row of going) checkIn(world, row, lounge)
  const name = facilityName(world, lounge)
  const message = `${going.length} took a seat in ${name}.`
  logAction(world, player, 'other', 'passenger.lounge', message, { passengers: going.length })
  const [expired, full] = [rows.length - fit.length, fit.length - going.length]
  const ticks = extensionOf(world, lounge)
  return ok({
    kind: 'lounge_checkin' as const,
    message,
    lounge: name,
    capacity,
    occupancy: world.read(Lounge).count[lounge],
    count: going.length,
    checked_in: going.map((row) => renderPassenger(world, row)),
    ...(ticks === 0 ? {} : { deadline_bonus_ticks: ticks }),
    ...(expired === 0 ? {} : { skipped_expired: expired }),
    ...(full === 0 ? {} : { skipped_full: full }),
  })
}

/**
 * Lets passengers off where the ship is docked, or hands them over. Refusals: passenger_not_found,
 * no_passengers, ship_not_found, no_lounge, no_berths, lounge_full, passenger_expired.
 */
export function unload(
  world: World,
  player: Eid,
  { name, target }: { readonly name: string; readonly target?: string },
) {
  const rows = meant(world, activeShip(world, player), name)
  if ('code' in rows) return rows
  const move: Move = { player, rows, isBulk: folded(name) === EVERYBODY }
  if (target === undefined) return letOff(world, move)
  const lounge = loungeOf(world, player, dockedBase(world, player))
  if (namesLounge(world, target, lounge)) {
    const room = loungeMeant(world, target, lounge)
    return typeof room === 'number' ? seatIn(world, move, room) : room
  }
  const ship = shipMeant(world, player, target)
  return ship === 0 ? fail('ship_not_found', { target }) : transferTo(world, move, ship)
}
