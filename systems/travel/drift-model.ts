/**
 * Drifting: a ship with a pathfinder drive leaves the lanes on a bearing and flies straight until
 * it comes near a system, which is worked out when the bearing is plotted. Source: travel.md
 * section 4; what a pilot adrift may do: section 2.
 */
import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { clamp, divCeil, isqrt, toSafe } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import { secondsOf } from '../../core/time.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { FleetRide } from '../fleet/state.ts'
import { Tow } from '../salvage/state.ts'
import { hasSpecial } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { BEARINGS, directionOf, UNIT } from './bearings-model.ts'
import {
  DRIFTING,
  DRIFTS,
  type Drift,
  JUMPING,
  LOCATION_STATES,
  Location,
  type LocationState,
  Poi,
  StarSystem,
  TRAVELLING,
} from './state.ts'

const MILLI = 1_000
/** GU a tick for each AU a tick of the hull. */
const GU_PER_SPEED = 5
/** A system this near the line ends the drift, GU. */
const REACH_GU = 25
/** Without a system in its way the ship falls back to where it set out. */
const DRIFT_TICKS_MAX = 4_320
/** Fuel of a plot, in jumps. */
const PLOT_JUMPS = 5

const driftOf = (view: WorldView, ship: Eid): Readonly<Drift> => {
  const drift = view.records(DRIFTS).get(String(view.read(Ship).seq[ship]))
  assert(drift, `ship ${ship} drifts nowhere`)
  return drift
}

/** Where a drifting ship is, milli-GU, and its bearing in tenths of a degree. */
export function driftPosition(
  view: WorldView,
  ship: Eid,
): { x: number; y: number; bearing: number } {
  const { x, y, wayX, wayY, bearing } = driftOf(view, ship)
  const elapsed = view.tick - view.read(Location).departTick[ship]
  return { x: x + wayX * elapsed, y: y + wayY * elapsed, bearing }
}

interface Ray {
  /** Where it begins, milli-GU. */
  readonly x: number
  readonly y: number
  readonly bearing: number
  /** The system a first plot leaves: passed over within REACH_GU; 0 none. */
  readonly origin: Eid
}

/** Finds the nearest system along a ray, and the distance to it in milli-GU times UNIT. */
export function castRay(view: WorldView, ray: Ray): { system: Eid; way: number } | undefined {
  const { alive, x, y } = view.read(StarSystem)
  const to = directionOf(ray.bearing)
  const reach = REACH_GU * MILLI * UNIT
  let nearest: { system: Eid; way: number } | undefined
  for (let system = 1; system <= view.highOf(StarSystem); system++) {
    if (alive[system] === 0) continue
    const dx = x[system] * MILLI - ray.x
    const dy = y[system] * MILLI - ray.y
    const way = dx * to.x + dy * to.y
    if (way <= 0 || Math.abs(dx * to.y - dy * to.x) > reach) continue
    if (system === ray.origin && way < reach) continue
    // rows ascend by number, so the lower one wins a tie
    if (!nearest || way < nearest.way) nearest = { system, way }
  }
  return nearest
}

export interface Plot {
  readonly fuel: number
  readonly ticks: number
  /** The system in whose entry place the ship drops out. */
  readonly system: Eid
  readonly drift: Drift
}

/** Parses degrees; returns tenths of a degree, 0 … 3,599. */
function parseBearing(text: string): number | undefined {
  const degrees = Number(text)
  if (!Number.isFinite(degrees)) return undefined
  const tenths = Math.round((degrees % 360) * 10) % BEARINGS
  return tenths < 0 ? tenths + BEARINGS : tenths + 0
}

/** Plots a drift on a bearing. Refusals: no_pathfinder_drive, invalid_bearing. */
export function plotDrift(
  view: WorldView,
  player: Eid,
  text: string,
): Plot | Failure<'invalid_bearing' | 'no_pathfinder_drive'> {
  const ship = shipOf(view, player)
  if (!hasSpecial(view, ship, 'pathfinder_drive')) return fail('no_pathfinder_drive')
  const bearing = parseBearing(text)
  if (bearing === undefined) return fail('invalid_bearing')
  const from = view.read(Location).system[ship]
  const isReplot = isDrifting(view, ship)
  const { x, y } = view.read(StarSystem)
  const start = isReplot ? driftPosition(view, ship) : { x: x[from] * MILLI, y: y[from] * MILLI }
  const flight = flightOf(view, ship)
  const speed = towingSpeed(flight) * GU_PER_SPEED * MILLI
  const hit = castRay(view, { x: start.x, y: start.y, bearing, origin: isReplot ? 0 : from })
  const ticks = hit ? Math.max(1, divCeil(hit.way, speed * UNIT)) : DRIFT_TICKS_MAX
  const isInReach = hit !== undefined && ticks <= DRIFT_TICKS_MAX
  const to = directionOf(bearing)
  return {
    fuel: PLOT_JUMPS * fuelPerJump(flight),
    ticks: isInReach ? ticks : DRIFT_TICKS_MAX,
    system: isInReach ? hit.system : from,
    drift: {
      x: start.x,
      y: start.y,
      wayX: Math.trunc((to.x * speed) / UNIT) + 0,
      wayY: Math.trunc((to.y * speed) / UNIT) + 0,
      bearing,
    },
  }
}

/* The arithmetic of flight: pure integer functions. Source: travel.md sections 3, 4. */

/** Figures that the cost of a flight depends on. */
export interface Flight {
  /** AU a tick, 1-8. */
  readonly speed: number
  /** 1-5. */
  readonly scale: number
  /** Sum of the modules' fuel efficiency, %; positive saves. */
  readonly fuelEfficiencyPct: number
  /** Skill level. */
  readonly navigation: number
  /** Loss of speed by something in tow, %; it costs no fuel. */
  readonly towPct: number
}

