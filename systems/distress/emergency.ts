/**
 * The emergency channel: what systems within reach of a signal hear of it. Texts go to the archive
 * with the batch; a system hears one message in a while. Source: missions.md 4, social.md 1.
 */
import { emit } from '../../core/event.ts'
import { EMERGENCY_QUIET_TICKS } from '../../core/limits-posting.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { playerId } from '../account/rules.ts'
import { chatEvent } from '../chat/rules.ts'
import { seePlayer } from '../sensing/rules.ts'
import { Poi } from '../travel/columns.ts'
import { poiName, systemId, systemName } from '../travel/rules.ts'
import { Airwave, DISTRESS_TYPES, Signal } from './columns.ts'
import { nameKnown } from './rules.ts'

const NEEDS = {
  fuel: 'is out of fuel',
  repair: 'has a failing hull',
  combat: 'is under fire',
} as const

/** What is said: a place that is on no chart is not given away. */
function wordsOf(world: World, signal: Row): string {
  const { sender, type, poi } = world.read(Signal)
  const at = poi[signal]
  const place = world.read(Poi).hidden[at] === 1 ? 'a place off the chart' : poiName(world, at)
  const where = `${place} in ${systemName(world, world.read(Poi).system[at])}`
  return `${nameKnown(world, sender[signal])} ${NEEDS[DISTRESS_TYPES[type[signal]]]} at ${where}.`
}

/** True when the system has heard nothing for a while; from now on it has. */
function takeAirTime(world: World, system: Eid): boolean {
  const { emergencyTick } = world.write(Airwave)
  const last = emergencyTick[system]
  if (last !== 0 && world.tick + 1 < last + EMERGENCY_QUIET_TICKS) return false
  emergencyTick[system] = world.tick + 1
  return true
}

/** Systems that are told of a signal: those that heard another just now are left out. */
export const takeAir = (world: World, systems: readonly Eid[]): Eid[] =>
  systems.filter((system) => takeAirTime(world, system))

/** Tells systems of a signal, with the mission that the first to accept it takes; '' none. */
export function callForHelp(
  world: World,
  signal: Row,
  systems: readonly Eid[],
  mission_id: string,
): void {
  const { sender, type, poi } = world.read(Signal)
  const caller = sender[signal]
  const isKnown = seePlayer(world, 0, caller) === 'full'
  const senderId = isKnown ? playerId(world, caller) : 'emergency'
  const name = nameKnown(world, caller)
  const content = wordsOf(world, signal)
  const at = isoTime(world.wallMs)
  const from = world.read(Poi).system[poi[signal]]
  const call = {
    ...{ distress_type: DISTRESS_TYPES[type[signal]], mission_id },
    ...{ system: systemName(world, from), system_id: systemId(world, from) },
  }
  for (const system of systems) {
    const id = systemId(world, system)
    const common = { channel: 'emergency', sender: name, content }
    world.outbox.writes.push({
      method: 'postChat',
      args: { ...common, scope: `emergency:${id}`, senderId, targetId: id, systemId: id },
    })
    const message = {
      ...{ ...common, id: `server-${world.nextNumber('server_messages')}` },
      ...{ sender_id: senderId, timestamp: at, timestamp_utc: at, target_id: id },
      ...call,
    }
    emit(world, chatEvent, message, { kind: 'system', row: system, except: caller })
  }
}
