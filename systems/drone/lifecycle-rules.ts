/**
 * The life of a drone: loaded, deployed, on a hop, back in its bay, lost. Callers have made all
 * refusals, and taken the drone out of its battle. Source: drones.md section 2.
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
import { addToList } from '../../core/groups.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { playerId } from '../account/model.ts'
import { openJettisonContainerIfRoom } from '../cargo/adrift-rules.ts'
import { JettisonContainer } from '../cargo/state.ts'
import { FATES, Participant, ShipCombat } from '../combat/state.ts'
import { createShip, recompute, releaseShip, trackShield } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { poiId, systemId } from '../travel/model.ts'
import { placeInSpace, removeFromMap } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
import { DRONE_FIGURES } from './figures-model.ts'
import {
  adriftOf,
  baysOf,
  DRONE_ITEMS,
  droneId,
  droneSpec,
  dronesAt,
  dronesOfShip,
  droneType,
} from './model.ts'
import { droneAdrift, droneDestroyed } from './schemas.ts'
import { assignSlots, dropScript, forgetAll } from './script-rules.ts'
import {
  Body,
  DEPLOYED,
  DRONES_ADRIFT_MAX,
  DRONES_OF,
  Drone,
  HOPPING,
  IN_BAY,
  ROSTER,
  Squadron,
} from './state.ts'

/** Share of the drones in the bays of a lost ship that drop, %. Source: salvage.md section 2. */
const DROP_PCT = 70
const DROP = hashText('drone.drop')
const LOST = FATES.indexOf('destroyed')

/** Class of every drone's hull; its figures are the drone's own. */
const BODY_CLASS = shipClassIndex(STARTER[0].ship_class)

/* The roster: which drones are out, how many a place has, which arrive when. Derived. */

function countAt(world: World, poi: Eid, change: 1 | -1): void {
  const { places } = world.index(ROSTER)
  const count = dronesAt(world, poi) + change
  if (count === 0) places.delete(poi)
  else places.set(poi, count)
}

const scheduleArrival = (world: World, drone: Row, tick: number): void =>
  addToList(world.index(ROSTER).due, tick, drone)

/** Removes from the index and returns the drones whose hop ends in this tick, by number. */
export function takeArrivals(world: World): Row[] {
  const { due } = world.index(ROSTER)
  const rows = due.get(world.tick)
  if (!rows) return []
  due.delete(world.tick)
  const { alive, state, arriveTick, seq } = world.read(Drone)
  const arrived = rows.filter(
    (row) => alive[row] === 1 && state[row] === HOPPING && arriveTick[row] === world.tick,
  )
  return [...new Set(arrived)].sort((a, b) => seq[a] - seq[b])
}

export function rebuildRoster(world: World): void {
  const index = world.index(ROSTER)
  index.isValid = false
  index.places.clear()
  index.due.clear()
  const { alive, state, poi, dest, arriveTick } = world.read(Drone)
  for (let row = 1; row <= world.highOf(Drone); row++) {
    if (alive[row] === 0 || state[row] === IN_BAY) continue
    countAt(world, state[row] === DEPLOYED ? poi[row] : dest[row], 1)
    if (state[row] === HOPPING) scheduleArrival(world, row, arriveTick[row])
  }
}

/* In and out of the world */

/** Creates a drone in a bay, undamaged and with an empty memory; the caller moves its item. */
export function makeDrone(world: World, ship: Eid, type: number): Row {
  const drone = world.take(Drone)
  const columns = world.write(Drone)
  columns.type[drone] = type
  columns.ship[drone] = ship
  columns.hull[drone] = DRONE_FIGURES[type].hull
  columns.loadedMs[drone] = world.wallMs
  if (DRONE_FIGURES[type].hold > 0) columns.hold[drone] = openContainer(world)
  const owner = world.read(Ship).owner[ship]
  DRONES_OF.link(world, drone, owner)
  world.write(Squadron).count[owner]++
  return drone
}

/** Removes a drone that is in its bay with an empty hold; the caller moves its item. */
export function unmakeDrone(world: World, drone: Row): void {
  const { hold, script, state, owner, holdUsed } = world.read(Drone)
  const player = owner[drone]
  assert(state[drone] === IN_BAY && holdUsed[drone] === 0, `drone ${drone} is unmade while in use`)
  dropScript(world, script[drone])
  world.write(Drone).script[drone] = 0
  forgetAll(world, drone)
  if (hold[drone] !== 0) closeContainer(world, hold[drone])
  DRONES_OF.remove(world, drone)
  world.write(Squadron).count[player]--
  assignSlots(world, player)
}

/** Deploys a drone from its bay to a place. */
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
  placeInSpace(world, body, poi)
  countAt(world, poi, 1)
  world.index(ROSTER).isValid = false
  assignSlots(world, columns.owner[drone])
}

/** Takes a drone off the map and into its bay. */
function stowDrone(world: World, drone: Row): void {
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
  removeFromMap(world, hull)
  releaseShip(world, hull)
  world.index(ROSTER).isValid = false
  assignSlots(world, columns.owner[drone])
}

/** Takes a drone into a bay of the ship. */
export function recallDrone(world: World, drone: Row, ship: Eid): void {
  stowDrone(world, drone)
  world.write(Drone).ship[drone] = ship
}

/* Hops */

