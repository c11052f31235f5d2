/**
 * Flights of a pilot and of those who fly with them: all are checked first, all leave and arrive
 * together. Source: travel.md section 9, fleet movement; factions.md section 8.
 */
import { type ErrorCode, type Failure, fail } from '../../core/errors.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { convoyOf, convoyRefusal } from '../fleet/model.ts'
import { notifyMove } from '../fleet/rules.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { Ship } from '../ship/state.ts'
import { awardXp } from '../skill/rules.ts'
import { shipOf } from './drift-model.ts'
import { poiId, poiName } from './model.ts'
import { burnFuel, depart } from './rules.ts'
import { Location, Poi } from './state.ts'

/** XP of a leader for each ship that jumps with them. Source: missions.md section 5. */
const LEADERSHIP_XP = 1

/** A flight that may begin: where to, how long, how much fuel. */
export interface Plan {
  readonly toPoi: Eid
  readonly ticks: number
  readonly fuel: number
}

export type PlanOf<E extends ErrorCode> = (pilot: Eid) => Plan | Failure<E>

export const isPlan = (plan: Plan | Failure): plan is Plan => 'toPoi' in plan

/** A pilot and their part of the flight. */
interface Flight {
  readonly pilot: Eid
  readonly plan: Plan
}

/** Ticks of the slowest. */
export const ticksOf = (flights: readonly Flight[]): number =>
  Math.max(...flights.map(({ plan }) => plan.ticks))

/**
 * The flights of a pilot and their convoy, their own first; or the first refusal, naming the mate.
 */
export function planTogether<E extends ErrorCode>(
  view: WorldView,
  player: Eid,
  planOf: PlanOf<E>,
): Flight[] | Failure<E | 'detained'> {
  const own = planOf(player)
  if (!isPlan(own)) return own
  const flights: Flight[] = [{ pilot: player, plan: own }]
  const refused = convoyRefusal<E | 'detained'>(view, convoyOf(view, player), (pilot) => {
    const plan = AT_LIBERTY.check(view, pilot) ?? planOf(pilot)
    if (!('toPoi' in plan)) return plan
    flights.push({ pilot, plan })
    return undefined
  })
  return refused ?? flights
}

function lacksFuel(view: WorldView, { pilot, plan }: Flight): Failure<'no_fuel'> | undefined {
  const have = view.read(Ship).fuel[shipOf(view, pilot)]
  return have < plan.fuel ? fail('no_fuel', { need: plan.fuel, have }) : undefined
}

/** Takes the fuel of all and leaves, or says what is missing, and to whom. */
export function leaveTogether<E extends ErrorCode>(
  world: World,
  player: Eid,
  planOf: PlanOf<E>,
): Failure<E | 'detained' | 'no_fuel'> | undefined {
  const flights = planTogether(world, player, planOf)
  if (!Array.isArray(flights)) return flights
  const [own, ...others] = flights
  const lacking = (pilot: Eid): Failure<'no_fuel'> | undefined => {
    const flight = others.find((other) => other.pilot === pilot)
    return flight && lacksFuel(world, flight)
  }
  const convoy = others.map(({ pilot }) => pilot)
  const refused = lacksFuel(world, own) ?? convoyRefusal(world, convoy, lacking)
  if (refused) return refused
  const { toPoi } = own.plan
  const isJump =
    world.read(Poi).system[toPoi] !== world.read(Location).system[shipOf(world, player)]
  const ticks = ticksOf(flights)
  for (const { pilot, plan } of flights) {
    burnFuel(world, shipOf(world, pilot), plan.fuel)
    depart(world, shipOf(world, pilot), toPoi, ticks)
  }
  if (isJump && convoy.length > 0) {
    awardXp(world, player, 'leadership', LEADERSHIP_XP * convoy.length)
    raiseCounter(world, player, 'fleet_jumps_led', convoy.length)
  }
  notifyMove(world, player, convoy, {
    event: 'departed',
    message: `The fleet is under way to ${poiName(world, toPoi)}.`,
    more: { destination: poiId(world, toPoi), arrival_tick: world.tick + ticks },
  })
  return undefined
}
