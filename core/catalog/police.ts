/** Police: the level of a system of an empire, and the drones sent after criminals there. */
import { EMPIRES } from './empires.ts'

/** Police level by jumps from the capital, and beyond. Source: balance.md section 8. */
const LEVELS = [100, 85, 70, 50, 30, 15] as const
const LEVEL_BEYOND = 5

/** Returns the police level of a system of an empire, this many jumps from its capital. */
export const policeAt = (jumps: number): number => LEVELS[jumps] ?? LEVEL_BEYOND

export const POLICE_SHIP_CLASS = 'constable'
/** Maximum drones sent after one criminal. */
const DRONES_MAX = 5

/**
 * Returns the figures of the drones of a system with this police level, 1-100. Source: combat.md
 * section 12; ours: `regen`.
 */
export function policeFigures(level: number) {
  return {
    hull: 100 + 3 * level,
    shield: 50 + 2 * level,
    regen: 2,
    armor: 0,
    speed: 4,
    guns: [
      {
        name: 'Arrest Beam',
        damage: 5 + Math.trunc(level / 4),
        damageType: 'energy',
        reach: 4,
        period: 1,
      },
    ],
  } as const
}

/** Returns how many drones come for one criminal. Source: combat.md section 12. */
export const policeStrength = (level: number): number => Math.min(DRONES_MAX, Math.ceil(level / 20))

const RANKS = ['Constable', 'Warden', 'Marshal', 'Provost'] as const

/** Returns the name of a drone from a random number; `empire` is an index into EMPIRES. */
export function policeName(empire: number, random: number): string {
  const rank = RANKS[random % RANKS.length]
  const number = 100 + (Math.trunc(random / RANKS.length) % 900)
  return `${EMPIRES[empire].short_name} ${rank} ${number}`
}
