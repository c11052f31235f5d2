/** Bases: stations one can dock at, with services, tanks and accounts. */
import { defineEntity, i32, ref, text, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import type { Eid } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** A station or outpost where ships dock. */
export const Base = defineEntity(
  'base',
  ROWS.bases,
  {
    id: text('slug, the wire id'),
    name: text('name'),
    description: text('description'),
    story: text('shown at docking'),
    poi: ref('poi', 'where it is'),
    empire: u8('index into EMPIRES plus 1; 0 = nobody'),
    kind: u8('index into BASE_KINDS'),
    capital: u8('1 for an empire capital'),
    level: u8('1-5'),
    services: u32('bits by SERVICES'),
    fuel: i32('units in the station tank'),
    fuelMax: i32('units'),
    shipyardTier: u8('highest ship tier built here; 0 without a shipyard'),
    hull: i32('points'),
    hullMax: i32('points'),
    shield: i32('points'),
    shieldMax: i32('points'),
    armor: i32('points'),
    weaponDamage: i32('points a volley'),
    weaponReach: u8('rings'),
    pirateRepRequired: u16('standing needed to dock'),
    treasury: ref('account', 'takes fees and service income; of its faction, where it has one'),
    manager: ref('account', 'account of the station manager; the treasury at one of a faction'),
    stock: ref('container', 'goods of the station manager'),
    escrow: ref('container', 'goods in sell orders here'),
    accountTarget: i32('credits the stipend refills the manager to; 0 = none'),
  },
  { fixed: true },
)

/** Append only; the last two are founded by factions. */
export const BASE_KINDS = ['empire', 'independent', 'pirate', 'faction', 'outpost'] as const

/** Services in the order of their bit (append only). */
export const SERVICES = [
  'refuel',
  'repair',
  'market',
  'storage',
  'shipyard',
  'missions',
  'cloning',
  'crafting',
  'insurance',
  'salvage_yard',
  'personnel',
] as const
export type Service = (typeof SERVICES)[number]

/** Bases by wire id. */
export const BASE_IDS = defineIndex('base.ids', () => new Map<string, Eid>())
