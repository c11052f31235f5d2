/** `distress_signal`: a call for help. Source: missions.md sections 3 and 4. */
import { mutation } from '../../core/command.ts'
import { badFields, type Failure, fail, ok } from '../../core/errors.ts'
import { DISTRESS_COOLDOWN_TICKS, DISTRESS_TICKS } from '../../core/limits-posting.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { bools, choice, ints, obj, opt, optional, strings } from '../../core/params.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { inBattle } from '../combat/rules.ts'
import { logAction } from '../log/rules.ts'
import { Mission } from '../mission/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Poi } from '../travel/columns.ts'
import { poiId, poiName, poiOf, shipOf, systemId, systemName, UNDOCKED } from '../travel/rules.ts'
import { callId } from './claim-rules.ts'
import { Caller, DISTRESS_TYPES, type DistressType, Signal } from './columns.ts'
import { callForHelp, takeAir } from './emergency.ts'
import { countListeners, ringsAround } from './reach-rules.ts'
import { dayOf, enterSignal, signalOf } from './rules.ts'

const NEEDY_FUEL_PCT = 20
const NEEDY_HULL_PCT = 50

/** Fuel below a fifth, hull below a half, or in battle. Source: missions.md section 4, reward. */
export function isInNeed(view: WorldView, player: Eid): boolean {
  const ship = shipOf(view, player)
  const { fuel, fuelMax, hull, hullMax } = view.read(Ship)
  if (100 * fuel[ship] < NEEDY_FUEL_PCT * fuelMax[ship]) return true
  return 100 * hull[ship] < NEEDY_HULL_PCT * hullMax[ship] || inBattle(view, player)
}

function refusesSignal(view: WorldView, player: Eid): Failure | undefined {
  if (signalOf(view, player) !== 0) return fail('distress_active')
  const { sentTick } = view.read(Caller)
  const ticks =
    sentTick[player] === 0 ? 0 : sentTick[player] - 1 + DISTRESS_COOLDOWN_TICKS - view.tick
  if (ticks > 0) {
    const wait_seconds = Math.max(1, divCeil(ticks * view.tickMs, 1_000))
    return fail('rate_limited', { wait_seconds }, 'You called for help within the last hour.')
  }
  const isFull = isNearlyFull(view, Signal) || isNearlyFull(view, Mission)
  return isFull ? fail('limit_reached') : undefined
}

function openSignal(world: World, player: Eid, type: DistressType): Row {
  const caller = world.write(Caller)
  const { sentTick } = caller
  const isFirst = sentTick[player] === 0 || dayOf(sentTick[player] - 1) !== dayOf(world.tick)
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

interface Heard {
  readonly mission_id: string
  readonly pilots: number
}

/** Puts the call on the emergency channel; without a listener there is nothing to be taken. */
function askAround(world: World, signal: Row, player: Eid): Heard {
  const { poi } = world.read(Signal)
  const rings = ringsAround(world, world.read(Poi).system[poi[signal]])
  const reached = takeAir(world, rings.flat())
  const pilots = countListeners(world, player, reached)
  const mission_id = pilots === 0 ? '' : callId(world, signal)
  callForHelp(world, signal, reached, mission_id)
  return { mission_id, pilots }
}

const sayHeard = (pilots: number): string =>
  pilots === 0
    ? 'Nobody within five jumps hears it now; whoever brings fuel or mends your hull still helps.'
    : `${pilots} ${pilots === 1 ? 'pilot hears' : 'pilots hear'} it; the first to accept comes.`

export const distressSignal = mutation({
  name: 'distress_signal',
  v2: { tool: 'game', action: 'distress_signal' },
  summary: 'Call for help: pilots within five jumps hear it, and the first who accepts comes.',
  category: 'missions',
  order: 'plain',
  inBattle: true,
  params: obj({ distress_type: optional(choice('Fuel unless given.', DISTRESS_TYPES)) }),
  result: obj({
    ...strings('action', 'distress_type', 'poi', 'poi_name', 'system', 'system_name', 'message'),
    ...strings('mission_id'),
    ...ints('expires_seconds', 'missions_sent', 'responders_reached'),
    ...opt(bools('auto_docked', 'auto_undocked')),
  }),
  needs: [UNDOCKED],
  changes: ['player'],
  errors: ['distress_active', 'rate_limited', 'limit_reached', 'invalid_payload'],
  judge: refusesSignal,
  run(world, player, { distress_type = 'fuel' }) {
    if (!DISTRESS_TYPES.includes(distress_type)) {
      return badFields({ field: 'distress_type', expected: `one of ${DISTRESS_TYPES.join(', ')}` })
    }
    const refused = refusesSignal(world, player)
    if (refused) return refused
    const signal = openSignal(world, player, distress_type)
    const { mission_id, pilots } = askAround(world, signal, player)
    const poi = poiOf(world, player)
    const system = world.read(Poi).system[poi]
    const said = `Called for help at ${poiName(world, poi)}.`
    logAction(world, player, 'mission', 'distress', said, { type: distress_type })
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
      message: `Your signal is on the air for ${DISTRESS_TICKS} ticks. ${sayHeard(pilots)}`,
    })
  },
})
