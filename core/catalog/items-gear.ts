/**
 * Goods with a use: fuel cells, kits, boosters, drones, containers, station kits and bound quest
 * goods. Amounts of kits and cells: ships.md sections 5 and 6, travel.md section 7; the rest is
 * ours.
 */
import type { BuffStat, ItemCategory, ItemEffect, ItemRow } from './types.ts'

interface GearOptions {
  size?: number
  effect?: ItemEffect
  tradeable?: boolean
  stackable?: boolean
  quest_item?: boolean
  hazardous?: boolean
}

function gear(
  category: ItemCategory,
  [id, name, value, description]: readonly [string, string, number, string],
  options: GearOptions = {},
): ItemRow {
  const { size = 1, stackable = true, tradeable = true, ...rest } = options
  return {
    id,
    name,
    description,
    category,
    size,
    base_value: value,
    stackable,
    tradeable,
    ...rest,
  }
}

const fuelCell = (amount: number, size: number): GearOptions => ({
  size,
  effect: { type: 'fuel', amount },
})

const FUEL: readonly ItemRow[] = [
  gear('fuel', ['fuel', 'Fuel', 2, 'Bulk reaction fuel, as pumped by every station tank.']),
  gear(
    'fuel',
    ['fuel_cell', 'Fuel Cell', 43, 'A sealed cell: 20 units, one hand to carry.'],
    fuelCell(20, 1),
  ),
  gear(
    'fuel',
    [
      'premium_fuel_cell',
      'Premium Fuel Cell',
      120,
      'A dense cell: 50 units for long empty stretches.',
    ],
    fuelCell(50, 2),
  ),
  gear(
    'fuel',
    [
      'military_fuel_cell',
      'Military Fuel Cell',
      390,
      'Navy stock: 100 units, numbered and missed.',
    ],
    fuelCell(100, 3),
  ),
]

const restore = (type: 'hull' | 'shield', amount: number): GearOptions => ({
  effect: { type, amount },
})

const REPAIR: readonly ItemRow[] = [
  gear(
    'consumable',
    ['hull_patch', 'Hull Patch', 30, 'Slap on, hold breath. 15 hull.'],
    restore('hull', 15),
  ),
  gear(
    'consumable',
    ['repair_kit', 'Repair Kit', 95, 'Foam, plate and a cutter. 50 hull.'],
    restore('hull', 50),
  ),
  gear(
    'consumable',
    [
      'advanced_repair_kit',
      'Advanced Repair Kit',
      310,
      'Self-laying plate for real holes. 150 hull.',
    ],
    { ...restore('hull', 150), size: 2 },
  ),
  gear(
    'consumable',
    ['shield_cell', 'Shield Cell', 110, 'One shot for the emitters. 40 shield.'],
    restore('shield', 40),
  ),
  gear(
    'consumable',
    ['heavy_shield_cell', 'Heavy Shield Cell', 330, 'Three shots, one casing. 130 shield.'],
    { ...restore('shield', 130), size: 2 },
  ),
]

const buff = (stat: BuffStat, amount: number, duration: number): GearOptions => ({
  effect: { type: 'buff', stat, amount, duration },
})

const BOOSTERS: readonly ItemRow[] = [
  gear(
    'consumable',
    ['engine_tonic', 'Engine Tonic', 140, 'Additive: +15 % speed for half an hour.'],
    buff('speed', 15, 180),
  ),
  gear(
    'consumable',
    ['overdrive_flask', 'Overdrive Flask', 420, 'Racing mix: +30 % speed, briefly.'],
    buff('speed', 30, 60),
  ),
  gear(
    'consumable',
    ['gunners_stim', 'Gunner’s Stim', 180, 'Steady hands: +10 % damage.'],
    buff('damage', 10, 120),
  ),
  gear(
    'consumable',
    ['breach_serum', 'Breach Serum', 460, 'Not steady at all: +20 % damage.'],
    buff('damage', 20, 60),
  ),
  gear(
    'consumable',
    ['bulwark_charge', 'Bulwark Charge', 240, 'Hardens the hull field: −10 % damage taken.'],
    buff('defense', 10, 120),
  ),
  gear(
    'consumable',
    ['targeting_primer', 'Targeting Primer', 160, 'Fresh tables: +8 accuracy.'],
    buff('accuracy', 8, 120),
  ),
  gear(
    'consumable',
    ['scanner_booster', 'Scanner Booster', 130, 'Cold amplifier: +10 scanner power.'],
    buff('scanner', 10, 180),
  ),
  gear(
    'consumable',
    ['signal_mask', 'Signal Mask', 210, 'Paints you the colour of nothing: +10 cloak.'],
    buff('cloak', 10, 180),
  ),
  gear(
    'consumable',
    ['miners_lubricant', 'Miner’s Lubricant', 120, 'Keeps the head cool: +10 % yield.'],
    buff('yield', 10, 180),
  ),
  gear(
    'consumable',
    [
      'emergency_warp_charge',
      'Emergency Warp Charge',
      900,
      'One blind jump to a neighbouring system. Pack light.',
    ],
    { effect: { type: 'warp' }, size: 3 },
  ),
  gear(
    'consumable',
    ['homeward_beacon', 'Homeward Beacon', 1_500, 'Folds the ship back to its home dock, once.'],
    { effect: { type: 'home_return' }, size: 3 },
  ),
]

