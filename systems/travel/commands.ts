/**
 * Moving the ship: docking, and flights within a system and between systems. Source: travel.md
 * sections 3, 4, 6, 9.
 */
import { LATER, mutation } from '../../core/command.ts'
import { type ErrorCode, type Failure, fail, ok } from '../../core/errors.ts'
import { NO_PARAMS, obj, ref, str, strings, words } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { baseById, baseName } from '../base/model.ts'
import { dockResultSchema } from '../base/schemas.ts'
import { Base } from '../base/state.ts'
import { convoyOf, convoyRefusal } from '../fleet/model.ts'
import { notifyMove } from '../fleet/rules.ts'
import { renderBriefing } from '../info/briefing-views.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { logAction } from '../log/rules.ts'
import { seesPoi } from '../sensing/model.ts'
import { shipClassOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { awardXp } from '../skill/rules.ts'
import { isMouth, pathMeant } from '../wormhole/model.ts'
import { Wormhole } from '../wormhole/state.ts'
import {
  distanceMilliAu,
  flightOf,
  fuelPerJump,
  fuelToTravel,
  jumpTicks,
  plotDrift,
  travelTicks,
} from './flight-model.ts'
import { dockedBase, inTransit, isDrifting, poiOf, shipOf, systemOf } from './location-model.ts'
import {
  laneRefusal,
  lanesFrom,
  placeRefusal,
  poiById,
  poiId,
  poiName,
  systemById,
  systemId,
} from './model.ts'
import { dockHere, UNDOCKED, UNDOCKED_OR_ADRIFT, undockHere } from './needs.ts'
import { beginDrift, burnFuel, startFlight } from './rules.ts'
import { jumpResult, travelResult } from './schemas.ts'
import { Location, Poi, StarSystem } from './state.ts'

const MILLI = 1_000
const MOVES = ['ship', 'location', 'queue'] as const

export const dock = mutation({
  name: 'dock',
  v2: { tool: 'game', action: 'dock' },
  summary: 'Dock at the base of the place where the ship is; the answer is a briefing.',
  category: 'navigation',
  order: 'dock',
  params: NO_PARAMS,
  result: dockResultSchema,
  needs: [AT_LIBERTY],
  changes: [...MOVES, 'missions'],
  errors: words(
    'in_transit already_docked no_base access_denied station_under_attack in_fleet in_combat',
  ),
  run(world, player) {
    const transit = inTransit(world, player)
    if (transit) return transit
    if (dockedBase(world, player) !== 0) return fail('already_docked')
    const base = dockHere(world, player, 'no_base')
    if (typeof base !== 'number') return base
    logAction(world, player, 'navigation', 'docked', `Docked at ${baseName(world, base)}.`)
    return ok(renderBriefing(world, player, base))
  },
})

/** For a player in space: the sentence in the error table would send them to a dock. */
const NOT_AT_A_DOCK = 'You are in space already: there is nothing to undock from.'

export const undock = mutation({
  name: 'undock',
  v2: { tool: 'game', action: 'undock' },
  summary: 'Leave the base; the ship stays at the place where it is.',
  category: 'navigation',
  order: 'dock',
  params: NO_PARAMS,
  result: obj(strings('action')),
  needs: [AT_LIBERTY],
  changes: MOVES,
  errors: ['in_transit', 'not_docked', 'in_fleet'],
  run(world, player) {
    const transit = inTransit(world, player)
    if (transit) return transit
    const base = dockedBase(world, player)
    if (base === 0) return fail('not_docked', undefined, NOT_AT_A_DOCK)
    const refusal = undockHere(world, player)
    if (refusal) return refusal
    logAction(world, player, 'navigation', 'undocked', `Undocked from ${baseName(world, base)}.`)
    return ok({ action: 'undock' })
  },
})

/** Returns the place that its own id or its base's id names; 0 if the player does not know it. */
function knownPoi(view: WorldView, player: Eid, id: string): Eid {
  const base = baseById(view, id)
  const poi = base === 0 ? poiById(view, id) : view.read(Base).poi[base]
  return poi !== 0 && seesPoi(view, player, poi) ? poi : 0
}

/** Plans the flight of one pilot to a place that their leader knows. */
function planTravel(view: WorldView, player: Eid, leader: Eid, target: string) {
  const ship = shipOf(view, player)
  const from = poiOf(view, player)
  const to = knownPoi(view, leader, target)
  const { x, y, system, class: kind } = view.read(Poi)
  if (to === 0) return fail('invalid_poi')
  if (system[to] !== systemOf(view, player)) {
    return fail('wrong_system', { system_id: systemId(view, system[to]) })
  }
  if (to === from) return fail('already_there')
  if (view.texts.get(kind[to]) === 'deep_core' && view.read(Ship).deepCore[ship] === 0) {
    return fail('no_deep_core_access')
  }
  const flight = flightOf(view, ship)
  const distance = distanceMilliAu(x[from], y[from], x[to], y[to])
  const ticks = travelTicks(flight, distance)
  return { toPoi: to, ticks, fuel: fuelToTravel(flight, distance) }
}

/** The text of a bearing in degrees: any decimal number. */
const BEARING = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

const isBearing = (view: WorldView, target: string): boolean =>
  BEARING.test(target) && systemById(view, target) === 0

/** Returns where a jump arrives: at the entry of a neighbour, or at the exit of a wormhole. */
function jumpTarget(
  view: WorldView,
  from: Eid,
  leader: Eid,
  target: string,
): Eid | Failure<'already_there' | 'invalid_system' | 'not_connected'> {
  const to = systemById(view, target)
  if (to === from) return fail('already_there')
  if (to !== 0 && lanesFrom(view, from).includes(to)) return view.read(StarSystem).entryPoi[to]
  const path = pathMeant(view, leader, from, target)
  if (path !== 0) return view.read(Wormhole).exit[path]
  if (to !== 0) return laneRefusal(view, from, to)
  const mouth = knownPoi(view, leader, target)
  if (mouth === 0) return fail('invalid_system', { target_system: target })
  if (!isMouth(view, mouth)) return placeRefusal(view, mouth)
  return fail('not_connected', undefined, NO_WAY_IN)
}

const NO_WAY_IN =
  'No wormhole can be entered that way: go to the system of an open entrance, and jump with the ' +
  'id of the entrance.'

/** Plans the jump of one pilot on a lane, or a path that their leader knows. */
function planJump(
  view: WorldView,
  player: Eid,
  leader: Eid,
  target: string,
): Plan | Failure<'already_there' | 'in_transit' | 'invalid_system' | 'not_connected'> {
  const transit = inTransit(view, player)
  if (transit) return transit
  const toPoi = jumpTarget(view, systemOf(view, player), leader, target)
  if (typeof toPoi !== 'number') return toPoi
  const flight = flightOf(view, shipOf(view, player))
  return { toPoi, ticks: jumpTicks(flight), fuel: fuelPerJump(flight) }
}

/** Refuses a pilot who is not skilled enough to take the hull out of the system. */
function pilotRefusal(view: WorldView, player: Eid): Failure<'piloting_required'> | undefined {
  const need = shipClassOf(view, shipOf(view, player)).piloting_required
  const level = levelOf(view, player, 'piloting')
  return level < need ? fail('piloting_required', { need, level }) : undefined
}

/** Leaves the lanes on a bearing, or turns a ship adrift onto it; an event reports the arrival. */
function jumpByBearing(world: World, player: Eid, target: string) {
  const isRedirect = isDrifting(world, shipOf(world, player))
  const plot = plotDrift(world, player, target)
  if (!('drift' in plot)) return plot
  const refusal = pilotRefusal(world, player) ?? beginDrift(world, player, plot)
  if (refusal) return refusal
  const { x, y, bearing } = plot.drift
  const degrees = bearing / 10
  const verb = isRedirect ? 'Turned onto' : 'Left the lanes on'
  const message = `${verb} bearing ${degrees.toFixed(1)}.`
  logAction(world, player, 'navigation', 'drifted', message, { bearing: degrees })
  return ok({
    action: isRedirect ? ('pathfinder_redirect' as const) : ('pathfinder_jump' as const),
    bearing: degrees,
    origin_x: x / MILLI,
    origin_y: y / MILLI,
    message,
  })
}

/** Previews a flight for the acknowledgement, one tick before the departure. */
function preview(
  view: WorldView,
  player: Eid,
  planOf: PlanOf<ErrorCode>,
  name: (plan: Plan) => string,
) {
  const flights = planTogether(view, player, planOf)
  if (!Array.isArray(flights)) return {}
  return { destination: name(flights[0].plan), arrival_tick: view.tick + 1 + ticksOf(flights) }
}

const refusalIn = <E extends ErrorCode>(plan: Plan | Failure<E>): Failure<E> | undefined =>
  isPlan(plan) ? undefined : plan

export const travel = mutation({
  name: 'travel',
  v2: { tool: 'game', action: 'travel', rename: { target_poi: 'id' } },
  summary: 'Fly to another place of this system; the answer comes on arrival.',
  category: 'navigation',
  order: 'departure',
  params: obj({
    target_poi: ref(
      'place_here',
      str('Id of a place of this system, or of the base there.', {
        min: 1,
        example: 'sol_belt',
      }),
    ),
  }),
  result: travelResult,
  needs: [UNDOCKED],
  changes: MOVES,
  errors: words(
    'in_transit invalid_poi wrong_system already_there no_deep_core_access no_fuel in_fleet',
  ),
  judge: (view, player, { target_poi }) => refusalIn(planTravel(view, player, player, target_poi)),
  preview(view, player, { target_poi }) {
    const planOf = (pilot: Eid) => planTravel(view, pilot, player, target_poi)
    return preview(view, player, planOf, ({ toPoi }) => poiId(view, toPoi))
  },
  run(world, player, { target_poi }) {
    const planOf = (pilot: Eid) => planTravel(world, pilot, player, target_poi)
    return leaveTogether(world, player, planOf) ?? LATER
  },
})

export const jump = mutation({
  name: 'jump',
  v2: { tool: 'game', action: 'jump', rename: { target_system: 'id' } },
  summary:
    'Jump along a lane to a neighbouring system, or through a wormhole; the answer comes on ' +
    'arrival. With a pathfinder drive also off the lanes, on a bearing.',
  category: 'navigation',
  order: 'departure',
  params: obj({
    target_system: ref(
      ['system', 'place_here'],
      str(
        'Id of a neighbouring system, of the far system or the entrance of a wormhole here, or a ' +
          'bearing in degrees.',
        { min: 1, example: 'sirius' },
      ),
      { isOpen: true },
    ),
  }),
  result: jumpResult,
  needs: [UNDOCKED_OR_ADRIFT],
  changes: [...MOVES, 'missions'],
  adrift: true,
  errors: words(
    'in_transit invalid_system already_there not_connected no_pathfinder_drive invalid_bearing',
    'piloting_required no_fuel in_fleet',
  ),
  judge(view, player, { target_system }) {
    if (isBearing(view, target_system)) return undefined
    return refusalIn(planJump(view, player, player, target_system)) ?? pilotRefusal(view, player)
  },
  preview: (view, player, { target_system }) =>
    preview(
      view,
      player,
      (pilot: Eid) => planJump(view, pilot, player, target_system),
      () => target_system,
    ),
  run(world, player, { target_system }) {
    if (isBearing(world, target_system)) return jumpByBearing(world, player, target_system)
    const planOf = (pilot: Eid) => {
      const plan = planJump(world, pilot, player, target_system)
      return isPlan(plan) ? (pilotRefusal(world, pilot) ?? plan) : plan
    }
    return leaveTogether(world, player, planOf) ?? LATER
  },
})

/* Convoys */

/** XP of a leader for each ship that jumps with them. Source: missions.md section 5. */
const LEADERSHIP_XP = 1

/** A flight that may begin: its destination, its ticks and its fuel. */
interface Plan {
  readonly toPoi: Eid
  readonly ticks: number
  readonly fuel: number
}

type PlanOf<E extends ErrorCode> = (pilot: Eid) => Plan | Failure<E>

const isPlan = (plan: Plan | Failure): plan is Plan => 'toPoi' in plan

/** A pilot and their part of the flight. */
interface Flight {
  readonly pilot: Eid
  readonly plan: Plan
}

/** Returns the ticks of the slowest ship. */
const ticksOf = (flights: readonly Flight[]): number =>
  Math.max(...flights.map(({ plan }) => plan.ticks))

/** Plans the flights of a pilot and their convoy, their own first. */
function planTogether<E extends ErrorCode>(
  view: WorldView,
  player: Eid,
  planOf: PlanOf<E>,
): Flight[] | Failure<E | 'detained'> {
  const own = planOf(player)
  if (!isPlan(own)) return own
  const flights: Flight[] = [{ pilot: player, plan: own }]
  const refused = convoyRefusal<E | 'detained'>(view, convoyOf(view, player), (pilot) => {
    const plan = AT_LIBERTY.check(view, pilot) ?? planOf(pilot)
    if (!isPlan(plan)) return plan
    flights.push({ pilot, plan })
    return undefined
  })
  return refused ?? flights
}

function fuelRefusal(view: WorldView, { pilot, plan }: Flight): Failure<'no_fuel'> | undefined {
  const have = view.read(Ship).fuel[shipOf(view, pilot)]
  return have < plan.fuel ? fail('no_fuel', { need: plan.fuel, have }) : undefined
}

/** Takes the fuel of a pilot and their convoy, and departs. */
function leaveTogether<E extends ErrorCode>(
  world: World,
  player: Eid,
  planOf: PlanOf<E>,
): Failure<E | 'detained' | 'no_fuel'> | undefined {
  const flights = planTogether(world, player, planOf)
  if (!Array.isArray(flights)) return flights
  const [own, ...others] = flights
  const convoy = others.map(({ pilot }) => pilot)
  const refusal =
    fuelRefusal(world, own) ??
    convoyRefusal(world, convoy, (pilot) => {
      const flight = others.find((other) => other.pilot === pilot)
      return flight && fuelRefusal(world, flight)
    })
  if (refusal) return refusal
  const { toPoi } = own.plan
  const isJump =
    world.read(Poi).system[toPoi] !== world.read(Location).system[shipOf(world, player)]
  const ticks = ticksOf(flights)
  for (const { pilot, plan } of flights) {
    burnFuel(world, shipOf(world, pilot), plan.fuel)
    startFlight(world, shipOf(world, pilot), toPoi, ticks)
  }
  if (isJump && convoy.length > 0) {
    awardXp(world, player, 'leadership', LEADERSHIP_XP * convoy.length)
    raiseCounter(world, player, 'fleet_jumps_led', convoy.length)
  }
  notifyMove(world, player, convoy, {
    event: 'departed',
    message: `The fleet is under way to ${poiName(world, toPoi)}.`,
    details: { destination: poiId(world, toPoi), arrival_tick: world.tick + ticks },
  })
  return undefined
}
