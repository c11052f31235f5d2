/**
 * Transit lounges: rooms of a faction where passengers wait for another of its ships. Source:
 * crafting.md section 9.
 */
import { LOUNGE_WARNING_TICKS, PASSENGERS_WAITING_MAX } from '../../core/limits-passenger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { baseId, baseName } from '../base/rules.ts'
import { Facility, OF_FACTION } from '../facility/columns.ts'
import { activeFacility, facilityName, facilityTypeAt } from '../facility/rules.ts'
import { Faction } from '../faction/columns.ts'
import { tellFaction } from '../faction/news-rules.ts'
import { factionOf } from '../faction/rules.ts'
import { Poi } from '../travel/columns.ts'
import { routeBetween } from '../travel/rules.ts'
import { Lounge, Passenger, Terminal } from './columns.ts'
import { expectAt, guestsOf, queueAnew, refund, seat, vanish } from './list-rules.ts'

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

/** Has the wheel look at a guest: first to warn his hosts, then at the end of his time. */
function expectGuest(world: World, row: Row): void {
  const deadline = world.read(Passenger).deadline[row]
  const warn = Math.max(world.tick + 1, deadline - LOUNGE_WARNING_TICKS)
  expectAt(world, row, warn < deadline ? warn : Math.max(world.tick, deadline) + 1)
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
  expectGuest(world, row)
}

const systemRowOf = (view: WorldView, base: Row): Eid =>
  view.read(Poi).system[view.read(Base).poi[base]]

/** A guest has had enough: he pays nothing, and looks for another ship like anybody else. */
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

/** Guests run out of time: their hosts hear of it, at most once in so many ticks. */
function warn(world: World, lounge: Row): void {
  const { warnedTick } = world.write(Lounge)
  const { ownerKind, faction, base } = world.read(Facility)
  const last = warnedTick[lounge]
  if (last !== 0 && world.tick - last < LOUNGE_WARNING_TICKS) return
  warnedTick[lounge] = world.tick
  if (ownerKind[lounge] !== OF_FACTION) return
  const place = baseName(world, base[lounge])
  tellFaction(world, faction[lounge], {
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
  expectAt(world, row, deadline[row] + 1)
}