const DRONES: readonly ItemRow[] = [
  gear('drone', ['combat_drone', 'Combat Drone', 900, 'Small, angry, loyal.'], { size: 5 }),
  gear('drone', ['mining_drone', 'Mining Drone', 750, 'Nibbles any rock it is shown.'], {
    size: 5,
  }),
  gear('drone', ['repair_drone', 'Repair Drone', 850, 'Welds first, asks later.'], { size: 5 }),
  gear('drone', ['salvage_drone', 'Salvage Drone', 800, 'Takes wrecks apart, politely.'], {
    size: 5,
  }),
  gear('drone', ['scout_drone', 'Scout Drone', 600, 'Looks where you would rather not.'], {
    size: 5,
  }),
]

const SUPPLIES: readonly ItemRow[] = [
  gear('medical', [
    'medical_supplies',
    'Medical Supplies',
    60,
    'Dressings, plasma, painkillers: four patients a crate.',
  ]),
  gear('medical', [
    'surgical_kit',
    'Surgical Kit',
    240,
    'For the wounds that dressings do not close.',
  ]),
  gear('medical', ['vaccine_batch', 'Vaccine Batch', 180, 'Keep cold; keep moving.']),
  gear('medical', [
    'antitoxin',
    'Antitoxin',
    130,
    'Works on most of the Rim’s wildlife and some of its cooking.',
  ]),
]

const INFRASTRUCTURE: readonly ItemRow[] = [
  gear(
    'infrastructure',
    ['cargo_container', 'Cargo Container', 150, 'Seals up to 100 units under one label.'],
    { size: 5 },
  ),
  gear(
    'infrastructure',
    ['outpost_kit', 'Outpost Kit', 85_000, 'A depot, a tank and a lock, in one crate.'],
    { size: 60 },
  ),
  gear(
    'infrastructure',
    ['station_core', 'Station Core', 2_400_000, 'The seed of a port. Needs a flag and a fortune.'],
    { size: 200 },
  ),
  gear(
    'infrastructure',
    ['solar_array', 'Solar Array', 1_200, 'Folded wings for a station that likes the sun.'],
    { size: 10 },
  ),
  gear(
    'infrastructure',
    ['docking_clamp', 'Docking Clamp', 640, 'Holds a ship as if it meant it.'],
    { size: 6 },
  ),
  gear(
    'infrastructure',
    ['air_recycler', 'Air Recycler', 980, 'Keeps two hundred people breathing.'],
    { size: 8 },
  ),
]

const bound: GearOptions = { quest_item: true, tradeable: false }

/** Provided by missions and bound to their carrier. */
const QUEST: readonly ItemRow[] = [
  gear(
    'quest',
    ['diplomatic_pouch', 'Diplomatic Pouch', 800, 'Sealed with five colours of wax.'],
    bound,
  ),
  gear(
    'quest',
    ['courier_satchel', 'Courier Satchel', 300, 'Letters that could not be sent by light.'],
    bound,
  ),
  gear(
    'quest',
    ['survey_records', 'Survey Records', 400, 'Raw soundings, signed by the surveyor.'],
    bound,
  ),
  gear(
    'quest',
    ['relief_parcel', 'Relief Parcel', 250, 'Blankets, lamps and a note in a child’s hand.'],
    bound,
  ),
  gear('quest', ['prototype_crate', 'Prototype Crate', 1_200, 'Do not shake. Do not ask.'], {
    ...bound,
    size: 5,
  }),
  gear(
    'quest',
    ['memorial_urn', 'Memorial Urn', 200, 'To be scattered where the name was first spoken.'],
    bound,
  ),
]

export const GEAR_ITEMS: readonly ItemRow[] = [
  ...FUEL,
  ...REPAIR,
  ...BOOSTERS,
  ...DRONES,
  ...SUPPLIES,
  ...INFRASTRUCTURE,
  ...QUEST,
]
