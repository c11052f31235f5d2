/**
 * Taking a distress call: each is one mission, the first pilot who accepts it has it. Source:
 * newer.md section 6.
 */
import { RESCUES } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { Mission } from '../mission/columns.ts'
import { missionsOf, missionsOfSignal, openRescue } from '../mission/rules.ts'
import { seesPoi } from '../sensing/rules.ts'
import { Poi } from '../travel/columns.ts'
import { systemName, systemOf } from '../travel/rules.ts'
import { Signal } from './columns.ts'
import { promisedFor } from './rules.ts'

/** Id of the mission that a signal asks for; accepted, the mission goes by it. */
export const callId = (view: WorldView, signal: Row): string => idOf(view, Signal, signal)

/** The signal on the air that is meant by the id of its mission; 0 none. */
export const callMeant = (view: WorldView, mission_id = ''): Row =>
  rowOfId(view, Signal, mission_id)

/**
 * Why a pilot cannot take a call; the bound of five is the caller's. Refusals: mission_not_found,
 * already_active, requirements_not_met, limit_reached.
 */
export function refusesCall(view: WorldView, player: Eid, signal: Row): Failure | undefined {
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

/** Gives a call to a pilot; nothing stands against it. */
export function takeCall(world: World, player: Eid, signal: Row): Row {
  const { type, poi, expireTick } = world.read(Signal)
  const system = world.read(Poi).system[poi[signal]]
  return openRescue(world, player, {
    signal,
    system,
    isNear: systemOf(world, player) === system,
    template: RESCUES[type[signal]],
    expireTick: expireTick[signal],
    credits: promisedFor(world, signal),
  })
}
