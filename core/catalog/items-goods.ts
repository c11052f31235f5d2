/**
 * Goods that are made, grown or traded: refined materials, components, commodities, food,
 * luxuries, biological drops, salvage and contraband. Goods with effects are in items-gear.ts,
 * ammunition in items-ammo.ts.
 */
import { goods } from './goods-row.ts'
import type { ItemRow } from './types.ts'

const REFINED = goods('refined', [
  ['iron_ingot', 'Iron Ingot', 13, 'Rough-cast bars, stamped with the smelter’s mark.'],
  ['steel_plate', 'Steel Plate', 32, 'Rolled plate. Everything that keeps air in is made of it.'],
  ['copper_wire', 'Copper Wire', 16, 'Drawn, coiled and sold by the spool.'],
  ['nickel_alloy', 'Nickel Alloy', 22, 'Springy alloy for struts and valve seats.'],
  ['glass_pane', 'Pressure Glass', 14, 'Laminated panes good for six atmospheres.'],
  ['carbon_fiber', 'Carbon Fiber', 18, 'Woven mats, light as a promise.'],
  ['aluminum_sheet', 'Aluminum Sheet', 17, 'Thin stock for ducts, panels and drone shells.'],
  [
    'bronze_fitting',
    'Bronze Fitting',
    24,
    'Bearings and couplings that outlive the ship around them.',
  ],
  ['galvanized_mesh', 'Galvanized Mesh', 19, 'Rust-proof mesh for hull work and market stalls.'],
  ['sulfuric_acid', 'Sulfuric Acid', 15, 'Carboys of trouble. Smelters cannot do without.'],
  ['basalt_fiber', 'Basalt Fiber', 12, 'Spun rock, used as insulation around hot lines.'],
  ['titanium_ingot', 'Titanium Ingot', 48, 'Grey bars that every hull wright counts twice.'],
  ['cobalt_magnet', 'Cobalt Magnet', 54, 'Keep away from navigation consoles and pacemakers.'],
  ['lithium_cell', 'Lithium Cell', 58, 'Palm-sized cell; the standard of portable power.'],
  ['chrome_bearing', 'Chrome Bearing', 46, 'Turns for decades in a vacuum without oil.'],
  ['tungsten_rod', 'Tungsten Rod', 68, 'Drill stock, penetrators and very long-lived anchors.'],
  ['silver_contact', 'Silver Contact', 76, 'Switchgear contacts; a sack is worth a small boat.'],
  [
    'borated_shield',
    'Borated Shield Panel',
    44,
    'Panels that stand between the crew and the reactor.',
  ],
  ['vanadium_steel', 'Vanadium Steel', 62, 'Tool steel for parts that must not bend.'],
  ['manganese_bronze', 'Manganese Bronze', 42, 'Propeller metal, now used for thruster rings.'],
  ['heliodor_lens', 'Heliodor Lens', 74, 'Golden lenses ground for Concordance beam work.'],
  ['umbral_film', 'Umbral Film', 76, 'Light-drinking film sold by the metre and never displayed.'],
  ['oathiron_billet', 'Oathiron Billet', 72, 'Forge-ready billets, each with a sworn name on it.'],
  ['opaline_facet', 'Opaline Facet', 78, 'Cut stones used as tokens of credit between strangers.'],
  [
    'driftglass_pane',
    'Driftglass Pane',
    70,
    'Naturally tempered glass; the Rim glazes its ships with it.',
  ],
  ['gold_foil', 'Gold Foil', 230, 'Micron foil for visors, sensors and vanity.'],
  ['platinum_catalyst', 'Platinum Catalyst', 280, 'Honeycomb cores for air plants and fuel mills.'],
  ['iridium_nozzle', 'Iridium Nozzle', 320, 'Thruster throats that outlast three engines.'],
  ['palladium_mesh', 'Palladium Mesh', 270, 'The sponge at the heart of a jump coil.'],
  ['neodymium_coil', 'Neodymium Coil', 225, 'Wound magnets for mass drivers and railguns.'],
  ['osmium_core', 'Osmium Core', 340, 'Gyroscope cores; one fits in a hand, barely.'],
  ['thorium_pellet', 'Thorium Pellet', 245, 'Slow fire in a ceramic jacket.'],
  ['enriched_uranium', 'Enriched Uranium', 310, 'Counted, signed for, counted again.'],
  [
    'purified_water',
    'Purified Water',
    10,
    'Tasteless, odourless, and the most traded drink there is.',
  ],
  ['liquid_oxygen', 'Liquid Oxygen', 14, 'Breath in a bottle, at ninety kelvin.'],
  ['liquid_hydrogen', 'Liquid Hydrogen', 13, 'Propellant and feedstock in insulated flasks.'],
  ['fertilizer', 'Fertilizer', 12, 'Turns dead regolith into an argument about tomatoes.'],
  ['polymer_resin', 'Polymer Resin', 18, 'Pellets for seals, hoses and half of all furniture.'],
  ['coolant', 'Reactor Coolant', 21, 'Blue fluid that must never be seen inside the crew deck.'],
  ['deuterium_fuel', 'Deuterium Charge', 210, 'Metered heavy hydrogen for fusion starters.'],
  ['cryo_gel', 'Cryogenic Gel', 46, 'Keeps samples, meals and passengers from ageing.'],
  ['industrial_solvent', 'Industrial Solvent', 40, 'Takes off paint, grease and fingerprints.'],
  ['inert_gas_flask', 'Inert Gas Flask', 48, 'Argon and neon, mixed for lamps and welders.'],
])

