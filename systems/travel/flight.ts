/**
 * The arithmetic of flight: distances, ticks and fuel. Pure integer functions; which ship and which
 * pilot is asked for only in `flightOf`. Source: travel.md sections 3, 4.
 */
import { assert } from '../../core/assert.ts'
import { clamp, divCeil, isqrt, toSafe } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Tow } from '../salvage/columns.ts'
import { Ship } from '../ship/columns.ts'
import { levelOf } from '../skill/rules.ts'

/** What a flight's cost depends on. */
export interface Flight {
  /** AU a tick, 1-8. */
  readonly speed: number
  /** 1-5. */
  readonly scale: number
  /** Sum of the modules' fuel efficiency, %; positive saves. */
  readonly fuelEfficiencyPct: number
  /** Skill level. */
  readonly navigation: number
  /** What of the speed something in tow takes, %; it costs no fuel. */
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

/** Modules' share of the fuel, %. */
const moduleFuelPct = (flight: Flight): number =>
  Math.min(300, 100 - Math.min(80, flight.fuelEfficiencyPct))

/** What navigation leaves of time and fuel, %. */
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
  const towed = Math.trunc((flight.speed * 1000 * (100 - flight.towPct)) / 100)
  const milliAuPerTick = Math.max(SPEED_MILLI_AU_MIN, towed)
  return Math.max(1, divCeil(distance, milliAuPerTick))
}

/** Fuel of a flight over a distance in milli-AU, at least 1. */
export function fuelToTravel(flight: Flight, distance: number): number {
  const scale = SCALE_MILLIONTHS[clamp(flight.scale, 1, 5) - 1]
  const factors = [scale, flight.speed, distance, 7, moduleFuelPct(flight), navigationPct(flight)]
  return ceilOf(factors, 1_000_000_000_000_000n)
}

/** AU a tick with what is in tow, at least 1. Source: salvage.md section 4. */
export const towingSpeed = (flight: Flight): number =>
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

/**
 * Takes fuel out of a ship's tank, issue fuel first. The caller has refused before what is not
 * there.
 */
export function burnFuel(world: World, ship: Eid, units: number): void {
  const { fuel, issueFuel } = world.write(Ship)
  assert(units >= 0 && units <= fuel[ship], `ship ${ship} burns ${units} units it has not`)
  fuel[ship] -= units
  issueFuel[ship] = Math.max(0, issueFuel[ship] - units)
}
