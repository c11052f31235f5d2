/**
 * The life of a drone: loaded, deployed, on a hop, back in its bay, lost. Whoever calls has
 * refused before what may be refused; a drone in a battle has left it. Source: drones.md section
 * 2.
 */
import { assert } from '../../core/assert.ts'
import { STARTER, shipClassIndex } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import {
  closeContainer,
  contentsOf,
  type Held,
  moveItems,
  namedContainer,
  openContainer,
} from '../../core/goods.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { playerId } from '../account/model.ts'
import { adriftFor } from '../cargo/adrift-rules.ts'
import { JettisonContainer } from '../cargo/state.ts'
import { FATES, Participant, ShipCombat } from '../combat/state.ts'
import { createShip, recompute, releaseShip, trackShield } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { poiId, systemId } from '../travel/model.ts'
import { place, unplace } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
import { adriftOf, baysOf, DRONE_ITEMS, droneId, dronesOfShip, figuresOf } from './model.ts'
import { FIGURES } from './pull-kernels.ts'
import {
  assignSlots,
  countAt,
  dropScript,
  forgetAll,
  recordRoster,
  scheduleArrival,
} from './rules.ts'
import { droneAdrift, droneDestroyed } from './schemas.ts'
import {
  Body,
  DEPLOYED,
  DRONES_ADRIFT_MAX,
  DRONES_OF,
  Drone,
  HOPPING,
  IN_BAY,
  Squadron,
} from './state.ts'

/** Of the drones in the bays of a lost ship, those that drop. Source: salvage.md section 2. */
const DROP_PCT = 70
const DROP = hashText('drone.drop')
const LOST = FATES.indexOf('destroyed')

/** Any small hull: its figures are the drone's. */
const BODY_CLASS = shipClassIndex(STARTER[0].ship_class)

/* In and out of the world */

/** A new drone in a bay, whole and without memories; its item is the caller's to move. */
export function makeDrone(world: World, ship: Eid, type: number): Row {
  const drone = world.take(Drone)
  const columns = world.write(Drone)
  columns.type[drone] = type
  columns.ship[drone] = ship
  columns.hull[drone] = FIGURES[type].hull
  columns.loadedMs[drone] = world.wallMs
  if (FIGURES[type].hold > 0) columns.hold[drone] = openContainer(world)
  const owner = world.read(Ship).owner[ship]
  DRONES_OF.link(world, drone, owner)
  world.write(Squadron).count[owner]++
  return drone
}

/** Takes a drone in its bay, with an empty hold, out of the world; its item is the caller's to move. */
export function unmakeDrone(world: World, drone: Row): void {
  const { hold, script, state, owner, holdUsed } = world.read(Drone)
  const player = owner[drone]
  assert(state[drone] === IN_BAY && holdUsed[drone] === 0, 'a drone is unmade that is in use')
  dropScript(world, script[drone])
  world.write(Drone).script[drone] = 0
  forgetAll(world, drone)
  if (hold[drone] !== 0) closeContainer(world, hold[drone])
  DRONES_OF.remove(world, drone)
  world.write(Squadron).count[player]--
  assignSlots(world, player)
}

/** Puts a drone out at a place. */
export function deployDrone(world: World, drone: Row, poi: Eid): void {
  const columns = world.write(Drone)
  assert(columns.state[drone] === IN_BAY, `drone ${drone} is deployed twice`)
  columns.state[drone] = DEPLOYED
  columns.system[drone] = world.read(Poi).system[poi]
  columns.poi[drone] = poi
  columns.deployedTick[drone] = world.tick
  columns.deployedMs[drone] = world.wallMs
  const body = createShip(world, { owner: 0, shipClass: BODY_CLASS, modules: [] })
  columns.body[drone] = body
  world.write(Body).drone[body] = drone
  recompute(world, body)
  world.write(Ship).hull[body] = columns.hull[drone]
  trackShield(world, body)
  place(world, body, poi)
  countAt(world, poi, 1)
  recordRoster(world)
  assignSlots(world, columns.owner[drone])
}

