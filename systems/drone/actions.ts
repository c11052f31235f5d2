/**
 * What drones do, each on its own: fly, loot, take wrecks apart, unload, mend, scan. A drone whose
 * action fails has simply waited: each function says whether it was done. Source: drones.md section
 * 3.6.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { contentsOf, type Held, moveItems } from '../../core/goods.ts'
import { DRONES_PER_POI_MAX, NEARBY_PLAYERS_MAX } from '../../core/limits.ts'
import { addPercent } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerById, playerId, usernameOf } from '../account/rules.ts'
import { matchOf } from '../arena/rules.ts'
import { baseName, hasService } from '../base/rules.ts'
import { JettisonContainer } from '../cargo/columns.ts'
import { adriftFor } from '../cargo/jettison-rules.ts'
import { fitting, isStoreNearlyFull, loadCargo, mayCarry, openLocker } from '../cargo/rules.ts'
import { participantOf } from '../combat/rules.ts'
import { percentOf } from '../combat/views.ts'
import { logAction } from '../log/rules.ts'
import { seePlayer, seesPoi } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { mendHull } from '../ship/rules.ts'
import { AT_POI, Location, Poi } from '../travel/columns.ts'
import { poiId, refusesDocking } from '../travel/rules.ts'
import { Drone, DroneWord, Thought } from './columns.ts'
import { droneScan } from './events.ts'
import { areFriends } from './friends.ts'
import { droneId, figuresOf } from './hull-rules.ts'
import { hop } from './lives.ts'
import { dronesAt } from './roster.ts'
import { controlOf, sightsAt } from './scene.ts'
import { flownBy } from './squad.ts'
import { MINING, REPAIR_POINTS } from './types.ts'
import { textOf } from './words.ts'

/** Does an action; false when it failed. */
export type Do = (world: World, drone: Row) => boolean

const said = (view: WorldView, drone: Row): string => textOf(view, view.read(Thought).word[drone])

const ownerOf = (view: WorldView, drone: Row): Eid => view.read(Drone).owner[drone]

const fights = (view: WorldView, drone: Row): boolean =>
  participantOf(view, view.read(Drone).body[drone]) !== 0

/* Flying */

const isDeepCore = (view: WorldView, poi: Eid): boolean =>
  view.texts.get(view.read(Poi).class[poi]) === 'deep_core'

export const move: Do = (world, drone) => {
  const { poi, system, type, owner } = world.read(Drone)
  const dest = world.read(DroneWord).poi[world.read(Thought).word[drone]]
  if (dest === 0 || dest === poi[drone] || fights(world, drone)) return false
  if (world.read(Poi).system[dest] !== system[drone] || !seesPoi(world, owner[drone], dest)) {
    return false
  }
  if (type[drone] === MINING && isDeepCore(world, dest)) return false
  if (dronesAt(world, dest) >= DRONES_PER_POI_MAX) return false
  hop(world, drone, dest)
  return true
}

/* Holds */

const spaceOf = ({ item, units }: Held): number => GOODS[item].size * units

/** Space left in its hold. */
export const roomOf = (view: WorldView, drone: Row): number =>
  figuresOf(view, drone).hold - view.read(Drone).holdUsed[drone]

export const isLoaded = (view: WorldView, drone: Row): boolean =>
  view.read(Drone).holdUsed[drone] > 0

/** Takes goods from a container into the hold. */
export function stow(world: World, drone: Row, from: Row, held: Held): void {
  const { hold, holdUsed } = world.write(Drone)
  moveItems(world, from, hold[drone], held.item, held.units)
  holdUsed[drone] += spaceOf(held)
}

/** Moves goods out of the hold. */
export function unstow(world: World, drone: Row, to: Row, held: Held): void {
  const { hold, holdUsed } = world.write(Drone)
  moveItems(world, hold[drone], to, held.item, held.units)
  holdUsed[drone] -= spaceOf(held)
}

const cargoOf = (view: WorldView, drone: Row): Held[] =>
  contentsOf(view, view.read(Drone).hold[drone])

