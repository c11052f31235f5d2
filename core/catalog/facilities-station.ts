/** Facilities that keep a station running, and that serve those who dock. */
import { byTier, chain, tiers } from './facility-row.ts'
import type { FacilityRow } from './industry-types.ts'
import { materialsOf } from './materials.ts'

const station = { station_or_faction_only: true, player_station_buildable: true } as const

const POWER = [
  ...chain(
    {
      ...station,
      category: 'infrastructure',
      cost: 80_000,
      materials: '60 steel_plate 4 solar_array 10 circuit_board',
      perTier: tiers(
        byTier('power_supply', [40, 90, 200, 450]),
        byTier('labor_cost', [10, 20, 40, 80]),
      ),
    },
    [
      ['solar_wing', 'Solar Wing', 'Unfolds once, with applause.'],
      ['solar_field', 'Solar Field', 'Tilts all day like a polite crowd.'],
      ['solar_farm', 'Solar Farm', 'Casts a shadow with its own postcode.'],
      ['solar_crown', 'Solar Crown', 'Ring upon ring of wings; the station lives in the middle.'],
    ],
  ),
  ...chain(
    {
      ...station,
      category: 'infrastructure',
      cost: 240_000,
      materials: '120 steel_plate 2 reactor_core 30 circuit_board 20 coolant',
      life_support_draw: 1,
      perTier: tiers(
        byTier('power_supply', [150, 350, 800, 1_800]),
        byTier('labor_cost', [40, 80, 160, 320]),
        byTier('maintenance_inputs', [
          materialsOf('1 deuterium_fuel'),
          materialsOf('2 deuterium_fuel'),
          materialsOf('4 deuterium_fuel 1 coolant'),
          materialsOf('8 deuterium_fuel 2 coolant'),
        ]),
      ),
    },
    [
      ['fusion_plant', 'Fusion Plant', 'A small sun with a large fence.'],
      ['fusion_works', 'Fusion Works', 'Two small suns that take turns to sulk.'],
      ['fusion_complex', 'Fusion Complex', 'The lamps no longer dip when the yard starts up.'],
      ['star_furnace', 'Star Furnace', 'Its keepers are paid in silence and early pensions.'],
    ],
  ),
  ...chain(
    {
      ...station,
      category: 'infrastructure',
      cost: 60_000,
      materials: '40 steel_plate 20 power_cell 10 circuit_board',
      perTier: tiers(
        byTier('battery_capacity', [400, 1_000, 2_500, 6_000]),
        byTier('labor_cost', [4, 8, 16, 32]),
      ),
    },
    [
      ['battery_bank', 'Battery Bank', 'Remembers yesterday’s sun.'],
      ['battery_hall', 'Battery Hall', 'Rows of cells, and a duck-board over what they drip.'],
      ['capacitor_vault', 'Capacitor Vault', 'Hums at a pitch that dogs leave the room for.'],
      ['storm_cellar', 'Storm Cellar', 'A week of lightning, corked.'],
    ],
  ),
  ...chain(
    {
      ...station,
      category: 'infrastructure',
      cost: 90_000,
      materials: '60 steel_plate 4 life_support_unit 2 air_recycler 10 circuit_board',
      perTier: tiers(
        byTier('life_support_supply', [25, 60, 140, 320]),
        byTier('power_draw', [4, 8, 16, 32]),
        byTier('labor_cost', [8, 16, 32, 64]),
        byTier('maintenance_inputs', [
          materialsOf('2 purified_water'),
          materialsOf('4 purified_water 1 liquid_oxygen'),
          materialsOf('8 purified_water 2 liquid_oxygen'),
          materialsOf('16 purified_water 4 liquid_oxygen'),
        ]),
      ),
    },
    [
      ['air_plant', 'Air Plant', 'Fans, filters and one fern for morale.'],
      ['air_works', 'Air Works', 'The ferns have been given a budget.'],
      ['garden_deck', 'Garden Deck', 'Breath by the hectare. Please keep off the lettuce.'],
      ['biosphere', 'Biosphere', 'It rains on Tuesdays. There is a committee.'],
    ],
  ),
]

type ServiceLine = readonly [
  service: string,
  cost: number,
  materials: string,
  power: number,
  labor: number,
  upkeep: string,
  id: string,
  name: string,
  description: string,
]

