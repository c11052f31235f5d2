/** Lookups of distress signals: who may take a call, how far it reaches, what it promises. */
import { idOf, rowOfId } from '../../core/entity.ts'
import { fail } from '../../core/errors.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { isBound, usernameOf } from '../account/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { tuned } from '../empire/balance-model.ts'
import { missionsOf, missionsOfSignal } from '../mission/model.ts'
import { Mission } from '../mission/state.ts'
import { seePlayer, seesPoi } from '../sensing/model.ts'
import { hasMuted } from '../settings/model.ts'
import { lanesFrom, playersIn, systemName } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { Caller, DISTRESS_RADIUS, SIGNALS, Signal } from './state.ts'

/** Returns the signal that a player has on the air; 0 none. */
export const signalOf = (view: WorldView, player: Eid): Row => view.read(Caller).signal[player]

/** Returns the signals on the air, as a copy: signals may end while it is iterated. */
export const signals = (view: WorldView): Row[] => [...view.index(SIGNALS)]

/** Returns the system that a signal was sent from. */
export const systemOfSignal = (view: WorldView, signal: Row): Eid =>
  view.read(Poi).system[view.read(Signal).poi[signal]]

/** Returns the empire whose space a signal was sent from; -1 in lawless space. */
export const empireOfSignal = (view: WorldView, signal: Row): number =>
  view.read(StarSystem).empire[systemOfSignal(view, signal)] - 1

/** Returns the name of a player that everyone may see. */
export const publicName = (view: WorldView, player: Eid): string =>
  seePlayer(view, 0, player) === 'full' ? usernameOf(view, player) : 'An unknown pilot'

/** Returns the credits that a rescue promises: none in lawless space, or without need. */
export const promisedCredits = (view: WorldView, signal: Row): number =>
  view.read(Signal).isPaid[signal] === 1 && empireOfSignal(view, signal) >= 0
    ? tuned(view, 'rescue_credits')
    : 0

/*
 * Accepting a call: each is one mission, and the first pilot who accepts it gets it. Source:
 * newer.md section 6.
 */

/** Returns the id of the mission that a signal offers; the mission keeps it once accepted. */
export const callId = (view: WorldView, signal: Row): string => idOf(view, Signal, signal)

/** Returns the signal on the air whose mission has this id; 0 none. */
export const callMeant = (view: WorldView, mission_id = ''): Row =>
  rowOfId(view, Signal, mission_id)

/**
 * Refuses a pilot a call; the limit of five missions is checked by the caller. Refusals:
 * mission_not_found, already_active, requirements_not_met, limit_reached.
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
    const system = systemName(view, systemOfSignal(view, signal))
    return fail(
      'requirements_not_met',
      { ...details, missing: ['place:unknown'] },
      `The call comes from a place in ${system} that is not on your chart: survey the system first.`,
    )
  }
  return isNearlyFull(view, Mission) ? fail('limit_reached') : undefined
}

/* Who hears a call */

/** Returns the systems around one by number of jumps; within a ring in the order of the lanes. */
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

/** Returns whether a player receives calls for help: online, with the channel not muted. */
const hears = (view: WorldView, player: Eid): boolean =>
  isBound(view, player) && !hasMuted(view, player, 'chat.emergency')

/** Counts the pilots in some systems who receive a call, without its sender. */
export function countListeners(view: WorldView, sender: Eid, systems: readonly Eid[]): number {
  let listeners = 0
  for (const system of systems) {
    for (const player of playersIn(view, system)) {
      if (player !== sender && hears(view, player)) listeners++
    }
  }
  return listeners
}
