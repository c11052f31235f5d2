/** The default loadouts of hulls, by role. */
import { deepFreeze } from './freeze.ts'
import type { Role } from './ship-roles.ts'

type Grades = readonly [i: string, ii: string, iii: string]

const GUN: Grades = ['pulse_laser_i', 'pulse_laser_ii', 'pulse_laser_iii']
const BEAM: Grades = ['blaster_i', 'beam_laser_i', 'beam_laser_ii']
const SHIELD: Grades = ['shield_booster_i', 'shield_booster_ii', 'shield_booster_iii']
const PLATE: Grades = ['armor_plate_i', 'armor_plate_ii', 'hull_brace_iii']
const RACK: Grades = ['cargo_expander_i', 'cargo_expander_i', 'cargo_expander_ii']
const EYES: Grades = ['scanner_i', 'scanner_ii', 'scanner_iii']
const DIG: Grades = ['mining_laser_i', 'mining_laser_ii', 'mining_laser_iii']
const SCOOP: Grades = ['gas_harvester_i', 'gas_harvester_ii', 'gas_harvester_iii']
const CUT: Grades = ['ice_harvester_i', 'ice_harvester_ii', 'ice_harvester_iii']
const SURVEY: Grades = ['survey_scanner_i', 'survey_scanner_ii', 'survey_scanner_ii']

const same = (id: string): Grades => [id, id, id]

/**
 * Modules that a hull of a role is delivered with, in order of importance; `ships.ts` fits as many
 * as there is room for.
 */
export const FITS: Readonly<Record<Role, readonly Grades[]>> = deepFreeze({
  starter: [DIG, same('blaster_i')],
  miner: [DIG, SHIELD, DIG, GUN, RACK],
  gasser: [SCOOP, SHIELD, SCOOP, GUN, RACK],
  icer: [CUT, SHIELD, CUT, GUN, RACK],
  hauler: [RACK, SHIELD, RACK, PLATE, GUN],
  scout: [SURVEY, EYES, SHIELD, GUN, same('fuel_tank_i')],
  shade: [EYES, SHIELD, GUN, BEAM, same('signature_damper')],
  fighter: [GUN, SHIELD, BEAM, PLATE, GUN, SHIELD, EYES, GUN, PLATE],
  assault: [GUN, PLATE, GUN, SHIELD, same('marine_barracks'), GUN, PLATE],
  support: [same('repair_arm'), SHIELD, GUN, same('refueling_pump'), SHIELD],
  salvager: [same('tow_rig_basic'), same('salvager_i'), SHIELD, GUN, RACK],
  liner: [same('economy_cabins'), SHIELD, same('business_cabins'), same('galley_lounge')],
  carrier: [same('light_drone_bay'), SHIELD, same('combat_drone_bay'), GUN, SHIELD, PLATE],
  flagship: [BEAM, SHIELD, BEAM, SHIELD, GUN, PLATE, GUN, PLATE, EYES, GUN],
})

/**
 * Earlier loadouts of classes whose loadout has changed, the first version first; the current one
 * is `default_modules`. Hulls of earlier versions may be refitted: ships.md 3.
 */
export const EARLIER_FITS: Readonly<Record<string, readonly (readonly string[])[]>> = deepFreeze({
  lookout: [['scanner_i', 'shield_booster_i']],
  messenger: [
    ['cargo_expander_i', 'armor_plate_i'],
    ['cargo_expander_i', 'shield_booster_i'],
  ],
})
