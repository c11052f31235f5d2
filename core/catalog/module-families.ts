/** The materials of the modules of a family, and the notes in their recipes. */

export interface Family {
  /** The verb of the recipe name: `Tune` in `Tune Shield Booster I`. */
  verb: string
  /** Notes in the recipes of a first, a second and any later grade. */
  notes: readonly [string, string, string]
  /** Parts by price: below 1,000, below 6,000, below 25,000, above. */
  parts: readonly [string, string, string, string]
}

const family = (
  verb: string,
  notes: Family['notes'],
  low: string,
  middle: string,
  high: string,
  top: string,
): Family => ({ verb, notes, parts: [low, middle, high, top] })

/** Families of weapons, by damage type. */
export const GUNS: Readonly<Record<string, Family>> = {
  kinetic: family(
    'Assemble',
    [
      'Barrel, breech, belt; one shot into the sand and it is sold.',
      'The recoil bench has been moved twice and is now outside.',
      'Proofed at noon, so that the town knows what it was.',
    ],
    'machine_parts circuit_board',
    'gun_barrel breech_block',
    'weapon_housing rail_segment breech_block',
    'weapon_housing rail_segment osmium_core targeting_processor',
  ),
  energy: family(
    'Align',
    [
      'Aligned on a chalk mark that has a hole in it.',
      'Two mirrors, one lamp and an afternoon with the door shut.',
      'The last turn of the screw is done by someone with a steady marriage.',
    ],
    'laser_diode circuit_board',
    'beam_cavity pulse_capacitor',
    'weapon_housing beam_cavity pulse_capacitor',
    'weapon_housing beam_cavity superconductor spectrometer',
  ),
  explosive: family(
    'Rack',
    [
      'Tubes first, promises later.',
      'Everyone in the shop can whistle; nobody does.',
      'Built behind earth, shipped empty, thought about at night.',
    ],
    'guidance_fin circuit_board',
    'warhead_casing guidance_fin circuit_board',
    'weapon_housing seeker_head guidance_fin',
    'weapon_housing seeker_head quantum_processor guidance_fin',
  ),
  thermal: family(
    'Kindle',
    [
      'Lit on the bench and put out with some effort.',
      'The liner is cast in one piece and so is the excuse.',
      'Nobody wears nylon in that shop.',
    ],
    'plasma_injector circuit_board',
    'plasma_injector heat_sink',
    'weapon_housing plasma_injector plasma_bottle',
    'weapon_housing plasma_bottle plasma_injector thorium_ceramic',
  ),
  em: family(
    'Wind',
    [
      'Wound by hand, tested on the lift.',
      'The shop clock is a sundial for a reason.',
      'Switched on once, at night, after a phone call to the harbour.',
    ],
    'cobalt_magnet circuit_board',
    'field_coil pulse_capacitor',
    'weapon_housing field_coil pulse_capacitor',
    'weapon_housing field_coil superconductor',
  ),
  void: family(
    'Hone',
    [
      'There is an edge. It is not in the drawing.',
      'The whetstone is kept in a box inside a box elsewhere.',
      'Finished by people who do not cast the shadow they came with.',
    ],
    'circuit_board',
    'null_alloy circuit_board',
    'weapon_housing null_alloy superconductor',
    'weapon_housing phase_capacitor null_alloy gravity_lens',
  ),
}

