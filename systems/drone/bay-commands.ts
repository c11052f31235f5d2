/** Commands that send drones out and take them back. Source: drones.md sections 2, 4. */
import { mutation } from '../../core/command.ts'
import { badFields, type Failure, fail, ok } from '../../core/errors.ts'
import { Container } from '../../core/goods.ts'
import { bool, obj, optional } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { leaveBattle } from '../combat/battles-rules.ts'
import { participantOf } from '../combat/model.ts'
import { recordDeparture } from '../combat/rules.ts'
import { Ship } from '../ship/state.ts'
import { poiOf } from '../travel/drift-model.ts'
import { poiName } from '../travel/model.ts'
import { AT_PLACE, UNDOCKED } from '../travel/needs.ts'
import { droneParam } from './commands.ts'
import { deployDrone as putOut, recallDrone as takeBack } from './lives-rules.ts'
import {
  bandwidthUsed,
  baysOf,
  droneId,
  dronesAt,
  dronesOf,
  dronesOfShip,
  droneTitle,
  figuresOf,
  flownBy,
  inBay,
  ownDrone,
} from './model.ts'
import { deploySchema, recallSchema } from './schemas.ts'
import { DRONES_PER_POI_MAX, Drone, HOPPING, IN_BAY } from './state.ts'
import { hullOfDrone, statusOf } from './views.ts'

const params = obj({
  all: optional(bool('All of them; else name one.')),
  drone_id: optional(droneParam),
})

const neither = (): Failure<'invalid_payload'> =>
  badFields({ field: 'drone_id', expected: 'the id of a drone, or all: true' })

/* Out */

/** True when the place or the world has no room for another drone. */
const isCrowded = (view: WorldView, poi: Eid): boolean =>
  dronesAt(view, poi) >= DRONES_PER_POI_MAX ||
  isNearlyFull(view, Ship) ||
  isNearlyFull(view, Container)

const bandwidthLeft = (view: WorldView, ship: Eid): number =>
  baysOf(view, ship).bandwidth - bandwidthUsed(view, ship)

const bandwidthOf = (view: WorldView, ship: Eid) => ({
  bandwidth_used: bandwidthUsed(view, ship),
  bandwidth_total: baysOf(view, ship).bandwidth,
})

function deployOne(world: World, player: Eid, id: string) {
  const drone = ownDrone(world, player, id)
  const ship = flownBy(world, player)
  const poi = poiOf(world, player)
  if (drone === 0) return fail('drone_not_found', { drone_id: id })
  if (!inBay(world, drone)) return fail('already_deployed')
  if (world.read(Drone).ship[drone] !== ship) return fail('drone_not_here')
  const [need, have] = [figuresOf(world, drone).bandwidth, bandwidthLeft(world, ship)]
  if (need > have) return fail('bandwidth_exceeded', { need, have })
  if (isCrowded(world, poi))
    return fail('limit_reached', { max: DRONES_PER_POI_MAX, of: 'drones at a place' })
  putOut(world, drone, poi)
  const { id: type, hull } = figuresOf(world, drone)
  return ok({
    action: 'deploy_drone' as const,
    drone_id: droneId(world, drone),
    drone_type: type,
    hull: hullOfDrone(world, drone),
    max_hull: hull,
    status: statusOf(world, drone),
    ...bandwidthOf(world, ship),
    message: `${droneTitle(world, drone)} deployed at ${poiName(world, poi)}.`,
  })
}

function deployAll(world: World, player: Eid) {
  const ship = flownBy(world, player)
  const poi = poiOf(world, player)
  const ready = dronesOfShip(world, ship).filter((drone) => inBay(world, drone))
  if (ready.length === 0) return fail('nothing_to_deploy')
  if (isCrowded(world, poi))
    return fail('limit_reached', { max: DRONES_PER_POI_MAX, of: 'drones at a place' })
  let deployed = 0
  for (const drone of ready) {
    const fits = figuresOf(world, drone).bandwidth <= bandwidthLeft(world, ship)
    if (!fits || isCrowded(world, poi)) continue
    putOut(world, drone, poi)
    deployed++
  }
  return ok({
    action: 'deploy_all_drones' as const,
    deployed,
    skipped: ready.length - deployed,
    ...bandwidthOf(world, ship),
    message: `${deployed} of ${counted(ready.length, 'drone')} deployed at ${poiName(world, poi)}.`,
  })
}

