/**
 * Commands to drones: in and out of bays, names and scripts. Source: drones.md sections 2, 4.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { immediate, mutation } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import { itemId, obj, ref, str } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { codePointLength } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { brokenRule, storedUsername } from '../account/model.ts'
import { findGood, isNearlyFull } from '../cargo/model.ts'
import { cargoUnits, freeSpace, loadCargo, mayCarry, spaceOf, unloadCargo } from '../ship/model.ts'
import { AT_PLACE } from '../travel/needs.ts'
import { compile, isScriptsFull } from './compile-model.ts'
import { makeDrone, unmakeDrone } from './lives-rules.ts'
import {
  baysOf,
  DRONE_ITEMS,
  droneId,
  dronesOfShip,
  droneTitle,
  figuresOf,
  flownBy,
  ownDrone,
} from './model.ts'
import { setScript } from './rules.ts'
import { loadSchema, nameSchema, unloadSchema, uploadSchema } from './schemas.ts'
import {
  DRONE_NAME_CHARACTERS_MAX,
  DRONE_SCRIPT_PARAM_MAX,
  DRONES_PER_PLAYER_MAX,
  Drone,
  IN_BAY,
  Squadron,
} from './state.ts'

export const droneParam = ref(
  'own_drone',
  str(say`Id or name of a drone of yours, as {get_drones} lists it.`, { min: 1 }),
)

const shared = { category: 'drones', needs: [AT_PLACE], order: 'plain' } as const

/* In and out of the hold */

/** Why a drone cannot be loaded; its type where it can. */
function mayLoad(view: WorldView, player: Eid, text: string) {
  const found = findGood(text)
  if (!found.ok) return found
  const type = DRONE_ITEMS.indexOf(found.result)
  if (type < 0) return fail('not_a_drone', { item_id: GOODS[found.result].id })
  const ship = flownBy(view, player)
  const { capacity } = baysOf(view, ship)
  if (capacity === 0) return fail('no_drone_bay')
  const carried = dronesOfShip(view, ship).length
  if (carried >= capacity) return fail('bay_full', { drones: carried, capacity })
  const { count } = view.read(Squadron)
  if (count[player] >= DRONES_PER_PLAYER_MAX || isNearlyFull(view, Drone)) {
    return fail('limit_reached', { max: DRONES_PER_PLAYER_MAX, of: 'drones of yours' })
  }
  const have = cargoUnits(view, ship, found.result)
  return have < 1 ? fail('insufficient_items', { need: 1, have }) : ok(type)
}

export const loadDrone = mutation({
  ...shared,
  name: 'load_drone',
  v2: { tool: 'game_drone', action: 'load', rename: { item_id: 'id' } },
  summary: 'Take a drone out of the hold into a bay of your ship.',
  params: obj({ item_id: itemId('A drone in your hold.') }),
  result: loadSchema,
  changes: ['ship', 'cargo'],
  errors: [
    ...(['in_transit', 'unknown_item', 'not_a_drone', 'no_drone_bay', 'bay_full'] as const),
    ...(['insufficient_items', 'limit_reached'] as const),
  ],
  run(world, player, { item_id }) {
    const type = mayLoad(world, player, item_id)
    if (!type.ok) return type
    const ship = flownBy(world, player)
    unloadCargo(world, ship, namedContainer('drones'), DRONE_ITEMS[type.result], 1)
    const drone = makeDrone(world, ship, type.result)
    const { id, hull } = figuresOf(world, drone)
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

/** Why a drone in its bay, with what it carries, does not go into the hold. */
function mayUnload(view: WorldView, drone: Row, ship: Eid) {
  const { state, ship: of, hull, hold, type } = view.read(Drone)
  if (state[drone] !== IN_BAY) return fail('drone_deployed')
  if (of[drone] !== ship) return fail('drone_not_here')
  const whole = figuresOf(view, drone).hull
  if (hull[drone] < whole) return fail('drone_damaged', { hull: hull[drone], max_hull: whole })
  const cargo = hold[drone] === 0 ? [] : contentsOf(view, hold[drone])
  if (cargo.some(({ item }) => !mayCarry(view, ship, item))) return fail('hazard_not_supported')
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
  summary: 'Take a whole drone out of its bay into the hold; script and memory are gone.',
  params: obj({ drone_id: droneParam }),
  result: unloadSchema,
  changes: ['ship', 'cargo'],
  errors: [
    ...(['in_transit', 'drone_not_found', 'drone_deployed', 'drone_not_here'] as const),
    ...(['drone_damaged', 'hazard_not_supported', 'no_cargo_space'] as const),
  ],
  run(world, player, { drone_id }) {
    const drone = ownDrone(world, player, drone_id)
    if (drone === 0) return fail('drone_not_found', { drone_id })
    const ship = flownBy(world, player)
    const refused = mayUnload(world, drone, ship)
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
  v2: {
    tool: 'game_drone',
    action: 'upload',
    rename: { drone_id: 'id', script: 'text' },
  },
  summary: 'Give a drone a script, in its bay or out; an empty one clears it. Its memory is kept.',
  inBattle: true,
  params: obj({
    drone_id: droneParam,
    script: str(say`The script; {get_guide} drones has the language.`, {
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
    return fail('script_error', { line, column, kind }, `L${line}:C${column}: ${text}`)
  }
  if (source !== '' && isScriptsFull(world, compiled.program)) return fail('limit_reached')
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
  summary: 'Name a drone, for your own eyes; an empty name clears it.',
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
    const broken = stored === '' ? undefined : brokenRule(stored, DRONE_NAME_CHARACTERS_MAX)
    if (broken) return fail('invalid_name', undefined, broken)
    world.setText(Drone, 'name', drone, stored)
    const message = stored === '' ? 'Name cleared.' : `The drone is called ${stored}.`
    return ok({ drone_id: droneId(world, drone), name: stored, message })
  },
})
