/** Utility modules for engines, sensors, cloaks, tackle and repair. */
import { modules } from './module-row.ts'
import type { ModuleRow } from './types.ts'

const skill = (id: string, level: number) => ({ required_skills: { [id]: level } })

const TACKLE = modules('tackle', 'utility', [
  [
    'warp_disruptor',
    'Warp Disruptor',
    2_200,
    4,
    8,
    { disruptor_power: 1, reach: 5 },
    'One finger on their drive, from afar.',
  ],
  [
    'warp_scrambler',
    'Warp Scrambler',
    4_800,
    5,
    11,
    { scramble_power: 2, reach: 3 },
    'Two hands on it, close by.',
  ],
  [
    'stasis_webifier',
    'Stasis Webifier',
    2_600,
    4,
    9,
    { webify_strength: 40, reach: 3 },
    'Makes space around them thick.',
  ],
  [
    'boarding_clamps',
    'Boarding Clamps',
    6_200,
    5,
    12,
    { special: 'boarding_capability', latch_strength: 3, ...skill('tactics', 5) },
    'Teeth for ships. Needs marines.',
  ],
])

const ENGINES = modules('engine', 'utility', [
  [
    'thruster_i',
    'Thruster Upgrade I',
    900,
    2,
    5,
    { speed_bonus: 1, fuel_efficiency: -10 },
    'One more step per breath.',
  ],
  [
    'thruster_ii',
    'Thruster Upgrade II',
    6_800,
    5,
    12,
    { speed_bonus: 2, fuel_efficiency: -25 },
    'Thirsty and worth it.',
  ],
  [
    'pathfinder_drive',
    'Pathfinder Drive',
    42_000,
    10,
    24,
    { special: 'pathfinder_drive', ...skill('navigation', 20) },
    'Leaves the lanes and trusts a bearing.',
  ],
])

const CORES = modules('core', 'utility', [
  ['coprocessor_i', 'Coprocessor I', 700, 0, 2, { cpu_bonus: 5 }, 'A spare brain for simple jobs.'],
  [
    'coprocessor_ii',
    'Coprocessor II',
    4_400,
    0,
    5,
    { cpu_bonus: 14 },
    'A spare brain for jealous ones.',
  ],
  [
    'reactor_upgrade_i',
    'Reactor Upgrade I',
    700,
    1,
    0,
    { power_bonus: 10 },
    'A larger flame in the same grate.',
  ],
  ['reactor_upgrade_ii', 'Reactor Upgrade II', 4_400, 2, 0, { power_bonus: 30 }, 'A larger grate.'],
])

const SENSING = modules('scanner', 'utility', [
  [
    'scanner_i',
    'Scanner I',
    350,
    2,
    3,
    { scanner_power: 10 },
    'Reads names, flags and bad intentions.',
  ],
  [
    'scanner_ii',
    'Scanner II',
    1_900,
    4,
    6,
    { scanner_power: 22 },
    'Reads them before they read you.',
  ],
  [
    'scanner_iii',
    'Scanner III',
    8_800,
    7,
    12,
    { scanner_power: 45, ...skill('scanning', 15) },
    'Little is private to it.',
  ],
  [
    'cargo_scanner',
    'Cargo Scanner',
    1_500,
    3,
    5,
    { scanner_power: 4, special: 'cargo_scanner' },
    'Looks through crates, politely.',
  ],
  [
    'pirate_radio_receiver',
    'Pirate Radio Receiver',
    600,
    1,
    2,
    { scanner_power: 2, special: 'pirate_radio' },
    'The bands decent people do not listen to.',
  ],
])

const SURVEY = modules('survey_scanner', 'utility', [
  ['survey_scanner_i', 'Survey Scanner I', 800, 2, 4, { survey_power: 20 }, 'Hears hollow places.'],
  [
    'survey_scanner_ii',
    'Survey Scanner II',
    3_600,
    4,
    8,
    { survey_power: 45, ...skill('scanning', 5) },
    'Hears what fills them.',
  ],
  [
    'survey_scanner_iii',
    'Survey Scanner III',
    15_000,
    7,
    15,
    { survey_power: 90, ...skill('scanning', 20) },
    'Hears them change their mind.',
  ],
])

const STEALTH = modules('cloak', 'utility', [
  [
    'cloak_i',
    'Cloaking Device I',
    3_200,
    4,
    10,
    { cloak_strength: 15, ...skill('stealth', 1) },
    'Bends most of the light around most of you.',
  ],
  [
    'cloak_ii',
    'Cloaking Device II',
    14_000,
    8,
    20,
    { cloak_strength: 35, ...skill('stealth', 10) },
    'Bends the rest.',
  ],
  [
    'cloak_iii',
    'Cloaking Device III',
    52_000,
    14,
    36,
    { cloak_strength: 65, ...skill('stealth', 25) },
    'You were never here. Were you?',
  ],
  [
    'signature_damper',
    'Signature Damper',
    1_100,
    1,
    3,
    { cloak_strength: 5, signature_bonus: -10 },
    'Felt slippers for a drive.',
  ],
])

const FIRE_CONTROL = modules('fire_control', 'utility', [
  [
    'targeting_computer_i',
    'Targeting Computer I',
    1_200,
    4,
    4,
    { accuracy_bonus: 4 },
    'Does the sums aloud.',
  ],
  [
    'targeting_computer_ii',
    'Targeting Computer II',
    6_900,
    8,
    8,
    { accuracy_bonus: 9, ...skill('gunnery', 10) },
    'Does them before you ask.',
  ],
  [
    'tracking_computer',
    'Tracking Computer',
    2_300,
    5,
    5,
    { tracking_bonus: 7 },
    'Never loses a moving dot.',
  ],
])

const SUPPORT = modules('support', 'utility', [
  [
    'repair_arm',
    'Repair Arm',
    2_400,
    3,
    7,
    { special: 'repair_arm', remote_repair_power: 5 },
    'Mends a friend from alongside.',
  ],
  [
    'repair_beam',
    'Remote Repair Beam',
    8_600,
    6,
    15,
    { special: 'repair_arm', remote_repair_power: 18, ...skill('engineering', 10) },
    'Mends a friend from across the ring.',
  ],
])

export const SHIP_MODULES: readonly ModuleRow[] = [
  ...TACKLE,
  ...ENGINES,
  ...CORES,
  ...SENSING,
  ...SURVEY,
  ...STEALTH,
  ...FIRE_CONTROL,
  ...SUPPORT,
]
