/** The list of creatures, a line a kind. Columns hold indexes into it: append only. */
import type { LootDraw } from './pirates.ts'
import type { DamageType, ExtractedBy, NpcFigures } from './types.ts'

const ROCK = ['asteroid_belt', 'asteroid'] as const
const GAS = ['gas_cloud', 'nebula'] as const

const GRAZERS: readonly CreatureLine[] = [
  {
    ...{ id: 'lichen_tortoise', name: 'Lichen Tortoise', role: 'grazer', tier: 1 },
    lore: 'A slab of shell the size of a tug. It crosses one asteroid in a year and leaves it bald.',
    ...{ habitats: ROCK, herd: [3, 7], speed: 1, nature: 'armored', eats: ['mining', 2] },
    ...{ prize: 'raw_hide', bulkPct: 130 },
  },
  {
    ...{ id: 'grit_snail', name: 'Grit Snail', role: 'grazer', tier: 1 },
    lore: 'Grinds silicate to flour and spins the flour into a thread it hangs from.',
    ...{ habitats: ROCK, herd: [4, 9], speed: 1, nature: 'armored', eats: ['mining', 1] },
    prize: 'bone_lattice',
  },
  {
    ...{ id: 'ore_hare', name: 'Ore Hare', role: 'grazer', tier: 1 },
    lore: 'Kicks itself from rock to rock. Miners count them to guess how old a vein is.',
    ...{ habitats: ROCK, herd: [4, 8], speed: 2, nature: 'skittish', eats: ['mining', 1] },
    prize: 'raw_hide',
  },
  {
    ...{ id: 'magnet_ox', name: 'Magnet Ox', role: 'grazer', tier: 2 },
    lore: 'Carries its own weight in filings, in a pattern no two of them share.',
    ...{ habitats: ROCK, herd: [3, 6], speed: 2, nature: 'stubborn', eats: ['mining', 3] },
    ...{ bite: ['Iron Shoulder', 8, 'kinetic', 2, 2], prize: 'bone_lattice' },
  },
  {
    ...{ id: 'slag_mammoth', name: 'Slag Mammoth', role: 'grazer', tier: 3 },
    lore: 'Drinks melt from warm cores through a trunk of living ceramic.',
    ...{ habitats: ROCK, herd: [2, 4], speed: 2, nature: 'stubborn', eats: ['mining', 5] },
    ...{ bite: ['Tusk Sweep', 22, 'kinetic', 2, 2], prize: 'bone_lattice', policeMax: 80 },
  },
  {
    ...{ id: 'rime_lamb', name: 'Rime Lamb', role: 'grazer', tier: 1 },
    lore: 'Its wool is hoarfrost. Startled flocks go up like a thrown handful of snow.',
    ...{ habitats: ['ice_field'], herd: [4, 9], speed: 2, nature: 'skittish', eats: ['ice', 1] },
    prize: 'raw_hide',
  },
  {
    ...{ id: 'comet_walrus', name: 'Comet Walrus', role: 'grazer', tier: 2 },
    lore: 'Saws breathing holes into ice that has never held air. Nobody has found out why.',
    ...{ habitats: ['ice_field'], herd: [2, 5], speed: 2, nature: 'wary', eats: ['ice', 3] },
    ...{ bite: ['Saw Tusk', 10, 'kinetic', 2, 1], prize: 'raw_hide' },
  },
  {
    ...{ id: 'floe_whale', name: 'Floe Whale', role: 'grazer', tier: 3 },
    lore: 'Swallows a berg, sleeps a season, and sings it out again as clear water.',
    ...{ habitats: ['ice_field'], herd: [1, 3], speed: 3, nature: 'wary', eats: ['ice', 6] },
    ...{ bite: ['Fluke', 18, 'kinetic', 2, 2], prize: 'glow_sac', bulkPct: 140 },
  },
  {
    ...{ id: 'glasswing_ray', name: 'Glasswing Ray', role: 'grazer', tier: 1 },
    lore: 'All wing and no weight. Through a school of them the stars swim.',
    ...{ habitats: GAS, herd: [4, 8], speed: 2, nature: 'skittish', eats: ['gas', 1] },
    prize: 'glow_sac',
  },
  {
    ...{ id: 'balloon_cow', name: 'Balloon Cow', role: 'grazer', tier: 2 },
    lore: 'Fills itself at dawn, drifts, empties at dusk. Placid, until it is not.',
    ...{ habitats: GAS, herd: [3, 7], speed: 2, nature: 'wary', eats: ['gas', 2] },
    ...{ bite: ['Vented Flame', 9, 'thermal', 2, 2], prize: 'spore_cluster' },
  },
]

