/**
 * What drones do, each on its own: fly, mine, loot, salvage wrecks, unload, repair, scan. Each
 * action returns whether it was done; if not, the drone has waited. Source: drones.md section 3.6.
 */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { contentsOf, type Held, moveItems, namedContainer } from '../../core/goods.ts'
import { NEARBY_PLAYERS_MAX } from '../../core/limits.ts'
import { addPercent, divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound, playerById, playerId, usernameOf } from '../account/model.ts'
import { matchOf } from '../arena/model.ts'
import { baseName, hasService } from '../base/model.ts'
import { openJettisonContainerIfRoom } from '../cargo/adrift-rules.ts'
import { isStorageNearlyFull, openLocker } from '../cargo/model.ts'
import { JettisonContainer } from '../cargo/state.ts'
import { participantOf, percentOf } from '../combat/model.ts'
import { logAction } from '../log/rules.ts'
import { depletionPercent, depositsOf, remainingDisplay, unitsRemaining } from '../mining/model.ts'
import { miningYield } from '../mining/schemas.ts'
import { Deposit } from '../mining/state.ts'
import { goodsOf, hasCargo, wreckById, wrecksAt } from '../salvage/model.ts'
import { lootInto, salvageInField } from '../salvage/rules.ts'
import { Wreck } from '../salvage/state.ts'
import { seePlayer, seesPoi } from '../sensing/model.ts'
import { reveal } from '../sensing/rules.ts'
import { activeShip, canCarry, loadCargo, unitsThatFit } from '../ship/model.ts'
import { mendHull } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { poiId, poiName, poisOf, systemId } from '../travel/model.ts'
import { dockingRefusal } from '../travel/rules.ts'
import { AT_POI, Location, Poi } from '../travel/state.ts'
import { MINING_TYPE } from './figures-model.ts'
import { hop } from './lifecycle-rules.ts'
import {
  controlOf,
  droneId,
  droneSpec,
  dronesAt,
  REPAIR_POINTS,
  SURVEY_POWER,
  textOf,
} from './model.ts'
import { areFriends, sightsAt } from './scene-systems.ts'
import { droneScan, droneSurvey } from './schemas.ts'
import { DRONES_PER_POI_MAX, Drone, DroneWord, Thought } from './state.ts'

/** An action of a drone; returns false when it failed. */
export type Do = (world: World, drone: Row) => boolean

/** Returns the text that the script gave with its action. */
export const textArgument = (view: WorldView, drone: Row): string =>
  textOf(view, view.read(Thought).word[drone])

const ownerOf = (view: WorldView, drone: Row): Eid => view.read(Drone).owner[drone]

const isFighting = (view: WorldView, drone: Row): boolean =>
  participantOf(view, view.read(Drone).body[drone]) !== 0

/* Flying */

const isDeepCore = (view: WorldView, poi: Eid): boolean =>
  view.texts.get(view.read(Poi).class[poi]) === 'deep_core'

/** Begins a hop to the place that the script names. */
export const move: Do = (world, drone) => {
  const { poi, system, type, owner } = world.read(Drone)
  const dest = world.read(DroneWord).poi[world.read(Thought).word[drone]]
  if (dest === 0 || dest === poi[drone] || isFighting(world, drone)) return false
  if (world.read(Poi).system[dest] !== system[drone] || !seesPoi(world, owner[drone], dest)) {
    return false
  }
  if (type[drone] === MINING_TYPE && isDeepCore(world, dest)) return false
  if (dronesAt(world, dest) >= DRONES_PER_POI_MAX) return false
  hop(world, drone, dest)
  return true
}

/* Holds */

const spaceOf = ({ item, units }: Held): number => GOODS[item].size * units

/** Returns the space left in a drone's hold. */
export const roomOf = (view: WorldView, drone: Row): number =>
  droneSpec(view, drone).hold - view.read(Drone).holdUsed[drone]

const isLoaded = (view: WorldView, drone: Row): boolean => view.read(Drone).holdUsed[drone] > 0

/** Loads what a mining drone extracted; returns false if that is nothing. mining.md section 6. */
export function takePull(world: World, drone: Row): boolean {
  const { deposit, units } = world.read(Thought)
  if (deposit[drone] === 0 || units[drone] === 0) return false
  const item = world.read(Deposit).item[deposit[drone]]
  stow(world, drone, namedContainer('mined'), { item, units: units[drone] })
  if (isBound(world, ownerOf(world, drone))) notifyYield(world, drone, item)
  return true
}

