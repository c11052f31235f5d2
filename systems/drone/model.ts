/**
 * Lookups of drones: which hulls they are, what bays carry and allow, what they remember, and the
 * refusals of ships and modules that drones depend on. Source: drones.md section 1.
 */
import { GOODS, isModule, itemIndex, type ModuleRow, skillIndex } from '../../core/catalog/index.ts'
import type { NpcFigures, NpcGun } from '../../core/catalog/types.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { addPercent } from '../../core/math.ts'
import { type ReferenceDef, sortNames } from '../../core/reference.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { shipId } from '../ship/model.ts'
import { Module, Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../skill/state.ts'
import { COMBAT_TYPE, DRONE_FIGURES, type DroneFigures } from './figures-model.ts'
import {
  Body,
  DRONES_OF,
  DRONES_PER_PLAYER_MAX,
  Drone,
  DroneMemo,
  DroneWord,
  IN_BAY,
  ROSTER,
  WORDS,
} from './state.ts'

const CONTROL = skillIndex('drone_control')

/** Damage, reach and speed. Source: drones.md section 1. */
const COMBAT_DAMAGE = 8
const COMBAT_REACH = 3
const COMBAT_SPEED = 4

/** Hull points of one repair, and power of one survey, without skill. */
export const REPAIR_POINTS = 5
export const SURVEY_POWER = 10

/** Goods index by type of drone. */
export const DRONE_ITEMS: readonly number[] = DRONE_FIGURES.map(({ id }) => itemIndex(id))

/** Returns the drone that a hull is; 0 for a ship. */
export const droneOf = (view: WorldView, ship: Eid): Row => view.read(Body).drone[ship]

export const isDrone = (view: WorldView, ship: Eid): boolean => droneOf(view, ship) !== 0

/** Returns the figures of a drone's type. */
export const droneSpec = (view: WorldView, drone: Row): DroneFigures =>
  DRONE_FIGURES[view.read(Drone).type[drone]]

/** Returns the owner of the drone that a hull is; 0 for a ship. */
export const masterOf = (view: WorldView, ship: Eid): Eid =>
  view.read(Drone).owner[droneOf(view, ship)]

/** Returns the type on the wire: the item it is made of. */
export const droneType = (view: WorldView, drone: Row): string => droneSpec(view, drone).id

/** Returns the public name of a drone, its type; its given name only its owner sees. */
export const droneTitle = (view: WorldView, drone: Row): string =>
  GOODS[DRONE_ITEMS[view.read(Drone).type[drone]]].name

/** Returns a player's level of drone_control. */
export const controlOf = (view: WorldView, player: Eid): number =>
  view.read(PlayerSkills).level[player * SKILLS_WIDTH + CONTROL]

/** Returns what a drone fights with, in place of its hull's figures. drones.md sections 1, 3.6. */
export function droneFigures(view: WorldView, ship: Eid): NpcFigures | undefined {
  const drone = droneOf(view, ship)
  if (drone === 0) return undefined
  const { type, owner } = view.read(Drone)
  const control = controlOf(view, owner[drone])
  const gun: NpcGun = {
    name: 'Drone Beam',
    damageType: 'energy',
    reach: COMBAT_REACH,
    period: 1,
    damage: addPercent(COMBAT_DAMAGE, control),
  }
  return {
    hull: DRONE_FIGURES[type[drone]].hull,
    shield: 0,
    regen: 0,
    armor: 0,
    speed: COMBAT_SPEED,
    guns: type[drone] === COMBAT_TYPE ? [gun] : [],
  }
}

/** Returns the UUID of a drone on the wire. */
export const droneId = (view: WorldView, drone: Row): string => idOf(view, Drone, drone)

/** Refuses a drone that belongs to the bays of another ship: drone_not_here. */
export function otherBayRefusal(
  view: WorldView,
  drone: Row,
  ship: Eid,
): Failure<'drone_not_here'> | undefined {
  const { ship: home } = view.read(Drone)
  if (home[drone] === ship) return undefined
  return fail('drone_not_here', { ship_id: shipId(view, home[drone]) })
}

/** Returns any player's drone by wire id; 0 none. */
const droneById = (view: WorldView, id: string): Row => rowOfId(view, Drone, id)

/** Returns the hull of the drone with this wire id, while it is out; 0 none. */
export const bodyById = (view: WorldView, id: string): Eid =>
  view.read(Drone).body[droneById(view, id)]

/** A player's own drones by id, or by the names they gave them. */
export const ownDrones: ReferenceDef = {
  kind: 'own_drone',
  byId: (view, _player, text) => (droneById(view, text) === 0 ? undefined : text),
  names: (view, player) =>
    sortNames(
      dronesOf(view, player).flatMap((row) => {
        const name = view.texts.get(view.read(Drone).name[row])
        return name === '' ? [] : [{ id: droneId(view, row), name, row }]
      }),
    ),
  unknown: ['drone_not_found'],
}

/** Returns the deployed drones by system and number; sorted again when that set changes. */
export function dronesOut(view: WorldView): Uint32Array {
  const index = view.index(ROSTER)
  if (index.isValid) return index.rows
  const { alive, state, seq, system } = view.read(Drone)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Drone); row++) {
    if (alive[row] === 1 && state[row] !== IN_BAY) rows.push(row)
  }
  rows.sort((a, b) => system[a] - system[b] || seq[a] - seq[b])
  index.rows = Uint32Array.from(rows)
  index.isValid = true
  return index.rows
}

/** Counts the drones at a place, those on their way there included. */
export const dronesAt = (view: WorldView, poi: Eid): number =>
  view.index(ROSTER).places.get(poi) ?? 0

