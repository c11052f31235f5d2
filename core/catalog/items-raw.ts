/**
 * Everything a ship can extract from a rock, an ice field or a cloud. The rarity sets richness,
 * capacity and regrowth (mining.md sections 1 and 4); `region_lock` names the one empire in whose
 * space a signature ore occurs.
 */
import type { EmpireId } from './map-types.ts'
import type { ExtractedBy, ItemCategory, ItemRow, Rarity } from './types.ts'

type RawRow = readonly [id: string, name: string, value: number, description: string]

interface RawGroup {
  category: ItemCategory
  extracted_by: ExtractedBy
  rarity: Rarity
  rows: readonly RawRow[]
}

const RAW: readonly RawGroup[] = [
  {
    category: 'ore',
    extracted_by: 'mining',
    rarity: 'common',
    rows: [
      [
        'iron_ore',
        'Iron Ore',
        5,
        'The plain red bread of industry. Every yard eats it, no yard thanks it.',
      ],
      [
        'copper_ore',
        'Copper Ore',
        6,
        'Green-skinned nodules that become wire, coil and the occasional bell.',
      ],
      ['nickel_ore', 'Nickel Ore', 7, 'Dull, heavy, honest. Hull alloys begin with it.'],
      [
        'silicate_ore',
        'Silicate Rubble',
        4,
        'Crushed mantle rock. Glass, lenses and lamp housings in the rough.',
      ],
      [
        'carbon_ore',
        'Carbonaceous Rock',
        5,
        'Soot-black stone that smells of tar when the drill warms it.',
      ],
      [
        'aluminum_ore',
        'Aluminum Ore',
        6,
        'Pale clay-like ore; the frame of anything that must be light.',
      ],
      ['zinc_ore', 'Zinc Ore', 6, 'Blue-grey flakes used to keep everything else from rotting.'],
      ['tin_ore', 'Tin Ore', 7, 'Soft crystals, easily smelted, always a little short in supply.'],
      [
        'sulfur_ore',
        'Sulfur Crust',
        5,
        'Yellow crust scraped from old vents. Keep the hold closed.',
      ],
      [
        'basalt_ore',
        'Dense Basalt',
        3,
        'Ballast, shielding and road metal. Cheap, but nobody has enough of it.',
      ],
    ],
  },
  {
    category: 'ore',
    extracted_by: 'mining',
    rarity: 'uncommon',
    rows: [
      [
        'titanium_ore',
        'Titanium Ore',
        18,
        'Grey sand with a stubborn streak. Pressure hulls want nothing else.',
      ],
      ['cobalt_ore', 'Cobalt Ore', 20, 'Blue-veined stone for magnets, cutters and cells.'],
      [
        'lithium_ore',
        'Lithium Ore',
        22,
        'Flaky pink ore that spits when wet. Batteries start here.',
      ],
      ['chromium_ore', 'Chromium Ore', 17, 'Hard, bright grit; the shine on every officer’s rail.'],
      ['tungsten_ore', 'Tungsten Ore', 26, 'So dense that loaders price it by bent forklifts.'],
      ['silver_ore', 'Silver Ore', 30, 'Contacts, mirrors and bribes.'],
      ['boron_ore', 'Boron Ore', 16, 'Drinks stray neutrons. Reactor crews are fond of it.'],
      ['vanadium_ore', 'Vanadium Ore', 19, 'A pinch of it turns brittle steel into spring.'],
      ['manganese_ore', 'Manganese Ore', 15, 'Dark nodules from old seabeds that lost their sea.'],
    ],
  },
  {
    category: 'ore',
    extracted_by: 'mining',
    rarity: 'rare',
    rows: [
      [
        'gold_ore',
        'Gold Ore',
        90,
        'Does not corrode, does not complain. Still weighed by eye in bars.',
      ],
      [
        'platinum_ore',
        'Platinum Ore',
        110,
        'Catalyst metal, found where something larger came apart.',
      ],
      ['iridium_ore', 'Iridium Ore', 125, 'Rides down on iron that fell from very far away.'],
      [
        'palladium_ore',
        'Palladium Ore',
        105,
        'Swallows hydrogen like a sponge; jump coils depend on it.',
      ],
      ['neodymium_ore', 'Neodymium Ore', 85, 'Grips tools through a bulkhead once refined.'],
      ['osmium_ore', 'Osmium Ore', 135, 'The heaviest thing you will be paid to carry.'],
      [
        'thorium_ore',
        'Thorium Ore',
        95,
        'Warm to the glove. Slow reactors live on it for generations.',
      ],
      ['uranium_ore', 'Uranium Ore', 100, 'Needs a lined hold and a pilot who reads gauges.'],
    ],
  },
  {
    category: 'ore',
    extracted_by: 'mining',
    rarity: 'exotic',
    rows: [
      [
        'echo_crystal',
        'Echo Crystal',
        480,
        'Repeats any signal put into it, once, some minutes later.',
      ],
      ['nullstone_ore', 'Nullstone', 520, 'Matte grey ore that no scanner return ever shows.'],
      [
        'tidelock_crystal',
        'Tidelock Crystal',
        560,
        'Always turns the same face to the nearest mass.',
      ],
      [
        'brightvein_ore',
        'Brightvein Ore',
        600,
        'Threads of light that keep shining for a year in the dark.',
      ],
      [
        'lattice_ore',
        'Living Lattice',
        640,
        'A mineral that closes its own cracks if left in peace.',
      ],
    ],
  },
  {
    category: 'ore',
    extracted_by: 'mining',
    rarity: 'legendary',
    rows: [
      [
        'firstlight_shard',
        'Firstlight Shard',
        3_200,
        'Older than any star on the chart, and still warm.',
      ],
      [
        'worldheart_core',
        'Worldheart Core',
        3_800,
        'The last ember of a planet, cooled to the size of a fist.',
      ],
      [
        'silent_ember',
        'Silent Ember',
        4_500,
        'Burns without heat, flame or end. Nobody has found the fuel.',
      ],
    ],
  },
  {
    category: 'ice',
    extracted_by: 'ice',
    rarity: 'common',
    rows: [
      [
        'water_ice',
        'Water Ice',
        4,
        'Drink, coolant, reaction mass. The first thing any colony counts.',
      ],
      ['ammonia_ice', 'Ammonia Ice', 6, 'Fertiliser in the making; open the hold with a mask on.'],
      ['methane_ice', 'Methane Ice', 7, 'Brittle white slabs that fizz away in sunlight.'],
      [
        'carbonic_ice',
        'Carbonic Ice',
        5,
        'Dry fog in solid form. Greenhouses buy it by the shipload.',
      ],
    ],
  },
  {
    category: 'ice',
    extracted_by: 'ice',
    rarity: 'uncommon',
    rows: [
      ['nitrogen_ice', 'Nitrogen Ice', 15, 'Clear as a window and far colder.'],
      ['brine_ice', 'Brine Ice', 17, 'Salt water from a sea nobody has ever seen.'],
    ],
  },
  {
    category: 'ice',
    extracted_by: 'ice',
    rarity: 'rare',
    rows: [
      ['deuterium_ice', 'Deuterium Ice', 80, 'Heavy water, slow to melt and quick to sell.'],
      ['amber_ice', 'Amber Ice', 95, 'Golden with organics; chemists argue over every kilo.'],
    ],
  },
  {
    category: 'ice',
    extracted_by: 'ice',
    rarity: 'exotic',
    rows: [
      [
        'cradle_ice',
        'Cradle Ice',
        450,
        'Holds things that look like cells and have not divided yet.',
      ],
    ],
  },
  {
    category: 'ice',
    extracted_by: 'ice',
    rarity: 'legendary',
    rows: [['primeval_ice', 'Primeval Ice', 2_900, 'Frozen before there was a sun to melt it.']],
  },
  {
    category: 'gas',
    extracted_by: 'gas',
    rarity: 'common',
    rows: [
      ['hydrogen_gas', 'Hydrogen', 5, 'What most of everything is. Fuel plants take any amount.'],
      ['helium_gas', 'Helium', 7, 'Light, lazy, and forever leaking out of its tank.'],
      ['methane_gas', 'Methane', 6, 'Feedstock for plastics and for bad jokes about pilots.'],
    ],
  },
  {
    category: 'gas',
    extracted_by: 'gas',
    rarity: 'uncommon',
    rows: [
      ['argon_gas', 'Argon', 18, 'Keeps lamps and welds quiet.'],
      ['neon_gas', 'Neon', 20, 'Every bar sign in human space begins in a cloud like this.'],
      ['chlorine_gas', 'Chlorine', 16, 'Green, sour and unforgiving. Cleans water, strips paint.'],
    ],
  },
  {
    category: 'gas',
    extracted_by: 'gas',
    rarity: 'rare',
    rows: [
      [
        'helium_three',
        'Helium-3',
        85,
        'The clean fire. Reactors that run on it can be leaned against.',
      ],
      ['xenon_gas', 'Xenon', 90, 'Slow drives drink it by the gram.'],
      ['tritium_gas', 'Tritium', 105, 'Half of it is gone in twelve years. Sell early.'],
    ],
  },
  {
    category: 'gas',
    extracted_by: 'gas',
    rarity: 'exotic',
    rows: [
      ['ion_mist', 'Ion Mist', 470, 'Charged vapour that climbs toward the sensor looking at it.'],
      ['whisper_gas', 'Whisper Gas', 550, 'Carries sound where there is nothing to carry it.'],
    ],
  },
  {
    category: 'gas',
    extracted_by: 'gas',
    rarity: 'legendary',
    rows: [
      [
        'aurora_plasma',
        'Aurora Plasma',
        3_000,
        'A curtain of light, folded small enough to bottle.',
      ],
    ],
  },
]

