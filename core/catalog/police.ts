/** Police drones: what empires send after criminals, by the police level of the system. */
import { EMPIRES } from './empires.ts'

export const POLICE_SHIP_CLASS = 'constable'
/** Drones sent after one criminal at most. */
const DRONES_MAX = 5

/** Drones of a system of this level, 1-100. Source: combat.md section 12; regrowth is ours. */
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

/** How many come for one criminal. Source: combat.md section 12. */
export const policeStrength = (level: number): number => Math.min(DRONES_MAX, Math.ceil(level / 20))

const RANKS = ['Constable', 'Warden', 'Marshal', 'Provost'] as const

/** What a drone is called, from a random number; `empire` is an index into EMPIRES. */
export function policeName(empire: number, random: number): string {
  const rank = RANKS[random % RANKS.length]
  const number = 100 + (Math.trunc(random / RANKS.length) % 900)
  return `${EMPIRES[empire].short_name} ${rank} ${number}`
}
