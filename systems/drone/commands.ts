/**
 * Commands to drones: in and out of bays, names and scripts. Source: drones.md sections 2, 4.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { immediate, mutation } from '../../core/command.ts'
import { type Failure, fail, invalidFields, ok } from '../../core/errors.ts'
import { Container, contentsOf, namedContainer } from '../../core/goods.ts'
import { bool, itemId, obj, optional, ref, str, words } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import { codePointLength } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { nameProblem, storedUsername } from '../account/usernames-model.ts'
import { findGood, isNearlyFull } from '../cargo/model.ts'
import { leaveBattle } from '../combat/battles-rules.ts'
import { recordDeparture } from '../combat/log-model.ts'
import { participantOf } from '../combat/model.ts'
import { canCarry, cargoUnits, freeSpace, loadCargo, spaceOf, unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { poiOf, shipOf } from '../travel/location-model.ts'
import { poiName } from '../travel/model.ts'
import { AT_PLACE, UNDOCKED } from '../travel/needs.ts'
import { compile, lacksScriptRoom } from './compile-model.ts'
import {
  deployDrone as deployTo,
  makeDrone,
  recallDrone as recallTo,
  unmakeDrone,
} from './lifecycle-rules.ts'
import {
  bandwidthUsed,
  baysOf,
  DRONE_ITEMS,
  droneId,
  droneSpec,
  dronesAt,
  dronesOf,
  dronesOfShip,
  droneTitle,
  inBay,
  otherBayRefusal,
  ownDrone,
} from './model.ts'
import {
  deploySchema,
  loadSchema,
  nameSchema,
  recallSchema,
  unloadSchema,
  uploadSchema,
} from './schemas.ts'
import { setScript } from './script-rules.ts'
import {
  DRONE_NAME_CHARACTERS_MAX,
  DRONE_SCRIPT_PARAM_MAX,
  DRONES_PER_PLAYER_MAX,
  DRONES_PER_POI_MAX,
  Drone,
  HOPPING,
  IN_BAY,
  Squadron,
} from './state.ts'
import { hullOfDrone, statusOf } from './views.ts'

export const droneParam = ref(
  'own_drone',
  str(say`Id or name of a drone of yours, as {get_drones} lists it.`, { min: 1 }),
)

const shared = { category: 'drones', needs: [AT_PLACE], order: 'plain' } as const

/* In and out of the hold */

/** Returns the type of the drone that a text names, if it can be loaded. */
function loadableType(view: WorldView, player: Eid, text: string) {
  const found = findGood(text)
  if (!found.ok) return found
  const type = DRONE_ITEMS.indexOf(found.result)
  if (type < 0) return fail('not_a_drone', { item_id: GOODS[found.result].id })
  const ship = shipOf(view, player)
  const { capacity } = baysOf(view, ship)
  if (capacity === 0) return fail('no_drone_bay')
  const carried = dronesOfShip(view, ship).length
  if (carried >= capacity) return fail('bay_full', { drones: carried, capacity })
  const { count } = view.read(Squadron)
  if (count[player] >= DRONES_PER_PLAYER_MAX || isNearlyFull(view, Drone)) {
    return fail('limit_reached', { max: DRONES_PER_PLAYER_MAX, of: 'drones of yours' })
  }
  const have = cargoUnits(view, ship, found.result)
  const item_id = GOODS[found.result].id
  return have < 1 ? fail('insufficient_items', { item_id, need: 1, have }) : ok(type)
}

export const loadDrone = mutation({
  ...shared,
  name: 'load_drone',
  v2: { tool: 'game_drone', action: 'load', rename: { item_id: 'id' } },
  summary: 'Take a drone out of the hold into a bay of your ship.',
  params: obj({ item_id: itemId('A drone in your hold.') }),
  result: loadSchema,
  changes: ['ship', 'cargo'],
  errors: words(
    'in_transit unknown_item not_a_drone no_drone_bay bay_full insufficient_items limit_reached',
  ),
  run(world, player, { item_id }) {
    const type = loadableType(world, player, item_id)
    if (!type.ok) return type
    const ship = shipOf(world, player)
    unloadCargo(world, ship, namedContainer('drones'), DRONE_ITEMS[type.result], 1)
    const drone = makeDrone(world, ship, type.result)
    const { id, hull } = droneSpec(world, drone)
    return ok({
      drone_id: droneId(world, drone),
      drone_type: id,
      hull,
      bay_count: dronesOfShip(world, ship).length,
      bay_capacity: baysOf(world, ship).capacity,
      status: 'in_bay' as const,
      message: `${droneTitle(world, drone)} loaded into its bay.`,
    })
  },
})

