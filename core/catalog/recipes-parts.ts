/** Recipes for components, and for the everyday goods that every station needs. */
import type { RecipeRow } from './industry-types.ts'
import { recipes } from './recipe-row.ts'

const PARTS = recipes('components', [
  [
    'etch_circuit_board',
    'Etch Circuit Boards',
    '1 copper_wire 1 glass_pane 1 polymer_resin > 1 circuit_board',
    'Print, etch, drill, test, sigh, print again.',
  ],
  [
    'stack_power_cell',
    'Stack Power Cells',
    '1 lithium_cell 2 copper_wire 1 sulfuric_acid > 1 power_cell',
    'Plates, paste and a lid that means it.',
  ],
  [
    'wind_servo',
    'Wind Servo Motors',
    '1 cobalt_magnet 1 copper_wire > 1 servo_motor',
    'It twitches on the bench when it is done.',
  ],
  [
    'fit_pump',
    'Fit Hydraulic Pumps',
    '1 bronze_fitting 2 nickel_alloy > 1 hydraulic_pump',
    'Assembled dry, tested wet, wiped.',
  ],
  [
    'fold_sensor_array',
    'Fold Sensor Arrays',
    '1 silver_contact 1 circuit_board 2 glass_pane 2 aluminum_sheet > 1 sensor_array',
    'Two hundred panels that must all open the same way.',
  ],
  [
    'grow_optical_lattice',
    'Grow Optical Lattices',
    '4 glass_pane 1 inert_gas_flask 2 circuit_board > 1 optical_lattice',
    'Grown in the dark around a thread of light.',
  ],
  [
    'weld_hull_frame',
    'Weld Hull Frames',
    '3 steel_plate 2 nickel_alloy > 1 hull_frame',
    'The welder signs the inside, where only the next wreck will show it.',
  ],
  [
    'lay_hull_plating',
    'Lay Hull Plating',
    '2 steel_plate 2 aluminum_sheet 1 basalt_fiber > 1 hull_plating',
    'Hot, cold, hot, and then the curve.',
  ],
  [
    'assemble_thruster',
    'Assemble Thrusters',
    '1 hydraulic_pump 1 servo_motor 2 titanium_ingot 1 manganese_bronze > 1 thruster_assembly',
    'Balanced to a gram; the warnings are glued on last.',
  ],
  [
    'seal_reactor_core',
    'Seal Reactor Cores',
    '2 borated_shield 1 thorium_pellet 2 power_cell 4 coolant 2 steel_plate 2 tungsten_rod > 1 reactor_core',
    'Nine people, one lid.',
  ],
  [
    'tune_shield_emitter',
    'Tune Shield Emitters',
    '1 optical_lattice 1 power_cell 1 circuit_board > 1 shield_emitter',
    'Turned until the hum and the tuning fork agree.',
  ],
  [
    'coil_jump_ring',
    'Coil Jump Rings',
    '2 palladium_mesh 1 neodymium_coil 2 power_cell > 1 jump_coil',
    'Wound left-handed. Nobody dares to try the other way.',
  ],
  [
    'build_weapon_housing',
    'Build Weapon Housings',
    '2 vanadium_steel 1 servo_motor 1 hydraulic_pump > 1 weapon_housing',
    'Everything but the bang.',
  ],
  [
    'program_targeting',
    'Program Targeting Processors',
    '1 sensor_array 2 circuit_board > 1 targeting_processor',
    'Taught on films of people running.',
  ],
  [
    'plumb_life_support',
    'Plumb Life Support Units',
    '1 hydraulic_pump 1 circuit_board 2 liquid_oxygen 1 power_cell 2 carbon_fiber > 1 life_support_unit',
    'The alarm is tested first, and by everybody.',
  ],
  [
    'chart_navigation_core',
    'Chart Navigation Cores',
    '4 circuit_board 1 gold_foil 1 silver_contact > 1 navigation_core',
    'Loading the stars takes longer than building the box.',
  ],
  [
    'shape_drone_chassis',
    'Shape Drone Chassis',
    '2 carbon_fiber 3 aluminum_sheet 1 servo_motor > 1 drone_chassis',
    'Laid up over a form that is older than the line.',
  ],
  [
    'grind_mining_head',
    'Grind Mining Heads',
    '1 tungsten_rod 3 glass_pane 1 circuit_board > 1 mining_head',
    'Focused on a brick; the brick is replaced weekly.',
  ],
  [
    'bolt_cargo_frame',
    'Bolt Cargo Frames',
    '2 steel_plate 2 aluminum_sheet > 1 cargo_frame',
    'Sixty bolts. Fifty-nine come in the bag.',
  ],
  [
    'cast_gravity_plate',
    'Cast Gravity Plates',
    '1 osmium_core 1 cobalt_magnet 1 circuit_board > 1 gravity_plate',
    'Carried out by four people, then by one.',
  ],
  [
    'grow_quantum_processor',
    'Grow Quantum Processors',
    '1 echo_crystal 3 circuit_board 2 gold_foil 4 cryo_gel 1 silver_contact > 1 quantum_processor',
    'It is and is not finished until somebody looks.',
    { facility_only: true },
  ],
  [
    'draw_superconductor',
    'Draw Superconductors',
    '2 palladium_mesh 2 cryo_gel 2 silver_contact > 1 superconductor',
    'Drawn at four kelvin by mittened hands.',
    { facility_only: true },
  ],
  [
    'charge_phase_capacitor',
    'Charge Phase Capacitors',
    '1 tidelock_crystal 3 power_cell > 1 phase_capacitor',
    'Filled slowly, with the clock turned to the wall.',
    { facility_only: true },
  ],
  [
    'quilt_adaptive_weave',
    'Quilt Adaptive Weave',
    '1 lattice_ore 10 carbon_fiber 2 titanium_ingot 1 gold_foil > 1 adaptive_weave',
    'Sewn, shot, left to heal, and sewn again.',
    { facility_only: true },
  ],
  [
    'trap_antimatter',
    'Trap Antimatter',
    '2 superconductor 2 tritium_gas 1 shield_emitter 2 deuterium_fuel > 1 antimatter_bottle',
    'Made on the far side of the moon from the people who order it.',
    { facility_only: true },
  ],
  [
    'forge_stellar_anchor',
    'Forge Stellar Anchors',
    '2 gravity_plate 1 quantum_processor 4 superconductor 2 osmium_core > 1 stellar_anchor',
    'The last step is to stop. Not the work: the anchor.',
    { facility_only: true },
  ],
])

