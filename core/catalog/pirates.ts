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
  /** As the wire names it. */
  readonly tier: PirateTier
  /** 1-4: what hunting skills count by. */
  readonly rank: number
  readonly role: 'scout' | 'raider' | 'enforcer' | 'warlord'
  /** At home in strongholds alone, one in each. */
  readonly isBoss: boolean
  readonly shipClass: string
  readonly marines: number
  /** What its boarders do with a hull they have won. */
  readonly doctrine: 'plunder' | 'capture'
  readonly bountyCredits: number
  readonly combatXp: number
  readonly loot: readonly LootDraw[]
  /** One may be at home in systems with at most this police level. */
  readonly policeMax: number
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
 * Figures of combat.md section 13. ours: damage types, shield regrowth, names of guns, loot within
 * the frame of salvage.md section 2.
 */
export const PIRATES: readonly PirateRow[] = deepFreeze([
  {
    tier: 'T1',
    rank: 1,
    role: 'scout',
    isBoss: false,
    shipClass: 'cutpurse',
    hull: 90,
    shield: 40,
    regen: 1,
    armor: 4,
    speed: 3,
    guns: [{ name: 'Sawn Cannon', damage: 10, damageType: 'kinetic', reach: 3, period: 1 }],
    marines: 0,
    doctrine: 'plunder',
    bountyCredits: 150,
    combatXp: 20,
    loot: [swag(2, 6)],
    policeMax: 20,
  },
  {
    tier: 'T2',
    rank: 2,
    role: 'raider',
    isBoss: false,
    shipClass: 'marauder',
    hull: 200,
    shield: 100,
    regen: 2,
    armor: 10,
    speed: 3,
    guns: [{ name: 'Stolen Pulse Battery', damage: 25, damageType: 'energy', reach: 3, period: 1 }],
    marines: 0,
    doctrine: 'plunder',
    bountyCredits: 600,
    combatXp: 60,
    loot: [swag(3, 8), ammunition(2, 5)],
    policeMax: 10,
  },
  {
    tier: 'T3',
    rank: 3,
    role: 'enforcer',
    isBoss: false,
    shipClass: 'plunderer',
    hull: 450,
    shield: 220,
    regen: 4,
    armor: 20,
    speed: 3,
    guns: [{ name: 'Tithe Lance', damage: 60, damageType: 'energy', reach: 4, period: 1 }],
    marines: 12,
    doctrine: 'plunder',
    bountyCredits: 2_500,
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
    policeMax: 0,
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
    bountyCredits: 15_000,
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
    policeMax: 0,
  },
])

/** Index into PIRATES of who rules a stronghold. */
export const BOSS = PIRATES.findIndex((row) => row.isBoss)

/**
 * How many pirates of each row of PIRATES a system is home to; bosses are strongholds' alone.
 * Source: combat.md section 13.
 */
export function piratesAt(police: number): readonly number[] {
  const counts = [2 + Math.trunc((20 - police) / 5), 2, 1, 0]
  return PIRATES.map((row, i) => (police <= row.policeMax ? counts[i] : 0))
}

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

/** A pirate's name from a random number. */
export function pirateName(random: number): string {
  const first = FIRST_NAMES[random % FIRST_NAMES.length]
  const last = LAST_NAMES[Math.trunc(random / FIRST_NAMES.length) % LAST_NAMES.length]
  return `${first} ${last}`
}
