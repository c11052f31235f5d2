/**
 * Creatures by kind: where they live, what they eat, how they bear themselves in a fight, what is
 * left of them. Columns hold indices into CREATURES: new rows go to the end. Source: combat.md
 * section 13, mining.md section 4; kinds, figures and lore are ours.
 */
import { CREATURE_LINES } from './creature-lines.ts'
import { deepFreeze } from './freeze.ts'
import type { LootDraw } from './pirates.ts'
import type { DamageType, ExtractedBy, NpcFigures, NpcGun } from './types.ts'

/** Places by what rules look at: the class of a place if it is one of these, else its type. */
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

export const CREATURE_ROLES = ['grazer', 'drifter', 'scavenger', 'predator', 'apex'] as const
export type CreatureRole = (typeof CREATURE_ROLES)[number]

/** How a kind bears itself in a battle. */
export const NATURES = {
  /** Flees at the first wound. */
  skittish: { fleeBelowPct: 100, guard: 'fire' },
  /** Defends itself, and flees when it is hurt. */
  wary: { fleeBelowPct: 60, guard: 'fire' },
  /** Curls up where it cannot bite, and flees late. */
  armored: { fleeBelowPct: 30, guard: 'brace' },
  /** Gives as good as it gets until it is nearly dead. */
  stubborn: { fleeBelowPct: 20, guard: 'fire' },
  /** Never lets go. */
  relentless: { fleeBelowPct: 0, guard: 'fire' },
} as const satisfies Record<string, Nature>
export type NatureName = keyof typeof NATURES

export interface Nature {
  /** Hull below which it flees once blood has flowed, %; 0: never. */
  readonly fleeBelowPct: number
  /** Stance while nothing is in its reach. */
  readonly guard: 'fire' | 'brace'
}

export interface CreatureRow extends NpcFigures {
  /** `species` on the wire. */
  readonly id: string
  readonly name: string
  readonly lore: string
  readonly role: CreatureRole
  /** 1-5: what xenobiology counts by, and the danger a scan names. */
  readonly tier: number
  readonly habitats: readonly Habitat[]
  /** Lives in systems with at most this police level. */
  readonly policeMax: number
  /** Family of deposits it grazes; nothing for those that eat light, dust or others. */
  readonly diet: ExtractedBy | undefined
  /** Units a head takes off a deposit in a turn of the herd. */
  readonly appetite: number
  /** Smallest and largest herd. */
  readonly herd: readonly [min: number, max: number]
  /** Turns of the herd between two births. */
  readonly breedTurns: number
  /** Creatures have none. */
  readonly shield: 0
  readonly regen: 0
  /** 1-5, as of hulls. */
  readonly scale: number
  readonly nature: NatureName
  readonly drops: readonly LootDraw[]
}

/** Hull, armour and scale by tier. */
const BODIES: Readonly<Record<number, readonly [hull: number, armor: number, scale: number]>> = {
  1: [60, 1, 1],
  2: [140, 3, 1],
  3: [320, 8, 2],
  4: [700, 16, 3],
  5: [1_400, 30, 4],
}

/** What is cut out of a carcass, by role: meat and hide of most, more of the rarer. */
function dropsOf(role: CreatureRole, tier: number, prize: string): LootDraw[] {
  const most = role === 'apex' ? 2 : tier + 1
  const common: LootDraw = {
    items: ['raw_hide', 'bone_lattice'],
    min: 1,
    max: most,
    chancePct: 100,
  }
  const own: LootDraw = { items: [prize], min: 1, max: Math.max(1, tier), chancePct: 60 }
  if (role !== 'apex') return [common, own]
  return [
    common,
    { items: ['leviathan_ichor'], min: 1, max: 2, chancePct: 70 },
    { items: ['apex_heart'], min: 1, max: 1, chancePct: 35 },
  ]
}

type Bite = readonly [name: string, damage: number, type: DamageType, reach: number, period: number]

/** One line of the list: what a kind has of its own. */
export interface CreatureLine
  extends Pick<CreatureRow, 'id' | 'name' | 'lore' | 'role' | 'tier' | 'habitats' | 'herd'>,
    Pick<CreatureRow, 'speed' | 'nature'> {
  /** What its carcass holds beside hide and bone. */
  readonly prize: string
  readonly policeMax?: number
  readonly eats?: readonly [family: ExtractedBy, appetite: number]
  readonly bite?: Bite
  /** Hull and armour in percent of its tier's. */
  readonly bulkPct?: number
}

const POLICE_MAX_BY_ROLE: Readonly<Record<CreatureRole, number>> = {
  grazer: 100,
  drifter: 100,
  scavenger: 80,
  predator: 40,
  apex: 0,
}

/** Turns between births by role: large beasts are slow. */
const BREED_TURNS: Readonly<Record<CreatureRole, number>> = {
  grazer: 1,
  drifter: 1,
  scavenger: 2,
  predator: 3,
  apex: 8,
}

function gunOf([name, damage, damageType, reach, period]: Bite): NpcGun {
  return { name, damage, damageType, reach, period }
}

function rowOf(line: CreatureLine): CreatureRow {
  const { id, name, lore, role, tier, habitats, herd, speed, nature, bite } = line
  const [hull, armor, scale] = BODIES[tier]!
  const bulk = line.bulkPct ?? 100
  const [family, appetite] = line.eats ?? [undefined, 0]
  return {
    ...{ id, name, lore, role, tier, habitats, herd, speed, nature, scale, appetite },
    policeMax: line.policeMax ?? POLICE_MAX_BY_ROLE[role],
    diet: family,
    breedTurns: BREED_TURNS[role],
    hull: Math.trunc((hull * bulk) / 100),
    armor: Math.trunc((armor * bulk) / 100),
    ...{ shield: 0, regen: 0 },
    guns: bite ? [gunOf(bite)] : [],
    drops: dropsOf(role, tier, line.prize),
  }
}

export const CREATURES: readonly CreatureRow[] = deepFreeze(CREATURE_LINES.map(rowOf))

const INDEX: ReadonlyMap<string, number> = new Map(CREATURES.map((row, index) => [row.id, index]))

/** Index into CREATURES; -1 when unknown. */
export const creatureIndex = (id: string): number => INDEX.get(id) ?? -1