const DRIFTERS: readonly CreatureLine[] = [
  {
    ...{ id: 'lantern_jelly', name: 'Lantern Jelly', role: 'drifter', tier: 1 },
    lore: 'Lights its lamp when a hull goes by, and puts it out when it is looked at.',
    ...{ habitats: [...GAS, 'moon'], herd: [4, 10], speed: 1, nature: 'skittish' },
    prize: 'glow_sac',
  },
  {
    ...{ id: 'sail_spider', name: 'Sail Spider', role: 'drifter', tier: 1 },
    lore: 'Rides sunlight on a web a hundred metres wide, eight legs to the wind.',
    ...{ habitats: ['sun', 'moon'], herd: [3, 6], speed: 2, nature: 'skittish' },
    prize: 'spore_cluster',
  },
  {
    ...{ id: 'corona_eel', name: 'Corona Eel', role: 'drifter', tier: 2 },
    lore: 'Basks where paint blisters. Its shadow falls on the star, pilots say, not from it.',
    ...{ habitats: ['sun'], herd: [2, 5], speed: 2, nature: 'wary' },
    ...{ bite: ['Flare Lash', 11, 'thermal', 3, 2], prize: 'glow_sac' },
  },
  {
    ...{ id: 'orbit_swallow', name: 'Orbit Swallow', role: 'drifter', tier: 1 },
    lore: 'Nests in dead satellites; each spring the relay crews knock before they open a hatch.',
    ...{ habitats: ['planet', 'moon'], herd: [4, 9], speed: 2, nature: 'skittish' },
    prize: 'raw_hide',
  },
  {
    ...{ id: 'pollen_choir', name: 'Pollen Choir', role: 'drifter', tier: 2 },
    lore: 'A thousand seeds that move as one and hum on the distress band.',
    ...{ habitats: ['nebula', 'planet'], herd: [2, 4], speed: 2, nature: 'armored' },
    prize: 'spore_cluster',
  },
  {
    ...{ id: 'mirror_manta', name: 'Mirror Manta', role: 'drifter', tier: 3 },
    lore: 'Shows each ship its own running lights, a little late.',
    ...{ habitats: GAS, herd: [1, 3], speed: 5, nature: 'wary', policeMax: 60 },
    ...{ bite: ['Thrown Glare', 20, 'energy', 3, 2], prize: 'glow_sac' },
  },
]

const SCAVENGERS: readonly CreatureLine[] = [
  {
    ...{ id: 'hull_crab', name: 'Hull Crab', role: 'scavenger', tier: 1 },
    lore: 'Lives in what it eats. The prettiest shells still carry registry numbers.',
    ...{ habitats: ['debris', 'relic'], herd: [3, 7], speed: 2, nature: 'armored' },
    ...{ bite: ['Rivet Claw', 6, 'kinetic', 1, 1], prize: 'bone_lattice' },
  },
  {
    ...{ id: 'wire_magpie', name: 'Wire Magpie', role: 'scavenger', tier: 1 },
    lore: 'Steals copper to line nests that work, by accident, as radio dishes.',
    ...{ habitats: ['debris', 'moon'], herd: [3, 6], speed: 2, nature: 'skittish' },
    prize: 'raw_hide',
  },
  {
    ...{ id: 'rust_hyena', name: 'Rust Hyena', role: 'scavenger', tier: 2 },
    lore: 'Follows convoys at a polite distance and laughs in short wave.',
    ...{ habitats: ['debris', ...ROCK], herd: [2, 5], speed: 2, nature: 'wary', policeMax: 60 },
    ...{ bite: ['Corroding Spit', 10, 'thermal', 3, 1], prize: 'venom_gland' },
  },
  {
    ...{ id: 'vault_beetle', name: 'Vault Beetle', role: 'scavenger', tier: 3 },
    lore: 'Seals itself into old doors. Treasure seekers learn to knock with a long pole.',
    ...{ habitats: ['relic', 'debris'], herd: [1, 3], speed: 1, nature: 'armored' },
    ...{ bite: ['Mandible', 26, 'kinetic', 1, 2], prize: 'bone_lattice', bulkPct: 150 },
  },
]

const PREDATORS: readonly CreatureLine[] = [
  {
    ...{ id: 'needle_shark', name: 'Needle Shark', role: 'predator', tier: 2 },
    lore: 'Comes out of the gas point first. Whoever saw one saw it leave.',
    ...{ habitats: GAS, herd: [1, 3], speed: 2, nature: 'wary' },
    ...{ bite: ['Lance Snout', 12, 'kinetic', 2, 1], prize: 'venom_gland' },
  },
  {
    ...{ id: 'trapdoor_mantis', name: 'Trapdoor Mantis', role: 'predator', tier: 3 },
    lore: 'Waits under a lid of gravel for hares, and does not always tell a skiff from a hare.',
    ...{ habitats: ROCK, herd: [1, 2], speed: 4, nature: 'stubborn' },
    ...{ bite: ['Scythe Arms', 34, 'kinetic', 2, 1], prize: 'venom_gland' },
  },
  {
    ...{ id: 'frost_lynx', name: 'Frost Lynx', role: 'predator', tier: 2 },
    lore: 'Its breath freezes in front of it; it stalks behind its own fog.',
    ...{ habitats: ['ice_field'], herd: [1, 2], speed: 2, nature: 'wary' },
    ...{ bite: ['Cold Snap', 11, 'thermal', 2, 1], prize: 'raw_hide' },
  },
  {
    ...{ id: 'static_adder', name: 'Static Adder', role: 'predator', tier: 3 },
    lore: 'Strikes at whatever hums. Old hands switch off the galley before they pass a nest.',
    ...{ habitats: ['nebula', 'debris'], herd: [1, 3], speed: 5, nature: 'stubborn' },
    ...{ bite: ['Discharge', 30, 'em', 3, 2], prize: 'venom_gland' },
  },
  {
    ...{ id: 'anchor_squid', name: 'Anchor Squid', role: 'predator', tier: 4 },
    lore: 'Holds on to a moonlet with six arms and keeps four for visitors.',
    ...{ habitats: ['moon', 'relic'], herd: [1, 2], speed: 3, nature: 'stubborn', policeMax: 20 },
    ...{ bite: ['Crushing Arm', 55, 'kinetic', 2, 1], prize: 'venom_gland' },
  },
]

