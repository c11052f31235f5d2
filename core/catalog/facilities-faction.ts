/**
 * Facilities that a faction builds for itself. Figures: factions.md sections 1 and 4, crafting.md
 * section 9.
 */
import { byTier, chain, tiers } from './facility-row.ts'
import type { FacilityRow } from './industry-types.ts'

const faction = { category: 'faction', station_or_faction_only: true } as const

const STORES = [
  ...chain(
    {
      ...faction,
      cost: 200_000,
      materials: '200 steel_plate 50 circuit_board',
      power_draw: 4,
      faction_service_type: 'faction_storage',
      perTier: byTier('capacity', [100_000, 200_000, 300_000, 500_000]),
    },
    [
      ['faction_lockbox', 'Faction Lockbox', 'A room, a lock and a list of who has taken what.'],
      [
        'faction_strongroom',
        'Faction Strongroom',
        'Two rooms. The second one is behind the first.',
      ],
      ['faction_vault', 'Faction Vault', 'Cranes on rails, and a clerk who is related to nobody.'],
      [
        'faction_treasure_hall',
        'Faction Treasure Hall',
        'Visitors are shown the floor, which is not where it is.',
      ],
    ],
  ),
  ...chain(
    {
      ...faction,
      cost: 120_000,
      materials: '120 steel_plate 20 cargo_frame 10 circuit_board',
      power_draw: 2,
      faction_service_type: 'storage_extension',
      capacity: 100_000,
      faction_cap: 10,
    },
    [
      [
        'faction_storage_extension',
        'Storage Extension',
        'One more bay with a name over the door, chosen by vote.',
      ],
    ],
  ),
  ...chain(
    {
      ...faction,
      cost: 80_000,
      materials: '80 steel_plate 10 hydraulic_pump 6 hull_frame',
      power_draw: 3,
      faction_service_type: 'faction_fuel_bunker',
      perTier: byTier('capacity', [5_000, 10_000, 15_000, 20_000]),
    },
    [
      ['faction_fuel_bunker', 'Fuel Bunker', 'A buried tank and a hose with the flag on it.'],
      ['faction_fuel_depot', 'Fuel Depot', 'Two tanks, so that one can be leaking.'],
      ['faction_fuel_farm', 'Fuel Farm', 'A field of white domes, each humming a different note.'],
      ['faction_fuel_reserve', 'Fuel Reserve', 'Enough to come home from anywhere, twice.'],
    ],
  ),
  ...chain(
    {
      ...faction,
      cost: 400_000,
      materials: '300 steel_plate 40 hull_frame 30 circuit_board 10 servo_motor',
      power_draw: 8,
      faction_service_type: 'faction_garage',
      perTier: byTier('capacity', [20, 50, 100]),
    },
    [
      [
        'faction_ship_garage',
        'Ship Garage',
        'Twenty berths and one mechanic who knows every dent.',
      ],
      [
        'faction_ship_hangar',
        'Ship Hangar',
        'Fifty berths, numbered; the numbers are not in order.',
      ],
      ['faction_fleet_yard', 'Fleet Yard', 'A hundred hulls in rows, like a promise to somebody.'],
    ],
  ),
]

/** While one runs, members can service each other's prizes. Source: newer.md section 5. */
const YARDS = chain(
  {
    ...faction,
    cost: 350_000,
    materials: '200 steel_plate 30 hull_frame 20 hydraulic_pump 20 circuit_board',
    power_draw: 5,
    faction_service_type: 'prize_recovery',
  },
  [
    [
      'faction_prize_yard',
      'Prize Recovery Yard',
      'Tow crews on call. What was taken far away is brought home in one piece.',
    ],
  ],
)

const PEOPLE = [
  ...chain(
    {
      ...faction,
      cost: 75_000,
      materials: '40 steel_plate 20 circuit_board 10 textiles',
      power_draw: 2,
      life_support_draw: 2,
      faction_service_type: 'faction_recruitment',
      perTier: byTier('capacity', [50, 100, 250, 500, 1_000]),
    },
    [
      [
        'faction_recruitment_desk',
        'Recruitment Desk',
        'A folding table and somebody who smiles first.',
      ],
      [
        'faction_recruitment_office',
        'Recruitment Office',
        'A door, a queue and a form in three copies.',
      ],
      [
        'faction_recruitment_hall',
        'Recruitment Hall',
        'Banners, benches and a doctor who says next.',
      ],
      [
        'faction_recruitment_bureau',
        'Recruitment Bureau',
        'Nine counters; the ninth one asks why.',
      ],
      [
        'faction_recruitment_ministry',
        'Recruitment Ministry',
        'People are born into the waiting list.',
      ],
    ],
  ),
  ...chain(
    {
      ...faction,
      cost: 100_000,
      materials: '60 steel_plate 20 construction_foam 20 textiles 10 circuit_board',
      power_draw: 3,
      life_support_draw: 3,
      faction_service_type: 'faction_commons',
      perTier: byTier('capacity', [3, 6, 12]),
    },
    [
      ['faction_commons', 'Faction Commons', 'Three rooms, one stove, and the rules on the wall.'],
      ['faction_lodge', 'Faction Lodge', 'Six rooms, and a trophy nobody will explain.'],
      [
        'faction_great_house',
        'Faction Great House',
        'Twelve rooms; some of them were in use before the house was built.',
      ],
    ],
  ),
  ...chain(
    {
      ...faction,
      cost: [500_000, 2_500_000, 9_000_000],
      materials: '150 steel_plate 40 glass_pane 10 life_support_unit 20 circuit_board',
      power_draw: 6,
      life_support_draw: 6,
      faction_service_type: 'transit_lounge',
      perTier: tiers(
        byTier('capacity', [20, 60, 150]),
        byTier('transit_deadline_bonus', [0, 180, 360]),
      ),
    },
    [
      ['transit_lounge', 'Transit Lounge', 'Twenty chairs, bolted down and facing the same clock.'],
      ['transit_hall', 'Transit Hall', 'Sixty seats, a kiosk, and pillows by arrangement.'],
      [
        'transit_terminal',
        'Transit Terminal',
        'A hundred and fifty people waiting comfortably to be elsewhere.',
      ],
    ],
  ),
  ...chain(
    {
      ...faction,
      cost: 100_000,
      materials: '40 steel_plate 40 circuit_board 10 data_cores',
      power_draw: 2,
      life_support_draw: 1,
      faction_service_type: 'faction_admin',
    },
    [
      [
        'faction_admin',
        'Administration Office',
        'Where the name of the faction is kept, and may be corrected.',
      ],
    ],
  ),
]