/** Families of other modules, by type of module. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  mining: family(
    'Build',
    [
      'Focused on a brick, warranted on a boulder.',
      'The bearings are packed with grease and the crate with warnings.',
      'Tried on the hill behind the works; there is less hill.',
    ],
    'circuit_board tungsten_carbide',
    'mining_head ore_crusher hydraulic_pump',
    'mining_head ore_crusher beam_cavity turbine_rotor',
    'mining_head beam_cavity superconductor turbine_rotor',
  ),
  cargo: family(
    'Rivet',
    [
      'Racks, rails and a net with one hole.',
      'A bulkhead is taken out and a bigger one is argued over.',
      'Space, by the bolt.',
    ],
    'cargo_frame',
    'cargo_frame cargo_winch',
    'cargo_frame cargo_winch hull_plating',
    'cargo_frame adaptive_weave hull_frame',
  ),
  fuel: family(
    'Plumb',
    [
      'Pressure-tested with water, then with prayer.',
      'Every joint is painted, so that a leak signs its name.',
      'Flushed, purged, sniffed.',
    ],
    'pressure_valve',
    'fuel_injector pressure_valve hydraulic_pump',
    'fuel_injector turbine_rotor platinum_gauze',
    'fuel_injector turbine_rotor platinum_gauze superconductor',
  ),
  salvage: family(
    'Forge',
    [
      'Tried on last year’s model.',
      'Sharp where it should be and blunt where the buyer holds it.',
      'It looks at the shop in a certain way.',
    ],
    'servo_motor',
    'grapple_head tow_cable',
    'cutting_torch grapple_head tow_cable',
    'cutting_torch grapple_head gravity_plate',
  ),
  drone_bay: family(
    'Fit',
    [
      'Cradles, a hatch and a whistle only they hear.',
      'The blast doors are tested with last year’s drones.',
      'By the end of the week something inside it answers.',
    ],
    'servo_motor drone_chassis',
    'drone_chassis servo_arm signal_booster',
    'drone_chassis drone_brain servo_arm',
    'drone_brain servo_arm neural_lattice',
  ),
  passenger: family(
    'Furnish',
    [
      'Slept in for one night by the foreman, who must be smiling.',
      'Carpet last, boots off, door locked until delivery.',
      'Aired for a week; the flowers are extra.',
    ],
    'seat_assembly',
    'seat_assembly cabin_module',
    'cabin_module window_units furniture_kit carpet',
    'cabin_module heliodor_glass oil_painting porcelain_set',
  ),
  personnel: family(
    'Fit Out',
    [
      'Bunks in threes, lockers in ones.',
      'Painted green, by regulation, by whoever was late.',
      'Everything has a number, and so has the number.',
    ],
    'cabin_module',
    'cabin_module life_support_unit vacuum_suit',
    'cabin_module life_support_unit surgical_kit',
    'cabin_module life_support_unit stasis_pod',
  ),
  shield: family(
    'Tune',
    [
      'Tuned until the hum and the fork agree.',
      'Two emitters are introduced and made to breathe together.',
      'The room is cleared, and a feather is thrown.',
    ],
    'circuit_board lithium_cell',
    'shield_emitter field_coil',
    'shield_emitter shield_crystal field_coil',
    'shield_emitter shield_crystal superconductor',
  ),
  armor: family(
    'Lay',
    [
      'Slab, bolts, paint, thump.',
      'Each layer is laid across the grain of the last.',
      'Shot at by the apprentice and signed by the foreman.',
    ],
    'steel_plate titanium_ingot',
    'armor_ceramic hull_plating vanadium_steel',
    'laminate_armor hull_plating servo_arm',
    'laminate_armor adaptive_weave hull_frame',
  ),
  resistance: family(
    'Temper',
    [
      'Tempered in whatever it must bear.',
      'Hit, measured, hit again from the other side.',
      'It has been through everything, in order, with notes.',
    ],
    'borated_shield',
    'armor_ceramic field_coil',
    'reactive_tile field_coil armor_ceramic',
    'reactive_tile shield_crystal adaptive_weave',
  ),
  escape: family(
    'Arm',
    [
      'Tested by someone in a hurry.',
      'The second one is for people who did not learn from the first.',
      'Works once in the shop and once for you.',
    ],
    'circuit_board',
    'palladium_mesh signal_booster',
    'jump_coil umbral_film stealth_tile',
    'jump_coil phase_capacitor',
  ),
  security: family(
    'Bolt In',
    [
      'Keys are cut in pairs and one of each is thrown away.',
      'Tried by the night shift, who are still in there.',
      'The plans are eaten afterwards, as a joke, mostly.',
    ],
    'airlock_door',
    'airlock_door hull_plating',
    'airlock_door hull_plating servo_arm',
    'airlock_door laminate_armor',
  ),
  tackle: family(
    'Rig',
    [
      'Tried on a tug, whose captain still writes to us.',
      'It pulls now, and lets go only when asked in writing.',
      'The test range has grown a knot in it.',
    ],
    'servo_motor',
    'field_coil grapple_head',
    'field_coil gravity_plate grapple_head',
    'field_coil gravity_lens superconductor',
  ),
  engine: family(
    'Mount',
    [
      'Run for an hour on the stand, pointing away from town.',
      'Balanced, fired, balanced again, apologised for.',
      'The stand was new.',
    ],
    'hydraulic_pump turbine_rotor',
    'thruster_assembly turbine_rotor',
    'thruster_assembly ion_grid gimbal_ring',
    'thruster_assembly jump_coil navigation_core',
  ),
  core: family(
    'Seat',
    [
      'Seated in its cradle with a click that everyone waits for.',
      'Burned in over a weekend on the payroll of a small moon.',
      'Woken slowly, with the lights low and somebody it knows.',
    ],
    'circuit_board power_conduit',
    'logic_core power_conduit heat_sink',
    'logic_core superconductor junction_box',
    'quantum_processor superconductor reactor_core',
  ),
  scanner: family(
    'Calibrate',
    [
      'Calibrated on the harbour clock across the water.',
      'Listens for a day, and is asked questions.',
      'It named the stranger in the doorway. That was the test.',
    ],
    'silver_contact circuit_board',
    'sensor_array antenna_dish',
    'sensor_array scan_matrix signal_booster',
    'scan_matrix quantum_processor spectrometer',
  ),
  survey_scanner: family(
    'Attune',
    [
      'Tapped against rocks with things in them until it learns.',
      'It can tell a hollow from a promise.',
      'The old prospectors come by to shake its hand.',
    ],
    'silver_contact circuit_board',
    'sensor_array spectrometer',
    'scan_matrix spectrometer echo_glass',
    'scan_matrix quantum_processor echo_glass',
  ),
  cloak: family(
    'Veil',
    [
      'Boxed by touch, invoiced by memory.',
      'Four were made this month. Three have been found.',
      'The builder swears it is on the bench.',
    ],
    'umbral_film',
    'umbral_film signal_booster',
    'stealth_tile umbral_film field_coil',
    'stealth_tile phase_capacitor gravity_lens',
  ),
  fire_control: family(
    'Program',
    [
      'Taught with clay pigeons.',
      'Taught with real ones, under protest.',
      'It guessed the day of the inspection.',
    ],
    'circuit_board',
    'logic_core circuit_board',
    'targeting_processor logic_core star_tracker',
    'targeting_processor quantum_processor',
  ),
  support: family(
    'Articulate',
    [
      'It repairs its own crate before leaving.',
      'Steady enough to thread a needle across the bay, and has.',
      'The welders gave it a cap.',
    ],
    'servo_motor',
    'servo_arm cutting_torch',
    'servo_arm beam_cavity cutting_torch',
    'servo_arm beam_cavity superconductor neural_lattice',
  ),
}
