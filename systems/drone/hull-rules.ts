/**
 * Which hulls are drones, and whose: for everyone who meets one in a battle. Reads columns alone.
 */
import { GOODS, itemIndex, skillIndex } from '../../core/catalog/index.ts'
import type { NpcFigures, NpcGun } from '../../core/catalog/types.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { addPercent } from '../../core/math.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../skill/columns.ts'
import { Body, Drone } from './columns.ts'
import {
  COMBAT,
  COMBAT_DAMAGE,
  COMBAT_REACH,
  COMBAT_SPEED,
  type DroneFigures,
  FIGURES,
} from './types.ts'

const CONTROL = skillIndex('drone_control')

/** Goods index by type of drone. */
export const DRONE_ITEMS: readonly number[] = FIGURES.map(({ id }) => itemIndex(id))

/** The drone that a hull is; 0 for a ship. */
export const droneOf = (view: WorldView, ship: Eid): Row => view.read(Body).drone[ship]

export const isDrone = (view: WorldView, ship: Eid): boolean => droneOf(view, ship) !== 0

export const figuresOf = (view: WorldView, drone: Row): DroneFigures =>
  FIGURES[view.read(Drone).type[drone]]

/** Who answers for what a hull does because it is his drone; 0 for a ship. */
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
    ...{ name: 'Drone Beam', damageType: 'energy', reach: COMBAT_REACH, period: 1 },
    damage: addPercent(COMBAT_DAMAGE, control),
  }
  return {
    ...{ hull: FIGURES[type[drone]].hull, shield: 0, regen: 0, armor: 0, speed: COMBAT_SPEED },
    guns: type[drone] === COMBAT ? [gun] : [],
  }
}

/** The UUID of a drone on the wire. */
export const droneId = (view: WorldView, drone: Row): string => idOf(view, Drone, drone)

/** A drone by wire id, whoever's; 0 none. */
export const droneById = (view: WorldView, id: string): Row => rowOfId(view, Drone, id)

/** The hull of the drone with this wire id, while it is out; 0 none. */
export const bodyById = (view: WorldView, id: string): Eid =>
  view.read(Drone).body[droneById(view, id)]
