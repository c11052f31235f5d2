/**
 * The eleven parts of space: five empires and six lawless tracts with the crews that hunt there,
 * and their ores.
 */
import { deepFreeze } from './freeze.ts'
import { ITEMS } from './items.ts'
import type { EmpireId } from './map-types.ts'
import type { RegionRow } from './types.ts'

const tract = (
  id: string,
  name: string,
  [key, crew, primary_color, secondary_color]: readonly [string, string, string, string],
  description: string,
): RegionRow => ({
  id,
  name,
  empire: null,
  description,
  pirates: { key, name: crew, primary_color, secondary_color },
})

const realm = (empire: EmpireId, name: string, description: string): RegionRow => ({
  id: empire,
  name,
  empire,
  description,
})

/** Empires in the order of EMPIRE_IDS, then tracts 0-5 of the layout. */
export const REGIONS: readonly RegionRow[] = deepFreeze([
  realm('solarian', 'The Seven Lights', 'Old suns, old law, lanes swept on schedule.'),
  realm('voidborn', 'The Quiet', 'Dim stars and dark hulls; the beacons here whisper.'),
  realm('crimson', 'The Forge Chain', 'Red dwarfs, hot moons and the sound of hammers.'),
  realm('nebula', 'The Gilded Drift', 'Bright gas, brighter ledgers, traffic at all hours.'),
  realm('outerrim', 'The Lamp Country', 'Thin stars, long roads, a light at every dock.'),
  tract(
    'hollow_middle',
    'The Hollow Middle',
    ['tithe_fleet', 'the Tithe Fleet', '#6B1E1E', '#D8C9A3'],
    'The centre of everything, and nobody’s. Five empires signed a paper to keep out of it.',
  ),
  tract(
    'moth_reach',
    'Moth Reach',
    ['moth_kings', 'the Moth Kings', '#4A4238', '#E6D5A8'],
    'A drift of dying suns. Things here come toward light.',
  ),
  tract(
    'saltless_sea',
    'The Saltless Sea',
    ['drowned_choir', 'the Drowned Choir', '#12394A', '#9FD3C7'],
    'A tract so flat and empty that pilots speak of tides.',
  ),
  tract(
    'gallows_deep',
    'Gallows Deep',
    ['last_rope', 'the Last Rope', '#2A2A2A', '#B8860B'],
    'Three mutinies ended here and none of the crews went home.',
  ),
  tract(
    'thorn_quarter',
    'The Thorn Quarter',
    ['bramble_court', 'the Bramble Court', '#2F4F2F', '#C94C4C'],
    'Debris from a war older than the flags that claim to have won it.',
  ),
  tract(
    'unpaid_stars',
    'The Unpaid Stars',
    ['unpaid', 'the Unpaid', '#5E3A6E', '#DDDDDD'],
    'Surveyed on credit, settled on credit, abandoned on the due date.',
  ),
])

interface OreTable {
  common: readonly string[]
  uncommon: readonly string[]
  rare: readonly string[]
}

/** Ores of an empire or of lawless space, most typical first. */
export const ORES: Readonly<Record<string, OreTable>> = deepFreeze({
  solarian: {
    common: ['iron_ore', 'aluminum_ore', 'silicate_ore', 'copper_ore', 'basalt_ore'],
    uncommon: ['heliodor_ore', 'titanium_ore', 'chromium_ore', 'silver_ore'],
    rare: ['gold_ore', 'platinum_ore'],
  },
  voidborn: {
    common: ['carbon_ore', 'silicate_ore', 'nickel_ore', 'iron_ore', 'sulfur_ore'],
    uncommon: ['umbral_quartz', 'boron_ore', 'lithium_ore', 'cobalt_ore'],
    rare: ['neodymium_ore', 'palladium_ore'],
  },
  crimson: {
    common: ['iron_ore', 'nickel_ore', 'carbon_ore', 'sulfur_ore', 'basalt_ore'],
    uncommon: ['oathiron_ore', 'tungsten_ore', 'vanadium_ore', 'manganese_ore'],
    rare: ['osmium_ore', 'uranium_ore'],
  },
  nebula: {
    common: ['copper_ore', 'tin_ore', 'zinc_ore', 'silicate_ore', 'iron_ore'],
    uncommon: ['opaline_ore', 'silver_ore', 'cobalt_ore', 'lithium_ore'],
    rare: ['platinum_ore', 'gold_ore'],
  },
  outerrim: {
    common: ['iron_ore', 'basalt_ore', 'zinc_ore', 'tin_ore', 'aluminum_ore'],
    uncommon: ['driftglass_ore', 'manganese_ore', 'titanium_ore', 'boron_ore'],
    rare: ['iridium_ore', 'thorium_ore'],
  },
  lawless: {
    common: ['iron_ore', 'nickel_ore', 'carbon_ore', 'sulfur_ore', 'copper_ore', 'basalt_ore'],
    uncommon: ['titanium_ore', 'tungsten_ore', 'cobalt_ore', 'lithium_ore', 'vanadium_ore'],
    rare: [
      'gold_ore',
      'platinum_ore',
      'iridium_ore',
      'palladium_ore',
      'neodymium_ore',
      'osmium_ore',
      'thorium_ore',
      'uranium_ore',
    ],
  },
})

/** The ores that only one empire has. */
export const SIGNATURES: readonly { readonly item: string; readonly empire: EmpireId }[] =
  deepFreeze(
    ITEMS.flatMap(({ id, region_lock, extracted_by }) =>
      region_lock?.length === 1 && extracted_by === 'mining'
        ? [{ item: id, empire: region_lock[0]! }]
        : [],
    ),
  )