const COMPONENTS = goods('component', [
  ['circuit_board', 'Circuit Board', 64, 'General-purpose control board with room for regret.'],
  ['power_cell', 'Power Cell', 140, 'Stackable cell bank, hot-swappable by a child.'],
  ['servo_motor', 'Servo Motor', 88, 'Moves turrets, doors and prosthetic hands.'],
  ['hydraulic_pump', 'Hydraulic Pump', 82, 'Leaks exactly as much as the manual says.'],
  ['sensor_array', 'Sensor Array', 260, 'Folded eyes for hulls that want to see.', 2],
  ['optical_lattice', 'Optical Lattice', 310, 'Light guides for beam weapons and fast switching.'],
  ['hull_frame', 'Hull Frame', 190, 'A rib of a ship that does not exist yet.', 3],
  ['hull_plating', 'Hull Plating', 150, 'Layered outer skin, curved to order.', 2],
  [
    'thruster_assembly',
    'Thruster Assembly',
    420,
    'One nozzle, one gimbal, a great many warnings.',
    3,
  ],
  ['reactor_core', 'Reactor Core', 1_150, 'Sealed core. The seal is the expensive part.', 4],
  ['shield_emitter', 'Shield Emitter', 640, 'Projects a boundary and hums about it.', 2],
  ['jump_coil', 'Jump Coil', 1_400, 'A ring that argues with distance.', 3],
  ['weapon_housing', 'Weapon Housing', 380, 'Empty cradle, mounting rails and safety pins.', 2],
  ['targeting_processor', 'Targeting Processor', 520, 'Solves for where you will be.'],
  ['life_support_unit', 'Life Support Unit', 480, 'Scrubber, heater and a very calm alarm.', 3],
  ['navigation_core', 'Navigation Core', 760, 'Star tables and a stubborn sense of direction.'],
  ['drone_chassis', 'Drone Chassis', 210, 'A body without opinions.', 2],
  ['mining_head', 'Mining Head', 240, 'Focusing head for cutting beams.', 2],
  ['cargo_frame', 'Cargo Frame', 130, 'Bolted racking with folding floors.', 2],
  ['gravity_plate', 'Gravity Plate', 560, 'Decides which way is down, by the square metre.', 2],
  ['quantum_processor', 'Quantum Processor', 1_900, 'Thinks in maybes and answers in time.'],
  ['superconductor', 'Superconductor Loop', 980, 'Carries any current, if it is kept cold.'],
  ['phase_capacitor', 'Phase Capacitor', 1_350, 'Stores a second of somewhere else.', 2],
  ['adaptive_weave', 'Adaptive Weave', 1_600, 'Armour cloth that learns from each hit.', 2],
  ['antimatter_bottle', 'Antimatter Bottle', 4_200, 'Please do not set it down.', 2],
  ['stellar_anchor', 'Stellar Anchor', 9_500, 'Holds a station still while the stars do not.', 10],
])

const COMMODITIES = goods('commodity', [
  ['machine_parts', 'Machine Parts', 70, 'Crates of gears, gaskets and hope.'],
  ['hand_tools', 'Hand Tools', 38, 'Still the fastest way to fix most things.'],
  ['construction_foam', 'Construction Foam', 26, 'Sprayed walls, insulation and emergency beds.'],
  ['prefab_module', 'Prefabricated Habitat', 340, 'A room, folded. Unfold away from the face.', 6],
  ['textiles', 'Textiles', 34, 'Bolts of cloth in the colours of the season before last.'],
  [
    'consumer_electronics',
    'Consumer Electronics',
    120,
    'Gadgets that will be outdated on arrival.',
  ],
  ['data_cores', 'Data Cores', 210, 'Archives, films and other people’s letters.'],
  ['seed_stock', 'Seed Stock', 64, 'Hardy grains and one packet of flowers per crate.'],
  ['livestock_embryos', 'Livestock Embryos', 240, 'Forty goats in a flask.'],
  [
    'scientific_instruments',
    'Scientific Instruments',
    290,
    'Delicate. No, more delicate than that.',
    2,
  ],
  ['colonial_supplies', 'Colonial Supplies', 95, 'Boots, lamps, soap, seed, rope.', 2],
  [
    'waste_slurry',
    'Reclaimable Slurry',
    3,
    'Somebody pays to have it taken away; somebody else pays to get it.',
  ],
])

