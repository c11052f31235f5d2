/** How far a distress signal is heard: systems by jumps, and how many listen in them. */
import { idOf, rowOfId } from '../../core/entity.ts'
import { fail } from '../../core/errors.ts'
import { divFloor } from '../../core/math.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { isBound, usernameOf } from '../account/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { missionsOf, missionsOfSignal } from '../mission/model.ts'
import { Mission } from '../mission/state.ts'
import { seePlayer, seesPoi } from '../sensing/model.ts'
import { mutes } from '../settings/model.ts'
import { lanesFrom, playersIn, systemName } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { Caller, DISTRESS_RADIUS, SIGNALS, Signal } from './state.ts'

/*
 * Taking a distress call: each is one mission, the first pilot who accepts it has it. Source:
 * newer.md section 6.
 */

/** Id of the mission that a signal asks for; accepted, the mission goes by it. */
export const callId = (view: WorldView, signal: Row): string => idOf(view, Signal, signal)

/** The signal on the air that is meant by the id of its mission; 0 none. */
export const callMeant = (view: WorldView, mission_id = ''): Row =>
  rowOfId(view, Signal, mission_id)

/**
 * Why a pilot cannot take a call; the bound of five is the caller's. Refusals: mission_not_found,
 * already_active, requirements_not_met, limit_reached.
 */
export function callRefusal(view: WorldView, player: Eid, signal: Row) {
  const details = { mission_id: callId(view, signal) }
  const { sender, poi } = view.read(Signal)
  if (sender[signal] === player) {
    return fail('mission_not_found', details, 'That is your own call for help: others answer it.')
  }
  const [taken] = missionsOfSignal(view, signal)
  if (taken !== undefined) {
    if (missionsOf(view, player).includes(taken)) return fail('already_active', details)
    return fail('mission_not_found', details, 'Another pilot was first to take this rescue.')
  }
  if (!seesPoi(view, player, poi[signal])) {
    const system = systemName(view, view.read(Poi).system[poi[signal]])
    return fail(
      'requirements_not_met',
      { ...details, missing: ['place:unknown'] },
      `The call comes from a place in ${system} that is not on your chart: survey the system first.`,
    )
  }
  return isNearlyFull(view, Mission) ? fail('limit_reached') : undefined
}

/** Systems around one, a list for each number of jumps; within a ring in the order of the lanes. */
export function ringsAround(view: WorldView, system: Eid): Eid[][] {
  const seen = new Set<Eid>([system])
  const rings: Eid[][] = [[system]]
  for (let jumps = 1; jumps <= DISTRESS_RADIUS; jumps++) {
    const ring: Eid[] = []
    for (const from of rings[jumps - 1]) {
      for (const to of lanesFrom(view, from)) {
        if (seen.has(to)) continue
        seen.add(to)
        ring.push(to)
      }
    }
    rings.push(ring)
  }
  return rings
}

/** True for a player who hears calls for help: online, and the channel is not muted. */
const hears = (view: WorldView, player: Eid): boolean =>
  isBound(view, player) && !mutes(view, player, 'chat.emergency')

/** How many pilots hear a call in these systems, but for who calls. */
export function countListeners(view: WorldView, sender: Eid, systems: readonly Eid[]): number {
  let heard = 0
  for (const system of systems) {
    for (const player of playersIn(view, system)) {
      if (player !== sender && hears(view, player)) heard++
    }
  }
  return heard
}

export const RESCUE_CREDITS = 500

/** First tick of a day. */
export const dayOf = (tick: number): number => divFloor(tick, DAY_TICKS) * DAY_TICKS

/** The signal of a player that is on the air; 0 none. */
export const signalOf = (view: WorldView, player: Eid): Row => view.read(Caller).signal[player]

export const signals = (view: WorldView): Row[] => [...view.index(SIGNALS)]

/** A name as anybody may know it. */
export const nameKnown = (view: WorldView, player: Eid): string =>
  seePlayer(view, 0, player) === 'full' ? usernameOf(view, player) : 'An unknown pilot'

/** Credits that a rescue promises: none in lawless space, or without need. */
export function promisedFor(view: WorldView, signal: Row): number {
  const { poi, isPaid } = view.read(Signal)
  const system = view.read(Poi).system[poi[signal]]
  return isPaid[signal] === 1 && view.read(StarSystem).empire[system] !== 0 ? RESCUE_CREDITS : 0
}
