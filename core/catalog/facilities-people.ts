/** Facilities where people live and sell. Figures: crafting.md section 6. */
import { byTier, chain, tiers } from './facility-row.ts'
import type { FacilityRow } from './industry-types.ts'

const HOME = [
  ...chain(
    {
      category: 'personal',
      cost: [10_000, 50_000, 150_000, 450_000],
      materials: '20 steel_plate',
      personal_service_type: 'quarters',
      perTier: tiers(byTier('power_draw', [1, 1, 2, 3]), byTier('life_support_draw', [1, 1, 2, 2])),
    },
    [
      ['crew_quarters', 'Crew Quarters', 'A bunk, a locker and a door that locks.'],
      ['officer_quarters', 'Officer’s Quarters', 'A window. It is small, but it is yours.'],
      [
        'captain_apartment',
        'Captain’s Apartment',
        'Three rooms, and one of them has no purpose at all.',
      ],
      ['residence', 'Residence', 'A staircase, purely to be seen on.'],
    ],
  ),
]

type AmenityLine = readonly [
  kind: string,
  cost: number,
  materials: string,
  id: string,
  name: string,
  description: string,
]

const AMENITY_LINES: readonly AmenityLine[] = [
  [
    'galley',
    15_000,
    '10 steel_plate 4 hydraulic_pump',
    'private_galley',
    'Private Galley',
    'A hob, a knife and nobody’s rota.',
  ],
  [
    'garden',
    20_000,
    '10 glass_pane 6 seed_stock 4 fertilizer',
    'window_garden',
    'Window Garden',
    'Tomatoes, mint, and something that came with the soil.',
  ],
  [
    'study',
    18_000,
    '10 steel_plate 4 circuit_board 2 data_cores',
    'private_study',
    'Private Study',
    'A desk facing the stars, to look away from.',
  ],
  [
    'gym',
    16_000,
    '14 steel_plate 4 servo_motor',
    'exercise_room',
    'Exercise Room',
    'Weights that can be set to any planet.',
  ],
  [
    'bar',
    24_000,
    '10 steel_plate 10 glass_pane 6 hull_brew',
    'private_bar',
    'Private Bar',
    'Six bottles and a rule about who pours.',
  ],
  [
    'gallery',
    60_000,
    '20 glass_pane 4 art_hologram',
    'trophy_gallery',
    'Trophy Gallery',
    'The lighting does most of the boasting.',
  ],
  [
    'workshop_corner',
    30_000,
    '20 steel_plate 6 hand_tools 2 servo_motor',
    'tinkers_corner',
    'Tinker’s Corner',
    'A vice, a lamp and the thing you have been meaning to finish.',
  ],
  [
    'observatory',
    90_000,
    '20 glass_pane 2 sensor_array 2 heliodor_lens',
    'private_observatory',
    'Private Observatory',
    'For looking at people who think space is empty.',
  ],
]

const AMENITIES = AMENITY_LINES.flatMap(([kind, cost, materials, id, name, description]) =>
  chain({ category: 'personal', cost, materials, personal_service_type: kind, power_draw: 1 }, [
    [id, name, description],
  ]),
)

const SHOPS = chain(
  {
    category: 'sales',
    cost: 40_000,
    materials: '30 steel_plate 10 glass_pane 6 circuit_board',
    labor_cost: 5,
    power_draw: 2,
    perTier: byTier('capacity', [50, 100, 150, 200]),
  },
  [
    ['market_stall', 'Market Stall', 'A counter, an awning and a voice.'],
    ['storefront', 'Storefront', 'Your name over the door, spelled right at the second try.'],
    ['showroom', 'Showroom', 'Carpet. The price goes up by the depth of it.'],
    ['department_store', 'Department Store', 'Five floors; the lift attendant knows your size.'],
  ],
)

export const PEOPLE_FACILITIES: readonly FacilityRow[] = [...HOME, ...AMENITIES, ...SHOPS]