const FOOD = [
  ...goods('food', [
    ['rations', 'Rations', 12, 'Foil bricks, flavour optional. Keeps a crew and its temper.'],
    ['fresh_produce', 'Fresh Produce', 30, 'Greenhouse leaves, still cold from the tray.'],
    ['vat_protein', 'Vat Protein', 22, 'It is not lying about being meat; nobody asked it.'],
    ['grain_meal', 'Grain Meal', 14, 'Flour from low-gravity wheat, milled fine.'],
    ['spiced_stew', 'Spiced Stew', 48, 'A Rim recipe: whatever there is, and pepper.'],
    ['banquet_platter', 'Banquet Platter', 160, 'Catering for people who sign treaties.', 2],
    ['hull_brew', 'Hull Brew', 36, 'Station beer with a metallic finish.'],
    ['sunlit_wine', 'Sunlit Wine', 190, 'Pressed from grapes grown under a real star.'],
    ['void_tea', 'Quiet Tea', 58, 'Served in silence, drunk in the dark.'],
  ]),
].map((row) => ({ ...row, food_type: foodType(row.id) }))

function foodType(id: string): string {
  if (id === 'hull_brew' || id === 'sunlit_wine') return 'alcohol'
  if (id === 'void_tea') return 'drink'
  return id === 'rations' || id === 'grain_meal' || id === 'fresh_produce' ? 'staple' : 'dish'
}

const LUXURIES = goods('luxury', [
  ['carved_heliodor', 'Carved Heliodor', 420, 'Palm-sized reliefs of long-dead magistrates.'],
  [
    'silence_bell',
    'Silence Bell',
    510,
    'A Conclave bell. It is rung; nothing is heard; people weep.',
  ],
  ['duelling_blade', 'Duelling Blade', 460, 'Oathiron, balanced for arguments.'],
  ['ledger_silk', 'Ledger Silk', 540, 'Cloth woven with last year’s profits in the margin.'],
  ['drift_fiddle', 'Drift Fiddle', 390, 'A Rim instrument; the strings are old tow cable.'],
  ['ancient_relic', 'Ancient Relic', 1_100, 'Made by someone, for something, before anyone.'],
  ['art_hologram', 'Art Hologram', 330, 'Looks back, if the light is right.'],
])

const BIOLOGICAL = goods('biological', [
  ['raw_hide', 'Raw Drifter Hide', 45, 'Vacuum-tough skin with the bristles still on.', 2],
  ['bone_lattice', 'Bone Lattice', 62, 'Light, strong and patterned like frost.', 2],
  ['glow_sac', 'Glow Sac', 88, 'Keeps its light for a month in brine.'],
  ['venom_gland', 'Venom Gland', 130, 'Medicine, in the right dose and the right century.'],
  ['spore_cluster', 'Spore Cluster', 54, 'Do not breathe near it. Do not let it breathe near you.'],
  ['leviathan_ichor', 'Leviathan Ichor', 620, 'Blood of something that did not notice being cut.'],
  ['apex_heart', 'Apex Heart', 1_450, 'Beats for a day after. Buyers like to hear it.', 3],
])

const SALVAGE = goods('salvage', [
  ['salvage_metal', 'Salvage Metal', 9, 'Sheared plate and beam ends, sorted by magnet.'],
  [
    'salvage_components',
    'Salvaged Components',
    48,
    'Boards and valves with one more life in them.',
  ],
  ['rare_salvage', 'Rare Salvage', 260, 'The parts a wreck is worth boarding for.'],
  ['scorched_wiring', 'Scorched Wiring', 7, 'Copper, mostly. Smells of the fight.'],
  ['flight_recorder', 'Flight Recorder', 180, 'The last minutes of someone. Insurers pay well.'],
  ['cracked_reactor_shell', 'Cracked Reactor Shell', 140, 'Still warm. Move briskly.', 4],
])

const CONTRABAND = goods('contraband', [
  ['dream_dust', 'Dream Dust', 320, 'Blue powder that shows you a better galaxy for an hour.'],
  ['forged_papers', 'Forged Citizenship Papers', 280, 'Five seals, four of them good.'],
  ['unregistered_arms', 'Unregistered Arms', 410, 'Sidearms with the numbers planed off.', 2],
  ['stolen_ledgers', 'Stolen Ledgers', 360, 'Names, sums, dates. Somebody wants them back.'],
  ['banned_augments', 'Banned Augments', 680, 'Implants that void every warranty you have.'],
  ['neural_toxin', 'Neural Toxin', 540, 'No lawful use has ever been written on the form.'],
])

const HAZARDOUS: readonly string[] = [
  'enriched_uranium',
  'thorium_pellet',
  'antimatter_bottle',
  'cracked_reactor_shell',
  'neural_toxin',
  'sulfuric_acid',
]

export const MADE_ITEMS: readonly ItemRow[] = [
  ...REFINED,
  ...COMPONENTS,
  ...COMMODITIES,
  ...FOOD,
  ...LUXURIES,
  ...BIOLOGICAL,
  ...SALVAGE,
  ...CONTRABAND,
].map((row) => (HAZARDOUS.includes(row.id) ? { ...row, hazardous: true } : row))
