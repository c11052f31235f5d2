/**
 * Types of drone, their figures and the actions that scripts name, for kernels, the compiler and
 * commands. Source: drones.md sections 1, 3.3.
 */

/** Values of `Drone.type` (append only). */
export const DRONE_TYPES = ['combat', 'mining', 'repair', 'salvage', 'scout'] as const
export type DroneType = (typeof DRONE_TYPES)[number]

export const COMBAT_TYPE = DRONE_TYPES.indexOf('combat')
export const MINING_TYPE = DRONE_TYPES.indexOf('mining')

/** Drone actions; the index is the code stored in compiled programs (append only). */
export const DRONE_ACTIONS = [
  'WAIT',
  'MOVE',
  'ATTACK',
  'ADVANCE',
  'RETREAT',
  'STANCE',
  'MINE',
  'DEPOSIT',
  'TRANSFER',
  'JETTISON',
  'REPAIR',
  'LOOT',
  'SALVAGE',
  'SCAN',
  'SURVEY',
] as const
export type Action = (typeof DRONE_ACTIONS)[number]

/** The figures of one type of drone. */
export interface DroneFigures {
  /** Item id; also `type` on the wire. */
  readonly id: string
  /** Hull, points. */
  readonly hull: number
  /** Duration of a flight, ticks; the same for every distance. */
  readonly hopTicks: number
  /** Capacity of its hold, units of cargo space; 0 = no hold. */
  readonly hold: number
  /** Bandwidth it takes up on its ship, points. */
  readonly bandwidth: number
  /** Actions it can do besides WAIT and MOVE. */
  readonly actions: readonly Action[]
}

/** Figures in the order of `Drone.type`. Source: drones.md section 1. */
export const DRONE_FIGURES: readonly DroneFigures[] = [
  {
    id: 'combat_drone',
    hull: 50,
    hopTicks: 4,
    hold: 0,
    bandwidth: 15,
    actions: ['ATTACK', 'ADVANCE', 'RETREAT', 'STANCE'],
  },
  {
    id: 'mining_drone',
    hull: 40,
    hopTicks: 6,
    hold: 50,
    bandwidth: 10,
    actions: ['MINE', 'DEPOSIT', 'TRANSFER', 'JETTISON'],
  },
  {
    id: 'repair_drone',
    hull: 45,
    hopTicks: 5,
    hold: 0,
    bandwidth: 12,
    actions: ['REPAIR'],
  },
  {
    id: 'salvage_drone',
    hull: 35,
    hopTicks: 5,
    hold: 30,
    bandwidth: 12,
    actions: ['LOOT', 'SALVAGE', 'DEPOSIT', 'TRANSFER', 'JETTISON'],
  },
  {
    id: 'scout_drone',
    hull: 30,
    hopTicks: 3,
    hold: 0,
    bandwidth: 8,
    actions: ['SCAN', 'SURVEY'],
  },
]

/** Returns whether drones of a type can do an action. */
export const mayDo = (type: number, action: string): boolean =>
  action === 'WAIT' || action === 'MOVE' || DRONE_FIGURES[type].actions.includes(action as Action)