const DAILY = recipes('consumables', [
  [
    'fill_fuel_cell',
    'Fill Fuel Cells',
    '4 liquid_hydrogen 1 aluminum_sheet > 2 fuel_cell',
    'Chill, pour, cap, shake, do not shake.',
  ],
  [
    'cut_hull_patch',
    'Cut Hull Patches',
    '2 aluminum_sheet 1 polymer_resin > 2 hull_patch',
    'Round, sticky, and the size of a bad day.',
  ],
  [
    'pack_repair_kit',
    'Pack Repair Kits',
    '1 steel_plate 2 polymer_resin > 1 repair_kit',
    'One of everything, folded by someone who has needed it.',
  ],
  [
    'charge_shield_cell',
    'Charge Shield Cells',
    '1 lithium_cell 1 copper_wire > 1 shield_cell',
    'A burst of borrowed calm.',
  ],
])

const SUPPLY = recipes('logistics', [
  [
    'rivet_cargo_container',
    'Rivet Cargo Containers',
    '3 steel_plate 1 galvanized_mesh > 1 cargo_container',
    'Square, because the universe is not.',
  ],
  [
    'pack_package',
    'Pack a Package',
    '1 cargo_container > 1 cargo_container',
    'Whatever fits goes in; the lid gets a seal and a label.',
    { crafting_time: 10, hidden: true, no_recycle: true, package_operation: 'pack' },
  ],
  [
    'unpack_package',
    'Unpack a Package',
    '1 cargo_container > 1 cargo_container',
    'The seal is broken, the contents counted, the box kept if the tools are right.',
    { crafting_time: 5, hidden: true, no_recycle: true, package_operation: 'unpack' },
  ],
])

export const PART_RECIPES: readonly RecipeRow[] = [...PARTS, ...DAILY, ...SUPPLY]