/** Takes a drone off the map; it is in its bay then. */
function takeIn(world: World, drone: Row): void {
  const columns = world.write(Drone)
  const { state, body, poi, dest } = columns
  assert(state[drone] !== IN_BAY, `drone ${drone} is not out`)
  const hull = body[drone]
  assert(world.read(ShipCombat).participant[hull] === 0, `drone ${drone} still fights`)
  columns.hull[drone] = world.read(Ship).hull[hull]
  countAt(world, state[drone] === DEPLOYED ? poi[drone] : dest[drone], -1)
  body[drone] = 0
  for (const column of [columns.system, poi, dest, columns.arriveTick, columns.quarry]) {
    column[drone] = 0
  }
  for (const column of [state, columns.running, columns.limited]) column[drone] = 0
  columns.deployedTick[drone] = 0
  columns.deployedMs[drone] = 0
  world.write(Body).drone[hull] = 0
  unplace(world, hull)
  releaseShip(world, hull)
  recordRoster(world)
  assignSlots(world, columns.owner[drone])
}

/** Takes a drone into a bay of the ship. */
export function recallDrone(world: World, drone: Row, ship: Eid): void {
  takeIn(world, drone)
  world.write(Drone).ship[drone] = ship
}

/* Hops */

/** Sets out for another place of the system. */
export function hop(world: World, drone: Row, dest: Eid): void {
  const columns = world.write(Drone)
  assert(columns.state[drone] === DEPLOYED, `drone ${drone} departs from nowhere`)
  const tick = world.tick + figuresOf(world, drone).hopTicks
  countAt(world, columns.poi[drone], -1)
  countAt(world, dest, 1)
  columns.state[drone] = HOPPING
  columns.poi[drone] = 0
  columns.dest[drone] = dest
  columns.arriveTick[drone] = tick
  unplace(world, columns.body[drone])
  scheduleArrival(world, drone, tick)
}

/** Ends a hop. */
export function land(world: World, drone: Row): void {
  const columns = world.write(Drone)
  assert(columns.state[drone] === HOPPING, `drone ${drone} lands twice`)
  columns.state[drone] = DEPLOYED
  columns.poi[drone] = columns.dest[drone]
  columns.dest[drone] = 0
  columns.arriveTick[drone] = 0
  place(world, columns.body[drone], columns.poi[drone])
}

/* Loss */

/** What a drone carries is adrift at its place; on a hop, or where there is no room, it is gone. */
function spill(world: World, drone: Row): void {
  const { hold, holdUsed, owner, poi } = world.write(Drone)
  if (hold[drone] === 0 || holdUsed[drone] === 0) return
  const row = adriftFor(world, poi[drone], owner[drone])
  const to = row === 0 ? namedContainer('destroyed') : world.read(JettisonContainer).container[row]
  for (const { item, units } of contentsOf(world, hold[drone])) {
    moveItems(world, hold[drone], to, item, units)
  }
  holdUsed[drone] = 0
}

/** A drone is gone, and its owner hears of it. `to`: where its item goes. */
function endDrone(world: World, drone: Row, to: Row, killerId: string): void {
  const { owner, state, type } = world.read(Drone)
  const player = owner[drone]
  const payload = {
    drone_id: droneId(world, drone),
    owner_id: playerId(world, player),
    drone_type: figuresOf(world, drone).id,
    ...(killerId === '' ? {} : { killer_id: killerId }),
  }
  spill(world, drone)
  if (state[drone] !== IN_BAY) takeIn(world, drone)
  moveItems(world, namedContainer('drones'), to, DRONE_ITEMS[type[drone]], 1)
  unmakeDrone(world, drone)
  emit(world, droneDestroyed, payload, toPlayer(player))
}

/** A drone is destroyed; `killerId` is empty when nobody did it. */
export const destroyDrone = (world: World, drone: Row, killerId: string): void =>
  endDrone(world, drone, namedContainer('destroyed'), killerId)

/** Destroys a drone wherever it is: one in a battle at the end of the coming fight. */
function scuttle(world: World, drone: Row): void {
  const body = world.read(Drone).body[drone]
  const row = world.read(ShipCombat).participant[body]
  if (row === 0) {
    destroyDrone(world, drone, '')
    return
  }
  world.write(Ship).hull[body] = 0
  world.write(Participant).fate[row] = LOST
}

