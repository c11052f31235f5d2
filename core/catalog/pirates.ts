/**
 * Pirates by tier: what they fly, how they fight, what a kill pays and leaves behind, and what they
 * are called. Columns hold indices into PIRATES: new rows go to the end.
 */
import { deepFreeze } from './freeze.ts'
import type { NpcFigures, PirateTier } from './types.ts'

/** One draw of loot: one of `items`, `min` to `max` units of it, in `chancePct` of 100 cases. */
export interface LootDraw {
  readonly items: readonly string[]
  readonly min: number
  readonly max: number
  readonly chancePct: number
}

export interface PirateRow extends NpcFigures {
  /** Wire name of the tier. */
  readonly tier: PirateTier
  /** 1-4: the weight for hunting skills. */
  readonly rank: number
  readonly role: 'scout' | 'raider' | 'enforcer' | 'warlord'
  /** At home only in strongholds, one in each. */
  readonly isBoss: boolean
  readonly shipClass: string
  readonly marines: number
  /** What its boarders do with a hull they have won. */
  readonly doctrine: 'plunder' | 'capture'
  readonly bountyCredits: number
  readonly combatXp: number
  readonly loot: readonly LootDraw[]
}

const swag = (min: number, max: number): LootDraw => ({
  items: ['rations', 'textiles', 'hand_tools', 'salvage_metal', 'iron_ingot', 'circuit_board'],
  min,
  max,
  chancePct: 100,
})
const ammunition = (min: number, max: number): LootDraw => ({
  items: ['autocannon_rounds', 'rail_slugs', 'flak_canisters', 'seeker_missiles'],
  min,
  max,
  chancePct: 100,
})

/**
 * Figures of balance.md section 8, set so that `npm run ladder` gives the results it states.
 * ours: damage types, names of guns, loot within the frame of salvage.md section 2.
 */
export const PIRATES: readonly PirateRow[] = deepFreeze([
  {
    tier: 'T1',
    rank: 1,
    role: 'scout',
    isBoss: false,
    shipClass: 'cutpurse',
    hull: 56,
    shield: 30,
    regen: 0,
    armor: 2,
    speed: 2,
    guns: [{ name: 'Sawn Cannon', damage: 10, damageType: 'kinetic', reach: 3, period: 1 }],
    marines: 0,
    doctrine: 'plunder',
    bountyCredits: 700,
    combatXp: 20,
    loot: [swag(2, 6)],
  },
  {
    tier: 'T2',
    rank: 2,
    role: 'raider',
    isBoss: false,
    shipClass: 'marauder',
    hull: 168,
    shield: 80,
    regen: 1,
    armor: 6,
    speed: 3,
    guns: [{ name: 'Stolen Pulse Battery', damage: 14, damageType: 'energy', reach: 3, period: 1 }],
    marines: 0,
    doctrine: 'plunder',
    bountyCredits: 2_000,
    combatXp: 60,
    loot: [swag(3, 8), ammunition(2, 5)],
  },
  {
    tier: 'T3',
    rank: 3,
    role: 'enforcer',
    isBoss: false,
    shipClass: 'plunderer',
    hull: 450,
    shield: 200,
    regen: 3,
    armor: 16,
    speed: 3,
    guns: [{ name: 'Tithe Lance', damage: 45, damageType: 'energy', reach: 4, period: 1 }],
    marines: 12,
    doctrine: 'plunder',
    bountyCredits: 6_000,
    combatXp: 200,
    loot: [
      swag(4, 10),
      ammunition(3, 8),
      {
        items: ['weapon_housing', 'targeting_processor', 'shield_emitter', 'sensor_array'],
        min: 1,
        max: 2,
        chancePct: 100,
      },
      {
        items: ['dream_dust', 'stolen_ledgers', 'unregistered_arms'],
        min: 1,
        max: 2,
        chancePct: 35,
      },
    ],
  },
  {
    tier: 'boss',
    rank: 4,
    role: 'warlord',
    isBoss: true,
    shipClass: 'black_tithe',
    hull: 1_500,
    shield: 600,
    regen: 12,
    armor: 45,
    speed: 2,
    guns: [{ name: 'Ransom Engine', damage: 150, damageType: 'explosive', reach: 5, period: 1 }],
    marines: 24,
    doctrine: 'capture',
    bountyCredits: 60_000,
    combatXp: 1_000,
    loot: [
      swag(8, 20),
      ammunition(10, 20),
      {
        items: ['weapon_housing', 'targeting_processor', 'shield_emitter', 'sensor_array'],
        min: 3,
        max: 6,
        chancePct: 100,
      },
      {
        items: ['dream_dust', 'stolen_ledgers', 'unregistered_arms'],
        min: 3,
        max: 6,
        chancePct: 100,
      },
    ],
  },
])

