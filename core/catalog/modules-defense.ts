/**
 * Defence modules: shields, armour, hull, resistances and devices for escape.
 * Figures are ours.
 */
import { modules } from './module-row.ts'
import type { DamageType, ModuleRow } from './types.ts'

const skill = (id: string, level: number) => ({ required_skills: { [id]: level } })
const resist = (type: DamageType, percent: number) => ({ resistance_bonus: { [type]: percent } })

const SHIELDS = modules('shield', 'defense', [
  [
    'shield_booster_i',
    'Shield Booster I',
    300,
    2,
    4,
    { shield_bonus: 20 },
    'A second skin, thin but honest.',
  ],
  [
    'shield_booster_ii',
    'Shield Booster II',
    1_800,
    4,
    9,
    { shield_bonus: 60 },
    'Paired emitters in counter-phase.',
  ],
  [
    'shield_booster_iii',
    'Shield Booster III',
    9_000,
    8,
    18,
    { shield_bonus: 180, ...skill('shields', 15) },
    'A wall with a hum.',
  ],
  [
    'shield_booster_iv',
    'Shield Booster IV',
    34_000,
    14,
    34,
    { shield_bonus: 450, ...skill('shields', 30) },
    'Weather stops at it.',
  ],
  [
    'shield_recharger_i',
    'Shield Recharger I',
    450,
    2,
    5,
    { shield_recharge_bonus: 1 },
    'Breathes for the emitters.',
  ],
  [
    'shield_recharger_ii',
    'Shield Recharger II',
    3_200,
    4,
    11,
    { shield_recharge_bonus: 4 },
    'Breathes deeper.',
  ],
  [
    'shield_recharger_iii',
    'Shield Recharger III',
    14_000,
    8,
    22,
    { shield_recharge_bonus: 10, ...skill('shields', 20) },
    'Hardly lets go of its breath.',
  ],
])

const ARMOR = modules('armor', 'defense', [
  [
    'armor_plate_i',
    'Armor Plate I',
    260,
    1,
    1,
    { armor_bonus: 3 },
    'Bolted slab. Paint not included.',
  ],
  [
    'armor_plate_ii',
    'Armor Plate II',
    1_500,
    2,
    2,
    { armor_bonus: 8 },
    'Spaced layers with a ceramic heart.',
  ],
  [
    'armor_plate_iii',
    'Armor Plate III',
    8_200,
    4,
    4,
    { armor_bonus: 20, speed_penalty: 1 },
    'Oathiron over lattice. Heavy.',
  ],
  ['hull_brace_i', 'Hull Brace I', 280, 1, 1, { hull_bonus: 25 }, 'Cross-ties for tired frames.'],
  [
    'hull_brace_ii',
    'Hull Brace II',
    1_700,
    2,
    2,
    { hull_bonus: 80 },
    'A second keel inside the first.',
  ],
  [
    'hull_brace_iii',
    'Hull Brace III',
    9_400,
    4,
    4,
    { hull_bonus: 280, ...skill('armor', 15) },
    'You could drop it on a moon. Please do not.',
  ],
  [
    'armor_repairer_i',
    'Armor Repairer I',
    1_400,
    3,
    6,
    { armor_repair_rate: 3 },
    'Crawlers that lay bead in battle.',
  ],
  [
    'armor_repairer_ii',
    'Armor Repairer II',
    7_600,
    6,
    13,
    { armor_repair_rate: 10, ...skill('armor', 10) },
    'More crawlers, with opinions.',
  ],
])

const HARDENERS = modules('resistance', 'defense', [
  [
    'kinetic_hardener',
    'Kinetic Hardener',
    2_100,
    3,
    5,
    resist('kinetic', 25),
    'Stiffens the field against slugs.',
  ],
  [
    'energy_hardener',
    'Energy Hardener',
    2_100,
    3,
    5,
    resist('energy', 25),
    'Scatters beams into glare.',
  ],
  [
    'explosive_hardener',
    'Explosive Hardener',
    2_100,
    3,
    5,
    resist('explosive', 25),
    'Gives with the blast, then gives back.',
  ],
  [
    'thermal_hardener',
    'Thermal Hardener',
    2_100,
    3,
    5,
    resist('thermal', 25),
    'A shell that sheds heat like a coat.',
  ],
  [
    'em_hardener',
    'EM Hardener',
    2_100,
    3,
    5,
    resist('em', 30),
    'A cage around everything that thinks.',
  ],
  [
    'void_baffle',
    'Void Baffle',
    9_600,
    6,
    12,
    resist('void', 20),
    'Makes the cut arrive slightly elsewhere.',
  ],
  [
    'damage_dampener_i',
    'Damage Dampener I',
    2_600,
    3,
    6,
    { damage_reduction: 8 },
    'Takes a little off everything.',
  ],
  [
    'damage_dampener_ii',
    'Damage Dampener II',
    13_000,
    6,
    13,
    { damage_reduction: 16, ...skill('tactics', 10) },
    'Takes rather more off.',
  ],
])

const ESCAPE = modules('escape', 'defense', [
  [
    'warp_stabilizer',
    'Warp Stabilizer',
    1_300,
    2,
    5,
    { warp_stabilization: 1 },
    'Keeps the door from being held shut.',
  ],
  [
    'emergency_cloak',
    'Emergency Cloak',
    12_000,
    6,
    14,
    { special: 'emergency_cloak' },
    'Plays dead when you nearly are.',
  ],
  [
    'emergency_warp_stabilizer',
    'Emergency Warp Stabilizer',
    18_000,
    5,
    12,
    { special: 'emergency_warp_stabilizer' },
    'Spends itself on the blow that would have ended you.',
  ],
])

export const DEFENSE_MODULES: readonly ModuleRow[] = [...SHIELDS, ...ARMOR, ...HARDENERS, ...ESCAPE]

/** These come last in the table of modules. */
export const ADAPTIVE_MODULES: readonly ModuleRow[] = modules('resistance', 'defense', [
  [
    'adaptive_plating_i',
    'Adaptive Plating I',
    4_800,
    4,
    7,
    { adaptive_resistance: 6 },
    'Plate that learns where it was hit and holds it against you.',
  ],
  [
    'adaptive_plating_ii',
    'Adaptive Plating II',
    19_000,
    7,
    15,
    { adaptive_resistance: 13, ...skill('armor', 20) },
    'It learns faster, and forgives less.',
  ],
])
