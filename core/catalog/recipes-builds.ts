/** Recipes for what stations are made of. */
import type { RecipeRow } from './industry-types.ts'
import { recipes } from './recipe-row.ts'

const BUILDS = recipes('infrastructure', [
  [
    'turn_machine_parts',
    'Turn Machine Parts',
    '1 nickel_alloy 1 bronze_fitting 1 iron_ingot > 1 machine_parts',
    'Turned, tapped, tossed in a crate with the others.',
  ],
  [
    'forge_hand_tools',
    'Forge Hand Tools',
    '1 iron_ingot 1 polymer_resin > 1 hand_tools',
    'A head, a handle, and a swing to see.',
  ],
  [
    'mix_construction_foam',
    'Mix Construction Foam',
    '1 polymer_resin 1 basalt_ore > 1 construction_foam',
    'Two drums, one hose, run.',
  ],
  [
    'fold_habitats',
    'Fold Habitats',
    '3 construction_foam 4 steel_plate 2 aluminum_sheet 2 glass_pane > 1 prefab_module',
    'Built once, folded twice, sat on.',
  ],
  [
    'assemble_solar_arrays',
    'Assemble Solar Arrays',
    '8 glass_pane 4 silver_contact 4 power_cell > 1 solar_array',
    'Folded in the dark, because otherwise they start.',
  ],
  [
    'forge_docking_clamps',
    'Forge Docking Clamps',
    '4 hydraulic_pump 4 steel_plate > 1 docking_clamp',
    'Tested on the foreman’s car.',
  ],
  [
    'build_air_recyclers',
    'Build Air Recyclers',
    '1 platinum_catalyst 1 life_support_unit > 1 air_recycler',
    'The first breath through it belongs to whoever built it.',
  ],
  [
    'crate_outposts',
    'Crate Outposts',
    '2 stellar_anchor 4 reactor_core 10 air_recycler 20 solar_array 20 prefab_module 4 docking_clamp > 1 outpost_kit',
    'Nine hundred parts and a leaflet.',
    { facility_only: true },
  ],
  [
    'raise_station_cores',
    'Raise Station Cores',
    '100 stellar_anchor 100 antimatter_bottle 200 reactor_core 200 shield_emitter 200 air_recycler > 1 station_core',
    'A year’s work for a district; the day it leaves is a holiday.',
    { facility_only: true },
  ],
  [
    'mount_beacons',
    'Mount Beacons',
    '1 signal_booster 1 lamp_kit > 1 landing_beacon',
    'Tuned so that no two neighbours blink alike.',
  ],
  [
    'rig_cranes',
    'Rig Cranes',
    '2 servo_arm 2 hydraulic_pump > 1 cargo_crane',
    'Load-tested with the foreman’s desk.',
  ],
  [
    'curve_tank_sections',
    'Curve Tank Sections',
    '4 stainless_sheet 2 insulation_rolls > 1 fuel_tank_section',
    'Curved on a former the size of a church.',
  ],
  [
    'glaze_domes',
    'Glaze Domes',
    '4 window_units 4 steel_plate > 1 pressure_dome',
    'Lowered on in one piece, on a still day.',
  ],
  [
    'join_airlock_sections',
    'Join Airlock Sections',
    '2 airlock_door 1 docking_collar > 1 airlock_section',
    'Mated, pumped down, and stood in by the designer.',
  ],
  [
    'weld_deck_sections',
    'Weld Deck Sections',
    '6 steel_plate 1 power_conduit > 1 deck_section',
    'Welded upside down, for the view.',
  ],
  [
    'roll_girders',
    'Roll Girders',
    '8 steel_plate > 2 girder_bundle',
    'Rolled long and cut to the lorry.',
  ],
  [
    'join_ring_segments',
    'Join Ring Segments',
    '2 prefab_module 2 deck_section > 1 habitat_ring',
    'Hung from the crane and turned until the pictures hang straight.',
    { facility_only: true },
  ],
  [
    'plant_hydroponic_decks',
    'Plant Hydroponic Decks',
    '6 hydroponic_tray 1 water_reclaimer > 1 hydroponic_deck',
    'Planted on delivery; the first crop is the invoice.',
  ],
  [
    'close_reactor_vessels',
    'Close Reactor Vessels',
    '1 reactor_core 2 fusion_liner > 1 reactor_vessel',
    'Closed for forty years at a time.',
    { facility_only: true },
  ],
  [
    'erect_turrets',
    'Erect Turrets',
    '1 weapon_housing 1 gun_barrel 1 targeting_processor > 1 defense_turret',
    'Bolted down before it is switched on, always.',
  ],
  [
    'raise_pylons',
    'Raise Pylons',
    '1 shield_emitter 1 girder_bundle 1 field_coil > 1 shield_pylon',
    'Raised at dusk, so that the glow can be checked.',
  ],
  [
    'launch_buoys',
    'Launch Buoys',
    '1 sensor_array 1 solar_array > 1 sensor_buoy',
    'Thrown out of the door with a good wish.',
  ],
  [
    'raise_comms_towers',
    'Raise Comms Towers',
    '2 antenna_dish 1 girder_bundle > 1 comms_tower',
    'The last bolt is put in by whoever lost the draw.',
  ],
  [
    'program_traffic_control',
    'Program Traffic Control',
    '1 navigation_core 1 logic_core > 1 traffic_computer',
    'Taught with model ships and a great deal of shouting.',
  ],
])

const WASTE = recipes('refining', [
  [
    'reclaim_slurry',
    'Reclaim Slurry',
    '1 water_ice > 2 waste_slurry',
    'The floor is hosed down into a tank with a price on it.',
  ],
])

export const BUILD_RECIPES: readonly RecipeRow[] = [...BUILDS, ...WASTE]
