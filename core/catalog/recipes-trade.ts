/** Recipes for goods that people wear, use and build with. */
import type { RecipeRow } from './industry-types.ts'
import { recipes } from './recipe-row.ts'

const COMMODITIES = recipes('consumables', [
  [
    'sew_work_clothes',
    'Sew Work Clothes',
    '1 textiles > 2 work_clothes',
    'Cut forty deep and sewn by the light of the next shift.',
  ],
  [
    'mould_boots',
    'Mould Boots',
    '1 textiles 1 polymer_resin > 2 boots',
    'Soles first, sizes later, in two widths.',
  ],
  [
    'weave_blankets',
    'Weave Blankets',
    '2 textiles > 3 blankets',
    'Woven from what was left of better cloth.',
  ],
  [
    'box_furniture',
    'Box Furniture',
    '2 duralumin 1 textiles 1 hand_tools > 1 furniture_kit',
    'Packed flat, drawn wrong, sold anyway.',
  ],
  [
    'blow_lamps',
    'Blow Lamps',
    '1 glass_pane 1 copper_wire 1 inert_gas_flask > 1 lamp_kit',
    'Blown warm, for people who live cold.',
  ],
  [
    'spin_cookware',
    'Spin Cookware',
    '1 stainless_sheet 1 aluminum_sheet > 2 cookware',
    'Spun on the lathe between serious jobs.',
  ],
  [
    'pulp_paper',
    'Pulp Paper',
    '1 grain_meal 1 chlorine_tablet > 4 paper_goods',
    'Straw, water, bleach, patience.',
  ],
  [
    'grind_pigment',
    'Grind Pigment',
    '1 industrial_solvent 1 silicate_ore > 3 ink_and_paint',
    'The red sells best; it is on every warning.',
  ],
  ['boil_soap', 'Boil Soap', '1 salt_brick 1 vat_protein > 4 soap', 'Do not ask what the fat was.'],
  [
    'weld_water_tanks',
    'Weld Water Tanks',
    '2 stainless_sheet 4 purified_water > 1 water_tank',
    'Filled at the yard, so that the weld is tested by the buyer.',
  ],
  [
    'pack_school_kits',
    'Pack School Kits',
    '2 paper_goods 1 ink_and_paint 1 hand_tools > 1 school_kit',
    'Every box has one apple in it. It is a rule.',
  ],
  [
    'bind_books',
    'Bind Books',
    '3 paper_goods 1 ink_and_paint > 1 books',
    'Bound by hand, misprinted by machine.',
  ],
  [
    'build_instruments',
    'Build Instruments',
    '1 bronze_fitting 1 copper_wire 2 carbon_fiber > 1 musical_instruments',
    'Tuned last, in the stairwell.',
  ],
  [
    'stitch_sports_goods',
    'Stitch Sports Goods',
    '1 textiles 2 polymer_resin > 1 sports_goods',
    'Kicked before packing.',
  ],
  [
    'assemble_power_tools',
    'Assemble Power Tools',
    '1 servo_motor 1 lithium_cell > 1 power_tools',
    'Each is used once on something expensive, for luck.',
  ],
  [
    'dip_welding_rods',
    'Dip Welding Rods',
    '1 steel_plate 1 silicate_ore > 5 welding_rods',
    'Dipped like candles.',
  ],
  [
    'head_fasteners',
    'Head Fasteners',
    '2 steel_plate 1 zinc_slab > 10 fasteners',
    'Headed by a machine that has not stopped since its inventor did.',
  ],
  [
    'roll_pipe',
    'Roll Pipe',
    '1 stainless_sheet 1 steel_plate > 3 pipe_sections',
    'Rolled, seamed, and looked through at the sun.',
  ],
  [
    'wind_cable_drums',
    'Wind Cable Drums',
    '8 copper_wire 2 polymer_resin > 1 cable_drum',
    'The drum goes home; the cable does not.',
  ],
  ['roll_insulation', 'Roll Insulation', '3 glass_wool > 2 insulation_rolls', 'Wear sleeves.'],
  [
    'frame_windows',
    'Frame Windows',
    '4 glass_pane 1 stainless_sheet > 1 window_units',
    'Framed square, whatever the wall is.',
  ],
  [
    'hang_doors',
    'Hang Doors',
    '2 steel_plate 1 servo_motor > 1 door_units',
    'Hung in a jig and slid until they purr.',
  ],
  [
    'fit_survey_stakes',
    'Fit Survey Stakes',
    '1 signal_booster 1 duralumin > 2 survey_drones_kit',
    'Each is given a number and a small ambition.',
  ],
  [
    'fill_blasting_charges',
    'Fill Blasting Charges',
    '1 fertilizer 1 methane_slush 1 copper_wire > 4 mining_charges',
    'Filled in a shed a long way from the other sheds.',
  ],
  [
    'braze_drill_bits',
    'Braze Drill Bits',
    '1 tungsten_carbide 1 steel_plate > 2 drill_bits',
    'Brazed, ground, dipped in wax.',
  ],
  [
    'blow_lab_glass',
    'Blow Lab Glass',
    '3 glass_pane 1 inert_gas_flask > 2 lab_glass',
    'Blown by the last man who can do the swan.',
  ],
  [
    'purify_reagents',
    'Purify Reagents',
    '1 sulfuric_acid 1 salt_brick 1 industrial_solvent > 2 reagents',
    'Distilled three times; the label says four.',
  ],
  [
    'cut_reels',
    'Cut Reels',
    '1 memory_wafer 1 polymer_resin > 1 entertainment_reels',
    'Cut from last season’s best and all of its worst.',
  ],
  [
    'print_star_charts',
    'Print Star Charts',
    '1 data_cores 2 paper_goods > 1 star_charts',
    'The coastline of nothing, to four decimals.',
  ],
  [
    'compile_news',
    'Compile News',
    '1 data_cores > 3 news_bundle',
    'Set in type an hour before it is wrong.',
  ],
  [
    'tailor_uniforms',
    'Tailor Uniforms',
    '2 work_clothes 1 bronze_fitting > 1 uniforms',
    'Pressed until the crease can cut bread.',
  ],
  [
    'fit_toolchests',
    'Fit Toolchests',
    '3 hand_tools 1 steel_plate > 1 toolchest',
    'Every tool has a shadow painted behind it.',
  ],
  [
    'crate_greenhouses',
    'Crate Greenhouses',
    '2 hydroponic_tray 2 window_units > 1 greenhouse_kit',
    'Assembled once, eaten from, and taken apart.',
  ],
  [
    'build_pet_habitats',
    'Build Pet Habitats',
    '1 glass_pane 1 grain_meal 1 water_tank > 1 pet_habitat',
    'Inspected by a cat, who left.',
  ],
  [
    'close_burial_capsules',
    'Close Burial Capsules',
    '1 duralumin 2 textiles > 1 burial_capsule',
    'Made without hurry.',
  ],
])

export const TRADE_RECIPES: readonly RecipeRow[] = [...COMMODITIES]
