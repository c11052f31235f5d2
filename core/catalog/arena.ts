/**
 * The arena: the fighters of the house, and the challenges it offers. Columns and records hold
 * indices into FIGHTERS and ids of CHALLENGES: new rows go to the end. Source: combat.md section
 * 14; fighters, challenges, figures and lore are ours.
 */
import { CHALLENGE_LINES, type ChallengeRow } from './arena-challenges.ts'
import { deepFreeze } from './freeze.ts'
import type { DamageType, NpcFigures } from './types.ts'

const FIGHTER_STYLES = ['brawler', 'artillery', 'runner'] as const
type FighterStyle = (typeof FIGHTER_STYLES)[number]

/** A ship of the house, with the figures of an NPC. */
export interface FighterRow extends NpcFigures {
  readonly id: string
  readonly name: string
  readonly shipClass: string
  readonly style: FighterStyle
}

type FighterLine = readonly [
  id: string,
  name: string,
  shipClass: string,
  body: readonly [hull: number, shield: number, regen: number, armor: number, speed: number],
  style: FighterStyle,
  gun: readonly [name: string, damage: number, type: DamageType, reach: number, period: number],
]

const LINES: readonly FighterLine[] = [
  [
    'straw_pilot',
    'Straw Pilot',
    'messenger',
    [60, 20, 1, 0, 2],
    'brawler',
    ['Practice Gun', 4, 'kinetic', 3, 1],
  ],
  [
    'ring_hand',
    'Ring Hand',
    'hornet',
    [90, 40, 2, 3, 3],
    'brawler',
    ['Pit Cannon', 9, 'kinetic', 3, 1],
  ],
  [
    'lantern_twin',
    'Lantern Twin',
    'fang',
    [80, 60, 3, 2, 4],
    'brawler',
    ['Paired Lamp', 10, 'energy', 3, 1],
  ],
  [
    'net_caster',
    'Net Caster',
    'bailiff',
    [110, 50, 2, 4, 3],
    'brawler',
    ['Sparking Net', 8, 'em', 3, 1],
  ],
  [
    'longshot',
    'Longshot',
    'needle',
    [90, 60, 3, 3, 3],
    'artillery',
    ['Gallery Rifle', 16, 'kinetic', 5, 2],
  ],
  ['hare', 'Course Hare', 'swallow', [70, 40, 2, 2, 6], 'runner', ['Tail Gun', 5, 'kinetic', 4, 2]],
  [
    'house_guard',
    'House Guard',
    'bailiff',
    [180, 120, 4, 8, 3],
    'brawler',
    ['House Blaster', 18, 'energy', 3, 1],
  ],
  [
    'oath_duelist',
    'Oath Duelist',
    'fang',
    [220, 90, 3, 12, 4],
    'brawler',
    ['Sworn Cutter', 22, 'thermal', 2, 1],
  ],
  [
    'choir_gunner',
    'Choir Gunner',
    'needle',
    [160, 140, 5, 6, 3],
    'artillery',
    ['Descant Beam', 20, 'energy', 4, 1],
  ],
  [
    'toll_bomber',
    'Toll Bomber',
    'barge',
    [260, 100, 3, 10, 2],
    'artillery',
    ['Toll Rack', 40, 'explosive', 6, 3],
  ],
  [
    'pit_champion',
    'Pit Champion',
    'marauder',
    [420, 220, 6, 18, 4],
    'brawler',
    ['Crowd Pleaser', 38, 'kinetic', 3, 1],
  ],
  [
    'ash_matron',
    'Ash Matron',
    'plunderer',
    [520, 260, 6, 22, 3],
    'artillery',
    ['Cinder Organ', 46, 'thermal', 5, 1],
  ],
  [
    'mirror_prince',
    'Mirror Prince',
    'plunderer',
    [460, 420, 10, 14, 5],
    'brawler',
    ['Reflected Lance', 44, 'energy', 4, 1],
  ],
  [
    'old_undefeated',
    'Old Undefeated',
    'plunderer',
    [1100, 600, 12, 32, 4],
    'brawler',
    ['Forty Years of Practice', 70, 'void', 4, 1],
  ],
]

function fighterOf([id, name, shipClass, body, style, gun]: FighterLine): FighterRow {
  const [hull, shield, regen, armor, speed] = body
  const [gunName, damage, damageType, reach, period] = gun
  const guns = [{ name: gunName, damage, damageType, reach, period }]
  return { id, name, shipClass, hull, shield, regen, armor, speed, style, guns }
}

export const FIGHTERS: readonly FighterRow[] = deepFreeze(LINES.map(fighterOf))

const FIGHTER_INDEX: ReadonlyMap<string, number> = new Map(
  FIGHTERS.map((row, index) => [row.id, index]),
)

/** Returns the index into FIGHTERS; -1 when unknown. */
export const fighterIndex = (id: string): number => FIGHTER_INDEX.get(id) ?? -1

export const CHALLENGES: readonly ChallengeRow[] = deepFreeze(
  CHALLENGE_LINES.map((line) => ({
    rules: [],
    objective: 'eliminate' as const,
    objectiveTicks: 0,
    waves: [],
    requires: [],
    ...line,
  })),
)

/** Returns a challenge by its id; undefined when unknown. */
export const challengeById = (id: string): ChallengeRow | undefined =>
  CHALLENGES.find((row) => row.id === id)
