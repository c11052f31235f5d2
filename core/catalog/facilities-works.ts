/** Facilities that make, pack and recycle. Each tier is three times as fast as the one before. */
import { byTier, type ChainOptions, chain, type TierLine, tiers } from './facility-row.ts'
import type { FacilityRow, RecipeCategory } from './industry-types.ts'

type WorksLine = readonly [
  categories: readonly RecipeCategory[],
  cost: number,
  materials: string,
  labor: number,
  power: number,
  tiers: readonly TierLine[],
]

/** Wages and power grow more slowly than speed, so that larger facilities pay off. Source: ours. */
const labor = (first: number) => byTier('labor_cost', [first, first * 2, first * 4, first * 8])
const power = (first: number) => byTier('power_draw', [first, first * 2, first * 4, first * 8])
const crew = byTier('life_support_draw', [1, 2, 3, 5])

function works(options: Partial<ChainOptions>, line: WorksLine): FacilityRow[] {
  const [categories, cost, materials, wage, draw, lines] = line
  const perTier = tiers(labor(wage), power(draw), crew)
  const makes = categories.length > 0 ? { recipe_categories: categories } : {}
  return chain({ category: 'production', cost, materials, ...makes, ...options, perTier }, lines)
}

const HEAVY = [
  works({}, [
    ['refining'],
    62_000,
    '60 steel_plate 10 machine_parts 10 basalt_fiber',
    2,
    5,
    [
      ['smelter', 'Smelter', 'One furnace, two shifts and a view of the slag heap.'],
      ['foundry', 'Foundry', 'Three furnaces that are never out on the same day.'],
      ['refinery', 'Refinery', 'Pipes go in straight and come out as a drawing of a headache.'],
      ['grand_refinery', 'Grand Refinery', 'Eats a moon a year and says thank you to the moon.'],
    ],
  ]),
  works({}, [
    ['components'],
    90_000,
    '80 steel_plate 20 circuit_board 10 servo_motor',
    4,
    6,
    [
      [
        'component_shop',
        'Component Shop',
        'Benches, lamps and radios tuned to different stations.',
      ],
      ['fabricator', 'Fabricator', 'It prints. Somebody has to hold the other end.'],
      ['component_plant', 'Component Plant', 'The belt does not stop; the people take turns.'],
      ['autonomous_works', 'Autonomous Works', 'The last person to work here is its portrait.'],
    ],
  ]),
  works({}, [
    ['modules'],
    120_000,
    '100 steel_plate 30 circuit_board 10 hull_frame',
    8,
    8,
    [
      ['module_bench', 'Module Bench', 'A cradle for one module and a crane for its manual.'],
      ['module_works', 'Module Works', 'Fits anything to anything, given the right flange.'],
      ['module_factory', 'Module Factory', 'Six lines, one for each way of saying no to space.'],
      [
        'module_arcology',
        'Module Arcology',
        'A town that makes ships’ insides and lives in the spare ones.',
      ],
    ],
  ]),
  works({}, [
    ['weapons'],
    150_000,
    '120 steel_plate 20 vanadium_steel 20 circuit_board',
    10,
    9,
    [
      ['gunsmithy', 'Gunsmithy', 'The test range is outside. So is the far wall.'],
      ['weapon_foundry', 'Weapon Foundry', 'Barrels cool in rows, under a sign about humming.'],
      ['arms_factory', 'Arms Factory', 'Sold to all sides, and inspected by all of them.'],
      ['grand_arsenal', 'Grand Arsenal', 'Peace is kept here, in crates.'],
    ],
  ]),
  works({}, [
    ['infrastructure'],
    180_000,
    '160 steel_plate 20 hull_frame 20 servo_motor',
    12,
    10,
    [
      ['construction_yard', 'Construction Yard', 'Girders, tarpaulins and a hut with a kettle.'],
      ['prefab_works', 'Prefab Works', 'Rooms come off the line with the lamps already on.'],
      ['station_works', 'Station Works', 'Builds in slices; the join is under the carpet.'],
      ['orbital_foundry', 'Orbital Foundry', 'From here, a station is only a large order.'],
    ],
  ]),
]

