/**
 * The five types of drone and the actions that scripts name, as plain figures: for kernels, the
 * parser and commands alike. Source: drones.md sections 1, 3.3.
 */

/** Values of `Drone.type` (append only). */
export const DRONE_TYPES = ['combat', 'mining', 'repair', 'salvage', 'scout'] as const
export type DroneType = (typeof DRONE_TYPES)[number]

export const COMBAT = DRONE_TYPES.indexOf('combat')
export const MINING = DRONE_TYPES.indexOf('mining')

/** Actions by their code (append only): programs hold it. */
export const ACTIONS = [
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
export type Action = (typeof ACTIONS)[number]

export interface DroneFigures {
  /** Item id, and the wire's `type`. */
  readonly id: string
  /** Points. */
  readonly hull: number
  /** Ticks of a flight, whatever the distance. */
  readonly hopTicks: number
  /** Space of its hold; 0: none. */
  readonly hold: number
  readonly bandwidth: number
  /** Actions besides WAIT and MOVE. */
  readonly actions: readonly Action[]
}

/** By `Drone.type`. Source: drones.md section 1. */
export const FIGURES: readonly DroneFigures[] = [
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

export const mayDo = (type: number, action: string): boolean =>
  action === 'WAIT' || action === 'MOVE' || FIGURES[type].actions.includes(action as Action)