/** Refuses to put a drone, with what it carries, from its bay into the hold. */
function unloadRefusal(view: WorldView, drone: Row, ship: Eid) {
  const { state, hull, hold, type } = view.read(Drone)
  if (state[drone] !== IN_BAY) return fail('drone_deployed')
  const elsewhere = otherBayRefusal(view, drone, ship)
  if (elsewhere) return elsewhere
  const max_hull = droneSpec(view, drone).hull
  if (hull[drone] < max_hull) return fail('drone_damaged', { hull: hull[drone], max_hull })
  const cargo = hold[drone] === 0 ? [] : contentsOf(view, hold[drone])
  if (cargo.some(({ item }) => !canCarry(view, ship, item))) return fail('hazard_not_supported')
  const need = [...cargo, { item: DRONE_ITEMS[type[drone]], units: 1 }].reduce((sum, held) => {
    const before = cargoUnits(view, ship, held.item)
    const after = spaceOf(view, ship, held.item, before + held.units)
    return sum + after - spaceOf(view, ship, held.item, before)
  }, 0)
  const have = freeSpace(view, ship)
  return need > have ? fail('no_cargo_space', { need, have }) : undefined
}

export const unloadDrone = mutation({
  ...shared,
  name: 'unload_drone',
  v2: { tool: 'game_drone', action: 'unload', rename: { drone_id: 'id' } },
  summary: 'Move an undamaged drone from its bay to the hold; script and memory are lost.',
  params: obj({ drone_id: droneParam }),
  result: unloadSchema,
  changes: ['ship', 'cargo'],
  errors: words(
    'in_transit drone_not_found drone_deployed drone_not_here drone_damaged hazard_not_supported',
    'no_cargo_space',
  ),
  run(world, player, { drone_id }) {
    const drone = ownDrone(world, player, drone_id)
    if (drone === 0) return fail('drone_not_found', { drone_id })
    const ship = shipOf(world, player)
    const refused = unloadRefusal(world, drone, ship)
    if (refused) return refused
    const { hold, type } = world.read(Drone)
    const item = DRONE_ITEMS[type[drone]]
    const result = {
      drone_id: droneId(world, drone),
      item_id: GOODS[item].id,
      message: `${droneTitle(world, drone)} unloaded into the hold.`,
    }
    for (const held of hold[drone] === 0 ? [] : contentsOf(world, hold[drone])) {
      loadCargo(world, ship, hold[drone], held.item, held.units)
    }
    world.write(Drone).holdUsed[drone] = 0
    unmakeDrone(world, drone)
    loadCargo(world, ship, namedContainer('drones'), item, 1)
    return ok(result)
  },
})

/* Scripts and names */

export const uploadDroneScript = mutation({
  ...shared,
  name: 'upload_drone_script',
  v2: { tool: 'game_drone', action: 'upload', rename: { drone_id: 'id', script: 'text' } },
  summary: 'Give a drone a script, in its bay or out; an empty one clears it. Its memory is kept.',
  inBattle: true,
  params: obj({
    drone_id: droneParam,
    script: str(say`The script, as {get_guide} drone-scripts explains.`, {
      max: DRONE_SCRIPT_PARAM_MAX,
      example: 'MINE',
    }),
  }),
  result: uploadSchema,
  changes: [],
  errors: ['in_transit', 'drone_not_found', 'script_error', 'limit_reached'],
  run(world, player, { drone_id, script: source }) {
    const drone = ownDrone(world, player, drone_id)
    if (drone === 0) return fail('drone_not_found', { drone_id })
    return upload(world, drone, source)
  },
})

function upload(world: World, drone: Row, source: string) {
  const compiled = compile(source, world.read(Drone).type[drone])
  if (!compiled.ok) {
    const { line, column, kind, text } = compiled.fault
    const message = say`Line ${line}, column ${column}: ${text}. The old script is kept; {get_guide} drone-scripts has the language.`
    return fail('script_error', { line, column, kind }, message)
  }
  if (source !== '' && lacksScriptRoom(world, compiled.program)) return fail('limit_reached')
  setScript(world, drone, source, compiled.program)
  const length = codePointLength(source)
  const message = source === '' ? 'Script cleared.' : `Script of ${length} characters uploaded.`
  return ok({ drone_id: droneId(world, drone), script_len: length, message })
}

export const setDroneName = immediate({
  category: 'drones',
  needs: [],
  name: 'set_drone_name',
  v2: { tool: 'game_drone', action: 'name', rename: { drone_id: 'id', name: 'text' } },
  summary: 'Name a drone, for yourself only; an empty name clears it.',
  params: obj({
    drone_id: droneParam,
    name: str(`A name of at most ${DRONE_NAME_CHARACTERS_MAX} characters.`, { example: 'Digger' }),
  }),
  result: nameSchema,
  errors: ['drone_not_found', 'invalid_name', 'rate_limited'],
  run(world, player, { drone_id, name }) {
    const drone = ownDrone(world, player, drone_id)
    if (drone === 0) return fail('drone_not_found', { drone_id })
    const stored = storedUsername(name)
    const broken = stored === '' ? undefined : nameProblem(stored, DRONE_NAME_CHARACTERS_MAX)
    if (broken) return fail('invalid_name', undefined, broken)
    world.setText(Drone, 'name', drone, stored)
    const message = stored === '' ? 'Name cleared.' : `The drone is called ${stored}.`
    return ok({ drone_id: droneId(world, drone), name: stored, message })
  },
})

