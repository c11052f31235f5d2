/** Recipes for kits and tonics, and for what is recovered from wrecks. */
import type { RecipeRow } from './industry-types.ts'
import { recipes } from './recipe-row.ts'

const KITS = recipes('consumables', [
  [
    'weave_textiles',
    'Weave Textiles',
    '1 polymer_resin 2 carbon_ore > 1 textiles',
    'Looms as long as a freighter and as loud as a war.',
  ],
  [
    'assemble_gadgets',
    'Assemble Gadgets',
    '1 circuit_board 1 polymer_resin 1 glass_pane > 1 consumer_electronics',
    'Snapped together by small hands; the hands are pliers.',
  ],
  [
    'write_data_cores',
    'Write Data Cores',
    '2 circuit_board 2 glass_pane > 1 data_cores',
    'Filled to the brim with whatever was nearest.',
  ],
  [
    'build_instruments_of_science',
    'Build Instruments of Science',
    '2 circuit_board 4 glass_pane 2 bronze_fitting > 1 scientific_instruments',
    'Adjusted with a feather.',
  ],
  [
    'pack_colonial_supplies',
    'Pack Colonial Supplies',
    '1 hand_tools 1 textiles > 1 colonial_supplies',
    'Everything they will need, and one thing they will want.',
  ],
  [
    'charge_premium_cells',
    'Charge Premium Cells',
    '2 fuel_cell > 1 premium_fuel_cell',
    'Two into one, and the lid screwed down.',
  ],
  [
    'charge_military_cells',
    'Charge Military Cells',
    '2 premium_fuel_cell 2 coolant > 1 military_fuel_cell',
    'Numbered first, filled second.',
  ],
  [
    'pack_advanced_repair_kits',
    'Pack Advanced Repair Kits',
    '2 repair_kit 1 titanium_ingot > 1 advanced_repair_kit',
    'The plate is coiled like a spring. Open away from the face.',
  ],
  [
    'charge_heavy_shield_cells',
    'Charge Heavy Shield Cells',
    '2 shield_cell 1 copper_wire > 1 heavy_shield_cell',
    'Three shots wired to one thumb.',
  ],
  [
    'mix_engine_tonic',
    'Mix Engine Tonic',
    '2 industrial_solvent 1 coolant > 1 engine_tonic',
    'Shaken, by a pump.',
  ],
  [
    'mix_overdrive',
    'Mix Overdrive',
    '2 engine_tonic 1 inert_gas_flask > 1 overdrive_flask',
    'Mixed outdoors, on a rope.',
  ],
  [
    'fill_gunners_stims',
    'Fill Gunner’s Stims',
    '1 antitoxin > 1 gunners_stim',
    'The same bottle with a braver label.',
  ],
  [
    'brew_breach_serum',
    'Brew Breach Serum',
    '2 gunners_stim > 1 breach_serum',
    'Boiled down until it shouts.',
  ],
  [
    'pack_bulwark_charges',
    'Pack Bulwark Charges',
    '1 shield_cell 1 borated_shield 1 coolant > 1 bulwark_charge',
    'Layered like an onion and with the same effect on the eyes.',
  ],
  [
    'print_targeting_primers',
    'Print Targeting Primers',
    '1 circuit_board 1 inert_gas_flask > 1 targeting_primer',
    'This week’s tables, hot from the range.',
  ],
  [
    'chill_scanner_boosters',
    'Chill Scanner Boosters',
    '1 circuit_board 1 coolant 1 glass_pane > 1 scanner_booster',
    'Chilled until it stops hearing itself.',
  ],
  [
    'fold_signal_masks',
    'Fold Signal Masks',
    '2 umbral_film > 1 signal_mask',
    'Folded inwards, so as not to lose it.',
  ],
  [
    'blend_miners_lubricant',
    'Blend Miner’s Lubricant',
    '2 industrial_solvent 1 sulfur_ore > 1 miners_lubricant',
    'Slippery, yellow, forever under the nails.',
  ],
  [
    'arm_warp_charges',
    'Arm Warp Charges',
    '1 palladium_mesh 2 power_cell 2 silver_contact > 1 emergency_warp_charge',
    'Set to somewhere else. Where else is up to it.',
  ],
  [
    'tune_homeward_beacons',
    'Tune Homeward Beacons',
    '1 navigation_core 1 palladium_mesh 1 power_cell > 1 homeward_beacon',
    'Taught one address, like a pigeon.',
  ],
  [
    'charge_foam_patches',
    'Charge Foam Patches',
    '1 carbonic_foam 1 polymer_resin > 1 foam_patch',
    'A can, a nozzle, and a warning about hair.',
  ],
  [
    'pack_armored_kits',
    'Pack Armored Kits',
    '1 repair_kit 1 laminate_armor > 1 armored_repair_kit',
    'Heavy enough that somebody else carries it.',
  ],
  [
    'pack_master_kits',
    'Pack Master Kits',
    '1 advanced_repair_kit 1 servo_arm > 1 master_repair_kit',
    'The arm packs the last box itself.',
  ],
  [
    'fill_shield_flasks',
    'Fill Shield Flasks',
    '1 pulse_capacitor 1 helium_flask > 1 shield_flask',
    'Corked on the hum.',
  ],
  [
    'charge_grand_cells',
    'Charge Grand Cells',
    '1 heavy_shield_cell 1 shield_crystal > 1 grand_shield_cell',
    'Charged for a night in a room with no metal.',
  ],
  [
    'thin_tonic',
    'Thin Tonic',
    '1 engine_tonic 1 methane_slush > 2 light_tonic',
    'Watered down by somebody who will deny it.',
  ],
  [
    'steep_gunners_tea',
    'Steep Gunner’s Tea',
    '1 void_tea 1 coffee_brick > 2 gunners_tea',
    'Steeped in a shell case, for the taste.',
  ],
  [
    'mix_plate_primer',
    'Mix Plate Primer',
    '1 ion_lacquer 1 shield_cell > 1 plate_primer',
    'Two cans that must not meet before the day.',
  ],
  [
    'bottle_eye_drops',
    'Bottle Eye Drops',
    '1 amber_extract 1 reagents > 2 rangefinder_drops',
    'Filtered five times, then once more for luck.',
  ],
  [
    'chill_wide_ears',
    'Chill Wide Ears',
    '1 signal_booster 1 liquid_hydrogen > 1 wide_ear',
    'Chilled until the noise is only other people.',
  ],
  [
    'fold_night_shrouds',
    'Fold Night Shrouds',
    '1 umbral_cloth 1 signal_mask > 1 night_shroud',
    'Folded with the lamps out, as it should be used.',
  ],
  [
    'blend_deep_lubricant',
    'Blend Deep Lubricant',
    '1 miners_lubricant 1 lithium_grease > 1 deep_lubricant',
    'Blended warm, poured hot, smelt for days.',
  ],
  [
    'fill_jerry_cans',
    'Fill Jerry Cans',
    '1 duralumin 2 methane_slush > 2 jerry_can',
    'Filled by hand, with a funnel and a cough.',
  ],
  [
    'charge_expedition_cells',
    'Charge Expedition Cells',
    '2 military_fuel_cell 1 deuteride > 1 expedition_fuel_cell',
    'Signed for by the captain and by the captain’s heir.',
  ],
])

