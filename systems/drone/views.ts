/** Wire forms of drones, for their owners alone. Source: drones.md section 4. */
import { GOODS } from '../../core/catalog/index.ts'
import { contentsOf } from '../../core/goods.ts'
import type { Static } from '../../core/params.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { ShipCombat } from '../combat/state.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { poiId, systemId } from '../travel/model.ts'
import { previewOf, sourceOf } from './compile-model.ts'
import {
  bandwidthUsed,
  baysOf,
  droneId,
  droneSpec,
  dronesOf,
  dronesOfShip,
  memoryOf,
  scriptSlots,
} from './model.ts'
import type { DroneEntry, DroneStatus, droneSchema, listSchema } from './schemas.ts'
import { Drone, HOPPING, IN_BAY } from './state.ts'

/** Returns the hull points of a drone, in its bay or out. */
export function hullOfDrone(view: WorldView, drone: Row): number {
  const { body, hull } = view.read(Drone)
  return body[drone] === 0 ? hull[drone] : view.read(Ship).hull[body[drone]]
}

/** Returns the status of a drone on the wire. */
export function statusOf(view: WorldView, drone: Row): DroneStatus {
  const { state, body, ship, script, running, limited } = view.read(Drone)
  if (state[drone] === IN_BAY) return 'in_bay'
  if (state[drone] === HOPPING) return 'traveling'
  if (view.read(ShipCombat).participant[body[drone]] !== 0) return 'in_battle'
  if (ship[drone] === 0) return 'adrift'
  if (script[drone] === 0) return 'idle'
  if (running[drone] === 0) return 'no_script_slot'
  return limited[drone] === 1 ? 'step_limit' : 'running'
}

/** Renders name and place, and where it is going. */
function renderPlace(view: WorldView, drone: Row) {
  const { poi, dest, arriveTick, state, name } = view.read(Drone)
  const given = view.texts.get(name[drone])
  return {
    ...(given === '' ? {} : { name: given }),
    ...(poi[drone] === 0 ? {} : { poi_id: poiId(view, poi[drone]) }),
    ...(state[drone] === HOPPING && {
      travel_to: poiId(view, dest[drone]),
      travel_ticks: Math.max(0, arriveTick[drone] - view.tick),
    }),
  }
}

function renderEntry(view: WorldView, drone: Row): DroneEntry {
  const { holdUsed, script } = view.read(Drone)
  const { id, hull, hold } = droneSpec(view, drone)
  return {
    id: droneId(view, drone),
    type: id,
    status: statusOf(view, drone),
    hull: hullOfDrone(view, drone),
    max_hull: hull,
    cargo_pct: hold === 0 ? 0 : Math.trunc((100 * holdUsed[drone]) / hold),
    has_script: script[drone] !== 0,
    ...(script[drone] === 0 ? {} : { script_preview: previewOf(view, script[drone]) }),
    ...renderPlace(view, drone),
  }
}

export function renderDrone(view: WorldView, drone: Row): Static<typeof droneSchema> {
  const { hold, holdUsed, script, system, loadedMs, deployedMs } = view.read(Drone)
  const { id, hull, hold: space } = droneSpec(view, drone)
  const held = hold[drone] === 0 ? [] : contentsOf(view, hold[drone])
  return {
    id: droneId(view, drone),
    type: id,
    item_id: id,
    status: statusOf(view, drone),
    hull: hullOfDrone(view, drone),
    max_hull: hull,
    cargo: held.map(({ item, units }) => ({
      item_id: GOODS[item].id,
      name: GOODS[item].name,
      quantity: units,
      size: GOODS[item].size,
    })),
    cargo_used: holdUsed[drone],
    cargo_capacity: space,
    script: sourceOf(view, script[drone]),
    memory: memoryOf(view, drone),
    loaded_at: isoTime(loadedMs[drone]),
    ...(deployedMs[drone] === 0 ? {} : { deployed_at: isoTime(deployedMs[drone]) }),
    ...(system[drone] === 0 ? {} : { system_id: systemId(view, system[drone]) }),
    ...renderPlace(view, drone),
  }
}

/** Renders all drones of a player, and what the ship they fly has for them. */
export function renderDrones(view: WorldView, player: Eid): Static<typeof listSchema> {
  const ship = activeShip(view, player)
  const drones = dronesOf(view, player)
  const { capacity, bandwidth } = baysOf(view, ship)
  const { state, running } = view.read(Drone)
  return {
    drones: drones.map((drone) => renderEntry(view, drone)),
    bay_count: dronesOfShip(view, ship).length,
    bay_capacity: capacity,
    deployed_count: drones.filter((drone) => state[drone] !== IN_BAY).length,
    bandwidth_used: bandwidthUsed(view, ship),
    bandwidth_total: bandwidth,
    script_slots: scriptSlots(view, player),
    scripts_running: drones.filter((drone) => running[drone] === 1).length,
  }
}
