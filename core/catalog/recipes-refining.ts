/** Recipes that refine ore, ice and gas into stock that a workbench can use. */
import type { RecipeRow } from './industry-types.ts'
import { recipes } from './recipe-row.ts'

const METALS = recipes('refining', [
  [
    'smelt_iron',
    'Smelt Iron',
    '2 iron_ore > 1 iron_ingot',
    'Ore in, bars out; the slag pays for the coffee.',
  ],
  [
    'roll_steel',
    'Roll Steel Plate',
    '3 iron_ingot 2 carbon_ore > 2 steel_plate',
    'Blow, cast, roll, quarrel over the thickness.',
  ],
  [
    'draw_copper',
    'Draw Copper Wire',
    '2 copper_ore > 1 copper_wire',
    'One long pull through nine smaller holes.',
  ],
  [
    'alloy_nickel',
    'Alloy Nickel',
    '2 nickel_ore 1 basalt_ore > 1 nickel_alloy',
    'The basalt floats off with everything nobody ordered.',
  ],
  [
    'press_glass',
    'Press Glass',
    '3 silicate_ore > 1 glass_pane',
    'Melted twice, because the first time shows bubbles.',
  ],
  [
    'weave_carbon',
    'Weave Carbon Fiber',
    '3 carbon_ore > 1 carbon_fiber',
    'Baked to a thread, woven before it can change its mind.',
  ],
  [
    'roll_aluminum',
    'Roll Aluminum',
    '2 aluminum_ore > 1 aluminum_sheet',
    'Takes more power than patience.',
  ],
  [
    'cast_bronze',
    'Cast Bronze Fittings',
    '2 copper_ore 1 tin_ore > 1 bronze_fitting',
    'The oldest recipe in the book, and still on page one.',
  ],
  [
    'galvanize_mesh',
    'Galvanize Mesh',
    '2 iron_ore 1 zinc_ore > 1 galvanized_mesh',
    'Dipped, shaken, hung up to drip.',
  ],
  [
    'boil_acid',
    'Boil Sulfuric Acid',
    '4 sulfur_ore 1 water_ice > 2 sulfuric_acid',
    'Acid into water, never the other way; the wall shows why.',
  ],
  ['spin_basalt', 'Spin Basalt', '3 basalt_ore > 1 basalt_fiber', 'Rock candyfloss. Do not taste.'],
  [
    'reduce_titanium',
    'Reduce Titanium',
    '2 titanium_ore > 1 titanium_ingot',
    'A week of chlorine and argon, on paper; the furnace cheats.',
  ],
  [
    'wind_magnet',
    'Press Cobalt Magnets',
    '2 cobalt_ore > 1 cobalt_magnet',
    'Pressed in a field, then kept away from the other ones.',
  ],
  [
    'fill_lithium_cell',
    'Fill Lithium Cells',
    '2 lithium_ore > 1 lithium_cell',
    'Rolled dry, sealed dry, cursed at if not.',
  ],
  [
    'turn_bearing',
    'Turn Chrome Bearings',
    '2 chromium_ore > 1 chrome_bearing',
    'Ground until the light runs round it without stopping.',
  ],
  [
    'sinter_tungsten',
    'Sinter Tungsten',
    '2 tungsten_ore > 1 tungsten_rod',
    'Too stubborn to melt, so it is persuaded as powder.',
  ],
  [
    'stamp_contact',
    'Stamp Silver Contacts',
    '2 silver_ore > 1 silver_contact',
    'Every offcut is swept up and signed for.',
  ],
  [
    'press_borated',
    'Press Borated Panels',
    '2 boron_ore > 1 borated_shield',
    'Layers of grey that a neutron does not come out of.',
  ],
  [
    'temper_vanadium',
    'Temper Vanadium Steel',
    '1 vanadium_ore 1 steel_plate > 1 vanadium_steel',
    'A pinch of blue, and the plate remembers its shape.',
  ],
  [
    'cast_manganese',
    'Cast Manganese Bronze',
    '1 manganese_ore 3 copper_ore > 1 manganese_bronze',
    'Poured slowly, in rings, by people with old burns.',
  ],
])