const SERVICE_LINES: readonly ServiceLine[] = [
  [
    'refuel',
    60_000,
    '60 steel_plate 10 hydraulic_pump',
    3,
    10,
    '',
    'fuel_dock',
    'Fuel Dock',
    'Hoses, gauges and a sign about naked flames.',
  ],
  [
    'repair',
    90_000,
    '80 steel_plate 10 servo_motor 10 hull_plating',
    4,
    15,
    '2 steel_plate',
    'repair_dock',
    'Repair Dock',
    'A cradle, three welders and a whistle for knocking off.',
  ],
  [
    'market',
    120_000,
    '60 steel_plate 40 circuit_board',
    3,
    15,
    '',
    'market_hall',
    'Market Hall',
    'Stalls below, brokers above, dust from everywhere.',
  ],
  [
    'storage',
    80_000,
    '100 steel_plate 20 cargo_frame',
    2,
    8,
    '',
    'locker_hall',
    'Locker Hall',
    'Every door has a number; every number has a story.',
  ],
  [
    'shipyard',
    400_000,
    '300 steel_plate 40 hull_frame 20 servo_motor',
    12,
    40,
    '1 machine_parts',
    'shipyard_slip',
    'Shipyard Slip',
    'A keel-shaped hole waiting for a keel.',
  ],
  [
    'missions',
    70_000,
    '40 steel_plate 20 circuit_board',
    2,
    8,
    '',
    'mission_office',
    'Mission Exchange',
    'Work for strangers, by strangers, over a counter.',
  ],
  [
    'cloning',
    250_000,
    '60 steel_plate 20 cryo_gel 6 life_support_unit',
    6,
    20,
    '1 cryo_gel',
    'clone_ward',
    'Clone Ward',
    'You will not remember the ceiling. Everybody remembers the ceiling.',
  ],
  [
    'crafting',
    75_000,
    '60 steel_plate 10 machine_parts 10 servo_motor',
    4,
    10,
    '',
    'public_workshop',
    'Public Workshop',
    'Benches by the hour; sweep up after yourself.',
  ],
  [
    'insurance',
    90_000,
    '40 steel_plate 20 circuit_board 6 data_cores',
    2,
    10,
    '',
    'insurance_office',
    'Insurance Office',
    'A calm room with tables of how often you die.',
  ],
  [
    'salvage_yard',
    85_000,
    '80 steel_plate 10 servo_motor',
    4,
    12,
    '',
    'salvage_pier',
    'Salvage Pier',
    'Wrecks in, cheques out.',
  ],
  [
    'personnel',
    95_000,
    '50 steel_plate 10 textiles 10 circuit_board',
    3,
    15,
    '2 rations',
    'hiring_hall',
    'Hiring Hall',
    'Benches of people who have packed already.',
  ],
]

const SERVICES = SERVICE_LINES.flatMap(
  ([service, cost, materials, power, labor, upkeep, id, name, description]) =>
    chain(
      {
        ...station,
        category: 'service',
        cost,
        materials,
        service,
        power_draw: power,
        life_support_draw: 2,
        labor_cost: labor,
        maintenance_inputs: materialsOf(upkeep),
        unique: true,
      },
      [[id, name, description]],
    ),
)

const VENUES = [
  ...chain(
    {
      ...station,
      category: 'service',
      cost: 70_000,
      materials: '40 steel_plate 10 glass_pane 10 textiles',
      perTier: tiers(
        byTier('dining_points', [10, 25, 60, 140]),
        byTier('power_draw', [2, 4, 8, 12]),
        byTier('life_support_draw', [2, 4, 6, 8]),
        byTier('labor_cost', [8, 16, 32, 64]),
        byTier('maintenance_inputs', [
          materialsOf('4 grain_meal 2 vat_protein'),
          materialsOf('6 fresh_produce 2 hull_brew'),
          materialsOf('6 spiced_stew 4 hull_brew'),
          materialsOf('4 banquet_platter 4 sunlit_wine'),
        ]),
      ),
    },
    [
      ['noodle_bar', 'Noodle Bar', 'Eight stools, one broth, no menu.'],
      ['dock_tavern', 'Dock Tavern', 'The stew is older than the lease.'],
      [
        'promenade_restaurant',
        'Promenade Restaurant',
        'A window, a tablecloth, a waiter with views.',
      ],
      ['grand_dining_hall', 'Grand Dining Hall', 'Treaties are signed here between courses.'],
    ],
  ),
  ...chain(
    {
      ...station,
      category: 'service',
      cost: 85_000,
      materials: '40 steel_plate 10 textiles 10 circuit_board',
      perTier: tiers(
        byTier('leisure_points', [10, 25, 60, 140]),
        byTier('power_draw', [2, 4, 8, 12]),
        byTier('life_support_draw', [1, 2, 4, 6]),
        byTier('labor_cost', [8, 16, 32, 64]),
        byTier('maintenance_inputs', [
          materialsOf('1 consumer_electronics'),
          materialsOf('2 consumer_electronics 1 void_tea'),
          materialsOf('1 art_hologram 2 void_tea'),
          materialsOf('2 art_hologram 2 sunlit_wine'),
        ]),
      ),
    },
    [
      ['card_room', 'Card Room', 'The house does not cheat. It does not need to.'],
      ['picture_house', 'Picture House', 'Two reels a night and a pianist for the jumps.'],
      ['bath_house', 'Bath House', 'Hot water, real steam, secrets at cost.'],
      ['opera_house', 'Opera House', 'Four tiers of gilt around one held note.'],
    ],
  ),
  ...chain(
    {
      ...station,
      category: 'production',
      cost: 130_000,
      ranch: true,
      materials: '80 steel_plate 10 livestock_embryos 10 fertilizer 6 life_support_unit',
      perTier: tiers(
        byTier('capacity', [40, 120, 360]),
        byTier('power_draw', [4, 8, 16]),
        byTier('life_support_draw', [4, 8, 16]),
        byTier('labor_cost', [10, 20, 40]),
        byTier('maintenance_inputs', [
          materialsOf('2 grain_meal 2 purified_water'),
          materialsOf('4 grain_meal 4 purified_water'),
          materialsOf('8 grain_meal 8 purified_water'),
        ]),
      ),
    },
    [
      ['ranch_pen', 'Ranch Pen', 'A fence in freefall is mostly a suggestion.'],
      ['ranch', 'Drifter Ranch', 'The herd circles the lamp; the hands circle the herd.'],
      ['grand_ranch', 'Grand Ranch', 'A week’s ride across, if anything here could be ridden.'],
    ],
  ),
]

export const STATION_FACILITIES: readonly FacilityRow[] = [...POWER, ...SERVICES, ...VENUES]
