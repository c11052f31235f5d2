/**
 * Drifting: a ship with a pathfinder drive leaves the lanes on a bearing and flies straight until
 * it comes near a system, which is worked out when the bearing is plotted. Source: travel.md
 * section 4; what a pilot adrift may do: section 2.
 */
import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { divCeil } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Ship } from '../ship/columns.ts'
import { hasSpecial } from '../ship/rules.ts'
import { BEARINGS, directionOf, UNIT } from './bearings.ts'
import { DRIFTS, type Drift, Location, StarSystem } from './columns.ts'
import { burnFuel, flightOf, fuelPerJump, towingSpeed } from './flight.ts'
import { driftOff, isDrifting, shipOf } from './rules.ts'

const MILLI = 1_000
/** GU a tick for each AU a tick of the hull. */
const GU_PER_SPEED = 5
/** A system this near the line ends the drift, GU. */
const REACH_GU = 25
/** Without a system in its way the ship falls back to where it set out. */
const DRIFT_TICKS_MAX = 4_320
/** Jumps' fuel that a plot takes. */
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
  /** Not seen from nearer than REACH_GU: the system a first plot leaves. */
  readonly leaves: Eid
}

/** The nearest system along a ray: its row, and UNIT times the way there in milli-GU. */
export function castRay(view: WorldView, ray: Ray): { system: Eid; way: number } | undefined {
  const { alive, x, y } = view.read(StarSystem)
  const to = directionOf(ray.bearing)
  const reach = REACH_GU * MILLI * UNIT
  let nearest: { system: Eid; way: number } | undefined
  for (let system = 1; system <= view.highOf(StarSystem); system++) {
    if (alive[system] === 0) continue
    const [dx, dy] = [x[system] * MILLI - ray.x, y[system] * MILLI - ray.y]
    const way = dx * to.x + dy * to.y
    if (way <= 0 || Math.abs(dx * to.y - dy * to.x) > reach) continue
    if (system === ray.leaves && way < reach) continue
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

/** The text as tenths of a degree, or nothing. */
function bearingOf(text: string): number | undefined {
  const degrees = Number(text)
  if (!Number.isFinite(degrees)) return undefined
  const tenths = Math.round((degrees % 360) * 10) % BEARINGS
  return tenths < 0 ? tenths + BEARINGS : tenths + 0
}

/** A course on a bearing, or why there is none. Refusals: no_pathfinder_drive, invalid_bearing. */
export function plotDrift(view: WorldView, player: Eid, text: string): Plot | Failure {
  const ship = shipOf(view, player)
  if (!hasSpecial(view, ship, 'pathfinder_drive')) return fail('no_pathfinder_drive')
  const bearing = bearingOf(text)
  if (bearing === undefined) return fail('invalid_bearing')
  const from = view.read(Location).system[ship]
  const isAgain = isDrifting(view, ship)
  const { x, y } = view.read(StarSystem)
  const start = isAgain ? driftPosition(view, ship) : { x: x[from] * MILLI, y: y[from] * MILLI }
  const flight = flightOf(view, ship)
  const speed = towingSpeed(flight) * GU_PER_SPEED * MILLI
  const hit = castRay(view, { x: start.x, y: start.y, bearing, leaves: isAgain ? 0 : from })
  const ticks = hit ? Math.max(1, divCeil(hit.way, speed * UNIT)) : DRIFT_TICKS_MAX
  const isNear = hit !== undefined && ticks <= DRIFT_TICKS_MAX
  const to = directionOf(bearing)
  return {
    fuel: PLOT_JUMPS * fuelPerJump(flight),
    ticks: isNear ? ticks : DRIFT_TICKS_MAX,
    system: isNear ? hit.system : from,
    drift: {
      x: start.x,
      y: start.y,
      wayX: Math.trunc((to.x * speed) / UNIT) + 0,
      wayY: Math.trunc((to.y * speed) / UNIT) + 0,
      bearing,
    },
  }
}

/** Sets out on a plot, or turns onto it: takes the fuel, or says what is missing. */
export function leaveOn(world: World, player: Eid, plot: Plot): Failure | undefined {
  const ship = shipOf(world, player)
  const have = world.read(Ship).fuel[ship]
  if (have < plot.fuel) return fail('no_fuel', { need: plot.fuel, have })
  if (!isDrifting(world, ship)) addStat(world, player, 'void_drifts', 1)
  burnFuel(world, ship, plot.fuel)
  driftOff(world, ship, { toPoi: world.read(StarSystem).entryPoi[plot.system], ...plot })
  return undefined
}
