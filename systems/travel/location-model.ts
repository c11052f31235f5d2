/** Where a player is: aboard, under way, docked or ashore; and refusals for being elsewhere. */
import { type Failure, fail } from '../../core/errors.ts'
import { counted, say } from '../../core/say.ts'
import { secondsOf } from '../../core/time.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { FleetRide } from '../fleet/state.ts'
import {
  DRIFTING,
  JUMPING,
  LOCATION_STATES,
  Location,
  type LocationState,
  Poi,
  TRAVELLING,
} from './state.ts'

export const shipOf = (view: WorldView, player: Eid): Eid => view.read(Player).ship[player]

/** Returns the ship a player is in: the one they fly, or that of their carrier; 0 ashore. */
export function vesselOf(view: WorldView, player: Eid): Eid {
  const { ship } = view.read(Player)
  return ship[player] || ship[view.read(FleetRide).carrier[player]]
}

export function locationState(view: WorldView, ship: Eid): LocationState {
  return LOCATION_STATES[view.read(Location).state[ship]]
}

export function isUnderWay(view: WorldView, ship: Eid): boolean {
  return view.read(Location).state[ship] >= TRAVELLING
}

export const isDrifting = (view: WorldView, ship: Eid): boolean =>
  view.read(Location).state[ship] === DRIFTING

/** Returns whether a ship jumps or drifts: there it can be neither reached nor seen. */
export const isBetweenSystems = (view: WorldView, ship: Eid): boolean =>
  view.read(Location).state[ship] >= JUMPING

/** Returns the place of the player; 0 under way. */
export const poiOf = (view: WorldView, player: Eid): Eid =>
  view.read(Location).poi[vesselOf(view, player)] ||
  view.read(Base).poi[view.read(FleetRide).base[player]]

/** Returns the system of the player; while jumping the one they left. */
export const systemOf = (view: WorldView, player: Eid): Eid =>
  view.read(Location).system[vesselOf(view, player)] ||
  view.read(Poi).system[view.read(Base).poi[view.read(FleetRide).base[player]]]

/** Returns the base where the player is docked or ashore; 0 none. */
export const dockedBase = (view: WorldView, player: Eid): Eid =>
  view.read(Location).base[vesselOf(view, player)] || view.read(FleetRide).base[player]

/** Refuses while the ship of a player is under way. Source: travel.md section 2. */
export function inTransit(view: WorldView, player: Eid): Failure<'in_transit'> | undefined {
  const ship = vesselOf(view, player)
  const { state, arriveTick } = view.read(Location)
  if (ship === 0 || state[ship] < TRAVELLING) return undefined
  const seconds = secondsOf(view, Math.max(1, arriveTick[ship] - view.tick))
  return fail(
    'in_transit',
    { seconds_until_arrival: seconds, arrival_tick: arriveTick[ship] },
    `The ship is under way and arrives in ${counted(seconds, 'second')}.`,
  )
}

/**
 * Refuses a query that needs a dock: not_docked, also under way, where mutations are refused
 * in_transit. Source: spec, States.
 */
export function notDocked(view: WorldView, player: Eid): Failure<'not_docked'> {
  const transit = inTransit(view, player)
  if (transit) {
    return fail('not_docked', transit.details, say`${transit.message} {dock} at a station there.`)
  }
  const base = view.read(Poi).base[poiOf(view, player)]
  if (base === 0) {
    const message = say`You are not docked, and there is no station here: {travel} to one, then {dock}.`
    return fail('not_docked', undefined, message)
  }
  const base_id = baseId(view, base)
  const base_name = baseName(view, base)
  const message = say`You are beside ${base_name}: {dock} first.`
  return fail('not_docked', { base_id, base_name }, message)
}

/** Refuses what `inTransit` does, except while the ship drifts. */
export const inTransitUnlessAdrift = (
  view: WorldView,
  player: Eid,
): Failure<'in_transit'> | undefined =>
  isDrifting(view, vesselOf(view, player)) ? undefined : inTransit(view, player)