const TRADE = [
  ...chain(
    {
      ...faction,
      cost: 150_000,
      materials: '60 steel_plate 40 circuit_board 10 sensor_array',
      power_draw: 3,
      faction_service_type: 'faction_market',
      perTier: byTier('capacity', [10, 25, 50]),
    },
    [
      ['faction_market_desk', 'Market Desk', 'One broker, ten open orders, no lunch.'],
      [
        'faction_market_office',
        'Market Office',
        'Five brokers who do not tell each other everything.',
      ],
      [
        'faction_trading_house',
        'Trading House',
        'Fifty orders on the board and a bell for the large ones.',
      ],
    ],
  ),
  ...chain(
    {
      ...faction,
      cost: 50_000,
      materials: '30 steel_plate 20 circuit_board',
      power_draw: 2,
      faction_service_type: 'faction_missions',
      perTier: byTier('capacity', [3, 10, 25]),
    },
    [
      ['faction_mission_board', 'Mission Board', 'Cork, pins and three things that need doing.'],
      [
        'faction_mission_office',
        'Mission Office',
        'Ten jobs, each with a folder and a doubtful map.',
      ],
      [
        'faction_mission_command',
        'Mission Command',
        'A wall of lamps. Some of them are people on the way home.',
      ],
    ],
  ),
  ...chain(
    {
      ...faction,
      cost: 200_000,
      materials: '80 steel_plate 40 circuit_board 10 cargo_frame',
      power_draw: 3,
      life_support_draw: 1,
      faction_service_type: 'company_store',
      perTier: byTier('capacity', [20, 50, 100]),
    },
    [
      ['company_store', 'Company Store', 'Members only. The prices are the manifesto.'],
      ['company_emporium', 'Company Emporium', 'Two floors and a discount for scars.'],
      ['company_arcade', 'Company Arcade', 'A street of shops under one flag and one till.'],
    ],
  ),
]

const SECRETS = [
  ...chain(
    {
      ...faction,
      cost: [150_000, 750_000],
      materials: '40 steel_plate 40 circuit_board 10 data_cores',
      power_draw: 3,
      faction_service_type: 'faction_intel',
    },
    [
      ['faction_intel_desk', 'Intelligence Desk', 'A map, a box of pins and a good memory.'],
      ['faction_intel_centre', 'Intelligence Centre', 'The pins move by themselves now.'],
    ],
  ),
  ...chain(
    {
      ...faction,
      cost: [200_000, 1_500_000],
      materials: '40 steel_plate 50 circuit_board 15 data_cores',
      power_draw: 3,
      faction_service_type: 'faction_trade_intel',
    },
    [
      ['faction_price_desk', 'Price Desk', 'Yesterday’s prices from everywhere, in pencil.'],
      ['faction_price_exchange', 'Price Exchange', 'Today’s, in ink.'],
    ],
  ),
  ...chain(
    {
      ...faction,
      cost: [600_000, 3_500_000, 12_000_000],
      materials: '100 steel_plate 20 sensor_array 20 circuit_board',
      power_draw: 10,
      faction_service_type: 'faction_sensor',
      scan_falloff: 60,
      perTier: tiers(byTier('capacity', [0, 1, 2]), byTier('scan_power', [200, 300, 400])),
    },
    [
      ['faction_sensor_mast', 'Sensor Mast', 'Sees the neighbourhood, and is seen by it.'],
      ['faction_sensor_array', 'Deep Sensor Array', 'Hears the next system clear its throat.'],
      [
        'faction_sensor_web',
        'Sensor Web',
        'Two jumps out, someone switches on a lamp; here a needle moves.',
      ],
    ],
  ),
  ...chain(
    {
      ...faction,
      cost: 250_000,
      materials: '40 steel_plate 40 circuit_board 10 optical_lattice',
      power_draw: 3,
      life_support_draw: 1,
      faction_service_type: 'faction_espionage',
      disguised: true,
    },
    [['faction_espionage_cell', 'Listening Room', 'The sign says it repairs umbrellas.']],
  ),
]

export const FACTION_FACILITIES: readonly FacilityRow[] = [
  ...STORES,
  ...YARDS,
  ...PEOPLE,
  ...TRADE,
  ...SECRETS,
]

/**
 * A faction's first storage: it needs no skill, has no services, and is taken over by the lockbox.
 * Source: balance.md section 10.
 */
export const SHELF_FACILITIES: readonly FacilityRow[] = chain(
  {
    ...faction,
    cost: 25_000,
    materials: '20 steel_plate',
    power_draw: 1,
    faction_service_type: 'faction_storage',
    capacity: 2_000,
    is_shelf: true,
  },
  [['faction_shelf', 'Faction Shelf', 'One bay with a chain across it and a name on the chain.']],
)