const APEX: readonly CreatureLine[] = [
  {
    ...{ id: 'quarry_wyrm', name: 'Quarry Wyrm', role: 'apex', tier: 4 },
    lore: 'Bores through belts and leaves a tunnel with teeth marks. Claims are filed around it.',
    ...{ habitats: ROCK, herd: [1, 1], speed: 3, nature: 'stubborn' },
    ...{ bite: ['Boring Maw', 60, 'kinetic', 2, 1], prize: 'apex_heart' },
  },
  {
    ...{ id: 'veil_kraken', name: 'Veil Kraken', role: 'apex', tier: 5 },
    lore: 'The cloud has arms. By the time that is clear, it has you.',
    ...{ habitats: GAS, herd: [1, 1], speed: 3, nature: 'relentless' },
    ...{ bite: ['Many Arms', 85, 'kinetic', 3, 1], prize: 'apex_heart' },
  },
  {
    ...{ id: 'winter_sovereign', name: 'Winter Sovereign', role: 'apex', tier: 5 },
    lore: 'Antlers of clear ice and a tread that cracks floes. It was here before the charts.',
    ...{ habitats: ['ice_field'], herd: [1, 1], speed: 3, nature: 'stubborn' },
    ...{ bite: ['White Breath', 80, 'thermal', 3, 1], prize: 'apex_heart' },
  },
  {
    ...{ id: 'tomb_lamprey', name: 'Tomb Lamprey', role: 'apex', tier: 4 },
    lore: 'Sleeps in dead stations, mouth open. What looks like an airlock may not be one.',
    ...{ habitats: ['debris', 'relic'], herd: [1, 1], speed: 4, nature: 'relentless' },
    ...{ bite: ['Draining Ring', 50, 'em', 2, 1], prize: 'apex_heart' },
  },
  {
    ...{ id: 'noon_dragon', name: 'Noon Dragon', role: 'apex', tier: 5 },
    lore: 'Seen only against the disc of a star. It casts the light it hunts by.',
    ...{ habitats: ['sun'], herd: [1, 1], speed: 5, nature: 'stubborn' },
    ...{ bite: ['Solar Throat', 95, 'thermal', 4, 2], prize: 'apex_heart' },
  },
]

export const CREATURE_LINES: readonly CreatureLine[] = [
  ...GRAZERS,
  ...DRIFTERS,
  ...SCAVENGERS,
  ...PREDATORS,
  ...APEX,
]

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

const CREATURE_ROLES = ['grazer', 'drifter', 'scavenger', 'predator', 'apex'] as const
export type CreatureRole = (typeof CREATURE_ROLES)[number]

/** How a kind bears itself in a battle. */
export const NATURES = {
  /** Takes flight again and again once it is hurt, mostly in vain. */
  skittish: { fleeBelowPct: 50, guard: 'fire', boltPct: 30 },
  /** Defends itself, and takes flight as the skittish do. */
  wary: { fleeBelowPct: 50, guard: 'fire', boltPct: 30 },
  /** Curls up where it cannot bite, and flees late. */
  armored: { fleeBelowPct: 30, guard: 'brace', boltPct: 100 },
  /** Gives as good as it gets until it is nearly dead. */
  stubborn: { fleeBelowPct: 20, guard: 'fire', boltPct: 100 },
  /** Never lets go. */
  relentless: { fleeBelowPct: 0, guard: 'fire', boltPct: 0 },
} as const satisfies Record<string, Nature>
type NatureName = keyof typeof NATURES

interface Nature {
  /** Hull below which it flees once blood has flowed, %; 0: never. */
  readonly fleeBelowPct: number
  /** Flights of 100 that it keeps up until it is away; it turns back from the others. */
  readonly boltPct: number
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

export type Bite = readonly [
  name: string,
  damage: number,
  type: DamageType,
  reach: number,
  period: number,
]

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
