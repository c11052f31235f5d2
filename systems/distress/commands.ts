/** `distress_signal`: a call for help. Source: missions.md sections 3 and 4. */
import { mutation } from '../../core/command.ts'
import { type Failure, fail, invalidFields, ok, waitRefusal } from '../../core/errors.ts'
import { emit } from '../../core/event.ts'
import { divFloor } from '../../core/math.ts'
import { bools, choice, ints, obj, opt, optional, strings } from '../../core/params.ts'
import { dayStartOf, isoTime } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerId } from '../account/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { chatMessage as chatEvent } from '../chat/schemas.ts'
import { inBattle } from '../combat/model.ts'
import { logAction } from '../log/rules.ts'
import { Mission } from '../mission/state.ts'
import { seePlayer } from '../sensing/model.ts'
import { Ship } from '../ship/state.ts'
import { poiOf, shipOf } from '../travel/location-model.ts'
import { poiId, poiName, systemId, systemName } from '../travel/model.ts'
import { IN_SPACE } from '../travel/needs.ts'
import { Poi } from '../travel/state.ts'
import {
  callId,
  countListeners,
  publicName,
  ringsAround,
  signalOf,
  systemOfSignal,
} from './model.ts'
import { enterSignal } from './rules.ts'
import {
  Airwave,
  Caller,
  DISTRESS_COOLDOWN_TICKS,
  DISTRESS_TICKS,
  DISTRESS_TYPES,
  type DistressType,
  EMERGENCY_QUIET_TICKS,
  Signal,
} from './state.ts'

const NEEDY_FUEL_PCT = 20
const NEEDY_HULL_PCT = 50

/** Returns whether a pilot may earn their helper a reward. Source: missions.md 4, reward. */
function isInNeed(view: WorldView, player: Eid): boolean {
  const ship = shipOf(view, player)
  const { fuel, fuelMax, hull, hullMax } = view.read(Ship)
  if (100 * fuel[ship] < NEEDY_FUEL_PCT * fuelMax[ship]) return true
  return 100 * hull[ship] < NEEDY_HULL_PCT * hullMax[ship] || inBattle(view, player)
}

function signalRefusal(
  view: WorldView,
  player: Eid,
): Failure<'distress_active' | 'limit_reached' | 'rate_limited'> | undefined {
  if (signalOf(view, player) !== 0) return fail('distress_active')
  const { sentTick } = view.read(Caller)
  const ticks =
    sentTick[player] === 0 ? 0 : sentTick[player] - 1 + DISTRESS_COOLDOWN_TICKS - view.tick
  if (ticks > 0) {
    return waitRefusal(view, ticks, 'You called for help within the last hour.')
  }
  const isFull = isNearlyFull(view, Signal) || isNearlyFull(view, Mission)
  return isFull ? fail('limit_reached') : undefined
}

function openSignal(world: World, player: Eid, type: DistressType): Row {
  const caller = world.write(Caller)
  const { sentTick } = caller
  const isFirst =
    sentTick[player] === 0 || dayStartOf(sentTick[player] - 1) !== dayStartOf(world.tick)
  const signal = world.take(Signal)
  const columns = world.write(Signal)
  columns.sender[signal] = player
  columns.ship[signal] = world.read(Ship).seq[shipOf(world, player)]
  columns.type[signal] = DISTRESS_TYPES.indexOf(type)
  columns.poi[signal] = poiOf(world, player)
  columns.expireTick[signal] = world.tick + DISTRESS_TICKS
  columns.isPaid[signal] = isFirst && isInNeed(world, player) ? 1 : 0
  caller.signal[player] = signal
  caller.sentTick[player] = world.tick + 1
  enterSignal(world, signal)
  return signal
}

/** Puts the call on the emergency channel; without a listener no mission is offered. */
function notifyPilots(world: World, signal: Row, player: Eid) {
  const systems = ringsAround(world, systemOfSignal(world, signal)).flat()
  // Systems that another signal just reached are left out.
  const reached = systems.filter((system) => claimAirtime(world, system))
  const pilots = countListeners(world, player, reached)
  const mission_id = pilots === 0 ? '' : callId(world, signal)
  broadcastCall(world, signal, reached, mission_id)
  return { mission_id, pilots }
}

const heardMessage = (pilots: number): string =>
  pilots === 0
    ? 'Nobody within five jumps hears it now; anybody who brings fuel or a repair still helps.'
    : `${pilots} ${pilots === 1 ? 'pilot hears' : 'pilots hear'} it; the first to accept comes.`