function notifyYield(world: World, drone: Row, item: number): void {
  const { deposit, units, left } = world.read(Thought)
  const good = GOODS[item]
  const max = world.read(Deposit).max[deposit[drone]]
  const remaining = left[drone]
  const payload = {
    kind: 'yield',
    drone_id: droneId(world, drone),
    resource_id: good.id,
    resource_name: good.name,
    quantity: units[drone],
    remaining,
    remaining_display: remainingDisplay(remaining),
    ...(remaining < 0 ? {} : { max_remaining: max }),
    ...(remaining < 0 || remaining === max
      ? {}
      : { depletion_percent: depletionPercent(remaining, max) }),
  }
  emit(world, miningYield, payload, toPlayer(ownerOf(world, drone)))
}

/** Moves goods from a container into the hold. */
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

/**
 * Deposits what a drone carries; ours: a base that would not let its owner dock refuses their
 * drones too.
 */
export const deposit: Do = (world, drone) => {
  const owner = ownerOf(world, drone)
  const base = world.read(Poi).base[world.read(Drone).poi[drone]]
  const isOpen =
    base !== 0 && hasService(world, base, 'storage') && !dockingRefusal(world, owner, base)
  if (!isOpen || !isLoaded(world, drone) || isStorageNearlyFull(world)) return false
  const locker = openLocker(world, owner, base)
  const cargo = cargoOf(world, drone)
  const quantity = cargo.reduce((sum, { units }) => sum + units, 0)
  for (const held of cargo) unstow(world, drone, locker, held)
  const summary = `A drone stored ${counted(quantity, 'unit')} at ${baseName(world, base)}.`
  const data = { drone_id: droneId(world, drone), quantity }
  logAction(world, owner, 'drone', 'deposit', summary, data)
  return true
}

/** Moves cargo to the owner's ship at the same place, as far as it fits. */
export const transfer: Do = (world, drone) => {
  const ship = activeShip(world, ownerOf(world, drone))
  if (ship === 0 || matchOf(world, ship) !== 0) return false
  if (world.read(Location).poi[ship] !== world.read(Drone).poi[drone]) return false
  let isMoved = false
  const { hold } = world.read(Drone)
  for (const { item, units } of cargoOf(world, drone)) {
    const moved = canCarry(world, ship, item) ? Math.min(units, unitsThatFit(world, ship, item)) : 0
    if (moved === 0) continue
    loadCargo(world, ship, hold[drone], item, moved)
    world.write(Drone).holdUsed[drone] -= spaceOf({ item, units: moved })
    isMoved = true
  }
  return isMoved
}

/** Throws all cargo overboard. */
export const jettison: Do = (world, drone) => {
  if (!isLoaded(world, drone)) return false
  const { owner, poi } = world.read(Drone)
  const row = openJettisonContainerIfRoom(world, owner[drone], poi[drone])
  if (row === 0) return false
  const to = world.read(JettisonContainer).container[row]
  for (const held of cargoOf(world, drone)) unstow(world, drone, to, held)
  return true
}

/* Repairs */

/** Returns whether a player is in space at the place of the drone. */
function isBeside(view: WorldView, drone: Row, player: Eid): boolean {
  const ship = activeShip(view, player)
  const { poi, state } = view.read(Location)
  if (ship === 0 || matchOf(view, ship) !== 0) return false
  return state[ship] === AT_POI && poi[ship] === view.read(Drone).poi[drone]
}

const hullPct = (view: WorldView, player: Eid): number => {
  const { hull, hullMax } = view.read(Ship)
  const ship = activeShip(view, player)
  return percentOf(hull[ship], hullMax[ship])
}

/** Returns the friend at the place with the lowest hull; 0 none. */
function weakestAlly(view: WorldView, drone: Row): Eid {
  const owner = ownerOf(view, drone)
  const friends = sightsAt(view, view.read(Drone).poi[drone]).visitors.filter(
    (player) => player !== owner && areFriends(view, owner, player),
  )
  return friends.reduce(
    (weakest, player) =>
      weakest === 0 || hullPct(view, player) < hullPct(view, weakest) ? player : weakest,
    0,
  )
}

/** Returns the player whose ship the script wants repaired; 0 none. */
function playerToRepair(view: WorldView, drone: Row): Eid {
  const owner = ownerOf(view, drone)
  const text = textArgument(view, drone)
  if (text === 'owner') return owner
  if (text === 'nearest_ally') return weakestAlly(view, drone)
  const player = playerById(view, text)
  return player !== 0 && seePlayer(view, owner, player) === 'full' ? player : 0
}