const LIGHT = [
  works({}, [
    ['ammunition'],
    70_000,
    '60 steel_plate 10 machine_parts 10 circuit_board',
    3,
    4,
    [
      ['shell_loader', 'Shell Loader', 'Two people, no sparks, felt shoes.'],
      ['ammo_plant', 'Ammunition Plant', 'The roof is light, so that it can leave first.'],
      [
        'munitions_works',
        'Munitions Works',
        'Every shell is counted on its way out and hoped not to come back.',
      ],
      ['munitions_complex', 'Munitions Complex', 'Blast walls with flower boxes.'],
    ],
  ]),
  works({}, [
    ['drones'],
    110_000,
    '80 steel_plate 20 circuit_board 10 drone_chassis',
    6,
    6,
    [
      ['drone_nest', 'Drone Nest', 'A shelf of small machines learning to be one.'],
      ['drone_works', 'Drone Works', 'They leave by the window.'],
      ['drone_factory', 'Drone Factory', 'Staffed by the day before’s production.'],
      ['drone_hive', 'Drone Hive', 'Nobody is sure it takes orders. It has always filled them.'],
    ],
  ]),
  works({}, [
    ['consumables', 'luxury'],
    65_000,
    '50 steel_plate 10 circuit_board 10 hydraulic_pump',
    3,
    4,
    [
      ['supply_bench', 'Supply Bench', 'Kits, cells and tonics, packed while you wait.'],
      ['supply_works', 'Supply Works', 'The foam is made on Mondays. Do not visit on Mondays.'],
      ['supply_factory', 'Supply Factory', 'A thousand small useful boxes an hour.'],
      ['supply_complex', 'Supply Complex', 'If a ship has run out of it, it was made here.'],
    ],
  ]),
  works({}, [
    ['food'],
    62_000,
    '40 steel_plate 10 hydraulic_pump 10 glass_pane',
    2,
    3,
    [
      ['galley_kitchen', 'Galley Kitchen', 'Three hobs and one opinion about pepper.'],
      ['food_plant', 'Food Plant', 'Vats, presses and a taster with a pension.'],
      ['provision_works', 'Provision Works', 'Feeds a fleet and is blamed for it.'],
      [
        'agrarian_complex',
        'Agrarian Complex',
        'Forty decks of fields; the scarecrows are on a salary.',
      ],
    ],
  ]),
  works({}, [
    ['medical'],
    85_000,
    '50 steel_plate 20 glass_pane 10 circuit_board',
    5,
    4,
    [
      ['dispensary', 'Dispensary', 'Weighs, grinds and does not ask whose it is.'],
      ['pharmacy_lab', 'Pharmacy Laboratory', 'White benches, brown bottles, one cat.'],
      ['medical_works', 'Medical Works', 'A clean room with a clean room inside it.'],
      [
        'institute_of_medicine',
        'Institute of Medicine',
        'Cures what the other departments came up with.',
      ],
    ],
  ]),
]

const ENDS = [
  works({}, [
    ['salvage'],
    62_000,
    '50 steel_plate 10 machine_parts 6 servo_motor',
    2,
    4,
    [
      ['scrap_bench', 'Scrap Bench', 'A hammer, a magnet and a bin for what is neither.'],
      ['breaker_shop', 'Breaker’s Shop', 'Unmakes things in the order they were made.'],
      [
        'breaking_yard',
        'Breaking Yard',
        'Ships arrive under their own power and leave by the kilo.',
      ],
      ['grand_breakers', 'Grand Breakers', 'A dreadnought takes a week, including the ceremony.'],
    ],
  ]),
  works({ is_recycler: true }, [
    [],
    100_000,
    '80 steel_plate 20 machine_parts 10 circuit_board',
    3,
    6,
    [
      ['recycler', 'Recycler', 'Half of everything, back. The other half is the lesson.'],
      ['recycling_plant', 'Recycling Plant', 'Sorts by colour, weight and regret.'],
      ['reclamation_works', 'Reclamation Works', 'What the shredder does not know, it learns.'],
      ['grand_reclamation', 'Grand Reclamation', 'Takes in a wing of the old town on Thursdays.'],
    ],
  ]),
  works({ logistics: true, cost: [150_000, 450_000, 1_250_000, 3_500_000] }, [
    ['logistics'],
    150_000,
    '100 steel_plate 30 cargo_frame 10 servo_motor',
    5,
    4,
    [
      ['packing_room', 'Packing Room', 'String, wax, straw and a scale that is nearly right.'],
      [
        'logistics_office',
        'Logistics Office',
        'Knows where everything is, and lately where it was.',
      ],
      [
        'logistics_centre',
        'Logistics Centre',
        'Boxes pass each other on the way to the same place.',
      ],
      [
        'logistics_nexus',
        'Logistics Nexus',
        'A parcel is opened, packed and gone before the label dries.',
      ],
    ],
  ]),
]

export const WORKS_FACILITIES: readonly FacilityRow[] = [...HEAVY, ...LIGHT, ...ENDS].flat()
