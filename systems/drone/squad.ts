/**
 * A player's drones: the list of them, what bays carry and allow, and which scripts may run.
 * Source: drones.md section 1.
 */
import { GOODS, isModule } from '../../core/catalog/index.ts'
import { DRONES_PER_PLAYER_MAX } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Module, Ship } from '../ship/columns.ts'
import { levelOf } from '../skill/rules.ts'
import { Drone, IN_BAY, Squadron } from './columns.ts'
import { droneById, figuresOf } from './hull-rules.ts'

/** A drone of the player by wire id; 0 for anything else. */
export function ownDrone(view: WorldView, player: Eid, id: string): Row {
  const drone = droneById(view, id)
  return drone !== 0 && view.read(Drone).owner[drone] === player ? drone : 0
}

/** All drones of a player, in the order of their making. */
export function dronesOf(view: WorldView, player: Eid): Row[] {
  const { next } = view.read(Drone)
  const rows: Row[] = []
  for (let row = view.read(Squadron).first[player]; row !== 0; row = next[row]) rows.push(row)
  return rows
}

/** Drones of a ship, in its bays or out. */
export function dronesOfShip(view: WorldView, ship: Eid): Row[] {
  const owner = view.read(Ship).owner[ship]
  const { ship: of } = view.read(Drone)
  return ship === 0 || owner === 0
    ? []
    : dronesOf(view, owner).filter((drone) => of[drone] === ship)
}

export const inBay = (view: WorldView, drone: Row): boolean =>
  view.read(Drone).state[drone] === IN_BAY

export interface Bays {
  /** Drones that fit, in bays and out. */
  readonly capacity: number
  readonly bandwidth: number
}

/** What a ship's bays allow; without one of its modules when that is named. */
export function baysOf(view: WorldView, ship: Eid, without: Row = 0): Bays {
  const { next, type } = view.read(Module)
  let [capacity, bandwidth] = [0, 0]
  for (let row = view.read(Ship).firstModule[ship]; row !== 0; row = next[row]) {
    const good = GOODS[type[row]]
    if (row === without || !isModule(good)) continue
    capacity += good.drone_capacity ?? 0
    bandwidth += good.drone_bandwidth ?? 0
  }
  return { capacity, bandwidth }
}

/** Bandwidth that the deployed drones of a ship take. */
export const bandwidthUsed = (view: WorldView, ship: Eid): number =>
  dronesOfShip(view, ship)
    .filter((drone) => !inBay(view, drone))
    .reduce((sum, drone) => sum + figuresOf(view, drone).bandwidth, 0)

/** Scripts that may run at a time. */
export const scriptSlots = (view: WorldView, player: Eid): number =>
  Math.min(DRONES_PER_PLAYER_MAX, 1 + levelOf(view, player, 'drone_control'))

/** Adrift: out, and of no bay. */
export const isAdrift = (view: WorldView, drone: Row): boolean =>
  !inBay(view, drone) && view.read(Drone).ship[drone] === 0

/** Drones adrift, the longest out first. */
export function adriftOf(view: WorldView, player: Eid): Row[] {
  const { deployedTick, seq } = view.read(Drone)
  return dronesOf(view, player)
    .filter((drone) => isAdrift(view, drone))
    .sort((a, b) => deployedTick[a] - deployedTick[b] || seq[a] - seq[b])
}

/**
 * Gives out the slots anew: to drones that are out and have a script, the longest out first. To be
 * called when one comes out or is gone, when a script changes, and when the skill has grown.
 */
export function assignSlots(world: World, player: Eid): void {
  const { deployedTick, seq, script, state } = world.read(Drone)
  const { running, limited } = world.write(Drone)
  const slots = scriptSlots(world, player)
  world.write(Squadron).slots[player] = slots
  const all = dronesOf(world, player)
  const able = all
    .filter((drone) => state[drone] !== IN_BAY && script[drone] !== 0)
    .sort((a, b) => deployedTick[a] - deployedTick[b] || seq[a] - seq[b])
  const lucky = new Set(able.slice(0, slots))
  for (const drone of all) {
    running[drone] = lucky.has(drone) ? 1 : 0
    if (!lucky.has(drone)) limited[drone] = 0
  }
}

/** Puts a new drone at the end of its owner's list. */
export function enlistDrone(world: World, drone: Row, player: Eid): void {
  const { next, previous, owner } = world.write(Drone)
  const { first, last, count } = world.write(Squadron)
  owner[drone] = player
  previous[drone] = last[player]
  if (last[player] === 0) first[player] = drone
  else next[last[player]] = drone
  last[player] = drone
  count[player]++
}

export function delistDrone(world: World, drone: Row): void {
  const { next, previous, owner } = world.write(Drone)
  const { first, last, count } = world.write(Squadron)
  const player = owner[drone]
  if (previous[drone] === 0) first[player] = next[drone]
  else next[previous[drone]] = next[drone]
  if (next[drone] === 0) last[player] = previous[drone]
  else previous[next[drone]] = previous[drone]
  next[drone] = 0
  previous[drone] = 0
  count[player]--
}

/** The ship a player flies; 0 none. */
export const flownBy = (view: WorldView, player: Eid): Eid => view.read(Player).ship[player]
