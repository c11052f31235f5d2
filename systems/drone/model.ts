/**
 * What other domains may ask of drones: which hulls are, what a loss of a ship does to them, and
 * whether a bay may go.
 */

import { GOODS, isModule, itemIndex, type ModuleRow, skillIndex } from '../../core/catalog/index.ts'
import type { NpcFigures, NpcGun } from '../../core/catalog/types.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { addPercent } from '../../core/math.ts'
import { words } from '../../core/params.ts'
import { type ReferenceDef, sortNames } from '../../core/reference.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { Module, Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../skill/state.ts'
import { FN, OP } from './evaluate-kernels.ts'
import { type Action, DRONE_TYPES, type DroneFigures, FIGURES } from './pull-kernels.ts'
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

/*
 * A player's drones: the list of them, what bays carry and allow, and which scripts may run.
 * Source: drones.md section 1.
 */

/*
 * Which hulls are drones, and whose: for everyone who meets one in a battle. Reads columns alone.
 */

const CONTROL = skillIndex('drone_control')

/** Goods index by type of drone. */
export const DRONE_ITEMS: readonly number[] = FIGURES.map(({ id }) => itemIndex(id))

/** The drone that a hull is; 0 for a ship. */
export const droneOf = (view: WorldView, ship: Eid): Row => view.read(Body).drone[ship]

export const isDrone = (view: WorldView, ship: Eid): boolean => droneOf(view, ship) !== 0

export const figuresOf = (view: WorldView, drone: Row): DroneFigures =>
  FIGURES[view.read(Drone).type[drone]]

/** Who answers for what a hull does because it is their drone; 0 for a ship. */
export const masterOf = (view: WorldView, ship: Eid): Eid =>
  view.read(Drone).owner[view.read(Body).drone[ship]]

/** The wire's name of its type: the item it is made of. */
export const droneType = (view: WorldView, drone: Row): string => figuresOf(view, drone).id

/** What a drone is called in public: its type. Its given name is its owner's. */
export const droneTitle = (view: WorldView, drone: Row): string =>
  GOODS[DRONE_ITEMS[view.read(Drone).type[drone]]].name

/** What a drone fights with, in place of what its hull has. Source: drones.md sections 1, 3.6. */
export function droneFigures(view: WorldView, ship: Eid): NpcFigures | undefined {
  const drone = droneOf(view, ship)
  if (drone === 0) return undefined
  const { type, owner } = view.read(Drone)
  const control = view.read(PlayerSkills).level[owner[drone] * SKILLS_WIDTH + CONTROL]
  const gun: NpcGun = {
    name: 'Drone Beam',
    damageType: 'energy',
    reach: COMBAT_REACH,
    period: 1,
    damage: addPercent(COMBAT_DAMAGE, control),
  }
  return {
    hull: FIGURES[type[drone]].hull,
    shield: 0,
    regen: 0,
    armor: 0,
    speed: COMBAT_SPEED,
    guns: type[drone] === COMBAT ? [gun] : [],
  }
}

/** The UUID of a drone on the wire. */
export const droneId = (view: WorldView, drone: Row): string => idOf(view, Drone, drone)

/** A drone by wire id, whoever's; 0 none. */
const droneById = (view: WorldView, id: string): Row => rowOfId(view, Drone, id)

/** The hull of the drone with this wire id, while it is out; 0 none. */
export const bodyById = (view: WorldView, id: string): Eid =>
  view.read(Drone).body[droneById(view, id)]

/** Words by key. */
export function memosOf(view: WorldView, drone: Row): Row[] {
  const { next } = view.read(DroneMemo)
  const rows: Row[] = []
  for (let row = view.read(Drone).firstMemo[drone]; row !== 0; row = next[row]) rows.push(row)
  return rows
}

/** What it remembers, as texts. */
export function memoryOf(view: WorldView, drone: Row): Record<string, string> {
  const { key, value } = view.read(DroneMemo)
  const pairs = memosOf(view, drone).map((memo) => [
    textOf(view, key[memo]),
    textOf(view, value[memo]),
  ])
  return Object.fromEntries(pairs)
}

export type FunctionName = keyof typeof FN

/** Comparisons by their code. */
export const COMPARISONS = ['', '==', '!=', '<', '<=', '>', '>='] as const

export interface Program {
  /** Words are places in `texts` until they are linked. */
  readonly code: readonly number[]
  /** Every text it names, once. */
  readonly texts: readonly string[]
}

/** True when operand a, and b, of an instruction are words. */
export function operandKinds(head: number): readonly [boolean, boolean] {
  const op = head & 15
  const fn = (head >>> 4) & 15
  if (op === OP.set) return [true, true]
  if (op === OP.act) return [true, false]
  const named = fn === FN.at || fn === FN.mem || fn === FN.resource_available
  return [op === OP.if && named, op === OP.if && fn === FN.mem]
}

/* A player's own drones by id, or by the names they gave them. */

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