const SALVAGE = recipes('salvage', [
  [
    'straighten_scrap_plate',
    'Straighten Scrap Plate',
    '5 salvage_metal > 2 steel_plate',
    'Hammered flat until it forgets the crash.',
  ],
  [
    'strip_scorched_wiring',
    'Strip Scorched Wiring',
    '3 scorched_wiring > 2 copper_wire',
    'Burned clean, wound back, only slightly haunted.',
  ],
  [
    'refurbish_boards',
    'Refurbish Boards',
    '1 salvage_components > 1 circuit_board',
    'The good half of two makes one.',
  ],
  [
    'wipe_flight_recorders',
    'Wipe Flight Recorders',
    '1 flight_recorder > 1 data_cores',
    'The last words are copied out for the families first.',
  ],
  [
    'strip_reactor_shells',
    'Strip Reactor Shells',
    '1 cracked_reactor_shell > 4 borated_shield',
    'Long tongs, short shifts.',
  ],
  [
    'rebuild_sensors_from_rare_salvage',
    'Rebuild Sensors from Rare Salvage',
    '3 rare_salvage > 2 targeting_processor',
    'Half of what is worth boarding for is the aiming.',
  ],
])

export const SUPPLY_RECIPES: readonly RecipeRow[] = [...KITS, ...SALVAGE]
