/**
 * The five types of drone and the actions that scripts name: plain figures, for kernels, parser and
 * commands alike. Source: drones.md sections 1, 3.3.
 */
/** Values of `Drone.type` (append only). */
export const DRONE_TYPES = ['combat', 'mining', 'repair', 'salvage', 'scout'] as const
export type DroneType = (typeof DRONE_TYPES)[number]

export const MINING = DRONE_TYPES.indexOf('mining')
export const COMBAT = DRONE_TYPES.indexOf('combat')

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

/** Actions that take a text. Source: drones.md section 3.2, argAction. */
export const TAKES_TEXT: ReadonlySet<string> = new Set<Action>([
  ...(['MOVE', 'ATTACK', 'STANCE', 'REPAIR', 'LOOT', 'SALVAGE'] as const),
])

/** ours: fleeing and boarding are not a drone's. Source: drones.md section 3.3. */
export const DRONE_STANCES = ['fire', 'evade', 'brace'] as const

export interface DroneFigures {
  /** Item id, and the wire's `type`. */
  readonly id: string
  readonly name: string
  /** Points. */
  readonly hull: number
  /** Ticks of a flight, whatever the distance. */
  readonly hopTicks: number
  /** Space of its hold; 0: none. */
  readonly hold: number
  readonly bandwidth: number
  /** What it may do besides WAIT and MOVE. */
  readonly actions: readonly Action[]
}

/** By `Drone.type`. Source: drones.md section 1. */
export const FIGURES: readonly DroneFigures[] = [
  {
    ...{ id: 'combat_drone', name: 'Combat Drone', hull: 50, hopTicks: 4, hold: 0, bandwidth: 15 },
    actions: ['ATTACK', 'ADVANCE', 'RETREAT', 'STANCE'],
  },
  {
    ...{ id: 'mining_drone', name: 'Mining Drone', hull: 40, hopTicks: 6, hold: 50, bandwidth: 10 },
    actions: ['MINE', 'DEPOSIT', 'TRANSFER', 'JETTISON'],
  },
  {
    ...{ id: 'repair_drone', name: 'Repair Drone', hull: 45, hopTicks: 5, hold: 0, bandwidth: 12 },
    actions: ['REPAIR'],
  },
  {
    ...{ id: 'salvage_drone', name: 'Salvage Drone', hull: 35, hopTicks: 5 },
    ...{ hold: 30, bandwidth: 12 },
    actions: ['LOOT', 'SALVAGE', 'DEPOSIT', 'TRANSFER', 'JETTISON'],
  },
  {
    ...{ id: 'scout_drone', name: 'Scout Drone', hull: 30, hopTicks: 3, hold: 0, bandwidth: 8 },
    actions: ['SCAN', 'SURVEY'],
  },
]

/** Power, reach and speed. Source: drones.md section 1. */
export const COMBAT_DAMAGE = 8
export const COMBAT_REACH = 3
export const COMBAT_SPEED = 4
export const MINING_POWER = 5
export const REPAIR_POINTS = 5
export const SURVEY_POWER = 10
/** Ticks of flight it needs to leave a battle. Source: drones.md section 3.6. */
export const FLEE_TICKS = 3

export const mayDo = (type: number, action: string): boolean =>
  action === 'WAIT' || action === 'MOVE' || FIGURES[type].actions.includes(action as Action)