type SignatureRow = readonly [...RawRow, empire: EmpireId]

/** One uncommon ore per empire, found nowhere else. */
const SIGNATURE: readonly SignatureRow[] = [
  [
    'heliodor_ore',
    'Heliodor',
    24,
    'Honey-gold beryl; every Concordance magistrate wears a chip of it.',
    'solarian',
  ],
  [
    'umbral_quartz',
    'Umbral Quartz',
    25,
    'Smoke-dark quartz that dims the lamp held over it.',
    'voidborn',
  ],
  [
    'oathiron_ore',
    'Oathiron Ore',
    23,
    'Rust-red iron that rings when struck. Blades are sworn on it.',
    'crimson',
  ],
  [
    'opaline_ore',
    'Opaline',
    26,
    'Cloud-coloured stone that no two assayers price alike.',
    'nebula',
  ],
  [
    'driftglass_ore',
    'Driftglass',
    22,
    'Glass worn smooth by ten thousand years of dust.',
    'outerrim',
  ],
]

const HAZARDOUS: readonly string[] = ['uranium_ore', 'thorium_ore', 'chlorine_gas', 'tritium_gas']

function rawItem(row: RawRow, group: Omit<RawGroup, 'rows'>): ItemRow {
  const [id, name, value, description] = row
  const item: ItemRow = {
    id,
    name,
    description,
    category: group.category,
    size: 1,
    base_value: value,
    stackable: true,
    tradeable: true,
    rarity: group.rarity,
    extracted_by: group.extracted_by,
  }
  if (HAZARDOUS.includes(id)) item.hazardous = true
  return item
}

function signatureItem([id, name, value, description, empire]: SignatureRow): ItemRow {
  const group = { category: 'ore', extracted_by: 'mining', rarity: 'uncommon' } as const
  return { ...rawItem([id, name, value, description], group), region_lock: [empire] }
}

export const RAW_ITEMS: readonly ItemRow[] = [
  ...RAW.flatMap((group) => group.rows.map((row) => rawItem(row, group))),
  ...SIGNATURE.map(signatureItem),
]
