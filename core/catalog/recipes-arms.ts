/** Recipes for drones and ammunition. */
import type { RecipeRow } from './industry-types.ts'
import { recipes } from './recipe-row.ts'

const DRONES = recipes('drones', [
  [
    'arm_combat_drones',
    'Arm Combat Drones',
    '1 drone_chassis 1 weapon_housing 1 circuit_board > 1 combat_drone',
    'Switched on last, from behind a door.',
  ],
  [
    'fit_mining_drones',
    'Fit Mining Drones',
    '1 drone_chassis 1 mining_head 2 circuit_board > 1 mining_drone',
    'Given one pebble, to get the idea.',
  ],
  [
    'fit_repair_drones',
    'Fit Repair Drones',
    '1 drone_chassis 2 servo_motor 2 repair_kit 1 circuit_board > 1 repair_drone',
    'It repairs the line that made it, and bills nobody.',
  ],
  [
    'fit_salvage_drones',
    'Fit Salvage Drones',
    '1 drone_chassis 2 servo_motor 2 hydraulic_pump 1 circuit_board > 1 salvage_drone',
    'Kept away from the other drones until it has learned which are scrap.',
  ],
  [
    'fit_scout_drones',
    'Fit Scout Drones',
    '1 drone_chassis 1 sensor_array > 1 scout_drone',
    'Thrown from the gallery; the good ones come back with news.',
  ],
])