/* Deploying and recalling */

const params = obj({
  all: optional(bool('All of them; else name one.')),
  drone_id: optional(droneParam),
})

const noDroneNamed = (): Failure<'invalid_payload'> =>
  invalidFields({ field: 'drone_id', expected: 'the id of a drone, or all: true' })

/** Refuses another drone where the place or the world has no room. Refusals: limit_reached. */
function roomRefusal(view: WorldView, poi: Eid): Failure<'limit_reached'> | undefined {
  if (isNearlyFull(view, Ship) || isNearlyFull(view, Container)) return fail('limit_reached')
  if (dronesAt(view, poi) < DRONES_PER_POI_MAX) return undefined
  return fail('limit_reached', { max: DRONES_PER_POI_MAX, of: 'drones at a place' })
}

const bandwidthLeft = (view: WorldView, ship: Eid): number =>
  baysOf(view, ship).bandwidth - bandwidthUsed(view, ship)

const renderBandwidth = (view: WorldView, ship: Eid) => ({
  bandwidth_used: bandwidthUsed(view, ship),
  bandwidth_total: baysOf(view, ship).bandwidth,
})

function deployOne(world: World, player: Eid, id: string) {
  const drone = ownDrone(world, player, id)
  const [ship, poi] = [shipOf(world, player), poiOf(world, player)]
  if (drone === 0) return fail('drone_not_found', { drone_id: id })
  if (!inBay(world, drone)) return fail('already_deployed')
  const [need, have] = [droneSpec(world, drone).bandwidth, bandwidthLeft(world, ship)]
  if (need > have) return fail('bandwidth_exceeded', { need, have })
  const refused = otherBayRefusal(world, drone, ship) ?? roomRefusal(world, poi)
  if (refused) return refused
  deployTo(world, drone, poi)
  const { id: type, hull } = droneSpec(world, drone)
  return ok({
    action: 'deploy_drone' as const,
    drone_id: droneId(world, drone),
    drone_type: type,
    hull: hullOfDrone(world, drone),
    max_hull: hull,
    status: statusOf(world, drone),
    ...renderBandwidth(world, ship),
    message: `${droneTitle(world, drone)} deployed at ${poiName(world, poi)}.`,
  })
}

function deployAll(world: World, player: Eid) {
  const ship = shipOf(world, player)
  const poi = poiOf(world, player)
  const ready = dronesOfShip(world, ship).filter((drone) => inBay(world, drone))
  if (ready.length === 0) return fail('nothing_to_deploy')
  const refused = roomRefusal(world, poi)
  if (refused) return refused
  let deployed = 0
  for (const drone of ready) {
    const fits = droneSpec(world, drone).bandwidth <= bandwidthLeft(world, ship)
    if (!fits || roomRefusal(world, poi)) continue
    deployTo(world, drone, poi)
    deployed++
  }
  return ok({
    action: 'deploy_all_drones' as const,
    deployed,
    skipped: ready.length - deployed,
    ...renderBandwidth(world, ship),
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
  errors: words(
    'in_transit invalid_payload drone_not_found already_deployed drone_not_here bandwidth_exceeded',
    'nothing_to_deploy limit_reached',
  ),
  run(world, player, { all, drone_id }) {
    if (all === true) return deployAll(world, player)
    return drone_id === undefined ? noDroneNamed() : deployOne(world, player, drone_id)
  },
})

/** Refuses to take a drone back into a bay of the ship that the player flies. */
function recallRefusal(view: WorldView, player: Eid, drone: Row) {
  const { state, poi, ship: home } = view.read(Drone)
  const ship = shipOf(view, player)
  if (state[drone] === IN_BAY) return fail('not_deployed')
  if (state[drone] === HOPPING) return fail('drone_traveling')
  if (poi[drone] !== poiOf(view, player)) return fail('drone_not_here')
  const { capacity } = baysOf(view, ship)
  const carried = dronesOfShip(view, ship).length + (home[drone] === ship ? 0 : 1)
  return carried > capacity ? fail('bay_full', { drones: carried - 1, capacity }) : undefined
}

function recall(world: World, player: Eid, drone: Row): void {
  const participant = participantOf(world, world.read(Drone).body[drone])
  if (participant !== 0) {
    recordDeparture(world, participant, true)
    leaveBattle(world, participant, 'battle_ended')
  }
  recallTo(world, drone, shipOf(world, player))
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
  const skipped = out.length - recalled
  const text = `${recalled} of ${counted(out.length, 'drone')} recalled.`
  const message =
    skipped === 0
      ? text
      : say`${text} The others are elsewhere, on their way or without a free bay: {get_drones} shows where.`
  return ok({ recalled, skipped, message })
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
  errors: words(
    'in_transit invalid_payload drone_not_found not_deployed drone_traveling drone_not_here',
    'bay_full',
  ),
  run(world, player, { all, drone_id }) {
    if (all === true) return recallAll(world, player)
    return drone_id === undefined ? noDroneNamed() : recallOne(world, player, drone_id)
  },
})