export const deployDrone = mutation({
  name: 'deploy_drone',
  v2: { tool: 'game_drone', action: 'deploy', rename: { drone_id: 'id' } },
  summary: 'Send a drone out of its bay, or all that the bandwidth allows; they run their scripts.',
  category: 'drones',
  order: 'plain',
  inBattle: true,
  needs: [UNDOCKED],
  params,
  result: deploySchema,
  changes: ['ship'],
  errors: [
    ...(['in_transit', 'invalid_payload', 'drone_not_found', 'already_deployed'] as const),
    ...(['drone_not_here', 'bandwidth_exceeded', 'nothing_to_deploy', 'limit_reached'] as const),
  ],
  run(world, player, { all, drone_id }) {
    if (all === true) return deployAll(world, player)
    return drone_id === undefined ? neither() : deployOne(world, player, drone_id)
  },
})

/* Back */

/** Why a drone does not come back to the ship now. */
function recallRefusal(view: WorldView, player: Eid, drone: Row) {
  const { state, poi, ship: of } = view.read(Drone)
  const ship = flownBy(view, player)
  if (state[drone] === IN_BAY) return fail('not_deployed')
  if (state[drone] === HOPPING) return fail('drone_traveling')
  if (poi[drone] !== poiOf(view, player)) return fail('drone_not_here')
  const { capacity } = baysOf(view, ship)
  const carried = dronesOfShip(view, ship).length + (of[drone] === ship ? 0 : 1)
  return carried > capacity ? fail('bay_full', { drones: carried - 1, capacity }) : undefined
}

function recall(world: World, player: Eid, drone: Row): void {
  const row = participantOf(world, world.read(Drone).body[drone])
  if (row !== 0) {
    recordDeparture(world, row, true)
    leaveBattle(world, row, 'battle_ended')
  }
  takeBack(world, drone, flownBy(world, player))
}

function recallOne(world: World, player: Eid, id: string) {
  const drone = ownDrone(world, player, id)
  if (drone === 0) return fail('drone_not_found', { drone_id: id })
  const refused = recallRefusal(world, player, drone)
  if (refused) return refused
  recall(world, player, drone)
  return ok({ recalled: 1, skipped: 0, message: `${droneTitle(world, drone)} recalled.` })
}

function recallAll(world: World, player: Eid) {
  const out = dronesOf(world, player).filter((drone) => !inBay(world, drone))
  if (out.length === 0) return fail('not_deployed')
  let recalled = 0
  for (const drone of out) {
    if (recallRefusal(world, player, drone)) continue
    recall(world, player, drone)
    recalled++
  }
  const message = `${recalled} of ${counted(out.length, 'drone')} recalled.`
  return ok({ recalled, skipped: out.length - recalled, message })
}

export const recallDrone = mutation({
  name: 'recall_drone',
  v2: { tool: 'game_drone', action: 'recall', rename: { drone_id: 'id' } },
  summary:
    'Take a drone at your place back into its bay, or all that are here; also out of a battle.',
  category: 'drones',
  order: 'plain',
  inBattle: true,
  needs: [AT_PLACE],
  params,
  result: recallSchema,
  changes: ['ship'],
  errors: [
    ...(['in_transit', 'invalid_payload', 'drone_not_found', 'not_deployed'] as const),
    ...(['drone_traveling', 'drone_not_here', 'bay_full'] as const),
  ],
  run(world, player, { all, drone_id }) {
    if (all === true) return recallAll(world, player)
    return drone_id === undefined ? neither() : recallOne(world, player, drone_id)
  },
})