/** Repairs the ship of the player that the script names. */
export const repair: Do = (world, drone) => {
  const player = playerToRepair(world, drone)
  if (player === 0 || !isBeside(world, drone, player)) return false
  const points = addPercent(REPAIR_POINTS, controlOf(world, ownerOf(world, drone)))
  return mendHull(world, activeShip(world, player), points) > 0
}

/* Scans */

/** Renders a player as the owner sees them: without an id if they are anonymous. */
function renderSeen(view: WorldView, owner: Eid, player: Eid) {
  const isNamed = seePlayer(view, owner, player) === 'full'
  return {
    id: isNamed ? playerId(view, player) : '',
    username: isNamed ? usernameOf(view, player) : '',
    hull_pct: hullPct(view, player),
  }
}

/** Sends the owner a list of the players at the place. */
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

/* Surveys. Source: drones.md section 3.6, travel.md section 8, Survey. */

/** Reports to the owner what is at a place. */
function reportPlace(world: World, drone: Row, poi: Eid): void {
  const { item, richness, max } = world.read(Deposit)
  const { owner, system } = world.read(Drone)
  const payload = {
    drone_id: droneId(world, drone),
    system_id: systemId(world, system[drone]),
    poi_id: poiId(world, poi),
    poi_name: poiName(world, poi),
    resources: depositsOf(world, poi).map((row) => {
      const remaining = unitsRemaining(world, row)
      return {
        resource_id: GOODS[item[row]].id,
        richness: richness[row],
        remaining,
        ...(remaining < 0 ? {} : { max_remaining: max[row] }),
      }
    }),
  }
  emit(world, droneSurvey, payload, toPlayer(owner[drone]))
}

/** Reveals hidden places in reach to the owner; reports on them and on the drone's own place. */
export const survey: Do = (world, drone) => {
  const { owner, system, poi: location } = world.read(Drone)
  const player = owner[drone]
  const power = addPercent(SURVEY_POWER, levelOf(world, player, 'scanning'))
  const { hidden, difficulty } = world.read(Poi)
  const revealed = poisOf(world, system[drone]).filter(
    (poi) => hidden[poi] === 1 && difficulty[poi] <= power && !seesPoi(world, player, poi),
  )
  reveal(world, player, revealed)
  reportPlace(world, drone, location[drone])
  for (const poi of revealed) if (poi !== location[drone]) reportPlace(world, drone, poi)
  return true
}

/* Wrecks. Source: drones.md section 3.6, salvage.md section 5. */

const METAL = itemIndex('salvage_metal')

/** Returns the usable wreck here that the script names, the oldest for `nearest`; 0 none. */
function wreckFor(view: WorldView, drone: Row, isUsable: (wreck: Row) => boolean): Row {
  const poi = view.read(Drone).poi[drone]
  const text = textArgument(view, drone)
  if (text === 'nearest') return wrecksAt(view, poi).find(isUsable) ?? 0
  const wreck = wreckById(view, text)
  return wreck !== 0 && view.read(Wreck).poi[wreck] === poi && isUsable(wreck) ? wreck : 0
}

/** Cuts goods, in their order, to what fits into a space. */
function cutToFit(goods: readonly Held[], room: number): Held[] {
  let left = room
  return goods
    .map(({ item, units }) => {
      const taken = Math.min(units, divFloor(left, GOODS[item].size))
      left -= taken * GOODS[item].size
      return { item, units: taken }
    })
    .filter(({ units }) => units > 0)
}

/** Adds the space of goods that came into the hold. */
function countLoaded(world: World, drone: Row, goods: readonly Held[]): void {
  const { holdUsed } = world.write(Drone)
  for (const held of goods) holdUsed[drone] += spaceOf(held)
}

/** Takes goods from a wreck, as far as they fit. */
export const loot: Do = (world, drone) => {
  const wreck = wreckFor(world, drone, (row) => hasCargo(world, row))
  if (wreck === 0) return false
  const goods = cutToFit(goodsOf(world, wreck), roomOf(world, drone))
  if (goods.length === 0) return false
  lootInto(world, wreck, world.read(Drone).hold[drone], goods)
  countLoaded(world, drone, goods)
  return true
}

/** Cuts metal from a wreck. */
export const salvage: Do = (world, drone) => {
  const { value } = world.read(Wreck)
  const { hold, owner } = world.read(Drone)
  const wreck = wreckFor(world, drone, (row) => value[row] > 0)
  const roomUnits = divFloor(roomOf(world, drone), GOODS[METAL].size)
  if (wreck === 0 || roomUnits === 0) return false
  const bonusPct = controlOf(world, owner[drone])
  const units = salvageInField(world, wreck, { to: hold[drone], roomUnits, bonusPct })
  countLoaded(world, drone, [{ item: METAL, units }])
  return true
}