export const distressSignal = mutation({
  name: 'distress_signal',
  v2: { tool: 'game', action: 'distress_signal' },
  summary:
    'Call for help from space: pilots within five jumps hear it, and the first who accepts comes.',
  category: 'missions',
  order: 'plain',
  inBattle: true,
  params: obj({ distress_type: optional(choice('Fuel unless given.', DISTRESS_TYPES)) }),
  result: obj({
    ...strings('action', 'distress_type', 'poi', 'poi_name', 'system', 'system_name', 'message'),
    ...strings('mission_id'),
    ...ints('expires_seconds', 'missions_sent', 'responders_reached'),
    // Declared as in the contract, but never sent: nobody is moved for a call.
    ...opt(bools('auto_docked', 'auto_undocked')),
  }),
  needs: [IN_SPACE],
  changes: ['player'],
  errors: ['distress_active', 'rate_limited', 'limit_reached', 'invalid_payload'],
  judge: signalRefusal,
  run(world, player, { distress_type = 'fuel' }) {
    if (!DISTRESS_TYPES.includes(distress_type)) {
      return invalidFields({
        field: 'distress_type',
        expected: `one of ${DISTRESS_TYPES.join(', ')}`,
      })
    }
    const refused = signalRefusal(world, player)
    if (refused) return refused
    const signal = openSignal(world, player, distress_type)
    const { mission_id, pilots } = notifyPilots(world, signal, player)
    const poi = poiOf(world, player)
    const system = world.read(Poi).system[poi]
    const summary = `Called for help at ${poiName(world, poi)}.`
    logAction(world, player, 'mission', 'distress', summary, { type: distress_type })
    return ok({
      action: 'distress_signal',
      distress_type,
      poi: poiId(world, poi),
      poi_name: poiName(world, poi),
      system: systemId(world, system),
      system_name: systemName(world, system),
      expires_seconds: divFloor(DISTRESS_TICKS * world.tickMs, 1_000),
      mission_id,
      responders_reached: pilots,
      missions_sent: mission_id === '' ? 0 : 1,
      message: `Your signal is on the air for ${DISTRESS_TICKS} ticks. ${heardMessage(pilots)}`,
    })
  },
})

/*
 * The emergency channel of systems within reach of a signal. Texts go to the archive with the
 * batch; a system hears one message at a time. Source: missions.md 4, social.md 1.
 */

const NEEDS = {
  fuel: 'calls for fuel',
  repair: 'calls for repairs',
  combat: 'calls for help in a fight',
} as const

/** Returns the text of a call, which does not reveal an uncharted place. */
function callText(world: World, signal: Row): string {
  const { sender, type, poi: places } = world.read(Signal)
  const poi = places[signal]
  const place = world.read(Poi).hidden[poi] === 1 ? 'a place off the chart' : poiName(world, poi)
  const location = `${place} in ${systemName(world, systemOfSignal(world, signal))}`
  return `${publicName(world, sender[signal])} ${NEEDS[DISTRESS_TYPES[type[signal]]]} at ${location}.`
}

/** Reserves the channel of a system for a while; returns false while another message holds it. */
function claimAirtime(world: World, system: Eid): boolean {
  const { emergencyTick } = world.write(Airwave)
  const last = emergencyTick[system]
  if (last !== 0 && world.tick + 1 < last + EMERGENCY_QUIET_TICKS) return false
  emergencyTick[system] = world.tick + 1
  return true
}

/** Sends a call to systems, with the id of the mission it offers; '' none. */
function broadcastCall(
  world: World,
  signal: Row,
  systems: readonly Eid[],
  mission_id: string,
): void {
  const { sender, type } = world.read(Signal)
  const caller = sender[signal]
  const isIdentified = seePlayer(world, 0, caller) === 'full'
  const senderId = isIdentified ? playerId(world, caller) : 'emergency'
  const name = publicName(world, caller)
  const content = callText(world, signal)
  const sentAt = isoTime(world.wallMs)
  const origin = systemOfSignal(world, signal)
  const call = {
    distress_type: DISTRESS_TYPES[type[signal]],
    mission_id,
    system: systemName(world, origin),
    system_id: systemId(world, origin),
  }
  for (const system of systems) {
    const id = systemId(world, system)
    const common = { channel: 'emergency', sender: name, content }
    world.outbox.writes.push({
      method: 'postChat',
      args: { ...common, scope: `emergency:${id}`, senderId, targetId: id, systemId: id },
    })
    const message = {
      ...common,
      id: `server-${world.nextNumber('server_messages')}`,
      sender_id: senderId,
      timestamp: sentAt,
      timestamp_utc: sentAt,
      target_id: id,
      ...call,
    }
    emit(world, chatEvent, message, { kind: 'system', row: system, except: caller })
  }
}