const AMMUNITION = recipes('ammunition', [
  [
    'press_autocannon_rounds',
    'Press Autocannon Rounds',
    '1 steel_plate 1 copper_wire 4 sulfur_ore > 5 autocannon_rounds',
    'Drawn, filled, crimped, belted.',
  ],
  [
    'press_armor_piercers',
    'Press Armor-Piercers',
    '1 tungsten_rod 2 steel_plate > 5 autocannon_ap',
    'A hard tooth in a soft jacket.',
  ],
  [
    'fill_incendiaries',
    'Fill Incendiaries',
    '3 steel_plate 1 industrial_solvent > 5 autocannon_incendiary',
    'Filled wet, stored wet, used otherwise.',
  ],
  [
    'forge_rail_slugs',
    'Forge Rail Slugs',
    '3 steel_plate > 5 rail_slugs',
    'Straightness is the whole of the craft.',
  ],
  [
    'draw_penetrators',
    'Draw Penetrators',
    '3 tungsten_rod 1 steel_plate > 5 rail_penetrators',
    'Thin enough to lose and heavy enough to notice.',
  ],
  [
    'cast_siege_slugs',
    'Cast Siege Slugs',
    '3 tungsten_rod 2 steel_plate > 5 rail_siege_slugs',
    'Cast fat and turned a little less fat.',
  ],
  [
    'grade_boulders',
    'Grade Boulders',
    '30 basalt_ore 1 iron_ingot > 10 driver_boulders',
    'Sieved, tumbled, painted with rude words.',
  ],
  [
    'pack_flak_canisters',
    'Pack Flak Canisters',
    '2 steel_plate 4 sulfur_ore > 5 flak_canisters',
    'Filled with everything swept from the floor.',
  ],
  [
    'pack_shredders',
    'Pack Shredders',
    '2 steel_plate 2 chrome_bearing > 5 flak_shredders',
    'Bearings that failed inspection get a second career.',
  ],
  [
    'assemble_seekers',
    'Assemble Seekers',
    '1 circuit_board 2 aluminum_sheet 4 liquid_hydrogen > 5 seeker_missiles',
    'Each is shown a picture.',
  ],
  [
    'assemble_disruptors',
    'Assemble Disruptors',
    '3 circuit_board 1 cobalt_magnet 2 aluminum_sheet > 5 em_missiles',
    'Built in a room with no clocks, after the first time.',
  ],
  [
    'assemble_swarms',
    'Assemble Swarms',
    '4 circuit_board 3 aluminum_sheet > 5 swarm_missiles',
    'Eight to a tube, and none of them speaking.',
  ],
  [
    'assemble_heavy_torpedoes',
    'Assemble Heavy Torpedoes',
    '1 circuit_board 2 steel_plate 1 iron_ingot > 2 heavy_torpedoes',
    'Winched along the hall with a bell in front.',
  ],
  [
    'fill_melt_torpedoes',
    'Fill Melt Torpedoes',
    '1 tungsten_rod 1 circuit_board 2 steel_plate 2 sulfuric_acid > 2 melt_torpedoes',
    'Glass-lined, for as long as glass lasts.',
  ],
  [
    'wrap_phase_torpedoes',
    'Wrap Phase Torpedoes',
    '1 umbral_film 3 circuit_board 2 aluminum_sheet > 2 phase_torpedoes',
    'Wrapped by somebody who did not look at the far end.',
  ],
  [
    'charge_plasma_canisters',
    'Charge Plasma Canisters',
    '2 inert_gas_flask 4 liquid_hydrogen 1 copper_wire > 5 plasma_canisters',
    'Weather, by the bottle.',
  ],
  [
    'load_tracers',
    'Load Tracers',
    '1 steel_plate 1 copper_wire 1 sulfuric_acid > 5 autocannon_tracer',
    'Every fifth one is dipped and everyone is careful.',
  ],
  [
    'press_caseless',
    'Press Caseless',
    '1 stainless_sheet 2 mining_charges > 5 autocannon_caseless',
    'Pressed damp, dried slowly, smoked near never.',
  ],
  [
    'sinter_frangibles',
    'Sinter Frangibles',
    '3 tin_ingot 1 copper_wire 1 steel_plate > 5 autocannon_frangible',
    'Pressed powder with delusions.',
  ],
  [
    'draw_darts',
    'Draw Darts',
    '4 tungsten_rod > 5 rail_tungsten_darts',
    'Drawn, pointed, boxed like cigars.',
  ],
  [
    'cast_null_slugs',
    'Cast Null Slugs',
    '1 null_alloy 2 steel_plate > 5 rail_null_slugs',
    'Counted by weight, since nobody can quite see them.',
  ],
  [
    'cast_slag_loads',
    'Cast Slag Loads',
    '24 basalt_ore 1 steel_plate > 8 driver_slag',
    'Poured straight from the floor.',
  ],
  [
    'cast_iron_cores',
    'Cast Iron Cores',
    '8 iron_ingot > 5 driver_iron_cores',
    'Cast by apprentices and signed by everyone.',
  ],
  [
    'fuse_airbursts',
    'Fuse Airbursts',
    '1 circuit_board 2 steel_plate > 5 flak_airburst',
    'The timer is the only thing in it that waits.',
  ],
  [
    'cut_chaff',
    'Cut Chaff',
    '5 aluminum_sheet 1 copper_wire > 5 flak_chaff',
    'Foil, cut to the length of a radio’s worst dream.',
  ],
  [
    'load_long_burns',
    'Load Long-Burns',
    '2 circuit_board 3 liquid_hydrogen 1 aluminum_sheet > 5 seeker_long_burn',
    'The motor is longer than the missile, by a trick.',
  ],
  [
    'fill_firestorms',
    'Fill Firestorms',
    '2 circuit_board 2 industrial_solvent 2 mining_charges > 5 thermal_missiles',
    'Filled through the nose, wearing someone else’s gloves.',
  ],
  [
    'nest_breachers',
    'Nest Breachers',
    '2 circuit_board 2 warhead_casing > 5 breacher_missiles',
    'One charge inside the other, like a bad secret.',
  ],
  [
    'fuse_sunders',
    'Fuse Sunders',
    '1 pulse_capacitor 1 warhead_casing > 2 sunder_torpedoes',
    'Charged the night before and stood facing out.',
  ],
  [
    'pack_clusters',
    'Pack Clusters',
    '4 guidance_fin 1 warhead_casing 1 seeker_head > 2 cluster_torpedoes',
    'Packed nose to tail, like sardines with a purpose.',
  ],
  [
    'forge_lances',
    'Forge Lances',
    '1 warhead_casing 3 tungsten_rod > 2 lance_torpedoes',
    'Forged long and balanced on a finger.',
  ],
  [
    'charge_dense_plasma',
    'Charge Dense Plasma',
    '2 inert_gas_flask 1 xenon_gas > 5 plasma_dense',
    'Compressed until the gauge looks away.',
  ],
  [
    'gel_plasma',
    'Gel Plasma',
    '2 inert_gas_flask 2 polymer_resin 1 carbonic_foam > 5 plasma_clinging',
    'Stirred with a magnet from behind a wall.',
  ],
  [
    'ionise_canisters',
    'Ionise Canisters',
    '2 inert_gas_flask 2 silver_paste > 5 plasma_ion',
    'Passed twice through a ring that makes hair stand up.',
  ],
])

export const ARMS_RECIPES: readonly RecipeRow[] = [...DRONES, ...AMMUNITION]