/** Drones that are out, in order of their systems and numbers. Made anew when one comes or goes. */
export function roster(view: WorldView): Uint32Array {
  const kept = view.index(ROSTER)
  if (kept.isValid) return kept.rows
  const { alive, state, seq, system } = view.read(Drone)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Drone); row++) {
    if (alive[row] === 1 && state[row] !== IN_BAY) rows.push(row)
  }
  rows.sort((a, b) => system[a] - system[b] || seq[a] - seq[b])
  kept.rows = Uint32Array.from(rows)
  kept.isValid = true
  return kept.rows
}

/** Drones at a place, those on their way there included. */
export const dronesAt = (view: WorldView, poi: Eid): number =>
  view.index(ROSTER).places.get(poi) ?? 0

const refusal = (drones: number, capacity: number): Failure<'drones_in_bay'> | undefined =>
  drones > capacity ? fail('drones_in_bay', { drones, capacity }) : undefined

/**
 * Refuses to take a module off while drones need it: those in bays and those out of them. Refusal:
 * drones_in_bay. Source: drones.md section 1.
 */
export function uninstallRefusal(
  view: WorldView,
  module: Row,
): Failure<'drones_in_bay'> | undefined {
  const ship = view.read(Module).ship[module]
  if (ship === 0 || baysOf(view, ship).capacity === baysOf(view, ship, module).capacity) return
  return refusal(dronesOfShip(view, ship).length, baysOf(view, ship, module).capacity)
}

/**
 * Refuses another fit of a ship whose bays are too small for its drones, in them and out of them.
 * Refusal: drones_in_bay.
 */
export function refitRefusal(
  view: WorldView,
  ship: Eid,
  fit: readonly ModuleRow[],
): Failure<'drones_in_bay'> | undefined {
  const capacity = fit.reduce((sum, row) => sum + (row.drone_capacity ?? 0), 0)
  return refusal(dronesOfShip(view, ship).length, capacity)
}

/** Drones in the bays of a ship. */
const bayed = (view: WorldView, ship: Eid): number =>
  dronesOfShip(view, ship).filter((drone) => inBay(view, drone)).length

/**
 * Refuses to change to a ship that has no room for the drones in the bays of this one. Refusal:
 * drones_in_bay. Source: drones.md section 1, ships.md section 7.
 */
export function switchRefusal(
  view: WorldView,
  from: Eid,
  to: Eid,
): Failure<'drones_in_bay'> | undefined {
  return refusal(bayed(view, from), baysOf(view, to).capacity)
}

/** Refuses to scrap or sell a ship with drones in its bays. Refusal: drones_in_bay. */
export function disposalRefusal(view: WorldView, ship: Eid): Failure<'drones_in_bay'> | undefined {
  return view.read(Ship).owner[ship] === 0 ? undefined : refusal(bayed(view, ship), 0)
}

/** A drone of the player by wire id; 0 for anything else. */
export function ownDrone(view: WorldView, player: Eid, id: string): Row {
  const drone = droneById(view, id)
  return drone !== 0 && view.read(Drone).owner[drone] === player ? drone : 0
}

/** All drones of a player, in the order of their making. */
export const dronesOf: (view: WorldView, player: Eid) => Row[] = DRONES_OF.rows

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

interface Bays {
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
const isAdrift = (view: WorldView, drone: Row): boolean =>
  !inBay(view, drone) && view.read(Drone).ship[drone] === 0

/** Drones adrift, the longest out first. */
export function adriftOf(view: WorldView, player: Eid): Row[] {
  const { deployedTick, seq } = view.read(Drone)
  return dronesOf(view, player)
    .filter((drone) => isAdrift(view, drone))
    .sort((a, b) => deployedTick[a] - deployedTick[b] || seq[a] - seq[b])
}

/** The ship a player flies; 0 none. */
export const flownBy = (view: WorldView, player: Eid): Eid => view.read(Player).ship[player]

export type DroneType = (typeof DRONE_TYPES)[number]

const COMBAT = DRONE_TYPES.indexOf('combat')

/** Actions that take a text. Source: drones.md section 3.2, argAction. */
export const TAKES_TEXT: ReadonlySet<string> = new Set<Action>(
  words('MOVE ATTACK STANCE REPAIR LOOT SALVAGE'),
)

/** ours: fleeing and boarding are not a drone's. Source: drones.md section 3.3. */
export const DRONE_STANCES = ['fire', 'evade', 'brace'] as const

/** Power, reach and speed. Source: drones.md section 1. */
const COMBAT_DAMAGE = 8
const COMBAT_REACH = 3
const COMBAT_SPEED = 4

export const REPAIR_POINTS = 5
export const SURVEY_POWER = 10

export const mayDo = (type: number, action: string): boolean =>
  action === 'WAIT' || action === 'MOVE' || FIGURES[type].actions.includes(action as Action)

/** Row of a text that something holds; 0 for the empty text, -1 for any other. */
export const wordOf = (view: WorldView, text: string): Row =>
  text === '' ? 0 : (view.index(WORDS).byText.get(text) ?? -1)

export const textOf = (view: WorldView, word: Row): string =>
  word === 0 ? '' : view.texts.get(view.read(DroneWord).said[word])
