/**
 * Creatures by kind: where they live, what they eat, how they behave in a fight, what is left of
 * them. Columns hold indices into CREATURES: new rows go to the end. Source: combat.md
 * section 13, mining.md section 4; kinds, figures and lore are ours.
 */
import { CREATURE_LINES } from './creature-lines.ts'
import type { Bite, CreatureLine, CreatureRole, CreatureRow } from './creature-row.ts'
import { deepFreeze } from './freeze.ts'
import type { LootDraw } from './pirates.ts'
import type { NpcGun } from './types.ts'

/** Hull, armour and scale by tier. */
const BODIES: Readonly<Record<number, readonly [hull: number, armor: number, scale: number]>> = {
  1: [60, 1, 1],
  2: [140, 3, 1],
  3: [320, 8, 2],
  4: [700, 16, 3],
  5: [1_400, 30, 4],
}

/** Returns what a carcass yields, by role: meat and hide from most, more from rarer kinds. */
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
    id,
    name,
    lore,
    role,
    tier,
    habitats,
    herd,
    speed,
    nature,
    scale,
    appetite,
    policeMax: line.policeMax ?? POLICE_MAX_BY_ROLE[role],
    diet: family,
    breedTurns: BREED_TURNS[role],
    hull: Math.trunc((hull * bulk) / 100),
    armor: Math.trunc((armor * bulk) / 100),
    shield: 0,
    regen: 0,
    guns: bite ? [gunOf(bite)] : [],
    drops: dropsOf(role, tier, line.prize),
  }
}

export const CREATURES: readonly CreatureRow[] = deepFreeze(CREATURE_LINES.map(rowOf))

const INDEX: ReadonlyMap<string, number> = new Map(CREATURES.map((row, index) => [row.id, index]))

/** Returns the index into CREATURES; -1 when unknown. */
export const creatureIndex = (id: string): number => INDEX.get(id) ?? -1
