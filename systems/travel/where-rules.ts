/** Where a player is: aboard, under way, docked; and the refusals of those who are elsewhere. */
import { type Failure, fail } from '../../core/errors.ts'
import { divCeil } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Base } from '../base/columns.ts'
import { baseId, baseName } from '../base/rules.ts'
import { Ride } from '../fleet/columns.ts'
import {
  DRIFTING,
  JUMPING,
  LOCATION_STATES,
  Location,
  type LocationState,
  Poi,
  TRAVELLING,
} from './columns.ts'

export const shipOf = (view: WorldView, player: Eid): Eid => view.read(Player).ship[player]

/** The ship a player is in: the one flown, or that of who carries him; 0 ashore. */
export function vesselOf(view: WorldView, player: Eid): Eid {
  const { ship } = view.read(Player)
  return ship[player] || ship[view.read(Ride).carrier[player]]
}

export function locationState(view: WorldView, ship: Eid): LocationState {
  return LOCATION_STATES[view.read(Location).state[ship]]
}

export function isUnderWay(view: WorldView, ship: Eid): boolean {
  return view.read(Location).state[ship] >= TRAVELLING
}

export const isDrifting = (view: WorldView, ship: Eid): boolean =>
  view.read(Location).state[ship] === DRIFTING

/** In no system: a jump, or adrift. Nobody there can be reached or seen. */
export const isBetweenSystems = (view: WorldView, ship: Eid): boolean =>
  view.read(Location).state[ship] >= JUMPING

/** Place of the player; 0 under way. */
export const poiOf = (view: WorldView, player: Eid): Eid =>
  view.read(Location).poi[vesselOf(view, player)] ||
  view.read(Base).poi[view.read(Ride).base[player]]

/** System of the player; while jumping the one he left. */
export const systemOf = (view: WorldView, player: Eid): Eid =>
  view.read(Location).system[vesselOf(view, player)] ||
  view.read(Poi).system[view.read(Base).poi[view.read(Ride).base[player]]]

/** Base the player is docked or ashore at; 0 none. */
export const dockedBase = (view: WorldView, player: Eid): Eid =>
  view.read(Location).base[vesselOf(view, player)] || view.read(Ride).base[player]

/**
 * The refusal of whatever needs a place, while the ship is under way. Source: travel.md section 2.
 */
export function inTransit(view: WorldView, player: Eid): Failure | undefined {
  const ship = vesselOf(view, player)
  const at = view.read(Location)
  if (ship === 0 || at.state[ship] < TRAVELLING) return undefined
  const ticks = Math.max(1, at.arriveTick[ship] - view.tick)
  const seconds = divCeil(ticks * view.tickMs, 1000)
  return fail(
    'in_transit',
    { seconds_until_arrival: seconds, arrival_tick: at.arriveTick[ship] },
    `The ship is under way and arrives in ${counted(seconds, 'second')}.`,
  )
}

/**
 * The refusal of a look that needs a dock: under way too, where mutations alone are in_transit.
 * Source: spec, States.
 */
export function notDocked(view: WorldView, player: Eid): Failure {
  const under = inTransit(view, player)
  if (under) return fail('not_docked', under.details, `${under.message} Dock at a station there.`)
  const base = view.read(Poi).base[poiOf(view, player)]
  if (base === 0) {
    const said = 'You are not docked, and there is no station here: travel to one, then dock.'
    return fail('not_docked', undefined, said)
  }
  const [base_id, base_name] = [baseId(view, base), baseName(view, base)]
  return fail(
    'not_docked',
    { base_id, base_name },
    `You are beside ${base_name}: dock there first.`,
  )
}

/** As `inTransit`, which a ship adrift is not for what its pilot may do there. */
export const inTransitUnlessAdrift = (view: WorldView, player: Eid): Failure | undefined =>
  isDrifting(view, vesselOf(view, player)) ? undefined : inTransit(view, player)
