/**
 * Ships of the empires that the server flies: patrols, customs, traders, freighters that carry
 * goods to a capital, and their escorts.
 * Columns hold indices into EMPIRE_NPCS: new rows go to the end. ours: the figures, since the
 * sheets only name these ships.
 */
import { deepFreeze } from './freeze.ts'
import type { NpcFigures } from './types.ts'

export interface EmpireNpcRow extends NpcFigures {
  /** Wire name of the role. */
  readonly role: 'patrol' | 'customs' | 'trader' | 'freighter' | 'escort'
  readonly shipClass: string
  /** Its own names; lists put empire and role before them. */
  readonly names: readonly string[]
}

export const EMPIRE_NPCS: readonly EmpireNpcRow[] = deepFreeze([
  {
    role: 'patrol',
    shipClass: 'patrol_cutter',
    hull: 400,
    shield: 250,
    regen: 5,
    armor: 18,
    speed: 4,
    guns: [{ name: 'Writ Battery', damage: 45, damageType: 'energy', reach: 4, period: 1 }],
    names: ['Lantern', 'Sentence', 'Kindly Word', 'Plumb Line', 'Long Evening', 'Fair Copy'],
  },
  {
    role: 'customs',
    shipClass: 'patrol_cutter',
    hull: 300,
    shield: 200,
    regen: 4,
    armor: 14,
    speed: 4,
    guns: [{ name: 'Warning Gun', damage: 30, damageType: 'kinetic', reach: 3, period: 1 }],
    names: ['Open Ledger', 'Due Notice', 'Second Look', 'Red Pencil', 'Bonded Seal', 'Scales'],
  },
  {
    role: 'trader',
    shipClass: 'barge',
    hull: 220,
    shield: 60,
    regen: 2,
    armor: 6,
    speed: 2,
    guns: [],
    names: ['Modest Gain', 'Aunt Perpetua', 'Dry Goods', 'Ninth Barrel', 'Honest Weight', 'Tariff'],
  },
  {
    role: 'freighter',
    shipClass: 'wagon',
    hull: 320,
    shield: 120,
    regen: 2,
    armor: 6,
    speed: 2,
    guns: [],
    names: ['Bread Cart', 'Long Haul', 'Slow Promise', 'Full Larder', 'Winter Store', 'Patience'],
  },
  {
    role: 'escort',
    shipClass: 'patrol_cutter',
    hull: 240,
    shield: 140,
    regen: 3,
    armor: 10,
    speed: 4,
    guns: [{ name: 'Convoy Gun', damage: 30, damageType: 'kinetic', reach: 3, period: 1 }],
    names: ['Sheepdog', 'Near Side', 'Lantern Bearer', 'Short Leash', 'Good Company', 'Gatepost'],
  },
])

/** Returns the index into EMPIRE_NPCS of a role. */
export const empireNpcIndex = (role: EmpireNpcRow['role']): number =>
  EMPIRE_NPCS.findIndex((row) => row.role === role)