/** Index into PIRATES of the boss of a stronghold. */
export const BOSS = PIRATES.findIndex((row) => row.isBoss)

/** What decides how many pirates are at home in a system. */
interface PackSite {
  readonly police: number
  /** Jumps from the nearest empire; only matters where there is no police. */
  readonly jumps: number
  readonly isStronghold: boolean
  /** Draws the size of a pack that varies. */
  readonly random: number
}

/** Highest police level at which pirates are at home. Source: combat.md section 13. */
const HOME_POLICE_MAX = 20
/** Highest police level with a whole pack; above it there are one or two scouts. */
const PACK_POLICE_MAX = 10
const PACK: Pack = [3, 0, 0, 0]
const LONER: Pack = [1, 0, 0, 0]
const PAIR: Pack = [2, 0, 0, 0]
/**
 * Systems with one or two scouts for each that has two. ours: where every other system had two, a
 * starter ship that hunted for a day was lost in 25 of 100 cases.
 */
const PAIR_EVERY = 3
/** Packs of lawless systems by jumps from the nearest empire; the last also applies beyond. */
const LAWLESS_PACKS: readonly Pack[] = [
  [3, 1, 0, 0],
  [4, 2, 0, 0],
  [4, 2, 2, 0],
]
type Pack = readonly [scouts: number, raiders: number, enforcers: number, bosses: number]

/**
 * Returns how many pirates of each row of PIRATES are at home in a system; bosses only in
 * strongholds. Source: balance.md section 8.
 */
export function packAt({ police, jumps, isStronghold, random }: PackSite): readonly number[] {
  if (isStronghold) return [8, 4, 4, 1]
  if (police > HOME_POLICE_MAX) return [0, 0, 0, 0]
  if (police > PACK_POLICE_MAX) return random % PAIR_EVERY === 0 ? PAIR : LONER
  if (police > 0) return PACK
  return LAWLESS_PACKS[Math.min(Math.max(1, jumps), LAWLESS_PACKS.length) - 1]!
}

/** Ticks for which a prowler stays in a system that is not its own. */
export const PROWLER_TICKS = 240
/** Shares of the systems with a prowler, by the police level from which they apply. */
const PROWLERS: readonly (readonly [policeMin: number, pct: number])[] = [
  [60, 0],
  [40, 25],
  [HOME_POLICE_MAX + 1, 50],
]

/** Returns in how many of 100 systems of a police level there is a prowler. */
export const prowlerPct = (police: number): number =>
  PROWLERS.find(([policeMin]) => police >= policeMin)?.[1] ?? 0

const FIRST_NAMES = deepFreeze([
  'Ash',
  'Barnacle',
  'Bent',
  'Candle',
  'Cold',
  'Crooked',
  'Dry',
  'Gentle',
  'Half',
  'Hollow',
  'Hungry',
  'Late',
  'Lucky',
  'Mad',
  'Nine',
  'Old',
  'Patient',
  'Quiet',
  'Rusty',
  'Salt',
  'Sorry',
  'Tall',
  'Velvet',
  'Wry',
])
const LAST_NAMES = deepFreeze([
  'Abbot',
  'Bela',
  'Cormac',
  'Dozen',
  'Esper',
  'Finger',
  'Ganymede',
  'Hob',
  'Ines',
  'Jackdaw',
  'Kestrel',
  'Lamprey',
  'Marrow',
  'Nadir',
  'Odile',
  'Penny',
  'Quill',
  'Ravel',
  'Sexton',
  'Tamsin',
  'Ulla',
  'Vesper',
  'Wick',
  'Yarrow',
])

/** Returns a pirate's name from a random number. */
export function pirateName(random: number): string {
  const first = FIRST_NAMES[random % FIRST_NAMES.length]
  const last = LAST_NAMES[Math.trunc(random / FIRST_NAMES.length) % LAST_NAMES.length]
  return `${first} ${last}`
}