/** Begins a hop to another place of the system. */
export function hop(world: World, drone: Row, dest: Eid): void {
  const columns = world.write(Drone)
  assert(columns.state[drone] === DEPLOYED, `drone ${drone} departs from nowhere`)
  const tick = world.tick + droneSpec(world, drone).hopTicks
  countAt(world, columns.poi[drone], -1)
  countAt(world, dest, 1)
  columns.state[drone] = HOPPING
  columns.poi[drone] = 0
  columns.dest[drone] = dest
  columns.arriveTick[drone] = tick
  removeFromMap(world, columns.body[drone])
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
  placeInSpace(world, columns.body[drone], columns.poi[drone])
}

/* Loss */

/** Sets what a drone carries adrift at its place; on a hop, or without room there, it is lost. */
function spill(world: World, drone: Row): void {
  const { hold, holdUsed, owner, poi } = world.write(Drone)
  if (hold[drone] === 0 || holdUsed[drone] === 0) return
  const adrift = openJettisonContainerIfRoom(world, owner[drone], poi[drone])
  const { container } = world.read(JettisonContainer)
  const to = adrift === 0 ? namedContainer('destroyed') : container[adrift]
  for (const { item, units } of contentsOf(world, hold[drone])) {
    moveItems(world, hold[drone], to, item, units)
  }
  holdUsed[drone] = 0
}

/** Ends a drone, its item going to `to`, and notifies its owner. */
function endDrone(world: World, drone: Row, to: Row, killerId: string): void {
  const { owner, state, type } = world.read(Drone)
  const player = owner[drone]
  const payload = {
    drone_id: droneId(world, drone),
    owner_id: playerId(world, player),
    drone_type: droneType(world, drone),
    ...(killerId === '' ? {} : { killer_id: killerId }),
  }
  spill(world, drone)
  if (state[drone] !== IN_BAY) stowDrone(world, drone)
  moveItems(world, namedContainer('drones'), to, DRONE_ITEMS[type[drone]], 1)
  unmakeDrone(world, drone)
  emit(world, droneDestroyed, payload, toPlayer(player))
}

/** Destroys a drone; `killerId` is empty where no one did it. */
export const destroyDrone = (world: World, drone: Row, killerId: string): void =>
  endDrone(world, drone, namedContainer('destroyed'), killerId)

/** Destroys a drone wherever it is: one in a battle at the end of the coming fight. */
function scuttle(world: World, drone: Row): void {
  const body = world.read(Drone).body[drone]
  const participant = world.read(ShipCombat).participant[body]
  if (participant === 0) {
    destroyDrone(world, drone, '')
    return
  }
  world.write(Participant).fate[participant] = LOST
}

/** Sets a deployed drone adrift, without a bay, and notifies its owner. */
function setAdrift(world: World, drone: Row): void {
  const columns = world.write(Drone)
  const { owner, poi, system } = columns
  columns.ship[drone] = 0
  const payload = {
    drone_id: droneId(world, drone),
    owner_id: playerId(world, owner[drone]),
    drone_type: droneType(world, drone),
    system_id: systemId(world, system[drone]),
    ...(poi[drone] === 0 ? {} : { poi_id: poiId(world, poi[drone]) }),
  }
  emit(world, droneAdrift, payload, toPlayer(owner[drone]))
}

/** Scuttles drones adrift beyond the bound, the longest out first. */
function cullAdrift(world: World, player: Eid): void {
  const adrift = adriftOf(world, player)
  const surplus = Math.max(0, adrift.length - DRONES_ADRIFT_MAX)
  for (const drone of adrift.slice(0, surplus)) scuttle(world, drone)
}

/**
 * Ends the bays of a ship that is lost: seven in ten of the drones in them drop, and those that are
 * out go adrift. Returns the items that drop, which the container `drones` holds until the caller
 * moves them. The ship must still have its owner and modules. Source: drones.md section 2,
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

/** Ends the bays of a ship that is lost without a wreck: nothing drops. */
export function scrapBays(world: World, ship: Eid): void {
  for (const { item, units } of loseBays(world, ship)) {
    moveItems(world, namedContainer('drones'), namedContainer('destroyed'), item, units)
  }
}

/** Turns the drones in the bays of a ship into goods in a container, which `to` opens if needed. */
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
 * Moves the drones of a player who changes ships: those in bays, and those that are out as far as
 * there is room; the rest go adrift. The caller has checked `switchRefusal`. Source: drones.md
 * section 1; ours: which of them move along.
 */
export function moveBays(world: World, from: Eid, to: Eid): void {
  const drones = dronesOfShip(world, from)
  const columns = world.write(Drone)
  let { capacity, bandwidth } = baysOf(world, to)
  for (const drone of drones) {
    if (columns.state[drone] !== IN_BAY) continue
    columns.ship[drone] = to
    capacity--
  }
  assert(capacity >= 0, 'bays are moved to a ship that has no room for them')
  for (const drone of drones) {
    if (columns.state[drone] === IN_BAY) continue
    const cost = droneSpec(world, drone).bandwidth
    if (capacity >= 1 && bandwidth >= cost) {
      columns.ship[drone] = to
      capacity--
      bandwidth -= cost
    } else setAdrift(world, drone)
  }
  if (drones.length > 0) cullAdrift(world, world.read(Ship).owner[from])
}
