/**
 * Ammunition by the weapon that takes it. One item fills a magazine (combat.md section 7); figures
 * are ours. `damage_mod`, `shield_damage_mod` and `hull_damage_mod` are percent of the usual damage;
 * the other `_mod`s are percentage points added.
 */
import type { AmmoStats, ItemRow } from './types.ts'

export type AmmoRow = readonly [
  id: string,
  name: string,
  value: number,
  fits: string,
  stats: AmmoStats,
  description: string,
]

const AMMO_ROWS: readonly AmmoRow[] = [
  [
    'autocannon_rounds',
    'Autocannon Rounds',
    18,
    'autocannon',
    {},
    'Belted slugs; loud even in vacuum.',
  ],
  [
    'autocannon_ap',
    'Armor-Piercing Rounds',
    34,
    'autocannon',
    { armor_bypass: 40, damage_mod: 95 },
    'Hardened tips for stubborn plate.',
  ],
  [
    'autocannon_incendiary',
    'Incendiary Rounds',
    36,
    'autocannon',
    { damage_mod: 90, dot_pct: 10, dot_ticks: 3 },
    'They keep arguing after they land.',
  ],
  ['rail_slugs', 'Rail Slugs', 26, 'railgun', {}, 'Ferrous darts, straight as law.'],
  [
    'rail_penetrators',
    'Rail Penetrators',
    58,
    'railgun',
    { armor_bypass: 60, hit_chance_mod: -3 },
    'Tungsten, thin, unhurried.',
  ],
  [
    'rail_siege_slugs',
    'Siege Slugs',
    66,
    'railgun',
    { anti_large_mod: 25, hit_chance_mod: -5 },
    'For targets that cannot dodge.',
  ],
  [
    'driver_boulders',
    'Driver Boulders',
    14,
    'mass_driver',
    { hull_damage_mod: 110 },
    'Rocks. Rounded, graded, very fast rocks.',
  ],
  [
    'flak_canisters',
    'Flak Canisters',
    22,
    'flak',
    { anti_drone_mod: 30, anti_small_mod: 15 },
    'A cloud with edges.',
  ],
  [
    'flak_shredders',
    'Shredder Canisters',
    44,
    'flak',
    { anti_small_mod: 30, splash_pct: 15 },
    'A larger cloud with worse edges.',
  ],
  [
    'seeker_missiles',
    'Seeker Missiles',
    40,
    'missile',
    { hit_chance_mod: 5 },
    'They have been shown your picture.',
  ],
  [
    'em_missiles',
    'Disruptor Missiles',
    72,
    'missile',
    { damage_mod: 70, shield_damage_mod: 150, disrupt_ticks: 3 },
    'Leave the hull, take the lights.',
  ],
  [
    'swarm_missiles',
    'Swarm Missiles',
    78,
    'missile',
    { damage_mod: 85, splash_pct: 25 },
    'One tube, many opinions.',
  ],
  [
    'heavy_torpedoes',
    'Heavy Torpedoes',
    95,
    'torpedo',
    { anti_large_mod: 20, hit_chance_mod: -5 },
    'Slow, patient, final.',
  ],
  [
    'melt_torpedoes',
    'Melt Torpedoes',
    150,
    'torpedo',
    { armor_melt_pct: 30, armor_melt_ticks: 5 },
    'Turn plate to syrup before the next volley.',
  ],
  [
    'phase_torpedoes',
    'Phase Torpedoes',
    210,
    'torpedo',
    { damage_mod: 90, shield_bypass: 40 },
    'Part of each arrives on the other side.',
  ],
  [
    'plasma_canisters',
    'Plasma Canisters',
    46,
    'plasma',
    { dot_pct: 8, dot_ticks: 2 },
    'Bottled weather from a star.',
  ],
]

export const ammoItem = ([id, name, value, fits, ammo, description]: AmmoRow): ItemRow => ({
  id,
  name,
  description,
  category: 'ammo',
  size: 1,
  base_value: value,
  stackable: true,
  tradeable: true,
  effect: { type: 'ammo', subtype: fits, ammo },
})

export const AMMO_ITEMS: readonly ItemRow[] = AMMO_ROWS.map(ammoItem)
