/** The shape of a creature: where it lives, what it does, and its line in the list of creatures. */
import type { LootDraw } from './pirates.ts'
import type { DamageType, ExtractedBy, NpcFigures } from './types.ts'

/** Kinds of places for rules: the class of a place if it is one of these, else its type. */
export const HABITATS = [
  'asteroid_belt',
  'asteroid',
  'ice_field',
  'gas_cloud',
  'nebula',
  'debris',
  'relic',
  'moon',
  'planet',
  'sun',
] as const
export type Habitat = (typeof HABITATS)[number]

export const ROCK = ['asteroid_belt', 'asteroid'] as const
export const GAS = ['gas_cloud', 'nebula'] as const

const CREATURE_ROLES = ['grazer', 'drifter', 'scavenger', 'predator', 'apex'] as const
export type CreatureRole = (typeof CREATURE_ROLES)[number]

/** How a kind behaves in a battle. */
export const NATURES = {
  /** Keeps trying to flee once it is hurt, mostly in vain. */
  skittish: { fleeBelowPct: 50, guard: 'fire', boltPct: 30 },
  /** Defends itself, and flees like the skittish ones. */
  wary: { fleeBelowPct: 50, guard: 'fire', boltPct: 30 },
  /** Curls up when it cannot bite, and flees late. */
  armored: { fleeBelowPct: 30, guard: 'brace', boltPct: 100 },
  /** Fights back until it is nearly dead. */
  stubborn: { fleeBelowPct: 20, guard: 'fire', boltPct: 100 },
  /** Never lets go. */
  relentless: { fleeBelowPct: 0, guard: 'fire', boltPct: 0 },
} as const satisfies Record<string, Nature>
type NatureName = keyof typeof NATURES

interface Nature {
  /** Hull below which it flees once it has been hurt, %; 0: never. */
  readonly fleeBelowPct: number
  /** Share of its attempts to flee that it keeps up until it is away, %; it gives up the others. */
  readonly boltPct: number
  /** Stance while nothing is within its reach. */
  readonly guard: 'fire' | 'brace'
}

export interface CreatureRow extends NpcFigures {
  /** `species` on the wire. */
  readonly id: string
  readonly name: string
  readonly lore: string
  readonly role: CreatureRole
  /** 1-5: the weight for xenobiology, and the danger that a scan names. */
  readonly tier: number
  readonly habitats: readonly Habitat[]
  /** Lives in systems with at most this police level. */
  readonly policeMax: number
  /** Family of deposits it grazes; undefined if it eats light, dust or other creatures. */
  readonly diet: ExtractedBy | undefined
  /** Units that each head takes from a deposit in a turn of the herd. */
  readonly appetite: number
  /** Smallest and largest herd. */
  readonly herd: readonly [min: number, max: number]
  /** Turns of the herd between two births. */
  readonly breedTurns: number
  /** Creatures have none. */
  readonly shield: 0
  readonly regen: 0
  /** 1-5, as for hulls. */
  readonly scale: number
  readonly nature: NatureName
  readonly drops: readonly LootDraw[]
}

export type Bite = readonly [
  name: string,
  damage: number,
  type: DamageType,
  reach: number,
  period: number,
]

/** One line of the list: what distinguishes a kind. */
export interface CreatureLine
  extends Pick<CreatureRow, 'id' | 'name' | 'lore' | 'role' | 'tier' | 'habitats' | 'herd'>,
    Pick<CreatureRow, 'speed' | 'nature'> {
  /** What its carcass holds besides hide and bone. */
  readonly prize: string
  readonly policeMax?: number
  readonly eats?: readonly [family: ExtractedBy, appetite: number]
  readonly bite?: Bite
  /** Hull and armour, in percent of those of its tier. */
  readonly bulkPct?: number
}