/** ours: a base that would not let its owner dock refuses his drones too. */
export const deposit: Do = (world, drone) => {
  const owner = ownerOf(world, drone)
  const base = world.read(Poi).base[world.read(Drone).poi[drone]]
  const isOpen =
    base !== 0 && hasService(world, base, 'storage') && !refusesDocking(world, owner, base)
  if (!isOpen || !isLoaded(world, drone) || isStoreNearlyFull(world)) return false
  const locker = openLocker(world, owner, base)
  const cargo = cargoOf(world, drone)
  const units = cargo.reduce((sum, held) => sum + held.units, 0)
  for (const held of cargo) unstow(world, drone, locker, held)
  const what = `A drone stored ${counted(units, 'unit')} at ${baseName(world, base)}.`
  logAction(world, owner, 'drone', 'deposit', what, {
    drone_id: droneId(world, drone),
    quantity: units,
  })
  return true
}

export const transfer: Do = (world, drone) => {
  const ship = flownBy(world, ownerOf(world, drone))
  if (ship === 0 || matchOf(world, ship) !== 0) return false
  if (world.read(Location).poi[ship] !== world.read(Drone).poi[drone]) return false
  let isMoved = false
  const { hold } = world.read(Drone)
  for (const { item, units } of cargoOf(world, drone)) {
    const moved = mayCarry(world, ship, item) ? Math.min(units, fitting(world, ship, item)) : 0
    if (moved === 0) continue
    loadCargo(world, ship, hold[drone], item, moved)
    world.write(Drone).holdUsed[drone] -= spaceOf({ item, units: moved })
    isMoved = true
  }
  return isMoved
}

export const jettison: Do = (world, drone) => {
  if (!isLoaded(world, drone)) return false
  const { owner, poi } = world.read(Drone)
  const row = adriftFor(world, poi[drone], owner[drone])
  if (row === 0) return false
  const to = world.read(JettisonContainer).container[row]
  for (const held of cargoOf(world, drone)) unstow(world, drone, to, held)
  return true
}

/* Mending */

/** In space at the place of the drone, where its arms reach. */
function isBeside(view: WorldView, drone: Row, player: Eid): boolean {
  const ship = flownBy(view, player)
  const { poi, state } = view.read(Location)
  if (ship === 0 || matchOf(view, ship) !== 0) return false
  return state[ship] === AT_POI && poi[ship] === view.read(Drone).poi[drone]
}

const hullPct = (view: WorldView, player: Eid): number => {
  const { hull, hullMax } = view.read(Ship)
  const ship = flownBy(view, player)
  return percentOf(hull[ship], hullMax[ship])
}

/** Of the friends at the place the one with the lowest hull; 0 none. */
function nearestAlly(view: WorldView, drone: Row): Eid {
  const owner = ownerOf(view, drone)
  const friends = sightsAt(view, view.read(Drone).poi[drone]).visitors.filter(
    (player) => player !== owner && areFriends(view, owner, player),
  )
  const isWorse = (a: Eid, b: Eid): boolean => hullPct(view, a) < hullPct(view, b)
  return friends.reduce(
    (least, player) => (least === 0 || isWorse(player, least) ? player : least),
    0,
  )
}

function patient(view: WorldView, drone: Row): Eid {
  const owner = ownerOf(view, drone)
  const text = said(view, drone)
  if (text === 'owner') return owner
  if (text === 'nearest_ally') return nearestAlly(view, drone)
  const player = playerById(view, text)
  return player !== 0 && seePlayer(view, owner, player) === 'full' ? player : 0
}

export const repair: Do = (world, drone) => {
  const player = patient(world, drone)
  if (player === 0 || !isBeside(world, drone, player)) return false
  const points = addPercent(REPAIR_POINTS, controlOf(world, ownerOf(world, drone)))
  return mendHull(world, flownBy(world, player), points) > 0
}

/* Looking */

/** How the owner sees a player: nameless ones have no id. */
function renderSeen(view: WorldView, owner: Eid, player: Eid) {
  const isNamed = seePlayer(view, owner, player) === 'full'
  return {
    id: isNamed ? playerId(view, player) : '',
    username: isNamed ? usernameOf(view, player) : '',
    hull_pct: hullPct(view, player),
  }
}

export const scan: Do = (world, drone) => {
  const { owner, poi } = world.read(Drone)
  const players = sightsAt(world, poi[drone])
    .visitors.filter((player) => player !== owner[drone])
    .slice(0, NEARBY_PLAYERS_MAX)
    .map((player) => renderSeen(world, owner[drone], player))
  const payload = { drone_id: droneId(world, drone), poi_id: poiId(world, poi[drone]), players }
  emit(world, droneScan, payload, toPlayer(owner[drone]))
  return true
}