const capacityRefusal = (drones: number, capacity: number): Failure<'drones_in_bay'> | undefined =>
  drones > capacity ? fail('drones_in_bay', { drones, capacity }) : undefined

/** Refuses to take a module off while drones, in bays or out, need it. */
export function uninstallRefusal(
  view: WorldView,
  module: Row,
): Failure<'drones_in_bay'> | undefined {
  const ship = view.read(Module).ship[module]
  if (ship === 0) return undefined
  const { capacity } = baysOf(view, ship, module)
  if (capacity === baysOf(view, ship).capacity) return undefined
  return capacityRefusal(dronesOfShip(view, ship).length, capacity)
}

/** Refuses a fit whose bays are too small for the drones of the ship, in bays or out. */
export function refitRefusal(
  view: WorldView,
  ship: Eid,
  fit: readonly ModuleRow[],
): Failure<'drones_in_bay'> | undefined {
  const capacity = fit.reduce((sum, row) => sum + (row.drone_capacity ?? 0), 0)
  return capacityRefusal(dronesOfShip(view, ship).length, capacity)
}

/** Counts the drones in the bays of a ship. */
const countInBays = (view: WorldView, ship: Eid): number =>
  dronesOfShip(view, ship).filter((drone) => inBay(view, drone)).length

/** Refuses to switch to a ship without room for the drones in the bays of this one. ships.md 7. */
export function switchRefusal(
  view: WorldView,
  from: Eid,
  to: Eid,
): Failure<'drones_in_bay'> | undefined {
  return capacityRefusal(countInBays(view, from), baysOf(view, to).capacity)
}

/** Refuses to scrap or sell a ship with drones in its bays. */
export function disposalRefusal(view: WorldView, ship: Eid): Failure<'drones_in_bay'> | undefined {
  const owner = view.read(Ship).owner[ship]
  return owner === 0 ? undefined : capacityRefusal(countInBays(view, ship), 0)
}

/** Returns a drone of the player by wire id; 0 for anything else. */
export function ownDrone(view: WorldView, player: Eid, id: string): Row {
  const drone = droneById(view, id)
  return drone !== 0 && view.read(Drone).owner[drone] === player ? drone : 0
}

/** Returns all drones of a player, the oldest first. */
export const dronesOf: (view: WorldView, player: Eid) => Row[] = DRONES_OF.rows

/** Returns the drones of a ship, in its bays or out. */
export function dronesOfShip(view: WorldView, ship: Eid): Row[] {
  const owner = view.read(Ship).owner[ship]
  const { ship: home } = view.read(Drone)
  if (ship === 0 || owner === 0) return []
  return dronesOf(view, owner).filter((drone) => home[drone] === ship)
}

export const inBay = (view: WorldView, drone: Row): boolean =>
  view.read(Drone).state[drone] === IN_BAY

interface Bays {
  /** Drones that fit, in bays and out. */
  readonly capacity: number
  readonly bandwidth: number
}

/** Returns what the bays of a ship allow, leaving out one of its modules where that is given. */
export function baysOf(view: WorldView, ship: Eid, without: Row = 0): Bays {
  const { next, type } = view.read(Module)
  let capacity = 0
  let bandwidth = 0
  for (let row = view.read(Ship).firstModule[ship]; row !== 0; row = next[row]) {
    const good = GOODS[type[row]]
    if (row === without || !isModule(good)) continue
    capacity += good.drone_capacity ?? 0
    bandwidth += good.drone_bandwidth ?? 0
  }
  return { capacity, bandwidth }
}

/** Returns the bandwidth that the deployed drones of a ship take. */
export const bandwidthUsed = (view: WorldView, ship: Eid): number =>
  dronesOfShip(view, ship)
    .filter((drone) => !inBay(view, drone))
    .reduce((sum, drone) => sum + droneSpec(view, drone).bandwidth, 0)

/** Returns how many scripts of a player may run at a time. */
export const scriptSlots = (view: WorldView, player: Eid): number =>
  Math.min(DRONES_PER_PLAYER_MAX, 1 + levelOf(view, player, 'drone_control'))

/** Returns drones that are out and belong to no bay, the longest out first. */
export function adriftOf(view: WorldView, player: Eid): Row[] {
  const { deployedTick, seq, ship } = view.read(Drone)
  return dronesOf(view, player)
    .filter((drone) => !inBay(view, drone) && ship[drone] === 0)
    .sort((a, b) => deployedTick[a] - deployedTick[b] || seq[a] - seq[b])
}

/* Words and memory */

/** Returns the row of a text that something holds; 0 for the empty text, -1 for any other. */
export const wordOf = (view: WorldView, text: string): Row =>
  text === '' ? 0 : (view.index(WORDS).byText.get(text) ?? -1)

export const textOf = (view: WorldView, word: Row): string =>
  word === 0 ? '' : view.texts.get(view.read(DroneWord).said[word])

/** Returns the memory of a drone as rows, in order of first writing. */
export function memosOf(view: WorldView, drone: Row): Row[] {
  const { next } = view.read(DroneMemo)
  const rows: Row[] = []
  for (let row = view.read(Drone).firstMemo[drone]; row !== 0; row = next[row]) rows.push(row)
  return rows
}

/** Returns the memory of a drone as texts. */
export function memoryOf(view: WorldView, drone: Row): Record<string, string> {
  const { key, value } = view.read(DroneMemo)
  const pairs = memosOf(view, drone).map((memo) => [
    textOf(view, key[memo]),
    textOf(view, value[memo]),
  ])
  return Object.fromEntries(pairs)
}