const PRECIOUS = recipes('refining', [
  [
    'grind_heliodor',
    'Grind Heliodor Lenses',
    '2 heliodor_ore 1 glass_pane > 1 heliodor_lens',
    'The grinder looks at the sun through each one, once.',
  ],
  [
    'roll_umbral',
    'Roll Umbral Film',
    '2 umbral_quartz 1 carbon_ore > 1 umbral_film',
    'Made by touch, in rooms with no switch.',
  ],
  [
    'forge_oathiron',
    'Forge Oathiron',
    '2 oathiron_ore 2 carbon_ore > 1 oathiron_billet',
    'Somebody says a name over it. The file asks for the spelling.',
  ],
  [
    'cut_opaline',
    'Cut Opaline',
    '2 opaline_ore 1 silicate_ore > 1 opaline_facet',
    'Fifty-eight faces, each worth arguing about.',
  ],
  [
    'temper_driftglass',
    'Temper Driftglass',
    '2 driftglass_ore 2 silicate_ore > 1 driftglass_pane',
    'The dust did most of the work a long time ago.',
  ],
  [
    'beat_gold',
    'Beat Gold Foil',
    '2 gold_ore > 1 gold_foil',
    'Thin enough to read through, which is how theft is found.',
  ],
  [
    'wash_platinum',
    'Wash Platinum',
    '2 platinum_ore > 1 platinum_catalyst',
    'Acid, ash, honeycomb, oven.',
  ],
  [
    'cast_iridium',
    'Cast Iridium Nozzles',
    '2 iridium_ore > 1 iridium_nozzle',
    'The mould is worth more than the foundry.',
  ],
  [
    'knit_palladium',
    'Knit Palladium Mesh',
    '2 palladium_ore > 1 palladium_mesh',
    'A net for the smallest fish there is.',
  ],
  [
    'wind_neodymium',
    'Wind Neodymium Coils',
    '2 neodymium_ore 1 copper_wire > 1 neodymium_coil',
    'Take off your rings first.',
  ],
  [
    'press_osmium',
    'Press Osmium Cores',
    '2 osmium_ore > 1 osmium_core',
    'The press is the second heaviest thing in the room.',
  ],
  [
    'jacket_thorium',
    'Jacket Thorium',
    '2 thorium_ore > 1 thorium_pellet',
    'Done behind a window as thick as an arm is long.',
  ],
  [
    'enrich_uranium',
    'Enrich Uranium',
    '2 uranium_ore 2 chlorine_gas > 1 enriched_uranium',
    'Round and round until the scale and the inspector agree.',
  ],
])

const FLUIDS = recipes('refining', [
  [
    'melt_water',
    'Melt and Purify Water',
    '2 water_ice > 1 purified_water',
    'Thaw, filter, boil, sip, nod.',
  ],
  [
    'crack_oxygen',
    'Crack Oxygen',
    '1 purified_water > 1 liquid_oxygen',
    'Water, parted from its better half.',
  ],
  [
    'chill_hydrogen',
    'Chill Hydrogen',
    '2 hydrogen_gas > 1 liquid_hydrogen',
    'Squeezed until it gives up being a gas.',
  ],
  [
    'mix_fertilizer',
    'Mix Fertilizer',
    '2 ammonia_ice 1 sulfur_ore > 2 fertilizer',
    'Smells like a promise to a field.',
  ],
  [
    'cook_polymer',
    'Cook Polymer',
    '4 methane_gas 1 carbon_ore > 2 polymer_resin',
    'Stir, and do not let it set in the pot.',
  ],
  [
    'blend_coolant',
    'Blend Coolant',
    '1 ammonia_ice 1 purified_water > 1 coolant',
    'The blue is only dye, so that leaks confess.',
  ],
  [
    'distil_deuterium',
    'Distil Deuterium',
    '2 deuterium_ice > 1 deuterium_fuel',
    'A column eleven decks tall, and at the end a thimble.',
  ],
  [
    'set_cryo_gel',
    'Set Cryogenic Gel',
    '2 nitrogen_ice 1 carbonic_ice > 1 cryo_gel',
    'Cold that stays where you put it.',
  ],
  [
    'distil_solvent',
    'Distil Solvent',
    '2 chlorine_gas > 1 industrial_solvent',
    'Eats the label off its own drum.',
  ],
  [
    'bottle_inert',
    'Bottle Inert Gas',
    '1 argon_gas 1 neon_gas > 1 inert_gas_flask',
    'The two quietest elements, corked together.',
  ],
  [
    'mill_fuel',
    'Mill Fuel',
    '1 hydrogen_gas > 3 fuel',
    'Bulk reaction fuel, straight into the tank.',
    { fuel_output: true, no_recycle: true },
  ],
])

export const REFINING_RECIPES: readonly RecipeRow[] = [...METALS, ...PRECIOUS, ...FLUIDS]