/** scale^1.5 in millionths. */
const SCALE_MILLIONTHS = [1_000_000, 2_828_427, 5_196_152, 8_000_000, 11_180_340] as const
const SPEED_MILLI_AU_MIN = 250
const JUMP_TICKS_BASE = 7

export function flightOf(view: WorldView, ship: Eid): Flight {
  const { speed, scale, fuelEfficiencyPct, owner } = view.read(Ship)
  return {
    speed: speed[ship],
    scale: scale[ship],
    fuelEfficiencyPct: fuelEfficiencyPct[ship],
    navigation: owner[ship] === 0 ? 0 : levelOf(view, owner[ship], 'navigation'),
    towPct: view.read(Tow).pct[ship],
  }
}

/** Fuel in percent of the usual, by modules. */
const moduleFuelPct = (flight: Flight): number =>
  Math.min(300, 100 - Math.min(80, flight.fuelEfficiencyPct))

/** Time and fuel in percent of the usual, by navigation. */
const navigationPct = (flight: Flight): number => 100 - Math.min(50, flight.navigation)

/** ceil(product / divisor), at least 1. */
function ceilOf(factors: readonly number[], divisor: bigint): number {
  let product = 1n
  for (const factor of factors) {
    assert(factor >= 0, 'a factor of fuel is negative')
    product *= BigInt(factor)
  }
  return Math.max(1, toSafe((product + divisor - 1n) / divisor))
}

/** milli-AU between two points in milli-AU, rounded down. */
export function distanceMilliAu(x1: number, y1: number, x2: number, y2: number): number {
  const dx = x1 - x2
  const dy = y1 - y2
  return isqrt(dx * dx + dy * dy)
}

/** Ticks of a flight over a distance in milli-AU, at least 1. */
export function travelTicks(flight: Flight, distance: number): number {
  const speed = Math.trunc((flight.speed * 1000 * (100 - flight.towPct)) / 100)
  const milliAuPerTick = Math.max(SPEED_MILLI_AU_MIN, speed)
  return Math.max(1, divCeil(distance, milliAuPerTick))
}

/** Fuel of a flight over a distance in milli-AU, at least 1. */
export function fuelToTravel(flight: Flight, distance: number): number {
  const scale = SCALE_MILLIONTHS[clamp(flight.scale, 1, 5) - 1]
  const factors = [scale, flight.speed, distance, 7, moduleFuelPct(flight), navigationPct(flight)]
  return ceilOf(factors, 1_000_000_000_000_000n)
}

/** AU a tick with what is in tow, at least 1. Source: salvage.md section 4. */
const towingSpeed = (flight: Flight): number =>
  Math.max(1, Math.trunc((flight.speed * (100 - flight.towPct)) / 100))

/** Ticks of a jump, at least 1. */
export function jumpTicks(flight: Flight): number {
  const ticks = Math.max(1, JUMP_TICKS_BASE - towingSpeed(flight))
  return Math.max(1, divCeil(ticks * navigationPct(flight), 100))
}

/** Fuel of a jump, at least 1; navigation counts twice. */
export function fuelPerJump(flight: Flight): number {
  const scale = SCALE_MILLIONTHS[clamp(flight.scale, 1, 5) - 1]
  const navigation = navigationPct(flight)
  const factors = [scale, flight.speed, moduleFuelPct(flight), navigation, navigation]
  return ceilOf(factors, 1_000_000_000_000n)
}

/* Where a player is, and refusals for being elsewhere. */

export const shipOf = (view: WorldView, player: Eid): Eid => view.read(Player).ship[player]

/** The ship a player is in: the one they fly, or that of their carrier; 0 ashore. */
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

/** Tells whether a ship jumps or drifts: there it can be neither reached nor seen. */
export const isBetweenSystems = (view: WorldView, ship: Eid): boolean =>
  view.read(Location).state[ship] >= JUMPING

/** Place of the player; 0 under way. */
export const poiOf = (view: WorldView, player: Eid): Eid =>
  view.read(Location).poi[vesselOf(view, player)] ||
  view.read(Base).poi[view.read(FleetRide).base[player]]

/** System of the player; while jumping the one they left. */
export const systemOf = (view: WorldView, player: Eid): Eid =>
  view.read(Location).system[vesselOf(view, player)] ||
  view.read(Poi).system[view.read(Base).poi[view.read(FleetRide).base[player]]]

/** Base where the player is docked or ashore; 0 none. */
export const dockedBase = (view: WorldView, player: Eid): Eid =>
  view.read(Location).base[vesselOf(view, player)] || view.read(FleetRide).base[player]

/** Refuses what needs a place, while the ship is under way. Source: travel.md section 2. */
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
 * Refuses a query that needs a dock: not_docked under way too, where mutations are in_transit.
 * Source: spec, States.
 */
export function notDocked(view: WorldView, player: Eid): Failure<'not_docked'> {
  const transit = inTransit(view, player)
  if (transit) {
    return fail('not_docked', transit.details, `${transit.message} Dock at a station there.`)
  }
  const base = view.read(Poi).base[poiOf(view, player)]
  if (base === 0) {
    const message = 'You are not docked, and there is no station here: travel to one, then dock.'
    return fail('not_docked', undefined, message)
  }
  const base_id = baseId(view, base)
  const base_name = baseName(view, base)
  const message = `You are beside ${base_name}: dock there first.`
  return fail('not_docked', { base_id, base_name }, message)
}

/** As `inTransit`, for what a pilot may also do adrift. */
export const inTransitUnlessAdrift = (
  view: WorldView,
  player: Eid,
): Failure<'in_transit'> | undefined =>
  isDrifting(view, vesselOf(view, player)) ? undefined : inTransit(view, player)