/** A drone that is out belongs to no bay any more. */
function setAdrift(world: World, drone: Row): void {
  const columns = world.write(Drone)
  const { owner, poi, system } = columns
  columns.ship[drone] = 0
  const payload = {
    drone_id: droneId(world, drone),
    owner_id: playerId(world, owner[drone]),
    drone_type: figuresOf(world, drone).id,
    system_id: systemId(world, system[drone]),
    ...(poi[drone] === 0 ? {} : { poi_id: poiId(world, poi[drone]) }),
  }
  emit(world, droneAdrift, payload, toPlayer(owner[drone]))
}

/** Too many adrift: the longest out are lost. */
function cullAdrift(world: World, player: Eid): void {
  const adrift = adriftOf(world, player)
  const surplus = Math.max(0, adrift.length - DRONES_ADRIFT_MAX)
  for (const drone of adrift.slice(0, surplus)) scuttle(world, drone)
}

/**
 * A ship of a player is lost: of the drones in its bays seven in ten drop, those that are out go
 * on, adrift. Returns the items that drop, which the container `drones` holds until the caller moves
 * them. To be called while the ship still has its owner and modules. Source: drones.md section 2,
 * salvage.md section 2.
 */
export function loseBays(world: World, ship: Eid): Held[] {
  const drones = dronesOfShip(world, ship)
  if (drones.length === 0) return []
  const kept = new Map<number, number>()
  const { seq, state, type } = world.read(Drone)
  for (const drone of drones) {
    if (state[drone] !== IN_BAY) {
      setAdrift(world, drone)
      continue
    }
    const item = DRONE_ITEMS[type[drone]]
    const isKept = drawBelow(100, hash32(world.seed, world.tick, DROP, seq[drone])) < DROP_PCT
    if (isKept) kept.set(item, (kept.get(item) ?? 0) + 1)
    endDrone(world, drone, namedContainer(isKept ? 'drones' : 'destroyed'), '')
  }
  cullAdrift(world, world.read(Ship).owner[ship])
  return [...kept].map(([item, units]) => ({ item, units })).sort((a, b) => a.item - b.item)
}

/** A ship of a player is lost without a wreck: nothing that was in its bays drops. */
export function scrapBays(world: World, ship: Eid): void {
  for (const { item, units } of loseBays(world, ship)) {
    moveItems(world, namedContainer('drones'), namedContainer('destroyed'), item, units)
  }
}

/** Drones in the bays of a ship become goods in a container, opened when there is any. */
export function stowBays(world: World, ship: Eid, to: () => Row): void {
  const { state, type } = world.read(Drone)
  for (const drone of dronesOfShip(world, ship)) {
    if (state[drone] !== IN_BAY) continue
    spill(world, drone)
    moveItems(world, namedContainer('drones'), to(), DRONE_ITEMS[type[drone]], 1)
    unmakeDrone(world, drone)
  }
}

/**
 * A player changes ships: drones in bays come along, those that are out as far as there is room;
 * the others are adrift. The caller has asked `refusesSwitch`. Source: drones.md section 1; ours:
 * which of them come along.
 */
export function moveBays(world: World, from: Eid, to: Eid): void {
  const drones = dronesOfShip(world, from)
  const columns = world.write(Drone)
  const { capacity, bandwidth } = baysOf(world, to)
  let [room, band] = [capacity, bandwidth]
  for (const drone of drones) {
    if (columns.state[drone] !== IN_BAY) continue
    columns.ship[drone] = to
    room--
  }
  assert(room >= 0, 'bays are moved to a ship that has no room for them')
  for (const drone of drones) {
    if (columns.state[drone] === IN_BAY) continue
    const cost = figuresOf(world, drone).bandwidth
    if (room >= 1 && band >= cost) {
      columns.ship[drone] = to
      room--
      band -= cost
    } else setAdrift(world, drone)
  }
  if (drones.length > 0) cullAdrift(world, world.read(Ship).owner[from])
}
